"""Written recordings read back as what they were."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bvh_files import FRAMES, HIERARCHY, bvh, nested, one
from motionary.errors import SkeletonError
from motionary.formats.bvh import bvh_text
from motionary.formats.bvh_write import numbers_text
from motionary.motion import ChannelLayout, Recording, Skeleton, recording_of, rotations
from strategies import motions

SIX = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"


def back(recording: Recording) -> Recording:
    return one(bvh_text(recording))


def assert_same(a: Recording, b: Recording) -> None:
    """Same skeleton and layout to the bit, positions too; angles to 1e-4 degree, relative above 1,000."""
    assert a.skeleton.same_as(b.skeleton)
    assert a.frame_time == b.frame_time
    np.testing.assert_array_equal(a.layout.joints, b.layout.joints)
    np.testing.assert_array_equal(a.layout.kinds, b.layout.kinds)
    turns = a.layout.is_rotation
    np.testing.assert_array_equal(a.values[:, ~turns], b.values[:, ~turns])
    assert np.all(np.abs(a.values - b.values)[:, turns] <= 1e-4 * np.maximum(np.abs(a.values[:, turns]) / 1000.0, 1.0))


def test_the_text_of_a_small_file():
    text = bvh_text(one(bvh()))

    assert text.decode() == (
        "HIERARCHY\nROOT Hips\n{\n\tOFFSET 0.0 0.0 0.0\n"
        "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "\tJOINT Chest\n\t{\n\t\tOFFSET 0.0 5.0 0.0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
        "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0.0 3.5 0.0\n\t\t}\n\t}\n}\n"
        "MOTION\nFrames: 3\nFrame Time: 0.0333333\n"
        "1 2 3 0 0 0 0 0 0\n1 2 3 90 0 0 0 0 0\n1.5 2.25 -3 -90.125 10 0 0 0 0.5\n"
    )


@pytest.mark.parametrize(
    "hierarchy",
    [
        HIERARCHY,
        HIERARCHY.replace("Chest", "Bip01 L Thigh: große Zehe.下"),
        nested("Zrotation Zposition", ("a", "1e-17 -0 0.1", ""), ("b", "0 1 0", "Xrotation"), ("c", "0 0 0", SIX)),
        HIERARCHY.replace("  JOINT", "End Site\n{\nOFFSET 1 2 3\n}\nEnd Site\n{\nOFFSET 0 0 0\n}\n  JOINT"),
        HIERARCHY.replace("  JOINT", "  JOINT side\n{\nOFFSET 1 2 3\nJOINT tip\n{\nOFFSET 0 0 1\n}\n}\n  JOINT"),
    ],
)
def test_names_channels_order_end_sites_and_offsets_survive(hierarchy):
    n_channels = sum(int(line.split()[1]) for line in hierarchy.split("\n") if "CHANNELS" in line)
    rng = np.random.default_rng(1)
    recording = one(bvh((" ".join(map(repr, rng.normal(size=n_channels).tolist())),), hierarchy=hierarchy))

    assert_same(recording, back(recording))


@given(motions(), st.booleans())
def test_motions_written_as_channels_read_back(motion, through_single):
    skeleton = replace(motion.skeleton, names=tuple(f"joint {i}" for i in range(motion.skeleton.n_joints)))
    recording = recording_of(replace(motion, skeleton=skeleton))
    if through_single:
        turns = recording.layout.is_rotation
        recording = replace(recording, values=np.where(turns, recording.values.astype(np.float32), recording.values))
    read = back(recording)
    order = [recording.skeleton.index(name) for name in read.skeleton.names]  # the file's is depth-first

    assert sorted(order) == list(range(len(order)))
    assert read.frame_time == recording.frame_time
    np.testing.assert_array_equal(read.skeleton.offsets, recording.skeleton.offsets[order])
    np.testing.assert_allclose(
        replace(read, layout=replace(read.layout, translation_rule="replaces offset")).motion().positions_world,
        recording.motion().positions_world[:, order],
        atol=1e-5 * max(1.0, np.abs(skeleton.offsets).sum()),
    )


def test_joints_that_are_not_depth_first_take_their_columns_along():
    skeleton = Skeleton(("a", "b", "c", "d"), np.array([-1, 0, 0, 1]), np.arange(12.0).reshape(4, 3))
    layout = ChannelLayout(np.array([3, 0, 1, 2, 1]), np.array([3, 0, 5, 4, 3]))
    read = back(Recording(skeleton, layout, np.array([[30.0, 0.0, 10.0, 20.0, 11.0]]), 0.1))

    assert read.skeleton.names == ("a", "b", "d", "c")
    assert read.skeleton.parents.tolist() == [-1, 0, 1, 0]
    assert read.values.tolist() == [[0.0, 10.0, 11.0, 30.0, 20.0]]
    assert read.layout.kinds.tolist() == [0, 5, 3, 3, 4]


@given(
    st.lists(
        st.one_of(st.floats(-1e4, 1e4, width=32), st.floats(-1e12, 1e12), st.floats(-1e-6, 1e-6)),
        min_size=1,
        max_size=50,
    )
)
def test_numbers_read_back_as_near_as_they_must(values):
    array = np.array(values)[:, None]

    exact = np.array([float(line) for line in numbers_text(array, exact=np.array([True])).split()])
    near = np.array([float(line) for line in numbers_text(array, exact=np.array([False])).split()])

    assert exact.tobytes() == array.tobytes()  # the sign of -0 included
    assert np.all(np.abs(near - values) <= 6e-8 * np.abs(values))
    single = array[:, 0].astype(np.float32)
    np.testing.assert_array_equal(near.astype(np.float32)[single == values], single[single == values])


@pytest.mark.parametrize(
    ("value", "text"),
    [(np.float32(12.933), "12.933"), (np.float32(-0.1), "-0.1"), (12.933, "12.933"), (1 / 3, "0.3333333333"),
     (200 / 3, "66.6666667"), (0.0, "0"), (-0.0, "-0"), (360.0, "360"), (np.float32(3100.123), "3100.123"),
     (1e-9, "0.000000001")],
)  # fmt: skip
def test_angles_are_short(value, text):
    assert numbers_text(np.array([[value]], dtype=float), exact=np.array([False])).decode() == text + "\n"


def test_positions_are_written_in_full():
    values = np.array([[1 / 3, 1e-12, 0.1 + 0.2, 123456789.125]])

    assert numbers_text(values, exact=np.ones(4, dtype=bool)) == (
        b"0.3333333333333333 0.000000000001 0.30000000000000004 123456789.125\n"
    )


def test_the_frame_time_is_written_as_read():
    for text in (".0083333", "0.0333333", "0.03333333333333333"):
        assert f"Frame Time: {float(text)!r}\n".encode() in bvh_text(one(bvh(frame_time=text)))


def test_a_chain_of_thousands_of_joints_is_written():
    n = 3000
    skeleton = Skeleton(tuple(map(str, range(n))), np.arange(-1, n - 1), np.ones((n, 3)))
    layout = ChannelLayout(np.arange(n), np.full(n, 3))

    assert_same(recording := Recording(skeleton, layout, np.ones((1, n)), 0.1), back(recording))


def test_acclaim_recordings_must_be_converted_first():
    recording = one(bvh())
    axes = np.tile(rotations.IDENTITY, (2, 1))

    with pytest.raises(SkeletonError, match=r"have their own rotation axes.*recording_of\(motion\)"):
        bvh_text(replace(recording, layout=replace(recording.layout, axes=axes)))


@pytest.mark.parametrize("name", ["", " a", "a\nb", "a{", "}", "b\r"])
def test_names_that_bvh_cannot_hold_are_an_error(name):
    recording = one(bvh(FRAMES))

    with pytest.raises(SkeletonError, match="cannot be written as BVH"):
        bvh_text(replace(recording, skeleton=replace(recording.skeleton, names=("Hips", name))))


def test_what_holds_no_motion_is_an_error():
    recording = one(bvh())

    with pytest.raises(SkeletonError, match="without frames or channels"):
        bvh_text(replace(recording, values=recording.values[:0]))
    with pytest.raises(SkeletonError, match="not finite"):
        bvh_text(replace(recording, values=np.full((1, 9), np.nan)))
