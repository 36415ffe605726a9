"""What edits of a bank do, or would do: in rows, in remarks, and in the words of errors and of the log."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from motionary.bank import Bank, frames_of_row
from motionary.edit.layers import list_edits
from motionary.edit.planning import Consequences, EditTarget, Measured, PlannedEdit, as_row
from motionary.edit.recipe import EditRecipe
from motionary.edit.targets import unlike_after

USUAL_STRENGTHS = (-1.0, 2.0)  # outside of these an edit is remarked on


@dataclass(frozen=True, eq=False)
class EditReport:
    """What an edit did, or would do."""

    recipe: EditRecipe
    edits: tuple[PlannedEdit, ...]
    measured: tuple[Measured | None, ...]
    consequences: tuple[Consequences, ...]
    left_alone: tuple[str, ...] = ()  # targets that lie on the frames of nearer ones
    new_clips: tuple[str, ...] = ()
    change_id: int | None = None  # None: nothing was changed
    remarks: tuple[str, ...] = ()  # what is to be known of all of it, in sentences

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One object for each edit."""
        return [
            as_row(planned, measured, moved)
            for planned, measured, moved in zip(self.edits, self.measured, self.consequences, strict=True)
        ]

    @property
    def n_changed(self) -> int:
        return sum(planned.changes for planned in self.edits)


def remarks_on(
    bank: Bank,
    recipe: EditRecipe,
    edits: Sequence[PlannedEdit],
    *,
    found: Sequence[tuple[int, EditTarget]],
    on_top: bool,
) -> tuple[str, ...]:
    """What is to be known of all edits, in sentences: `found` are targets of a search, by number; `on_top` says whether
    they go onto the clips."""
    repeated = _on_repetition(bank, recipe, edits) if on_top else ()
    return (*_on_gap(found), *_on_strength(recipe), *repeated)


def consequences_of(bank: Bank, planned: PlannedEdit) -> Consequences:
    """What lies on frames that an edit moves in time or takes out, and which plants it changes."""
    before, after = planned.before, planned.after
    if before is None or after is None or not planned.changes:
        return Consequences()
    gone = {plant for plant in before.plants if after.interval_now(plant.start, plant.stop) is None}
    n_plants = len(set(before.plants) - set(after.plants) - gone)
    if after.shown is None:
        return Consequences(plants_moved=n_plants)
    n_labels, lost = 0, []
    called = {one.id: one.name for one in bank.selections()}
    for table, row in bank.rows_on_frames(planned.target.segment.clip_id):
        start, stop = frames_of_row(table, row)
        now = after.interval_now(start, stop)
        if now is None:
            lost.append(_row_in_words(table, row, called))
        elif table == "labels":
            n_labels += now != (start, stop)
    if gone:
        lost.append(f"{len(gone)} foot plant{'s' if len(gone) > 1 else ''}")
    return Consequences(tuple(lost), n_labels, n_plants)


def problems_in_words(failing: Sequence[PlannedEdit]) -> str:
    """The first problem, and the numbers of all edits that have one."""
    first = failing[0]
    where = f"{first.clip}:{first.target.segment.start}-{first.target.segment.stop}"
    numbers = sorted({one.number for one in failing})  # of several variants the same
    more = f" (and {len(numbers) - 1} more; drop {', '.join(map(str, numbers))})" if len(numbers) > 1 else ""
    return f"edit {first.number}, {where}: {first.problem}{more}. Nothing was changed"


def command_of(bank: Bank, recipe: EditRecipe, edits: Sequence[PlannedEdit]) -> str:
    """How the log of changes calls it."""
    changing = [one for one in edits if one.changes]
    first = changing[0]
    where = f"{bank.clip(first.target.segment.clip_id).name}:{first.target.segment.start}-{first.target.segment.stop}"
    more = f" and {len(changing) - 1} more" if len(changing) > 1 else ""
    return f"edit {recipe.operation.name} {where}{more}"


def _on_gap(targets: Sequence[tuple[int, EditTarget]]) -> Iterator[str]:
    numbers = unlike_after(targets)
    if numbers:
        named = ", ".join(map(str, numbers[:8])) + (", …" if len(numbers) > 8 else "")
        yield f"much less similar to the example than the others: {named}; --drop or --within leaves them out"


def _on_strength(recipe: EditRecipe) -> Iterator[str]:
    low, high = USUAL_STRENGTHS
    if not low <= recipe.strength <= high:
        yield (
            f"a strength of {recipe.strength:g} is far outside of 0 to 1: poses may become unnatural; see the score or "
            "set --score-limit"
        )


def _on_repetition(bank: Bank, recipe: EditRecipe, edits: Sequence[PlannedEdit]) -> Iterator[str]:
    """Segments that carry this edit already: it is put on once more."""
    changing = [one for one in edits if one.changes]
    clips = sorted({one.target.segment.clip_id for one in changing})
    if not clips:
        return
    content = recipe.as_json()
    what = {name: content[name] for name in ("operation", "joints", "vary")}  # the outline differs once it is edited
    there = [
        layer
        for layer in list_edits(bank, clips)
        if what == {name: layer.content.get("recipe", {}).get(name) for name in what}
    ]
    for one in changing:
        segment = one.target.segment
        for layer in there:
            if layer.clip_id == segment.clip_id and layer.start < segment.stop and segment.start < layer.stop:
                yield (
                    f"{bank.segment_name(segment)} already has this edit (layer {layer.position}); it is applied once "
                    "more"
                )
                break


def _row_in_words(table: str, row: Mapping[str, Any], called: Mapping[int, str]) -> str:
    if table == "targets":
        return f"target of {row['joint']} at {row['frame']}"
    start, stop = frames_of_row(table, row)
    what = {
        "labels": lambda: f"label {row['name']}",
        "refusals": lambda: f"refused label {row['name']}",
        "matches": lambda: f"match {row['rank']} of @{called.get(row['selection_id'], '?')}",
        "selections": lambda: f"query of @{row['name']}",
    }[table]()
    return f"{what} on {start}-{stop}"
