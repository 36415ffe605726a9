"""Blend spaces for engines: clips on a grid of parameters, and one JSON that says what they are."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from motionary.blend import Blend
from motionary.errors import UsageError
from motionary.files import parse_json, read_ordinary, write_whole
from motionary.formats import bvh_text, glb_bytes
from motionary.motion import recording_of
from motionary.parametric.parametric import ParametricMotion

VERSION = 1
FORMAT = "motionary blend space"
MAX_FILE_BYTES = 64 << 20
CLIP_FILE = re.compile(r"clip_\d{3,}\.(bvh|glb)")


def export_blend_space(
    parametric: ParametricMotion,
    folder: Path | str,
    *,
    n: int = 3,
    name: str = "blend space",
    credit: str = "",
    licence: str = "",
) -> dict[str, Any]:
    """Write the motions on a grid of n values of each parameter to a folder, in GLB and BVH, with `blendspace.json`.

    Points that cannot be reached are projected onto those that can; points that come out the same are written once, and
    `merged` counts the others. Clips of an earlier export into the folder are removed; a folder that holds the blend
    space of another parametric motion is refused. Every clip starts at the origin and faces +z; `markers` are times at
    which feet land and leave, in the same order in all clips: warp time between them to keep clips in step. `root` is
    where each clip's root ends.
    """
    folder = Path(folder)
    earlier = _earlier_clips(folder, name)
    clips: list[dict[str, Any]] = []
    seen: list[np.ndarray] = []
    merged = 0
    for point in parametric.grid(n):
        answer = parametric.ask(point, finished=True)
        if any(np.abs((answer.got - other) / parametric.samples.scales).max() < 1.0 for other in seen):
            merged += 1
            continue
        seen.append(answer.got)
        made = answer.motion()
        number = len(clips)
        stem = f"clip_{number:03d}"
        write_whole(folder / f"{stem}.bvh", bvh_text(recording_of(made.motion)))
        extras = {key: value for key, value in (("credit", credit), ("licence", licence)) if value}
        write_whole(folder / f"{stem}.glb", glb_bytes(made.motion, name=f"{name} {number}", extras=extras))
        clips.append(_entry(stem, made, answer.got, answer.wanted, answer.projected, parametric))
    document = {
        "format": FORMAT,
        "version": VERSION,
        "name": name,
        "credit": credit,
        "licence": licence,
        "units": {"length": "m", "angle": "rad", "time": "s"},
        "axes": {"up": "+y", "ahead": "+z", "left": "+x"},
        "rate_hz": 1.0 / parametric.registration.frame_time,
        "cyclic": parametric.cyclic,
        "parameters": [
            {
                "name": p.name,
                "unit": p.unit,
                "wraps": p.wraps,
                "least": float(parametric.examples[:, d].min()),
                "greatest": float(parametric.examples[:, d].max()),
            }
            for d, p in enumerate(parametric.parameters)
        ],
        "marker_names": [
            f"{plant.foot} {plant.part} {event}" for plant in parametric.registration.plants for event in ("down", "up")
        ],
        "merged": merged,
        "clips": clips,
    }
    write_whole(folder / "blendspace.json", json.dumps(document, indent=1, ensure_ascii=False).encode())
    for stale in earlier - {clip[kind] for clip in clips for kind in ("bvh", "glb")}:
        (folder / stale).unlink(missing_ok=True)
    return document


def _earlier_clips(folder: Path, name: str) -> set[str]:
    """The files of an earlier export of the same parametric motion in the folder; raises if it was another's."""
    path = folder / "blendspace.json"
    if not path.exists():
        return set()
    try:
        document = parse_json(read_ordinary(path, max_bytes=MAX_FILE_BYTES).decode())
        found = {clip[kind] for clip in document["clips"] for kind in ("bvh", "glb")}
        known = document["format"] == FORMAT and document["name"] == name
    except (OSError, ValueError, KeyError, TypeError):
        found, known = set(), False
    if not known:
        raise UsageError(f"{path} holds something else than the blend space of {name!r}; choose another folder")
    return {file for file in found if CLIP_FILE.fullmatch(file)}


def _entry(
    stem: str, made: Blend, got: np.ndarray, wanted: np.ndarray, projected: bool, parametric: ParametricMotion
) -> dict[str, Any]:
    frame_time = made.motion.frame_time
    secs = np.arange(made.motion.n_frames) * frame_time
    end = made.motion.root_positions[-1] - made.motion.root_positions[0]
    events = [u for plant in parametric.registration.plants for u in (plant.start, plant.stop)]
    return {
        "bvh": f"{stem}.bvh",
        "glb": f"{stem}.glb",
        "parameters": [float(x) for x in got],
        "asked": [float(x) for x in wanted],
        "projected": projected,
        "frames": made.motion.n_frames,
        "secs": float(secs[-1]),
        "markers": [float(np.interp(u, made.clock, secs)) for u in events],
        "clock": [float(u) for u in made.clock / (made.registration.n_clock - 1.0)],
        "headings": [float(heading) for heading in made.headings],
        "root": {
            "left": float(end[0]),
            "ahead": float(end[2]),
            "heading": float(made.headings[-1] - made.headings[0]),
        },
    }
