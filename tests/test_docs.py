"""The documentation is true: its commands and Python blocks run, and no command is left out."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

import motionary
from command_line import invoke
from motionary.cli.app import app
from motionary.cli.commands import make_app

ROOT = Path(__file__).parents[1]
PAGES = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"])
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands() -> Iterator[tuple[str, ...]]:
    """Every command of the command line, groups opened."""
    top = typer.main.get_command(app)
    for name, command in top.commands.items():
        children = getattr(command, "commands", None)
        yield from [(name, child) for child in children] if children else [(name,)]


@pytest.mark.parametrize("page", [page for page in PAGES if BLOCK.search(page.read_text())], ids=lambda page: page.name)
def test_every_command_and_block_of_a_page_runs(page, captures, monkeypatch, capsys):
    monkeypatch.chdir(captures)
    for kind, text in BLOCK.findall(page.read_text()):
        if kind == "python":
            exec(compile(text, page.name, "exec"), {"__name__": "__main__"})
            continue
        for line in text.splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True) if line.startswith("$ motionary ") else []
            if words:
                assert not make_app(words[1:])(words[1:], standalone_mode=False), line  # an exit status, if any
                assert capsys.readouterr().out or words[1] != "search", f"{line} finds nothing"


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_every_command_is_documented(command):
    text = "\n".join(page.read_text() for page in PAGES)

    assert f"motionary {' '.join(command)} " in text


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"


@pytest.mark.parametrize("name", motionary.__all__)
def test_every_public_name_is_on_the_python_page(name):
    assert re.search(rf"`(Bank\.)?{name}\b", (ROOT / "docs" / "python.md").read_text())


def json_fields() -> dict[str, set[str]]:
    """The fields that the reference lists for each command with --json."""
    fields = {}
    for line in (ROOT / "docs" / "reference.md").read_text().partition("## JSON")[2].splitlines():
        cells = line.split(" | ")
        for command in re.findall("`([^`]+)`", cells[0]):
            fields[command] = set(re.findall("`([a-z_]+)`", cells[-1]))
    return fields


def with_json() -> Iterator[tuple[str, ...]]:
    top = typer.main.get_command(app)
    for words in commands():
        command = top
        for word in words:
            command = command.commands[word]
        if any("--json" in option.opts for option in command.params):
            yield words


@pytest.mark.parametrize("command", list(with_json()), ids=" ".join)
def test_every_command_with_json_has_its_fields_in_the_reference(command):
    assert " ".join(command) in json_fields()


def test_the_fields_are_those_that_come_out(captures, monkeypatch):
    monkeypatch.chdir(captures)
    commands = """import|import a.bank captures --labels labels.csv
        ls|ls a.bank
        sample|sample b.bank --minutes 0.1
        info|info a.bank
        info CLIP|info a.bank sway_01
        export|export a.bank sway_01 -o take.bvh
        label ls|label ls a.bank
        label ls CLIP|label ls a.bank sway_01
        label find|label find a.bank calm
        plants detect|plants detect a.bank
        plants ls|plants ls a.bank sway_01
        clean|clean a.bank sway_01
        body|body a.bank sway_01
        score|score a.bank sway_01
        search|search a.bank sway_01:0-30 --keep found
        motifs|motifs a.bank --length 0.3 --radius 500
        surprises|surprises a.bank --length 0.3
        selection ls|selection ls a.bank
        selection show|selection show a.bank found
        artefacts ls|artefacts ls a.bank
        log|log a.bank
        rm|rm a.bank sway_01"""
    for row, words in (line.strip().split("|") for line in commands.splitlines()):
        first = invoke([*words.split(), "--json"]).stdout.splitlines()[0]
        assert json.loads(first).keys() <= json_fields()[row], row
