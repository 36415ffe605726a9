"""Operations in files: what was learnt once can be put on anything, by its file's name."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from motionary.edit.operation import MAX_FILE_BYTES, Operation, operation_called, operation_from_json
from motionary.errors import UsageError
from motionary.files import parse_json, read_ordinary

SIGN = "motionary edit operation"


def write_operation(operation: Operation, path: Path | str) -> None:
    """Write an operation to a file, as JSON."""
    text = json.dumps({"kind": SIGN, **operation.as_json()}, indent=None, ensure_ascii=False)
    try:
        Path(path).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error


def read_operation(path: Path | str, parameters: Mapping[str, Any] | None = None) -> Operation:
    """An operation from a file; `parameters` take the place of those in it."""
    try:
        content = parse_json(read_ordinary(Path(path), max_bytes=MAX_FILE_BYTES).decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise UsageError(f"{path}: this is not an operation: it is not JSON ({error})") from error
    if not isinstance(content, dict) or content.get("kind") != SIGN:
        raise UsageError(f"{path}: this is not an operation; `motionary edit learn` writes one")
    kept = content.get("parameters", {})
    return operation_from_json({**content, "parameters": {**kept, **(parameters or {})}})


def operation_of(name: Operation | str | Path, parameters: Mapping[str, Any] | None = None) -> Operation:
    """An operation as it is, by name, or from a file (which ends in .json)."""
    if isinstance(name, Operation):
        if parameters:
            raise UsageError(f"{name.name} already has its parameters; to give others, name the operation instead")
        return name
    if isinstance(name, Path) or name.endswith(".json"):
        return read_operation(name, parameters)
    return operation_called(name).from_parameters(parameters or {})
