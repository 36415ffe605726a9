"""Skeletons, motions and rotations for property tests, the nasty ones included.

from strategies import motions, skeletons, unit_quaternions
"""

import numpy as np
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from motionary.motion import Motion, Skeleton, rotations

EULER_ORDERS = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX", "XYX", "XZX", "YXY", "YZY", "ZXZ", "ZYZ")
FRAME_TIMES = (1 / 24, 1001 / 24000, 1 / 30, 1001 / 30000, 1 / 60, 0.0083333, 1 / 119.88, 1 / 240)

# Identity, half turns, quarter turns (gimbal lock of many orders), and neighbours of all of them.
NASTY_QUATERNIONS = tuple(
    np.array(q) / np.linalg.norm(q)
    for q in (
        (1, 0, 0, 0), (-1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1), (0, -1, 0, 0),
        (1, 1, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1), (1, 0, -1, 0), (0, 1, 1, 0), (0, 1, 0, 1), (0, 0, 1, -1),
        (1, 1, 1, 1), (1, -1, 1, 1), (1, 1e-9, 0, 0), (1, 0, 1e-14, 0), (1e-9, 0, 0, 1), (1e-13, 1, 0, 0),
        (1, 0, 1 + 1e-9, 0), (1, 1 - 1e-7, 0, 0), (1, 1e-200, 0, 0),
    )
)  # fmt: skip


def numbers(low: float, high: float) -> SearchStrategy[float]:
    """Finite floats of a range, without the subnormal ones."""
    return st.floats(low, high, allow_nan=False, allow_subnormal=False)


def vectors(size: float = 2.0) -> SearchStrategy[np.ndarray]:
    """Points (3,) within ±size on every axis."""
    return st.tuples(*[numbers(-size, size)] * 3).map(np.array)


def directions() -> SearchStrategy[np.ndarray]:
    """Unit vectors (3,), the axes among them."""
    axes = [sign * axis for axis in np.eye(3) for sign in (1.0, -1.0)]
    anywhere = vectors(1.0).filter(lambda v: np.linalg.norm(v) > 0.01).map(lambda v: v / np.linalg.norm(v))
    return st.one_of(st.sampled_from(axes), anywhere)


def unit_quaternions() -> SearchStrategy[np.ndarray]:
    """Rotations (4,): nasty ones, turns about the axes by round angles, and any others."""
    round_turns = st.builds(
        rotations.from_axis_angle,
        st.sampled_from(list(np.eye(3))),
        st.sampled_from([-360, -270, -180, -90, -45, 45, 90, 120, 180, 270, 360]).map(np.radians),
    )
    anywhere = (
        st.tuples(*[numbers(-1.0, 1.0)] * 4)
        .map(np.array)
        .filter(lambda q: np.linalg.norm(q) > 0.01)
        .map(lambda q: q / np.linalg.norm(q))
    )
    return st.one_of(st.sampled_from(NASTY_QUATERNIONS), round_turns, anywhere)


@st.composite
def skeletons(draw: DrawFn, *, max_joints: int = 6) -> Skeleton:
    """Trees of joints, with zero-length offsets and end sites (none, one or several to a joint) among them."""
    n_joints = draw(st.integers(1, max_joints))
    parents = [-1] + [draw(st.integers(0, joint - 1)) for joint in range(1, n_joints)]
    offsets = [draw(st.one_of(st.just(np.zeros(3)), vectors(1.0))) for _ in range(n_joints)]
    end_sites = draw(st.lists(st.tuples(st.integers(0, n_joints - 1), vectors(0.3)), max_size=3))
    return Skeleton(
        tuple(f"joint {joint}" for joint in range(n_joints)),
        np.array(parents),
        np.array(offsets),
        np.array([joint for joint, _ in end_sites], dtype=np.int32),
        np.array([offset for _, offset in end_sites]).reshape(-1, 3),
    )


@st.composite
def motions(
    draw: DrawFn,
    *,
    skeleton: Skeleton | None = None,
    max_frames: int = 5,
    moving: bool = True,
    frame_times: SearchStrategy[float] | None = None,
) -> Motion:
    """Motions of `skeleton` or any; the poses need not be smooth, and joints may move if `moving`."""
    body = draw(skeletons()) if skeleton is None else skeleton
    n_frames = draw(st.integers(1, max_frames))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    turned = rotations.normalise(rng.normal(size=(n_frames, body.n_joints, 4)))
    for joint in draw(st.lists(st.integers(0, body.n_joints - 1), max_size=4)):
        turned[draw(st.integers(0, n_frames - 1)), joint] = draw(unit_quaternions())
    movers = draw(st.sets(st.integers(1, body.n_joints - 1))) if moving and body.n_joints > 1 else set()
    return Motion(
        body,
        draw(st.sampled_from(FRAME_TIMES) if frame_times is None else frame_times),
        rng.uniform(-2.0, 2.0, size=(n_frames, 3)),
        rotations.continuous(turned),
        np.array(sorted(movers), dtype=np.int32),
        rng.uniform(-1.0, 1.0, size=(n_frames, len(movers), 3)),
    )
