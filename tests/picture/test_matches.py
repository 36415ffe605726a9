"""What a search found, as pictures."""

import re
from dataclasses import replace

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.motion import mirror, poses_at, recording_of
from motionary.picture import show_matches, show_selection
from motionary.picture.figure import PALETTE
from motionary.rig import mirror_partners
from motionary.search import find_segments, keep_matches, search_bank


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """A clip, its mirror image, and one that is slower."""
    source = wild_body(1, n_frames=40)
    with Bank.open(tmp_path_factory.mktemp("pictures") / "a.bank", create=True) as bank:
        bank.add("source", recording_of(source))
        bank.add("mirror", recording_of(mirror(source, mirror_partners(source.skeleton))))
        bank.add("slow", recording_of(replace(poses_at(source, np.linspace(0, 39, 44)))))
        yield bank


def titles(text: str) -> str:
    return text[text.index("<title>") + 7 : text.index("</title>")]


def test_a_query_and_its_matches(bank, tmp_path):
    result = search_bank(bank, "source:5-35", mirrored="both", scale=0.15, k=3, descriptions=("positions",))

    remarks = show_matches(bank, result, tmp_path / "strip.svg", n_matches=2)

    text = (tmp_path / "strip.svg").read_text(encoding="utf-8")
    assert remarks == ()
    assert titles(text).startswith("query: source:5-35, 1: mirror:5-35 (mirrored), 2: slow:")
    assert ">0.0 cm<" in text
    assert "chosen joints" not in text


def test_segments_found_by_properties_say_them(bank, tmp_path):
    found = find_segments(bank, ("energy > 0", "duration > 0.5"), length_secs=1.0)

    show_matches(bank, found, tmp_path / "strip.svg", n_matches=2)

    text = (tmp_path / "strip.svg").read_text(encoding="utf-8")
    assert titles(text) == ", ".join(f"{rank}: {match.place}" for rank, match in enumerate(found[:2], start=1))
    assert f">energy {found[0].properties['energy']:.2f} m/s" in text
    nothing = find_segments(bank, "turn > 99999")
    with pytest.raises(UsageError, match="no segment was found, so there is nothing to draw"):
        show_matches(bank, nothing, tmp_path / "strip.svg")


def test_some_matches_keep_their_ranks(bank, tmp_path):
    result = search_bank(bank, "source:5-25", k=3)

    show_matches(bank, result, tmp_path / "strip.svg", ranks=[3, 2])

    text = (tmp_path / "strip.svg").read_text(encoding="utf-8")
    assert re.findall("([0-9]): ", titles(text)) == ["3", "2"]
    with pytest.raises(UsageError, match="no match 4; the search found 3"):
        show_matches(bank, result, tmp_path / "strip.svg", ranks=[4])


def test_chosen_joints_stand_out(bank, tmp_path):
    result = search_bank(bank, "source:5-25", k=1, joints=("left arm",))
    keep_matches(bank, "armed", result, overwrite=True)

    show_matches(bank, result, tmp_path / "found.svg")
    show_selection(bank, "armed", tmp_path / "kept.svg")

    for name in ("found.svg", "kept.svg"):
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "chosen joints" in text
        assert text.count(PALETTE.highlight) > 4


@pytest.mark.parametrize("shown", [["source:0@0", "slow:30@1"], wild_body(2)], ids=["key poses", "a motion"])
def test_queries_from_elsewhere_are_drawn_too(bank, shown, tmp_path):
    for ending in ("svg", "gif"):
        result = search_bank(bank, shown, sources={"left arm": "source"}, distance="lcss", tolerance=60.0, k=1)
        show_matches(bank, result, tmp_path / f"strip.{ending}")

    text = (tmp_path / "strip.svg").read_text(encoding="utf-8")
    assert "left arm of" in text
    assert "in common" in text
    assert (tmp_path / "strip.gif").stat().st_size > 0
