"""The bank: one file that holds a library of motions."""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from motionary.bank import changes, maintenance, schema
from motionary.bank.addresses import Address, parse_address
from motionary.bank.clips import Clip, Label, Target
from motionary.bank.connection import change, connect, now
from motionary.bank.storage import PackedRecording, pack, unpack, unpack_rig
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.motion import Motion, Recording, Segment, Skeleton, our_skeleton
from motionary.plants import Plant
from motionary.rig import BodyMap, UserMap, map_skeleton


class Bank:
    """An open bank. Every method that changes it is one transaction, stands in the log and can be undone."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, read_only: bool) -> None:
        self.path = path
        self.connection = connection
        self.read_only = read_only
        self._rigs: dict[int, str] = {}  # skeletons' JSON by id: rows that never change

    @classmethod
    def open(cls, path: Path | str, *, create: bool = False, read_only: bool = False) -> Self:
        """The bank at `path`; `create` makes an empty one if there is none."""
        path = Path(path)
        return cls(path, connect(path, create=create, read_only=read_only), read_only=read_only)

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def derived_path(self) -> Path:
        """The folder beside the bank for what can be computed again."""
        return self.path.with_name(self.path.name + ".derived")

    @contextmanager
    def change(self, command: str) -> Iterator[int]:
        """Several changes as one: one transaction, one entry of the log."""
        with change(self.connection, self.path, command) as change_id:
            yield change_id

    # Finding

    def clips(
        self,
        text: str = "",
        *,
        labels: Sequence[str] = (),
        names: Sequence[str] = (),
    ) -> list[Clip]:
        """Clips, by id: those whose name, labels, description or source hold all words of `text` (a word may be
        cut short), that carry all `labels` (on the whole or a segment), and whose name fits one of the glob
        patterns `names`."""
        conditions, parameters = ["1"], []
        if text.strip():
            conditions.append("clips.id IN (SELECT rowid FROM clip_text WHERE clip_text MATCH ?)")
            parameters.append(_words_query(text))
        for label in labels:
            conditions.append("clips.id IN (SELECT clip_id FROM labels WHERE name = ?)")
            parameters.append(label)
        if names:
            conditions.append("(" + " OR ".join(["clips.name GLOB ?"] * len(names)) + ")")
            parameters.extend(names)
        return self._clips(" AND ".join(conditions), parameters)

    def clip(self, name: str | int) -> Clip:
        """One clip, by name, `#id` or id."""
        address = Address(f"#{name}" if isinstance(name, int) else name)
        if address.clip_id is not None:
            found = self._clips("clips.id = ?", [address.clip_id])
        else:
            found = self._clips("clips.name = ?", [address.clip])
        if not found:
            raise NotInBankError(f"{self.path}: no clip {address.clip!r}.{self._suggestion(address.clip)}")
        return found[0]

    def segment(self, text: str) -> Segment:
        """The segment that `text` names: `CLIP`, `CLIP:30-90`, `CLIP:1.5s-3s`, `#12:-60`."""
        address = parse_address(text)
        try:
            clip = self.clip(address.clip)
        except NotInBankError:
            clip = self.clip(text)  # a name that looks like a name with an interval
            address = Address(text)
        start = 0 if address.start is None else address.start.frame(clip.frame_time)
        stop = clip.n_frames if address.stop is None else address.stop.frame(clip.frame_time)
        if not 0 <= start < stop <= clip.n_frames:
            raise NotInBankError(
                f"clip {clip.name!r} has no frames {start}-{stop}; it has 0-{clip.n_frames} "
                f"({clip.duration_secs:.2f} s at {clip.rate_hz:.4g} Hz)"
            )
        return Segment(clip.id, start, stop)

    def segment_name(self, segment: Segment) -> str:
        """How people write the segment."""
        return f"{self.clip(segment.clip_id).name}:{segment.start}-{segment.stop}"

    # Motions

    def recording(self, segment: Segment | str | int) -> Recording:
        """A segment (or clip) as its file wrote it."""
        segment = self._segment(segment)
        row = self._one_row(
            """SELECT recordings.id, skeleton_id, frames_digest, n_frames, frame_time, data
                 FROM clips JOIN recordings ON recordings.id = clips.recording_id
                 JOIN frames ON frames.recording_id = recordings.id WHERE clips.id = ?""",
            segment.clip_id,
        )
        packed = PackedRecording(
            self._rig(row["skeleton_id"]), row["data"], row["frames_digest"], row["n_frames"], row["frame_time"]
        )
        return unpack(packed, segment.start, segment.stop)

    def skeleton(self, clip: Clip) -> Skeleton:
        """The clip's skeleton: metres, y up."""
        skeleton, _, space = unpack_rig(self._rig(clip.skeleton_id))
        return our_skeleton(skeleton, space)

    def motion(self, segment: Segment | str | int) -> Motion:
        """A segment (or clip) as a motion: metres, y up."""
        return self.recording(segment).motion()

    def labels(self, clip: Clip | int) -> list[Label]:
        """The labels of a clip: those of the whole first, then by start."""
        rows = self.connection.execute(
            "SELECT name, start, stop, strength, origin FROM labels WHERE clip_id = ? ORDER BY start, stop, name",
            (_clip_id(clip),),
        )
        return [Label(*row) for row in rows]

    def label_counts(self) -> list[tuple[str, int, int]]:
        """Every label with the number of its clips and of its labelled segments, by name."""
        rows = self.connection.execute(
            "SELECT name, count(DISTINCT clip_id), count(start) FROM labels GROUP BY name ORDER BY name"
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def labelled(self, name: str) -> list[Segment]:
        """The segments that carry a label, by clip and start; a label on a whole clip gives the whole clip."""
        rows = self.connection.execute(
            """SELECT clip_id, coalesce(start, 0), coalesce(stop, n_frames) FROM labels
                 JOIN clips ON clips.id = clip_id JOIN recordings ON recordings.id = recording_id
                WHERE labels.name = ? ORDER BY 1, 2, 3""",
            (name,),
        )
        return [Segment(*row) for row in rows]

    def body_map(self, clip: Clip) -> BodyMap:
        """Which joint of the clip's skeleton is which part of the body: by names, or as the user said."""
        row = self.connection.execute(
            "SELECT content FROM body_maps WHERE skeleton_id = ?", (clip.skeleton_id,)
        ).fetchone()
        return map_skeleton(self.skeleton(clip), user_map=json.loads(row["content"]) if row else None)

    def plants(self, clip: Clip | int) -> list[Plant]:
        """The stored foot plants of a clip, by start."""
        rows = self.connection.execute(
            "SELECT foot, part, start, stop, x, y, z, origin FROM plants WHERE clip_id = ? ORDER BY start, foot, part",
            (_clip_id(clip),),
        )
        return [Plant(row[0], row[1], row[2], row[3], (row[4], row[5], row[6]), row[7]) for row in rows]

    def targets(self, clip: Clip | int) -> list[Target]:
        """The stored targets of a clip, by frame."""
        rows = self.connection.execute(
            "SELECT joint, frame, x, y, z FROM targets WHERE clip_id = ? ORDER BY frame, joint", (_clip_id(clip),)
        )
        return [Target(row[0], row[1], (row[2], row[3], row[4])) for row in rows]

    # Changing

    def add(
        self,
        name: str,
        recording: Recording | PackedRecording,
        *,
        labels: Iterable[Label] = (),
        plants: Iterable[Plant] = (),
        targets: Iterable[Target] = (),
        description: str = "",
        source: str = "",
        format: str = "",
        licence: str = "",
        credit: str = "",
        notes: Sequence[str] = (),
    ) -> int:
        """Put a recording into the bank as a clip; returns its id. Part of the change that is open, else its own."""
        if not self.connection.in_transaction:
            with self.change(f"add {name}"):
                return self.add(
                    name, recording, labels=labels, plants=plants, targets=targets, description=description,
                    source=source, format=format, licence=licence, credit=credit, notes=notes,
                )  # fmt: skip
        _check_name(name)
        packed = pack(recording) if isinstance(recording, Recording) else recording
        try:
            cursor = self.connection.execute(
                """INSERT INTO clips
                       (name, recording_id, description, source, format, licence, credit, imported_at, notes)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                (name, self._store(packed), description, source, format, licence, credit, now(),
                 json.dumps(list(notes), ensure_ascii=False)),
            )  # fmt: skip
        except sqlite3.IntegrityError as error:
            raise BankError(f"{self.path}: a clip called {name!r} exists already; choose another name") from error
        clip_id = int(cursor.lastrowid or 0)
        self.add_labels(self.clip(clip_id), labels)
        self.connection.executemany(
            "INSERT INTO plants (clip_id, foot, part, start, stop, x, y, z, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(clip_id, p.foot, p.part, p.start, p.stop, *map(float, p.place), p.origin) for p in plants],
        )
        self.connection.executemany(
            "INSERT INTO targets (clip_id, joint, frame, x, y, z) VALUES (?, ?, ?, ?, ?, ?)",
            [(clip_id, t.joint, t.frame, *map(float, t.place)) for t in targets],
        )
        return clip_id

    def rename(self, clip: str | int, name: str) -> Clip:
        """Give a clip another name; returns it as it is now."""
        old = self.clip(clip)
        _check_name(name)
        try:
            with self.change(f"rename {old.name} to {name}"):
                self.connection.execute("UPDATE clips SET name = ? WHERE id = ?", (name, old.id))
        except sqlite3.IntegrityError as error:
            raise BankError(f"{self.path}: a clip called {name!r} exists already; choose another name") from error
        return replace(old, name=name)

    def remove(self, clips: Iterable[str | int]) -> list[Clip]:
        """Take clips out, with their labels and plants; `undo` brings them back. Returns them."""
        found = _each_once(self.clip(clip) for clip in clips)
        if found:
            with self.change(f"rm {_some_names(found)}"):
                for clip in found:
                    for table in schema.OF_CLIPS:
                        self.connection.execute(f"DELETE FROM {table} WHERE clip_id = ?", (clip.id,))
                    self.connection.execute("DELETE FROM clips WHERE id = ?", (clip.id,))
        return found

    def label(self, segments: Iterable[str | Segment], names: Sequence[str], *, origin: str = "hand") -> int:
        """Put labels on segments (text that names a whole clip labels the clip); returns how many were new."""
        wanted = [(self._labelled(segment), segment) for segment in segments]
        with self.change(f"label {', '.join(str(text) for _, text in wanted)}: {', '.join(names)}"):
            return sum(
                self.add_labels(self.clip(clip_id), [Label(name, start, stop, origin=origin) for name in names])
                for (clip_id, start, stop), _ in wanted
            )

    def add_labels(self, clip: Clip, labels: Iterable[Label]) -> int:
        """Put labels on a clip inside the open change, each only once; returns how many were new."""
        n_new = 0
        for label in labels:
            if label.stop is not None and label.stop > clip.n_frames:
                raise UsageError(
                    f"label {label.name!r} on frames {label.start}-{label.stop}: clip {clip.name!r} "
                    f"has only {clip.n_frames}"
                )
            if not label.name.strip():
                raise UsageError("a label needs a name")
            n_new += self.connection.execute(
                """INSERT INTO labels (clip_id, start, stop, name, strength, origin) SELECT ?1, ?2, ?3, ?4, ?5, ?6
                    WHERE NOT EXISTS (SELECT 1 FROM labels
                                       WHERE clip_id = ?1 AND start IS ?2 AND stop IS ?3 AND name = ?4)""",
                (clip.id, label.start, label.stop, label.name.strip(), float(label.strength), label.origin),
            ).rowcount
        return n_new

    def unlabel(self, segments: Iterable[str | Segment], names: Sequence[str]) -> int:
        """Take labels off segments or clips (all labels if no name is given); returns how many were there.

        Text that names a whole clip takes off the labels of the clip and of all its segments; a segment, those
        that lie within it.
        """
        wanted = [(self._labelled(segment), segment) for segment in segments]
        before = self._count("labels")
        with self.change(f"unlabel {', '.join(str(text) for _, text in wanted)}: {', '.join(names) or 'all'}"):
            for (clip_id, start, stop), _ in wanted:
                sql, parameters = "DELETE FROM labels WHERE clip_id = ?", [clip_id]
                if start is not None and stop is not None:
                    sql, parameters = sql + " AND start >= ? AND stop <= ?", [*parameters, start, stop]
                if names:
                    sql += f" AND name IN ({', '.join('?' * len(names))})"
                self.connection.execute(sql, [*parameters, *names])
            return before - self._count("labels")

    def set_body_map(self, clip: str | int, user_map: UserMap | None) -> None:
        """Keep a user's map for the clip's skeleton, and so for all clips that share it; None forgets it."""
        found = self.clip(clip)
        if user_map is not None:
            map_skeleton(self.skeleton(found), user_map=user_map)  # raises what is wrong with it
        with self.change(f"map {found.name}"):
            self.connection.execute("DELETE FROM body_maps WHERE skeleton_id = ?", (found.skeleton_id,))
            if user_map is not None:
                self.connection.execute(
                    "INSERT INTO body_maps (skeleton_id, content) VALUES (?, ?)",
                    (found.skeleton_id, json.dumps(user_map, ensure_ascii=False)),
                )

    def log(self, *, last: int | None = None) -> list[changes.Change]:
        """What was changed, newest first."""
        return changes.log(self.connection, last=last)

    def undo(self, change_id: int | None = None) -> changes.Change:
        """Take back a change, by default the newest; returns it. Undoing an undo brings the change back."""
        return changes.undo(self.connection, self.path, change_id)

    # Keeping in order

    def purge(self, clips: Iterable[str | int]) -> list[str]:
        """Delete clips for good: every version, every trace in the log, every derived file. Returns their names.

        Clips that were removed before can be given by `#id`.
        """
        return maintenance.purge(self.connection, self.path, self.derived_path, dict(self.purgeable(clips)))

    def purgeable(self, clips: Iterable[str | int]) -> list[tuple[int, str]]:
        """The ids and names of clips that are in the bank, or were and can be brought back."""
        return [self._known_id(clip) for clip in clips]

    def check(self, *, frames: bool = True) -> list[str]:
        """What is wrong with the file, in words; nothing if all is well. `frames`: read all of them too."""
        return maintenance.check(self.connection, frames=frames)

    def compact(self) -> tuple[int, int]:
        """Give unused space back to the disk; returns the bytes before and after."""
        return maintenance.compact(self.connection, self.path)

    # What these need

    def frames_digest(self, clip: Clip) -> bytes:
        """What names the clip's frames: another motion has another digest."""
        row = self._one_row(
            """SELECT frames_digest, digest FROM recordings JOIN skeletons ON skeletons.id = skeleton_id
                WHERE recordings.id = ?""",
            clip.recording_id,
        )
        return bytes(row["frames_digest"]) + bytes(row["digest"])

    def same_frames(self, digest: bytes) -> Clip | None:
        """The first clip whose frames have that digest, if there is one."""
        found = self._clips("recordings.frames_digest = ? ORDER BY clips.id LIMIT 1", [digest])
        return found[0] if found else None

    def free_name(self, name: str) -> str:
        """`name`, or `name~2`, `name~3`… if it is taken."""
        number, free = 1, name
        while self.connection.execute("SELECT 1 FROM clips WHERE name = ?", (free,)).fetchone():
            number += 1
            free = f"{name}~{number}"
        return free

    def _store(self, packed: PackedRecording) -> int:
        """The id of the recording, stored unless it was."""
        self.connection.execute(
            "INSERT OR IGNORE INTO skeletons (digest, content) VALUES (?, ?)",
            (packed.skeleton_digest, packed.skeleton),
        )
        skeleton = self._one_row("SELECT id FROM skeletons WHERE digest = ?", packed.skeleton_digest)["id"]
        found = self.connection.execute(
            "SELECT id FROM recordings WHERE frames_digest = ? AND skeleton_id = ?",
            (packed.frames_digest, skeleton),
        ).fetchone()
        if found:
            return int(found["id"])
        cursor = self.connection.execute(
            "INSERT INTO recordings (skeleton_id, frames_digest, n_frames, frame_time) VALUES (?, ?, ?, ?)",
            (skeleton, packed.frames_digest, packed.n_frames, packed.frame_time),
        )
        self.connection.execute("INSERT INTO frames VALUES (?, ?)", (cursor.lastrowid, packed.frames))
        return int(cursor.lastrowid or 0)

    def _clips(self, condition: str, parameters: Sequence[object]) -> list[Clip]:
        order = "" if "ORDER BY" in condition else " ORDER BY clips.id"
        rows = self.connection.execute(
            f"""SELECT clips.*, recordings.n_frames, recordings.frame_time, skeleton_id,
                       (SELECT json_array_length(content, '$.names') FROM skeletons WHERE id = skeleton_id) AS n_joints,
                       (SELECT json_group_array(name) FROM
                         (SELECT DISTINCT name FROM labels WHERE clip_id = clips.id ORDER BY name)) AS labels
                  FROM clips JOIN recordings ON recordings.id = clips.recording_id WHERE {condition}{order}""",
            parameters,
        )
        return [
            Clip(
                row["id"], row["name"], row["n_frames"], row["frame_time"], row["n_joints"], row["skeleton_id"],
                row["recording_id"], tuple(json.loads(row["labels"])), row["description"], row["source"],
                row["format"], row["licence"], row["credit"], row["imported_at"], tuple(json.loads(row["notes"])),
            )
            for row in rows
        ]  # fmt: skip

    def _segment(self, segment: Segment | str | int) -> Segment:
        if isinstance(segment, Segment):
            clip = self.clip(segment.clip_id)
            if segment.stop > clip.n_frames:
                raise NotInBankError(f"clip {clip.name!r} has {clip.n_frames} frames, not {segment.stop}")
            return segment
        return self.clip(segment).segment if isinstance(segment, int) else self.segment(segment)

    def _labelled(self, segment: str | Segment) -> tuple[int, int | None, int | None]:
        """The clip and interval that a label goes onto; text without an interval means the whole clip."""
        found = self._segment(segment)
        if isinstance(segment, str) and self.segment(segment) == self.clip(found.clip_id).segment:
            return found.clip_id, None, None
        return found.clip_id, found.start, found.stop

    def _rig(self, skeleton_id: int) -> str:
        if skeleton_id not in self._rigs:
            self._rigs[skeleton_id] = self._one_row("SELECT content FROM skeletons WHERE id = ?", skeleton_id)[
                "content"
            ]
        return self._rigs[skeleton_id]

    def _one_row(self, sql: str, key: object) -> sqlite3.Row:
        row = self.connection.execute(sql, (key,)).fetchone()
        if row is None:
            raise BankError(f"{self.path}: is damaged: a row is missing; `motionary check {self.path}` tells more")
        assert isinstance(row, sqlite3.Row)
        return row

    def _count(self, table: str) -> int:
        return int(self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    def _known_id(self, clip: str | int) -> tuple[int, str]:
        """The id and name of a clip that is in the bank, or was."""
        address = Address(f"#{clip}" if isinstance(clip, int) else clip)
        if address.clip_id is not None:
            row = self.connection.execute(
                """SELECT json_extract(coalesce(after, before), '$.name') AS name FROM row_changes
                    WHERE table_name = 'clips' AND row_id = ? ORDER BY id DESC LIMIT 1""",
                (address.clip_id,),
            ).fetchone()
            if row:
                return address.clip_id, row["name"]
        found = self.clip(clip)
        return found.id, found.name

    def _suggestion(self, name: str) -> str:
        from difflib import get_close_matches

        names = [row[0] for row in self.connection.execute("SELECT name FROM clips")]
        near = get_close_matches(name, names, n=3)
        if near:
            return f" Did you mean {' or '.join(near)}?"
        return f" `motionary ls {self.path}` lists the clips" if names else " The bank is empty"


def _check_name(name: str) -> None:
    if not name.strip() or name != name.strip() or any(ord(letter) < 32 for letter in name):
        raise UsageError(
            f"{name!r} cannot be a clip's name: it is empty, or has blanks at an end or control characters"
        )
    if re.fullmatch(r"#\d+", name):
        raise UsageError(f"{name!r} cannot be a clip's name: it would be taken for a clip's number")


def _clip_id(clip: Clip | int) -> int:
    return clip.id if isinstance(clip, Clip) else clip


def _each_once(clips: Iterable[Clip]) -> list[Clip]:
    return list({clip.id: clip for clip in clips}.values())


def _some_names(clips: Sequence[Clip]) -> str:
    names = ", ".join(clip.name for clip in clips[:3])
    return names if len(clips) <= 3 else f"{names} and {len(clips) - 3} more"


def _words_query(text: str) -> str:
    """An FTS5 query for clips that hold every word; a word matches longer ones that begin with it."""
    words = [word for word in text.split() if any(letter.isalnum() for letter in word)]
    if not words:
        raise UsageError(f"{text!r} holds no word to look for")
    return " AND ".join('"' + word.replace('"', '""') + '"*' for word in words)
