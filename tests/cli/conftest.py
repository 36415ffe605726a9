"""The command line on a temporary bank, in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from motionary.cli.app import app


@pytest.fixture
def run(captures: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a command in a folder with `a.bank`, made of `captures`, and a table of labels with two wrong rows."""
    monkeypatch.chdir(captures)
    (captures / "wrong.csv").write_text("clip,start,stop,label\nsway_01,50,70,late\nsway_01,5,7,good\nnobody,,,x\n")

    def run(*words: str) -> Any:
        return CliRunner().invoke(app, list(words))

    run("import", "a.bank", "captures", "--labels", "labels.csv")
    run("plants", "add", "a.bank", "sway_02", "--foot", "right")
    return run
