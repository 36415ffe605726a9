"""Every command that changes a bank says with --dry-run what it would say without, and changes nothing."""

import os

import pytest
import typer.main

from bank.small_banks import all_rows
from motionary.bank import Bank
from motionary.cli.app import app

COMMANDS = {
    "rename": ["rename", "a.bank", "sway_01", "calm one"],
    "rm": ["rm", "a.bank", "sway_01", "#1"],
    "undo": ["undo", "a.bank"],
    "map": ["map", "a.bank", "sway_01", "--use", "map.json"],
    "label add": ["label", "add", "a.bank", "sway_01:3-9", "#1", "-l", "good", "-l", "more"],
    "label rm": ["label", "rm", "a.bank", "sway_01"],
    "label import": ["label", "import", "a.bank", "wrong.csv"],
    "plants add": ["plants", "add", "a.bank", "sway_01:3-30", "--foot", "left"],
    "plants rm": ["plants", "rm", "a.bank", "sway_02:3-30"],
    "selection drop": ["selection", "drop", "a.bank", "sways", "1"],
    "selection keep": ["selection", "keep", "a.bank", "sways", "1"],
    "selection join": ["selection", "join", "a.bank", "sways", "others"],
    "selection rename": ["selection", "rename", "a.bank", "sways", "bends"],
    "selection rm": ["selection", "rm", "a.bank", "sways"],
    "sample": ["sample", "new.bank", "--minutes", "0.1"],
    "import": ["import", "a.bank", "captures", "--label-folders", "--keep-copies"],
}


def rows() -> dict:
    with Bank.open("a.bank") as bank:
        return all_rows(bank)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_dry_run_says_the_same_and_changes_nothing(run, name):
    before = rows()

    said = run(*COMMANDS[name], "--dry-run")

    assert said.exit_code == 0
    assert rows() == before
    assert not os.path.exists("new.bank")
    done = run(*COMMANDS[name])
    assert said.stdout.replace("would be added", "added") == done.stdout
    assert name == "import" or said.stderr == "dry run: nothing was changed\n" + done.stderr
    assert name == "sample" or rows() != before


def test_a_dry_run_of_compact_counts(run):
    size = os.path.getsize("a.bank")
    said = run("compact", "a.bank", "--dry-run")

    assert os.path.getsize("a.bank") == size
    assert " MB before, at most " in said.stdout


def test_every_command_that_changes_has_a_dry_run():
    reading = {
        "ls",
        "info",
        "show",
        "search",
        "body",
        "score",
        "log",
        "check",
        "label ls",
        "label find",
        "plants ls",
    }
    reading |= {
        "selection ls",
        "selection show",
        "profile ls",
        "profile show",
        "space ls",
        "space show",
        "web info",
    } | {"label review"}
    reading |= {"register", "edit preview", "edit ls", "edit show", "edit recipes", "edit operations", "edit qualities"}
    reading |= {"edit learn"}  # writes a file
    reading |= {"graph info", "graph show", "graph export", "transition table info", "artefacts ls"}
    reading |= {"parametric ls", "parametric show", "parametric export"}
    reading |= {"web build", "graph build", "transition table build"}  # write beside the bank what can be deleted
    # These change the bank only with --keep NAME, or by the verdicts that a person is asked for
    reading |= {"graph walk", "graph path", "graph follow", "transition make", "transition chain", "transition judge"}
    reading |= {"transition connect", "studio"}
    for words, command in commands_of(typer.main.get_command(app)):
        assert words in reading or any("--dry-run" in option.opts for option in command.params), words


def commands_of(command, words=""):
    """All commands with their words, those of groups in groups, too."""
    for name, child in command.commands.items():
        if hasattr(child, "commands"):
            yield from commands_of(child, f"{words}{name} ")
        else:
            yield f"{words}{name}", child
