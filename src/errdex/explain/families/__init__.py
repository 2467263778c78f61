"""One module per error family; the registry lists this folder, nothing else is edited."""
