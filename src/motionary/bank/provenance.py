"""How clips were made of others, and what people have said of results.

A recipe or verdict is whatever JSON can hold. `clip_ids` in it says of which clips' motion it tells: a made clip is
purged together with any clip that it was made of.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from motionary.arguments import check_is
from motionary.bank.clips import Clip
from motionary.bank.connection import change, now
from motionary.bank.library import Library
from motionary.bank.sqlite_errors import BankConnection
from motionary.bank.stored_json import stored
from motionary.errors import NotInBankError


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person has said of a result."""

    id: int
    content: dict[str, Any]
    kept_at: str


class Provenance(Library):
    """The recipes of made clips, and the verdicts, of an open bank."""

    def recipe(self, clip: Clip | str | int) -> dict[str, Any] | None:
        """How a made clip was made; None for one that was not made here."""
        found = clip if isinstance(clip, Clip) else self.clip(clip)
        row = self.connection.execute("SELECT content FROM recipes WHERE clip_id = ?", (found.id,)).fetchone()
        if row is None:
            return None
        content: dict[str, Any] = stored(row["content"], dict, self.path, f"the recipe of clip {found.name!r}")
        return content

    def set_recipe(self, clip: Clip | str | int, content: Mapping[str, Any] | None) -> None:
        """Keep how a clip was made, in place of what was kept; None forgets it."""
        found = clip if isinstance(clip, Clip) else self.clip(clip)
        if content is not None and (used := source_ids(content)):
            content = {**content, "clip_ids": sorted(used.union(*(self.edited_with(clip_id) for clip_id in used)))}
        text = None if content is None else as_text(content, called="a recipe")
        with change(self.connection, f"recipe {found.name}"):
            if text is None:
                self.connection.execute("DELETE FROM recipes WHERE clip_id = ?", (found.id,))
                return
            self.connection.execute(
                """INSERT INTO recipes (clip_id, content, kept_at) VALUES (?1, ?2, ?3)
                       ON CONFLICT (clip_id) DO UPDATE SET content = ?2, kept_at = ?3""",
                (found.id, text, now()),
            )

    def edited_with(self, clip: Clip | int) -> list[int]:
        """The ids of other clips whose motion is in a clip's edits."""
        clip_id = clip.id if isinstance(clip, Clip) else clip
        row = self.connection.execute(
            "SELECT content FROM edits WHERE clip_id = ? ORDER BY position DESC LIMIT 1", (clip_id,)
        ).fetchone()
        if row is None:
            return []
        return sorted(source_ids(stored(row["content"], dict, self.path, f"an edit of clip #{clip_id}")))

    def made_of(self, clip: Clip | str | int) -> list[Clip]:
        """The clips whose recipe says that they were made of this one, by id."""
        found = clip if isinstance(clip, Clip) else self.clip(clip)
        rows = self.connection.execute("SELECT clip_id, content FROM recipes ORDER BY clip_id")
        made = [
            row["clip_id"]
            for row in rows
            if found.id in source_ids(stored(row["content"], dict, self.path, f"the recipe of clip #{row['clip_id']}"))
        ]
        return self.with_ids(made)

    def verdicts(self) -> list[Verdict]:
        """All verdicts, in the order in which they were given."""
        rows = self.connection.execute("SELECT id, content, kept_at FROM verdicts ORDER BY id")
        return [
            Verdict(row["id"], stored(row["content"], dict, self.path, f"verdict {row['id']}"), row["kept_at"])
            for row in rows
        ]

    def add_verdict(self, content: Mapping[str, Any]) -> int:
        """Keep what a person has said of a result; returns the verdict's id."""
        with change(self.connection, "verdict"):
            cursor = self.connection.execute(
                "INSERT INTO verdicts (content, kept_at) VALUES (?, ?)", (as_text(content, called="a verdict"), now())
            )
        return int(cursor.lastrowid or 0)

    def remove_verdict(self, verdict_id: int) -> None:
        """Take a verdict out; `undo` brings it back."""
        with change(self.connection, f"rm verdict {verdict_id}"):
            cursor = self.connection.execute("DELETE FROM verdicts WHERE id = ?", (verdict_id,))
            if not cursor.rowcount:
                raise NotInBankError(f"{self.path}: no verdict {verdict_id}")


def as_text(content: Mapping[str, Any], *, called: str) -> str:
    """What JSON holds, as the bank writes it."""
    check_is(content, Mapping, called=called, meant="a mapping that JSON can hold")
    return json.dumps(dict(content), ensure_ascii=False, allow_nan=False)


def source_ids(content: Any) -> frozenset[int]:
    """The clips that something was made of, as it says itself."""
    ids = content.get("clip_ids") if isinstance(content, dict) else None
    return frozenset(clip_id for clip_id in ids if isinstance(clip_id, int)) if isinstance(ids, list) else frozenset()


def all_made_of(connection: BankConnection, clip_ids: Iterable[int]) -> list[int]:
    """The ids of the clips that were made of these, and of what was made of those; in the bank, or to be undone."""
    made: dict[int, set[int]] = {}
    rows = connection.execute("SELECT before, after FROM row_changes WHERE table_name = 'recipes'")
    for text in (text for row in rows for text in row if text is not None):
        image = stored(text, dict, connection.path, "the log of recipes")
        content = stored(image["content"], dict, connection.path, f"the recipe of clip #{image['clip_id']}")
        made.setdefault(image["clip_id"], set()).update(source_ids(content))
    known = set(clip_ids)
    found: list[int] = []
    while new := sorted(clip_id for clip_id, sources in made.items() if clip_id not in known and sources & known):
        known.update(new)
        found += new
    return found
