"""A clip's file read anew: the clip keeps its number, name and labels, and gets a new version of the rest."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from motionary.bank.bank import Bank
from motionary.bank.clips import Clip, Label
from motionary.bank.connection import now
from motionary.bank.storage import PackedRecording, unpack_rig


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What a clip is to become; texts that are empty stay as they are."""

    packed: PackedRecording
    notes: tuple[str, ...]
    shift: int = 0  # how many frames later than now the file's first frame is taken
    description: str = ""
    licence: str = ""
    credit: str = ""


def replace_clip(bank: Bank, clip: Clip, new: NewVersion) -> list[str] | None:
    """Give a clip a new version; returns what did not fit it any more, or None if the clip is like it already.

    Labels and the matches of selections move with their frames. Plants, targets and refused labels are places in the
    earlier motion, and go with it.
    """
    packed = new.packed
    same_motion = (
        bank.frames_digest(replace(clip, recording_id=bank.edit_base(clip)))
        == packed.frames_digest + packed.skeleton_digest
    )
    texts = (new.description or clip.description, new.licence or clip.licence, new.credit or clip.credit)
    if same_motion and texts == (clip.description, clip.licence, clip.credit):
        return None
    lost: list[str] = []
    with bank.change(f"replace {clip.name}"):
        bank.connection.execute(
            "UPDATE clips SET description = ?, licence = ?, credit = ?, imported_at = ?, notes = ? WHERE id = ?",
            (*texts, now(), json.dumps(new.notes, ensure_ascii=False), clip.id),
        )
        if not same_motion:
            lost += _drop_edits(bank, clip)
            bank.set_recording(clip, packed, command=f"replace {clip.name}")
            lost += _move_labels(bank, clip, new)
            lost += _move_matches(bank, clip, new)
            lost += _drop_places(bank, clip)
            _keep_map(bank, clip)
    return lost


def moved_labels(labels: Sequence[Label], *, shift: int, n_frames: int) -> tuple[list[Label], list[str]]:
    """The labels where their frames are when the clip starts `shift` frames later; and what did not fit."""
    moved, lost = [], []
    for label in labels:
        if label.start is None or label.stop is None:
            moved.append(label)
            continue
        start, stop = max(label.start - shift, 0), min(label.stop - shift, n_frames)
        what = f"label {label.name!r} on frames {label.start}-{label.stop}"
        if start >= stop:
            lost.append(f"{what} was removed: the clip no longer has these frames")
            continue
        if label.stop - shift > n_frames:
            lost.append(f"{what} now ends at frame {stop}, where the clip ends")
        moved.append(replace(label, start=start, stop=stop))
    return moved, lost


def _move_labels(bank: Bank, clip: Clip, new: NewVersion) -> list[str]:
    labels = bank.labels(clip)
    moved, lost = moved_labels(labels, shift=new.shift, n_frames=new.packed.n_frames)
    if moved != labels:
        bank.connection.execute("DELETE FROM labels WHERE clip_id = ?", (clip.id,))
        bank.add_labels(bank.clip(clip.id), moved)
    return lost


def _move_matches(bank: Bank, clip: Clip, new: NewVersion) -> list[str]:
    """Let matches and queries be where their frames are; those are gone whose frames or times are others now.

    A match is whole or not at all: its alignment counts frames in time, and would lead nowhere else.
    """
    packed = new.packed
    same_times = packed.frame_time == clip.frame_time
    stays = "?2 AND {0}start >= ?3 AND {0}stop - ?3 <= ?4"
    where = (clip.id, same_times, new.shift, packed.n_frames)
    n_gone = bank.connection.execute(
        f"DELETE FROM matches WHERE clip_id = ?1 AND NOT ({stays.format('')})", where
    ).rowcount
    bank.connection.execute(
        f"""UPDATE selections SET query_clip_id = NULL, query_start = NULL, query_stop = NULL
             WHERE query_clip_id = ?1 AND NOT ({stays.format("query_")})""",
        where,
    )
    if new.shift:
        moved = (new.shift, clip.id)
        bank.connection.execute("UPDATE matches SET start = start - ?1, stop = stop - ?1 WHERE clip_id = ?2", moved)
        bank.connection.execute(
            """UPDATE selections SET query_start = query_start - ?1, query_stop = query_stop - ?1
                WHERE query_clip_id = ?2""",
            moved,
        )
    why = "its frames have other times" if not same_times else "the clip has no such frames any more"
    return [f"matches of selections are gone, as {why} ({n_gone})"] if n_gone else []


def _drop_edits(bank: Bank, clip: Clip) -> list[str]:
    """Take off the edits: they were made for the earlier recording."""
    n_edits = len(bank.edit_rows(clip))
    if n_edits:
        bank.put_edits(clip, [], keep=0)
    return [f"the edits of the earlier version were removed ({n_edits})"] if n_edits else []


def _drop_places(bank: Bank, clip: Clip) -> list[str]:
    lost = []
    for table in ("plants", "kept_plants", "targets", "refusals"):
        n_gone = bank.connection.execute(f"DELETE FROM {table} WHERE clip_id = ?", (clip.id,)).rowcount
        if n_gone:
            lost.append(f"the {table} of the earlier version were removed ({n_gone})")
    return lost


def _keep_map(bank: Bank, clip: Clip) -> None:
    """Let the user's map of the earlier skeleton hold for the new one, if the joints are the same."""
    skeleton_id = bank.clip(clip.id).skeleton_id
    rows = bank.connection.execute(
        "SELECT id, content FROM skeletons WHERE id IN (?, ?) ORDER BY id", (clip.skeleton_id, skeleton_id)
    ).fetchall()
    bodies = [unpack_rig(row["content"])[0] for row in rows]
    if len(bodies) == 2 and bodies[0].names == bodies[1].names:
        bank.connection.execute(
            """INSERT INTO body_maps (skeleton_id, content)
               SELECT ?1, content FROM body_maps WHERE skeleton_id = ?2
                  AND NOT EXISTS (SELECT 1 FROM body_maps WHERE skeleton_id = ?1)""",
            (skeleton_id, clip.skeleton_id),
        )
