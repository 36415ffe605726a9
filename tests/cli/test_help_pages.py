"""Help pages: every command ends with an example that it accepts, and flags show no type."""

import shlex

import pytest
import typer.main

from command_line import invoke
from motionary.cli.app import app
from motionary.cli.help_pages import EXAMPLES

TOP = typer.main.get_command(app)


def commands(group=TOP, path=""):
    for name, command in group.commands.items():
        called = f"{path} {name}".strip()
        if hasattr(command, "commands"):
            yield from commands(command, called)
        else:
            yield called, command


def test_every_command_has_an_example():
    assert {name for name, _ in commands()} == {name for name in EXAMPLES if " --by" not in name}


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_command_accepts_its_example(name):
    command = dict(commands())[name.partition(" --by")[0]]

    with command.make_context(name, shlex.split(EXAMPLES[name])) as context:
        assert context.params


@pytest.mark.parametrize(
    ("arguments", "shown", "hidden"),
    [
        (
            ["import"],
            ["--truncate", "--rate", "NUMBER", "BANK PATH…", "Example: motionary import library.bank"],
            "bool",
        ),
        (["search", "--by", "web"], ["--json", "CM", "--by web -o", "--help-all` lists all options"], "bool"),
        (["label", "add"], ["LABEL", "BANK SEGMENT…"], "list["),
        ([], ["--install-completion", "--show-completion"], "bool"),
    ],
)
def test_a_page_names_kinds_of_values_in_words(arguments, shown, hidden):
    page = invoke([*arguments, "--help"], terminal_width=200).output

    assert all(text in page for text in shown)
    assert hidden not in page
