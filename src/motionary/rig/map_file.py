"""A user's map file: which joint of a skeleton is which part of the body, as JSON or TOML."""

import json
import tomllib
from pathlib import Path

from motionary.errors import MappingError
from motionary.files import read_ordinary
from motionary.rig.body_map import PARTS

MAX_BYTES = 16 << 20


def read_map(path: Path | str) -> dict[str, str | list[str]]:
    """The user map in a file: an object (JSON) or keys (TOML) such as LeftThigh = "my_thigh_joint"."""
    path = Path(path)
    example = 'Write {"LeftThigh": "name of the joint", ...}, with the parts ' + ", ".join(PARTS)
    try:
        text = read_ordinary(path, max_bytes=MAX_BYTES).decode("utf-8-sig")
    except OSError as error:
        raise MappingError(f"{path}: the map file cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise MappingError(f"{path}: the map file is not UTF-8 text. {example}") from None
    try:
        entries = tomllib.loads(text) if path.suffix.lower() == ".toml" else json.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MappingError(f"{path}: not a TOML file ({error})") from None
    except RecursionError:
        raise MappingError(f"{path}: brackets are nested too deeply. {example}") from None
    except json.JSONDecodeError as error:
        raise MappingError(f"{path}:{error.lineno}: not a JSON file ({error.msg}). {example}") from None
    if not isinstance(entries, dict):
        raise MappingError(f"{path}: the map file must contain body parts and joints. {example}")
    for part, joint in entries.items():
        if part not in PARTS:
            raise MappingError(f"{path}: {part!r} is not a body part. {example}")
        names = joint if isinstance(joint, list) and joint else [joint]
        if not all(isinstance(name, str) for name in names):
            raise MappingError(f"{path}: {part} must be the name of a joint, not {joint!r}. {example}")
    return dict(entries)
