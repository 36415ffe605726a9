"""Every reader of a file that a user names: ordinary files only, and no brackets, however deep, end in a traceback."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from motionary.cli.parametrics import _given
from motionary.dynamics import read_part_masses
from motionary.edit import read_operation, read_recipe
from motionary.errors import UserError
from motionary.graph import read_ground_path
from motionary.rig import read_map
from motionary.search import Profile

JSON_READERS: dict[str, Callable[[Path], object]] = {
    "recipe": read_recipe,
    "operation": read_operation,
    "values of examples": _given,
    "map of joints": read_map,
    "profile": Profile.read,
}
READERS = JSON_READERS | {"path": read_ground_path, "masses": read_part_masses}


@pytest.mark.parametrize("what", READERS)
def test_only_ordinary_files_are_read(what: str, tmp_path: Path) -> None:
    path = tmp_path / "pipe.json"
    os.mkfifo(path)  # whoever opens it as a file waits for ever

    with pytest.raises(UserError, match=r"pipe\.json.* not a regular file"):
        READERS[what](path)


@pytest.mark.parametrize("content", ["[" * 100_000, '{"a": NaN}', '{"a": 1e999}'])
@pytest.mark.parametrize("what", JSON_READERS)
def test_json_that_is_none_is_refused(what: str, content: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(content)

    with pytest.raises(UserError, match=r"bad\.json"):
        JSON_READERS[what](path)


def test_masses_in_deep_brackets_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text("Thigh = " + "[" * 100_000)

    with pytest.raises(UserError, match="nested too deeply"):
        read_part_masses(path)
