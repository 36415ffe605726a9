"""The documentation is true: its commands and Python blocks run, and no command is left out."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer.main

from motionary.cli.app import app

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
def test_every_command_and_block_of_a_page_runs(page, captures, monkeypatch):
    monkeypatch.chdir(captures)
    for kind, text in BLOCK.findall(page.read_text()):
        if kind == "python":
            exec(compile(text, page.name, "exec"), {"__name__": "__main__"})
            continue
        for line in text.splitlines():
            words = shlex.split(line.removeprefix("$ "), comments=True) if line.startswith("$ motionary ") else []
            if words:
                assert not app(words[1:], standalone_mode=False), line  # an exit status, if any


@pytest.mark.parametrize("command", list(commands()), ids=" ".join)
def test_every_command_is_documented(command):
    text = "\n".join(page.read_text() for page in PAGES)

    assert f"motionary {' '.join(command)} " in text


def test_links_between_pages_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} points to {target}"
