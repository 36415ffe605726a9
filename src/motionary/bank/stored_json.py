"""JSON that the bank has stored: one flipped bit may have made something else of it."""

from pathlib import Path
from typing import Any

from motionary.errors import BankError
from motionary.files import parse_json


def stored(text: Any, kind: type, path: Path, what: str) -> Any:
    """What a row's text says, which must be a `kind`; a BankError that names `what` if it is damaged."""
    try:
        content = parse_json(text)
    except (ValueError, TypeError):
        content = None
    if not isinstance(content, kind):
        raise BankError(f"{path}: is damaged ({what} cannot be read); `motionary check {path}` shows what can be read")
    return content
