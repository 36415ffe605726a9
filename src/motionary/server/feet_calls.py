"""Calls about feet: plants by hand, and clean-up with a preview."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import Field

from motionary.errors import UsageError
from motionary.feet import add_plants, clean_segments, remove_plants, store_plants
from motionary.plants import CleanOptions, Plant
from motionary.server.answering import Answer
from motionary.server.changing import one_change
from motionary.server.clip_calls import LARGEST_ID, ClipId, Open
from motionary.server.playing import FRAMED, Hz, played
from motionary.server.segments import SegmentBody, Strict, segments_of
from motionary.server.studio import Studio

Foot = Literal["left", "right"]
Part = Literal["heel", "toe"]
Segments = Annotated[list[SegmentBody], Field(min_length=1, max_length=1_000)]
Metres = Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]
Frame = Annotated[int, Field(ge=0, le=LARGEST_ID)]


class AddPlantsBody(Strict):
    """Where a foot stands."""

    segments: Segments
    foot: Foot
    parts: list[Part] = ["heel", "toe"]
    place: tuple[Metres, Metres, Metres] | None = None


class RemovePlantsBody(Strict):
    """Where feet do not stand."""

    segments: Segments
    feet: list[Foot] = ["left", "right"]
    parts: list[Part] = ["heel", "toe"]


class PlantBody(Strict):
    """One plant of a clip; without a place, where the foot is on average."""

    foot: Foot
    part: Part
    start: Frame
    stop: Frame
    place: tuple[Metres, Metres, Metres]


class PlantsBody(Strict):
    """All plants of a clip."""

    plants: Annotated[list[PlantBody], Field(max_length=100_000)]


class CleanBody(Strict):
    """Segments whose feet are held."""

    segments: Segments
    preview: bool = True
    reach: Annotated[float, Field(ge=0.01, le=1.0)] = 0.30
    fade_secs: Annotated[float, Field(ge=0.02, le=5.0)] = 0.45
    hold_all: bool = False
    hz: Hz = 30.0


class PlantChange(Open):
    number: int
    change: int | None


class CleanAnswer(Open):
    segments: list[dict[str, Any]]
    change: int | None


def feet_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["feet"])

    @router.post("/plants", response_model=PlantChange)
    def add(body: AddPlantsBody) -> Response:
        """Say that a foot stands in segments; overlapping plants are trimmed."""
        with studio.bank() as bank, one_change(bank, f"plants add {body.foot}") as written:
            added = add_plants(
                bank, segments_of(bank, body.segments), foot=body.foot, parts=body.parts, place=body.place
            )
        return Answer({"number": len(added), "change": written.change})

    @router.post("/plants/remove", response_model=PlantChange)
    def remove(body: RemovePlantsBody) -> Response:
        """Say that feet do not stand in segments; plants are trimmed."""
        with studio.bank() as bank, one_change(bank, "plants rm") as written:
            n_touched = remove_plants(bank, segments_of(bank, body.segments), feet=body.feet, parts=body.parts)
        return Answer({"number": n_touched, "change": written.change})

    @router.post("/clips/{clip_id}/plants", response_model=PlantChange)
    def put(clip_id: ClipId, body: PlantsBody) -> Response:
        """All plants of a clip, in place of those that it had: what dragging on the timeline ends with."""
        with studio.bank() as bank:
            clip = bank.clip(clip_id)
            plants = []
            for one in body.plants:
                if not one.start < one.stop <= clip.n_frames:
                    raise UsageError(f"a plant on frames {one.start}-{one.stop}: {clip.name} has 0-{clip.n_frames}")
                plants.append(Plant(one.foot, one.part, one.start, one.stop, one.place))
            with one_change(bank, f"plants {clip.name}") as written:
                bank.set_plants(clip_id, plants)
        return Answer({"number": len(plants), "change": written.change})

    @router.post("/clips/{clip_id}/plants/detect", response_model=PlantChange)
    def detect(clip_id: ClipId) -> Response:
        """Detect the plants of a clip and keep them; those set by hand stay."""
        with studio.bank() as bank, one_change(bank, f"plants detect {bank.clip(clip_id).name}") as written:
            found = store_plants(bank, [clip_id])
        return Answer({"number": found[0].n_plants, "change": written.change})

    @router.post("/clean", response_model=CleanAnswer, responses=FRAMED)
    def clean(body: CleanBody) -> Response:
        """Hold planted feet. A preview answers with facts and motions: of each segment before and after."""
        options = CleanOptions(reach=body.reach, fade_secs=body.fade_secs)
        with studio.bank() as bank:
            segments = segments_of(bank, body.segments)
            if body.preview:
                cleaned = clean_segments(bank, segments, options=options, hold_all=body.hold_all, dry_run=True)
                motions = []
                for one in cleaned:
                    frames = one.segment.start, one.segment.stop
                    motions += [one.before.slice(*frames), one.after.slice(*frames)]
                return played(studio, {"segments": [one.as_json() for one in cleaned]}, motions, hz=body.hz)
            names = ", ".join(map(bank.segment_name, segments[:3]))
            with one_change(bank, f"clean {names}") as written:
                cleaned = clean_segments(bank, segments, options=options, hold_all=body.hold_all)
        return Answer({"segments": [one.as_json() for one in cleaned], "change": written.change})

    return router
