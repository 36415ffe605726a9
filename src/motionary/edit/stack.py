"""Removing edits from a clip's stack: those above are applied again, or nothing happens."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionary.bank import (
    Bank,
    Clip,
    EditRow,
    PackedRecording,
    check_is_bank,
    frames_of_row,
    pack_motion,
    row_on_frames,
    unpack,
)
from motionary.edit.applying import apply_operation, place_of
from motionary.edit.layers import LAYER_VERSION, Layer, clips_of_sources, list_edits
from motionary.edit.operation import operation_called, operation_from_json
from motionary.edit.recipe import recipe_from_json
from motionary.edit.subject import Edited, Subject, changed_frames
from motionary.edit.subjects import pinned_source, spaces_of, subject_below
from motionary.errors import BankError, NotInBankError


def remove_edits(
    bank: Bank, clip: str | int, positions: Iterable[int] | None = None, *, dry_run: bool = False
) -> list[Layer]:
    """Remove edits from a clip's stack, by default the highest, and apply those above again; returns the removed ones.

    If an edit above depends on frames that a removed one made or moved in time, nothing happens, and the error lists
    such edits. `undo` brings everything back.
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
        bank.check_same_motion(found)
        _rebuild(bank, found, rows, wanted)
    return layers


def _rebuild(bank: Bank, clip: Clip, rows: Sequence[EditRow], doomed: Sequence[int]) -> None:
    """Put a clip's stack on anew without some layers."""
    lowest = min(doomed)
    old_below = new_below = bank.stored_recording(rows[lowest - 1].below_id)
    old = new = subject_below(bank, clip, lowest)
    ways = _Ways()
    fresh: list[tuple[Mapping[str, Any], PackedRecording]] = []
    conflicts: list[str] = []
    taken: list[_Taken] = []  # by removed layers, of what lay on their frames; where that is now
    for row in rows[lowest - 1 :]:
        content, name = row.content, f"{row.position} ({row.content.get('operation')})"
        below, new_edits = ways, []
        if row.position in doomed:
            taken += _taken(content, below)
        elif "recipe" not in content:
            conflicts.append(f"{name} cannot be recomputed")
            continue
        else:
            parts = _moved_parts(content["parts"], below)
            if parts is None:
                conflicts.append(f"{name} depends on frames that a removed edit made or moved in time")
                continue
            kept = {kind: [one.as_json() for one in _taken(content, below, kinds=(kind,))] for kind in TAKEN}
            moved = {**content, "parts": parts, **kept, "clip_ids": clips_of_sources(content["sources"], clip.id)}
            if content.get("plants") is not None:
                moved["plants"] = [plant.as_json() for plant in new.plants]
            new_edits = put_on(bank, new, moved, row.position)
            packed = pack_motion(new_edits[-1].motion, like=new_below)
            fresh.append((moved, packed))
            new_below = unpack(packed)
            new = Subject(new_below.motion(), new.body, new_edits[-1].plants)
        old_edits: list[Edited] = []
        if "recipe" in content and (_changes_timing(row) or row.position in doomed):
            old_edits = put_on(bank, old, content, row.position)
            old_below = unpack(pack_motion(old_edits[-1].motion, like=old_below))
            old = Subject(old_below.motion(), old.body, old_edits[-1].plants)
        elif "recipe" in content:
            old_below = bank.stored_recording(row.recording_id)
            old = Subject(old_below.motion(), old.body, new.plants)
        anew: list[Edited | None] = [None] * len(old_edits) if row.position in doomed else list(new_edits)
        ways = _Ways((*below.steps, *zip(old_edits, anew, strict=False)))
        taken = [one.moved(new_edits) for one in taken]
    if conflicts:
        raise BankError(
            f"clip {clip.name!r}: the edits above cannot be applied again: {'; '.join(conflicts)}. Remove them as well"
        )
    bank.put_edits(clip, fresh, keep=lowest - 1)
    if ways.change_timing:
        bank.move_frames(clip, ways.interval_anew)
    _give_back(bank, clip, taken)
    if bank.plants_origin(clip) is not None and new.plants != tuple(bank.plants(clip)):
        bank.set_plants(clip.id, new.plants, origin=bank.plants_origin(clip) or "detected")


@dataclass(frozen=True, slots=True)
class _Ways:
    """From frames on top of a stack to the same ones on top of the stack built anew.

    Of every edit, from below: as it was, and as it is built anew; None if it is removed.
    """

    steps: tuple[tuple[Edited, Edited | None], ...] = ()

    @property
    def change_timing(self) -> bool:
        return any(old.shown is not None for old, _ in self.steps)

    def interval_anew(self, start: int, stop: int) -> tuple[int, int] | None:
        """Where frames [start, stop) are in the stack built anew; None if they are gone."""
        ends: list[float] = []
        for frame in (start, stop - 1):
            end = _frame_anew(self.steps, float(frame))
            if end is None:
                return None
            ends.append(end)
        first = round(ends[0])
        return first, max(round(ends[1]) + 1, first + 1)

    def is_on_removed(self, start: int, stop: int) -> bool:
        """Whether these frames were made or moved in time by an edit that is removed."""
        first, last = float(start), float(stop)
        for old, new in reversed(self.steps):
            if new is None and _touches(old, round(first), max(round(last), round(first) + 1)):
                return True
            first, last = _frame_before(old, first), _frame_before(old, last - 1.0) + 1.0
        return False


def _frame_anew(steps: Sequence[tuple[Edited, Edited | None]], frame: float) -> float | None:
    """Where a frame on top of these edits is on top of them built anew."""
    if not steps:
        return frame
    old, new = steps[-1]
    if new is None:
        return _frame_anew(steps[:-1], _frame_before(old, frame))
    if old.shown is None or new.shown is None:
        return _frame_anew(steps[:-1], frame)
    first, stop = changed_frames(old.shown)
    if first <= frame < stop:  # made by the edit, which was moved as a whole
        return frame + changed_frames(new.shown)[0] - first
    below = _frame_anew(steps[:-1], _frame_before(old, frame))
    if below is None or any(since <= below < until for since, until in new.lost):
        return None
    return new.frame_now(below)


TAKEN = ("gone", "cut")  # what a layer keeps of the rows that lay on frames which it took out: the whole row, or a part


@dataclass(frozen=True, slots=True)
class _Taken:
    """A row that an edit has taken out, or cut, and on which frames it would lie now; None if those are gone."""

    is_cut: bool
    table: str
    row: Mapping[str, Any]
    interval: tuple[int, int] | None

    def moved(self, edits: Sequence[Edited]) -> "_Taken":
        interval = self.interval
        for one in edits:
            interval = None if interval is None else one.interval_now(*interval)
        return replace(self, interval=interval)

    def as_json(self) -> list[Any]:
        assert self.interval is not None
        return [self.table, row_on_frames(self.table, self.row, self.interval)]


def _taken(content: Mapping[str, Any], ways: _Ways, *, kinds: Sequence[str] = TAKEN) -> list[_Taken]:
    """What a layer has taken along, on the frames of a stack built anew below it."""
    found = []
    for kind in kinds:
        for table, row in content.get(kind, []):
            interval = ways.interval_anew(*frames_of_row(table, row))
            if interval is not None:
                found.append(_Taken(kind == "cut", table, row, interval))
    return found


def _give_back(bank: Bank, clip: Clip, taken: Sequence[_Taken]) -> None:
    """Bring back what removed edits had taken along; of what was cut more than once, the whole."""
    n_frames, seen = bank.clip(clip.id).n_frames, set()
    for one in taken:
        key = (one.table, one.row["id"])
        if one.interval is None or one.interval[1] > n_frames or key in seen:
            continue
        seen.add(key)
        if one.is_cut:
            bank.stretch_back(one.table, one.row, one.interval)
        else:
            bank.bring_back(one.table, one.row, one.interval)


def _moved_parts(parts: Sequence[Mapping[str, Any]], ways: _Ways) -> list[dict[str, Any]] | None:
    """A layer's parts where their frames are in a stack built anew; None if one lies on frames that are no more."""
    moved = []
    for part in parts:
        start, stop = part["start"], part["stop"]
        interval = None if ways.is_on_removed(start, stop) else ways.interval_anew(start, stop)
        if interval is None or interval[1] - interval[0] != stop - start:
            return None
        moved.append({**part, "start": interval[0], "stop": interval[1]})
    return moved


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
