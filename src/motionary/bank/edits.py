"""A clip's edits: the recording that lies under them, and a stack of layers, each with the result up to it.

What a layer does is in its content, as JSON, and is its maker's affair; but for `clip_ids`, which says what other
clips' motion is in the result. A purge of one of those takes the layer off, with all layers above it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from motionary.bank import schema
from motionary.bank.clips import Clip
from motionary.bank.connection import change, now
from motionary.bank.library import Library
from motionary.bank.pairs import digest_of_pairs, pack_pairs, unpack_pairs
from motionary.bank.provenance import as_text, source_ids
from motionary.bank.storage import PackedRecording, pack, unpack
from motionary.bank.stored_json import stored
from motionary.bank.storing import store
from motionary.errors import BankError, ChannelError, UsageError
from motionary.motion import Motion, Recording, full_layout, keep_angles, recording_of
from motionary.plants import Plant

_ON_FRAMES: tuple[tuple[str, str, str | None], ...] = (  # tables, and where their rows lie on a clip
    ("labels", "start", "stop"),
    ("refusals", "start", "stop"),
    ("targets", "frame", None),
    ("matches", "start", "stop"),
    ("selections", "query_start", "query_stop"),
)


@dataclass(frozen=True, slots=True)
class EditRow:
    """One layer of a clip's stack of edits; position 1 is the lowest."""

    id: int
    clip_id: int
    position: int
    content: dict[str, Any]
    below_id: int  # the recording it was applied to
    recording_id: int  # its result
    kept_at: str


class MovedRows(NamedTuple):
    """Tables and rows, as they were, of what lay on frames that are gone: all of it, or a part."""

    gone: list[tuple[str, dict[str, Any]]]
    cut: list[tuple[str, dict[str, Any]]]


class Edits(Library):
    """The stacks of edits of an open bank."""

    def edit(self, segment: Any, operation: Any, parameters: Mapping[str, Any] | None = None, **options: Any) -> Any:
        """Put an operation on a segment, and on all that is like it: `motionary.apply_edit` of this bank.

        >>> bank.edit("#3:63-158", Emote(horizontal=1.0), to="@shrugs")     # doctest: +SKIP
        """
        return import_module("motionary.edit").apply_edit(self, segment, operation, parameters, **options)

    def edit_rows(self, clip: Clip | str | int | None = None) -> list[EditRow]:
        """The layers of a clip's stack, lowest first; without a clip those of all, by clip."""
        where, parameters = "1", []
        if clip is not None:
            found = clip if isinstance(clip, Clip) else self.clip(clip)
            where, parameters = "clip_id = ?", [found.id]
        rows = self.connection.execute(
            f"""SELECT id, clip_id, position, content, below_id, recording_id, kept_at FROM edits
                 WHERE {where} ORDER BY clip_id, position""",
            parameters,
        )
        return [EditRow(row[0], row[1], row[2], self._edit_content(row), row[4], row[5], row[6]) for row in rows]

    def _edit_content(self, row: Any) -> dict[str, Any]:
        content: dict[str, Any] = stored(row["content"], dict, self.path, f"an edit of clip #{row['clip_id']}")
        return content

    def edit_base(self, clip: Clip | str | int) -> int:
        """The id of the recording under a clip's edits; without any, that of its own."""
        found = clip if isinstance(clip, Clip) else self.clip(clip)
        row = self.connection.execute("SELECT recording_id FROM edit_bases WHERE clip_id = ?", (found.id,)).fetchone()
        return found.recording_id if row is None else int(row["recording_id"])

    def stored_recording(self, recording_id: int) -> Recording:
        """A recording by its own id: a clip's, or one that lies under a clip's edits."""
        row = self.connection.execute(
            """SELECT skeleton_id, frames_digest, n_frames, frame_time, data FROM recordings
                 JOIN frames ON recording_id = recordings.id WHERE recordings.id = ?""",
            (recording_id,),
        ).fetchone()
        if row is None:
            raise self._damaged(f"recording {recording_id} is missing")
        packed = PackedRecording(
            self._rig(row["skeleton_id"]), row["data"], row["frames_digest"], row["n_frames"], row["frame_time"]
        )
        if not packed.is_intact:
            raise self._damaged(f"the frames of recording {recording_id} do not match their checksum")
        return unpack(packed)

    def check_same_motion(self, clip: Clip, *, plants: Sequence[Plant] | None = None) -> None:
        """Raise if the clip has another motion by now, or keeps other plants than these: what was computed from those
        it had would undo that."""
        now = self.clip(clip.id)
        others = plants is not None and self.plants_origin(now) is not None and set(self.plants(now)) != set(plants)
        if now.recording_id != clip.recording_id or others:
            raise BankError(
                f"{self.path}: clip {now.name!r} was changed by somebody else while this was computed, so nothing was "
                "changed; try it again"
            )

    @contextmanager
    def originals(self) -> Iterator[None]:
        """Inside, every edited clip shows the recording under its edits, to be searched, drawn or exported.

        Labels and plants are those of the edited clips. Clips cannot be changed meanwhile.
        """
        columns = ", ".join(column for column in schema.TRACKED["clips"] if column != "recording_id")
        self.connection.execute(
            f"""CREATE TEMP VIEW clips AS
                SELECT {columns}, coalesce((SELECT edit_bases.recording_id FROM edit_bases WHERE clip_id = edited.id),
                                           edited.recording_id) AS recording_id FROM main.clips AS edited"""
        )
        try:
            yield
        finally:
            self.connection.execute("DROP VIEW temp.clips")

    def move_frames(
        self,
        clip: Clip | str | int,
        interval_now: Callable[[int, int], tuple[int, int] | None],
        *,
        lost: Sequence[tuple[int, int]] = (),
    ) -> "MovedRows":
        """Move what lies on a clip's frames to where those frames are now; what lay on frames that are gone goes.

        `interval_now` maps an interval of the clip before to one of the clip now, None if it is gone. Labels, refused
        labels, targets, matches of selections and their queries move; plants are the caller's. Returns what is gone,
        and what has lost frames (`lost` are intervals of them).
        """
        found = clip if isinstance(clip, Clip) else self.clip(clip)
        gone: list[tuple[str, dict[str, Any]]] = []
        cut: list[tuple[str, dict[str, Any]]] = []
        with change(self.connection, f"move frames of {found.name}"):
            rows = [(table, row, interval_now(*frames_of_row(table, row))) for table, row in self.rows_on_frames(found)]
            for table, row, now_at in _places_free_first(rows):
                start, stop = frames_of_row(table, row)
                stays = self._move_row(table, row, now_at, interval_now)
                if not stays:
                    gone.append((table, row))
                elif any(start < until and stop > since for since, until in lost):
                    cut.append((table, row))
        return MovedRows(gone, cut)

    def rows_on_frames(self, clip: Clip | str | int) -> list[tuple[str, dict[str, Any]]]:
        """What lies on a clip's frames, as tables and rows: labels, refused labels, targets, matches and queries."""
        found = clip if isinstance(clip, Clip) else self.clip(clip)
        rows = []
        for table, first, _ in _ON_FRAMES:
            key = "query_clip_id" if table == "selections" else "clip_id"
            where = f"{key} = ? AND {first} IS NOT NULL"
            some = self.connection.execute(f"SELECT * FROM {table} WHERE {where}", (found.id,)).fetchall()
            rows += [(table, dict(row)) for row in some]
        return rows

    def bring_back(self, table: str, row: Mapping[str, Any], interval: tuple[int, int]) -> bool:
        """Bring a row back that `move_frames` took out, on these frames; False if there is no place for it any more."""
        row = row_on_frames(table, row, interval)
        execute = self.connection.execute
        if table == "selections":
            cursor = execute(
                """UPDATE selections SET query_clip_id = ?, query_start = ?, query_stop = ?
                    WHERE id = ? AND query_clip_id IS NULL""",
                (row["query_clip_id"], row["query_start"], row["query_stop"], row["id"]),
            )
            return bool(cursor.rowcount)
        if table == "matches":
            there = execute(
                """SELECT EXISTS (SELECT 1 FROM selections WHERE id = ?1)
                      AND EXISTS (SELECT 1 FROM alignments WHERE id = ?2)
                      AND NOT EXISTS (SELECT 1 FROM matches WHERE selection_id = ?1 AND rank = ?3)""",
                (row["selection_id"], row["alignment_id"], row["rank"]),
            ).fetchone()[0]
            if not there:
                return False
        columns = [column for column in schema.TRACKED[table] if column != "id"]
        alike = [column for column in ("clip_id", "name", "joint", *_columns_of_frames(table)) if column in columns]
        same = " AND ".join(f"{column} IS ?" for column in alike)
        if (
            table != "matches"
            and execute(f"SELECT 1 FROM {table} WHERE {same}", [row[column] for column in alike]).fetchone()
        ):
            return False
        marks = ", ".join("?" * len(columns))
        execute(f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})", [row[column] for column in columns])
        return True

    def stretch_back(self, table: str, row: Mapping[str, Any], interval: tuple[int, int]) -> None:
        """Give a row that had lost frames these; nothing if it is not there any more."""
        first, last = _columns_of_frames(table)
        if last is not None and (table != "labels" or not self._is_label(row, interval)):
            self.connection.execute(
                f"UPDATE {table} SET {first} = ?, {last} = ? WHERE id = ? AND {first} IS NOT NULL",
                (*interval, row["id"]),
            )

    def _is_label(self, row: Mapping[str, Any], interval: tuple[int, int]) -> bool:
        """Whether the clip has a label of that name on exactly these frames."""
        found = self.connection.execute(
            "SELECT 1 FROM labels WHERE clip_id = ? AND name = ? AND start = ? AND stop = ?",
            (row["clip_id"], row["name"], *interval),
        )
        return found.fetchone() is not None

    def _move_row(
        self,
        table: str,
        row: dict[str, Any],
        now_at: tuple[int, int] | None,
        interval_now: Callable[[int, int], tuple[int, int] | None],
    ) -> bool:
        """Move a row; False if it is gone, with its frames or because a label like it is there."""
        first, last = _columns_of_frames(table)
        execute = self.connection.execute
        if now_at is None:
            if table == "selections":
                execute(
                    "UPDATE selections SET query_clip_id = NULL, query_start = NULL, query_stop = NULL WHERE id = ?",
                    (row["id"],),
                )
            else:
                execute(f"DELETE FROM {table} WHERE id = ?", (row["id"],))
            return False
        if now_at == frames_of_row(table, row):
            return True
        if table == "labels" and self._is_label(row, now_at):
            execute("DELETE FROM labels WHERE id = ?", (row["id"],))
            return False
        if table == "matches" and now_at[1] - now_at[0] != row["stop"] - row["start"]:
            self._move_alignment(row, now_at, interval_now)
        marks = f"{first} = ?" + (f", {last} = ?" if last else "")
        execute(f"UPDATE {table} SET {marks} WHERE id = ?", (*(now_at if last else now_at[:1]), row["id"]))
        return True

    def _move_alignment(
        self,
        row: dict[str, Any],
        now_at: tuple[int, int],
        interval_now: Callable[[int, int], tuple[int, int] | None],
    ) -> None:
        """Let a match's alignment lead to where its frames are now."""
        packed = self.connection.execute("SELECT pairs FROM alignments WHERE id = ?", (row["alignment_id"],)).fetchone()
        pairs = unpack_pairs(bytes(packed["pairs"])).astype(np.int64)
        if not len(pairs):
            return
        n_before, last = row["stop"] - row["start"], int(pairs[-1, 1])
        step = (n_before - 1) / max(last, 1)  # frames of the clip to one of the alignment
        moved = []
        for query, candidate in pairs.tolist():
            frame = row["start"] + round(candidate * step)
            there = interval_now(frame, frame + 1)
            at = now_at[0] if there is None else min(max(there[0], now_at[0]), now_at[1] - 1)
            moved.append((query, round((at - now_at[0]) / step)))
        after = np.maximum.accumulate(np.array(moved, dtype=np.int64), axis=0)
        kept = np.concatenate([[True], np.any(np.diff(after, axis=0) > 0, axis=1)])
        content = pack_pairs(after[kept].astype(np.int32))
        digest = digest_of_pairs(content)
        self.connection.execute(
            """INSERT INTO alignments (digest, pairs) SELECT ?1, ?2
                WHERE NOT EXISTS (SELECT 1 FROM alignments WHERE digest = ?1)""",
            (digest, content),
        )
        self.connection.execute(
            "UPDATE matches SET alignment_id = (SELECT id FROM alignments WHERE digest = ?) WHERE id = ?",
            (digest, row["id"]),
        )

    def put_edits(
        self,
        clip: Clip | str | int,
        layers: Sequence[tuple[Mapping[str, Any], PackedRecording]],
        *,
        keep: int | None = None,
        command: str = "edit",
    ) -> list[EditRow]:
        """Put layers, each with the result up to it, on a clip's stack; returns the stack as it is now.

        `keep` is the number of layers to keep below them (all if not given); what was above those goes. The clip's
        recording becomes the highest result. What lies on its frames is the caller's to move.
        """
        found = clip if isinstance(clip, Clip) else self.clip(clip)
        rows = self.edit_rows(found)
        keep = len(rows) if keep is None else keep
        if not 0 <= keep <= len(rows):
            raise UsageError(f"clip {found.name!r} has {len(rows)} edits, so {keep} cannot be kept")
        base = self.edit_base(found)
        below = rows[keep - 1].recording_id if keep else base
        sources = source_ids(rows[keep - 1].content) if keep else frozenset()
        with change(self.connection, command):
            execute = self.connection.execute
            execute("DELETE FROM edits WHERE clip_id = ? AND position > ?", (found.id, keep))
            for position, (content, packed) in enumerate(layers, start=keep + 1):
                sources |= source_ids(content)
                text = as_text({**content, "clip_ids": sorted(sources)}, called="an edit")
                result = store(self.connection, packed)
                execute(
                    """INSERT INTO edits (clip_id, position, content, below_id, recording_id, kept_at)
                       VALUES (?, ?, ?, ?, ?, ?)""",
                    (found.id, position, text, below, result, now()),
                )
                below = result
            if keep or layers:
                execute(
                    "INSERT INTO edit_bases (clip_id, recording_id) VALUES (?, ?) ON CONFLICT (clip_id) DO NOTHING",
                    (found.id, base),
                )
            else:
                execute("DELETE FROM edit_bases WHERE clip_id = ?", (found.id,))
            execute("UPDATE clips SET recording_id = ?1 WHERE id = ?2 AND recording_id <> ?1", (below, found.id))
        return self.edit_rows(found.id)


def pack_motion(motion: Motion, *, like: Recording) -> PackedRecording:
    """A motion as the bank stores it, in the units and channels of `like`; with more channels where those cannot hold
    it. What is the same as in `like`, frame by frame, keeps its numbers."""
    try:
        return pack(_with_numbers_of(like, recording_of(motion, like=like), motion))
    except ChannelError:
        layout = full_layout(like.layout, motion)
        return pack(recording_of(motion, like=replace(like, layout=layout, values=np.empty((0, layout.n_channels)))))


def _with_numbers_of(like: Recording, made: Recording, motion: Motion) -> Recording:
    """The recording of a motion, in which angles, and places of the root, that are those of `like` have its numbers:
    written anew, the same rotation may be other angles."""
    if made.n_frames != like.n_frames:
        return made
    layout, before = made.layout, like.motion()
    products = np.abs(np.sum(motion.rotations * before.rotations, axis=-1))  # the same or opposite: one rotation
    same = np.all(np.abs(motion.rotations) == np.abs(before.rotations), axis=-1) & (products > 1.0 - 1e-12)  # (F, J)
    made = keep_angles(made, like, same)
    stays = np.all(motion.root_positions == before.root_positions, axis=-1)
    kept = stays[:, None] & (layout.joints == 0) & ~layout.is_rotation
    return replace(made, values=np.where(kept, like.values, made.values))


def frames_of_row(table: str, row: Mapping[str, Any]) -> tuple[int, int]:
    """The frames [start, stop) on which a row of such a table lies."""
    first, last = _columns_of_frames(table)
    return row[first], row[last] if last else row[first] + 1


def row_on_frames(table: str, row: Mapping[str, Any], interval: tuple[int, int]) -> dict[str, Any]:
    """The row on other frames."""
    first, last = _columns_of_frames(table)
    return {**row, first: interval[0]} | ({last: interval[1]} if last else {})


def _places_free_first(
    rows: Sequence[tuple[str, dict[str, Any], tuple[int, int] | None]],
) -> list[tuple[str, dict[str, Any], tuple[int, int] | None]]:
    """Rows and where they go, those first that leave a place to another: a clip has a label once on the same frames."""
    at_place = {(table, row.get("name"), frames_of_row(table, row)): i for i, (table, row, _) in enumerate(rows)}
    order: dict[int, None] = {}
    for i in range(len(rows)):
        chain: dict[int, None] = {}
        here: int | None = i
        while here is not None and here not in order and here not in chain:
            chain[here] = None
            table, row, now_at = rows[here]
            here = None if now_at is None else at_place.get((table, row.get("name"), now_at))
        order.update(dict.fromkeys(reversed(chain)))
    return [rows[i] for i in order]


def _columns_of_frames(table: str) -> tuple[str, str | None]:
    """The columns that say on which frames a table's rows lie."""
    return next((first, last) for name, first, last in _ON_FRAMES if name == table)
