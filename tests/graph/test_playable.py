from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import motionary
from motionary.errors import NotInBankError
from motionary.graph.generation import frame_named
from motionary.graph.matching_database import matching_database
from motionary.graph.playable import not_played, playable_intervals
from motionary.motion import oddities, recording_of

JUMP, ZEROS = 200, 10


@pytest.fixture
def odd_bank(sampled):
    """A bank with a clip that begins with missing capture and whose root jumps later, and as it was."""
    with motionary.Bank.open(sampled()) as bank:
        motion = bank.motion(bank.clips()[0].id)
        root, turns = np.array(motion.root_positions), np.array(motion.rotations)
        root[JUMP:] += (3.0, 0.0, 0.0)
        root[:ZEROS], turns[:ZEROS] = 0.0, (1.0, 0.0, 0.0, 0.0)
        odd = replace(motion, root_positions=root, rotations=turns)
        notes = tuple(one.text for one in oddities(odd))
        bank.add("odd", recording_of(odd), notes=notes)
        yield bank


def built_of(bank):
    return motionary.build_graph(bank, threshold="6cm")


def number_of(bank, built, name):
    return list(built.graph.clip_ids).index(bank.clip(name).id)


def test_walks_never_play_missing_capture_or_a_jump(odd_bank):
    built = built_of(odd_bank)
    graph, number = built.graph, number_of(odd_bank, built, "odd")
    start = int(graph.ways.starts[number])

    intervals = playable_intervals(graph, number)
    walks = [motionary.graph_walk(odd_bank, built, secs=20.0, seed=seed, clean=False) for seed in range(4)]

    assert intervals[0] == [ZEROS // 2, JUMP // 2 - 1]  # the clip has twice the graph's frames
    assert intervals[1][0] == JUMP // 2 + 1
    assert ((graph.departs >= start) & (graph.departs < graph.ways.starts[number + 1])).any()
    for walk in walks:
        assert np.linalg.norm(np.diff(walk.motion.root_positions, axis=0), axis=1).max() < 0.5


def test_a_frame_that_is_not_played_is_told_with_the_reason(odd_bank):
    built = built_of(odd_bank)

    with pytest.raises(
        NotInBankError, match=r"'odd:200' is not played by the graph .the root jumps by .* plays is odd:202"
    ):
        frame_named(odd_bank, built, "odd:200")
    assert frame_named(odd_bank, built, "odd:300") == built.graph.ways.starts[number_of(odd_bank, built, "odd")] + 150


@pytest.mark.parametrize(
    ("step", "zeros", "jump"),
    [
        (Fraction(1), (0, 10), (199, 201)),
        (Fraction(4), (0, 3), (49, 51)),  # the jump lies between two of the graph's frames, both are left out
        (Fraction(4, 5), (0, 13), (248, 251)),
    ],
)
def test_frames_are_left_out_at_every_rate(odd_bank, step, zeros, jump):
    found = not_played(odd_bank, odd_bank.clip("odd").id, step)

    assert [(one.start, one.stop) for one in found] == [zeros, jump]


def test_clips_are_exported_without_what_is_not_played(odd_bank):
    built = built_of(odd_bank)

    database, clips = matching_database(odd_bank, built)

    assert clips.count("odd") == 2
    parts = [n for n, name in enumerate(clips) if name == "odd"]
    lengths = (database.stops - database.starts)[parts]
    assert lengths[0] == JUMP - 2 - ZEROS - 1  # at 60 Hz, from the first to the last frame at 30 Hz
    for start, stop in zip(database.starts, database.stops, strict=True):
        assert np.linalg.norm(np.diff(database.positions[start:stop, 0], axis=0), axis=1).max(initial=0.0) < 0.3


def test_what_is_left_out_is_known_from_the_last_build(odd_bank, monkeypatch):
    built = built_of(odd_bank)

    def never(*_):
        raise AssertionError("what a build has found is not looked for again")

    monkeypatch.setattr("motionary.graph.playable.not_played", never)
    opened = motionary.open_graph(odd_bank)

    assert (opened.graph.allowed == built.graph.allowed).all()
    assert opened.left_out == built.left_out


def test_where_nothing_is_played_later_the_last_frame_that_is_played_is_named(odd_bank):
    motion = odd_bank.motion(odd_bank.clips()[0].id)
    for name, first in (("ended", 400), ("never", 0)):
        root, turns = np.array(motion.root_positions), np.array(motion.rotations)
        root[first:], turns[first:] = 0.0, (1.0, 0.0, 0.0, 0.0)
        odd = replace(motion, root_positions=root, rotations=turns)
        odd_bank.add(name, recording_of(odd), notes=("what was not captured is all zero",))
    built = built_of(odd_bank)

    with pytest.raises(NotInBankError, match=r"'ended:500' is not .*; the last frame that it plays is ended:398"):
        frame_named(odd_bank, built, "ended:500")
    frame_named(odd_bank, built, "ended:398")
    with pytest.raises(NotInBankError, match=r"'never:500' is not .*; it plays nothing of this clip"):
        frame_named(odd_bank, built, "never:500")
