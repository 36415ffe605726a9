import re

import pytest

from conftest import swaying_body
from motionary.bank import Bank, SpreadLabel
from motionary.errors import UsageError
from motionary.motion import Segment, recording_of
from motionary.picture import show_spread


@pytest.fixture
def bank(tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("sway", recording_of(swaying_body(0)))
        yield bank


def spread(name, start, strength, example="#1:0-9"):
    return SpreadLabel(Segment(1, start, start + 9), name, strength, example, "sway")


def test_examples_stand_above_their_labels_the_strongest_first(bank, tmp_path):
    path = tmp_path / "a.svg"

    remarks = show_spread(bank, [spread("calm", 9, 0.6), spread("calm", 20, 0.9), spread("wild", 30, 0.7, "")], path)

    text = path.read_text()
    places = [text.index(words) for words in ("calm, an example", "calm 0.90", "calm 0.60", "wild 0.70")]
    assert places == sorted(places)
    assert remarks[-1] == f"{path}: 4 rows for 3 spread labels"


def test_all_examples_of_a_name_are_drawn(bank, tmp_path):
    path = tmp_path / "a.svg"
    labels = [spread("calm", 9 + n, 0.9 - n / 100, f"#1:{n % 3}-9") for n in range(12)]

    show_spread(bank, labels, path)
    few = show_spread(bank, labels, tmp_path / "b.svg", n_rows=4)

    assert len(titles(path, "calm, an example")) == 3
    assert len(titles(path, "calm 0.")) == 5
    assert few[-1] == f"{tmp_path / 'b.svg'}: 4 rows for 12 spread labels"
    assert len(titles(tmp_path / "b.svg", "calm, an example")) == 2


def test_examples_whose_clips_are_gone_are_left_out(bank, tmp_path):
    show_spread(bank, [spread("calm", 9, 0.9, "#7:0-9"), spread("calm", 20, 0.8)], tmp_path / "a.svg")

    assert titles(tmp_path / "a.svg", "calm, an example") == {"calm, an example: sway:0-9"}


def titles(path, start):
    return set(re.findall(rf"{re.escape(start)}[^<,]*:\d+-\d+", path.read_text()))


def test_more_names_than_rows_are_told(bank, tmp_path):
    many = [spread(f"name {n}", n, 0.5) for n in range(5)]

    assert "not all names" in show_spread(bank, many, tmp_path / "a.svg", n_rows=3)[-1]


def test_nothing_cannot_be_drawn(bank, tmp_path):
    with pytest.raises(UsageError, match="no spread labels to draw"):
        show_spread(bank, [], tmp_path / "a.svg")
