"""Calls about the bank and its clips."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from pydantic import BaseModel, ConfigDict

from motionary.bank import Clip
from motionary.errors import NotInBankError
from motionary.server.answering import Answer
from motionary.server.studio import Studio

LARGEST_ID = 2**63 - 1
MOST_LISTED = 1_000
ClipId = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Sort = Literal["id", "name", "length", "newest"]


class Open(BaseModel):
    """An answer; fields that are not named here may be added."""

    model_config = ConfigDict(extra="allow")


class LabelCount(Open):
    label: str
    clips: int
    segments: int


class BankAnswer(Open):
    name: str
    read_only: bool
    clips: int
    frames: int
    seconds: float
    labels: list[LabelCount]
    change: int


class ListedClip(Open):
    id: int
    clip: str
    frames: int
    frame_time: float
    seconds: float
    labels: list[str]
    description: str
    mannequin: str


class ClipList(Open):
    total: int
    clips: list[ListedClip]


class ClipLabel(Open):
    label: str
    start: int | None
    stop: int | None
    strength: float
    origin: str


class PlantAnswer(Open):
    foot: Literal["left", "right"]
    part: Literal["heel", "toe"]
    start: int
    stop: int
    place: list[float]
    origin: str


class ClipAnswer(Open):
    id: int
    clip: str
    frames: int
    frame_time: float
    seconds: float
    description: str
    mannequin: str
    labels: list[ClipLabel]
    plants: list[PlantAnswer]
    plants_origin: str | None
    edits: int
    mapped: bool
    mean_speed: float


class Lanes(Open):
    buckets: int
    frames: int
    speed: list[float | None]
    score: list[float | None]
    contacts: dict[str, list[float]]


class Capsule(Open):
    nodes: list[int]
    radii: list[float]
    limb: int
    side: Literal["left", "right", "middle"]


class Node(Open):
    name: str
    parent: int
    radius: float
    limb: int
    side: Literal["left", "right", "middle"]


class Head(Open):
    joint: int
    tip: int | None
    neck: int
    half_length: float
    half_width: float


class MannequinAnswer(Open):
    size: float
    centre: int
    nodes: list[Node]
    capsules: list[Capsule]
    head: Head | None


def clip_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["clips"])

    @router.get("/bank", response_model=BankAnswer)
    def bank() -> Response:
        """The bank as a whole."""
        with studio.bank() as bank:
            clips = studio.clips(bank, "", ())
            return Answer(
                {
                    "name": studio.name,
                    "read_only": bank.read_only,
                    "clips": len(clips),
                    "frames": sum(clip.n_frames for clip in clips),
                    "seconds": round(sum(clip.duration_secs for clip in clips), 3),
                    "labels": [
                        {"label": name, "clips": n_clips, "segments": n_segments}
                        for name, n_clips, n_segments in bank.label_counts()
                    ],
                    "change": bank.newest_change,
                }
            )

    @router.get("/clips", response_model=ClipList)
    def clips(
        words: Annotated[str, Query(max_length=1_000)] = "",
        label: Annotated[list[str], Query(max_length=50)] = [],  # noqa: B006
        ids: Annotated[str | None, Query(max_length=8_000, pattern=r"^[0-9]{1,18}(,[0-9]{1,18})*$")] = None,
        sort: Sort = "id",
        offset: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
        limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = 200,
    ) -> Response:
        """A page of the clips that have these words and labels, or of those with these numbers (1,2,3)."""
        with studio.bank() as bank:
            found = _sorted(studio.clips(bank, words, tuple(label)), sort)
            if ids is not None:
                wanted = set(map(int, ids.split(",")))
                found = [clip for clip in found if clip.id in wanted]
            key = studio.figures.keys(bank)
            listed = [_listed(clip, key(clip)) for clip in found[offset : offset + limit]]
        return Answer({"total": len(found), "clips": listed})

    @router.get("/clips/{clip_id}", response_model=ClipAnswer)
    def clip(clip_id: ClipId) -> Response:
        """All that is known of one clip."""
        from motionary.facts import describe
        from motionary.library import performance

        with studio.bank() as bank:
            found = bank.clip(clip_id)
            acted = performance(bank, found)
            can_stand = acted.has_body or acted.plants_origin is not None
            facts = describe(bank, clip_id).as_json() | {
                "mannequin": studio.figures.keys(bank)(found),
                "plants": [plant.as_json() for plant in (acted.clip_plants if can_stand else ())],
                "plants_origin": acted.plants_origin,
                "edits": len(bank.edit_rows(found)),
            }
        return Answer(facts)

    @router.get("/clips/{clip_id}/lanes", response_model=Lanes)
    def lanes(clip_id: ClipId, buckets: Annotated[int, Query(ge=1, le=8_192)] = 1_000) -> Response:
        """What the timeline shows of a clip: of each bucket of frames the largest speed (m/s), the worst of the
        score (cm), and the share of contact."""
        from motionary.facts import lanes_of

        with studio.bank() as bank:
            return Answer(lanes_of(bank, clip_id, n_buckets=buckets).as_json())

    @router.get("/mannequins/{key}", response_model=MannequinAnswer)
    def mannequin(key: Annotated[str, Path(max_length=64)]) -> Response:
        """What draws a mannequin."""
        with studio.bank() as bank:
            found = studio.figures.json(bank, key)
        if found is None:
            raise NotInBankError(f"there is no mannequin {key!r}; ask for the motion again")
        return Answer(found)

    return router


def _sorted(clips: list[Clip], sort: Sort) -> list[Clip]:
    if sort == "name":
        return sorted(clips, key=lambda clip: (clip.name.lower(), clip.id))
    if sort == "length":
        return sorted(clips, key=lambda clip: (-clip.duration_secs, clip.id))
    return clips[::-1] if sort == "newest" else clips


def _listed(clip: Clip, mannequin: str) -> dict[str, Any]:
    return {
        "id": clip.id,
        "clip": clip.name,
        "frames": clip.n_frames,
        "frame_time": clip.frame_time,
        "seconds": round(clip.duration_secs, 3),
        "labels": clip.labels,
        "description": clip.description,
        "mannequin": mannequin,
    }
