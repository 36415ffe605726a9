"""One run of the command line, and how its errors are shown."""

import sys

from motionary.cli.commands import make_app
from motionary.cli.output import ReaderGone, leave_reader, say, watch_reader
from motionary.cli.starting import import_blas_on_use
from motionary.errors import UserError


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
    except UserError as error:
        say(f"motionary: {error}")
        sys.exit(1)
    except ReaderGone:
        leave_reader()
        sys.exit(0)
