"""Files by their names: formats, gzip, and what an .amc file does not say."""

import gzip
import zlib
from pathlib import Path

import pytest

from acclaim_files import leg
from bank.small_banks import write_bvh
from motionary.errors import MotionFileError, UsageError
from motionary.formats import read_motion_file
from motionary.formats.reading import RATE_ASSUMED, gunzip

NAMED = Path("walk.bvh.gz")


def test_a_path_may_be_text(tmp_path: Path) -> None:
    path = write_bvh(tmp_path / "walk.bvh")
    (tmp_path / "01.asf").write_bytes(leg().asf())
    (tmp_path / "01_01.amc").write_bytes(leg().amc())

    assert read_motion_file(str(path)).recordings[0].n_frames == read_motion_file(path).recordings[0].n_frames == 4
    amc = read_motion_file(str(tmp_path / "01_01.amc"), asf_path=str(tmp_path / "01.asf"))
    assert amc.recordings[0].skeleton.names[0] == "root"


def test_an_assumed_rate_is_noted(tmp_path: Path) -> None:
    (tmp_path / "hdm_bd.asf").write_bytes(leg().asf())
    for name in ("hdm_bd.amc", "hdm_bd_01_60.amc"):
        (tmp_path / name).write_bytes(leg().amc())

    assumed = read_motion_file(tmp_path / "hdm_bd.amc")
    given = read_motion_file(tmp_path / "hdm_bd.amc", frame_time=1 / 90)
    named = read_motion_file(tmp_path / "hdm_bd_01_60.amc")

    assert [file.recordings[0].frame_time for file in (assumed, given, named)] == [1 / 120, 1 / 90, 1 / 60]
    assert [RATE_ASSUMED in file.notes for file in (assumed, given, named)] == [True, False, False]
    assert "--rate" in RATE_ASSUMED
    with pytest.raises(UsageError, match="a frame time of 0"):
        read_motion_file(tmp_path / "hdm_bd.amc", frame_time=0.0)


def test_gzip_members_follow_each_other() -> None:
    members = [b"HIERARCHY\n", b"", b"ROOT a\n" * 100_000]
    assert gunzip(b"".join(map(gzip.compress, members)), NAMED) == b"".join(members)
    assert gunzip(gzip.compress(b"x") + b"\0" * 1000, NAMED) == b"x"
    assert gunzip(gzip.compress(b"x") * 20_000, NAMED) == b"x" * 20_000  # in time that grows with their number


def test_damaged_gzip_is_told() -> None:
    whole = gzip.compress(bytes(range(256)) * 100)
    for size in range(10, len(whole), 7):
        with pytest.raises(MotionFileError, match=r"walk\.bvh\.gz: the gzip file is truncated\. Download it again"):
            gunzip(whole[:size], NAMED)
    with pytest.raises(MotionFileError, match="the gzip file is damaged"):
        gunzip(whole[:20] + b"\xff" * 8 + whole[28:], NAMED)
    with pytest.raises(MotionFileError, match="the gzip file is damaged"):
        gunzip(whole + b"something else", NAMED)


def test_a_gzip_bomb_is_stopped() -> None:
    bomb = zlib.compress(b"\0" * (5 << 20), wbits=31)
    with pytest.raises(MotionFileError, match="decompresses to more than 2 MB"):
        gunzip(bomb, NAMED, max_bytes=2 << 20)
    with pytest.raises(MotionFileError, match="decompresses to more than 2 MB"):
        gunzip(gzip.compress(b"\0" * (1 << 20)) * 3, NAMED, max_bytes=2 << 20)
    assert len(gunzip(bomb, NAMED, max_bytes=5 << 20)) == 5 << 20
