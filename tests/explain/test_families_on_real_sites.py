"""Families on the sources of real packages: one claim a site, most guarded sites claimed, none too greedy."""

from collections import Counter

import pytest

from errdex.explain.facts import Facts
from errdex.explain.interface import claims, families, strongest

NOT_IN_THESE_PACKAGES = {
    "device-mismatch": "no tensors here; SGLang and transformers raise it",
    "rate-limited": "a server's business; botocore and huggingface_hub raise it",
    "singular-matrix": "no linear algebra here; scipy and sympy raise it",
    "not-converged": "no iterative methods here; scipy and scikit-learn raise it",
    "tensor-dtype-mismatch": "no tensors here; SGLang and pandas raise it",
    "tensor-shape-mismatch": "no arrays here; numpy and scipy raise it",
    "wrong-number-of-dimensions": "no arrays here; numpy and scikit-learn raise it",
    "token-expired": "no tokens here; botocore raises it",
    "checksum-mismatch": "no archives here; datasets and pillow raise it",
    "out-of-memory": "nothing here allocates by the gigabyte; psycopg and SGLang raise it",
    "deadlock": "nobody waits for himself here; celery raises it",
    "environment-variable-missing": "options come as arguments here; huggingface_hub and SGLang raise it",
    "tls-failed": "certificates are checked below these packages; urllib3 and requests raise it",
    "name-resolution-failed": "nothing here resolves host names itself; urllib3 and aiohttp raise it",
    "timezone-mismatch": "clocks of one zone here; pandas and django raise it",
}
"""Families that no site of the sample emits, each with who does. An exemption that is no longer needed fails."""


@pytest.fixture(scope="module")
def claimed(real_sites):
    found = []
    for site, context in real_sites:
        facts = Facts(site, site.templates[0] if site.templates else None, context)
        found.append((site, strongest(claims(facts))))
    return found


def test_at_most_one_family_claims_a_site(claimed):
    """No two families claim a site with equal strength and breadth unless one yields."""
    double = [(site.path, site.line, slugs) for site, slugs in claimed if len(slugs) > 1]
    assert not double


def test_three_quarters_of_the_guarded_sites_have_a_family(claimed):
    """At least 75 % of the sites that have a guard are claimed, and no family claims more than 20 %."""
    guarded = [slugs for site, slugs in claimed if site.guard is not None]
    counts = Counter(slugs[0] for slugs in guarded if slugs)
    assert sum(counts.values()) >= 0.75 * len(guarded)
    assert max(counts.values()) <= 0.20 * len(guarded)


def test_every_family_is_emitted_by_real_code(claimed):
    """Each family claims a site of the sample, or says who raises it instead; no exemption is idle."""
    seen = {slugs[0] for _, slugs in claimed if slugs}
    assert set(families()) - seen == set(NOT_IN_THESE_PACKAGES)
