"""What a notebook or a console shows of results is a line, not their arrays."""

import pytest

import motionary
from motionary.bank import Bank
from motionary.library import build_features
from motionary.sample import sample_into


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    with Bank.open(tmp_path_factory.mktemp("made") / "made.bank", create=True) as bank:
        sample_into(bank, minutes=0.3)
        yield bank


def test_results_are_short(bank):
    index = motionary.build_index(bank)
    features = build_features(bank)
    clip = bank.clip("#1")
    plants = motionary.detect_plants(bank.motion("#1"))
    [cleaned] = motionary.clean_segments(bank, ["#1:0-60"])
    weighed = motionary.weigh(bank, "#1")
    space = motionary.train_pose_space(bank, "arms", preset="arms")
    spreading = motionary.spread_labels(bank, labels="idle")

    assert repr(features).startswith(f"LibraryFeatures(1 clip, {features.n_frames.sum()} frames at 30 Hz, positions, ")
    assert repr(index) == f"Index({features!r})"
    assert repr(plants) == f"FootPlants({len(plants.plants)} plants, {clip.n_frames} frames)"
    assert repr(cleaned).startswith(f"CleanedSegment({clip.name}:0-60, ")
    assert repr(weighed) == f"Weighed({clip.name}, {weighed.masses.body_mass:.1f} kg, {clip.n_frames} frames)"
    assert repr(space.space).startswith("PoseSpace(")
    assert repr(spreading).startswith("Spreading(idle; ")
    assert all(len(repr(one)) < 200 for one in (features, index, plants, cleaned, weighed, space.space, spreading))


def test_one_match_is_no_plural(bank):
    assert repr(motionary.search_bank(bank, "#1:0-60", k=1)).startswith("SearchResult(1 match, nearest ")
