"""Three meanings of position channels, told by the numbers."""

import numpy as np
import pytest

from bvh_files import bvh, nested, one, parse

SIX = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"
ADDS = "position channels of joints are taken as added to their OFFSETs"
WORLD = "position channels of joints are taken as places in the world"
ROOT_ADDS = "the root's position channels are added to its OFFSET"


def body(root_offset: str = "0 0 0") -> str:
    """Hips, a spine of length 10, a neck of length 5 and a head that sits on it, all with positions."""
    return nested(SIX, ("Spine", "0 10 0", SIX), ("Neck", "0 5 0", SIX), ("Head", "0 0 0", SIX), offset=root_offset)


def frame(*places: str) -> str:
    return " ".join(f"{place} 0 0 0" for place in places)


def rule(text: str) -> str:
    return one(text).layout.translation_rule


@pytest.mark.parametrize("hips", ["0 0 0", "3 90 -200"])
def test_positions_that_repeat_the_offsets_replace_them(hips):
    file = parse(bvh((frame(hips, "0 10 0", "0 5.0001 0", "0 0 0"),), hierarchy=body()))

    (recording,) = file.recordings
    assert recording.layout.translation_rule == "replaces offset"
    assert file.notes == ()
    root = np.array([float(word) for word in hips.split()])
    np.testing.assert_allclose(recording.motion().positions_world[0, 2] - root, [0, 15.0001, 0])


def test_bones_that_really_change_their_lengths_still_replace():
    frames = tuple(frame("0 90 0", f"0 {10 + f % 3} 0", f"0 {5 - f % 2} 0", "0 0.3 0") for f in range(9))

    assert rule(bvh(frames, hierarchy=body())) == "replaces offset"


def test_positions_near_zero_add_to_the_offsets():
    file = parse(bvh((frame("0 90 0", "0 0 0", "0 0.1 0", "0 0 0"),), hierarchy=body()))

    assert file.recordings[0].layout.translation_rule == "adds to offset"
    assert file.notes == (ADDS,)
    np.testing.assert_allclose(file.recordings[0].motion().positions_world[0, 2], [0, 105.1, 0])


def test_the_root_adds_too_where_it_stays_near_zero():
    file = parse(bvh((frame("0 0.5 0", "0 0 0", "0 0 0", "0 0 0"),), hierarchy=body("0 90 0")))

    assert file.notes == (ADDS, ROOT_ADDS)
    np.testing.assert_allclose(file.recordings[0].motion().positions_world[0, :2], [[0, 90.5, 0], [0, 100.5, 0]])


def test_the_root_is_absolute_where_it_repeats_its_offset():
    file = parse(bvh((frame("0 91 0", "0 0 0", "0 0 0", "0 0 0"),), hierarchy=body("0 90 0")))

    assert file.notes == (ADDS,)
    np.testing.assert_allclose(file.recordings[0].motion().positions_world[0, 0], [0, 91, 0])


@pytest.mark.parametrize("offset", ["0 94 0", "-2.1 99.8 3", "1 90 2"])
def test_a_root_offset_is_not_added_to_root_channels(offset):
    hierarchy = nested(SIX, ("Spine", "0 10 0", "Xrotation"), offset=offset)
    file = parse(bvh(("1 90 2 0 0 0 0",), hierarchy=hierarchy))

    assert file.notes == ()
    np.testing.assert_allclose(file.recordings[0].motion().positions_world[0], [[1, 90, 2], [1, 100, 2]])


@pytest.mark.parametrize("start", ["0", "300"])
def test_positions_beside_the_root_are_places_in_the_world(start):
    """As in a Vicon export: only two joints have positions, and their rotations stay relative to the parents."""
    hierarchy = nested(SIX, ("thorax", "0 10 0", SIX), ("arm", "4 0 0", "Zrotation"), ("head", "0 5 0", SIX))
    x = float(start)
    turned = f"{x} 90 7 90 0 0 {x - 10} 90 7 0 0 0 0 {x - 15} 94 7 0 0 0"
    upright = f"{x} 90 7 0 0 0 {x} 100 7 0 0 0 0 {x + 4} 105 7 0 0 0"
    file = parse(bvh((upright, turned), hierarchy=hierarchy))

    (recording,) = file.recordings
    assert recording.layout.translation_rule == "world"
    assert file.notes == (WORLD,)
    positions = recording.motion().positions_world
    np.testing.assert_allclose(positions[0, :, 0], [x, x, x + 4, x + 4], atol=1e-9)
    np.testing.assert_allclose(positions[1], [[x, 90, 7], [x - 10, 90, 7], [x - 10, 94, 7], [x - 15, 94, 7]], atol=1e-9)


def test_a_hip_below_a_floor_point_moves_while_the_others_repeat_their_offsets():
    """As in Bandai's files, whose Hips are hundreds of centimetres from their OFFSET."""
    hierarchy = nested(
        SIX, ("Hips", "-150 80 240", SIX), ("Spine", "10 0 0", SIX), ("Neck", "5 0 0", SIX), root="joint_Root"
    )
    frames = tuple(frame("0 0 0", f"{f} 85 {300 + f}", "10 0 0", "5 0 0") for f in range(5))
    file = parse(bvh(frames, hierarchy=hierarchy))

    assert file.notes == ()
    np.testing.assert_allclose(file.recordings[0].motion().positions_world[4, 1], [4, 85, 304])


def test_a_single_moving_joint_below_a_reference_node_replaces():
    hierarchy = nested("", ("Hips", "0 0 0", SIX), ("Spine", "0 10 0", "Xrotation"), root="Reference")

    assert rule(bvh(("5 90 7 0 0 0 0", "6 90 7 0 0 0 0"), hierarchy=hierarchy)) == "replaces offset"


def test_offsets_that_are_all_zero_tell_nothing():
    hierarchy = nested(SIX, ("a", "0 0 0", SIX))

    assert rule(bvh((frame("0 9 0", "0 9 0"),), hierarchy=hierarchy)) == "replaces offset"


def test_single_coordinates_are_no_places_in_the_world():
    hierarchy = nested(SIX, ("a", "0 10 0", "Yposition"))

    assert rule(bvh(("0 90 0 0 0 0 100",), hierarchy=hierarchy)) == "replaces offset"


@pytest.mark.parametrize("height", [15, 90, 300])
def test_hips_below_a_reference_go_where_their_channels_say(height):
    legs = "".join(
        f"JOINT {side}Leg {{ OFFSET {x} -10 0 CHANNELS 3 Zrotation Xrotation Yrotation "
        "End Site { OFFSET 0 -70 0 } }\n"
        for side, x in (("Left", 9), ("Right", -9))
    )
    hierarchy = (
        f"HIERARCHY\nROOT Reference {{ OFFSET 0 0 0 CHANNELS 6 {SIX}\n"
        f"JOINT Hips {{ OFFSET 0 90 0 CHANNELS 6 {SIX}\n{legs}}} }}\n"
    )
    values = " ".join(["0 0 0 0 0 0", f"20 {height} 0 0 0 0", "0 0 0", "0 0 0"])
    (recording,) = parse(bvh((values, values), hierarchy=hierarchy)).recordings

    np.testing.assert_allclose(recording.motion().positions_world[0, 1], [20, height, 0])
