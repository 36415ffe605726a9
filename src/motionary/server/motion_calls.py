"""Calls for motions and posters, as places of nodes."""

from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import Field

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.motion import Segment
from motionary.picture import NodeMotion, nodes_of
from motionary.server.answering import Binary
from motionary.server.clip_calls import LARGEST_ID, ClipId
from motionary.server.segments import SegmentBody, Strict
from motionary.server.studio import Studio
from motionary.server.wire import packed

MOST_FRAMES = 256  # of a chunk of one clip
MOST_MOTIONS = 200
MOST_SENT = 24_000  # frames of all motions of one answer
POSTER = (0.15, 0.5, 0.85)  # shares of a clip's length at which a poster shows it
MOST_POSTERS = 200
BINARY: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}
}
Rate = Annotated[float, Field(ge=0.1, le=1_000, allow_inf_nan=False)]


class MotionsBody(Strict):
    """Which motions are wanted."""

    segments: Annotated[list[SegmentBody], Field(max_length=MOST_MOTIONS)]
    hz: Rate = 30.0


def motion_calls(studio: Studio) -> APIRouter:
    """The calls."""
    router = APIRouter(tags=["motions"])

    @router.get("/clips/{clip_id}/motion", response_class=Binary, responses=BINARY)
    def motion(
        clip_id: ClipId,
        start: Annotated[int, Query(ge=0, le=LARGEST_ID)] = 0,
        stop: Annotated[int | None, Query(ge=1, le=LARGEST_ID)] = None,
        hz: Annotated[float | None, Query(ge=0.1, le=1_000, allow_inf_nan=False)] = None,
    ) -> Response:
        """Frames [start, stop) of a clip, at its own rate or at a lower one; at most 256 frames are sent."""
        with studio.bank() as bank:
            clip = bank.clip(clip_id)
            segment = SegmentBody(clip_id=clip_id, start=start, stop=stop or clip.n_frames).of(bank)
            rate = min(hz or clip.rate_hz, clip.rate_hz)
            most = int(MOST_FRAMES * clip.rate_hz / rate)
            segment = Segment(clip_id, segment.start, min(segment.stop, segment.start + most))
            return Binary(packed(_nodes(studio, bank, segment, rate, mirrored=False)))

    @router.post("/motions", response_class=Binary, responses=BINARY)
    def motions(body: MotionsBody) -> Response:
        """Several segments, one after the other, each with its header."""
        with studio.bank() as bank:
            segments = [one.of(bank) for one in body.segments]
            rates = [min(body.hz, bank.clip(one.clip_id).rate_hz) for one in segments]
            n_frames = sum(
                one.n_frames * bank.clip(one.clip_id).frame_time * rate
                for one, rate in zip(segments, rates, strict=True)
            )
            if n_frames > MOST_SENT:
                raise UsageError(f"{n_frames:.0f} frames are too many for one answer; ask for {MOST_SENT:,} at most")
            sent = [
                packed(_nodes(studio, bank, segment, rate, mirrored=one.mirrored))
                for one, segment, rate in zip(body.segments, segments, rates, strict=True)
            ]
        return Binary(b"".join(sent))

    @router.get("/posters", response_class=Binary, responses=BINARY)
    def posters(ids: Annotated[str, Query(max_length=4_000, pattern=r"^[0-9]{1,18}(,[0-9]{1,18})*$")]) -> Response:
        """Three poses of each clip, in the order of `ids` (1,2,3); nothing of a clip that is not there: its header says
        0 frames."""
        wanted = [int(number) for number in ids.split(",")]
        if len(wanted) > MOST_POSTERS:
            raise UsageError(f"{len(wanted)} posters are too many for one answer; ask for {MOST_POSTERS} at most")
        with studio.bank() as bank:
            return Binary(b"".join(_poster(studio, bank, clip_id) for clip_id in wanted))

    return router


def _nodes(studio: Studio, bank: Bank, segment: Segment, rate_hz: float, *, mirrored: bool) -> NodeMotion:
    _, mannequin = studio.figures.of_clip(bank, bank.clip(segment.clip_id))
    return nodes_of(bank.motion(segment), mannequin=mannequin, rate_hz=rate_hz, mirrored=mirrored)


def _poster(studio: Studio, bank: Bank, clip_id: int) -> bytes:
    clips = bank.with_ids([clip_id])
    if not clips:
        return packed(NodeMotion(None, np.zeros((0, 0, 3)), 1.0))  # type: ignore[arg-type]
    clip = clips[0]

    def made() -> bytes:
        _, mannequin = studio.figures.of_clip(bank, clip)
        motion = bank.motion(clip.segment)
        frames = [min(int(share * motion.n_frames), motion.n_frames - 1) for share in POSTER]
        poses = [nodes_of(motion.slice(frame, frame + 1), mannequin=mannequin).nodes for frame in frames]
        return packed(NodeMotion(mannequin, np.concatenate(poses), 1.0))

    return studio.posters.get((clip.id, clip.recording_id, studio.figures.keys(bank)(clip)), made)
