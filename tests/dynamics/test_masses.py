from dataclasses import replace

import numpy as np
import pytest

from motionary.dynamics import BODY_PARTS, body_masses, centre_of_mass, part_masses
from motionary.errors import MappingError, SkeletonError, UsageError
from motionary.motion import Motion, Skeleton, rotations
from motionary.rig import body_of, reference_skeleton, root_height
from rig.bodies import dance, with_axes
from rig.families import FAMILIES, family_skeleton


def standing(skeleton: Skeleton, n_frames: int = 1) -> Motion:
    root = np.zeros((n_frames, 3))
    root[:, 1] = root_height(skeleton)
    turned = np.tile(rotations.IDENTITY, (n_frames, skeleton.n_joints, 1))
    return Motion(skeleton, 1 / 60, root, turned)


def test_a_standing_body_has_its_centre_over_the_middle_and_above_the_hip_joints():
    skeleton = reference_skeleton()

    x, y, z = centre_of_mass(standing(skeleton), body_masses(body_of(skeleton)))[0]

    assert x == pytest.approx(0.0, abs=1e-12)
    assert abs(z) < 0.03
    assert 0.55 * 1.75 < y < 0.63 * 1.75  # Winter and others: 0.56 of the height with hanging arms; here a T-pose


def test_every_limb_is_where_winter_says():
    skeleton = reference_skeleton()
    motion = standing(skeleton)
    masses = body_masses(body_of(skeleton))
    centres = dict(zip([BODY_PARTS[part] for part in masses.parts], masses.centres_world(motion)[0], strict=True))
    places = {name: motion.positions_world[0, i] for i, name in enumerate(skeleton.names)}

    for part, start, end, share in (
        ("LeftThigh", "LeftThigh", "LeftShin", 0.433),
        ("RightShin", "RightShin", "RightFoot", 0.433),
        ("RightFoot", "RightFoot", "RightToe", 0.5),
        ("LeftUpperArm", "LeftUpperArm", "LeftForearm", 0.436),
        ("RightForearm", "RightForearm", "RightHand", 0.430),
    ):
        assert centres[part] == pytest.approx(places[start] + share * (places[end] - places[start]))
    assert centres["Head"][1] == pytest.approx(places["Head"][1] + 0.041 * 1.75, rel=0.01)


def test_the_trunk_keeps_its_centres_however_many_joints_its_spine_has():
    four = reference_skeleton()
    spine = [four.index(f"Spine{i}") for i in (2, 3)]
    kept = [joint for joint in range(four.n_joints) if joint not in spine]  # a spine of two joints in the same line
    offsets = np.array(four.offsets)
    offsets[four.index("Spine4")] += four.offsets[spine].sum(axis=0)
    parents = [four.parents[joint] if four.parents[joint] not in spine else four.index("Spine1") for joint in kept]
    two = Skeleton(
        tuple(four.names[joint] for joint in kept),
        np.array([-1] + [kept.index(parent) for parent in parents[1:]]),
        offsets[kept],
        np.array([kept.index(joint) for joint in four.end_site_joints]),
        four.end_site_offsets,
    )

    for skeleton in (four, two):
        masses = body_masses(body_of(skeleton))
        trunk = np.isin(masses.parts, [BODY_PARTS.index(part) for part in ("Thorax", "Abdomen", "Pelvis")])
        centres = masses.centres_world(standing(skeleton))[0]
        trunk_centre = masses.shares[trunk] @ centres[trunk] / masses.shares[trunk].sum()
        places = standing(skeleton).positions_world[0]
        hip, shoulder = (places[skeleton.index(name), 1] for name in ("LeftThigh", "LeftUpperArm"))
        assert masses.shares[trunk].sum() == pytest.approx(0.497)
        assert trunk_centre[1] == pytest.approx(0.5 * (hip + shoulder), abs=0.012)  # Winter: half-way


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_every_rig_carries_a_whole_symmetric_body(family):
    body = body_of(family_skeleton(family))
    masses = body_masses(body)

    shares = masses.part_shares
    assert sum(shares.values()) == pytest.approx(1.0)
    assert all(share > 0.0 for share in shares.values())
    for part, share in shares.items():
        if part.startswith("Left"):
            assert share == shares[part.replace("Left", "Right")]
    assert np.isfinite(masses.offsets).all()
    assert np.abs(masses.offsets).max() < masses.height
    assert np.linalg.norm(masses.axes, axis=1) == pytest.approx(np.ones(masses.n_pieces))


def test_axes_of_joints_do_not_matter():
    motion = dance()
    rng = np.random.default_rng(1)
    axes = rotations.normalise(rng.normal(size=(motion.skeleton.n_joints, 4)))
    turned = with_axes(motion, axes)
    body = body_of(motion.skeleton)
    other = replace(
        body,
        skeleton=turned.skeleton,
        rest_world=rotations.multiply(body.rest_world, axes),
        feet=replace(body.feet, offsets=rotations.rotate(rotations.inverse(axes[body.feet.joints]), body.feet.offsets)),
    )

    assert centre_of_mass(turned, body_masses(other)) == pytest.approx(centre_of_mass(motion, body_masses(body)))


def test_the_body_mass_follows_the_height_unless_it_is_given():
    masses = body_masses(body_of(reference_skeleton(1.75)))

    assert masses.height == pytest.approx(1.75, rel=0.01)
    assert masses.body_mass == pytest.approx(22.5 * masses.height**2)
    assert body_masses(body_of(reference_skeleton()), body_mass=80.0).body_mass == 80.0
    with pytest.raises(UsageError, match="a body cannot weigh -1 kg"):
        body_masses(body_of(reference_skeleton()), body_mass=-1.0)


def test_other_shares_move_the_centre():
    skeleton = reference_skeleton()
    masses = body_masses(body_of(skeleton))
    heavy = body_masses(body_of(skeleton), parts=part_masses({"LeftHand": 0.3}))

    assert centre_of_mass(standing(skeleton), heavy)[0, 0] > 0.2
    assert masses.with_shares(heavy.part_shares).shares == pytest.approx(heavy.shares)


def test_a_skeleton_without_a_body_has_no_masses():
    with pytest.raises(MappingError):
        body_of(Skeleton(("a", "b"), np.array([-1, 0]), np.zeros((2, 3))))


def test_masses_of_another_skeleton_are_refused():
    motion = dance()
    other = replace(motion.skeleton, names=tuple(f"x{name}" for name in motion.skeleton.names))
    masses = body_masses(body_of(motion.skeleton))

    with pytest.raises(SkeletonError, match="these masses belong to another skeleton"):
        centre_of_mass(replace(motion, skeleton=other), masses)


def test_shares_must_sum_to_one():
    masses = body_masses(body_of(reference_skeleton()))

    with pytest.raises(UsageError, match="must be 0 or more and sum to 1"):
        replace(masses, shares=2.0 * masses.shares)
