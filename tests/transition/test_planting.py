import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.transition.blending import N_PIECES, N_PLANTED, PLANT_ERROR, run_blends
from motionary.transition.body_lanes import body_lanes
from motionary.transition.clock import bernstein_reference, quintic_ease_reference
from motionary.transition.planting import STEP, plant_feet, plant_feet_reference
from motionary.transition.searching import NONE, align_all, unaligned
from motionary.transition.sources import SourceWindows, gather_windows
from motionary.transition.workspace import Workspace, make_workspace
from transition.pools import small_pool

N_FRAMES = 30
Blend = tuple[SourceWindows, np.ndarray, int, int, Workspace]


def blended(firsts: list[tuple[int, int]], *, aligned: bool) -> Blend:
    """A blend of the windows from these frames: windows, which, how many, frames, and the workspace it was left in."""
    pool = small_pool()
    lanes = body_lanes(pool.body, pool.frame_time)
    places = np.array([(clip, int(pool.starts[clip]) + frame) for clip, frame in firsts])
    windows = gather_windows(pool, lanes, places, N_FRAMES)
    work = make_workspace(N_FRAMES + 1, lanes)
    alignment = align_all(windows, 0) if aligned else unaligned(len(firsts), N_FRAMES + 1)
    which = np.array([*range(len(firsts)), *(NONE,) * (4 - len(firsts))])
    n = run_blends(lanes, windows, *alignment, which[None], False, np.full((1, 2), np.inf), np.zeros((1, 8)), work)
    return windows, which, len(firsts), int(n), work


@st.composite
def made_up_blends(draw) -> Blend:
    """Footprints at random, crowded in space and time, of sources that run beside each other; feet anywhere."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n_sources, n = draw(st.integers(2, 4)), draw(st.integers(2, 24))
    work = make_workspace(N_FRAMES + 1, body_lanes(small_pool().body, small_pool().frame_time))
    share = quintic_ease_reference(np.linspace(0.0, 1.0, n))
    work.weights[:n_sources, :n] = bernstein_reference(n_sources - 1, share)
    work.heaviest[:n] = work.weights[:n_sources, :n].argmax(axis=0)
    times = np.linspace(0.0, rng.uniform(0.5, 2.0) * (n - 1), n)
    work.cells[:, :n], work.share[:, :n] = np.floor(times), times % 1.0
    work.roots[:, :n] = np.cumsum(rng.normal(0.0, 0.02, (3, n)), axis=1)
    for i in range(n_sources):
        turn = np.cumsum(rng.normal(0.0, 0.02, n))
        work.own[i, :2, :n] = np.cumsum(rng.normal(0.0, 0.02, (2, n)), axis=1)
        work.own[i, 2, :n], work.own[i, 3, :n] = np.cos(turn), np.sin(turn)
    work.soles[:n] = rng.normal(0.0, 0.2, (n, 6, 3))
    points, spans, groups, of_windows = [], [], [0], [0]
    for _ in range(n_sources):
        for _ in range(draw(st.integers(0, 5))):
            foot, start = int(rng.integers(2)), int(rng.integers(-3, n))
            for point in rng.permutation(2)[: rng.integers(1, 3)].tolist():
                points.append(2 * foot + point)
                spans.append((start + int(rng.integers(3)), start + 3 + int(rng.integers(12))))
            groups.append(len(points))
        of_windows.append(len(groups) - 1)
    places = np.round(rng.normal(0.0, 0.2, (len(points), 3)), 1)  # some of them the same
    none = np.zeros(0)
    windows = SourceWindows(none, none, none, none, none, none, np.array(points, dtype=np.int64),
                            np.array(spans, dtype=np.int64).reshape(-1, 2), places, np.array(groups),
                            np.array(of_windows), none)  # fmt: skip
    which = np.array([*range(n_sources), *(NONE,) * (4 - n_sources)])
    work.parts[[N_PIECES, PLANT_ERROR, N_PLANTED]] = plant_feet(windows, which, n_sources, np.int64(n), work)
    return windows, which, n_sources, n, work


def check_against_reference(blend: Blend) -> int:
    """Compare the plants that the kernel left in the workspace with the plain ones; returns how many there are."""
    work = blend[-1]
    n_pieces = int(work.parts[N_PIECES])
    found = sorted(
        (int(point), int(start), int(stop), *place.tolist())
        for point, (start, stop), place in zip(
            work.piece_points[:n_pieces], work.piece_spans[:n_pieces], work.piece_places[:n_pieces], strict=True
        )
    )

    pieces, error, n_planted = plant_feet_reference(*blend)

    expected = sorted((piece.point, piece.start, piece.stop, *piece.place) for piece in pieces)
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    np.testing.assert_allclose(
        np.array([row[3:] for row in found]).reshape(-1, 3), np.array([row[3:] for row in expected]).reshape(-1, 3),
        atol=1e-9,
    )  # fmt: skip
    np.testing.assert_allclose(work.parts[PLANT_ERROR], error, atol=1e-9)
    assert int(work.parts[N_PLANTED]) == n_planted
    return n_pieces


@given(blend=made_up_blends())
def test_plants_of_any_footprints_are_those_of_the_definition(blend):
    check_against_reference(blend)

    *_, n, work = blend
    contacts = np.zeros((n, 4))
    for piece in plant_feet_reference(*blend)[0]:
        contacts[piece.start : piece.stop, piece.point] = 1.0
    np.testing.assert_array_equal(work.contacts[:n], contacts)


frames = st.tuples(st.integers(0, 2), st.integers(0, 110))


@given(firsts=st.lists(frames, min_size=2, max_size=4), aligned=st.booleans())
def test_plants_are_those_of_the_definition(firsts, aligned):
    check_against_reference(blended(firsts, aligned=aligned))


def test_plants_are_those_of_the_definition_in_many_blends():
    rng = np.random.default_rng(0)
    found = [
        check_against_reference(
            blended(
                [(int(rng.integers(3)), int(rng.integers(110))) for _ in range(rng.integers(2, 5))],
                aligned=bool(rng.integers(2)),
            )
        )
        for _ in range(60)
    ]
    assert np.mean(found) > 3


def test_windows_that_go_beyond_their_clips_stand_on():
    assert check_against_reference(blended([(0, 149), (1, -30)], aligned=False)) > 0


def test_feet_of_a_window_blended_with_itself_are_where_they_were():
    windows, which, n_sources, n, work = blended([(0, 40), (0, 40)], aligned=False)

    pieces, error, _ = plant_feet_reference(windows, which, n_sources, n, work)

    assert pieces
    assert error < 0.02
    for one in pieces:
        for other in pieces:
            if (one.point, one.stop <= other.start) == (other.point, True):
                near = np.linalg.norm(np.subtract(one.place, other.place)) < 0.05
                assert near or other.start - one.stop >= STEP
