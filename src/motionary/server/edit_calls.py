"""Calls that edit: the operations there are, previews on an example and all that is like it, and layers."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank
from motionary.edit import EditReport, apply_edit, list_edits, operation_called, operations, remove_edits
from motionary.errors import UsageError
from motionary.motion import Motion
from motionary.server.answering import Answer
from motionary.server.changing import one_change
from motionary.server.clip_calls import ClipId, Open
from motionary.server.playing import FRAMED, Hz, played
from motionary.server.search_calls import keywords_of
from motionary.server.segments import SegmentBody, Strict
from motionary.server.studio import Studio

Name = Annotated[str, Field(min_length=1, max_length=200)]
Names = Annotated[list[Name], Field(max_length=200)]
Number = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]
Ranks = Annotated[list[Annotated[int, Field(ge=1, le=10**6)]], Field(max_length=10_000)]
MOST_PLAYED = 100  # edits whose motions a preview sends


class EditTargets(Strict):
    """Where an edit goes beside its example: segments, matches of a result or a selection, what carries labels, or
    what a search finds."""

    segments: Annotated[list[SegmentBody], Field(max_length=10_000)] = []
    result: Annotated[str | None, Field(max_length=64)] = None
    ranks: Ranks | None = None
    selection: Name | None = None
    labels: Names = []
    search: dict[str, Any] | None = None


class EditOptions(Strict):
    """How an operation is put on; what is not said is as the command line has it."""

    joints: Names = []
    strength: Number = 1.0
    strength_by: Literal["constant", "proportional"] | Annotated[list[tuple[Number, Number]], Field(min_length=1)] = (
        "constant"
    )
    ease_secs: Annotated[float, Field(ge=0, le=60)] = 0.2
    protect: bool = True
    align: bool = True
    align_joints: Names = []
    vary: dict[str, tuple[Number, Number]] = {}
    seed: Annotated[int, Field(ge=0, le=2**32)] = 0
    score_limit: Annotated[float | None, Field(ge=1, le=1e6)] = None
    hold: Names = []


class EditBody(Strict):
    """An operation on a segment, and on all that is like it."""

    segment: SegmentBody
    operation: Name
    parameters: dict[str, Any] = {}
    to: EditTargets = EditTargets()
    itself: bool = True
    drop: Ranks = []
    overlaps: bool = False
    new_clips: bool = False
    variants: Annotated[int, Field(ge=1, le=100)] = 1
    options: EditOptions = EditOptions()
    hz: Hz = 30.0
    play: bool = True
    measured: bool = False


class OperationList(Open):
    operations: list[dict[str, Any]]


class EditRows(Open):
    edits: list[dict[str, Any]]
    left_alone: list[str]
    new_clips: list[str]
    change: int | None


class LayerList(Open):
    layers: list[dict[str, Any]]


class RemovedLayers(LayerList):
    change: int | None


def edit_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["edits"])

    @router.get("/edits/operations", response_model=OperationList)
    def all_operations() -> Response:
        """All operations with their parameters: what a form needs."""
        return Answer(
            {
                "operations": [
                    {
                        "operation": kind.name,
                        "title": kind.title,
                        "changes_length": kind.changes_length,
                        "joints": list(kind.default_joints),
                        "parameters": kind.parameters(),
                    }
                    for kind in operations().values()
                ]
            }
        )

    @router.post("/edits/preview", response_model=EditRows, responses=FRAMED)
    def preview(body: EditBody) -> Response:
        """What an edit would change. With `play`, facts and motions: of each edit that can be made, the segment before
        and after; `changing` are the numbers of those that change something."""
        with studio.bank() as bank:
            report = apply_edit(bank, **_words(studio, bank, body), dry_run=True, measured=body.measured)
        facts = _rows(report)
        if not body.play:
            return Answer(facts)
        motions: list[Motion] = []
        numbers = []
        for planned in report.edits[:MOST_PLAYED]:
            if planned.before is not None and planned.after is not None:
                start, stop = planned.target.segment.start, planned.target.segment.stop
                now = planned.after.interval_now(start, stop) or (0, 1)
                motions += [planned.before.motion.slice(start, stop), planned.after.motion.slice(*now)]
                numbers.append(planned.number)
        facts |= {"played": numbers, "changing": [planned.number for planned in report.edits if planned.changes]}
        return played(studio, facts, motions, hz=body.hz)

    @router.post("/edits/apply", response_model=EditRows)
    def apply(body: EditBody) -> Response:
        """Put an edit on, as one change."""
        with studio.bank() as bank:
            words = _words(studio, bank, body)
            report = apply_edit(bank, **words, new_clips=body.new_clips, variants=body.variants, measured=body.measured)
        return Answer(_rows(report))

    @router.get("/clips/{clip_id}/edits", response_model=LayerList)
    def layers(clip_id: ClipId) -> Response:
        """The edits of a clip, lowest layer first."""
        with studio.bank() as bank:
            return Answer({"layers": [layer.as_json() for layer in list_edits(bank, [clip_id])]})

    @router.delete("/clips/{clip_id}/edits", response_model=RemovedLayers)
    def remove(
        clip_id: ClipId,
        position: Annotated[list[Annotated[int, Field(ge=1, le=10**6)]], Query(max_length=1_000)] = [],  # noqa: B006
    ) -> Response:
        """Take layers off, the highest if none is named; those above are put on anew."""
        with studio.bank() as bank, one_change(bank, f"edit rm {bank.clip(clip_id).name}") as written:
            gone = remove_edits(bank, clip_id, position or None)
        return Answer({"layers": [layer.as_json() for layer in gone], "change": written.change})

    return router


def _words(studio: Studio, bank: Bank, body: EditBody) -> dict[str, Any]:
    """The keywords of `apply_edit`; an operation is one by name, never a file."""
    operation_called(body.operation)
    to: list[Any] = [one.of(bank) for one in body.to.segments]
    to += [f"label:{label}" for label in body.to.labels]
    if body.to.selection is not None:
        ranks = "" if body.to.ranks is None else f":{','.join(map(str, body.to.ranks))}"
        to.append(f"@{bank.selection(body.to.selection).name}{ranks}")
    if body.to.result is not None:
        last = len(studio.result(body.to.result).result.matches)
        wanted = range(1, last + 1) if body.to.ranks is None else body.to.ranks
        to += [studio.match(body.to.result, rank) for rank in wanted]
    search = None if body.to.search is None else keywords_of(bank, "exact", body.to.search)
    return {
        "segment": body.segment.of(bank),
        "operation": body.operation,
        "parameters": {name: _parameter(bank, value) for name, value in body.parameters.items()},
        "to": to,
        "search": search,
        "itself": body.itself,
        "drop": body.drop,
        "overlaps": body.overlaps,
        **body.options.model_dump(exclude_unset=True),
    }


def _parameter(bank: Bank, value: Any) -> Any:
    """A parameter as it is; a segment as text, as operations take other motions."""
    if not isinstance(value, dict) or "clip_id" not in value:
        return value
    try:
        segment = SegmentBody.model_validate(value).of(bank)
    except ValueError:
        raise UsageError("a segment is {clip_id, start, stop}") from None
    return f"#{segment.clip_id}:{segment.start}-{segment.stop}"


def _rows(report: EditReport) -> dict[str, Any]:
    edits = [{("clip_id" if name == "id" else name): value for name, value in row.items()} for row in report.rows]
    return {
        "edits": edits,
        "left_alone": report.left_alone,
        "new_clips": report.new_clips,
        "change": report.change_id,
    }
