"""`motionary`: all commands, and how their errors are shown."""

import sys

import typer

from motionary.cli import (
    blends,
    bodies,
    changing,
    derived,
    editing,
    feet,
    graphs,
    labelling,
    library,
    maintenance,
    profiles,
    recurring,
    search_command,
    selecting,
    spaces,
    spreading,
    transitions,
    webs,
    weight,
)
from motionary.cli.help_pages import Commands
from motionary.cli.output import ReaderGone, leave_reader, say, watch_reader
from motionary.errors import UserError

app = typer.Typer(
    name="motionary",
    cls=Commands,
    help="Store motion capture in one file, then search, draw, label, clean up, edit, blend, connect and export it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
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


for command in (
    library.import_,
    library.sample,
    library.ls,
    library.info,
    library.show,
    library.export,
    search_command.search_for("exact"),
    recurring.motifs,
    recurring.surprises,
    blends.blend,
    blends.register,
    blends.loop,
    bodies.map_,
    feet.clean,
    weight.body,
    weight.score,
    changing.rename,
    changing.rm,
    changing.log,
    changing.undo,
    maintenance.check,
    maintenance.compact,
    maintenance.purge,
):
    is_search = command.__name__ == "search"
    app.command(
        name=command.__name__.rstrip("_"),
        cls=search_command.SearchCommand if is_search else None,
        epilog=search_command.epilog_for("exact") if is_search else None,
    )(command)
for of_labels in (spreading.spread, spreading.review, spreading.accept, spreading.reject):
    labelling.app.command(name=of_labels.__name__)(of_labels)
app.add_typer(labelling.app, name="label")
app.add_typer(editing.app, name="edit")
app.add_typer(feet.plants, name="plants")
app.add_typer(selecting.app, name="selection")
app.add_typer(profiles.app, name="profile")
app.add_typer(spaces.app, name="space")
app.add_typer(webs.app, name="web")
app.add_typer(graphs.app, name="graph")
app.add_typer(transitions.app, name="transition")
app.add_typer(derived.app, name="artefacts")
app.add_typer(blends.parametric, name="parametric")


def run() -> None:
    """Run the command line; what a user can mend is printed without a traceback, exit status 1."""
    watch_reader()
    try:
        try:
            app()
        except SystemExit:
            sys.stdout.flush()  # here, where a reader that has gone is no failure
            raise
    except UserError as error:
        say(f"motionary: {error}")
        sys.exit(1)
    except ReaderGone:
        leave_reader()
        sys.exit(0)
