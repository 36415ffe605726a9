from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import pytest

from motionary.bank import Bank
from motionary.connection import Connector, open_connector
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


def test_clips_are_not_played_across_a_jump_of_the_root(tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        sample_into(bank, minutes=0.4)
        whole = bank.clips()[0]
        motion = bank.motion(whole.id)
        moved = np.where(np.arange(motion.n_frames)[:, None] < 200, 0.0, (3.0, 0.0, 0.0))
        odd = replace(motion, root_positions=motion.root_positions + moved)
        bank.add("odd", recording_of(odd), notes=[one.text for one in oddities(odd)])
        build_transitions(bank, representatives=4)
        opened = open_connector(bank)

        made = opened.connect(f"{whole.name}:180", f"{whole.name}:220", 2.0, by="graph")
        before = opened.connect("odd:120", "odd:160", 2.0, by="graph")

        assert made.by == before.by == "clip"
        with pytest.raises(UsageError, match="nothing leads from odd:180 to odd:220 within 2 s"):
            opened.connect("odd:180", "odd:220", 2.0, by="graph")
