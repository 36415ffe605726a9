"""Finding clips in a bank and reading what is known of them."""

import hashlib
import json
import math
import re
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

from motionary.arguments import check_is, some, texts
from motionary.bank.addresses import LABEL_SIGN, Address, parse_address
from motionary.bank.clips import Clip, Label
from motionary.bank.selections import selected_segments
from motionary.bank.sqlite_errors import BankConnection
from motionary.bank.storage import PackedRecording, digest_of_skeleton, unpack, unpack_rig
from motionary.bank.stored_json import stored
from motionary.bank.suggestions import suggestion
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.ik import Target
from motionary.motion import Motion, Recording, Segment, Skeleton, our_skeleton
from motionary.plants import Plant
from motionary.rig import BodyMap, UserMap, map_skeleton

LARGEST_ID = 2**63 - 1  # of SQLite
GLOB_SIGNS = frozenset("*?[")  # a name without any of them is a pattern of itself alone
A_CLIP = "a name, #12, a clip's id or a Clip"
A_SEGMENT = "a string (CLIP or CLIP:START-STOP), a Segment, a match or a clip's id"


@runtime_checkable
class HasSegment(Protocol):
    """A match, a clip: what knows its segment."""

    @property
    def segment(self) -> Segment: ...


AnyClip = Clip | str | int
AnySegment = Segment | HasSegment | str | int


class Library:
    """All clips of an open bank, as one reads them."""

    def __init__(self, path: Path, connection: BankConnection) -> None:
        self.path = path
        self.connection = connection
        self._rigs: dict[bytes, str] = {}  # skeletons' JSON by digest, which names the content for good

    def clips(
        self,
        text: str = "",
        *,
        labels: str | Sequence[str] = (),
        names: str | Sequence[str] = (),
        strength: float = 0.0,
    ) -> list[Clip]:
        """Clips, by id: those whose name, labels, description or source hold all words of `text` (a word may be
        cut short), that carry all `labels` (on the whole or a segment) at least so strongly, and whose name fits one
        of `names`: glob patterns, or `#12` for a number. A single label or name may be given as it is."""
        labels = [labels] if isinstance(labels, str) else labels
        names = texts(names, "names")
        conditions: list[str] = ["1"]
        parameters: list[object] = []
        if text.strip():
            conditions.append("clips.id IN (SELECT rowid FROM clip_text WHERE clip_text MATCH ?)")
            parameters.append(_words_query(text))
        for label in labels:
            conditions.append("clips.id IN (SELECT clip_id FROM labels WHERE name = ? AND strength >= ?)")
            parameters += [label, strength]
        if names:
            patterns = [name for name in names if GLOB_SIGNS & set(name)]
            whole = [name for name in names if not GLOB_SIGNS & set(name)]
            numbers = [name[1:] for name in whole if re.fullmatch("#[0-9]{1,18}", name)]
            conditions.append(  # lists: of conditions for every name, SQLite takes a thousand at most
                """(clips.name IN (SELECT value FROM json_each(?)) OR
                    clips.id IN (SELECT CAST(value AS INTEGER) FROM json_each(?)) OR
                    clips.id IN (SELECT called.id FROM json_each(?) JOIN clips AS called ON called.name GLOB value))"""
            )
            parameters += [json.dumps(those, ensure_ascii=False) for those in (whole, numbers, patterns)]
        return self._clips(" AND ".join(conditions), parameters)

    def clip(self, name: Clip | str | int) -> Clip:
        """One clip as it is now, by name, `#id` or id."""
        check_is(name, Clip, str, int, called="clip", meant=A_CLIP)
        name = name.id if isinstance(name, Clip) else name
        found = self._found(f"#{name}" if isinstance(name, int) else name)
        if found is None:
            raise NotInBankError(f"{self.path}: no clip {name!r}. {self.like_clip(str(name))}")
        return found

    def clips_of(self, clips: AnyClip | Iterable[AnyClip]) -> list[Clip]:
        """The clips that are meant, in their order; a single one need not be in a list."""
        given = some(clips, Clip, str, int, called="clips", meant=A_CLIP)
        return [self.clip(clip) for clip in given]

    def clip_names(self, clip_ids: Iterable[int]) -> dict[int, str]:
        """The names of clips by their ids; what is no clip is left out."""
        rows = self.connection.execute(
            "SELECT id, name FROM clips WHERE id IN (SELECT value FROM json_each(?))",
            [json.dumps(sorted(set(clip_ids)))],
        )
        return {row["id"]: row["name"] for row in rows}

    def segment(self, text: str) -> Segment:
        """The segment that `text` names: `CLIP`, `CLIP:30-90`, `CLIP:1.5s-3s`, `#12:-60`, `@SELECTION:3`."""
        selected = self.several_segments(text)
        if selected is None:
            return self._addressed(text)[0]
        if len(selected) > 1:
            if text.startswith(LABEL_SIGN):
                raise UsageError(
                    f"{text!r} names {len(selected)} segments, but exactly one is needed; name one of them, as in "
                    f"{self.segment_name(selected[0])}"
                )
            raise UsageError(
                f"{text!r} names {len(selected)} matches, but exactly one is needed; add its rank, as in "
                f"{text.partition(':')[0]}:1"
            )
        return selected[0]

    def segments_of(self, segments: AnySegment | Iterable[AnySegment]) -> list[Segment]:
        """All segments that are meant, in their order; `@SELECTION` and `@SELECTION:1-5` stand for its matches, and
        `label:NAME` for all that carries the label."""
        found: list[Segment] = []
        for segment in some(segments, Segment, str, int, HasSegment, called="segments", meant=A_SEGMENT):
            selected = self.several_segments(segment) if isinstance(segment, str) else None
            found += [self.segment_of(segment)] if selected is None else selected
        return found

    def several_segments(self, text: str) -> list[Segment] | None:
        """The segments of `@SELECTION`, `@SELECTION:1-5` or `label:NAME`; None for text that is none of these.

        Where nothing carries that label, a clip may have the name, `label:` and all.
        """
        if not text.startswith(LABEL_SIGN):
            return selected_segments(self.connection, text)
        name = text.removeprefix(LABEL_SIGN)
        segments = self.labelled(name)
        if segments:
            return segments
        if self._found(text) or self._found(text.rpartition(":")[0]):
            return None
        self.check_label(name)
        return []

    def segment_of(self, segment: AnySegment) -> Segment:
        """The segment that is meant: itself if its clip has these frames, else by text, by a match or a clip's id."""
        if isinstance(segment, HasSegment):
            segment = segment.segment
        if isinstance(segment, Segment):
            clip = self.clip(segment.clip_id)
            if segment.stop > clip.n_frames:
                raise NotInBankError(f"clip {clip.name!r} has {clip.n_frames} frames, not {segment.stop}")
            return segment
        if not isinstance(segment, str | int) or isinstance(segment, bool):
            raise UsageError(f"a segment is {A_SEGMENT}, not {segment!r}")
        return self.clip(segment).segment if isinstance(segment, int) else self.segment(segment)

    def segment_name(self, segment: AnySegment) -> str:
        """How people write the segment."""
        segment = segment if isinstance(segment, Segment) else self.segment_of(segment)
        return f"{self.clip(segment.clip_id).name}:{segment.start}-{segment.stop}"

    def recording(self, segment: AnySegment) -> Recording:
        """A segment (or clip) as its file wrote it."""
        segment = self.segment_of(segment)
        row = self.connection.execute(
            """SELECT name, skeleton_id, frames_digest, n_frames, frame_time, data
                 FROM clips JOIN recordings ON recordings.id = clips.recording_id
                 JOIN frames ON frames.recording_id = recordings.id WHERE clips.id = ?""",
            (segment.clip_id,),
        ).fetchone()
        if row is None:
            self.clip(segment.clip_id)  # which another process may have removed just now
            raise self._damaged("a clip's frames are missing")
        packed = PackedRecording(
            self._rig(row["skeleton_id"]), row["data"], row["frames_digest"], row["n_frames"], row["frame_time"]
        )
        if not packed.is_intact:
            raise self._damaged(f"the frames of clip {row['name']!r} do not match their checksum")
        return unpack(packed, segment.start, segment.stop)

    def motion(self, segment: AnySegment) -> Motion:
        """A segment (or clip) as a motion: metres, y up."""
        return self.recording(segment).motion()

    def skeleton(self, clip: Clip | str | int) -> Skeleton:
        """The skeleton of a clip, which may be given by name, `#id` or id: metres, y up."""
        skeleton, _, space = unpack_rig(self._rig(self._clip_of(clip).skeleton_id))
        return our_skeleton(skeleton, space)

    def body_map(self, clip: Clip | str | int) -> BodyMap:
        """Which joint of the clip's skeleton is which part of the body: by names, or as the user said."""
        clip = self._clip_of(clip)
        row = self.connection.execute(
            "SELECT content FROM body_maps WHERE skeleton_id = ?", (clip.skeleton_id,)
        ).fetchone()
        return map_skeleton(
            self.skeleton(clip), user_map=stored(row["content"], dict, self.path, "a map of joints") if row else None
        )

    def has_user_map(self, clip: Clip) -> bool:
        """Whether the user said which joint of the clip's skeleton is which part of the body."""
        found = self.connection.execute("SELECT 1 FROM body_maps WHERE skeleton_id = ?", (clip.skeleton_id,))
        return found.fetchone() is not None

    def user_maps(self) -> list[tuple[Clip, UserMap]]:
        """The maps of skeletons that users set, each with the first clip that has the skeleton, by that clip's id."""
        rows = self.connection.execute(
            """SELECT min(clips.id), content FROM body_maps
                 JOIN recordings ON recordings.skeleton_id = body_maps.skeleton_id
                 JOIN clips ON clips.recording_id = recordings.id GROUP BY body_maps.id ORDER BY 1"""
        ).fetchall()
        return [(self.clip(int(row[0])), stored(row[1], dict, self.path, "a map of joints")) for row in rows]

    def labels(self, clip: Clip | str | int) -> list[Label]:
        """The labels of a clip: those of the whole first, then by start."""
        rows = self.connection.execute(
            "SELECT name, start, stop, strength, origin FROM labels WHERE clip_id = ? ORDER BY start, stop, name",
            (self._clip_id(clip),),
        )
        return [Label(*row) for row in rows]

    def labels_on(self, segment: AnySegment) -> tuple[str, ...]:
        """The labels that the clip carries as a whole, or on frames of the segment; each once, in order."""
        segment = segment if isinstance(segment, Segment) else self.segment_of(segment)
        return tuple(
            dict.fromkeys(
                label.name
                for label in self.labels(segment.clip_id)
                if label.start is None
                or label.stop is None
                or (segment.start < label.stop and label.start < segment.stop)
            )
        )

    def label_counts(self) -> list[tuple[str, int, int]]:
        """Every label with the number of its clips and of its labelled segments, by name."""
        rows = self.connection.execute(
            "SELECT name, count(DISTINCT clip_id), count(start) FROM labels GROUP BY name ORDER BY name"
        )
        return [(row[0], row[1], row[2]) for row in rows]

    def labelled(self, name: str, *, strength: float = 0.0) -> list[Segment]:
        """The segments that carry a label at least so strongly, by clip and start; a label on a whole clip gives the
        whole clip."""
        rows = self.connection.execute(
            """SELECT clip_id, coalesce(start, 0), coalesce(stop, n_frames) FROM labels
                 JOIN clips ON clips.id = clip_id JOIN recordings ON recordings.id = recording_id
                WHERE labels.name = ? AND strength >= ? ORDER BY 1, 2, 3""",
            (name, strength),
        )
        return [Segment(*row) for row in rows]

    def check_has_clips(self) -> None:
        """Raise if the bank is empty."""
        if self.connection.execute("SELECT 1 FROM clips").fetchone() is None:
            raise NotInBankError(
                f"{self.path}: contains no clips. `motionary import {self.path} FOLDER` imports your files"
            )

    def check_label(self, name: str) -> None:
        """Raise if no clip and no segment has a label, and say which may be meant."""
        if not self.labelled(name):
            raise NotInBankError(f"{self.path}: no clip or segment has the label {name!r}. {self.like_label(name)}")

    def plants_origin(self, clip: Clip | str | int) -> str | None:
        """Where the clip's kept plants come from ("hand", "detected", …), be they none; None if none are kept."""
        row = self.connection.execute(
            "SELECT origin FROM kept_plants WHERE clip_id = ?", (self._clip_id(clip),)
        ).fetchone()
        return None if row is None else str(row["origin"])

    def plants(self, clip: Clip | str | int) -> list[Plant]:
        """The stored foot plants of a clip, by start."""
        rows = self.connection.execute(
            "SELECT foot, part, start, stop, x, y, z, origin FROM plants WHERE clip_id = ? ORDER BY start, foot, part",
            (self._clip_id(clip),),
        )
        return [Plant(row[0], row[1], row[2], row[3], (row[4], row[5], row[6]), row[7]) for row in rows]

    def targets(self, clip: Clip | str | int) -> list[Target]:
        """The stored targets of a clip, by frame."""
        rows = self.connection.execute(
            "SELECT joint, frame, x, y, z FROM targets WHERE clip_id = ? ORDER BY frame, joint", (self._clip_id(clip),)
        )
        return [Target(row[0], row[1], (row[2], row[3], row[4])) for row in rows]

    def frames_digest(self, clip: Clip) -> bytes:
        """What names the clip's frames: another motion has another digest."""
        row = self.connection.execute(
            """SELECT frames_digest, digest FROM recordings JOIN skeletons ON skeletons.id = skeleton_id
                WHERE recordings.id = ?""",
            (clip.recording_id,),
        ).fetchone()
        if row is None:
            raise self._damaged("a clip's frames are missing")
        return bytes(row["frames_digest"]) + bytes(row["digest"])

    def source_digests(self) -> dict[int, tuple[str, bool]]:
        """By clip, what names all that can be computed from its motion and body, and whether a user mapped its
        skeleton: another motion, skeleton or map has another digest."""
        rows = self.connection.execute(
            """SELECT clips.id, frames_digest, digest, body_maps.content FROM clips
                 JOIN recordings ON recordings.id = recording_id
                 LEFT JOIN skeletons ON skeletons.id = recordings.skeleton_id
                 LEFT JOIN body_maps ON body_maps.skeleton_id = recordings.skeleton_id ORDER BY clips.id"""
        )
        found = {}
        for clip_id, frames, skeleton, user_map in rows:
            if skeleton is None:
                raise self._damaged("a clip's skeleton is missing")
            digest = bytes(frames) + bytes(skeleton)
            if user_map is not None:
                digest = hashlib.blake2b(digest + user_map.encode(), digest_size=len(digest)).digest()
            found[clip_id] = digest.hex(), user_map is not None
        return found

    def with_ids(self, ids: Sequence[int]) -> list[Clip]:
        """Those clips of these ids that are in the bank."""
        return [clip for clip_id in ids for clip in self._clips("clips.id = ?", [clip_id])]

    def with_skeleton(self, skeleton_id: int) -> list[Clip]:
        """The clips of that skeleton."""
        return self._clips("skeleton_id = ?", [skeleton_id])

    def same_frames(self, digest: bytes) -> list[Clip]:
        """The clips whose frames have that digest, or had it before they were edited, by id."""
        return self._clips(
            """clips.id IN (
                   SELECT clips.id FROM recordings JOIN clips ON recording_id = recordings.id WHERE frames_digest = ?1
                   UNION SELECT clip_id FROM recordings JOIN edit_bases ON recording_id = recordings.id
                          WHERE frames_digest = ?1)""",
            [digest],
        )

    def skeleton_ids(self) -> dict[int, int]:
        """Of every clip, by its id."""
        return dict(
            self.connection.execute(
                "SELECT clips.id, skeleton_id FROM clips JOIN recordings ON recordings.id = recording_id"
            )
        )

    def ids_by_file(self) -> dict[tuple[str, str], list[int]]:
        """The clips' ids by the file that they come from and the name of their root."""
        rows = self.connection.execute(
            """SELECT clips.id, source, json_extract(content, '$.names[0]') FROM clips
                 JOIN recordings ON recordings.id = recording_id JOIN skeletons ON skeletons.id = skeleton_id
                WHERE source <> '' ORDER BY clips.id"""
        )
        found: dict[tuple[str, str], list[int]] = {}
        for clip_id, source, root_name in rows:
            found.setdefault((source, root_name), []).append(clip_id)
        return found

    def free_name(self, name: str) -> str:
        """`name`, or `name~2`, `name~3`… if it is taken."""
        number, free = 1, name
        while self.connection.execute("SELECT 1 FROM clips WHERE name = ?", (free,)).fetchone():
            number += 1
            free = f"{name}~{number}"
        return free

    def _clips(self, condition: str, parameters: Sequence[object]) -> list[Clip]:
        rows = self.connection.execute(
            f"""SELECT clips.*, recordings.n_frames, recordings.frame_time, skeleton_id,
                       (SELECT json_array_length(content, '$.names') FROM skeletons WHERE id = skeleton_id) AS n_joints,
                       (SELECT json_group_array(name) FROM
                         (SELECT DISTINCT name FROM labels WHERE clip_id = clips.id ORDER BY name)) AS labels
                  FROM clips JOIN recordings ON recordings.id = clips.recording_id
                 WHERE {condition} ORDER BY clips.id""",
            parameters,
        )
        return [self._clip(row) for row in rows]

    def _clip(self, row: sqlite3.Row) -> Clip:
        labels = stored(row["labels"], list, self.path, f"the labels of clip #{row['id']}")
        notes = stored(row["notes"], list, self.path, f"the notes of clip #{row['id']}")
        if not 0.0 < row["frame_time"] < math.inf:
            raise BankError(f"{self.path}: is damaged (clip #{row['id']} has a frame time of {row['frame_time']} s)")
        return Clip(
            row["id"], row["name"], row["n_frames"], row["frame_time"], row["n_joints"], row["skeleton_id"],
            row["recording_id"], tuple(labels), row["description"], row["source"], row["format"], row["licence"],
            row["credit"], row["imported_at"], tuple(map(str, notes)),
        )  # fmt: skip

    def _found(self, name: str) -> Clip | None:
        clip_id = Address(name).clip_id
        if clip_id is None:
            found = self._clips("clips.name = ?", [name])
        else:
            found = self._clips("clips.id = ?", [clip_id]) if clip_id <= LARGEST_ID else []
        return found[0] if found else None

    def _clip_id(self, clip: Clip | str | int) -> int:
        return clip.id if isinstance(clip, Clip) else clip if isinstance(clip, int) else self.clip(clip).id

    def _clip_of(self, clip: Clip | str | int) -> Clip:
        return clip if isinstance(clip, Clip) else self.clip(clip)

    def _addressed(self, text: str) -> tuple[Segment, bool]:
        """The segment that `text` names, and whether it names a whole clip, without an interval.

        A text that can be read as a clip with an interval is; else it may be the clip's own name, or `CLIP:30:90`.
        """
        address = parse_address(text)
        clip = self._found(address.clip)
        if clip is None and not address.is_whole:
            clip, address = self._found(text), Address(text)
        if clip is None and (address := parse_address(text, colons=True)) and not address.is_whole:
            clip = self._found(address.clip)
        if clip is None:
            clip_part, _, interval = text.rpartition(":")
            if clip_part and self._found(clip_part):
                raise UsageError(
                    f"{text!r}: {interval!r} is not a valid interval; write 30-90 (frames) or 1.5s-3s (seconds)"
                )
            clip = self.clip(parse_address(text, colons=True).clip)  # says what is missing, and what is like it
        start = 0 if address.start is None else address.start.frame(clip.frame_time)
        stop = clip.n_frames if address.stop is None else address.stop.frame(clip.frame_time)
        if address.stop is not None and start >= stop:
            what = "is empty" if start == stop else "is reversed"
            raise NotInBankError(f"{text!r}: the interval {start}-{stop} {what}; it must end after its start")
        if not 0 <= start < stop <= clip.n_frames:
            raise NotInBankError(
                f"clip {clip.name!r} has no frames {start}-{stop}; it has 0-{clip.n_frames} "
                f"({clip.duration_secs:.2f} s at {clip.rate_hz:.4g} Hz)"
            )
        return Segment(clip.id, start, stop), address.is_whole

    def _rig(self, skeleton_id: int) -> str:
        row = self.connection.execute("SELECT digest FROM skeletons WHERE id = ?", (skeleton_id,)).fetchone()
        if row is None:
            raise self._damaged("a clip's skeleton is missing")
        digest = bytes(row["digest"])
        if digest not in self._rigs:
            content = self.connection.execute("SELECT content FROM skeletons WHERE id = ?", (skeleton_id,)).fetchone()[
                "content"
            ]
            if digest_of_skeleton(content) != digest:
                raise self._damaged("a clip's skeleton does not match its checksum")
            self._rigs[digest] = content
        return self._rigs[digest]

    def _damaged(self, what: str) -> BankError:
        return BankError(f"{self.path}: is damaged: {what}; `motionary check {self.path}` shows details")

    def like_label(self, name: str) -> str:
        """A sentence on the labels that may be meant by one that nothing has."""
        labels = [label for label, _, _ in self.label_counts()]
        listed = f"`motionary label ls {self.path}` lists all labels" if labels else "There are no labels yet"
        return suggestion(name, labels, otherwise=listed)

    def like_word(self, word: str) -> str:
        """A sentence on the words that may be meant by one that no clip has."""
        rows = self.connection.execute("SELECT name, description FROM clips UNION SELECT name, '' FROM labels")
        words = sorted({one for row in rows for one in re.findall(r"[^\W_]+", f"{row[0]} {row[1]}".lower())})
        return suggestion(word.lower(), words, otherwise=f"`motionary ls {self.path}` lists the clips")

    def like_clip(self, name: str) -> str:
        """A sentence on the clips that may be meant by a name that none has."""
        names = [row[0] for row in self.connection.execute("SELECT name FROM clips")]
        if not names:
            return "The bank is empty"
        if (whole := name.rpartition(":")[0]) and self._found(whole):
            return f"A whole clip is needed, without an interval: {whole}"
        return suggestion(name, names, otherwise=f"`motionary ls {self.path}` lists the clips")


def _words_query(text: str) -> str:
    """An FTS5 query for clips that hold every word; a word matches longer ones that begin with it."""
    words = [word for word in text.replace("\0", " ").split() if any(letter.isalnum() for letter in word)]
    if not words:
        raise UsageError(f"{text!r} contains no word to search for")
    return " AND ".join('"' + word.replace('"', '""') + '"*' for word in words)
