"""A pose as shapes: limbs with outline, drawn from the far ones to the near ones, and their shadow."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from motionary.picture.camera import Camera
from motionary.picture.limbs import HEAD, TRUNK
from motionary.picture.mannequin import Part
from motionary.picture.poses import Poses
from motionary.picture.primitives import Polygon, Primitive, mix
from motionary.plants import FEET
from motionary.rig import Side

N_ARC = 9  # points on each half circle
CIRCLE = np.stack([f(np.linspace(0.0, 2.0 * np.pi, 18, endpoint=False)) for f in (np.cos, np.sin)], axis=1)


@dataclass(frozen=True)
class Palette:
    """The colours of a figure; blue and orange are told apart by all common kinds of colour vision."""

    sides: dict[Side, str] = field(default_factory=lambda: {"left": "#3b82c4", "right": "#ee9336", "middle": "#a9b1bb"})
    highlight: str = "#c2257a"
    outline: str = "#2a323d"
    shadow: str = "#cfd4da"
    light: str = "#ffffff"


PALETTE = Palette()
GREYS = Palette({"left": "#7d8792", "right": "#c4cbd3", "middle": "#a3abb5"})  # where colours say something else


def figure(
    poses: Poses,
    frame: int,
    camera: Camera,
    *,
    at: tuple[float, float],
    highlight: Sequence[int] = (),
    palette: Palette = PALETTE,
) -> list[Primitive]:
    """The shapes of one pose, the far ones first; the world's origin is drawn `at` that pixel."""
    mannequin = poses.mannequin
    places = camera.project(poses.nodes[frame]) + np.array([*at, 0.0])  # (N, 3)
    edge = float(np.clip(0.007 * mannequin.size * camera.scale, 0.5, 2.5))
    outlines = _hulls(mannequin.parts, places, camera.scale, grow=edge)
    fills = _hulls(mannequin.parts, places, camera.scale)
    lights = _hulls(mannequin.parts, places, camera.scale, shrink=0.45)
    nearness = [float(np.mean(places[list(part.nodes), 2])) for part in mannequin.parts]
    by_limb: dict[int, list[int]] = {}
    for i, part in enumerate(mannequin.parts):
        by_limb.setdefault(part.limb, []).append(i)
    limb_nearness = {limb: float(np.mean([nearness[i] for i in parts])) for limb, parts in by_limb.items()}
    if mannequin.head is not None:
        by_limb.setdefault(HEAD, [])
        limb_nearness[HEAD] = _head_nearness(poses, frame, camera, limb_nearness.get(TRUNK, -np.inf))

    shapes: list[Primitive] = []
    for limb in sorted(by_limb, key=lambda limb: (limb_nearness[limb], limb)):
        parts = sorted(by_limb[limb], key=lambda i: (nearness[i], i))
        shapes.extend(Polygon(outlines[i], palette.outline) for i in parts)
        colours = {i: _colour(mannequin.parts[i], highlight, palette) for i in parts}
        shapes.extend(Polygon(fills[i], colours[i]) for i in parts)
        shapes.extend(Polygon(lights[i], mix(colours[i], palette.light, 0.22)) for i in parts)
        if limb == HEAD and mannequin.head is not None:
            shapes.extend(_head(poses, frame, camera, at=at, edge=edge, highlight=highlight, palette=palette))
    return shapes


def shadow(
    poses: Poses,
    frame: int,
    camera: Camera,
    *,
    ground: float,
    at: tuple[float, float],
    parts: Sequence[Part] | None = None,
    colour: str = PALETTE.shadow,
) -> list[Primitive]:
    """The shadow that a light straight above throws onto the ground; of some parts, or of all."""
    flat = np.array(poses.nodes[frame])
    flat[:, 1] = 0.0
    # In the plane of the ground first, where balls throw round shadows; then seen at the camera's angle.
    above = Camera(camera.azimuth, np.pi / 2.0, camera.scale).project(flat)
    seen = np.array([1.0, np.sin(camera.elevation)])
    base = np.array(at) - np.array([0.0, ground * np.cos(camera.elevation) * camera.scale])
    hulls = _hulls(poses.mannequin.parts if parts is None else parts, above, camera.scale)
    return [Polygon(hull * seen + base, colour) for hull in hulls]


def planted_foot(
    poses: Poses, frame: int, foot: int, camera: Camera, *, ground: float, at: tuple[float, float], floor: str
) -> list[Primitive]:
    """The print, in its side's colour, of the left (0) or right (1) foot on the floor."""
    side = FEET[foot]
    parts, colour = poses.mannequin.foot_parts(side), mix(PALETTE.sides[side], floor, 0.3)
    return shadow(poses, frame, camera, ground=ground, at=at, parts=parts, colour=colour)


def _colour(part: Part, highlight: Sequence[int], palette: Palette) -> str:
    """A joint that stands out does so with what it turns: the parts that begin at it."""
    return palette.highlight if part.nodes[0] in highlight else palette.sides[part.side]


def _head_nearness(poses: Poses, frame: int, camera: Camera, trunk: float) -> float:
    """How near the head is; before the neck and the trunk unless it leans far away from us."""
    own = float(camera.project(poses.head_centre[frame])[2])
    leans_away = float(camera.axes[2] @ poses.head_axis[frame]) < -0.8
    return own if leans_away else max(own, float(np.nextafter(trunk, np.inf)))


def _head(
    poses: Poses,
    frame: int,
    camera: Camera,
    *,
    at: tuple[float, float],
    edge: float,
    highlight: Sequence[int],
    palette: Palette,
) -> Iterable[Primitive]:
    head = poses.mannequin.head
    assert head is not None
    centre = camera.project(poses.head_centre[frame])[:2] + np.array(at)
    axis = camera.project(poses.head_axis[frame])[:2] / camera.scale
    along = float(np.hypot(*axis))
    direction = axis / along if along > 1e-6 else np.array([0.0, -1.0])
    half_width = head.half_width * camera.scale
    half_length = np.sqrt(head.half_width**2 + (head.half_length**2 - head.half_width**2) * along**2) * camera.scale
    nose_place = poses.head_centre[frame] + 1.1 * head.half_width * poses.head_facing[frame]
    nose = camera.project(nose_place)[:2] + np.array(at)
    nose_radius = 0.18 * half_width
    colour = palette.highlight if head.joint in highlight else palette.sides["middle"]

    def oval(grow: float) -> np.ndarray:
        across = np.array([-direction[1], direction[0]])
        return centre + CIRCLE @ np.stack([direction * (half_length + grow), across * (half_width + grow)])

    skull = [Polygon(oval(edge), palette.outline), Polygon(oval(0.0), colour)]
    light = centre + (oval(0.0) - centre) * 0.6 + np.array([-0.16, -0.2]) * half_width
    skull.append(Polygon(light, mix(colour, palette.light, 0.22)))
    bump = Polygon(nose + CIRCLE * (nose_radius + edge), palette.outline)
    tip = Polygon(nose + CIRCLE * nose_radius, mix(colour, palette.outline, 0.35))
    towards_us = float(camera.axes[2] @ poses.head_facing[frame])
    return [*skull, bump, tip] if towards_us > 0.35 else [bump, tip, *skull]


def _hulls(
    parts: Sequence[Part], places: np.ndarray, scale: float, *, grow: float = 0.0, shrink: float = 1.0
) -> list[np.ndarray]:
    """The outline of every part in the picture; `shrink` < 1 gives the lit side instead, up and to the left."""
    hulls: list[np.ndarray] = [np.zeros((0, 2))] * len(parts)
    pairs = [i for i, part in enumerate(parts) if len(part.nodes) == 2]
    if pairs:
        nodes = np.array([parts[i].nodes for i in pairs])
        radii = np.array([parts[i].radii for i in pairs]) * scale
        centres = places[nodes, :2] + _towards_light(radii, shrink)
        for i, outline in zip(pairs, _capsules(centres, radii * shrink + grow), strict=True):
            hulls[i] = outline
    for i, part in enumerate(parts):
        if len(part.nodes) != 2:
            radii = np.array(part.radii) * scale
            centres = places[list(part.nodes), :2] + _towards_light(radii, shrink)
            points = centres[:, None] + CIRCLE * (radii * shrink + grow)[:, None, None]
            hulls[i] = _convex_hull(points.reshape(-1, 2))
    return hulls


def _towards_light(radii: np.ndarray, shrink: float) -> np.ndarray:
    return (1.0 - shrink) * radii[..., None] * np.array([-0.4, -0.5])


def _capsules(centres: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """Outlines (B, 2 · N_ARC, 2) about pairs of circles: centres (B, 2, 2), radii (B, 2)."""
    along = centres[:, 1] - centres[:, 0]
    length = np.hypot(along[:, 0], along[:, 1])
    angle = np.arctan2(along[:, 1], along[:, 0])
    # Where the common tangents touch, measured from the line between the centres.
    touch = np.arccos(np.clip((radii[:, 0] - radii[:, 1]) / np.maximum(length, 1e-9), -1.0, 1.0))
    steps = np.linspace(0.0, 1.0, N_ARC)
    first = (angle + touch)[:, None] + (2.0 * np.pi - 2.0 * touch)[:, None] * steps
    second = (angle - touch)[:, None] + (2.0 * touch)[:, None] * steps
    arcs = np.stack([first, second], axis=1)  # (B, 2, N_ARC)
    points = np.stack([np.cos(arcs), np.sin(arcs)], axis=-1) * radii[:, :, None, None] + centres[:, :, None]
    return points.reshape(len(centres), -1, 2)


def _convex_hull(points: np.ndarray) -> np.ndarray:
    """The corners (n, 2) of the smallest convex shape about points (Andrew's monotone chain)."""
    ordered = sorted(map(tuple, points.tolist()))

    def half(row: Iterable[tuple[float, float]]) -> list[tuple[float, float]]:
        chain: list[tuple[float, float]] = []
        for x, y in row:
            while len(chain) > 1 and (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1]) <= (
                chain[-1][1] - chain[-2][1]
            ) * (x - chain[-2][0]):
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return np.array([*half(ordered), *half(reversed(ordered))])
