"""The caller may not do this.

Means: The operating system, a server or the application knows who asks and has a rule against it.
Not this: Nobody has been recognised yet (`authentication-failed`), or the object is read-only for everyone
  (`read-only`).
Causes:
  - The process runs as a user without rights on the file or port.
  - The account lacks a role, scope or grant.
  - A check in the application forbids it for this object.
Fix: Grant the right to the account that runs the program, or act on something it may touch.
Prevent: Run with the least rights that are needed, and test with that account.
Proof: Act without the right, then with it.
Source: https://docs.python.org/3/library/exceptions.html#PermissionError
"""

from errdex.explain.facts import Facts
from errdex.explain.interface import Claim, family
from errdex.explain.matching import best, caught, own_class, shape, status, told


@family(
    "permission-denied",
    situations=(
        "The process or account lacks a right, role or scope for this object.",
        "A file belongs to another user, or sits on a read-only mount.",
    ),
    prevention=("Test with the account that will run the program, not with an administrator's.",),
    strategy="try-catch",
    tags=("permission", "access"),
    yields_to=("encoding-failure",),
)
def claim(facts: Facts) -> Claim | None:
    """Claim the site, or None."""
    named = own_class(
        facts,
        "PermissionError",
        "PermissionDenied",
        "Forbidden",
        "AccessDenied",
        "NotAuthorized",
        "GatedRepoError",
        "DisallowedHost",
        words=("permission", "forbidden", "denied"),
    )
    access = [test for test in facts.tests if "os.access(" in test.subject]
    return best(
        named,
        shape(facts, access, "readable", "writable", "writeable", "executable", "permission"),
        status(facts, 403),
        caught(facts, "PermissionError", "PermissionDenied"),
        told(
            facts,
            "permission",
            "not permitted to",
            "forbidden",
            "access denied",
            "not authorized",
            "insufficient privilege",
            "not allowed to access",
            "access is denied",
        ),
    )
