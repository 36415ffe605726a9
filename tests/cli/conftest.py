"""The command line on a temporary bank, in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import invoke
from motionary.alignment import Alignment, Match
from motionary.bank import Bank
from motionary.motion import Segment


@pytest.fixture
def run(captures: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a command in a folder with `a.bank`, made of `captures`, and a table of labels with two wrong rows.

    The bank holds two selections that one query found.
    """
    monkeypatch.chdir(captures)
    (captures / "wrong.csv").write_text("clip,start,stop,label\nsway_01,50,70,late\nsway_01,5,7,good\nnobody,,,x\n")

    def run(*words: str) -> Any:
        return invoke(list(words))

    run("import", "a.bank", "captures", "--labels", "labels.csv")
    run("plants", "add", "a.bank", "sway_02", "--foot", "right")
    places = [Segment(2, 0, 20), Segment(3, 0, 20), Segment(1, 30, 50)]
    matches = [Match(place, 0.5, 1.0, "cm", "dtw", Alignment(np.zeros((1, 2))), 20, 30.0) for place in places]
    with Bank.open("a.bank") as bank:
        bank.keep_selection("sways", matches[:2], query=Segment(1, 0, 20))
        bank.keep_selection("others", matches[1:], query=Segment(1, 0, 20))
    return run
