"""Export: clips and segments out of the bank, with their licence and credit."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from motionary.bank.bank import Bank
from motionary.bank.clips import Clip
from motionary.errors import MappingError, UsageError
from motionary.files import write_whole
from motionary.formats import bvh_text, glb_bytes
from motionary.motion import Motion, Recording, Segment, Skeleton, mirror, our_skeleton, recording_of, resample
from motionary.rig import BodyMap, mirror_partners, reference_skeleton, symmetric_pose, transfer

Format = Literal["bvh", "glb"]
MAX_NAME_BYTES = 200  # of the 255 that file systems take


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What happens to a motion on its way out. Without any of it, a BVH comes out as it went in."""

    format: Format = "bvh"
    frame_time: float | None = None  # resampled to this
    onto: str | None = None  # transferred onto "reference" or onto another clip's skeleton
    mirrored: bool = False


@dataclass(frozen=True, slots=True)
class Exported:
    """One file that was written."""

    path: Path
    clip: str
    start: int
    stop: int

    def as_json(self) -> dict[str, Any]:
        return {"file": str(self.path), "clip": self.clip, "start": self.start, "stop": self.stop}


@dataclass(frozen=True, eq=False)
class _Onto:
    """The skeleton that motions are transferred onto, its map and a motion that shows how its limbs bend."""

    skeleton: Skeleton
    body_map: BodyMap | None = None
    motion: Motion | None = None


def export(
    bank: Bank,
    segments: Sequence[str | Segment],
    output: Path | str,
    *,
    options: ExportOptions | None = None,
    overwrite: bool = False,
    dry_run: bool = False,
) -> list[Exported]:
    """Write segments as files: one segment to the file `output`, several into the folder `output`.

    Next to a BVH whose clip has a licence or credit stands a `.credit.json` with them; a GLB carries them inside.
    """
    options, output = options or ExportOptions(), Path(output)
    wanted = [bank.segment(segment) if isinstance(segment, str) else segment for segment in segments]
    onto = None if options.onto is None else _body(bank, options.onto)
    names = _file_names(bank, wanted, output, options.format)
    taken = [file for path in names for file in (path, _credit_path(path)) if file.exists()]
    if taken and not overwrite:
        raise UsageError(f"{taken[0]}: exists already; --overwrite replaces it")
    written = []
    for segment, path in zip(wanted, names, strict=True):
        clip = bank.clip(segment.clip_id)
        if not dry_run:
            write_whole(path, _encoded(bank, clip, segment, onto, options))
            if options.format == "bvh" and (clip.licence or clip.credit):
                credit = json.dumps(_credit(clip, segment), indent=2, ensure_ascii=False)
                write_whole(_credit_path(path), credit.encode())
            else:
                _credit_path(path).unlink(missing_ok=True)  # of what was overwritten
        written.append(Exported(path, clip.name, segment.start, segment.stop))
    return written


def _encoded(bank: Bank, clip: Clip, segment: Segment, onto: _Onto | None, options: ExportOptions) -> bytes:
    recording = bank.recording(segment)
    untouched = onto is None and not options.mirrored and options.frame_time is None
    if options.format == "bvh" and untouched:
        return bvh_text(recording if recording.layout.axes is None else recording_of(recording.motion()))
    motion = recording.motion()
    if options.mirrored:
        motion = mirror(motion, _partners(bank, clip, motion), rest_world=_symmetric_pose(bank, clip, motion))
    if onto is not None:
        motion = transfer(
            motion,
            onto.skeleton,
            source_map=bank.body_map(clip),
            target_map=onto.body_map,
            target_motion=onto.motion,
        )
    if options.frame_time is not None:
        motion = resample(motion, frame_time=options.frame_time)
    if options.format == "glb":
        return glb_bytes(motion, name=clip.name, extras=_credit(clip, segment))
    return bvh_text(_as_recording(motion, recording))


def _as_recording(motion: Motion, source: Recording) -> Recording:
    """The motion in its source's channels and units where it still has its skeleton, else in plain ones."""
    if source.layout.axes is None and motion.skeleton.same_as(our_skeleton(source.skeleton, source.space)):
        return recording_of(motion, like=source)
    return recording_of(motion)


def _partners(bank: Bank, clip: Clip, motion: Motion) -> np.ndarray:
    """Every joint's counterpart on the other side, by the clip's map; by names alone for creatures."""
    try:
        body_map = bank.body_map(clip)
    except MappingError:
        body_map = None
    return mirror_partners(motion.skeleton, body_map=body_map)


def _symmetric_pose(bank: Bank, clip: Clip, motion: Motion) -> np.ndarray | None:
    """The joints' orientations in the T-pose; None for creatures, whose rest pose has to be symmetric itself."""
    try:
        return symmetric_pose(motion.skeleton, body_map=bank.body_map(clip), motion=motion)
    except MappingError:
        return None


def _body(bank: Bank, onto: str) -> _Onto:
    if onto == "reference":
        return _Onto(reference_skeleton())
    clip = bank.clip(onto)
    return _Onto(bank.skeleton(clip), bank.body_map(clip), bank.motion(clip.id))


def _credit(clip: Clip, segment: Segment) -> dict[str, str]:
    facts = {
        "clip": clip.name,
        "frames": f"{segment.start}-{segment.stop}",
        "source": Path(clip.source).name,
        "licence": clip.licence,
        "credit": clip.credit,
    }
    return {key: value for key, value in facts.items() if value}


def _credit_path(path: Path) -> Path:
    return path.with_suffix(".credit.json")


def _file_names(bank: Bank, segments: Sequence[Segment], output: Path, format: Format) -> list[Path]:
    """Where each segment goes; clips' names become folders and files, made safe and told apart."""
    if len(segments) == 1 and output.suffix.lower() == f".{format}":
        return [output]
    if output.suffix.lower() in (".bvh", ".glb") or (output.exists() and not output.is_dir()):
        raise UsageError(f"{output}: {len(segments)} segments need a folder, not a file, to go into")
    names: list[Path] = []
    taken: set[str] = set()
    for segment in segments:
        clip = bank.clip(segment.clip_id)
        parts = [_safe(part) for part in clip.name.split("/") if part not in ("", ".", "..")] or [f"clip-{clip.id}"]
        if segment != clip.segment:
            parts[-1] += f"_{segment.start}-{segment.stop}"
        stem, number = parts[-1], 1
        # A folder never has the name of a file that may stand beside it
        folders = [f"{part}_" if part.lower().endswith((".bvh", ".glb", ".json")) else part for part in parts[:-1]]
        path = output.joinpath(*folders, f"{stem}.{format}")
        while str(path).lower() in taken:  # not all disks tell capital letters from small ones
            number += 1
            path = path.with_name(f"{stem}~{number}.{format}")
        taken.add(str(path).lower())
        names.append(path)
    return names


def _safe(part: str) -> str:
    """A file's name out of a part of a clip's name, with room for what is added to it."""
    letters = "".join(letter if letter.isalnum() or letter in " ._-~+()[]" else "_" for letter in part)
    return letters.encode()[:MAX_NAME_BYTES].decode(errors="ignore").strip(". ") or "_"
