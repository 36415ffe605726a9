"""Which poses a film strip shows, how large, and where: the clock that turns times into pixels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from motionary.errors import UsageError
from motionary.picture.camera import Camera
from motionary.picture.scene import Scene

Spread = Literal["auto", "time", "ends", "travel"]

BODY_SHARE = 0.125  # height of a body as a share of the strip's width, if nothing speaks against it
LEAST_BODY = 130.0  # pixels, on narrow strips
LARGEST_BODY_SHARE = 0.2
FEWEST_POSES = 8
TRAVEL_FILLS = 0.9  # a path is drawn where it really goes if it fills that much of the strip
COARSE_STEP = 8.0  # frames between poses, below which their distances would look uneven
OVERLAP_ON_PATH = 0.72  # how near to each other, in body widths, poses on a path may come
N_ROUNDS = 6
LEAST_POSE, MOST_OVERLAP = 40.0, 0.25  # height in pixels, and body widths apart: what can still be read


@dataclass(frozen=True, eq=False)
class Placed:
    """One row in its strip: the camera at the strip's scale, the poses to draw, pixels over time."""

    scene: Scene
    camera: Camera
    frames: np.ndarray  # (P,) the poses to draw
    frame_pixels: np.ndarray  # (S, 2) of the path at the scene's sampled frames, from the row's left end
    cell: float  # pixels that one pose needs for itself
    on_path: bool  # whether the path runs where it really goes
    room: int  # how many poses could be told apart

    def pixels_at(self, frames: np.ndarray) -> np.ndarray:
        """Where the pelvis is over the floor (n, 2), right from the strip's left end and down from the row's."""
        samples = self.scene.frames
        return np.stack([np.interp(frames, samples, self.frame_pixels[:, i]) for i in range(2)], axis=1)


def place(
    scenes: Sequence[Scene], *, width: float, page_width: float, n_poses: int | None, spread: Spread
) -> list[Placed]:
    """The rows laid out on a strip of `width` pixels, all at one scale."""
    if spread not in get_args(Spread):
        raise UsageError(f"{spread!r} is not a valid spread; choose {', '.join(get_args(Spread))}")
    if n_poses is not None and n_poses < 1:
        raise UsageError(f"the number of poses must be at least 1, not {n_poses}")
    size = max(scene.mannequin.size for scene in scenes)
    usual = max(BODY_SHARE * page_width, LEAST_BODY) / size
    largest = max(LARGEST_BODY_SHARE * page_width, 1.6 * LEAST_BODY) / size
    cell = max(_cell(scene) for scene in scenes)
    if spread == "travel" or (spread == "auto" and _travels(scenes, width, cell, largest)):
        return _on_path(scenes, width, cell, largest, n_poses)
    if spread == "auto":
        durations = [scene.duration_secs for scene in scenes]
        spread = "time" if min(durations) >= 0.4 * max(durations) else "ends"
    most_frames = max(scene.row.motion.n_frames for scene in scenes)
    room = max(int(width * size / (cell * LEAST_POSE)), FEWEST_POSES)
    n = min(n_poses or max(int(width / (cell * usual)), FEWEST_POSES), room, most_frames)
    scale = min(width / (n * cell), largest if n_poses or n == most_frames else usual)
    return _over_time(scenes, width, cell * scale, scale, n, spread=spread, exact=n_poses is not None, room=room)


def _cell(scene: Scene) -> float:
    """Metres in the picture that one pose needs for itself."""
    extents = scene.extents(scene.poses)
    return float(0.94 * np.percentile(extents[:, 0] + extents[:, 1], 80) + 0.03 * scene.mannequin.size)


def _travels(scenes: Sequence[Scene], width: float, cell: float, largest: float) -> bool:
    """Whether every row moves to the right without rest, far enough to fill the strip, and not too deep."""
    for scene in scenes:
        right, down = scene.path().T
        steady = np.all(np.diff(right) > -0.01 * scene.mannequin.size) and right[-1] > 3.0 * cell
        if not steady or np.ptp(down) > 0.4 * scene.mannequin.size:
            return False
        even = np.interp(np.linspace(0, scene.frames[-1], _n_on_path(scene, cell)), scene.frames, right)
        if np.diff(even).min() < 0.4 * cell:
            return False
    longest = max(stop - start for start, stop in (_reach(scene, cell) for scene in scenes))
    scale = min(largest, width / longest)
    return longest * scale > TRAVEL_FILLS * width and scale > 0.45 * largest


def _n_on_path(scene: Scene, cell: float) -> int:
    """How many poses there is room for along the path."""
    return int(np.ptp(scene.path()[:, 0]) / (OVERLAP_ON_PATH * cell)) + 1


def _reach(scene: Scene, cell: float) -> tuple[float, float]:
    """From where to where bodies on the path reach, in metres to the right of its start; half a pose at least."""
    right, extents = scene.path()[:, 0], scene.extents(scene.poses)
    low, high = right - np.maximum(extents[:, 0], 0.5 * cell), right + np.maximum(extents[:, 1], 0.5 * cell)
    return float(low.min()), float(high.max())


def _on_path(scenes: Sequence[Scene], width: float, cell: float, largest: float, n_poses: int | None) -> list[Placed]:
    reaches = [_reach(scene, cell) for scene in scenes]
    scale = min(largest, width / max(stop - start for start, stop in reaches))
    placed = []
    for scene, (start, _) in zip(scenes, reaches, strict=True):
        path = scene.path()
        room = max(int(np.ptp(path[:, 0]) / (MOST_OVERLAP * cell)) + 1, FEWEST_POSES)
        n = min(n_poses, room) if n_poses else _n_on_path(scene, cell)
        frames = np.unique(np.round(np.linspace(0, scene.row.motion.n_frames - 1, n)).astype(int))
        pixels = (path - np.array([start, 0.0])) * scale
        placed.append(Placed(scene, replace(scene.camera, scale=scale), frames, pixels, cell * scale, True, room))
    return placed


def _over_time(
    scenes: Sequence[Scene], width: float, cell: float, scale: float, n: int, *, spread: Spread, exact: bool, room: int
) -> list[Placed]:
    longest = max(scene.duration_secs for scene in scenes)
    slowest = max(scene.row.motion.frame_time for scene in scenes)
    lasting = [longest if spread == "time" else scene.duration_secs for scene in scenes]
    left, right = _margins(scenes, lasting, width, cell, scale)
    placed = []
    for scene, shown in zip(scenes, lasting, strict=True):
        step = shown / max(n - 1, 1)
        if not exact and step < COARSE_STEP * slowest:
            step = _whole(step / slowest) * slowest
        count = n if exact or step == 0.0 else int(shown / step + 1e-6) + 1
        frames = np.unique(np.round(scene.frames_at(np.arange(count) * step)).astype(int))
        frames = frames[frames < scene.row.motion.n_frames]
        if count > 1:
            frames = _to_the_end(scene, frames, step)
        per_sec = (width - left - right) / shown if shown > 0 else 0.0
        across = left + scene.secs_at(scene.frames) * per_sec
        down = scene.path()[:, 1] * scale
        if np.ptp(down) > 0.3 * scene.mannequin.size * scale:  # far away or near: every pose on one line instead
            down = np.zeros_like(down)
        pixels = np.stack([across, down], axis=1)
        placed.append(Placed(scene, replace(scene.camera, scale=scale), frames, pixels, cell, False, room))
    return placed


def _to_the_end(scene: Scene, frames: np.ndarray, step: float) -> np.ndarray:
    """The frames to draw with the row's last one: beside the one before it, or in its place if that is too near."""
    last = scene.row.motion.n_frames - 1
    gap = scene.duration_secs - float(scene.secs_at(frames[-1:])[0])
    before = frames[:-1] if len(frames) > 1 and gap < 0.5 * step else frames
    return np.unique(np.append(before, last))


def _margins(
    scenes: Sequence[Scene], lasting: Sequence[float], width: float, cell: float, scale: float
) -> tuple[float, float]:
    """Pixels before the first pose and behind the last: half a pose, or more where a body reaches further."""
    shares = [scene.secs_at(scene.frames) / (shown or 1.0) for scene, shown in zip(scenes, lasting, strict=True)]
    share = np.concatenate(shares)
    reach = np.concatenate([scene.extents(scene.poses) for scene in scenes])[:, :2] * scale
    left = right = 0.5 * cell
    for _ in range(N_ROUNDS):  # what is moved in from one end moves a little at the other
        across = left + share * (width - left - right)
        left += max(0.0, float(np.max(reach[:, 0] - across)))
        right += max(0.0, float(np.max(across + reach[:, 1])) - width)
    too_much = max(1.0, (left + right) / width)
    return left / too_much, right / too_much


def _whole(step: float) -> float:
    """A whole number of frames for a step between poses, so that rounding does not make them uneven."""
    below = np.floor(step + 1e-6)
    return float(below if below > 0.9 * step else np.ceil(step - 1e-6))  # at most a tenth closer than planned
