"""Calls about labels: what there are, putting them on and off, and reviewing those that were spread."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.motion import Segment
from motionary.server.answering import Answer
from motionary.server.changing import one_change
from motionary.server.clip_calls import LARGEST_ID, LabelCount, Open
from motionary.server.segments import SegmentBody, Strict, segments_of
from motionary.server.studio import Studio

MOST = 10_000
Name = Annotated[str, Field(min_length=1, max_length=200)]
Segments = Annotated[list[SegmentBody], Field(max_length=MOST)]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
Share = Annotated[float, Field(ge=0, le=1)]


class LabelBody(Strict):
    """Labels, and the segments and whole clips that they are put on or taken off."""

    labels: Annotated[list[Name], Field(max_length=100)]
    segments: Segments = []
    clips: Annotated[list[Id], Field(max_length=MOST)] = []


class SpreadBody(Strict):
    """Which spread labels are meant: at least one way to choose must be given, or `everything`."""

    labels: Annotated[list[Name], Field(max_length=100)] = []
    segments: Segments | None = None
    at_least: Share = 0.0
    below: Share | None = None
    everything: bool = False


class LabelList(Open):
    labels: list[LabelCount]


class LabelledSegmentAnswer(Open):
    clip_id: int
    clip: str
    start: int
    stop: int


class LabelledList(Open):
    segments: list[LabelledSegmentAnswer]


class LabelChange(Open):
    number: int
    change: int | None


class SpreadLabelAnswer(Open):
    clip_id: int
    clip: str
    start: int
    stop: int
    label: str
    strength: float
    example: str


class SpreadList(Open):
    total: int
    labels: list[SpreadLabelAnswer]


def label_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(prefix="/labels", tags=["labels"])

    @router.get("", response_model=LabelList)
    def labels() -> Response:
        """All labels, with the numbers of their clips and segments."""
        with studio.bank() as bank:
            counts = bank.label_counts()
        return Answer({"labels": [{"label": name, "clips": c, "segments": s} for name, c, s in counts]})

    @router.get("/segments", response_model=LabelledList)
    def labelled(
        label: Annotated[str, Query(min_length=1, max_length=200)],
        strength: Annotated[float, Query(ge=0, le=1)] = 0.0,
    ) -> Response:
        """The segments that carry a label."""
        with studio.bank() as bank:
            found = bank.labelled(label, strength=strength)
            names = bank.clip_names(one.clip_id for one in found)
        return Answer({"segments": [_place(one) | {"clip": names[one.clip_id]} for one in found]})

    @router.post("", response_model=LabelChange)
    def put_on(body: LabelBody) -> Response:
        """Put labels on segments and whole clips; `number` says how many were new."""
        with studio.bank() as bank:
            wanted, names = _wanted(bank, body)
            with one_change(bank, f"label {_some(names)}: {', '.join(body.labels)}") as written:
                number = bank.label(wanted, body.labels)
        return Answer({"number": number, "change": written.change})

    @router.post("/remove", response_model=LabelChange)
    def take_off(body: LabelBody) -> Response:
        """Take labels off segments (those that lie within) and off clips (with those of their segments)."""
        with studio.bank() as bank:
            wanted, names = _wanted(bank, body)
            with one_change(bank, f"unlabel {_some(names)}: {', '.join(body.labels) or 'all'}") as written:
                number = bank.unlabel(wanted, body.labels)
        return Answer({"number": number, "change": written.change})

    @router.get("/review", response_model=SpreadList)
    def review(
        label: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006
        offset: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
        limit: Annotated[int, Query(ge=1, le=1_000)] = 200,
    ) -> Response:
        """Spread labels that nobody has accepted yet, the most doubtful first."""
        with studio.bank() as bank:
            found = bank.unreviewed_labels(labels=label)
        found.sort(key=lambda one: (one.strength, one.segment))
        listed = [one.as_json() | _place(one.segment) for one in found[offset : offset + limit]]
        return Answer({"total": len(found), "labels": listed})

    @router.post("/accept", response_model=LabelChange)
    def accept(body: SpreadBody) -> Response:
        """Accept spread labels: from now on they count as given by hand."""
        return _judge(studio, body, "accept")

    @router.post("/reject", response_model=LabelChange)
    def reject(body: SpreadBody) -> Response:
        """Take spread labels off for good: they are not spread there again."""
        return _judge(studio, body, "reject")

    return router


def _judge(studio: Studio, body: SpreadBody, verdict: str) -> Response:
    chosen = bool(body.segments or body.labels or body.at_least or body.below is not None)
    if chosen == body.everything:
        raise UsageError("choose labels by segments, labels, at_least or below; or say everything without these")
    with studio.bank() as bank:
        words: dict[str, Any] = {
            "segments": None if body.segments is None else segments_of(bank, body.segments),
            "labels": body.labels,
            "at_least": body.at_least,
            "below": float("inf") if body.below is None else body.below,
        }
        with one_change(bank, f"{verdict} spread labels") as written:
            number = bank.accept_labels(**words) if verdict == "accept" else bank.reject_labels(**words)
    return Answer({"number": number, "change": written.change})


def _wanted(bank: Bank, body: LabelBody) -> tuple[list[Segment | str], list[str]]:
    """What is labelled, and how the log calls it."""
    segments: list[Segment | str] = list(segments_of(bank, body.segments))
    whole = [f"#{bank.clip(clip_id).id}" for clip_id in body.clips]
    if not segments and not whole:
        raise UsageError("name segments or clips")
    names = [bank.segment_name(one) for one in segments if isinstance(one, Segment)]
    return [*segments, *whole], [*names, *(bank.clip(clip_id).name for clip_id in body.clips)]


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _place(segment: Segment) -> dict[str, int]:
    return {"clip_id": segment.clip_id, "start": segment.start, "stop": segment.stop}
