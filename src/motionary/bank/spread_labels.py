"""Labels that were given by likeness: put on as one change, looked through, accepted or rejected."""

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from motionary.bank.clips import SPREAD, Label
from motionary.bank.connection import change
from motionary.bank.library import Library
from motionary.errors import UsageError
from motionary.motion import Segment

ACCEPTED = "accepted"
_IS_SPREAD = f"(labels.origin = '{SPREAD}' OR labels.origin LIKE '{SPREAD} %')"


@dataclass(frozen=True, slots=True)
class SpreadLabel:
    """A label on a segment by its likeness to an example; nobody has looked at it yet."""

    segment: Segment
    name: str
    strength: float  # how likely it is right, from 0 to 1
    example: str = ""  # the segment that it is like, as #12:30-90
    clip: str = ""  # the clip's name, as it is now

    def __post_init__(self) -> None:
        Label(self.name)  # raises what is wrong with it
        if not 0.0 <= self.strength <= 1.0:
            raise UsageError(f"label {self.name!r}: the strength must be between 0 and 1, not {self.strength}")

    @property
    def origin(self) -> str:
        """How the bank writes where it comes from."""
        return f"{SPREAD} from {self.example}" if self.example else SPREAD

    def as_json(self) -> dict[str, Any]:
        return {
            "clip": self.clip,
            "id": self.segment.clip_id,
            "start": self.segment.start,
            "stop": self.segment.stop,
            "label": self.name,
            "strength": self.strength,
            "example": self.example,
        }


class SpreadLabels(Library):
    """The spread labels of an open bank. Those that were accepted are labels like those given by hand."""

    def unreviewed_labels(
        self,
        segments: Iterable[str | Segment] | None = None,
        *,
        labels: str | Sequence[str] = (),
        at_least: float = 0.0,
        below: float = math.inf,
    ) -> list[SpreadLabel]:
        """The spread labels that nobody has accepted yet, by clip and start: all, or those within segments, with one
        of these names, of a strength in [at_least, below)."""
        rows = self.connection.execute(*self._chosen("labels.*, clips.name AS clip", segments, labels, at_least, below))
        return [
            SpreadLabel(
                Segment(row["clip_id"], row["start"], row["stop"]),
                row["name"],
                row["strength"],
                row["origin"].removeprefix(SPREAD).removeprefix(" from "),
                row["clip"],
            )
            for row in rows
        ]

    def put_spread_labels(self, spread: Iterable[SpreadLabel], *, names: Sequence[str]) -> int:
        """Put spread labels on, in place of all spread labels with one of these `names`; returns how many were put.

        One change. Labels by hand stay as they are; where one of that name has exactly these frames, it is enough.
        """
        spread = list(spread)
        for one in spread:
            self.segment_of(one.segment)
        with change(self.connection, f"spread {', '.join(names)}"):
            self.connection.execute(
                f"DELETE FROM labels WHERE name IN (SELECT value FROM json_each(?)) AND {_IS_SPREAD}",
                (json.dumps(list(names)),),
            )
            return sum(
                self.connection.execute(
                    """INSERT INTO labels (clip_id, start, stop, name, strength, origin) VALUES (?, ?, ?, ?, ?, ?)
                           ON CONFLICT DO NOTHING""",
                    (*_place(one.segment), one.name, float(one.strength), one.origin),
                ).rowcount
                for one in spread
            )

    def accept_labels(
        self,
        segments: Iterable[str | Segment] | None = None,
        *,
        labels: str | Sequence[str] = (),
        at_least: float = 0.0,
        below: float = math.inf,
    ) -> int:
        """Make spread labels (chosen as `unreviewed_labels` does) labels that count like those by hand; how many."""
        with change(self.connection, "accept spread labels"):
            rows = self.connection.execute(*self._chosen("labels.id", segments, labels, at_least, below)).fetchall()
            self.connection.executemany(
                f"UPDATE labels SET strength = 1.0, origin = '{ACCEPTED}' || substr(origin, {len(SPREAD) + 1})"
                " WHERE id = ?",
                [(row["id"],) for row in rows],
            )
        return len(rows)

    def reject_labels(
        self,
        segments: Iterable[str | Segment] | None = None,
        *,
        labels: str | Sequence[str] = (),
        at_least: float = 0.0,
        below: float = math.inf,
    ) -> int:
        """Take spread labels (chosen as `unreviewed_labels` does) off, and never spread them there again; how many."""
        with change(self.connection, "reject spread labels"):
            rows = self.connection.execute(*self._chosen("labels.*", segments, labels, at_least, below)).fetchall()
            for row in rows:
                self.connection.execute("DELETE FROM labels WHERE id = ?", (row["id"],))
                self.connection.execute(
                    "INSERT INTO refusals (clip_id, start, stop, name) VALUES (?, ?, ?, ?)",
                    (row["clip_id"], row["start"], row["stop"], row["name"]),
                )
        return len(rows)

    def refused(self, name: str) -> list[Segment]:
        """Where a person has said that this label does not belong, by clip and start."""
        rows = self.connection.execute(
            "SELECT DISTINCT clip_id, start, stop FROM refusals WHERE name = ? ORDER BY 1, 2, 3", (name,)
        )
        return [Segment(*row) for row in rows]

    def _chosen(
        self,
        columns: str,
        segments: Iterable[str | Segment] | None,
        labels: str | Sequence[str],
        at_least: float,
        below: float,
    ) -> tuple[str, list[object]]:
        """A query for spread labels."""
        conditions: list[str] = [_IS_SPREAD, "labels.strength >= ?", "labels.strength < ?"]
        parameters: list[object] = [at_least, min(below, 1e300)]
        names = [labels] if isinstance(labels, str) else list(labels)
        if names:
            conditions.append("labels.name IN (SELECT value FROM json_each(?))")
            parameters.append(json.dumps(names))
        if segments is not None:
            conditions.append(
                """EXISTS (SELECT 1 FROM json_each(?) AS place WHERE place.value ->> 0 = labels.clip_id
                              AND place.value ->> 1 <= labels.start AND labels.stop <= place.value ->> 2)"""
            )
            parameters.append(json.dumps([_place(segment) for segment in self.segments_of(segments)]))
        sql = f"""SELECT {columns} FROM labels JOIN clips ON clips.id = labels.clip_id
                   WHERE {" AND ".join(conditions)} ORDER BY labels.clip_id, labels.start, labels.stop, labels.name"""
        return sql, parameters


def _place(segment: Segment) -> tuple[int, int, int]:
    return segment.clip_id, segment.start, segment.stop
