import numpy as np
import pytest

from blend.made_sources import reach, walkers, with_thumb
from motionary.blend import blend, joint_groups, register, write_times
from motionary.errors import UsageError
from motionary.motion import Placement, rotations


@pytest.fixture(scope="module")
def reaches():
    return register([reach(a, n_frames=n, peak=p) for a, n, p in ((-30.0, 50, 22), (0.0, 60, 28), (30.0, 75, 40))])


@pytest.fixture(scope="module")
def walks():
    return register(walkers())


@pytest.mark.parametrize("which", [0, 1, 2])
def test_weight_one_gives_the_example_back(reaches, walks, which):
    for registration in (reaches, walks):
        weights = np.zeros(3)
        weights[which] = 1.0

        result = blend(registration, weights)

        example = registration.sources[which].motion
        assert result.motion.n_frames == example.n_frames
        assert np.abs(result.motion.positions_world - example.positions_world).max() < 1e-6


def test_an_example_that_is_moved_takes_its_plants_along(walks):
    moved = blend(walks, [0.0, 0.0, 1.0], start=Placement(0.7, 2.0, -1.0))

    points = walks.body.feet.world(moved.motion)
    assert moved.plants
    assert np.hypot(moved.motion.root_positions[0, 0] - 2.0, moved.motion.root_positions[0, 2] + 1.0) < 1e-9
    for plant in moved.plants:
        foot, part = ("left", "right").index(plant.foot), ("heel", "toe").index(plant.part)
        stood = np.median(points[plant.start : plant.stop, foot, part], axis=0)
        assert np.linalg.norm(stood - plant.place) < 0.01


def test_durations_are_linear_in_the_weights(reaches):
    for share in (0.0, 0.25, 0.5, 1.0):
        result = blend(reaches, [1.0 - share, 0.0, share])
        assert result.motion.n_frames - 1 == pytest.approx((1.0 - share) * 49 + share * 74, abs=1.0)


def test_blends_end_where_their_sources_end(walks):
    """The last frame is the clock's end, so that where the root comes to does not jump with the weights."""
    ends = []
    for share in np.linspace(0.2, 0.8, 25):
        result = blend(walks, [1.0 - share, share, 0.0], start=Placement(), clean_up=False)
        assert result.clock[-1] == walks.n_clock - 1
        assert (np.diff(result.clock) > 0).all()
        ends.append(result.motion.root_positions[-1, [0, 2]])
    steps = np.linalg.norm(np.diff(ends, axis=0), axis=1)
    assert steps.max() < 1.5 * np.median(steps)


def test_sources_of_one_speed_blend_to_that_speed():
    """A walk and itself at a third of the rate of steps, as fast over ground: slopes of 1 and 3 (du/dt: 1.33 times)."""
    from dataclasses import replace

    from motionary.alignment import Warp

    registration = register([reach(0.0, n_frames=40, peak=18), reach(0.0, n_frames=40, peak=18, name="b")])
    n = registration.n_clock
    moved = []
    for k, source in enumerate(registration.sources):
        n_frames = n if k == 0 else 3 * (n - 1) + 1
        root = np.tile(source.motion.root_positions[:1], (n_frames, 1))
        root[:, 2] = 0.04 * np.arange(n_frames)
        local = np.tile(source.motion.rotations[:1], (n_frames, 1, 1))
        moved.append(
            replace(source, motion=replace(source.motion, root_positions=root, rotations=local, translations=None))
        )
    steep = Warp(np.arange(n), 3.0 * np.arange(n))
    both = replace(
        registration,
        sources=tuple(moved),
        curves=np.stack([np.arange(float(n)), steep(np.arange(n))]),
        slopes=np.stack([np.ones(n), np.full(n, 3.0)]),
        turns=np.zeros((2, n)),
    )

    result = blend(both, [0.5, 0.5], clean_up=False)

    speeds = np.diff(result.motion.root_positions[:, 2])
    assert speeds == pytest.approx(np.full(len(speeds), 0.04), rel=0.01)


def test_planted_feet_of_a_blend_stand(walks):
    result = blend(walks, [0.3, 0.4, 0.3])

    assert result.plants
    assert result.naturalness.slide_worst < 0.002
    assert not any(held.reason for held in result.held)


def test_feet_stand_as_those_of_the_heaviest_source_do(walks):
    """What a source with hardly any weight does with its feet makes no difference."""
    from dataclasses import replace

    lifted = tuple(replace(source, plants=() if k else source.plants) for k, source in enumerate(walks.sources))
    some = replace(walks, sources=lifted)

    near, far = blend(some, [0.98, 0.01, 0.01]), blend(some, [0.02, 0.49, 0.49])

    own = [plant for plant in walks.sources[0].plants if plant.stop > plant.start + 1]
    assert sorted((p.foot, p.part) for p in near.plants) == sorted((p.foot, p.part) for p in own)
    assert far.plants == ()
    parts = blend(some, [0.02, 0.49, 0.49], groups={"left leg": [1.0, 0.0, 0.0]})
    assert {plant.foot for plant in parts.plants} == {"left"}


def test_time_runs_between_the_slowest_and_the_fastest_source():
    """dt/du = Σ w s′ would run backwards here, the slow source being extrapolated from the fast one."""
    slopes = np.array([[1.0 / 3.0] * 10, [3.0] * 10])
    curves, times, paces = slopes * np.arange(10.0), np.empty(10), np.empty(10)

    write_times(curves, slopes, np.tile([1.5, -0.5], (10, 1)), times, paces)

    assert paces == pytest.approx(np.full(10, 1.0 / 3.0))
    assert times == pytest.approx(np.arange(10) / 3.0)
    write_times(curves, slopes, np.tile([-0.5, 1.5], (10, 1)), times, paces)
    assert paces == pytest.approx(np.full(10, 3.0))


def test_weights_below_zero_extrapolate(reaches):
    hand = reaches.body.body_map.joints["RightHand"]
    turned = [
        np.ptp(np.unwrap(np.arctan2(*(blend(reaches, w).motion.positions_world[20:45, hand][:, [0, 2]].T))))
        for w in ([0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, -0.1, 1.1])
    ]
    assert np.isfinite(turned).all()
    assert blend(reaches, [0.0, -0.1, 1.1]).motion.n_frames == 75  # time runs no slower than in any source


def test_fingers_are_not_extrapolated_and_refuse_nothing():
    """Captures leave thumbs to chance: they may well be turned by 170°."""
    registration = register([with_thumb(reach(-20.0), 0.0), with_thumb(reach(20.0), 170.0)])
    thumb, arm = (registration.body.skeleton.index(name) for name in ("RThumb", "RightUpperArm"))

    made = blend(registration, [1.2, -0.2]).motion

    first = registration.sources[0].motion
    assert np.flatnonzero(registration.loose_joints).tolist() == [thumb]
    assert rotations.angle_between(made.rotations[:, thumb], first.rotations[0, thumb]).max() < 1e-6
    assert rotations.angle_between(made.rotations[28, arm], first.rotations[28, arm]) > 0.05


def test_weights_over_time_lead_from_one_source_to_another(walks):
    result = blend(walks, [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], clean_up=False)

    first, last = walks.sources[0].motion, walks.sources[2].motion
    assert rotations.angle_between(result.motion.rotations[0, 1:], first.rotations[0, 1:]).max() < 1e-6
    assert rotations.angle_between(result.motion.rotations[-1, 1:], last.rotations[-1, 1:]).max() < 0.25


def test_parts_of_the_body_have_their_own_weights(reaches):
    result = blend(reaches, [0.0, 1.0, 0.0], groups={"right arm": [0.0, 0.0, 1.0]})

    arm, others = joint_groups(reaches.body, "right arm"), joint_groups(reaches.body, "lower body")
    at = int(np.argmin(np.abs(result.clock - 20.0)))
    frame = round(float(result.source_frames[2, at]))
    near = rotations.angle_between(result.motion.rotations[at, arm], reaches.sources[2].motion.rotations[frame, arm])
    assert near.max() < 0.05
    assert np.allclose(result.motion.rotations[at, others], reaches.sources[1].motion.rotations[at, others], atol=1e-6)
    with pytest.raises(UsageError, match="'tail' is not a part of this body"):
        blend(reaches, [0.0, 1.0, 0.0], groups={"tail": [0.0, 0.0, 1.0]})


def test_a_blend_starts_where_it_is_told(walks):
    result = blend(walks, [0.2, 0.3, 0.5], start=Placement(0.4, 2.0, -1.0), clean_up=False)

    assert result.motion.root_positions[0, [0, 2]] == pytest.approx([2.0, -1.0])


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0.5, 0.5, 0.1], r"must sum to 1; these sum to 1\.1"),
        ([0.5, 0.5], "3 motions need 3 weights, not 2"),
        ([np.inf, 0.0, 0.0], "not a finite number"),
    ],
)
def test_weights_that_do_not_fit_are_refused(reaches, weights, message):
    with pytest.raises(UsageError, match=message):
        blend(reaches, weights)
