"""The checks of the gate, one a module; `errdex.assist.interface` reads the folder."""
