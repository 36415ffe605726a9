"""Edits of clips in a bank: planned, previewed, put on as layers in one change, taken off, put on again."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank, Clip, EditRow, Label, PackedRecording, check_is_bank, pack_motion, unpack_motion
from motionary.edit.applying import apply_operation, place_of
from motionary.edit.fitting import Outline, likeness, outline_of
from motionary.edit.operation import Operation, operation_called, operation_from_json
from motionary.edit.planning import (
    Bench,
    EditTarget,
    Measured,
    PlannedEdit,
    as_row,
    measure,
    plan_one,
    without_overlaps,
)
from motionary.edit.recipe import EditRecipe, read_recipe, recipe_from_json
from motionary.edit.subject import Edited, Space, Subject
from motionary.errors import BankError, MappingError, NotInBankError, UsageError
from motionary.library import performance
from motionary.motion import Segment
from motionary.plants import Plant
from motionary.rig import body_of
from motionary.search import Match, PoseSpace, kept_matches, search_bank

LAYER_VERSION = 1
LABEL_SIGN = "label:"  # before a label's name, for all that carry it

Target = str | Segment | Match | EditTarget


@dataclass(frozen=True, eq=False)
class EditReport:
    """What an edit did, or would do."""

    recipe: EditRecipe
    edits: tuple[PlannedEdit, ...]
    measured: tuple[Measured | None, ...]
    lost: tuple[tuple[str, ...], ...]
    left_alone: tuple[str, ...] = ()  # targets that lie on the frames of nearer ones
    new_clips: tuple[str, ...] = ()
    change_id: int | None = None  # None: nothing was changed

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One object for each edit."""
        return [
            as_row(planned, measured, lost)
            for planned, measured, lost in zip(self.edits, self.measured, self.lost, strict=True)
        ]

    @property
    def n_changed(self) -> int:
        return sum(planned.changes for planned in self.edits)


@dataclass(frozen=True, slots=True)
class Layer:
    """One edit of a clip's stack, read from the bank; edits of one recipe on a clip share a layer."""

    clip: str
    clip_id: int
    position: int  # 1 is the lowest
    operation: str
    start: int
    stop: int
    strength: float
    mirrored: bool
    seed: int
    hash: str
    origin: str
    is_example: bool
    kept_at: str
    content: Mapping[str, Any] = field(hash=False)

    def as_json(self) -> dict[str, Any]:
        return {
            "clip": self.clip,
            "id": self.clip_id,
            "position": self.position,
            "operation": self.operation,
            "start": self.start,
            "stop": self.stop,
            "strength": self.strength,
            "mirrored": self.mirrored,
            "seed": self.seed,
            "hash": self.hash,
            "origin": self.origin,
            "kept_at": self.kept_at,
        }


def apply_edit(
    bank: Bank,
    segment: str | Segment | int,
    operation: Operation | str,
    parameters: Mapping[str, Any] | None = None,
    *,
    to: Target | Iterable[Target] = (),
    search: Mapping[str, Any] | None = None,
    itself: bool = True,
    drop: Iterable[int] = (),
    overlaps: bool = False,
    new_clips: bool = False,
    variants: int = 1,
    dry_run: bool = False,
    measured: bool = True,
    **options: Any,
) -> EditReport:
    """Put an operation on a segment, and on all that is named by `to` or found by a search for it; one change.

    `operation` is an object, or a name with its `parameters`. `to` takes segments, matches, `"@selection"`, and
    `"label:walk"`; `search` the words of a search that the segment is the query of. With `itself` off, the segment
    itself stays as it is. `drop` leaves numbers of the preview out. Targets on the frames of nearer ones are left
    alone, unless `overlaps` is set. `new_clips` adds the edited clips, `variants` of each, in place of changing them.
    `options` are those of an `EditRecipe`: joints, strength, strength_by, ease_secs, protect, align, align_joints,
    vary, seed. A dry run computes everything and changes nothing.
    """
    check_is_bank(bank)
    kind = operation_called(operation) if isinstance(operation, str) else None
    made = kind.from_parameters(parameters or {}) if kind is not None else operation
    assert isinstance(made, Operation)
    example = bank.segment_of(segment)
    subject = _subject(bank, bank.clip(example.clip_id))
    known = {one for one in EditRecipe.__dataclass_fields__ if one not in ("operation", "duration_secs", "outline")}
    for name in options:
        if name not in known:
            raise UsageError(f"an edit has no option {name!r}; there are {', '.join(sorted(known))}")
    recipe = EditRecipe(
        made,
        duration_secs=(example.stop - example.start - 1) * subject.motion.frame_time,
        **{"example": bank.segment_name(example), "ease_secs": made.ease_secs, **_tuples(options)},
    )
    part = subject.slice(example.start, example.stop)
    if recipe.align and (to or search is not None):
        recipe = replace(recipe, outline=outline_of(part, joints=recipe.align_joints))
    targets = [EditTarget(example, is_example=True)] if itself else []
    targets += _targets(bank, example, to, search)
    return _apply(
        bank, recipe, targets, drop=drop, overlaps=overlaps, new_clips=new_clips, variants=variants, dry_run=dry_run,
        measured=measured, searched=search is not None,
    )  # fmt: skip


def preview_edit(
    bank: Bank, segment: str | Segment | int, operation: Operation | str, *args: Any, **words: Any
) -> EditReport:
    """What `apply_edit` with the same words would do; nothing is changed."""
    return apply_edit(bank, segment, operation, *args, **{**words, "dry_run": True})


def apply_again(
    bank: Bank,
    recipe: EditRecipe | str | Path,
    to: Target | Iterable[Target],
    *,
    drop: Iterable[int] = (),
    overlaps: bool = False,
    new_clips: bool = False,
    variants: int = 1,
    dry_run: bool = False,
    measured: bool = True,
) -> EditReport:
    """Put a recipe on other segments: one of the bank by its hash, one from a file, or an `EditRecipe`."""
    check_is_bank(bank)
    found = recipe if isinstance(recipe, EditRecipe) else recipe_called(bank, recipe)
    targets = _targets(bank, None, to, None)
    if not targets:
        raise UsageError("there is nothing to put the recipe on; name segments, @selections or label:NAME")
    return _apply(
        bank, found, targets, drop=drop, overlaps=overlaps, new_clips=new_clips, variants=variants, dry_run=dry_run,
        measured=measured,
    )  # fmt: skip


def find_like_edit(bank: Bank, report: EditReport, *, k: int = 10, **words: Any) -> tuple[Match, ...]:
    """Real motions like what an edit makes of its example (or its first segment): an edit is a query, too.

    `words` are those of a search. What is found can be taken in the edit's place, or pasted into it.
    """
    planned = next((one for one in report.edits if one.after is not None), None)
    if planned is None or planned.after is None:
        raise UsageError("the edit gives no motion to search for")
    segment = planned.target.segment
    now = planned.after.interval_now(segment.start, segment.stop)
    if now is None:
        raise UsageError("the edit takes the segment out, so that there is no motion to search for")
    return search_bank(bank, planned.after.motion.slice(*now), k=k, **words).matches


def list_edits(bank: Bank, clips: Iterable[str | int] = ()) -> list[Layer]:
    """The edits of some clips, or of all, by clip and from the lowest layer."""
    check_is_bank(bank)
    names = list(clips)
    rows = [row for clip in names for row in bank.edit_rows(clip)] if names else bank.edit_rows()
    called = bank.clip_names(row.clip_id for row in rows)
    return [layer for row in rows for layer in _layers(row, called[row.clip_id])]


def edit_recipes(bank: Bank) -> dict[str, tuple[EditRecipe, int]]:
    """The recipes that edits of the bank were made by, and on how many segments each, by hash."""
    found: dict[str, tuple[EditRecipe, int]] = {}
    for layer in list_edits(bank):
        if "recipe" in layer.content:
            recipe, n = found.get(layer.hash, (recipe_from_json(layer.content["recipe"]), 0))
            found[layer.hash] = (recipe, n + 1)
    return found


def recipe_called(bank: Bank, name: str | Path) -> EditRecipe:
    """A recipe by its hash (or how it begins), or from a file; with the outline of its example, if that is known."""
    if isinstance(name, Path) or str(name).endswith(".json"):
        return read_recipe(name)
    fitting = [layer for layer in list_edits(bank) if layer.hash and layer.hash.startswith(str(name))]
    if not fitting or not name:
        there = ", ".join(edit_recipes(bank)) or "none yet"
        raise NotInBankError(
            f"{bank.path}: no edit has a recipe {str(name)!r}; there are {there}. A file ends in .json"
        )
    if len({layer.hash for layer in fitting}) > 1:
        raise UsageError(f"{name!r} begins several recipes: {', '.join(sorted({layer.hash for layer in fitting}))}")
    recipe = recipe_from_json(fitting[0].content["recipe"])
    example = next((layer for layer in fitting if layer.is_example), None)
    if example is not None and recipe.align:
        below = _subject_below(bank, bank.clip(example.clip_id), example.position)
        part = below.slice(example.start, example.stop)
        recipe = replace(recipe, outline=outline_of(part, joints=recipe.align_joints))
    return recipe


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


def _apply(
    bank: Bank,
    recipe: EditRecipe,
    targets: Sequence[EditTarget],
    *,
    drop: Iterable[int],
    overlaps: bool,
    new_clips: bool,
    variants: int,
    dry_run: bool,
    measured: bool,
    searched: bool = False,
) -> EditReport:
    if variants < 1 or (variants > 1 and not new_clips):
        raise UsageError("variants are new clips: ask for --new-clips, and for at least 1")
    kept, left = (list(targets), []) if overlaps else without_overlaps(targets)
    left_alone = tuple(
        f"{bank.segment_name(one.segment)} lies on the frames of {bank.segment_name(other.segment)}, which is nearer"
        for one, other in left
        if not (searched and other.is_example)
    )
    dropped = set(drop)
    chosen = [(number, target) for number, target in enumerate(kept, start=1) if number not in dropped]
    unknown = dropped - set(range(1, len(kept) + 1))
    if unknown:
        raise UsageError(f"there is no edit {min(unknown)} to drop; the preview has 1 to {len(kept)}")
    sources, pinned = _sources(bank, recipe.operation)
    spaces = _spaces(bank, recipe.operation)
    by_clip: dict[int, list[tuple[int, EditTarget]]] = {}
    for number, target in chosen:
        by_clip.setdefault(target.segment.clip_id, []).append((number, target))
    plans: list[_ClipPlan] = []
    for clip_id, its_targets in by_clip.items():
        clip = bank.clip(clip_id)
        subject = _subject(bank, clip)
        for variant in range(variants):
            varied = replace(recipe, seed=recipe.seed + variant) if variants > 1 else recipe
            plans.append(
                _plan_clip(
                    bank,
                    clip,
                    subject,
                    varied,
                    its_targets,
                    recipe.outline,
                    sources,
                    spaces,
                    variant,
                    packing=not dry_run,
                )
            )
    bench = Bench()
    edits = sorted((one for plan in plans for one in plan.edits), key=lambda one: one.number)
    report = EditReport(
        recipe,
        tuple(edits),
        tuple(measure(one, bench) if measured and one.changes else None for one in edits),
        tuple(_would_lose(bank, one) for one in edits),
        left_alone,
    )
    failing = [one for one in edits if one.problem]
    if dry_run or not any(one.changes for one in edits):
        if failing and not dry_run:
            raise UsageError(_problems(failing))
        return report
    if failing:
        raise UsageError(_problems(failing))
    made: list[str] = []
    with bank.change(_command(bank, recipe, edits)) as change_id:
        for plan in plans:
            if new_clips:
                made.append(_add_clip(bank, plan, recipe, pinned))
            else:
                _write(bank, plan, recipe, pinned)
    return replace(report, change_id=change_id, new_clips=tuple(made))


@dataclass(frozen=True, eq=False)
class _ClipPlan:
    """All edits of one clip, in the order in which they are put on: from its end to its start. Together one layer."""

    clip: Clip
    subject: Subject
    edits: tuple[PlannedEdit, ...]
    packed: PackedRecording | None  # the result of all of them; None in a preview, or where nothing changes
    variant: int = 0

    @property
    def changing(self) -> list[PlannedEdit]:
        return [one for one in self.edits if one.changes]

    @property
    def plants(self) -> tuple[Plant, ...]:
        """As they are after all edits."""
        last = self.changing[-1].after if self.changing else None
        return self.subject.plants if last is None else last.plants


def _plan_clip(
    bank: Bank,
    clip: Clip,
    subject: Subject,
    recipe: EditRecipe,
    targets: Sequence[tuple[int, EditTarget]],
    outline: Outline | None,
    sources: Mapping[str, Subject],
    spaces: Mapping[str, Space],
    variant: int,
    *,
    packing: bool,
) -> _ClipPlan:
    edits = []
    now = subject
    for number, target in sorted(targets, key=lambda one: one[1].segment.start, reverse=True):
        planned = plan_one(
            now, recipe, target, number=number, clip=clip.name, outline=outline, sources=sources, spaces=spaces
        )
        edits.append(planned)
        if planned.changes and planned.after is not None:
            now = Subject(planned.after.motion, subject.body, planned.after.plants)
    packed = pack_motion(now.motion, like=bank.recording(clip.id)) if packing and now is not subject else None
    return _ClipPlan(clip, subject, tuple(edits), packed, variant)


def _write(bank: Bank, plan: _ClipPlan, recipe: EditRecipe, pinned: Mapping[str, Any]) -> None:
    """Put a clip's edits on its stack as a layer, and let what lies on its frames follow."""
    if plan.packed is None:
        return
    clip, changing = plan.clip, plan.changing
    kept = bank.plants_origin(clip) is not None
    gone = []
    for planned in changing:
        assert planned.after is not None
        if planned.after.shown is not None:
            gone += bank.move_frames(clip, planned.after.interval_now)
    content = layer_content(changing, recipe, pinned, plants=plan.subject.plants if kept else None)
    content["gone"] = [[table, row] for table, row in gone if table in ("labels", "targets")]
    bank.put_edits(clip, [(content, plan.packed)], command="edit")
    if kept and plan.plants != tuple(bank.plants(clip)):
        bank.set_plants(clip.id, plan.plants, origin=bank.plants_origin(clip) or "detected")
    elif not kept and recipe.operation.name in ("in-place", "clean"):
        bank.set_plants(clip.id, plan.plants, origin="edited")


def layer_content(
    changing: Sequence[PlannedEdit], recipe: EditRecipe, pinned: Mapping[str, Any], *, plants: Sequence[Plant] | None
) -> dict[str, Any]:
    """A layer as the bank keeps it: the recipe, and what each segment has of its own, in the order of putting on."""
    clip_id = changing[0].target.segment.clip_id
    return {
        "layer_version": LAYER_VERSION,
        "operation": recipe.operation.name,
        "recipe": recipe.as_json(),
        "hash": recipe.hash,
        "origin": recipe.example,
        "parts": [
            {
                "start": one.target.segment.start,
                "stop": one.target.segment.stop,
                "parameters": one.operation.as_json()["parameters"],
                "times": None if one.times is None else one.times.tolist(),
                "strength": one.strength,
                "mirrored": one.target.mirrored,
                "seed": one.seed,
                "is_example": one.target.is_example,
            }
            for one in changing
        ],
        "sources": pinned,
        "plants": None if plants is None else [plant.as_json() for plant in plants],
        "clip_ids": sorted({source["clip_id"] for source in pinned.values()} - {clip_id}),
    }


def _add_clip(bank: Bank, plan: _ClipPlan, recipe: EditRecipe, pinned: Mapping[str, Any]) -> str:
    """The edited clip as a new one, with labels, plants and a recipe that says what it was made of."""
    clip = plan.clip
    if plan.packed is None:
        return clip.name
    labels = bank.labels(clip)
    for planned in plan.changing:
        assert planned.after is not None
        moved = []
        for label in labels:
            if label.start is None or label.stop is None:
                moved.append(label)
                continue
            interval = planned.after.interval_now(label.start, label.stop)
            if interval is not None:
                moved.append(replace(label, start=interval[0], stop=interval[1]))
        labels = moved
    content = layer_content(plan.changing, recipe, pinned, plants=None)
    name = bank.free_name(f"{clip.name}~{recipe.operation.name}")
    bank.add(
        name,
        plan.packed,
        labels=_once(labels),
        plants=plan.plants if bank.plants_origin(clip) is not None else (),
        description=f"{clip.name}, {recipe.operation.title}",
        licence=clip.licence,
        credit=clip.credit,
        recipe={**content, "kind": "edit", "clip_ids": sorted({clip.id, *content["clip_ids"]})},
    )
    return name


def _rebuild(bank: Bank, clip: Clip, rows: Sequence[EditRow], doomed: Sequence[int]) -> None:
    """Put a clip's stack on anew without some layers."""
    lowest = min(doomed)
    like = bank.recording(clip.id)
    old = new = _subject_below(bank, clip, lowest)
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
            edits = _put_on(bank, new, {**content, "parts": parts}, row.position)
            packed = pack_motion(edits[-1].motion, like=like)
            fresh.append(({**content, "parts": parts}, packed))
            new = Subject(unpack_motion(packed), new.body, edits[-1].plants)
            new_edits += edits
        if "recipe" in content and (_changes_timing(row) or row.position in doomed):
            edits = _put_on(bank, old, content, row.position)
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


def _put_on(bank: Bank, subject: Subject, content: Mapping[str, Any], position: int) -> list[Edited]:
    """A layer computed anew, part by part, from what the bank keeps of it."""
    if content.get("layer_version", 1) > LAYER_VERSION:
        raise BankError(f"edit {position} was made by a newer Motionary; upgrade to change it")
    recipe = recipe_from_json(content["recipe"])
    sources = {name: _pinned_source(bank, source) for name, source in content["sources"].items()}
    spaces = _spaces(bank, recipe.operation)
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
        edits.append(apply_operation(subject, operation, place, protect=recipe.protect))
        subject = Subject(edits[-1].motion, subject.body, edits[-1].plants)
    return edits


def _subject_below(bank: Bank, clip: Clip, position: int) -> Subject:
    """What a layer was put on."""
    row = bank.edit_rows(clip)[position - 1]
    motion = bank.stored_recording(row.below_id).motion()
    try:
        body = body_of(motion.skeleton, body_map=bank.body_map(clip), motion=motion)
    except MappingError:
        return Subject(motion)
    kept = row.content.get("plants")
    if kept is None:
        from motionary.plants import detect_plants

        return Subject(motion, body, detect_plants(motion, body).plants)
    return Subject(motion, body, tuple(_plant(one) for one in kept))


def _subject(bank: Bank, clip: Clip) -> Subject:
    performed = performance(bank, clip)
    if not performed.has_body:
        return Subject(performed.motion)
    return Subject(performed.motion, performed.body, performed.clip_plants)


def _sources(bank: Bank, operation: Operation) -> tuple[dict[str, Subject], dict[str, Any]]:
    """The other motions that an operation takes something from, and what tells them again later."""
    sources: dict[str, Subject] = {}
    pinned: dict[str, Any] = {}
    for name in operation.source_names:
        if not name:
            raise UsageError(f"{operation.name} needs another motion: source=CLIP:START-STOP")
        segment = bank.segment_of(name)
        clip = bank.clip(segment.clip_id)
        sources[name] = _subject(bank, clip).slice(segment.start, segment.stop)
        plants = [plant.as_json() for plant in sources[name].plants]
        pinned[name] = {
            "clip_id": clip.id,
            "recording_id": clip.recording_id,
            "start": segment.start,
            "stop": segment.stop,
            "plants": plants,
        }
    return sources, pinned


def _pinned_source(bank: Bank, source: Mapping[str, Any]) -> Subject:
    motion = bank.stored_recording(source["recording_id"]).motion().slice(source["start"], source["stop"])
    try:
        body = body_of(motion.skeleton, body_map=bank.body_map(source["clip_id"]), motion=motion)
    except (MappingError, NotInBankError):
        return Subject(motion)
    return Subject(motion, body, tuple(_plant(plant) for plant in source["plants"]))


def _spaces(bank: Bank, operation: Operation) -> dict[str, Space]:
    return {name: PoseSpace.from_json(bank.space(name)["space"]) for name in operation.space_names}


def _targets(
    bank: Bank, example: Segment | None, to: Target | Iterable[Target], search: Mapping[str, Any] | None
) -> list[EditTarget]:
    """The targets that are named, and those found by a search; none twice."""
    given: list[Target] = [to] if isinstance(to, str | Segment | Match | EditTarget) else list(to)
    found: list[EditTarget] = []
    matches: list[Match] = []
    for one in given:
        if isinstance(one, EditTarget):
            found.append(one)
        elif isinstance(one, Match):
            matches.append(one)
        elif isinstance(one, str) and one.startswith(LABEL_SIGN):
            name = one.removeprefix(LABEL_SIGN)
            segments = bank.labelled(name)
            if not segments:
                raise NotInBankError(f"{bank.path}: nothing carries the label {name!r}; `motionary labels` lists them")
            found += [EditTarget(segment) for segment in segments]
        elif isinstance(one, str) and one.startswith("@"):
            name, _, ranks = one.removeprefix("@").partition(":")
            matches += kept_matches(bank, name, [ranks] if ranks else None).values()
        else:
            found += [EditTarget(segment) for segment in bank.segments_of([one])]
    if search is not None:
        assert example is not None
        matches += search_bank(bank, example, **search).matches
    largest = max((match.distance for match in matches), default=0.0)
    found += [
        EditTarget(match.segment, likeness(match.distance, largest), match.mirrored, distance=match.distance)
        for match in matches
    ]
    return list(dict.fromkeys(one for one in found if one.segment != example))


def _would_lose(bank: Bank, planned: PlannedEdit) -> tuple[str, ...]:
    """What lies on frames that an edit takes out, in words."""
    after = planned.after
    if after is None or not after.lost:
        return ()
    lost = []
    for label in bank.labels(planned.target.segment.clip_id):
        if label.start is not None and label.stop is not None and after.interval_now(label.start, label.stop) is None:
            lost.append(f"label {label.name} on {label.start}-{label.stop}")
    for target in bank.targets(planned.target.segment.clip_id):
        if after.interval_now(target.frame, target.frame + 1) is None:
            lost.append(f"target of {target.joint} at {target.frame}")
    if planned.before is not None:
        n_plants = sum(after.interval_now(plant.start, plant.stop) is None for plant in planned.before.plants)
        lost += [f"{n_plants} foot plants"] if n_plants else []
    return tuple(lost)


def _restore(bank: Bank, clip: Clip, table: str, row: Mapping[str, Any]) -> None:
    """Bring a label or target back that a removed edit had taken along."""
    n_frames = bank.clip(clip.id).n_frames
    if table == "labels" and row["stop"] <= n_frames:
        bank.add_labels(
            bank.clip(clip.id), [Label(row["name"], row["start"], row["stop"], row["strength"], row["origin"])]
        )


def _layers(row: EditRow, clip: str) -> list[Layer]:
    """The edits of one layer, from the clip's start on."""
    content = row.content
    parts = sorted(content.get("parts", [{}]), key=lambda part: int(part.get("start", 0)))
    return [
        Layer(
            clip,
            row.clip_id,
            row.position,
            str(content.get("operation", "?")),
            int(part.get("start", 0)),
            int(part.get("stop", 0)),
            float(part.get("strength", 1.0)),
            bool(part.get("mirrored", False)),
            int(part.get("seed", 0)),
            str(content.get("hash", "")),
            str(content.get("origin", "")),
            bool(part.get("is_example", False)),
            row.kept_at,
            content,
        )
        for part in parts
    ]


def _plant(content: Mapping[str, Any]) -> Plant:
    x, y, z = content["place"]
    return Plant(content["foot"], content["part"], content["start"], content["stop"], (x, y, z), content["origin"])


def _once(labels: Sequence[Label]) -> list[Label]:
    return list({(label.name, label.start, label.stop): label for label in labels}.values())


def _tuples(options: Mapping[str, Any]) -> dict[str, Any]:
    """Lists of words as tuples; a single word is one of them."""
    made = dict(options)
    for name in ("joints", "align_joints"):
        if name in made:
            made[name] = (made[name],) if isinstance(made[name], str) else tuple(made[name])
    if "strength_by" in made and not isinstance(made["strength_by"], str):
        made["strength_by"] = tuple((float(x), float(y)) for x, y in made["strength_by"])
    if "vary" in made:
        made["vary"] = {name: (float(low), float(high)) for name, (low, high) in dict(made["vary"]).items()}
    return made


def _problems(failing: Sequence[PlannedEdit]) -> str:
    first = failing[0]
    where = f"{first.clip}:{first.target.segment.start}-{first.target.segment.stop}"
    more = (
        f" (and {len(failing) - 1} more; drop {', '.join(str(one.number) for one in failing)})"
        if len(failing) > 1
        else ""
    )
    return f"edit {first.number}, {where}: {first.problem}{more}. Nothing was changed"


def _command(bank: Bank, recipe: EditRecipe, edits: Sequence[PlannedEdit]) -> str:
    changing = [one for one in edits if one.changes]
    first = changing[0]
    where = f"{bank.clip(first.target.segment.clip_id).name}:{first.target.segment.start}-{first.target.segment.stop}"
    more = f" and {len(changing) - 1} more" if len(changing) > 1 else ""
    return f"edit {recipe.operation.name} {where}{more}"


def write_recipe(recipe: EditRecipe, path: Path | str) -> None:
    """Write a recipe to a file, with what it takes to align it where its example is not known."""
    text = json.dumps(recipe.as_json(outline=True), indent=2, ensure_ascii=False)
    try:
        Path(path).write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{path}: cannot be written ({error.strerror})") from error
