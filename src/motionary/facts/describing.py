"""Clips and banks described: what they hold, how they move, when their feet stand."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from motionary.artefacts import ArtefactStore, Content, Job, Kind, rebuilding
from motionary.bank import Bank, Clip, Label
from motionary.facts.speed import mean_joint_speed
from motionary.motion import Motion, Recording, empty_frames, unit_name
from motionary.plants import FEET
from motionary.rig import Body, BodyMap, guess_space

CURVES = Kind("curves", version=6, title="the curves of a clip")
SPACE_FACTS = ("unit", "up", "handedness")


@dataclass(frozen=True, eq=False, repr=False)
class ClipFacts:
    """A clip, its labels, and its curves over time."""

    clip: Clip
    labels: tuple[Label, ...]
    unit: str  # of lengths in the file it came from
    up: str  # the axis that is up there
    handedness: str  # of the axes there
    space_sure: dict[str, bool]  # whether the body leaves no doubt about `unit`, `up` and `handedness`
    space_reasons: dict[str, str]  # what the body says about them; empty where the file itself says it
    unmapped: str  # "" if the skeleton maps onto the reference skeleton, else why not
    speed: np.ndarray  # (F,) m/s, the joints' mean; NaN in an artificial T-pose and in all-zero frames
    contacts: np.ndarray  # (F, 2) whether the left and the right foot stand; (F, 0) without feet
    n_plants: int  # stored in the bank

    def __repr__(self) -> str:
        labels = f", {len(self.labels)} labels" if self.labels else ""
        return f"ClipFacts({self.clip.name}, {self.clip.n_frames} frames, {self.mean_speed:.2f} m/s{labels})"

    @property
    def mean_speed(self) -> float:
        """Over all frames that have a speed, in m/s."""
        known = self.speed[np.isfinite(self.speed)]
        return float(known.mean()) if len(known) else 0.0

    def as_json(self) -> dict[str, Any]:
        return self.clip.as_json() | {
            "labels": [label.as_json() for label in self.labels],
            "unit": self.unit,
            "up": self.up,
            "handedness": self.handedness,
            "space_sure": self.space_sure,
            "space_reasons": self.space_reasons,
            "mapped": not self.unmapped,
            "mean_speed": round(self.mean_speed, 4),
            "contact_share": {
                foot: round(float(on.mean()), 4) for foot, on in zip(FEET, self.contacts.T, strict=False)
            },
            "plants": self.n_plants,
        }


@dataclass(frozen=True, slots=True)
class BankFacts:
    """A bank as a whole."""

    path: str
    n_bytes: int
    n_clips: int
    n_frames: int
    duration_secs: float
    n_skeletons: int
    rates_hz: tuple[float, ...]  # as people know them: 29.97, 120
    labels: tuple[tuple[str, int, int], ...]  # name, number of clips, number of labelled segments

    def as_json(self) -> dict[str, Any]:
        return {
            "bank": self.path,
            "bytes": self.n_bytes,
            "clips": self.n_clips,
            "frames": self.n_frames,
            "seconds": round(self.duration_secs, 3),
            "skeletons": self.n_skeletons,
            "rates_hz": list(self.rates_hz),
            "labels": {name: {"clips": n_clips, "segments": n_segments} for name, n_clips, n_segments in self.labels},
        }


@overload
def describe(bank: Bank, clip: None = None) -> BankFacts: ...
@overload
def describe(bank: Bank, clip: Clip | str | int) -> ClipFacts: ...
def describe(bank: Bank, clip: Clip | str | int | None = None) -> ClipFacts | BankFacts:
    """Everything about one clip, or about the bank as a whole."""
    return _bank_facts(bank) if clip is None else _clip_facts(bank, bank.clip(clip))


def _clip_facts(bank: Bank, clip: Clip) -> ClipFacts:
    from motionary.library import performance  # here: facts about a bank need no kernels

    acted = performance(bank, clip)
    motion, recording = acted.motion, bank.recording(clip.id)
    body = acted.body if acted.has_body else None
    inputs = [bank.frames_digest(clip).hex(), _digest(body.body_map if body else None)]
    job = Job(CURVES, f"clip-{clip.id}", inputs, lambda: Content({"curves": _curves(motion, body)}))
    curves = rebuilding(lambda: ArtefactStore.of(bank).get(job).array("curves"))
    return ClipFacts(
        clip,
        tuple(bank.labels(clip)),
        unit_name(recording.space.unit_metres),
        recording.space.up,
        recording.space.handedness,
        *_space_evidence(clip, recording),
        "" if acted.has_body else str(acted.body_or_why),
        curves[:, 0],
        curves[:, 1:] > 0.5 if acted.plants_origin is None else acted.foot_contacts,
        len(acted.kept_plants),
    )


def _space_evidence(clip: Clip, recording: Recording) -> tuple[dict[str, bool], dict[str, str]]:
    """Whether unit and axes are sure, and why: guessed again, so that it holds for what somebody has set, too."""
    if clip.format == "amc":
        return dict.fromkeys(SPACE_FACTS, True), {}
    guess, space = guess_space(recording), recording.space
    sure = {
        "unit": guess.unit.sure and abs(guess.unit.value / space.unit_metres - 1.0) < 1e-3,
        "up": guess.up.sure and guess.up.value == space.up,
        "handedness": guess.handedness.sure and guess.handedness.value == space.handedness,
    }
    return sure, dict(zip(SPACE_FACTS, guess.reasons, strict=True))


def _bank_facts(bank: Bank) -> BankFacts:
    clips = bank.clips()
    return BankFacts(
        str(bank.path),
        bank.path.stat().st_size,
        len(clips),
        sum(clip.n_frames for clip in clips),
        sum(clip.duration_secs for clip in clips),
        len({clip.skeleton_id for clip in clips}),
        tuple(sorted({float(f"{1.0 / clip.frame_time:.5g}") for clip in clips})),
        tuple(bank.label_counts()),
    )


def _digest(body_map: BodyMap | None) -> str:
    """What names a map: contacts found by another map have another name."""
    content = None if body_map is None else [body_map.joints, body_map.spine, body_map.neck]
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=6).hexdigest()


def _curves(motion: Motion, body: Body | None) -> np.ndarray:
    """Mean joint speed and, for bodies, the contacts of both feet: (F, 1 or 3) float32."""
    from motionary.plants import detect_plants

    columns = [
        mean_joint_speed(motion, empty=empty_frames(motion)),
        *(detect_plants(motion, body).foot_contacts.T if body else ()),
    ]
    return np.stack(columns, axis=1).astype(np.float32)
