"""`python -m errdex`."""

from errdex.cli.main import main

if __name__ == "__main__":
    main()
