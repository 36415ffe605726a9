"""What rows that are not a clip's own say of it: where it was the query, the example, what something was learned from,
or what an edit of another clip took motion from. A purge takes that out, of the rows as they are and of the log."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from motionary.bank import schema
from motionary.bank.sqlite_errors import BankConnection
from motionary.bank.stored_json import stored

GONE = "…"
NO_WORDS = "rows"  # holds packed numbers, in whose text a short name may well occur
_FROM_CLIP = re.compile(r"(\w+) from #(\d+):")  # of a label's origin
_Image = dict[str, Any]  # a row's columns


class Traces:
    """Finds in a row what it says of some clips, whatever they were called."""

    def __init__(self, clip_ids: list[int], names: set[str], path: Path) -> None:
        self.path = path  # of the bank, for messages
        self.clip_ids = frozenset(clip_ids)
        self.named = any_of(names | {f"#{clip_id}" for clip_id in clip_ids})

    def forget(self, connection: BankConnection) -> set[int]:
        """Take all of it out; the changes that by now say less, because rows have gone."""
        changes: set[int] = set()
        for table, cleaned in self._tables(self._under(connection)).items():
            columns = schema.TRACKED[table]
            for row in connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall():
                before = dict(row)
                after = cleaned(before)
                if after is None:
                    connection.execute(f"DELETE FROM {table} WHERE id = ?", (before["id"],))
                elif after != before:
                    marks = ", ".join(f"{column} = ?" for column in columns)
                    connection.execute(f"UPDATE {table} SET {marks} WHERE id = ?", [*after.values(), before["id"]])
            changes |= _forget_images(connection, table, cleaned)
        return changes

    def are_in(self, content: Any) -> bool:
        """Whether something was learned from one of the clips: by the ids that it gives, else by the names in it."""
        ids = content.get("clip_ids") if isinstance(content, dict) else None
        if isinstance(ids, list):
            return not self.clip_ids.isdisjoint(ids)
        return any(self.named.search(text) for text in _texts(content))

    def _under(self, connection: BankConnection) -> dict[int, int]:
        """For every recording that edits made with the clips' motion: what lies under those edits."""
        rows = connection.execute("SELECT before, after FROM row_changes WHERE table_name = 'edits'")
        images = [
            stored(image, dict, self.path, "the log of edits") for row in rows for image in row if image is not None
        ]
        below = {image["recording_id"]: image["below_id"] for image in images if self._is_in_edit(image)}
        found = {}
        for recording_id in below:
            lower, seen = recording_id, set()
            while lower in below and lower not in seen:
                seen.add(lower)
                lower = below[lower]
            found[recording_id] = lower
        return found

    def _tables(self, under: dict[int, int]) -> dict[str, Callable[[_Image], _Image | None]]:
        def clip(image: _Image) -> _Image:
            return {**image, "recording_id": under.get(image["recording_id"], image["recording_id"])}

        return {
            "clips": clip,
            "edits": self._edit,
            "recipes": self._recipe,
            "parametrics": self._learned,
            "verdicts": self._learned,
            "selections": self._selection,
            "profiles": self._learned,
            "spaces": self._space,
            "labels": self._label,
        }

    def _selection(self, image: _Image) -> _Image:
        asked = self._content(image, "asked")
        without = self._without_names(asked)
        if without != asked:
            image = {**image, "asked": json.dumps(without, ensure_ascii=False)}
        if image["query_clip_id"] in self.clip_ids:
            image = {**image, "query_clip_id": None, "query_start": None, "query_stop": None}
        return image

    def _learned(self, image: _Image) -> _Image | None:
        """Nothing, where it was learned from one of the clips: its numbers, taken together, still tell of it."""
        return None if self.are_in(self._content(image)) else image

    def _space(self, image: _Image) -> _Image | None:
        """As with what else was learned; of early ones nobody knows by which clips, so that they go with any."""
        return self._learned(image) if self._content(image).get("clip_ids") else None

    def _content(self, image: _Image, column: str = "content") -> Any:
        return stored(image[column], dict, self.path, f"what row {image['id']} holds")

    def _is_in_edit(self, image: _Image) -> bool:
        return not self.clip_ids.isdisjoint(self._content(image).get("clip_ids", ()))

    def _edit(self, image: _Image) -> _Image | None:
        """Nothing, where motion of the clips is in the result (`clip_ids` holds those of the layers below, too)."""
        return None if self._is_in_edit(image) else self._recipe(image)

    def _recipe(self, image: _Image) -> _Image:
        content = self._content(image)
        without = self._without_names(content)
        return image if without == content else {**image, "content": json.dumps(without, ensure_ascii=False)}

    def _label(self, image: _Image) -> _Image:
        found = _FROM_CLIP.match(image["origin"])
        return {**image, "origin": found[1]} if found and int(found[2]) in self.clip_ids else image

    def _without_names(self, content: Any) -> Any:
        if isinstance(content, dict):
            return {key: self._without_names(value) for key, value in content.items()}
        if isinstance(content, list):
            return [self._without_names(value) for value in content]
        return self.named.sub(GONE, content) if isinstance(content, str) else content


def any_of(names: set[str]) -> re.Pattern[str]:
    """Finds whole names in a text."""
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or r"(?!)")


def _forget_images(connection: BankConnection, table: str, cleaned: Callable[[_Image], _Image | None]) -> set[int]:
    """Clean what the log says of a table's rows. A row that has to go was never there: what made or removed it did
    nothing, what replaced it made it, and what it replaced was removed."""
    changes: set[int] = set()
    images = connection.execute(
        "SELECT id, change_id, before, after FROM row_changes WHERE table_name = ?", (table,)
    ).fetchall()
    for row in images:
        texts = [row["before"], row["after"]]
        sides = [None if text is None else stored(text, dict, connection.path, "the log") for text in texts]
        left = [None if side is None else cleaned(side) for side in sides]
        if left == sides:
            continue
        if left[0] == left[1]:  # both gone, or nothing is left of the difference
            connection.execute("DELETE FROM row_changes WHERE id = ?", (row["id"],))
        else:
            texts = [None if side is None else json.dumps(side, ensure_ascii=False) for side in left]
            connection.execute("UPDATE row_changes SET before = ?, after = ? WHERE id = ?", (*texts, row["id"]))
        if left[0] == left[1] or left.count(None) > sides.count(None):
            changes.add(row["change_id"])
    return changes


def _texts(content: Any) -> Iterator[str]:
    """All texts in what JSON holds that may name a clip."""
    if isinstance(content, dict):
        for key, value in content.items():
            if key != NO_WORDS:
                yield from _texts(value)
    elif isinstance(content, list):
        for value in content:
            yield from _texts(value)
    elif isinstance(content, str):
        yield content
