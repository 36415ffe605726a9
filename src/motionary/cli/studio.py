"""studio: the library in a browser."""

from pathlib import Path
from typing import Annotated

import typer

from motionary.cli.options import BankPath
from motionary.cli.output import say


def studio(
    bank_path: BankPath,
    port: Annotated[
        int | None,
        typer.Option(min=1, max=65_535, help="Port on this machine. By default, the first free one from 8720."),
    ] = None,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser; print the file that opens the studio.")
    ] = False,
) -> None:
    """Open BANK in a browser: look at motions, search, label, edit and blend them. Ctrl-C stops it."""
    from motionary.server import page_is_built, serve

    if not page_is_built():
        say("the page of the studio is not built: run `make page` in a clone, then install Motionary from there again")

    def ready(address: str, opener: Path) -> None:
        say(f"the studio of {bank_path} is at {address}; Ctrl-C ends it")
        if no_browser:
            say("open this file in a browser; only you can read it:")
            print(opener, flush=True)
        else:
            say(f"if no browser opens, open this file in one: {opener}")

    serve(bank_path, port=port, open_browser=not no_browser, ready=ready)
