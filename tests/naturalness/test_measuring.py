"""The kernel of the score against its reference, and the scorer around it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import SkeletonError, UsageError
from motionary.naturalness import CURVES, MEASURES, build_scorer, score, score_reference
from motionary.rig import body_of
from motionary.sample import ACTORS
from naturalness.made_motions import BODY, MASSES, restless, some_plants

FRAME_TIMES = [1 / 24, 1 / 30, 1 / 60, 0.0083333]


def check(motion, standing, body=BODY, masses=MASSES):
    found, wanted = score(motion, standing, body=body, masses=masses), score_reference(motion, standing, body, masses)
    for name in MEASURES:
        assert getattr(found, name) == pytest.approx(getattr(wanted, name), rel=1e-6, abs=1e-8, nan_ok=True), name
    for name in CURVES:
        assert found.curves[name] == pytest.approx(wanted.curves[name], rel=1e-6, abs=1e-7, nan_ok=True), name


@given(
    seed=st.integers(0, 10_000),
    n_frames=st.integers(1, 70),
    n_plants=st.integers(0, 6),
    frame_time=st.sampled_from(FRAME_TIMES),
    moving=st.booleans(),
)
def test_the_kernel_measures_what_the_reference_does(seed, n_frames, n_plants, frame_time, moving):
    motion = restless(seed, n_frames, frame_time=frame_time, moving=moving)

    check(motion, some_plants(seed, n_frames, n_plants=n_plants))


def test_flight_in_several_places_is_measured_as_the_reference_does():
    motion = restless(4, 120)
    standing = some_plants(0, 120, n_plants=0)
    check(motion, standing)
    check(motion, type(standing)(120, [0, 3, 1], [(0, 20), (50, 60), (90, 110)], np.zeros((3, 3))))


def test_rough_noise_is_measured_as_the_reference_does():
    rng = np.random.default_rng(0)
    motion = restless(0, 50)
    rough = rng.normal(size=motion.rotations.shape)
    rough /= np.linalg.norm(rough, axis=-1, keepdims=True)
    motion = type(motion)(motion.skeleton, 1 / 60, rng.normal(size=(50, 3)), rough)

    check(motion, some_plants(3, 50))


def test_a_scorer_serves_many_motions_and_leaves_no_trace():
    scorer = build_scorer(BODY, MASSES, frame_time=1 / 60, n_frames=60)
    scratch, out = scorer.scratch(), np.empty(len(MEASURES))
    cases = [(restless(seed, 60), some_plants(seed, 60)) for seed in range(4)]

    def measured():
        found = []
        for motion, standing in cases:
            scorer.measure(motion.root_positions, motion.rotations, standing, scratch=scratch, out=out)
            found.append(out.copy())
        return np.array(found)

    first = measured()
    scratch[:] = np.nan  # nothing is read that was not written
    assert np.array_equal(measured(), first, equal_nan=True)
    assert np.array_equal(scorer.measure(*_poses(cases[0][0]), cases[0][1]), first[0], equal_nan=True)


def _poses(motion):
    return motion.root_positions, motion.rotations


def test_a_scorer_refuses_what_it_was_not_made_for():
    scorer = build_scorer(BODY, MASSES, frame_time=1 / 60, n_frames=60)
    motion = restless(0, 59)

    with pytest.raises(UsageError, match="this scorer takes 60 frames of 24 joints"):
        scorer.measure(*_poses(motion), some_plants(0, 60))
    with pytest.raises(UsageError, match="plants of 59 frames for a scorer of 60"):
        scorer.measure(*_poses(restless(0, 60)), some_plants(0, 59))
    with pytest.raises(UsageError, match="a motion of 0 frames cannot be scored"):
        build_scorer(BODY, MASSES, frame_time=1 / 60, n_frames=0)
    renamed = body_of(ACTORS[0].skeleton)
    names = tuple(f"{name}_" for name in renamed.skeleton.names)
    other = type(renamed.skeleton)(names, renamed.skeleton.parents, renamed.skeleton.offsets)
    with pytest.raises(SkeletonError, match="these masses belong to another skeleton"):
        build_scorer(body_of(other), MASSES, frame_time=1 / 60, n_frames=60)


def test_arrays_of_other_sizes_never_reach_the_kernel():
    scorer = build_scorer(BODY, MASSES, frame_time=1 / 60, n_frames=60, moving_joints=(3,))
    motion, standing = restless(0, 60), some_plants(0, 60)
    translations = np.zeros((60, 1, 3))

    with pytest.raises(UsageError, match="1 joints move, so translations are needed for 60 frames"):
        scorer.measure(*_poses(motion), standing)
    with pytest.raises(UsageError, match=r"the curves of this scorer have the shape \(60, 8\)"):
        scorer.measure(*_poses(motion), standing, translations=translations, curves=np.empty((59, 8)))
    for wrong in ({"scratch": np.empty(10)}, {"out": np.empty(3)}):
        with pytest.raises(UsageError, match="the scratch or output array has the wrong size"):
            scorer.measure(*_poses(motion), standing, translations=translations, **wrong)


def test_what_is_no_number_is_never_balanced():
    scorer = build_scorer(BODY, MASSES, frame_time=1 / 60, n_frames=60)
    motion = restless(0, 60)
    root = np.array(motion.root_positions)
    root[30] = np.nan
    standing = type(some_plants(0, 60))(60, [0, 3], [(0, 60), (0, 60)], np.zeros((2, 3)))

    measured = dict(zip(MEASURES, scorer.measure(root, motion.rotations, standing), strict=True))

    assert measured["zmp_error"] == np.inf
