import os
from pathlib import Path

import pytest

from motionary.errors import MappingError
from motionary.rig import read_map


def test_json_and_toml_say_the_same(tmp_path: Path) -> None:
    as_json, as_toml = tmp_path / "map.json", tmp_path / "map.toml"
    as_json.write_text('{"LeftThigh": "bein links", "Spine1": ["a", "b"]}')
    as_toml.write_text('LeftThigh = "bein links"\nSpine1 = ["a", "b"]\n')

    assert read_map(as_json) == read_map(as_toml) == {"LeftThigh": "bein links", "Spine1": ["a", "b"]}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("map.json", '{"LeftThigh":\n "a",}', ":2: not a JSON file"),
        ("map.toml", "LeftThigh = ", ": not a TOML file"),
        ("map.json", "[1]", ": the map file must contain body parts and joints"),
        ("map.json", '{"Tail": "x"}', ": 'Tail' is not a body part"),
        ("map.json", '{"Head": 3}', ": Head must be the name of a joint, not 3"),
        ("map.json", '{"Spine1": []}', ": Spine1 must be the name of a joint, not []"),
    ],
)
def test_a_wrong_file_says_what_and_where(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text)

    with pytest.raises(MappingError) as error:
        read_map(path)

    assert str(error.value).startswith(f"{path}{message}")


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MappingError, match="cannot be read"):
        read_map(tmp_path / "nothing.json")
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(MappingError, match="not UTF-8"):
        read_map(tmp_path / "bytes.json")


def test_a_pipe_is_no_map_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")

    with pytest.raises(MappingError, match="not a regular file"):
        read_map(tmp_path / "pipe.csv")
