"""Which groups go on where a motif ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.recurring import WindowOptions, Windows, find_groups
from motionary.search.recurring.continuing import Told, continues_reference
from motionary.search.recurring.motifs import Group
from motionary.search.recurring.neighbours import Nearest
from search.recurring.made_libraries import KNOWN
from search.tiny_libraries import library

LENGTHS = (300, 200, 40)
N = 20  # frames of a window


def some_windows() -> Windows:
    rng = np.random.default_rng(5)
    clips = [{"positions": rng.normal(size=(n, KNOWN["positions"].n_dimensions))} for n in LENGTHS]
    return Windows.of(library(clips), WindowOptions(descriptions=("positions",), length=N / 30.0, hop=1 / N))


def group_at(windows: Windows, rows: list[int]) -> Group:
    seed = int(np.searchsorted(windows.grid, rows[0]))
    assert windows.grid[seed] == rows[0]
    members = np.array(rows[1:], dtype=np.int64)
    return Group(seed, Nearest(np.ones(len(members)), members, np.zeros(len(members), dtype=bool)))


@pytest.mark.parametrize(
    ("rows", "is_new"),
    [
        ([70, 350], False),  # both right behind
        ([30, 310], False),  # both right before
        ([70, 355, 220], False),  # most of them are enough
        ([70, 120, 355, 220], True),  # half of them are not
        ([70, 360, 220], False),  # shifted by 20 and 30: 25 ± 5
        ([70, 361, 220], True),  # by 20 and 31
        ([94, 374], False),  # 39 ± 5
        ([95, 375], True),  # 40 are two windows
        ([130, 420], True),
        ([240, 301], True),  # elsewhere
    ],
)
def test_what_is_shifted_by_less_than_two_windows_continues_a_motif(rows, is_new):
    told = Told(some_windows())
    assert told.add(group_at(told.windows, [50, 330]))

    assert told.add(group_at(told.windows, rows)) == is_new
    assert told.add(group_at(told.windows, [rows[0] + N, rows[1] + N])) is False  # whatever continues one of both


def test_a_neighbour_in_another_clip_is_no_neighbour():
    told = Told(some_windows())
    assert told.add(group_at(told.windows, [280, 460]))

    assert told.add(group_at(told.windows, [300, 480])) is True


@given(rows=st.data())
def test_it_is_as_the_definition_has_it(rows):
    windows = some_windows()
    every = st.sampled_from(windows.grid.tolist())
    motif = rows.draw(st.lists(every, min_size=2, max_size=8, unique=True))
    shift = rows.draw(st.integers(-2 * N, 2 * N))
    near = [row + shift for row in motif if row + shift in set(windows.grid.tolist())]
    group = (near + rows.draw(st.lists(every, min_size=2, max_size=8, unique=True)))[:8]
    told = Told(windows)
    told.add(group_at(windows, motif))

    assert told.add(group_at(windows, group)) is not continues_reference(windows, group, motif)


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
