"""schemathesis reads in `/openapi.json` what may be asked, asks it, and holds every answer against it."""

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sample_catalog import ARTIFACT
from schemathesis.config import SchemathesisConfig

from errdex.publish.lineage import Lineage
from errdex.publish.links import Site
from errdex.web.openapi import describe_api
from errdex.web.routes import ADDRESSES

WELL, BADLY = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
OPERATIONS = [
    (path, method, mode)
    for path, operations in describe_api(ADDRESSES, Site())["paths"].items()
    for method, operation in operations.items()
    for mode in ((WELL, BADLY) if {"parameters", "requestBody"} & set(operation) else (WELL,))
    if mode is WELL or "{owner}" not in path  # every word may be a name
]
EXAMPLES = 25
"""Requests for each operation and way to make one up: about 20 s for all."""


@pytest.fixture(scope="module")
def api(app, catalog):
    """The described API; half of the values in paths are ones that the catalog has, or once had."""
    ids = [stored.record.id for stored in catalog.records()]
    ids += [summary.id for summary, _ in Lineage(catalog, ARTIFACT).former()]
    repos = [row.repo.split("/") for row in catalog.repos()]
    rules = {"checks": {"negative_data_rejection": {"expected-statuses": [400, 404, 413, 415]}}}
    config = SchemathesisConfig.from_dict(rules)  # 413 is no refusal to it unless named
    loaded = schemathesis.openapi.from_asgi("/openapi.json", app, config=config)

    @loaded.hook
    def flatmap_path_parameters(_context, values):
        asked = values or {}
        known = [{"id": one} for one in ids] if "id" in asked else []
        known += [{"owner": owner, "name": name} for owner, name in repos] if "owner" in asked else []
        return st.one_of(st.just(values), st.sampled_from(known)) if known else st.just(values)

    return loaded


@pytest.mark.parametrize(("path", "method", "mode"), OPERATIONS, ids=str)
def test_every_answer_is_as_described(api, path, method, mode):
    """No 500, and no status, media type or body that the description does not name."""
    answers = set()

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(case=api[path][method].as_strategy(generation_mode=mode))
    def ask(case):
        answers.add(case.call_and_validate().status_code)

    ask()
    if mode is WELL:
        assert answers & {200, 308}
