import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import swaying_body
from motionary.dynamics import AVERAGES, BODY_PARTS, Support, balance, body_masses, evidence, fit_masses
from motionary.dynamics.averages import KINDS
from motionary.dynamics.fitting import SIDES_OF, Evidence, _bounded_least_squares
from motionary.errors import UsageError
from motionary.rig import body_of, reference_skeleton

BODY = body_of(reference_skeleton())
MASSES = body_masses(BODY)
AVERAGE = np.array([AVERAGES[kind].share for kind in KINDS])


def made_up(shares: np.ndarray, *, seed: int = 0, n_frames: int = 400) -> Evidence:
    """A motion whose zero-moment point, with these shares, is in every frame the one point that carries the body."""
    rng = np.random.default_rng(seed)
    under = 9.81 + rng.normal(0.0, 1.0, (len(KINDS), n_frames))
    under *= SIDES_OF[:, None]
    over = rng.normal(0.0, 0.5, (2, len(KINDS), n_frames)) * under
    points = (shares @ over / (shares @ under)).T
    corners = np.repeat(points[:, None], 12, axis=1)
    return Evidence(over, under, Support(corners, np.ones((n_frames, 12), dtype=bool), np.zeros(n_frames)))


def test_shares_are_found_again():
    true = AVERAGE * (1.0 + 0.2 * np.sin(np.arange(len(KINDS))))
    true /= SIDES_OF @ true

    found = fit_masses([made_up(true, seed=1), made_up(true, seed=2)])

    shares = np.array([found.shares[kind if kind in BODY_PARTS else "Left" + kind] for kind in KINDS])
    assert shares == pytest.approx(true, rel=0.1)  # a little is pulled back to the averages, small shares most
    assert found.mean_after < 0.1 * found.mean_before
    assert found.n_frames == 800


def test_shares_stay_within_their_bounds_equal_on_both_sides_and_whole():
    heavy_head = np.array(AVERAGE)
    heavy_head[0] *= 3.0
    found = fit_masses([made_up(heavy_head / (SIDES_OF @ heavy_head))])

    assert found.moved["Head"] == pytest.approx(0.3)
    assert all(abs(moved) <= 0.3 + 1e-9 for moved in found.moved.values())
    assert sum(found.shares.values()) == pytest.approx(1.0)
    assert all(found.shares[f"Left{part}"] == found.shares[f"Right{part}"] for part in ("Thigh", "Hand"))
    assert found.of(MASSES).part_shares == pytest.approx(found.shares)


def test_without_room_nothing_moves():
    found = fit_masses([made_up(np.full(len(KINDS), 1.0 / SIDES_OF.sum()))], within=0.0)

    assert all(moved == 0.0 for moved in found.moved.values())
    assert found.mean_after == found.mean_before > 0.0


@pytest.mark.parametrize("seed", range(3))
def test_evidence_says_the_same_as_balance(seed):
    motion = swaying_body(seed)
    contacts = np.random.default_rng(seed).random((60, 2, 2)) < 0.3

    one = evidence(motion, MASSES, BODY, contacts)
    points = (AVERAGE @ one.over / (AVERAGE @ one.under)).T
    wanted = balance(motion, MASSES, BODY, contacts)

    counted = np.isfinite(wanted.support.height)
    assert points == pytest.approx(wanted.points[counted], abs=1e-9)
    assert one.ground.distances(points) == pytest.approx(wanted.distances[counted], abs=1e-9)


def test_an_already_balanced_library_keeps_the_averages():
    motion = swaying_body()
    found = fit_masses([evidence(motion, MASSES, BODY, np.ones((60, 2, 2), dtype=bool))])

    if found.mean_before == 0.0:
        assert found.moved == pytest.approx(dict.fromkeys(KINDS, 0.0), abs=1e-6)
    assert found.mean_after <= found.mean_before + 1e-12


@given(seed=st.integers(0, 10_000), width=st.floats(0.01, 2.0))
def test_the_active_set_finds_the_minimum(seed, width):
    rng = np.random.default_rng(seed)
    n = 6
    rows = rng.normal(size=(12, n))
    matrix, wanted = rows.T @ rows / 12 + 1e-3 * np.eye(n), rng.normal(size=n)
    counts = rng.integers(1, 3, n).astype(float)
    start = rng.uniform(0.5, 1.0, n)
    start /= counts @ start
    low, high = start * (1 - width * rng.random(n)), start * (1 + width * rng.random(n))

    x = _bounded_least_squares(matrix, wanted, low, high, counts, start)

    assert counts @ x == pytest.approx(1.0)
    assert np.all(x >= low - 1e-12)
    assert np.all(x <= high + 1e-12)
    slope = (matrix @ x - wanted) / counts  # nothing is gained by giving from one share to another
    can_fall, can_rise = x > low + 1e-9, x < high - 1e-9
    if can_fall.any() and can_rise.any():
        assert slope[can_fall].max() <= slope[can_rise].min() + 1e-6


def test_a_library_that_never_stands_cannot_be_fitted():
    with pytest.raises(UsageError, match="no frame of the library stands on the ground"):
        fit_masses([])
    motion = swaying_body()
    with pytest.raises(UsageError, match="no frame of the library stands on the ground"):
        fit_masses([evidence(motion, MASSES, BODY, np.zeros((60, 2, 2), dtype=bool))])
    with pytest.raises(UsageError, match=r"within must be at least 0 and below 1, not 1\.5"):
        fit_masses([], within=1.5)
