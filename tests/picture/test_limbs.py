from dataclasses import replace

import numpy as np

from motionary.motion import Skeleton
from motionary.picture.limbs import HEAD, TRUNK, limbs_of
from motionary.picture.tree import Tree
from motionary.rig import map_skeleton, reference_skeleton


def test_the_reference_body_has_trunk_head_and_four_limbs():
    skeleton = reference_skeleton()

    limbs = limbs_of(skeleton, Tree(skeleton))

    at = skeleton.index
    assert limbs.pairs == ((at("LeftThigh"), at("RightThigh")), (at("LeftUpperArm"), at("RightUpperArm")))
    assert limbs.head == at("Head")
    assert limbs.centre == at("Hips")
    assert set(limbs.hands) == {at("LeftHand"), at("RightHand")}
    assert set(limbs.feet) == {at("LeftFoot"), at("RightFoot")}
    assert {limbs.of_node[at(name)] for name in ("Hips", "Spine4", "Neck2", "LeftClavicle")} == {TRUNK}
    assert limbs.of_node[at("Head")] == HEAD
    assert len({limbs.of_node[start] for start in limbs.starts}) == 4
    for chain in (("LeftThigh", "LeftShin", "LeftToe"), ("RightUpperArm", "RightForearm", "RightHand")):
        assert len({limbs.of_node[at(name)] for name in chain}) == 1
    assert limbs.sides[at("LeftClavicle")] == "left"


def test_end_sites_and_unnamed_fingers_are_on_their_parents_side():
    skeleton = reference_skeleton()

    limbs = limbs_of(skeleton, Tree(skeleton))

    for node, joint in enumerate(skeleton.end_site_joints, start=skeleton.n_joints):
        assert limbs.sides[node] == limbs.sides[joint]


def test_a_creature_without_sides_has_a_limb_for_every_branch(creature):
    limbs = limbs_of(creature.skeleton, Tree(creature.skeleton))

    names = [creature.skeleton.names[start] for start in limbs.starts]
    assert names == ["fore1", "mate1", "hind1", "peer1", "tail1"]
    assert set(limbs.sides) == {"middle"}
    assert limbs.pairs == ()
    assert creature.skeleton.names[limbs.head] == "Head"


def test_a_sided_creature_that_cannot_be_mapped_has_its_pairs_found_by_length():
    names = ("body", "wing_l", "wing_l_tip", "wing_r", "wing_r_tip")
    offsets = [[0, 0, 0], [0.05, 0, 0], [0.5, 0, 0], [-0.05, 0, 0], [-0.5, 0, 0]]
    skeleton = Skeleton(names, [-1, 0, 1, 0, 3], np.array(offsets))

    limbs = limbs_of(skeleton, Tree(skeleton))

    assert limbs.pairs == ((1, 3),)
    assert limbs.centre == 0


def test_a_hand_alone_is_one_limb():
    skeleton = Skeleton(("LeftHand", "thumb", "index"), [-1, 0, 0], [[0, 0, 0], [0.1, 0, 0], [0.0, 0.1, 0]])

    limbs = limbs_of(skeleton, Tree(skeleton))

    assert set(limbs.sides) == {"left"}
    assert limbs.starts == (0,)
    assert TRUNK not in limbs.of_node


def test_bones_in_two_halves_count_as_one_and_collar_bones_stay_with_the_trunk():
    names, parents, offsets = ["body"], [-1], [[0.0, 0.0, 0.0]]
    for side, sign in (("L", 1.0), ("R", -1.0)):
        parent = 0
        for part, length in (("collar", 0.2), ("arm01", 0.13), ("arm02", 0.13), ("fore01", 0.12), ("fore02", 0.14)):
            names.append(f"{part}.{side}")
            parents.append(parent)
            offsets.append([sign * length, 0.0, 0.0])
            parent = len(names) - 1
    skeleton = Skeleton(tuple(names), parents, np.array(offsets))

    limbs = limbs_of(skeleton, Tree(skeleton))

    assert [names[start] for start in limbs.starts] == ["arm01.L", "arm01.R"]


def test_a_map_tells_the_limbs_of_joints_whose_names_say_nothing():
    named = reference_skeleton()
    names = tuple(f"bone{joint:02d}" for joint in range(named.n_joints))
    skeleton = replace(named, names=names)
    body_map = map_skeleton(skeleton, user_map=dict(zip(named.names, names, strict=True)))

    limbs = limbs_of(skeleton, Tree(skeleton), body_map=body_map)

    assert limbs == limbs_of(named, Tree(named))
    assert limbs != limbs_of(skeleton, Tree(skeleton))
