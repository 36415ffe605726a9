"""The command line: it parses, calls one function and prints; no algorithm lives here."""

import gc

from motionary.cli.interrupts import answered_interrupts

__all__ = ["main"]

OBJECTS_BETWEEN_COLLECTIONS = 100_000  # loading makes many that stay: to look through them again and again takes long


def main() -> None:
    """Run the command line; Ctrl-C is answered from the first moment on, while all else is loaded."""
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    with answered_interrupts():
        from motionary.cli.running import run

        run()
