def complete(prefix: str, commands: list[str]) -> str:
    """Return the one command that starts with `prefix`."""
    fitting = [command for command in commands if command.startswith(prefix)]
    if len(fitting) > 1:
        raise LookupError(f"{prefix!r} is ambiguous: {', '.join(fitting)}")
    return fitting[0]


complete("stat", ["stash", "status"])
