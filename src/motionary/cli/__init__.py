"""The command line: it parses, calls one function and prints; no algorithm lives here."""

from motionary.cli.app import main

__all__ = ["main"]
