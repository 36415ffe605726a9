"""Motions of a bank as edits see them: clips, what lies below a layer, other motions and pose spaces."""

from collections.abc import Mapping
from typing import Any

from motionary.bank import Bank, Clip
from motionary.edit.operation import Operation
from motionary.edit.subject import Space, Subject
from motionary.errors import BankError, MappingError, NotInBankError, UsageError
from motionary.library import performance
from motionary.motion import Segment
from motionary.plants import Plant, detect_plants
from motionary.rig import body_of
from motionary.search import PoseSpace


def subject_of_clip(bank: Bank, clip: Clip) -> Subject:
    performed = performance(bank, clip)
    if not performed.has_body:
        return Subject(performed.motion, None, performed.kept_plants)
    return Subject(performed.motion, performed.body, performed.clip_plants)


def subject_below(bank: Bank, clip: Clip, position: int) -> Subject:
    """What a layer was put on."""
    row = bank.edit_rows(clip)[position - 1]
    motion = bank.stored_recording(row.below_id).motion()
    try:
        body = body_of(motion.skeleton, body_map=bank.body_map(clip), motion=motion)
    except MappingError:
        body = None
    kept = row.content.get("plants")
    if kept is None:
        return Subject(motion, body, () if body is None else detect_plants(motion, body).plants)
    return Subject(motion, body, tuple(_plant(one) for one in kept))


def sources_of(bank: Bank, operation: Operation) -> tuple[dict[str, Subject], dict[str, Any]]:
    """The other motions that an operation takes something from, and what tells them again later."""
    sources: dict[str, Subject] = {}
    pinned: dict[str, Any] = {}
    for name in operation.source_names:
        if not name:
            raise UsageError(f"{operation.name} needs another motion: source=CLIP:START-STOP")
        segment = bank.segment_of(name)
        clip = bank.clip(segment.clip_id)
        sources[name] = subject_of_clip(bank, clip).slice(segment.start, segment.stop)
        plants = [plant.as_json() for plant in sources[name].plants]
        pinned[name] = {
            "clip_id": clip.id,
            "recording_id": clip.recording_id,
            "start": segment.start,
            "stop": segment.stop,
            "plants": plants,
            "made_of": bank.edited_with(clip),
        }
    return sources, pinned


def pinned_segment(clip: Clip, segment: Segment) -> dict[str, int]:
    """What tells a segment of a clip as it is now again later, whatever becomes of the clip."""
    return {"clip_id": clip.id, "recording_id": clip.recording_id, "start": segment.start, "stop": segment.stop}


def example_of(bank: Bank, pinned: Mapping[str, int]) -> Subject | None:
    """The example of a recipe as it was; None if it was purged."""
    try:
        return pinned_source(bank, {**pinned, "plants": []})
    except BankError:  # the recording is not there any more
        return None


def pinned_source(bank: Bank, source: Mapping[str, Any]) -> Subject:
    motion = bank.stored_recording(source["recording_id"]).motion().slice(source["start"], source["stop"])
    try:
        body = body_of(motion.skeleton, body_map=bank.body_map(source["clip_id"]), motion=motion)
    except (MappingError, NotInBankError):
        return Subject(motion)
    return Subject(motion, body, tuple(_plant(plant) for plant in source["plants"]))


def spaces_of(bank: Bank, operation: Operation) -> dict[str, Space]:
    return {name: PoseSpace.from_json(bank.space(name)["space"]) for name in operation.space_names}


def _plant(content: Mapping[str, Any]) -> Plant:
    x, y, z = content["place"]
    return Plant(content["foot"], content["part"], content["start"], content["stop"], (x, y, z), content["origin"])
