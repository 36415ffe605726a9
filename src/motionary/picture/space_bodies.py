"""Bodies beside the curves of a pose space: what a body looks like there."""

from collections.abc import Sequence

import numpy as np

from motionary.motion import Motion
from motionary.picture.camera import AZIMUTH_FROM_FACING, Camera
from motionary.picture.figure import GREYS, figure
from motionary.picture.mannequin import mannequin_of
from motionary.picture.poses import poses_of
from motionary.picture.primitives import Ellipse, Polyline, Primitive

BODY_HEIGHT = 84.0  # pixels of a body that stands
AWAY = 62.0  # pixels from its place in the space to its middle
MOST_BODIES = 9
APART = 120.0  # pixels between the places of two bodies at least
FREE = 64.0  # pixels between the middle of a body and other things
TURNS = np.radians([0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0])  # away from outwards
POINTER, DOT = "#8b949e", "#39424e"


def landmarks(places: np.ndarray, *, most: int = MOST_BODIES, apart: float = APART) -> list[int]:
    """Numbers of some places (N, 2) on a page that are far from each other: first the one furthest from the middle of
    all, then always the one furthest from those before."""
    if not len(places):
        return []
    chosen = [int(np.argmax(np.linalg.norm(places - places.mean(axis=0), axis=1)))]
    gaps = np.linalg.norm(places - places[chosen[0]], axis=1)
    while len(chosen) < most and gaps.max() >= apart:
        chosen.append(int(np.argmax(gaps)))
        gaps = np.minimum(gaps, np.linalg.norm(places - places[chosen[-1]], axis=1))
    return chosen


def bodies_beside(
    motions: Sequence[Motion], pages: Sequence[np.ndarray], *, taken: np.ndarray | None = None
) -> list[Primitive]:
    """Shapes of bodies at landmarks of curves, each outwards of its place, and away from what is `taken` (M, 2).

    Every motion of the reference skeleton faces +z; its frames lie on the page at `pages` (F, 2).
    """
    together = np.concatenate(pages)
    owner = np.repeat(np.arange(len(pages)), [len(page) for page in pages])
    frame = np.concatenate([np.arange(len(page)) for page in pages])
    middle = np.median(together, axis=0)
    full = [] if taken is None else list(taken)
    shapes: list[Primitive] = []
    for number in landmarks(together):
        place = together[number]
        centre = _free_place(place, place - middle, full)
        full.append(centre)
        shapes += _body(motions[owner[number]], int(frame[number]), place, centre)
    return shapes


def _free_place(place: np.ndarray, outwards: np.ndarray, full: Sequence[np.ndarray]) -> np.ndarray:
    """Where a body stands: in the direction nearest to outwards in which nothing else is; outwards if there is none."""
    angle = float(np.arctan2(outwards[1], outwards[0])) if np.linalg.norm(outwards) > 1.0 else -0.5 * np.pi
    places = [place + AWAY * np.array([np.cos(angle + turn), np.sin(angle + turn)]) for turn in TURNS]
    free = (one for one in places if all(np.linalg.norm(one - other) >= FREE for other in full))
    return next(free, places[0])


def _body(motion: Motion, frame: int, place: np.ndarray, centre: np.ndarray) -> list[Primitive]:
    """A body with its middle at a pixel, and a line to its place."""
    mannequin = mannequin_of(motion.skeleton)
    poses = poses_of(mannequin, motion, np.array([frame]))
    camera = Camera(AZIMUTH_FROM_FACING["three-quarter"], scale=BODY_HEIGHT / mannequin.size)
    nodes = camera.project(poses.nodes[0])[:, :2]
    at = centre - 0.5 * (nodes.min(axis=0) + nodes.max(axis=0))
    x, y = (float(value) for value in place)
    return [
        Polyline(np.array([place, centre]), POINTER, 1.0),
        Ellipse(x, y, 2.5, 2.5, DOT),
        *figure(poses, 0, camera, at=(float(at[0]), float(at[1])), palette=GREYS),
    ]
