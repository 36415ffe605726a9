"""`motionary`: the whole command line, for those who ask about all of it."""

from motionary.cli.commands import make_app

app = make_app()
