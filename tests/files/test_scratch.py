import os
import tempfile
from pathlib import Path

import pytest

from motionary.files import remove_leftovers, scratch_folder
from motionary.files.scratch import LOCK, PREFIX


def test_leftovers_of_killed_processes_are_removed_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in (f"{PREFIX}old", f"{PREFIX}new", "motionary-other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / LOCK).touch()
        (tmp_path / name / "x.bvh").touch()
    for name in (f"{PREFIX}old", "motionary-other"):
        os.utime(tmp_path / name, (0, 0))

    with scratch_folder() as folder:
        os.utime(folder, (0, 0))  # old, but held
        assert remove_leftovers() == 0
        assert {path.name for path in tmp_path.iterdir()} == {f"{PREFIX}new", "motionary-other", folder.name}
    assert not folder.exists()
