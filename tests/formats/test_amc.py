"""Acclaim motions: what is understood, what is noted and what is refused."""

import pytest

from acclaim_files import leg, read
from motionary.errors import MotionFileError


def changed(*changes: tuple[str, str]) -> bytes:
    """The leg's file with each old text replaced once."""
    text = leg().amc().decode("latin-1")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text.encode("latin-1")


def values(amc: bytes, **options):
    return read(leg().asf(), amc, **options).recordings[0].values


def test_values_are_those_of_the_file():
    # root: x y z, then z y x of the rotations, the last turned first; lfemur z y x; ltibia x
    assert values(changed()).tolist() == [
        [1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
        [1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 90.0, 0.0, 90.0, 0.0],
        [1.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 90.0],
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("ltibia 90.0", "# not a bone \xe9\n\nltibia 9.E+001"),
        ("ltibia 90.0", "LTibia\t90"),
        ("\n3\n", "\r\n  3  \r\n"),
        ("ltibia 90.0", "ltibia 90.0\nlhipjoint"),
        ("lfemur 90.0 0.0 90.0\nltibia 0.0", "ltibia 0.0\nlfemur 90.0 0.0 90.0"),
    ],
)
def test_files_may_be_written_in_other_ways(old, new):
    assert values(changed((old, new))).tolist() == values(changed()).tolist()


def test_bones_may_have_underscores_in_their_names():
    asf, amc = (text.replace(b"ltibia", b"l_tibia") for text in (leg().asf(), leg().amc()))

    assert read(asf, amc).recordings[0].values.tolist() == values(changed()).tolist()


@pytest.mark.parametrize(
    ("old", "new", "line", "problem", "remedy"),
    [
        ("ltibia 0.0\n2", "2", 4, "has no line for ltibia", "another"),
        ("ltibia 90.0", "", 12, "has no line for ltibia", "--truncate"),
        ("ltibia 90.0", "ltibia 90.0 1", 15, "'ltibia' has 2 values, expected 1", "--truncate"),
        ("ltibia 90.0", "ltibia ninety", 15, "'ninety' should be numbers", "--truncate"),
        ("ltibia 90.0", "ltibia 9_0", 15, "'9_0' should be numbers", "--truncate"),
        ("ltibia 90.0", "ltibia nan", 12, "a value that no body has", "--truncate"),
        ("ltibia 90.0", "ltibia 1e300", 12, "a value that no body has", "--truncate"),
        ("ltibia 90.0", "ltibia 90.0\nltibia 90.0", 12, "has bone 'ltibia' twice", "--truncate"),
        ("ltibia 90.0", "ltibia 90.0\nrtibia 1", 16, "no bone 'rtibia'", "--truncate"),
        ("ltibia 0.0\n2", "rtibia 0.0\n2", 7, "no bone 'rtibia'", "--asf"),
        ("\n3\n", "\n4\n", 12, "frame 4 follows frame 2", "--truncate"),
        ("\n3\n", "\n2\n", 12, "frame 2 follows frame 2", "--truncate"),
        ("\n3\n", "\n33333333333333333333\n", 12, "is not a frame number", "--truncate"),
        (":DEGREES", "version https://git-lfs", 3, "comes before the first frame", "Acclaim"),
    ],
)
def test_a_wrong_motion_is_an_error_with_line_and_remedy(old, new, line, problem, remedy):
    with pytest.raises(MotionFileError) as raised:
        values(changed((old, new)))

    assert str(raised.value).startswith(f"01_01.amc:{line}: ")
    assert problem in str(raised.value)
    assert remedy in str(raised.value)


def test_truncate_takes_the_frames_before_the_problem():
    cut = leg().amc()[:-30]

    file = read(leg().asf(), cut, truncate=True)

    assert file.recordings[0].values == pytest.approx(values(changed())[:2])
    assert "left out: 01_01.amc:14: the skeleton has no bone 'l'" in file.notes[0]


def test_frame_numbers_may_start_and_step_as_they_like():
    amc = leg().amc().replace(b"\n1\n", b"\n101\n").replace(b"\n2\n", b"\n105\n").replace(b"\n3\n", b"\n109\n")

    file = read(leg().asf(), amc)

    assert file.recordings[0].n_frames == 3
    assert "the first frame has number 101" in file.notes[0]
    assert "frame numbers increase by 4" in file.notes[1]


def test_a_file_without_a_good_frame_cannot_be_truncated():
    with pytest.raises(MotionFileError, match="has no line for ltibia"):
        values(changed(("ltibia 0.0\n2", "2")), truncate=True)


@pytest.mark.parametrize("amc", [b"", b"# only a comment\n", b":DEGREES\n"])
def test_a_file_without_frames_is_refused(amc):
    with pytest.raises(MotionFileError, match="there are no frames"):
        values(amc)
