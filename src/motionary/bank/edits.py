"""A clip's edits: the recording that lies under them, and a stack of layers, each with the result up to it.

What a layer does is in its content, as JSON, and is its maker's affair; but for `clip_ids`, which says what other
clips' motion is in the result. A purge of one of those takes the layer off, with all layers above it.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motionary.bank.clips import Clip
from motionary.bank.connection import change, now
from motionary.bank.library import Library
from motionary.bank.made import as_text, source_ids
from motionary.bank.storage import PackedRecording, unpack
from motionary.bank.storing import store
from motionary.errors import UsageError
from motionary.motion import Recording


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


class Edits(Library):
    """The stacks of edits of an open bank."""

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
        return [EditRow(row[0], row[1], row[2], json.loads(row[3]), row[4], row[5], row[6]) for row in rows]

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
            raise self._damaged(f"the frames of recording {recording_id} are not those that were stored")
        return unpack(packed)

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
            raise UsageError(f"clip {found.name!r} has {len(rows)} edits; the lowest {keep} cannot be kept")
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
