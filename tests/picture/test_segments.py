"""Segments and matches of a bank as pictures."""

from dataclasses import replace

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.motion import mirror, poses_at, recording_of
from motionary.picture import show_matches, show_segments
from motionary.rig import mirror_partners
from motionary.search import search_bank


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """A clip, its mirror image, and one that is slower."""
    source = wild_body(1, n_frames=40)
    with Bank.open(tmp_path_factory.mktemp("pictures") / "a.bank", create=True) as bank:
        bank.add("source", recording_of(source))
        bank.add("mirror", recording_of(mirror(source, mirror_partners(source.skeleton))))
        bank.add("slow", recording_of(replace(poses_at(source, np.linspace(0, 39, 44)))))
        yield bank


def test_segments_below_each_other(bank, tmp_path):
    show_segments(bank, ["source:0-20", "slow"], tmp_path / "strip.svg")

    text = (tmp_path / "strip.svg").read_text(encoding="utf-8")
    assert "source:0-20" in text
    assert "slow" in text


def test_a_query_and_its_matches(bank, tmp_path):
    result = search_bank(bank, "source:5-35", mirrored="both", scale=0.15, k=3, descriptions=("positions",))

    remarks = show_matches(bank, result, tmp_path / "strip.svg", n_matches=2)

    text = (tmp_path / "strip.svg").read_text(encoding="utf-8")
    titles = text[text.index("<title>") : text.index("</title>")]
    assert remarks == ()
    assert "source:5-35, 1: mirror:5-35 (mirrored), 0.0 cm, 2: slow:" in titles


@pytest.mark.parametrize("shown", [["source:0@0", "slow:30@1"], wild_body(2)], ids=["key poses", "a motion"])
def test_queries_from_elsewhere_are_drawn_too(bank, shown, tmp_path):
    for ending in ("svg", "gif"):
        result = search_bank(bank, shown, sources={"left arm": "source"}, distance="lcss", tolerance=60.0, k=1)
        show_matches(bank, result, tmp_path / f"strip.{ending}", width=900)

    text = (tmp_path / "strip.svg").read_text(encoding="utf-8")
    assert "left arm of" in text
    assert "in common" in text
    assert (tmp_path / "strip.gif").stat().st_size > 0
