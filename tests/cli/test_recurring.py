"""`motionary motifs` and `surprises`, as tables, and what is said beside them."""

import json

import pytest

from command_line import invoke
from motionary.bank import Bank
from motionary.cli import recurring
from motionary.rounding import rounded_up
from motionary.sample import sample_into


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=0.5)
    return path


def run(*words: str):
    done = invoke(list(words), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


@pytest.mark.parametrize(
    ("command", "more", "column", "key"),
    [("motifs", (), 3, "nearest"), ("surprises", ("--same-clip",), 6, "mean")],
)
def test_distances_are_rounded_up_so_that_they_can_be_thresholds(made, command, more, column, key):
    asked = (command, str(made), "-k", "3", "--length", "1", *more)
    found = [json.loads(line) for line in run(*asked, "--json").stdout.splitlines()]

    table = [line.split() for line in run(*asked).stdout.splitlines()[1:]]

    assert found
    assert [row[column] for row in table] == [rounded_up(one[key], 1) for one in found]


@pytest.mark.parametrize("command", ["motifs", "surprises"])
def test_who_sees_no_bar_is_told_that_it_takes_a_while(made, command, monkeypatch):
    asked = (command, str(made), "-k", "1", "--length", "1")
    assert "may take minutes" not in run(*asked).stderr
    monkeypatch.setattr(recurring, "LONG_SECS", 1.0)

    assert "of motion may take minutes" in run(*asked).stderr.splitlines()[0]
