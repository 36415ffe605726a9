"""Taking edits out of a clip's stack: those above are put on anew, or nothing is done."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from motionary.bank import Bank, Clip, EditRow, Label, PackedRecording, check_is_bank, pack_motion, unpack_motion
from motionary.edit.applying import apply_operation, place_of
from motionary.edit.layers import LAYER_VERSION, Layer, list_edits
from motionary.edit.operation import operation_called, operation_from_json
from motionary.edit.recipe import recipe_from_json
from motionary.edit.subject import Edited, Subject
from motionary.edit.subjects import pinned_source, spaces_of, subject_below
from motionary.errors import BankError, NotInBankError


def remove_edits(
    bank: Bank, clip: str | int, positions: Iterable[int] | None = None, *, dry_run: bool = False
) -> list[Layer]:
    """Take edits off a clip's stack, the highest if none is named, and put those above on anew; returns what went.

    An edit above that lies on frames which a removed one made or moved in time cannot be put on anew: then nothing is
    done, and the error lists them. `undo` brings everything back.
    """
    check_is_bank(bank)
    found = bank.clip(clip)
    rows = bank.edit_rows(found)
    if not rows:
        raise NotInBankError(f"clip {found.name!r} has no edits")
    wanted = sorted(set([len(rows)] if positions is None else positions))
    for position in wanted:
        if not 1 <= position <= len(rows):
            raise NotInBankError(f"clip {found.name!r} has edits 1 to {len(rows)}, not {position}")
    layers = [layer for layer in list_edits(bank, [found.id]) if layer.position in wanted]
    with bank.change(f"edit rm {found.name}: {', '.join(map(str, wanted))}") if not dry_run else bank.rehearse():
        _rebuild(bank, found, rows, wanted)
    return layers


def _rebuild(bank: Bank, clip: Clip, rows: Sequence[EditRow], doomed: Sequence[int]) -> None:
    """Put a clip's stack on anew without some layers."""
    lowest = min(doomed)
    like = bank.recording(clip.id)
    old = new = subject_below(bank, clip, lowest)
    old_edits: list[Edited] = []  # of the layers as they were, from the lowest that goes
    new_edits: list[Edited] = []
    fresh: list[tuple[Mapping[str, Any], PackedRecording]] = []
    conflicts: list[str] = []
    gone: list[tuple[str, dict[str, Any]]] = []
    for row in rows[lowest - 1 :]:
        content, name = row.content, f"{row.position} ({row.content.get('operation')})"
        if row.position in doomed:
            gone += [(table, fields) for table, fields in content.get("gone", [])]
        elif "recipe" not in content:
            conflicts.append(f"{name} cannot be computed anew")
            continue
        else:
            parts = _moved_parts(content["parts"], old_edits, new_edits)
            if parts is None:
                conflicts.append(f"{name} lies on frames that a removed edit made or moved in time")
                continue
            edits = put_on(bank, new, {**content, "parts": parts}, row.position)
            packed = pack_motion(edits[-1].motion, like=like)
            fresh.append(({**content, "parts": parts}, packed))
            new = Subject(unpack_motion(packed), new.body, edits[-1].plants)
            new_edits += edits
        if "recipe" in content and (_changes_timing(row) or row.position in doomed):
            edits = put_on(bank, old, content, row.position)
            old = Subject(unpack_motion(pack_motion(edits[-1].motion, like=like)), old.body, edits[-1].plants)
            old_edits += edits
        elif "recipe" not in content:
            pass  # a recording that was set: it has the length of what is below
        else:
            old = Subject(bank.stored_recording(row.recording_id).motion(), old.body, new.plants)
    if conflicts:
        raise BankError(
            f"clip {clip.name!r}: edits above cannot be put on anew: {'; '.join(conflicts)}. Take those out as well"
        )
    bank.put_edits(clip, fresh, keep=lowest - 1)
    if any(one.shown is not None for one in (*old_edits, *new_edits)):
        bank.move_frames(clip, lambda start, stop: _interval_anew(start, stop, old_edits, new_edits))
    for table, fields in gone:
        _restore(bank, clip, table, fields)
    if bank.plants_origin(clip) is not None and new.plants != tuple(bank.plants(clip)):
        bank.set_plants(clip.id, new.plants, origin=bank.plants_origin(clip) or "detected")


def _moved_parts(
    parts: Sequence[Mapping[str, Any]], old_edits: Sequence[Edited], new_edits: Sequence[Edited]
) -> list[dict[str, Any]] | None:
    """A layer's parts where their frames are in a stack built anew; None if one lies on frames that are no more."""
    moved = []
    for part in parts:
        if any(_touches(one, part["start"], part["stop"]) for one in old_edits):
            return None
        interval = _interval_anew(part["start"], part["stop"], old_edits, new_edits)
        if interval is None:
            return None
        moved.append({**part, "start": interval[0], "stop": interval[1]})
    return moved


def _interval_anew(
    start: int, stop: int, old_edits: Sequence[Edited], new_edits: Sequence[Edited]
) -> tuple[int, int] | None:
    """From frames after some edits back below them, and forward through others."""
    first, last = float(start), float(stop)
    for one in reversed(old_edits):
        first, last = _frame_before(one, first), _frame_before(one, last)
    interval: tuple[int, int] | None = (round(first), max(round(last), round(first) + 1))
    for one in new_edits:
        interval = None if interval is None else one.interval_now(*interval)
    return interval


def _frame_before(edited: Edited, frame: float) -> float:
    """The frame before an edit that a frame after it shows."""
    if edited.shown is None:
        return frame
    n = len(edited.shown)
    if frame >= n:
        return float(edited.shown[-1] + (frame - n + 1))
    return float(np.interp(frame, np.arange(n), edited.shown))


def _touches(edited: Edited, start: int, stop: int) -> bool:
    """Whether frames after an edit are not whole frames of before, one after the other."""
    if edited.shown is None:
        return False
    some = edited.shown[start : min(stop, len(edited.shown))]
    return bool(len(some) == 0 or np.any(some != np.round(some)) or np.any(np.diff(some) != 1.0))


def _changes_timing(row: EditRow) -> bool:
    return operation_called(row.content["operation"]).changes_length


def put_on(bank: Bank, subject: Subject, content: Mapping[str, Any], position: int) -> list[Edited]:
    """A layer computed anew, part by part, from what the bank keeps of it."""
    if content.get("layer_version", 1) > LAYER_VERSION:
        raise BankError(f"edit {position} was made by a newer Motionary; upgrade to change it")
    recipe = recipe_from_json(content["recipe"])
    sources = {name: pinned_source(bank, source) for name, source in content["sources"].items()}
    spaces = spaces_of(bank, recipe.operation)
    edits: list[Edited] = []
    for part in content["parts"]:
        operation = operation_from_json({**content["recipe"]["operation"], "parameters": part["parameters"]})
        place = place_of(
            subject,
            operation,
            part["start"],
            part["stop"],
            joints=recipe.joints,
            times=None if part["times"] is None else np.array(part["times"]),
            strength=part["strength"],
            ease_secs=recipe.ease_secs,
            mirrored=part["mirrored"],
            seed=part["seed"],
            sources=sources,
            spaces=spaces,
        )
        edits.append(apply_operation(subject, operation, place, protect=recipe.protect, hold=recipe.hold))
        subject = Subject(edits[-1].motion, subject.body, edits[-1].plants)
    return edits


def _restore(bank: Bank, clip: Clip, table: str, row: Mapping[str, Any]) -> None:
    """Bring a label or target back that a removed edit had taken along."""
    n_frames = bank.clip(clip.id).n_frames
    if table == "labels" and row["stop"] <= n_frames:
        bank.add_labels(
            bank.clip(clip.id), [Label(row["name"], row["start"], row["stop"], row["strength"], row["origin"])]
        )
