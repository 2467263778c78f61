"""The content security policy, the same in the page and in the server's headers."""

from __future__ import annotations

_DIRECTIVES = {
    "default-src": "'none'",
    "style-src": "'self'",
    "script-src": "'self'",  # JSON-LD is data: it is never executed, so it needs no permission
    "img-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
}
PAGE_POLICY = "; ".join(f"{name} {value}" for name, value in _DIRECTIVES.items())
"""What a `<meta>` element may say; a static host sends no headers of ours."""
HEADER_POLICY = PAGE_POLICY + "; frame-ancestors 'none'"
"""What the server says: `frame-ancestors` is ignored in a `<meta>` element."""
