"""Minima downhill, against the whole grid."""

import numpy as np
import pytest

from metrics.made_features import made_features
from motionary.graph.candidates import Margins, local_minima_reference
from motionary.graph.descent import ROOM, TOO_FAR, descended
from motionary.metrics import METRICS, Window, metric_named, pair_distances, pair_frames

WINDOW = Window(2, 2)
LENGTHS = (30, 25)


def made(name):
    features = [made_features(seed, n) for seed, n in zip((1, 2), LENGTHS, strict=True)]
    return pair_frames(metric_named(name, window=WINDOW), features, rate_hz=30.0, padding=3)


def grid_of(frames, first, second):
    rows = np.arange(frames.starts[first], frames.starts[first + 1])
    columns = np.arange(frames.starts[second], frames.starts[second + 1])
    cells = pair_distances(frames, np.repeat(rows, len(columns)), np.tile(columns, len(rows)), WINDOW)
    return rows, columns, cells.reshape(len(rows), len(columns))


@pytest.mark.parametrize("name", ["dynamics", "gist"])
@pytest.mark.parametrize("pair", [(0, 1), (1, 1)])
def test_from_every_cell_all_minima_are_found_once_and_nothing_else(name, pair):
    frames = made(name)
    rows, columns, grid = grid_of(frames, *pair)
    ceiling = float(grid.max()) / TOO_FAR**2 + 1e-3  # so that the way begins anywhere

    starts = np.meshgrid(rows, columns, indexing="ij")
    found = descended(frames, WINDOW, starts[0].ravel(), starts[1].ravel(), ceiling=ceiling)

    expected = local_minima_reference(grid, Margins(0, 0, ceiling))
    cells = sorted(zip((found[0] - rows[0]).tolist(), (found[1] - columns[0]).tolist(), strict=True))
    assert cells == sorted(expected)
    assert sorted(found[2].tolist()) == sorted(float(grid[cell]) for cell in expected)


def test_ways_down_stay_within_their_motions_and_end_below_where_they_began():
    frames = made("points")
    rows, columns = np.array([29, 0, 12]), np.array([30, 54, 40])

    found = descended(frames, WINDOW, rows, columns, ceiling=10.0)

    assert len(found[0])
    assert (found[0] < 30).all()
    assert (found[1] >= 30).all()
    assert found[2].max() <= pair_distances(frames, rows, columns, WINDOW).max()


def test_no_starts_find_nothing_and_far_cells_are_left():
    frames = made("points")
    nothing = descended(frames, WINDOW, np.zeros(0, int), np.zeros(0, int), ceiling=1.0)
    far = descended(frames, WINDOW, np.array([3]), np.array([40]), ceiling=1e-9)

    assert [len(one) for one in (*nothing, *far)] == [0] * 6


def test_more_far_cells_than_there_is_room_at_first_are_left():
    features = [made_features(seed, 60) for seed in (1, 2)]
    frames = pair_frames(metric_named("points", window=WINDOW), features, rate_hz=30.0, padding=3)
    rows, columns = (one.ravel() for one in np.meshgrid(np.arange(60), np.arange(60, 120), indexing="ij"))

    found = descended(frames, WINDOW, rows, columns, ceiling=1e-9)

    assert len(rows) > ROOM
    assert [len(one) for one in found] == [0] * 3


@pytest.mark.parametrize("name", METRICS)
def test_single_pairs_are_as_far_apart_as_blocks_say(name):
    features = [made_features(seed, n) for seed, n in zip((1, 2), LENGTHS, strict=True)]
    metric = metric_named(name, window=WINDOW)
    frames = pair_frames(metric, features, rate_hz=30.0, padding=3)
    out = np.empty(LENGTHS, dtype=np.float32)
    metric.block(*(metric.describe(one, rate_hz=30.0) for one in features), out)

    assert grid_of(frames, 0, 1)[2] == pytest.approx(out, abs=3e-6)
