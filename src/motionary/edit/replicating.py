"""Edits of a bank: planned for an example and all motions like it, previewed, and applied as one change."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from motionary.bank import Bank, Clip, Label, PackedRecording, check_is_bank, pack_motion
from motionary.edit.fitting import Outline, outline_of
from motionary.edit.layers import example_pinned, layer_content, recipe_called
from motionary.edit.operation import Operation
from motionary.edit.operation_files import operation_of
from motionary.edit.planning import (
    Bench,
    EditTarget,
    PlannedEdit,
    check_likeness,
    measure,
    plan_one,
    same_motion,
    without_overlaps,
)
from motionary.edit.recipe import EditRecipe
from motionary.edit.reporting import EditReport, command_of, consequences_of, problems_in_words, remarks_on
from motionary.edit.subject import Space, Subject
from motionary.edit.subjects import pinned_segment, sources_of, spaces_of, subject_of_clip
from motionary.edit.targets import Target, targets_of
from motionary.errors import UsageError
from motionary.motion import Motion, Segment
from motionary.plants import Plant
from motionary.search import Match, search_bank


def apply_edit(
    bank: Bank,
    segment: str | Segment | int,
    operation: Operation | str | Path,
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
    """Apply an operation to a segment, and to all segments that `to` names or a search for it finds, as one change.

    `operation` is an object, a name with its `parameters`, or a file of `learn_operation`. `to` takes segments,
    matches, `"@selection"`, `"label:walk"` and `"oddity:root jump"`; `search` takes the keywords of a search with the
    segment as the query. `itself=False` leaves the segment itself as it is. `drop` leaves out numbers of the preview.
    Targets that overlap nearer ones are left unchanged, unless `overlaps` is set. `new_clips` adds the results as new
    clips, `variants` of each, and leaves the old ones as they are. `options` are those of an `EditRecipe`: joints,
    strength, strength_by, ease_secs, protect, align, align_joints, vary, seed, score_limit, hold. A dry run computes
    everything and changes nothing.
    """
    check_is_bank(bank)
    made = operation_of(operation, parameters)
    example = bank.segment_of(segment)
    subject = subject_of_clip(bank, bank.clip(example.clip_id))
    known = {one for one in EditRecipe.__dataclass_fields__ if one not in ("operation", "duration_secs", "outline")}
    for name in options:
        if name not in known:
            raise UsageError(f"an edit has no option {name!r}; there are {', '.join(sorted(known))}")
    words = _tuples(options)
    recipe = EditRecipe(
        made,
        duration_secs=(example.stop - example.start - 1) * subject.motion.frame_time,
        **{
            "example": bank.segment_name(example),
            "ease_secs": made.eases_over_secs(varied=words.get("vary", ())),
            **words,
        },
    )
    if recipe.align:
        part = subject.slice(example.start, example.stop)
        recipe = replace(recipe, outline=outline_of(part, joints=recipe.align_joints))
    targets = [EditTarget(example, 1.0, is_example=True)] if itself else []
    targets += targets_of(bank, example, to, search)
    return _apply(
        bank, recipe, targets, drop=drop, overlaps=overlaps, new_clips=new_clips, variants=variants, dry_run=dry_run,
        measured=measured, searched=search is not None,
        example=pinned_segment(bank.clip(example.clip_id), example),
    )  # fmt: skip


def preview_edit(
    bank: Bank, segment: str | Segment | int, operation: Operation | str | Path, *args: Any, **words: Any
) -> EditReport:
    """What `apply_edit` with the same arguments would do; changes nothing."""
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
    """Apply a recipe to other segments: one of the bank by its hash, one from a file, or an `EditRecipe`."""
    check_is_bank(bank)
    found = recipe if isinstance(recipe, EditRecipe) else recipe_called(bank, recipe)
    if found.align and found.outline is None and found.outline_hash:
        raise UsageError(
            "the recipe has no outline of its example, so nothing can be aligned with it; write_recipe and "
            "`edit recipes BANK --export HASH -o FILE` write one"
        )
    targets = targets_of(bank, None, to, None)
    if not targets:
        raise UsageError("the recipe has no segments to be applied to; name segments, @selections or label:NAME")
    return _apply(
        bank, found, targets, drop=drop, overlaps=overlaps, new_clips=new_clips, variants=variants, dry_run=dry_run,
        measured=measured, example=example_pinned(bank, found),
    )  # fmt: skip


def find_like_edit(bank: Bank, report: EditReport, *, k: int = 10, **words: Any) -> tuple[Match, ...]:
    """Recorded motions similar to the result of an edit of its example (or of its first segment).

    `words` are the keywords of a search. A motion that is found can replace the edit, or be pasted.
    """
    planned = next((one for one in report.edits if one.after is not None), None)
    if planned is None or planned.after is None:
        raise UsageError("no edit could be made, so there is no motion to search for")
    segment = planned.target.segment
    now = planned.after.interval_now(segment.start, segment.stop)
    if now is None:
        raise UsageError("the edit removes the segment, so there is no motion to search for")
    return search_bank(bank, planned.after.motion.slice(*now), k=k, **{"descriptions": ("gist",), **words}).matches


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
    example: Mapping[str, int] | None = None,
) -> EditReport:
    if variants < 1 or (variants > 1 and not new_clips):
        raise UsageError("variants are new clips: use --new-clips, with at least 1 variant")
    kept, left = (list(targets), []) if overlaps else without_overlaps(targets)
    left_alone = tuple(
        f"{bank.segment_name(one.segment)} overlaps {bank.segment_name(other.segment)}, which is nearer"
        for one, other in left
        if not (searched and other.is_example)
    )
    dropped = set(drop)
    chosen = [(number, target) for number, target in enumerate(kept, start=1) if number not in dropped]
    unknown = dropped - set(range(1, len(kept) + 1))
    if unknown:
        raise UsageError(f"there is no edit {min(unknown)} to drop; the preview has 1 to {len(kept)}")
    check_likeness([target for _, target in chosen], recipe)
    sources, pinned = sources_of(bank, recipe.operation)
    spaces = spaces_of(bank, recipe.operation)
    by_clip: dict[int, list[tuple[int, EditTarget]]] = {}
    for number, target in chosen:
        by_clip.setdefault(target.segment.clip_id, []).append((number, target))
    plans: list[_ClipPlan] = []
    bench = Bench()
    for clip_id, its_targets in by_clip.items():
        clip = bank.clip(clip_id)
        subject = subject_of_clip(bank, clip)
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
                    bench=bench,
                )
            )
    edits = sorted((one for plan in plans for one in plan.edits), key=lambda one: one.number)
    _check_variants(plans, variants)
    report = EditReport(
        recipe,
        tuple(edits),
        tuple(measure(one, bench) if measured and one.changes else None for one in edits),
        tuple(consequences_of(bank, one) for one in edits),
        left_alone,
        remarks=remarks_on(bank, recipe, edits, found=chosen if searched else (), on_top=not new_clips),
    )
    failing = [one for one in edits if one.problem]
    if dry_run or not any(one.changes for one in edits):
        if failing and not dry_run:
            raise UsageError(problems_in_words(failing))
        return report
    if failing:
        raise UsageError(problems_in_words(failing))
    made: list[str] = []
    with bank.change(command_of(bank, recipe, edits)) as change_id:
        for plan in plans:
            bank.check_same_motion(plan.clip, plants=plan.subject.plants)
        for plan in plans:
            if new_clips:
                made.append(_add_clip(bank, plan, recipe, pinned))
            else:
                _write(bank, plan, recipe, pinned, example)
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
    def motion(self) -> Motion:
        """As it is after all edits."""
        last = self.changing[-1].after if self.changing else None
        return self.subject.motion if last is None else last.motion

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
    bench: Bench,
) -> _ClipPlan:
    edits = []
    now = subject
    for number, target in sorted(targets, key=lambda one: one[1].segment.start, reverse=True):
        planned = plan_one(
            now,
            recipe,
            target,
            number=number,
            clip=clip.name,
            outline=outline,
            sources=sources,
            spaces=spaces,
            bench=bench,
        )
        edits.append(planned)
        if planned.changes and planned.after is not None:
            now = Subject(planned.after.motion, subject.body, planned.after.plants)
    packed = pack_motion(now.motion, like=bank.recording(clip.id)) if packing and now is not subject else None
    return _ClipPlan(clip, subject, tuple(edits), packed, variant)


def _write(
    bank: Bank, plan: _ClipPlan, recipe: EditRecipe, pinned: Mapping[str, Any], example: Mapping[str, int] | None
) -> None:
    """Put a clip's edits on its stack as a layer, and let what lies on its frames follow."""
    if plan.packed is None:
        return
    clip, changing = plan.clip, plan.changing
    kept = bank.plants_origin(clip) is not None
    gone, cut = [], []
    for planned in changing:
        assert planned.after is not None
        if planned.after.shown is not None:
            moved = bank.move_frames(clip, planned.after.interval_now, lost=planned.after.lost)
            gone += moved.gone
            cut += moved.cut
    content = layer_content(changing, recipe, pinned, plants=plan.subject.plants if kept else None, example=example)
    content["gone"] = [[table, row] for table, row in gone]
    content["cut"] = [[table, row] for table, row in cut]
    bank.put_edits(clip, [(content, plan.packed)], command="edit")
    if kept and plan.plants != tuple(bank.plants(clip)):
        bank.set_plants(clip.id, plan.plants, origin=bank.plants_origin(clip) or "detected")
    elif not kept and recipe.operation.name in ("in-place", "clean"):
        bank.set_plants(clip.id, plan.plants, origin="edited")


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


def _once(labels: Sequence[Label]) -> list[Label]:
    return list({(label.name, label.start, label.stop): label for label in labels}.values())


def _tuples(options: Mapping[str, Any]) -> dict[str, Any]:
    """Lists of words as tuples; a single word is one of them."""
    made = dict(options)
    for name in ("joints", "align_joints", "hold"):
        if name in made:
            made[name] = (made[name],) if isinstance(made[name], str) else tuple(made[name])
    if "strength_by" in made and not isinstance(made["strength_by"], str):
        made["strength_by"] = tuple((float(x), float(y)) for x, y in made["strength_by"])
    if "vary" in made:
        made["vary"] = {name: (float(low), float(high)) for name, (low, high) in dict(made["vary"]).items()}
    return made


def _check_variants(plans: Sequence["_ClipPlan"], variants: int) -> None:
    """Raise if all variants of a clip are the same."""
    if variants == 1:
        return
    by_clip: dict[int, list[_ClipPlan]] = {}
    for plan in plans:
        by_clip.setdefault(plan.clip.id, []).append(plan)
    for first, *others in by_clip.values():
        if not first.changing:
            continue
        segment = first.changing[-1].target.segment
        if all(same_motion(first.motion, other.motion, segment.start, segment.stop) for other in others):
            raise UsageError(
                f"all {variants} variants of {first.clip.name} would be the same; --vary NAME=LOW:HIGH draws a "
                "parameter for each"
            )
