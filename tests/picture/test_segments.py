"""Segments of a bank as pictures."""

from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from features.moving_bodies import wild_body
from motionary.bank import Bank
from motionary.motion import mirror, poses_at, recording_of
from motionary.picture import show_segments
from motionary.rig import mirror_partners


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


def test_many_segments_make_a_contact_sheet_if_wanted(bank, tmp_path):
    places = [f"source:{first}-{first + 5}" for first in range(8)]
    heights = []
    for contact_sheet in (False, True):
        show_segments(bank, places, tmp_path / "strip.png", width=800, contact_sheet=contact_sheet)
        with Image.open(tmp_path / "strip.png") as image:
            heights.append(image.height)

    assert heights[1] < 0.7 * heights[0]
