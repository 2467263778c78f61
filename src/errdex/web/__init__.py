"""The records over HTTP: pages for people, JSON for programs."""

from errdex.web.app import create_app
from errdex.web.serve import PortInUseError, serve

__all__ = ["PortInUseError", "create_app", "serve"]
