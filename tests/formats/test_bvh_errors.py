"""A wrong BVH file is an error that names file, line, problem and remedy; or is cut where it is wrong."""

import numpy as np
import pytest

from bvh_files import FRAMES, HIERARCHY, PATH, VALUES, bvh, nested, one, parse
from motionary.errors import MotionFileError

PLAIN = bvh()
LINE_0 = HIERARCHY.count("\n") + 4  # of frame 0


def wrong(old, new):
    return PLAIN.replace(old, new, 1)


ERRORS = {
    "empty": (b"", 1, "the file is empty. Copy or export it again."),
    "blank": (" \n\r\n\t", 1, "the file is empty"),
    "Git LFS pointer": (
        "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        1,
        "this is a Git LFS pointer, not the file itself. Fetch the file with 'git lfs pull'.",
    ),
    "HTML": ("<!DOCTYPE html>\n<html></html>", 1, "this is a web page. Download the file itself"),
    "HTML after blanks": ("\n\n <html></html>", 1, "this is a web page"),
    "FBX": (b"Kaydara FBX Binary  \x00", 1, "this is an FBX file. Export it as BVH."),
    "GLB": (b"glTF\x02\x00", 1, "this is a GLB file"),
    "zip": (b"PK\x03\x04\x00", 1, "this is a zip archive"),
    "gzip": (b"\x1f\x8b\x08", 1, "this is compressed with gzip"),
    "half of UTF-16": (b"\xff\xfeH\x00I", 1, "starts like UTF-16 text, but is not"),
    "something else": ("1 2 3", 1, "a BVH file must start with HIERARCHY"),
    "no ROOT": ("HIERARCHY\nMOTION\n", 2, "the hierarchy has no ROOT"),
    "cut off in the hierarchy": (HIERARCHY[:33], 4, "the file ends where the OFFSET of joint 'Hips' should be"),
    "no MOTION": (HIERARCHY, 16, "the file ends within the hierarchy, there is no MOTION"),
    "unknown word": (wrong("OFFSET 0 5 0", "OFFSETS 0 5 0"), 8, "'OFFSETS' has no meaning in a hierarchy"),
    "four numbers": (wrong("OFFSET 0 5 0", "OFFSET 0 5 0 1"), 8, "'1' has no meaning in a hierarchy"),
    "conflict mark": (
        wrong("  JOINT", "<<<<<<< HEAD\n  JOINT"),
        6,
        "a version-control conflict mark stands in the hierarchy. Resolve the conflict.",
    ),
    "JOINT first": ("HIERARCHY\nJOINT a\n{\n", 2, "'JOINT' is outside of all joints"),
    "OFFSET first": ("HIERARCHY\nOFFSET 0 0 0\n", 2, "'OFFSET' is outside of all joints"),
    "End Site first": (b"HIERARCHY\nEnd\xff{", 2, "is outside of all joints"),
    "ROOT in ROOT": (wrong("JOINT Chest", "ROOT Chest"), 6, "ROOT 'Chest' is inside joint 'Hips'"),
    "no name": (wrong("JOINT Chest", "JOINT"), 6, "JOINT has no name. Write one after it."),
    "no brace": (wrong("Chest\n  {", "Chest\n"), 6, "'JOINT Chest' needs an opening brace behind it"),
    "brace too few": (wrong("}\nMOTION", "MOTION"), 15, "MOTION is inside joint 'Hips', opened in line 2"),
    "brace too many": (wrong("}\nMOTION", "}\n}\nMOTION"), 16, "unexpected closing brace"),
    "no OFFSET": (wrong("    OFFSET 0 5 0\n", ""), 6, "joint 'Chest' has no OFFSET"),
    "End Site without OFFSET": (
        wrong("      OFFSET 0 3.5 0\n", ""), 10, "the End Site of joint 'Chest' has no OFFSET"
    ),
    "two OFFSETs": (
        wrong("    OFFSET 0 5 0\n", "    OFFSET 0 5 0\n    OFFSET 0 6 0\n"),
        9,
        "joint 'Chest' has a second OFFSET. Delete one of the two.",
    ),
    "two CHANNELS": (
        wrong("    End Site", "    CHANNELS 3 Xrotation Yrotation Zrotation\n    End Site"),
        10,
        "joint 'Chest' has a second CHANNELS. Delete one of the two.",
    ),
    "OFFSET of words": (wrong("0 5 0", "0 x 0"), 8, "'x' is not a number; the OFFSET of joint 'Chest' needs one"),
    "OFFSET with a comma": (wrong("0 5 0", "0 5,5 0"), 8, "needs one. It has a decimal comma"),
    "Frame Time with a comma": (bvh(frame_time="0,0333"), 18, "Frame Time needs one. It has a decimal comma"),
    "value with a comma": (wrong("2.25", "2,25"), LINE_0 + 2, "'2,25' where a number should be. It has a decimal"),
    "OFFSET nan": (wrong("0 5 0", "0 nan 0"), 8, "'nan' is not a number"),
    "OFFSET 1_0": (wrong("0 5 0", "0 1_0 0"), 8, "'1_0' is not a number"),
    "OFFSET of two": (wrong("OFFSET 0 5 0", "OFFSET 0 5"), 9, "'CHANNELS' is not a number"),
    "OFFSET infinite": (wrong("0 5 0", "0 1e400 0"), 8, "the OFFSET of joint 'Chest' is too large"),
    "channels uncounted": (wrong("CHANNELS 3 Z", "CHANNELS Z"), 9, "does not say how many there are"),
    "channels fewer": (wrong("CHANNELS 3", "CHANNELS 4"), 9, "CHANNELS declares 4 channels but lists 3"),
    "channels more": (wrong("CHANNELS 6", "CHANNELS 3"), 5, "CHANNELS declares 3 channels but lists 6"),
    "channel twice": (
        wrong("CHANNELS 3 Zrotation Xrotation", "CHANNELS 3 Zrotation Zrotation"),
        9,
        "joint 'Chest' has the same channel twice",
    ),
    "channel unknown": (
        wrong("CHANNELS 3 Zrotation", "CHANNELS 3 Zscale"),
        9,
        "the channel 'ZSCALE' is unknown. Supported are Xposition, Yposition",
    ),
    "channels of an End Site": (
        wrong("OFFSET 0 3.5 0", "OFFSET 0 3.5 0\nCHANNELS 1 Xrotation"), 13, "an End Site cannot move"
    ),
    "End Site in End Site": (wrong("OFFSET 0 3.5 0", "End Site {"), 12, "an End Site is inside another"),
    "JOINT in End Site": (wrong("OFFSET 0 3.5 0", "JOINT x {"), 12, "JOINT 'x' is inside an End Site"),
    "channels behind a child": (
        wrong("  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n", "").replace(
            "  }\n}", "  }\n  CHANNELS 1 Xrotation\n}"
        ),
        14,
        "the CHANNELS of joint 'Hips' come after a child joint",
    ),
    "no channels at all": (bvh(("",), hierarchy=nested("")), 9, "no joint has channels, so there is no motion"),
    "no Frames": (wrong("Frames: 3\n", ""), 17, "Frames: is missing after MOTION"),
    "no Frame Time": (wrong("Frame Time: 0.0333333\n", ""), 17, "Frame Time: is missing after MOTION"),
    "cut off behind MOTION": (HIERARCHY + "MOTION", 16, "Frames: is missing"),
    "cut off behind Frames": (HIERARCHY + "MOTION\nFrames:", 17, "the file ends where Frames should be"),
    "Frames 0": (bvh(count=0), 17, "Frames: 0 is not a number of frames. The file holds no motion."),
    "Frames negative": (bvh(count=-5), 17, "Frames: -5 is not a number of frames"),
    "Frames broken": (bvh(count=2.5), 17, "Frames: 2.5 is not a number of frames"),
    "Frames infinite": (bvh(count="1e999"), 17, "Frames: inf is not a number of frames"),
    "Frames a word": (bvh(count="many"), 17, "'many' is not a number; Frames needs one"),
    "Frame Time 0": (bvh(frame_time="0"), 18, "a Frame Time of 0 s is not possible; it must be between"),
    "Frame Time negative": (bvh(frame_time="-0.03"), 18, "a Frame Time of -0.03 s is not possible"),
    "Frame Time in ms": (bvh(frame_time="33.333"), 18, "a Frame Time of 33.333 s is not possible"),
    "Frame Time tiny": (bvh(frame_time="1e-9"), 18, "a Frame Time of 1e-09 s is not possible"),
    "Frame Time a word": (bvh(frame_time="nan"), 18, "'nan' is not a number; Frame Time needs one"),
    "count too large": (
        bvh(count=25),
        LINE_0 + 3,
        "25 frames announced, but the file ends after 3. The file may be cut off, or its count wrong. "
        "--truncate imports the 3 frames before it.",
    ),
    "count far too large": (bvh(count=10**12), LINE_0 + 3, "1000000000000 frames announced"),
    "count of 400 digits": (bvh(count="9" * 300), LINE_0 + 3, "frames announced"),
    "count too large by far, one frame": (
        bvh(FRAMES[:1], count=25), LINE_0 + 1, "ends after 1. The file may be cut off, or its count wrong. "
        "--truncate imports the 1 frame before it.",
    ),
    "no frames": (bvh((), count=2), LINE_0 + 1, "2 frames announced, but the file ends after 0"),
    "too many numbers in all lines": (
        bvh(tuple(line + " 1 2" for line in FRAMES)),
        LINE_0,
        "frame 0 has 11 values, expected 9. The file may be cut off, or its hierarchy may belong to another",
    ),
    "too few numbers": (bvh((*FRAMES, "1 2 3", *FRAMES)), LINE_0 + 3, "frame 3 has 3 values, expected 9"),
    "too many numbers": (bvh((*FRAMES, FRAMES[0] + " 4", *FRAMES)), LINE_0 + 3, "frame 3 has 10 values, expected"),
    "cut off in a line": (bvh((*FRAMES, "1 2 3"), count=9, end=""), LINE_0 + 3, "frame 3 has 3 values, expected"),
    "conflict between frames": (
        bvh((*FRAMES, "<<<<<<< HEAD", *FRAMES, "=======", *FRAMES, ">>>>>>> take two")),
        LINE_0 + 3,
        "a version-control conflict mark stands at frame 3. Resolve the conflict. "
        "--truncate imports the 3 frames before it.",
    ),
    "too large": (wrong("2.25", "1e13"), LINE_0 + 2, "the value '1e13', too large for a length or angle"),
    "infinite": (wrong("2.25", "-1e999"), LINE_0 + 2, "frame 2 has the value '-1e999', too large"),
}  # fmt: skip
ERRORS |= {
    f"{word} among the numbers": (
        wrong("2.25", word),
        LINE_0 + 2,
        f"frame 2 has {word!r} where a number should be. The file may be damaged or cut off. --truncate imports",
    )
    for word in ("nan", "-NaN", "inf", "1.#QNAN", "-nan(ind)", "2,2,5", "two", "-", ".", "e5", "1e", "1e+", "--1",
                 "1_0", "0x1F", "1.2.3", "1d5", "{", "٣", "2.25;")
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
def test_wrong_files_are_errors_with_line_and_remedy(case):
    text, line, message = ERRORS[case]

    with pytest.raises(MotionFileError) as caught:
        parse(text)

    assert str(caught.value).startswith(f"{PATH}:{line}: ")
    assert message in str(caught.value)
    assert caught.value.remedy.endswith(".")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_numbers_count_every_kind_of_line_end(newline):
    with pytest.raises(MotionFileError) as caught:
        parse(wrong("2.25", "oops").replace("\n", newline))

    assert caught.value.line == LINE_0 + 2


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (
            bvh(count=25),
            "3 of 25 announced frames were taken; line 22: 25 frames announced, but the file ends",
        ),
        (
            bvh((*FRAMES, "1 2 3"), end=""),
            "3 of 4 announced frames were taken; line 22: frame 3 has 3 values, expected",
        ),
        (
            bvh((*FRAMES, "======="), count=9),
            "3 of 9 announced frames were taken; line 22: a version-control conflict",
        ),
        (
            bvh((*FRAMES, "1 2 3 nan", *FRAMES)),
            "3 of 7 announced frames were taken; line 22: frame 3 has 'nan' where",
        ),
        (bvh((*FRAMES, FRAMES[0] + " 1")), "3 of 4 announced frames were taken; line 22: frame 3 has 10 values"),
        (bvh(count=10**15), "3 of 1000000000000000 announced frames were taken"),
    ],
)
def test_truncate_takes_the_good_frames_and_says_how_many_were_lost(text, note):
    file = parse(text, truncate=True)

    np.testing.assert_array_equal(file.recordings[0].values, VALUES)
    assert len(file.notes) == 1
    assert file.notes[0].startswith(note)


def test_truncate_changes_nothing_in_a_good_file():
    assert parse(PLAIN, truncate=True).notes == ()
    np.testing.assert_array_equal(one(PLAIN, truncate=True).values, VALUES)


@pytest.mark.parametrize("text", [bvh(("1 2", *FRAMES)), bvh((), count=3), HIERARCHY, wrong("OFFSET 0 5 0", "OFFSET")])
def test_truncate_needs_a_good_frame_and_a_good_hierarchy(text):
    with pytest.raises(MotionFileError) as caught:
        parse(text, truncate=True)

    assert "--truncate" not in str(caught.value)


def chain(n_joints: int, *, close: bool = True) -> str:
    opened = "JOINT a\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n" * (n_joints - 1)
    root = "HIERARCHY\nROOT r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
    return root + opened + "}\n" * (n_joints if close else 0)


def test_deep_chains_are_read():
    recording = one(bvh((" ".join(["0"] * 5000),), hierarchy=chain(5000)))

    assert recording.motion().positions_world[0, -1].tolist() == [0.0, 4999.0, 0.0]


@pytest.mark.parametrize("close", [True, False])
def test_chains_without_end_are_an_error_not_a_crash(close):
    with pytest.raises(MotionFileError, match="more than 10,000 joints and end sites"):
        parse(bvh(("0",), hierarchy=chain(100_000, close=close)))


@pytest.mark.parametrize("huge", ["1" * 200_000 + "x", "9" * 200_000, "." * 200_000, "(" * 200_000])
def test_huge_words_take_no_time(huge):
    for text in (wrong("2.25", huge), wrong("0 5 0", f"0 {huge} 0"), wrong("3 Zrot", f"3 {huge}Zrot"), huge):
        with pytest.raises(MotionFileError):
            parse(text)
