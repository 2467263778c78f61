"""The command line's reference, `docs/cli.md`, made from the commands themselves.

`python -m errdex.cli.reference docs/cli.md` writes it; with `--check` it exits 1 if the file differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from errdex.cli.main import COMMANDS, root

_HEAD = """# The command line

Made by `make docs` from the commands themselves; edit those.

Exit codes: 0 done, and to a question yes; 1 done, and the answer is no; 2 wrong command line;
3 an error with its reason on standard error; 70 a bug of ours; 130 interrupted.
Answers go to standard output, everything else to standard error.
"""


def reference() -> str:
    """Return the whole page."""
    parts = [_HEAD]
    with click.Context(
        root,
        info_name="errdex",
        terminal_width=90,
        max_content_width=90,
        help_option_names=root.context_settings["help_option_names"],
    ) as top:
        parts.append(_section("errdex", root, top))
        for name in sorted(COMMANDS):
            command = root.get_command(top, name)
            assert command is not None
            with click.Context(
                command, info_name=name, parent=top, terminal_width=90, max_content_width=90
            ) as own:
                parts.append(_section(f"errdex {name}", command, own))
    return "\n".join(parts)


def _section(title: str, command: click.Command, context: click.Context) -> str:
    return f"## {title}\n\n```text\n{command.get_help(context)}\n```\n"


def main(arguments: list[str]) -> int:
    """Write the page, or compare it; return the exit code."""
    paths = [argument for argument in arguments if not argument.startswith("-")]
    if len(paths) != 1 or len(arguments) - len(paths) != arguments.count("--check"):
        sys.stderr.write("Usage: python -m errdex.cli.reference [--check] PATH\n")
        return 2
    path = Path(paths[0])
    page = reference()
    if "--check" not in arguments:
        path.write_text(page, encoding="utf-8")
        return 0
    if path.is_file() and path.read_text(encoding="utf-8") == page:
        return 0
    sys.stderr.write(f"{path} is not what the commands say; run `make docs`.\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
