"""What the world writes as BVH is read as it was meant."""

import codecs

import numpy as np
import pytest

from bvh_files import FRAMES, HIERARCHY, TWO_ROOTS, VALUES, bvh, nested, one, parse
from motionary.errors import MotionFileError
from motionary.motion import Space

PLAIN = bvh()
ROTATIONS = "Zrotation Yrotation Xrotation"
POSITIONS = "Xposition Yposition Zposition"


def test_the_plain_file_is_read_as_written():
    file = parse(PLAIN)

    (recording,) = file.recordings
    assert file.notes == ()
    assert recording.skeleton.names == ("Hips", "Chest")
    assert recording.skeleton.parents.tolist() == [-1, 0]
    assert recording.skeleton.offsets.tolist() == [[0, 0, 0], [0, 5, 0]]
    assert recording.skeleton.end_site_joints.tolist() == [1]
    assert recording.skeleton.end_site_offsets.tolist() == [[0, 3.5, 0]]
    assert recording.layout.rotation_order(0) == "ZXY"
    assert recording.layout.joints.tolist() == [0] * 6 + [1] * 3
    assert recording.layout.kinds.tolist() == [0, 1, 2, 5, 3, 4, 5, 3, 4]
    assert recording.frame_time == 0.0333333
    assert recording.space == Space()
    np.testing.assert_array_equal(recording.values, VALUES)


def test_positions_are_those_computed_by_hand():
    positions = one(PLAIN).motion().positions_world

    np.testing.assert_allclose(positions[:2], [[[1, 2, 3], [1, 7, 3]], [[1, 2, 3], [-4, 2, 3]]], atol=1e-12)


QUIRKS = {
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "bare CR": PLAIN.replace("\n", "\r"),
    "CRLF and LF in one file": PLAIN.replace("\n", "\r\n", 3),
    "header CRLF, data LF": HIERARCHY.replace("\n", "\r\n") + PLAIN[len(HIERARCHY) :],
    "CRLF with one LF behind ROOT": PLAIN.replace("\n", "\r\n").replace("ROOT Hips\r\n", "ROOT Hips\n"),
    "tabs for blanks": PLAIN.replace(" ", "\t").replace("Frame\tTime", "Frame Time").replace("End\tSite", "End Site"),
    "tab-separated data": bvh(tuple(line.replace(" ", "\t") for line in FRAMES)),
    "trailing blanks everywhere": PLAIN.replace("\n", " \t \n"),
    "trailing blank behind CHANNELS": PLAIN.replace("Yrotation\n", "Yrotation \n"),
    "data lines begin with blanks": bvh(tuple("  " + line for line in FRAMES)),
    "runs of blanks in data": bvh(tuple(line.replace(" ", "    ") for line in FRAMES)),
    "four blanks behind Frames": PLAIN.replace("Frames: ", "Frames:    ").replace("Time: ", "Time:    "),
    "tab behind Frames, blanks behind Time": PLAIN.replace("Frames: ", "Frames:\t").replace("Time: ", "Time:  "),
    "no blank behind the colons": PLAIN.replace("Frames: ", "Frames:").replace("Time: ", "Time:"),
    "blank before the colons": PLAIN.replace("Frames:", "Frames :").replace("Time:", "Time :"),
    "Frame Time before Frames": PLAIN.replace(
        "Frames: 3\nFrame Time: 0.0333333\n", "Frame Time: 0.0333333\nFrames: 3\n"
    ),
    "no newline at the end": bvh(end=""),
    "blank last lines": bvh(end="\n\n \t\n"),
    "blank lines between frames": bvh(("", *FRAMES[:1], "", " ", *FRAMES[1:]), count=3),
    "blank lines in the hierarchy": PLAIN.replace("{\n", "{\n\n"),
    "End site in lower case": PLAIN.replace("End Site", "End site"),
    "keywords in lower case": PLAIN.replace("HIERARCHY", "hierarchy")
    .replace("ROOT", "root")
    .replace("JOINT", "Joint")
    .replace("OFFSET", "offset")
    .replace("CHANNELS", "Channels")
    .replace("MOTION", "Motion")
    .replace("Frames:", "FRAMES:")
    .replace("Frame Time:", "FRAME TIME:"),
    "channels in other case": PLAIN.replace("Xrotation", "XROTATION").replace("Yposition", "yposition"),
    "opening braces behind the names": PLAIN.replace("\n{", " {").replace("\n  {", "{").replace("\n    {", " {"),
    "all of the hierarchy in one line but names": PLAIN.replace("\n  OFFSET", " OFFSET").replace("\n}", " }"),
    "offset with a negative zero": PLAIN.replace("OFFSET 0 5 0", "OFFSET -0 5.0 0"),
    "exponents": PLAIN.replace("OFFSET 0 5 0", "OFFSET 0 0.5e+001 0").replace("2.25", "2250.0E-003"),
    "plus signs": PLAIN.replace("2.25", "+2.25"),
    "UTF-8 byte order mark": codecs.BOM_UTF8 + PLAIN.encode(),
    "UTF-16": PLAIN.encode("utf-16"),
    "form feed and vertical tab": PLAIN.replace("2.25 ", "2.25\f\v"),
    "blank lines before HIERARCHY": "\n \r\n" + PLAIN,
    "End Site with a name": PLAIN.replace("End Site", "End Site Chest_End"),
    "End Site with no channels, said so": PLAIN.replace("OFFSET 0 3.5 0", "OFFSET 0 3.5 0\nCHANNELS 0"),
    "CHANNELS before OFFSET": PLAIN.replace(
        "    OFFSET 0 5 0\n    CHANNELS 3 Zrotation Xrotation Yrotation\n",
        "    CHANNELS 3 Zrotation Xrotation Yrotation\n    OFFSET 0 5 0\n",
    ),
    "OFFSET over several lines": PLAIN.replace("OFFSET 0 5 0", "OFFSET\n0\n5\n0"),
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_quirks_of_the_text_change_nothing(quirk):
    file = parse(QUIRKS[quirk])

    (recording,) = file.recordings
    assert file.notes == ()
    assert recording.skeleton.same_as(one(PLAIN).skeleton)
    assert recording.frame_time == 0.0333333
    np.testing.assert_array_equal(recording.layout.kinds, one(PLAIN).layout.kinds)
    np.testing.assert_array_equal(recording.values, VALUES)


@pytest.mark.parametrize(
    "text", [".0083333", "0.033333", "0.03333333333333333", "0.004167", "0.02127226", "1.0", "1", "8.3333e-3"]
)
def test_the_frame_time_stays_what_it_is(text):
    assert one(bvh(frame_time=text)).frame_time == float(text)


@pytest.mark.parametrize(
    "name",
    ["Bip01 L Thigh", "Bip001  L  Thigh", "mixamorig:Hips", "finger1-1.L", "Hüfte", "下半身", "__helper", "#7",
     "MOTION", "End", "ROOT"],
)  # fmt: skip
def test_names_are_whatever_stands_in_the_line(name):
    assert one(PLAIN.replace("Chest", name)).skeleton.names == ("Hips", name)


def test_names_that_are_not_utf8_are_latin1():
    assert one(PLAIN.replace("Chest", "Hüfte").encode("latin-1")).skeleton.names[1] == "Hüfte"


def test_names_that_come_twice_are_noted():
    assert parse(PLAIN.replace("Chest", "Hips")).notes == ("several joints are named 'Hips'",)


@pytest.mark.parametrize(
    "channels",
    ["", "Xrotation", "Xrotation Zrotation", ROTATIONS, "Zposition Yrotation Xposition",
     f"{ROTATIONS} {POSITIONS}", f"{POSITIONS} {ROTATIONS}"],
)  # fmt: skip
def test_any_channels_in_any_order(channels):
    n_own = len(channels.split())
    line = " ".join(["7"] * (6 + n_own))
    recording = one(bvh((line,), hierarchy=nested(f"{POSITIONS} {ROTATIONS}", ("Chest", "0 1 0", channels))))

    from_file = [recording.layout.kinds[c] for c in recording.layout.of_joint(1)]
    assert [("X", "Y", "Z")[kind % 3] + ("position", "rotation")[kind // 3] for kind in from_file] == channels.split()
    assert recording.values.shape == (1, 6 + n_own)


def test_rotation_channels_before_position_channels():
    hierarchy = nested(f"{ROTATIONS} {POSITIONS}", ("Chest", "0 5 0", ""))

    motion = one(bvh(("90 0 0 1 2 3",), hierarchy=hierarchy)).motion()

    np.testing.assert_allclose(motion.positions_world, [[[1, 2, 3], [-4, 2, 3]]], atol=1e-12)


def test_a_joint_without_a_channels_line_has_none():
    recording = one(
        bvh(("1 2 3 0 0 0",), hierarchy=HIERARCHY.replace("    CHANNELS 3 Zrotation Xrotation Yrotation\n", ""))
    )

    assert recording.layout.joints.tolist() == [0] * 6


def test_joints_without_end_site():
    without = HIERARCHY.replace("    End Site\n    {\n      OFFSET 0 3.5 0\n    }\n", "")

    assert len(one(bvh(hierarchy=without)).skeleton.end_site_joints) == 0


@pytest.mark.parametrize("first", [True, False])
def test_an_end_site_beside_child_joints(first):
    site, child = "End Site\n{\nOFFSET 9 0 0\n}\n", HIERARCHY[HIERARCHY.index("  JOINT") : -2]
    both = HIERARCHY.replace(child, site + child if first else child + site)
    skeleton = one(bvh(hierarchy=both)).skeleton

    assert skeleton.end_site_joints.tolist() == [0, 1]
    assert skeleton.end_site_offsets.tolist() == [[9, 0, 0], [0, 3.5, 0]]


def test_several_end_sites_on_one_joint_and_some_of_length_0():
    site = "    End Site\n    {\n      OFFSET 0 3.5 0\n    }\n"
    skeleton = one(bvh(hierarchy=HIERARCHY.replace(site, site + site.replace("3.5", "0")))).skeleton

    assert skeleton.end_sites(1).tolist() == [[0, 3.5, 0], [0, 0, 0]]


def test_each_root_is_a_recording_with_its_own_columns():
    file = parse(bvh(("1 2 3 4 5 6 7 8 9", "11 12 13 14 15 16 17 18 19"), hierarchy=TWO_ROOTS))

    anna, ben = file.recordings
    assert (anna.skeleton.names, ben.skeleton.names) == (("Anna", "Arm"), ("Ben", "Bone", "Tip"))
    assert anna.values.tolist() == [[1, 2, 3, 4, 5, 6, 7], [11, 12, 13, 14, 15, 16, 17]]
    assert ben.values.tolist() == [[8, 9], [18, 19]]
    assert ben.layout.joints.tolist() == [0, 2]
    assert file.notes == ("2 roots, each a recording of its own: Anna, Ben",)


def test_a_root_without_channels_beside_one_that_moves():
    second = nested("", root="Box").partition("\n")[2]
    moving, box = parse(bvh(hierarchy=HIERARCHY + second)).recordings

    assert moving.values.shape == (3, 9)
    assert box.values.shape == (3, 0)
    assert box.motion().positions_world.shape == (3, 1, 3)


def test_five_euler_orders_and_mixed_channel_counts_in_one_file():
    orders = ["XZY", "YZX", "ZYX", "XYZ"]
    joints = [(order, "0 1 0", " ".join(f"{axis}rotation" for axis in order)) for order in orders]
    hierarchy = nested(f"{POSITIONS} Zrotation Xrotation Yrotation", *joints)
    recording = one(bvh((" ".join(map(str, range(18))),), hierarchy=hierarchy))

    assert [recording.layout.rotation_order(joint) for joint in range(5)] == ["ZXY", *orders]
    assert recording.values.tolist() == [list(range(18))]


def test_all_zero_frames_inside_a_take_stay():
    zeros = " ".join(["0"] * 9)
    recording = one(bvh((FRAMES[0], zeros, zeros, FRAMES[1])))

    assert np.flatnonzero(~recording.values.any(axis=1)).tolist() == [1, 2]


def test_angles_beyond_a_turn_stay():
    assert one(bvh(("0 0 0 574.25 -407 3100 0 0 0",))).values[0, 3:6].tolist() == [574.25, -407.0, 3100.0]


# The announced frame count decides what is motion.


@pytest.mark.parametrize(("n_more", "lines"), [(1, "1 line"), (11, "11 lines"), (22, "22 lines")])
def test_frames_beyond_the_announced_count_are_noted_and_not_read(n_more, lines):
    file = parse(bvh(FRAMES + FRAMES[:1] * n_more, count=3))

    np.testing.assert_array_equal(file.recordings[0].values, VALUES)
    assert file.notes == (f"{lines} not read behind the 3 announced frames, {n_more} of them like frames",)


@pytest.mark.parametrize(
    "tail",
    [
        "3 0 1 2\n2 0 2\n1 0\n",
        "made by hand\nwith love\nand care",
        "1 2\n3 4\n\n5 6",
        "nan\n\ninf\n<<<<<<< HEAD\n",
    ],
    ids=["QAvimator's key frames", "text", "numbers", "words that are no numbers"],
)
def test_whatever_follows_the_last_frame_is_noted_and_not_read(tail):
    file = parse(bvh(end="\n" + tail))

    np.testing.assert_array_equal(file.recordings[0].values, VALUES)
    assert file.notes == ("3 lines not read behind the 3 announced frames",)


def test_frames_that_flow_over_lines_are_counted_off():
    folded = [part for line in FRAMES for part in line.split(" ", 1)]
    file = parse(bvh(tuple(folded), count=3))

    np.testing.assert_array_equal(file.recordings[0].values, VALUES)
    assert file.notes == ("frames and lines do not coincide; the numbers were counted off instead",)


def test_all_frames_in_one_line_are_counted_off():
    np.testing.assert_array_equal(one(bvh((" ".join(FRAMES),), count=3)).values, VALUES)


def test_a_file_without_line_ends_is_counted_off():
    in_one_line = bvh().replace("\n", " ").replace("Hips {", "Hips{")

    np.testing.assert_array_equal(one(in_one_line).values, VALUES)


def test_lines_whose_lengths_only_happen_to_sum_up_are_an_error():
    with pytest.raises(MotionFileError, match=r"frame 0 has 10 values, expected 9"):
        parse(bvh((FRAMES[0] + " 1", FRAMES[1][2:]), count=2))
