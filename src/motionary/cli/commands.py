"""All commands by name, and the command line made of them, or of as few as one run needs."""

from collections.abc import Sequence
from importlib import import_module

import typer

from motionary.cli.help_pages import Commands

COMMANDS = {  # and the module of each
    "import": "library",
    "sample": "library",
    "ls": "library",
    "info": "library",
    "show": "library",
    "export": "library",
    "search": "search_command",
    "motifs": "recurring",
    "surprises": "recurring",
    "blend": "blends",
    "register": "blends",
    "loop": "blends",
    "map": "bodies",
    "clean": "feet",
    "body": "weight",
    "score": "weight",
    "rename": "changing",
    "rm": "changing",
    "log": "changing",
    "undo": "changing",
    "check": "maintenance",
    "compact": "maintenance",
    "purge": "maintenance",
    "studio": "studio",
}
GROUPS = {  # of commands, and where each is
    "label": "labelling:app",
    "edit": "editing:app",
    "plants": "feet:plants",
    "selection": "selecting:app",
    "profile": "profiles:app",
    "space": "spaces:app",
    "web": "webs:app",
    "graph": "graphs:app",
    "transition": "transitions:app",
    "artefacts": "derived:app",
    "parametric": "parametrics:parametric",
}


def make_app(words: Sequence[str] = ()) -> typer.Typer:
    """The command line; if `words` begin with a command or group, that one alone, which starts faster."""
    app = typer.Typer(
        name="motionary",
        cls=Commands,
        help=version.__doc__,
        no_args_is_help=True,
        epilog="`motionary help COMMAND` shows the help of a command.",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(version)
    known = [*COMMANDS, *GROUPS]
    for name in words[:1] if words and words[0] in known else known:
        if name in COMMANDS:
            _add_command(app, name)
        else:
            module, attribute = GROUPS[name].split(":")
            app.add_typer(getattr(import_module(f"motionary.cli.{module}"), attribute), name=name)
    return app


def version(
    context: typer.Context,
    show: bool = typer.Option(False, "--version", help="Show the version and exit.", is_eager=True),
) -> None:
    """Store motion capture in one file, then search, draw, label, clean up, edit, blend, connect and export it."""
    del context
    if show:
        from importlib.metadata import version

        typer.echo(f"motionary {version('motionary')}")
        raise typer.Exit


def _add_command(app: typer.Typer, name: str) -> None:
    module = import_module(f"motionary.cli.{COMMANDS[name]}")
    if name == "search":
        options = {"cls": module.SearchCommand, "epilog": module.epilog_for("exact")}
        app.command(name=name, **options)(module.search_for("exact"))
    else:
        function = getattr(module, name, None) or getattr(module, f"{name}_")  # import, map: not for Python
        app.command(name=name)(function)
