"""Which groups go on where a motif ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.recurring import WindowOptions, Windows, find_groups
from motionary.search.recurring.continuing import Told, continuing_reference
from search.recurring.made_libraries import KNOWN
from search.tiny_libraries import library

LENGTHS = (300, 200, 40)
N = 20  # frames of a window


def some_windows() -> Windows:
    rng = np.random.default_rng(5)
    clips = [{"positions": rng.normal(size=(n, KNOWN["positions"].n_dimensions))} for n in LENGTHS]
    return Windows.of(library(clips), WindowOptions(descriptions=("positions",), length=N / 30.0, hop=1 / N))


@pytest.mark.parametrize(
    ("rows", "continuing"),
    [
        ([70, 350], [70, 350]),  # both right behind
        ([30, 310], [30, 310]),  # both right before
        ([30, 350], []),  # one before, one behind
        ([70, 352, 220], [70, 352]),  # most of them are enough
        ([70, 120, 352, 220], []),  # half of them are not
        ([70, 354], [70, 354]),  # shifted by 20 and 24: 22 ± 2
        ([70, 355], []),  # by 20 and 25
        ([82, 362], [82, 362]),  # 30 ± 2
        ([83, 363], []),
        ([240, 301], []),  # elsewhere
    ],
)
def test_what_is_shifted_by_little_more_than_a_window_continues_a_motif(rows, continuing):
    told = Told(some_windows())
    assert told.add([50, 330]) == []

    assert told.add(rows) == continuing
    assert told.add([row + N for row in (continuing or rows)]) != []  # whatever continues one of both


def test_what_follows_few_of_a_motif_is_another():
    told = Told(some_windows())
    assert told.add([10, 60, 110, 160, 310]) == []

    assert told.add([30, 80]) == []
    assert told.add([130, 180, 330]) == [130, 180, 330]


def test_a_neighbour_in_another_clip_is_no_neighbour():
    told = Told(some_windows())
    assert told.add([280, 460]) == []

    assert told.add([300, 480]) == []


@st.composite
def groups_of_windows(draw, windows: Windows) -> list[list[int]]:
    """Groups that share no frames with themselves, many of them behind or before another."""
    every, groups = windows.grid.tolist(), []
    for _ in range(draw(st.integers(2, 4))):
        wanted = draw(st.lists(st.sampled_from(every), min_size=2, max_size=8))
        if groups and draw(st.booleans()):
            shift = draw(st.sampled_from([-1, 1])) * draw(st.integers(N - 2, N + N // 2 + 4))
            moved = [row + shift + draw(st.integers(-3, 3)) for row in draw(st.sampled_from(groups))]
            wanted = [row for row in moved if row in every] + wanted[:2]
        taken: list[int] = []
        for row in wanted:
            first, stop = windows.overlapping(row)
            if not any(first <= other < stop for other in taken):
                taken.append(row)
        groups.append(taken)
    return groups


@given(groups=groups_of_windows(some_windows()))
def test_it_is_as_the_definition_has_it(groups):
    windows = some_windows()
    told, known = Told(windows), []
    for rows in groups:
        expected = continuing_reference(windows, rows, known)

        assert told.add(rows) == expected

        known.append(expected or rows)


def test_another_action_that_follows_now_and_then_is_told_too():
    rng = np.random.default_rng(3)
    dimensions = KNOWN["positions"].n_dimensions
    often, seldom = (np.cumsum(rng.normal(size=(N, dimensions)), axis=0) for _ in range(2))
    orders = (
        ((often, 2), (often, 2), (seldom, 7), (often, 5)),
        ((seldom, 1), (often, 12), (often, 3)),
        ((often, 9), (seldom, 12), (often, 4), (often, 1)),
        ((often, 3), (often, 1), (seldom, 4)),
    )
    clips = []
    for order in orders:
        parts = []
        for action, gap in order:
            parts.append(action + rng.normal(size=action.shape) * (0.01 if action is often else 0.05))
            parts.append(np.cumsum(rng.normal(size=(gap, dimensions)), axis=0) + 50 * rng.normal(size=dimensions))
        clips.append({"positions": np.concatenate(parts)})
    options = WindowOptions(descriptions=("positions",), length=N / 30.0, hop=1 / N, both_sides=False)

    found = find_groups(Windows.of(library(clips), options), k=5)

    assert [len(group.members.rows) + 1 for group in found][:2] == [10, 4]


def test_a_long_action_that_recurs_is_told_once():
    rng = np.random.default_rng(11)
    dimensions = KNOWN["positions"].n_dimensions
    long = np.cumsum(rng.normal(size=(5 * N, dimensions)), axis=0)
    clips = [
        np.concatenate(
            [np.cumsum(rng.normal(size=(before, dimensions)), axis=0), long, rng.normal(size=(9, dimensions))]
        )
        for before in (3, 30, 57)
    ]
    options = WindowOptions(descriptions=("positions",), length=N / 30.0, radius=0.1)

    found = find_groups(Windows.of(library([{"positions": clip} for clip in clips]), options), k=10)

    assert [len(group.members.rows) + 1 for group in found] == [3]
