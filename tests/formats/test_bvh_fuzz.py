"""Whatever the bytes: an error with its line, or recordings of finite numbers; never a hang or a crash."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bvh_files import HIERARCHY, PATH, TWO_ROOTS, bvh, nested
from motionary.errors import MotionFileError
from motionary.formats.bvh import parse_bvh
from motionary.formats.motion_file import MotionFile

PLAIN = bvh()
SIX = "Xposition Yposition Zposition Zrotation Xrotation Yrotation"
ALL_MOVE = bvh(("0 9 0 0 0 0 1 9 0 0 5 0",), hierarchy=nested(SIX, ("b", "0 5 0", SIX)))


def read_or_refuse(data: bytes) -> None:
    for truncate in (False, True):
        try:
            file = parse_bvh(data, PATH, truncate=truncate)
        except MotionFileError as error:
            refused_in = error.line
        else:
            refused_in = 1
            check(file, len(data))
        assert refused_in is not None
        assert 1 <= refused_in <= data.count(b"\n") + data.count(b"\r") + 1


def check(file: MotionFile, n_bytes: int) -> None:
    """Numbers are finite and memory stays in proportion to the file."""
    for recording in file.recordings:
        assert recording.n_frames > 0
        assert recording.values.nbytes <= 4 * n_bytes + 100
        assert np.isfinite(recording.values).all()
        assert np.isfinite(recording.motion().positions_world).all()


@given(st.binary(max_size=300))
def test_arbitrary_bytes(data):
    read_or_refuse(data)


@given(st.binary(max_size=200))
def test_arbitrary_bytes_behind_a_good_hierarchy(data):
    read_or_refuse(f"{HIERARCHY}MOTION\nFrames: 2\nFrame Time: 0.1\n".encode() + data)
    read_or_refuse(b"HIERARCHY\nROOT a\n{\n" + data)


WORDS = ["{", "}", "ROOT", "JOINT x", "End Site", "OFFSET 1 2 3", "CHANNELS 1 Xposition", "MOTION", "Frames: 7",
         "Frame Time: 1e-4", "-1e300", "1e11", "nan", "\r", "\n", "\x00", "é", "9" * 25, "0", " "]  # fmt: skip
CHANGES = st.tuples(
    st.floats(0, 1),  # where
    st.integers(0, 30),  # how much is deleted
    st.one_of(st.sampled_from(WORDS).map(str.encode), st.binary(max_size=4)),  # what stands there instead
)


@given(
    st.sampled_from([PLAIN, bvh(("1 2 3 4 5 6 7 8 9",), hierarchy=TWO_ROOTS), ALL_MOVE]),
    st.lists(CHANGES, max_size=6),
)
def test_mutated_good_files(seed, changes):
    data = seed.encode()
    for where, n_deleted, inserted in changes:
        at = int(where * len(data))
        data = data[:at] + inserted + data[at + n_deleted :]

    read_or_refuse(data)


@given(st.integers(0, len(PLAIN)))
def test_good_files_cut_off_anywhere(length):
    read_or_refuse(PLAIN[:length].encode())
