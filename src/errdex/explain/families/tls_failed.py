"""A certificate, key or TLS setting was refused.

Means: Encryption is set up before any data flows; the certificate is not trusted or not readable, or both
  sides have no setting in common.
Not this: The connection itself fails (`connection-failed`), or a path to a certificate names no file
  (`file-not-found`).
Causes:
  - A proxy or company network presents its own certificate.
  - The certificate has expired, or was issued for another name.
  - A key file is in another format, or encrypted with another password.
Fix: Trust the right authority (a CA bundle) or repair the certificate; turning verification off hides an
  attack as well.
Prevent: Watch the expiry dates of certificates, and test with the trust store that the program will use.
Proof: Load text that is no certificate, then a certificate.
Source: https://docs.python.org/3/library/ssl.html
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, Strength, family
from errdex.explain.matching import best, own_class, told


@family(
    "tls-failed",
    situations=(
        "A proxy or company network presents its own certificate, which the trust store does not know.",
        "The certificate has expired or was issued for another name, or a key is in another format or under another password.",
    ),
    prevention=(
        "Watch the expiry dates of certificates, and test with the trust store that the program will use.",
    ),
    strategy="try-catch",
    tags=("tls", "certificate"),
    yields_to=(
        "file-not-found",
        "optional-dependency-missing",
        "timeout",
        "unsupported-platform",
        "version-conflict",
    ),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    if not facts.caught.isdisjoint(("SSLError", "CertificateError", "SSLCertVerificationError")):
        return Claim(Strength.OWN_CLASS)
    return best(
        own_class(
            facts,
            "SSLError",
            "SSLCertVerificationError",
            "CertificateError",
            words=("ssl", "tls", "certificate", "cert", "insecure"),
            slots={},
        ),
        told(
            facts,
            "certificate",
            "tls",
            "ssl error",
            "ssl handshake",
            "ssl context",
            "x.509",
            "x509",
            "private key",
            "pem",
            "hostname mismatch",
            "cipher",
            words=("ca", "crl", "csr"),
        ),
    )
