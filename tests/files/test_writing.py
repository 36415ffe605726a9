"""Whole files or none."""

import os
from pathlib import Path

import pytest

from motionary.errors import UsageError
from motionary.files import check_can_write, write_whole


def test_a_file_is_there_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.bvh"
    write_whole(path, b"before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(UsageError, match=r"x\.bvh: cannot be written \(No space left on device\)"):
        write_whole(path, b"after")
    monkeypatch.undo()
    assert path.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == ["x.bvh"]


def test_folders_above_a_file_are_made(tmp_path: Path) -> None:
    write_whole(tmp_path / "new" / "folder" / "a.txt", b"text")

    assert (tmp_path / "new" / "folder" / "a.txt").read_bytes() == b"text"


def test_a_folder_of_that_name_is_the_users_error(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()

    with pytest.raises(UsageError, match="cannot be written"):
        write_whole(tmp_path / "a", b"text")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_what_could_not_be_written_is_known_before(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()

    check_can_write(tmp_path / "new" / "folder" / "a.png")
    check_can_write(tmp_path / "file")
    assert not (tmp_path / "new").exists()
    for path, problem in (("file/a.png", "file is no folder"), ("folder", "it is a folder")):
        with pytest.raises(UsageError, match=problem):
            check_can_write(tmp_path / path)
