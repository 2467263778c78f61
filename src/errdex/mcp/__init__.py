"""The records over the Model Context Protocol, for assistants: short answers, the verdict first."""
