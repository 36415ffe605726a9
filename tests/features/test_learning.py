"""What is learned without labels: from the definition, and that it tells actions apart and not performers."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from features.moving_bodies import wild_body
from motionary.errors import UsageError
from motionary.features import LEARNED_LENGTH, Lessons, Network, descriptions, features_of, learn
from motionary.features.learned import N_DIMENSIONS
from motionary.features.learning import (
    HABIT,
    NEAR_SHARE,
    OF_PIECES,
    SHRINKAGE,
    between_actions,
    discriminants,
    neighbours,
)
from motionary.features.surroundings import surroundings_layout
from motionary.motion import mirror
from motionary.rig import mirror_partners
from motionary.search.dimensions import VECTORS

N_SEEN = len(surroundings_layout().mirror_columns)
N_ROWS = 25  # of a clip


def made_lessons(seed: int = 0, *, n_performers: int = 6, n_actions: int = 6) -> Lessons:
    """Every performer does every action; habits, and what drifts within a clip, are larger than what tells actions."""
    rng = np.random.default_rng(seed)
    actions, habits = rng.normal(size=(n_actions, 4)), 2.0 * rng.normal(size=(n_performers, 4))
    clips = []
    for performer in range(n_performers):
        for action in range(n_actions):
            drift = np.repeat(2.0 * rng.normal(size=(5, 4)), N_ROWS // 5, axis=0)
            told = np.tile(np.r_[actions[action], habits[performer]], (N_ROWS, 1))
            clips.append(np.hstack([told, drift]))
    seen = np.concatenate(clips) @ rng.normal(size=(12, N_SEEN))
    return Lessons(
        (seen + 0.1 * rng.normal(size=seen.shape)).astype(np.float32),
        np.full(n_performers * n_actions, N_ROWS),
        np.repeat(np.arange(n_performers), n_actions),
        N_ROWS,
    )


@pytest.fixture(scope="module")
def lessons() -> Lessons:
    return made_lessons()


@pytest.fixture(scope="module")
def network(lessons) -> Network:
    return learn(lessons, rng=np.random.default_rng(0))


def nearest_of_other_performers(rows: np.ndarray, lessons: Lessons) -> np.ndarray:
    """The clip whose mean is nearest to that of each clip, of those of other performers."""
    means = rows.reshape(len(lessons.n_rows), N_ROWS, -1).mean(axis=1)
    distances = ((means[:, None] - means[None]) ** 2).sum(axis=2)
    distances[lessons.performers[:, None] == lessons.performers[None]] = np.inf
    return distances.argmin(axis=1)


def test_it_tells_what_is_done_and_not_who_does_it(lessons, network):
    actions = np.tile(np.arange(6), 6)

    before = nearest_of_other_performers(lessons.seen, lessons)
    after = nearest_of_other_performers(network.described(lessons.seen), lessons)

    assert (actions[before] == actions).mean() < 0.6
    assert (actions[after] == actions).mean() > 0.9


def test_the_same_lessons_give_the_same_network(lessons, network):
    again = learn(lessons, rng=np.random.default_rng(0))

    for name in Network.__dataclass_fields__:
        assert_array_equal(getattr(again, name), getattr(network, name))


def test_random_directions_are_orthogonal_as_many_as_there_are_components(network):
    n = len(network.hidden)
    products = network.hidden[:, n : 2 * n].T.astype(np.float64) @ network.hidden[:, n : 2 * n]

    squares = np.diag(products)
    assert np.abs(products - np.diag(squares)).max() < 1e-5 * squares.max()
    assert squares.std() > 0.01 * squares.mean()
    assert squares.mean() == pytest.approx(np.square(network.hidden, dtype=np.float64).sum(axis=0).mean(), rel=0.1)


def test_progress_ends_with_all_rows(lessons):
    told = []

    learn(lessons, rng=np.random.default_rng(0), progress=lambda *done: told.append(done))

    assert told[-1] == (len(lessons.seen), len(lessons.seen))


def test_a_motion_and_its_mirror_image_are_described_alike(network):
    motion = wild_body(3)

    own, other = (
        features_of(one, network=network)["learned"]
        for one in (motion, mirror(motion, mirror_partners(motion.skeleton)))
    )

    assert own.shape == (40, N_DIMENSIONS)
    assert own.dtype == np.float32
    assert_allclose(own, other, atol=1e-3)
    assert_allclose(np.linalg.norm(own, axis=1), LEARNED_LENGTH, rtol=1e-4)


def test_only_what_was_learned_needs_a_network():
    motion = wild_body(4)

    assert "learned" not in features_of(motion).arrays
    with pytest.raises(ValueError, match="poses do not tell"):
        descriptions()["learned"].compute(None)
    assert VECTORS["learned"] == descriptions()["learned"].n_dimensions == N_DIMENSIONS


def test_arrays_that_do_not_fit_make_no_network(network):
    with pytest.raises(ValueError, match="make no network"):
        replace(network, offsets=np.zeros(3, dtype=np.float32))


def test_one_clip_teaches_nothing():
    with pytest.raises(UsageError, match="at least two clips"):
        Lessons(np.zeros((5, N_SEEN), dtype=np.float32), np.array([5]), np.array([0]), 5)


@pytest.mark.parametrize("performers", [[0, 0, 0, 0], [0, 1, 2, 3]])
def test_one_performer_or_one_clip_of_each_is_enough(performers):
    some = made_lessons(1, n_performers=1, n_actions=4)

    found = learn(replace(some, performers=np.array(performers)), rng=np.random.default_rng(0))

    assert np.isfinite(found.described(some.seen)).all()


def test_clips_that_never_change_teach_finite_numbers():
    held = Lessons(np.ones((20, N_SEEN), dtype=np.float32), np.array([10, 10]), np.array([0, 0]), 4)

    assert np.isfinite(learn(held, rng=np.random.default_rng(0)).described(held.seen)).all()


@given(seed=st.integers(0, 2**32 - 1), n_clips=st.integers(2, 8), piece_rows=st.integers(1, 6))
def test_between_actions_are_the_covariances_of_means(seed, n_clips, piece_rows):
    rng = np.random.default_rng(seed)
    n_rows, performers = rng.integers(1, 9, n_clips), np.r_[0, 0, rng.integers(0, 2, n_clips - 2)]
    performers = np.unique(performers, return_inverse=True)[1]
    rows, clips = rng.normal(size=(n_rows.sum(), 3)), np.repeat(np.arange(n_clips), n_rows)
    lessons = Lessons(np.zeros((len(rows), N_SEEN), dtype=np.float32), n_rows, performers, piece_rows)

    def covariance(groups):
        means = np.array([rows[groups == group].mean(axis=0) for group in groups])
        return np.cov(means.T, bias=True)

    of_clips = covariance(clips)
    within_clips = covariance(lessons.pieces) - of_clips
    wanted = of_clips + OF_PIECES * within_clips - HABIT * covariance(performers[clips])

    sums = np.array([rows[lessons.pieces == piece].sum(axis=0) for piece in range(len(lessons.clips))])
    found = between_actions(sums, np.bincount(lessons.pieces), lessons.clips, performers)
    assert_allclose(found, wanted, atol=1e-9)


@given(n_rows=st.lists(st.integers(1, 30), min_size=2, max_size=6), piece_rows=st.integers(1, 12))
def test_pieces_are_as_long_as_each_other_and_no_longer_than_they_may_be(n_rows, piece_rows):
    n_clips, n = len(n_rows), sum(n_rows)
    lessons = Lessons(np.zeros((n, 2), dtype=np.float32), np.array(n_rows), np.zeros(n_clips, dtype=int), piece_rows)

    assert (lessons.clips[lessons.pieces] == np.repeat(np.arange(n_clips), n_rows)).all()
    lengths = np.bincount(lessons.pieces)
    assert 1 <= lengths.min() <= lengths.max() <= piece_rows
    for clip in range(n_clips):
        own = lengths[lessons.clips == clip]
        assert own.max() - own.min() <= 1
        assert len(own) == -(-n_rows[clip] // piece_rows)


def test_actions_within_a_long_take_are_told_apart_too():
    some, actions = made_lessons(2), np.tile(np.arange(6), 6)
    takes = replace(some, n_rows=np.full(6, 6 * N_ROWS), performers=np.arange(6))  # each does all actions in one

    def share_found(lessons: Lessons) -> float:
        rows = learn(lessons, rng=np.random.default_rng(0)).described(lessons.seen)
        return float((actions[nearest_of_other_performers(rows, some)] == actions).mean())

    assert share_found(takes) > 0.7
    assert share_found(replace(takes, piece_rows=6 * N_ROWS)) < 0.4


def test_discriminants_are_those_of_the_definition():
    rng = np.random.default_rng(3)
    between, within = (rows.T @ rows / len(rows) for rows in rng.normal(size=(2, 30, 5)))
    shrinkage = SHRINKAGE * (5 / 1024) ** 0.5
    shrunk = within + np.eye(5) * (shrinkage * np.trace(within) / 5 + 1e-6)

    found = discriminants(between, within, 2)

    ratios, vectors = np.linalg.eig(np.linalg.solve(shrunk, between))
    best = np.argsort(-ratios.real)[:2]
    for column, r, vector in zip(found.T, ratios.real[best], vectors.real.T[best], strict=True):
        assert_allclose(column @ shrunk @ column, r / (1 + r))
        assert_allclose(np.abs(column @ vector), np.linalg.norm(column) * np.linalg.norm(vector))
        assert column[np.abs(column).argmax()] > 0


def test_neighbours_are_the_nearest_of_another_performer_on_either_side():
    rng = np.random.default_rng(4)
    performers, n_rows = np.array([0, 1, 1, 2]), np.array([20, 15, 30, 10])
    rows, signs = rng.normal(size=(75, 3)).astype(np.float32), np.array([1, -1, 1], dtype=np.float32)
    of = np.repeat(performers, n_rows)
    lessons = Lessons(np.zeros((75, N_SEEN), dtype=np.float32), n_rows, performers, 9)

    asked, nearest = neighbours(lessons, rows, signs)

    wanted = {}
    for row in range(75):
        others = np.concatenate([rows[of != of[row]], rows[of != of[row]] * signs])
        distances = np.linalg.norm(others - rows[row], axis=1)
        wanted[row] = (distances.min(), others[distances.argmin()])
    limit = np.quantile([distance**2 for distance, _ in wanted.values()], NEAR_SHARE)
    assert asked.tolist() == [row for row, (distance, _) in wanted.items() if distance**2 <= limit + 1e-6]
    assert_allclose(nearest, [wanted[row][1] for row in asked.tolist()])


def test_a_single_performer_has_no_neighbours():
    lessons = Lessons(np.zeros((8, N_SEEN), dtype=np.float32), np.array([4, 4]), np.array([0, 0]), 4)

    asked, nearest = neighbours(lessons, np.zeros((8, 3), dtype=np.float32), np.ones(3, dtype=np.float32))

    assert len(asked) == len(nearest) == 0
