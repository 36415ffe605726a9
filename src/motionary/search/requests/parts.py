"""Queries for parts of the body, as the command line writes them: `arms=wave:0-60`."""

from collections.abc import Sequence

from motionary.errors import UsageError
from motionary.requests import Form


def read_part_and_query(flag: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    """`arms=wave:0-60` as body parts and a query."""
    return [_part_and_query(flag, text) for text in texts]


def read_parts_and_query(flag: str, texts: Sequence[str]) -> list[tuple[str, str]]:
    """The same; without `=`, a query for the whole body."""
    return [_part_and_query(flag, text) if "=" in text else ("", text) for text in texts]


def _part_and_query(flag: str, text: str) -> tuple[str, str]:
    parts, _, query = text.partition("=")
    if not parts.strip() or not query.strip():
        raise UsageError(f"{flag} takes PARTS=QUERY without spaces around =, as in arms=wave:0-60, not {text!r}")
    return parts, query


PART_AND_QUERY = Form("PARTS=QUERY", read_part_and_query, repeated=True)
PARTS_AND_QUERY = Form("[PARTS=]QUERY", read_parts_and_query, repeated=True)
