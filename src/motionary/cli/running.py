"""One run of the command line, and how its errors are shown."""

import sys
from collections.abc import Sequence
from pathlib import Path

from motionary.cli.commands import make_app
from motionary.cli.output import ReaderGone, leave_reader, say, watch_reader
from motionary.cli.starting import import_blas_on_use
from motionary.errors import NoBankError, UserError


def run() -> None:
    """Run the command line; what a user can mend is printed without a traceback, exit status 1."""
    watch_reader()
    import_blas_on_use()
    if sys.argv[1:2] == ["help"]:
        sys.argv[1:] = [*sys.argv[2:], "--help"]
    try:
        try:
            make_app(sys.argv[1:])()
        except SystemExit:
            sys.stdout.flush()  # here, where a reader that has gone is no failure
            raise
    except NoBankError as error:
        say(f"motionary: {error}{_hint_of_order(error, sys.argv[2:])}")
        sys.exit(1)
    except UserError as error:
        say(f"motionary: {error}")
        sys.exit(1)
    except ReaderGone:
        leave_reader()
        sys.exit(0)


def _hint_of_order(error: NoBankError, words: Sequence[str]) -> str:
    """What to say where a bank is named, but not first."""
    later = next((word for word in words if word.endswith(".bank") and Path(word).is_file()), None)
    return "" if later is None or Path(later) == error.path else f". The bank comes first: {later} before {error.path}"
