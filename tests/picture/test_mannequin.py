import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.motion import Motion, Skeleton, rotations
from motionary.picture import Row, film_strip
from motionary.picture.limbs import TRUNK
from motionary.picture.mannequin import mannequin_of
from motionary.picture.poses import poses_of
from motionary.rig import reference_skeleton


def test_the_size_of_a_human_body_is_about_its_height():
    for height in (0.02, 1.75, 30.0):
        assert mannequin_of(reference_skeleton(height)).size == pytest.approx(height, rel=0.03)


def test_both_sides_have_the_same_parts():
    mannequin = mannequin_of(reference_skeleton())

    left = sorted(part.radii for part in mannequin.parts if part.side == "left")
    right = sorted(part.radii for part in mannequin.parts if part.side == "right")

    assert left == right
    assert len(left) > 5


def test_limbs_grow_thinner_outwards_and_all_radii_are_positive():
    skeleton = reference_skeleton()
    mannequin = mannequin_of(skeleton)
    thigh, shin = skeleton.index("LeftThigh"), skeleton.index("LeftShin")

    (capsule,) = [part for part in mannequin.parts if part.nodes == (thigh, shin)]

    assert capsule.radii[0] > capsule.radii[1]
    assert all(radius > 0 for part in mannequin.parts for radius in part.radii)


def test_a_foot_gets_a_heel_only_if_it_has_none():
    reference = reference_skeleton()
    toes = np.array([name != "x" and not name.endswith("Foot") for name in reference.names])
    kept = [i for i, joint in enumerate(reference.end_site_joints) if toes[joint]]
    without = Skeleton(
        reference.names,
        reference.parents,
        reference.offsets,
        reference.end_site_joints[kept],
        reference.end_site_offsets[kept],
    )

    assert mannequin_of(reference).heels == ()
    assert [reference.names[heel.ankle] for heel in mannequin_of(without).heels] == ["LeftFoot", "RightFoot"]
    assert [reference.names[heel.toe] for heel in mannequin_of(without).heels] == ["LeftToe", "RightToe"]


def test_bones_of_no_length_are_not_drawn():
    skeleton = Skeleton(("a", "b", "c"), [-1, 0, 1], [[0, 0, 0], [0, 0, 0], [0, 1, 0]])

    parts = mannequin_of(skeleton).parts

    assert [part.nodes for part in parts] == [(1, 2)]


def test_a_single_joint_is_a_ball():
    (part,) = mannequin_of(Skeleton(("a",), [-1], np.zeros((1, 3)))).parts

    assert (part.nodes, part.limb, part.side) == ((0,), TRUNK, "middle")
    assert part.radii[0] > 0


WORDS = ("Left", "Right", "l", "r", "")
BONES = ("Hips", "Spine", "Head", "UpLeg", "Leg", "Foot", "Toe", "Arm", "ForeArm", "Hand", "Thumb", "tail", "x")


@st.composite
def skeletons(draw):
    """Trees of any shape with names that may mean something, bones of no length and end sites among them."""
    n = draw(st.integers(1, 25))
    lengths = st.sampled_from([0.0, 0.0, 0.01, 0.2, -0.4])
    names = [f"{draw(st.sampled_from(WORDS))}{draw(st.sampled_from(BONES))}{i}" for i in range(n)]
    parents = [-1, *(draw(st.integers(0, i - 1)) for i in range(1, n))]
    offsets = draw(st.lists(st.tuples(lengths, lengths, lengths), min_size=n, max_size=n))
    ends = draw(st.lists(st.tuples(st.integers(0, n - 1), lengths), max_size=6))
    tips = np.array([(0.0, length, 0.0) for _, length in ends]).reshape(-1, 3)
    return Skeleton(tuple(names), parents, np.array(offsets, dtype=float), [joint for joint, _ in ends], tips)


@given(skeletons())
def test_any_skeleton_has_a_body_that_can_be_drawn(skeleton):
    still = np.tile(rotations.IDENTITY, (2, skeleton.n_joints, 1))

    mannequin = mannequin_of(skeleton)
    drawing = film_strip([Row(Motion(skeleton, 0.1, np.zeros((2, 3)), still))], width=400)

    n_nodes = skeleton.n_joints + len(skeleton.end_site_joints) + len(mannequin.heels)
    assert mannequin.parts or mannequin.head
    assert all(0 <= node < n_nodes for part in mannequin.parts for node in part.nodes)
    assert all(np.isfinite(shape.points).all() for shape in drawing.primitives if hasattr(shape, "points"))


def test_soles_of_a_side_are_of_that_side():
    mannequin = mannequin_of(reference_skeleton())

    for side in ("left", "right"):
        names = [mannequin.skeleton.names[sole.nodes[0]].lower() for sole in mannequin.foot_parts(side)]
        assert set(names) == {f"{side}foot"}
    assert mannequin.foot_parts("middle") == []


def test_a_root_on_the_floor_far_away_is_not_drawn():
    body = reference_skeleton()
    far = Skeleton(
        ("joint_Root", *body.names),
        np.concatenate([[-1], body.parents + 1]),
        np.concatenate([np.zeros((1, 3)), [[4.0, 1.0, 0.0]], body.offsets[1:]]),
        body.end_site_joints + 1,
        body.end_site_offsets,
    )
    motion = Motion(far, 0.1, np.zeros((2, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (2, far.n_joints, 1)))

    mannequin = mannequin_of(far)

    assert mannequin.size == pytest.approx(mannequin_of(body).size)
    assert not any(0 in part.nodes and len(part.nodes) == 2 for part in mannequin.parts)
    assert np.ptp(poses_of(mannequin, motion, np.arange(2)).nodes[0, :, 0]) < 2.0


def test_dummy_end_sites_make_no_longer_heads():
    body = reference_skeleton()
    head = body.index("Head")
    kept = body.end_site_joints != head
    marked = Skeleton(
        (*body.names, "HeadTop_End"),
        np.append(body.parents, head),
        np.concatenate([body.offsets, body.end_sites(head)]),
        np.append(body.end_site_joints[kept], body.n_joints),
        np.concatenate([body.end_site_offsets[kept], 3.0 * body.end_sites(head)]),
    )

    assert mannequin_of(marked).size == pytest.approx(mannequin_of(body).size)
    assert mannequin_of(marked).head.half_length == pytest.approx(mannequin_of(body).head.half_length)
