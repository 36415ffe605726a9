"""Motions that calls have made, as answers: JSON and the motion in one, or a clip of the bank."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from motionary.files import json_value
from motionary.motion import Motion
from motionary.picture import nodes_of
from motionary.server.answering import Binary
from motionary.server.studio import Studio
from motionary.server.wire import framed

Hz = Annotated[float, Field(ge=0.1, le=1_000, allow_inf_nan=False)]
ClipName = Annotated[str, Field(min_length=1, max_length=500)]
FRAMED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The length of the JSON that follows (uint32), the JSON with its facts, then motions",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


def played(studio: Studio, facts: Mapping[str, Any], motions: Sequence[Motion], *, hz: float) -> Binary:
    """Facts and motions; `mannequins` names what draws each of them."""
    nodes = [nodes_of(motion, rate_hz=hz) for motion in motions]
    mannequins = [studio.figures.of_made(one.mannequin) for one in nodes]
    return Binary(framed(json_value({**facts, "mannequins": mannequins}), nodes))
