"""The bank: one file that holds a library of motions."""

import json
import math
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from motionary.arguments import some, texts
from motionary.bank import changes, checking, maintenance, schema
from motionary.bank.addresses import Address
from motionary.bank.clips import Clip, Label, check_clip_name
from motionary.bank.connection import Create, change, connect, now, rehearsal, snapshot
from motionary.bank.edits import Edits, pack_motion
from motionary.bank.learned import Learned
from motionary.bank.library import A_CLIP, A_SEGMENT, LARGEST_ID, AnyClip, AnySegment, HasSegment
from motionary.bank.provenance import Provenance, all_made_of
from motionary.bank.selecting import Selecting
from motionary.bank.spread_labels import SpreadLabels
from motionary.bank.storage import PackedRecording, pack
from motionary.bank.storing import store
from motionary.bank.word_index import MANY, words_at_the_end
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.ik import Target
from motionary.motion import Motion, Recording, Segment
from motionary.plants import Plant
from motionary.rig import UserMap, map_skeleton


class Bank(Selecting, Learned, SpreadLabels, Provenance, Edits):
    """An open bank. Every method that changes it is one transaction, stands in the log and can be undone."""

    @classmethod
    def open(cls, path: Path | str, *, create: Create = False, read_only: bool = False) -> Self:
        """The bank at `path`; `create` makes an empty one if there is none, "in memory" one that is never kept.

        Where file or folder cannot be written, the bank is read-only without being asked.
        """
        path = Path(path)
        return cls(path, connect(path, create=create, read_only=read_only))

    def __repr__(self) -> str:
        return f"Bank({str(self.path)!r})"

    def close(self) -> None:
        self.connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def read_only(self) -> bool:
        return self.connection.read_only

    @property
    def derived_path(self) -> Path:
        """The folder beside the bank for what can be computed again."""
        return derived_path(self.path)

    @contextmanager
    def change(self, command: str) -> Iterator[int]:
        """Several changes as one: one transaction, one entry of the log, all of it or nothing."""
        with change(self.connection, command) as change_id:
            yield change_id

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Whatever is read inside is the bank as it was at the start, whatever other processes change meanwhile.

        Nothing can be changed inside, unless it all happens inside a change or a rehearsal.
        """
        with snapshot(self.connection):
            yield

    @property
    def state(self) -> object:
        """What is the same only as long as nothing is changed: compare it with `==`."""
        last = self.connection.execute("SELECT max(id) FROM changes").fetchone()[0]
        return self.path.resolve(), last, self.connection.total_changes

    @property
    def newest_change(self) -> int:
        """The number of the newest change; 0 if there is none."""
        return int(self.connection.execute("SELECT coalesce(max(id), 0) FROM changes").fetchone()[0])

    @property
    def version_of_others(self) -> int:
        """A number that is another one after somebody else, through a connection of their own, has changed the file."""
        return int(self.connection.execute("PRAGMA data_version").fetchone()[0])

    @contextmanager
    def rehearse(self) -> Iterator[None]:
        """Whatever is changed inside is seen inside, and never happened afterwards. Other writers wait meanwhile."""
        with rehearsal(self.connection):
            yield

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
        recipe: Mapping[str, Any] | None = None,
    ) -> int:
        """Put a recording into the bank as a clip; returns its id. `recipe` says how it was made, and of what."""
        check_clip_name(name)
        packed = pack(recording) if isinstance(recording, Recording) else recording
        if packed.n_frames < 1:
            raise UsageError(f"clip {name!r} has no frames")
        facts = (description, source, format, licence, credit, now(), json.dumps(list(notes), ensure_ascii=False))
        with self.change(f"add {name}"):
            recording_id = store(self.connection, packed)
            with self._name_taken(name):
                cursor = self.connection.execute(
                    """INSERT INTO clips
                           (name, recording_id, description, source, format, licence, credit, imported_at, notes)
                       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""",
                    (name, recording_id, *facts),
                )
            clip_id = int(cursor.lastrowid or 0)
            self._insert_labels(clip_id, name, packed.n_frames, labels)
            plants = list(plants)
            if plants:
                origin = plants[0].origin
                self.connection.execute("INSERT INTO kept_plants (clip_id, origin) VALUES (?, ?)", (clip_id, origin))
            self._insert_truth(clip_id, name, packed.n_frames, plants, targets)
            if recipe is not None:
                self.set_recipe(clip_id, recipe)
        return clip_id

    def rename(self, clip: AnyClip, name: str) -> Clip:
        """Give a clip another name; returns it as it is now."""
        old = self.clip(clip)
        check_clip_name(name)
        if name != old.name:
            with self.change(f"rename {old.name} to {name}"), self._name_taken(name):
                cursor = self.connection.execute("UPDATE clips SET name = ? WHERE id = ?", (name, old.id))
                self._check_still_there(cursor.rowcount, old)
        return replace(old, name=name)

    def remove(self, clips: AnyClip | Iterable[AnyClip]) -> list[Clip]:
        """Take clips out, with their labels and plants; `undo` brings them back. Returns them."""
        found = list({clip.id: clip for clip in self.clips_of(clips)}.values())
        with self.change(f"rm {_some_names(found)}"):
            for clip in found:
                for table in schema.OF_CLIPS:
                    self.connection.execute(f"DELETE FROM {table} WHERE clip_id = ?", (clip.id,))
                cursor = self.connection.execute("DELETE FROM clips WHERE id = ?", (clip.id,))
                self._check_still_there(cursor.rowcount, clip)
        return found

    def set_motion(self, clip: AnyClip, motion: Motion, *, command: str) -> Clip:
        """Give a clip another motion of its skeleton and length; the earlier version stays, `undo` brings it back.

        It is written in the clip's own units and channels; where those cannot hold it (an Acclaim file's few degrees
        of freedom), with what they lack.
        """
        old = self.clip(clip)
        like = self.recording(old.id)
        if motion.n_frames != old.n_frames:
            raise UsageError(f"clip {old.name!r} has {old.n_frames} frames, but the new motion has {motion.n_frames}")
        self.set_recording(old, pack_motion(motion, like=like), command=command)
        return self.clip(old.id)

    def set_recording(self, clip: Clip, packed: PackedRecording, *, command: str) -> None:
        """Give a clip another recording of any length; what lies on its frames is the caller's to mend.

        On a clip with edits it becomes a layer of its own: what it stands on cannot be taken out below it.
        """
        with self.change(command):
            if self.edit_rows(clip):
                self.put_edits(clip, [({"operation": "recording", "command": command}, packed)])
                return
            cursor = self.connection.execute(
                "UPDATE clips SET recording_id = ? WHERE id = ?", (store(self.connection, packed), clip.id)
            )
            self._check_still_there(cursor.rowcount, clip)

    def set_plants(self, clip: AnyClip, plants: Iterable[Plant], *, origin: str = "hand", command: str = "") -> None:
        """Keep these foot plants for a clip, be they none, in place of those that it has."""
        found = self.clip(clip)
        with self.change(command or f"plants {found.name}"):
            for table in ("plants", "kept_plants"):
                self.connection.execute(f"DELETE FROM {table} WHERE clip_id = ?", (found.id,))
            self.connection.execute("INSERT INTO kept_plants (clip_id, origin) VALUES (?, ?)", (found.id, origin))
            self._insert_truth(found.id, found.name, found.n_frames, plants, ())

    def label(
        self, segments: AnySegment | Iterable[AnySegment], names: str | Sequence[str], *, origin: str = "hand"
    ) -> int:
        """Put labels on segments (text without an interval labels the clip); returns how many were new."""
        segments, names = _segments(segments), texts(names, "names")
        wanted = [place for segment in segments for place in self._labelled(segment)]
        names = [name.strip() for name in names]
        with self.change(f"label {', '.join(map(self._written, segments))}: {', '.join(names)}"):
            return sum(
                self.add_labels(self.clip(clip_id), [Label(name, start, stop, origin=origin) for name in names])
                for clip_id, start, stop in wanted
            )

    def add_labels(self, clip: Clip, labels: Iterable[Label]) -> int:
        """Put labels on a clip, each only once; returns how many were new."""
        with self.change(f"label {clip.name}"):
            return self._insert_labels(clip.id, clip.name, clip.n_frames, labels)

    def describe(self, clip: Clip, description: str) -> bool:
        """Give a clip a description in place of the one that it has; returns whether that is another one."""
        with self.change(f"describe {clip.name}"):
            cursor = self.connection.execute(
                "UPDATE clips SET description = ?1 WHERE id = ?2 AND description <> ?1", (description, clip.id)
            )
        return bool(cursor.rowcount)

    def unlabel(self, segments: AnySegment | Iterable[AnySegment], names: str | Sequence[str] = ()) -> int:
        """Take labels off segments or clips (all labels if no name is given); returns how many were there.

        Text without an interval takes off the labels of the clip and of all its segments; a segment, those that
        lie within it.
        """
        segments, names = _segments(segments), texts(names, "names")
        wanted = [place for segment in segments for place in self._labelled(segment)]
        names = [name.strip() for name in names]
        n_gone = 0
        with self.change(f"unlabel {', '.join(map(self._written, segments))}: {', '.join(names) or 'all'}"):
            for clip_id, start, stop in wanted:
                sql, parameters = "DELETE FROM labels WHERE clip_id = ?", [clip_id]
                if start is not None and stop is not None:
                    sql, parameters = sql + " AND start >= ? AND stop <= ?", [*parameters, start, stop]
                if names:
                    sql += f" AND name IN ({', '.join('?' * len(names))})"
                n_gone += self.connection.execute(sql, [*parameters, *names]).rowcount
        return n_gone

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

    def logged(self, change_id: int) -> changes.Change | None:
        """The change of that number; None if the log has none."""
        return changes.find_change(self.connection, change_id)

    def undo(self, change_id: int | None = None) -> changes.Change:
        """Take back a change, by default the newest; returns it. Undoing an undo brings the change back."""
        return changes.undo(self.connection, change_id)

    def purge(self, clips: AnyClip | Iterable[AnyClip]) -> list[str]:
        """Delete clips for good: every version, every trace in the log, every derived file. Returns their names.

        What was made of them goes as well: clips whose recipe names them, and layers of edits that hold their motion.
        Clips that were removed before can be given by `#id`.
        """
        doomed = dict(self.purgeable(clips))
        if doomed:
            maintenance.purge(self.connection, self.derived_path, list(doomed))
        return list(doomed.values())

    def purgeable(self, clips: AnyClip | Iterable[AnyClip]) -> list[tuple[int, str]]:
        """The ids and names of clips that are in the bank, or were and can be brought back; and of what was made of
        them."""
        given = some(clips, Clip, str, int, called="clips", meant=A_CLIP)
        doomed = dict(self._known_id(clip.id if isinstance(clip, Clip) else clip) for clip in given)
        doomed |= dict(self._known_id(clip_id) for clip_id in all_made_of(self.connection, doomed))
        return list(doomed.items())

    def check(self, *, frames: bool = True) -> list[str]:
        """What is wrong with the file, in words; nothing if all is well. `frames`: read all of them too."""
        return checking.check(self.connection, frames=frames)

    def compact(self) -> tuple[int, int]:
        """Give unused space back to the disk; returns the bytes before and after (rehearsed: at most so many)."""
        return maintenance.compact(self.connection, self.derived_path)

    def _insert_labels(self, clip_id: int, clip: str, n_frames: int, labels: Iterable[Label]) -> int:
        labels = list(labels)
        if len(labels) < MANY:
            return self._insert_each(clip_id, clip, n_frames, labels)
        with words_at_the_end(self.connection, [clip_id]):
            return self._insert_each(clip_id, clip, n_frames, labels)

    def _insert_each(self, clip_id: int, clip: str, n_frames: int, labels: Iterable[Label]) -> int:
        n_new = 0
        for label in labels:
            if label.stop is not None and label.stop > n_frames:
                raise UsageError(
                    f"label {label.name!r} on frames {label.start}-{label.stop}: clip {clip!r} has only {n_frames}"
                )
            n_new += self.connection.execute(
                """INSERT INTO labels (clip_id, start, stop, name, strength, origin) SELECT ?1, ?2, ?3, ?4, ?5, ?6
                    WHERE NOT EXISTS (SELECT 1 FROM labels
                                       WHERE clip_id = ?1 AND name = ?4 AND coalesce(start, -1) = coalesce(?2, -1)
                                         AND coalesce(stop, -1) = coalesce(?3, -1))""",
                (clip_id, label.start, label.stop, label.name, float(label.strength), label.origin),
            ).rowcount
        return n_new

    def _insert_truth(
        self, clip_id: int, clip: str, n_frames: int, plants: Iterable[Plant], targets: Iterable[Target]
    ) -> None:
        plants, targets = list(plants), list(targets)
        late = max([p.stop for p in plants] + [t.frame + 1 for t in targets], default=0)
        if late > n_frames:
            raise UsageError(f"a plant or target extends to frame {late}, but clip {clip!r} has only {n_frames} frames")
        if any(target.frame < 0 for target in targets):
            raise UsageError(f"a target of clip {clip!r} is in frame {min(target.frame for target in targets)}")
        places = [plant.place for plant in plants] + [target.place for target in targets]
        if not all(math.isfinite(value) for place in places for value in place):
            raise UsageError(f"a plant or target of clip {clip!r} has a position that is not finite")
        self.connection.executemany(
            "INSERT INTO plants (clip_id, foot, part, start, stop, x, y, z, origin) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(clip_id, p.foot, p.part, p.start, p.stop, *map(float, p.place), p.origin) for p in plants],
        )
        self.connection.executemany(
            "INSERT INTO targets (clip_id, joint, frame, x, y, z) VALUES (?, ?, ?, ?, ?, ?)",
            [(clip_id, t.joint, t.frame, *map(float, t.place)) for t in targets],
        )

    def _labelled(self, segment: AnySegment) -> list[tuple[int, int | None, int | None]]:
        """The clips and intervals that a label goes onto; text without an interval means the whole clip."""
        if isinstance(segment, str) and self.several_segments(segment) is None:
            found, is_whole = self._addressed(segment)
            return [(found.clip_id, None, None) if is_whole else (found.clip_id, found.start, found.stop)]
        return [(found.clip_id, found.start, found.stop) for found in self.segments_of([segment])]

    def _written(self, segment: AnySegment) -> str:
        return segment if isinstance(segment, str) else self.segment_name(self.segment_of(segment))

    @contextmanager
    def _name_taken(self, name: str) -> Iterator[None]:
        try:
            yield
        except sqlite3.IntegrityError as error:
            if "clips.name" not in str(error):
                raise
            raise BankError(f"{self.path}: a clip named {name!r} already exists; choose another name") from error

    def _check_still_there(self, n_rows: int, clip: Clip) -> None:
        if n_rows == 0:
            raise NotInBankError(f"{self.path}: another process has just removed clip {clip.name!r}")

    def _known_id(self, clip: str | int) -> tuple[int, str]:
        """The id and name of a clip that is in the bank, or was."""
        clip_id = clip if isinstance(clip, int) else Address(clip).clip_id
        if clip_id is not None and 0 < clip_id <= LARGEST_ID:
            row = self.connection.execute(
                """SELECT json_extract(coalesce(after, before), '$.name') AS name FROM row_changes
                    WHERE table_name = 'clips' AND row_id = ? ORDER BY id DESC LIMIT 1""",
                (clip_id,),
            ).fetchone()
            if row:
                return clip_id, row["name"]
        found = self.clip(clip)
        return found.id, found.name


def check_is_bank(given: object) -> None:
    """Raise unless it is an open bank; a path is not."""
    if not isinstance(given, Bank):
        raise UsageError(f"{given!r} is not an open bank; `with Bank.open(path) as bank:` opens one")


def derived_path(path: Path) -> Path:
    """The folder beside the bank at `path` for what can be computed again."""
    return path.with_name(path.name + ".derived")


def _segments(segments: AnySegment | Iterable[AnySegment]) -> Sequence[AnySegment]:
    return some(segments, Segment, HasSegment, str, int, called="segments", meant=A_SEGMENT)


def _some_names(clips: Sequence[Clip]) -> str:
    names = ", ".join(clip.name for clip in clips[:3])
    return names if len(clips) <= 3 else f"{names} and {len(clips) - 3} more"
