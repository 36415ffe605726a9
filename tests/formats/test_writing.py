import pytest

from bank.small_banks import recording
from motionary.cli import motion_outputs
from motionary.errors import UsageError
from motionary.formats import WRITABLE, Savable, read_motion_file, write_motion


class Made(Savable):
    motion = recording(1, n_frames=5).motion()


def test_motions_are_written_as_their_file_is_called(tmp_path):
    for save in (Made().save, lambda path: write_motion(Made.motion, path)):
        save(tmp_path / "a.bvh")
        save(tmp_path / "a.GLB")

        assert read_motion_file(tmp_path / "a.bvh").recordings[0].n_frames == 5
        assert (tmp_path / "a.GLB").read_bytes().startswith(b"glTF")


def test_other_endings_are_refused(tmp_path):
    with pytest.raises(UsageError, match=r"'a\.fbx' does not end in \.bvh or \.glb"):
        write_motion(Made.motion, tmp_path / "a.fbx")


def test_the_command_line_knows_what_can_be_written():
    assert motion_outputs.WRITABLE == WRITABLE
