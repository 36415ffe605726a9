from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from motionary.bank import Bank
from motionary.connection import Connector, open_connector
from motionary.connection.planning import plans
from motionary.errors import NotInBankError, UsageError
from motionary.graph import GraphSettings, build_graph
from motionary.motion import oddities, recording_of, rotations
from motionary.sample import sample_into
from motionary.transition import Frame, build_transitions


@cache
def connector(*, graph: bool = True) -> Connector:
    bank = Bank.open(Path(mkdtemp()) / "a.bank", create=True)
    sample_into(bank, minutes=0.6)
    build_transitions(bank, representatives=4)
    if graph:
        build_graph(bank, settings=GraphSettings(method="dense"), threshold="6cm")
    return open_connector(bank)


def is_at(opened: Connector, motion_frame: int, made, frame: Frame) -> bool:
    """Whether a frame of a motion has the pose of a frame of the pool."""
    pool = opened.transitions.maker.pool
    first = int(pool.starts[frame.clip]) + frame.frame
    expected = pool.motion(first, first + 1).rotations[0, 1:]
    return bool(rotations.angle_between(made.chain.raw.rotations[motion_frame, 1:], expected).max() < 2e-3)


@pytest.mark.parametrize("by", ["any", "graph", "transition", "mixed"])
def test_a_connection_leads_from_frame_to_frame_in_time(by):
    opened = connector()
    source, target = Frame(0, 200), Frame(0, 170)

    made = opened.connect(source, target, 3.0, by=by)

    assert is_at(opened, made.start, made, source)
    assert is_at(opened, made.stop - 1, made, target)
    assert made.secs == pytest.approx((made.stop - 1 - made.start) / 30.0)
    assert made.secs <= 3.0
    assert made.start == 30
    assert by in ("any", made.by)
    assert made.score == max(one.score.score for one in made.transitions)
    off = np.linalg.norm(made.chain.motion.positions_world - made.chain.raw.positions_world, axis=2).max(axis=1)
    assert off[[0, -1]].max() < 1e-9  # what comes before and after begins and ends as it was
    velocities = np.diff(made.chain.raw.positions_world, axis=0) * 30.0
    jumps = np.linalg.norm(np.diff(velocities, axis=0), axis=-1).max(axis=1)  # m/s
    for (start, stop), one in zip(made.chain.seams, made.transitions, strict=True):
        assert is_at(opened, start, made, one.source)
        assert is_at(opened, stop - 1, made, one.target)
        assert max(jumps[start - 1], jumps[stop - 2]) <= 3.0


def test_the_best_of_all_kinds_is_taken():
    opened = connector()
    for source, target in ((60, 400), (200, 30), (100, 500)):
        made = opened.connect(Frame(0, source), Frame(0, target), 3.0)

        assert made.score == min(one.score for one in made.options)
        assert {one.by for one in made.options} >= {"transition", "mixed"}
        alone = opened.connect(Frame(0, source), Frame(0, target), 3.0, by="transition")
        assert made.score <= alone.score


def test_a_clip_is_played_where_that_is_all():
    made = connector().connect(Frame(0, 60), Frame(0, 90), 2.0)

    assert (made.by, made.score, made.transitions) == ("clip", 0.0, ())
    assert made.stop - 1 - made.start == 30
    pool = connector().transitions.maker.pool
    np.testing.assert_allclose(made.chain.raw.rotations, pool.motion(30, 121).rotations, atol=1e-6)


def test_a_label_is_led_into():
    opened = connector()

    made = opened.connect("ada_001:100", label="idle", within=3.0, by="mixed")

    inside = [s for s in opened.transitions.labelled("idle") if s.clip == made.target.clip]
    assert any(s.start <= made.target.frame < s.stop for s in inside)


def test_without_a_graph_there_are_transitions_and_mixes_of_them():
    opened = connector(graph=False)

    made = opened.connect(Frame(0, 60), Frame(0, 400), 3.5)

    assert opened.graph is None
    assert {one.by for one in made.options} <= {"clip", "transition", "mixed"}
    with pytest.raises(UsageError, match="nothing leads from ada_001:120 to ada_001:800 within 3 s"):
        opened.connect(Frame(0, 60), Frame(0, 400), 3.0, by="graph")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"target": "ada_001:700", "within": 0.3}, "nothing leads from ada_001:100 to ada_001:700 within 0.3 s"),
        ({"target": "ada_001:700", "within": 99.0}, "within 99 s are not possible; allow 0.1 to 30"),
        ({"target": "ada_001:700", "by": "magic"}, "no kind of connection is called 'magic'; there are any, graph"),
        ({}, "leads to a frame or to a label"),
        ({"label": "fly"}, "is labelled 'fly'; there are: "),
    ],
)
def test_what_cannot_be_is_said(words, problem):
    with pytest.raises((UsageError, NotInBankError), match=problem):
        connector().connect("ada_001:100", **words)


@cache
def odd_connector() -> Connector:
    """Of a whole clip, of the same with a jump of 3 m before frame 200, and of the same captured from frame 40 on."""
    bank = Bank.open(Path(mkdtemp()) / "a.bank", create=True)
    sample_into(bank, minutes=0.4)
    motion = bank.motion(bank.clips()[0].id)
    frames = np.arange(motion.n_frames)[:, None]
    jumping = replace(motion, root_positions=motion.root_positions + np.where(frames < 200, 0.0, (3.0, 0.0, 0.0)))
    captured = np.where(frames[:, None] < 40, rotations.IDENTITY, motion.rotations)
    missing = replace(motion, root_positions=np.where(frames < 40, 0.0, motion.root_positions), rotations=captured)
    for name, odd in (("jumping", jumping), ("missing", missing)):
        bank.add(name, recording_of(odd), notes=[one.text for one in oddities(odd)])
    bank.label("missing:0-160", "late")
    bank.label("missing:0-30", "never")
    build_transitions(bank, representatives=4)
    return open_connector(bank)


def largest_step(made) -> float:
    """The farthest that the root of the whole motion goes within a frame, metres."""
    steps = np.diff(made.motion.root_positions[:, [0, 2]], axis=0)
    return float(np.linalg.norm(steps, axis=1).max())


def test_clips_are_not_played_across_a_jump_of_the_root():
    opened = odd_connector()

    made = opened.connect("ada_001:180", "ada_001:220", 2.0, by="graph")
    before = opened.connect("jumping:120", "jumping:160", 2.0, by="graph")

    assert made.by == before.by == "clip"
    with pytest.raises(UsageError, match="nothing leads from jumping:180 to jumping:220 within 2 s"):
        opened.connect("jumping:180", "jumping:220", 2.0, by="graph")


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("jumping:210", "ada_001:600"),  # what comes before it
        ("missing:50", "ada_001:600"),
        ("ada_001:100", "jumping:190"),  # what comes after it
        ("jumping:120", "jumping:190"),
    ],
)
def test_what_comes_before_and_after_is_not_played_across_a_break(source, target):
    made = odd_connector().connect(source, target, 2.0)

    assert largest_step(made) < 0.15
    assert made.start < 30 or made.chain.motion.n_frames - made.stop < 30


@pytest.mark.parametrize("method", ["table", "direct", "inertial", "dead"])
@pytest.mark.parametrize(
    ("source", "target"),
    [("jumping:180", "ada_001:600"), ("ada_001:100", "jumping:230"), ("ada_001:100", "missing:70")],
)
def test_what_is_blended_does_not_cross_a_break(source, target, method):
    made = odd_connector().connect(source, target, 2.0, by="transition", method=method)

    assert largest_step(made) < 0.15


@pytest.mark.parametrize(
    ("source", "target"),
    [("jumping:120", "ada_001:600"), ("ada_001:100", "jumping:240"), ("missing:50", "jumping:150")],
)
def test_where_a_clip_is_left_or_entered_the_whole_window_can_be_played(source, target):
    opened = odd_connector()
    blender, edges = opened.transitions.maker.blender, opened.edges
    starts = blender.pool.starts
    frames = (opened.transitions.frame(text) for text in (source, target))
    start, goal = (int(starts[frame.clip]) + frame.frame for frame in frames)

    found = list(plans(blender, edges, start, [goal], 75, ("mixed",)))

    assert found
    for step in (step for plan in found for step in plan.steps):
        if step.source != start:
            assert step.source + blender.n_frames < edges.clip_stop(step.source)
        if step.target != goal:
            assert step.target - blender.n_frames >= edges.clip_start(step.target)


@pytest.mark.parametrize(
    ("frame", "problem"),
    [
        ("jumping:199", "'jumping:199' is not played .the root jumps by 302 cm .*; the next .* is jumping:202"),
        ("jumping:200", "'jumping:200' is not played .the root jumps by 302 cm .*; the next .* is jumping:202"),
        ("missing:0", "'missing:0' is not played .frames 0 to 39 are all zero .*; the next .* is missing:40"),
        ("missing:0.5s", "'missing:0.5s' is not played .*; the next frame that is played is missing:40"),
    ],
)
def test_frames_that_are_not_played_are_refused(frame, problem):
    opened = odd_connector()

    for ends in ((frame, "ada_001:100"), ("ada_001:100", frame)):
        with pytest.raises(NotInBankError, match=problem):
            opened.connect(*ends, 2.0)
    opened.connect("ada_001:100", problem.rpartition(" ")[2], 2.0)


def test_frames_that_are_not_played_are_pieces_of_their_own():
    opened = odd_connector()
    pool = opened.transitions.maker.pool

    for name, frames in (("jumping", (99, 100)), ("missing", range(20))):
        for frame in frames:
            first = int(pool.starts[pool.names.index(name)]) + frame
            assert (opened.edges.clip_start(first), opened.edges.clip_stop(first)) == (first, first + 1)


def test_a_label_is_entered_only_where_it_is_played():
    opened = odd_connector()

    made = opened.connect("ada_001:100", label="late", within=2.0)

    assert made.target.frame >= 20
    with pytest.raises(NotInBankError, match=r"labelled 'never' can be entered: it is not played .frames 0 to 39"):
        opened.connect("ada_001:100", label="never", within=2.0)


def test_what_a_graph_has_found_in_clips_is_not_looked_for_again(monkeypatch):
    opened = odd_connector()
    bank = opened.transitions.bank
    built = build_graph(bank, settings=GraphSettings(method="dense"), threshold="6cm")

    def never(*_):
        raise AssertionError("clips are analysed again")

    monkeypatch.setattr("motionary.connection.connecting.not_played", never)
    again = Connector.of(opened.transitions, graph=built.name)

    assert again.left_out == opened.left_out
    assert again.connect("jumping:210", "ada_001:600", 2.0).secs <= 2.0
