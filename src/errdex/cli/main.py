"""The `errdex` command: its commands by name, loaded when called, and the exit codes.

Exit codes: 0 done, and to a question yes; 1 done, and the answer is no; 2 wrong
command line; 3 an `ErrdexError`; 70 a bug of ours (traceback on stderr); 130 interrupted.
"""

from __future__ import annotations

import os
import sys
import traceback
from importlib import import_module

import click

from errdex import __version__
from errdex.cli.options import note
from errdex.errors import ErrdexError

EXIT_NO = 1
EXIT_USAGE = 2
EXIT_ERROR = 3
EXIT_BUG = 70
EXIT_INTERRUPTED = 130

COMMANDS = {
    "assist": "Let a model add to records what its checks let through.",
    "analyze": "Read packages and keep a record of every error they can raise.",
    "check": "Check that every record of the catalog is true to its source.",
    "errors-of": "Say which errors a call can raise.",
    "explain": "Say what a pasted error or traceback is, and what to do about it.",
    "list": "List the records of the catalog.",
    "mcp": "Serve assistants over the Model Context Protocol.",
    "prove": "Find and run the call that raises an error, and the one that does not.",
    "publish": "Write the catalog as a folder of pages and data files for any static host.",
    "pull": "Read a published dataset into the catalog.",
    "run": "Run a Python program and explain the error it dies of.",
    "search": "Find the error that a question in your own words means.",
    "serve": "Serve the catalog as web pages and JSON.",
    "show": "Show one record.",
    "sites": "List every throw site of a package, one JSON object a line.",
}
"""Each is the module of that name beside this one, with a click command named `command`."""


class _LazyGroup(click.Group):
    """Imports a command's module when that command is called: `explain` must not pay for `serve`."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"errdex.cli.{cmd_name.replace('-', '_')}_command")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(sorted(COMMANDS.items()))


@click.group(
    cls=_LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Example: python app.py 2>&1 | errdex explain -",
)
@click.version_option(__version__, message="errdex %(version)s")
def root() -> None:
    """What is this error, and what do I do about it?"""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with the code that its outcome has."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    try:
        outcome = root.main(args=arguments, prog_name="errdex", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        error.show()
        return EXIT_USAGE
    except (click.Abort, KeyboardInterrupt):
        note("interrupted")
        return EXIT_INTERRUPTED
    except ErrdexError as error:
        note(f"errdex: {error.problem}")
        if error.hint:
            note(f"  {error.hint}")
        return EXIT_ERROR
    except BrokenPipeError:
        os.dup2(
            os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno()
        )  # the flush at exit must not fail again
        return 0
    except Exception:  # noqa: BLE001 - the top of the program: anything here is our bug
        traceback.print_exc()
        return EXIT_BUG
    return outcome if isinstance(outcome, int) else 0
