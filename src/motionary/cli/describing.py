"""What `info` shows."""

import shutil
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.bank import Bank, Clip, Label, derived_array
from motionary.cli.charts import curve_chart, interval_chart, lane_chart, time_axis
from motionary.cli.output import rate, seconds
from motionary.errors import MappingError
from motionary.motion import Motion, unit_name
from motionary.plants import FEET, detect_plants
from motionary.rig import map_skeleton

CURVES_VERSION = 2


@dataclass(frozen=True, eq=False)
class ClipFacts:
    """A clip, its labels, and its curves over time."""

    clip: Clip
    labels: list[Label]
    unit: str
    up: str
    mapped: str  # "" if the skeleton maps onto the reference skeleton, else why not
    speed: np.ndarray  # (F,) m/s
    contacts: np.ndarray  # (F, 2) left, right; empty if the skeleton cannot be mapped
    n_plants: int

    def as_json(self) -> dict[str, Any]:
        return self.clip.as_json() | {
            "labels": [label.as_json() for label in self.labels],
            "unit": self.unit,
            "up": self.up,
            "mapped": not self.mapped,
            "mean_speed": round(float(self.speed.mean()), 4),
            "contact_share": {
                foot: round(float(on.mean()), 4) for foot, on in zip(FEET, self.contacts.T, strict=False)
            },
            "plants": self.n_plants,
        }

    def as_text(self) -> str:
        clip = self.clip
        lines = [
            f"{clip.name}  (#{clip.id})",
            f"  {clip.n_frames} frames at {rate(clip.frame_time)} Hz, {seconds(clip.duration_secs)}; "
            f"{clip.n_joints} joints, skeleton {clip.skeleton_id}",
            f"  {'maps onto the reference skeleton' if not self.mapped else f'own skeleton: {self.mapped}'}",
            f"  in the file: {self.unit}, {self.up} up",
        ]
        for name in ("description", "source", "licence", "credit"):
            if value := getattr(clip, name):
                lines.append(f"  {name}: {value}")
        if self.n_plants:
            lines.append(f"  {self.n_plants} foot plants stored")
        lines += [f"  warning: {note}" for note in clip.notes]
        whole = [label.name for label in self.labels if label.is_whole_clip]
        if whole:
            lines.append(f"  labels: {', '.join(whole)}")
        return "\n".join([*lines, "", *self._charts()])

    def _charts(self) -> list[str]:
        width = min(max(shutil.get_terminal_size().columns - 16, 20), 100)
        width = min(width, self.clip.n_frames)
        lines = ["      speed of the joints, on average"]
        lines += curve_chart(self.speed, width=width, height=3, unit="m/s")
        if self.contacts.size:
            lines += [
                lane_chart(f"{foot} foot", on, width=width) for foot, on in zip(FEET, self.contacts.T, strict=True)
            ]
        by_name: dict[str, list[tuple[int, int]]] = {}
        for label in self.labels:
            if label.start is not None and label.stop is not None:
                by_name.setdefault(label.name, []).append((label.start, label.stop))
        for name, intervals in by_name.items():
            lines.append(interval_chart(name[:11], intervals, self.clip.n_frames, width=width))
        return lines + time_axis(self.clip.duration_secs, width=width)


@dataclass(frozen=True, slots=True)
class BankFacts:
    """A bank as a whole."""

    path: str
    n_bytes: int
    n_clips: int
    n_frames: int
    duration_secs: float
    n_skeletons: int
    rates: tuple[str, ...]
    labels: tuple[tuple[str, int, int], ...]

    def as_json(self) -> dict[str, Any]:
        return {
            "bank": self.path,
            "bytes": self.n_bytes,
            "clips": self.n_clips,
            "frames": self.n_frames,
            "seconds": round(self.duration_secs, 3),
            "skeletons": self.n_skeletons,
            "rates_hz": list(self.rates),
            "labels": {name: {"clips": n_clips, "segments": n_segments} for name, n_clips, n_segments in self.labels},
        }

    def as_text(self) -> str:
        return "\n".join(
            [
                f"{self.path}: {self.n_clips} clips, {self.n_frames:,} frames, {seconds(self.duration_secs)}, "
                f"{self.n_bytes / 1e6:.1f} MB",
                f"  {self.n_skeletons} skeletons; {', '.join(self.rates) or 'no'} Hz",
                f"  {len(self.labels)} labels: {', '.join(name for name, _, _ in self.labels) or 'none yet'}",
            ]
        )


def clip_facts(bank: Bank, name: str) -> ClipFacts:
    """Everything about one clip."""
    clip = bank.clip(name)
    recording = bank.recording(clip.id)
    motion = recording.motion()
    mapped = ""
    try:
        map_skeleton(motion.skeleton)
    except MappingError as error:
        mapped = str(error)
    curves = derived_array(
        bank, clip, kind="curves", version=CURVES_VERSION, build=lambda: _curves(motion, mapped=not mapped)
    )
    return ClipFacts(
        clip,
        bank.labels(clip),
        unit_name(recording.space.unit_metres),
        recording.space.up,
        mapped,
        curves[:, 0],
        curves[:, 1:],
        len(bank.plants(clip)),
    )


def bank_facts(bank: Bank) -> BankFacts:
    """Everything about the bank as a whole."""
    clips = bank.clips()
    return BankFacts(
        str(bank.path),
        bank.path.stat().st_size,
        len(clips),
        sum(clip.n_frames for clip in clips),
        sum(clip.duration_secs for clip in clips),
        len({clip.skeleton_id for clip in clips}),
        tuple(sorted({rate(clip.frame_time) for clip in clips}, key=float)),
        tuple(bank.label_counts()),
    )


def _curves(motion: Motion, *, mapped: bool) -> np.ndarray:
    """Mean joint speed and, for bodies, the contacts of both feet: (F, 1 or 3) float32."""
    positions = motion.positions_world
    speed = np.zeros(motion.n_frames)
    if motion.n_frames > 1:
        steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1).mean(axis=-1) / motion.frame_time
        speed[1:-1], speed[0], speed[-1] = 0.5 * (steps[1:] + steps[:-1]), steps[0], steps[-1]
    columns = [speed, *(detect_plants(motion).foot_contacts.T if mapped else ())]
    return np.stack(columns, axis=1).astype(np.float32)
