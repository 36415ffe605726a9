"""Acclaim motions: an .amc file of angles and the .asf file of the skeleton they belong to."""

import re
from pathlib import Path

import numpy as np

from motionary.errors import MotionFileError, UsageError
from motionary.formats.amc import Amc, parse_amc
from motionary.formats.asf import DOFS, Asf, parse_asf
from motionary.formats.motion_file import MotionFile
from motionary.motion import ChannelLayout, Recording, rotations

ASF_ENDINGS = (".asf", ".asf.gz")


def parse_asf_amc(
    asf: bytes,
    amc: bytes,
    *,
    asf_path: Path,
    amc_path: Path,
    frame_time: float = 1 / 120,
    truncate: bool = False,
) -> MotionFile:
    """The recording of both files; `truncate` takes the frames before the first that is wrong.

    A bone turns by C · R · C⁻¹: C its axes, R its angles, of which the first named is turned first. Neither
    file tells the frame rate. The space is known where the .asf file gives a length scale, else Space().
    """
    if not (np.isfinite(frame_time) and frame_time > 0):
        raise UsageError(f"a frame time of {frame_time} s is not possible; it must be above 0")
    body = parse_asf(asf, asf_path)
    frames = parse_amc(amc, amc_path, n_dofs={bone.name: len(bone.dofs) for bone in body.bones}, truncate=truncate)
    layout, values = _channels(body, body.axes(), frames)
    recording = Recording(body.skeleton(), layout, values, frame_time, body.space())
    return MotionFile((recording,), (*body.notes, *frames.notes))


def find_asf(amc_path: Path) -> Path:
    """The skeleton beside a motion: `01.asf` for `01_01.amc`, `HDM_bd.asf` for `HDM_bd_01-01_01_120.amc`.

    The longest beginning of the motion's name, cut at underscores, decides; else the only .asf of the folder.
    """
    there = sorted(path for path in amc_path.parent.iterdir() if path.name.lower().endswith(ASF_ENDINGS))
    by_stem = {_stem(path): path for path in reversed(there)}
    words = _stem(amc_path).split("_")
    for n in range(len(words), 0, -1):
        if (beginning := "_".join(words[:n])) in by_stem:
            return by_stem[beginning]
    if len(there) == 1:
        return there[0]
    problem = f"{len(there)} .asf files beside it and none of its name" if there else "no .asf file beside it"
    raise MotionFileError(amc_path, None, problem, "An .amc file needs its skeleton; set it with --asf.")


def is_own_asf(asf_path: Path, amc_path: Path) -> bool:
    """Whether the names say that the skeleton is that of the motion's subject."""
    words, stem = _stem(amc_path).split("_"), _stem(asf_path)
    return any("_".join(words[:n]) == stem for n in range(1, len(words) + 1))


def amc_frame_time(amc_path: Path) -> float | None:
    """The frame time that HDM05 puts into its names (`HDM_bd_01-01_01_120`: 120 Hz), or None."""
    rate = re.fullmatch(r"hdm_.*_([1-9][0-9]{1,3})", _stem(amc_path))
    return 1.0 / int(rate[1]) if rate else None


def _stem(path: Path) -> str:
    name = path.name.lower().removesuffix(".gz")
    return name.rpartition(".")[0] or name


def _channels(asf: Asf, axes: np.ndarray, amc: Amc) -> tuple[ChannelLayout, np.ndarray]:
    """The columns of all bones: positions as the skeleton's parents see them, then angles, last turned first."""
    degrees = asf.degrees if amc.degrees is None else amc.degrees
    joints: list[int] = []
    kinds: list[int] = []
    columns: list[np.ndarray] = []
    for joint, bone in enumerate(asf.bones):
        if not bone.dofs:
            continue
        values = amc.values[bone.name]
        moves = [i for i, dof in enumerate(bone.dofs) if dof[0] == "t"]
        if moves:
            places = np.zeros((amc.n_frames, 3))
            places[:, [DOFS.index(bone.dofs[i]) for i in moves]] = values[:, moves]
            # C · T · R · C⁻¹: a bone moves along its own axes, the root along the world's
            columns += list((places if joint == 0 else rotations.rotate(axes[joint], places)).T)
            kinds += range(3)
        turns = [i for i, dof in enumerate(bone.dofs) if dof[0] == "r"][::-1]
        columns += [values[:, i] if degrees else np.degrees(values[:, i]) for i in turns]
        kinds += [DOFS.index(bone.dofs[i]) for i in turns]
        joints += [joint] * (len(kinds) - len(joints))
    layout = ChannelLayout(
        np.array(joints, dtype=np.int32),
        np.array(kinds, dtype=np.int8),
        translation_rule="adds to offset",
        root_adds_offset=any(asf.root_position),
        axes=axes,
    )
    return layout, np.stack(columns, axis=1) if columns else np.zeros((amc.n_frames, 0))
