"""Film strips: the poses of a motion side by side, on the ground, with the time below."""

from collections.abc import Sequence

import numpy as np

from motionary.errors import UsageError
from motionary.picture.camera import View
from motionary.picture.drawing import Drawing
from motionary.picture.figure import PALETTE, figure, planted_foot, shadow
from motionary.picture.layout import Placed, Spread, place
from motionary.picture.panel import legend, panel, wrapped
from motionary.picture.poses import poses_of
from motionary.picture.primitives import Polygon, Polyline, Primitive, Text, mix
from motionary.picture.scene import Row, scenes_of
from motionary.plants import FEET

LEAST_WIDTH = 320
TOP, RIGHT, GAP = 30.0, 14.0, 10.0  # pixels around rows
LABEL, SMALL = 11.5, 9.5  # sizes of text
LANE = 8.0  # height of a bar of contacts
CURVE = 26.0  # height of a curve
HEADING = 23.0  # height of a band between rows
FLOOR, GRID, PATH, INK, FAINT, BAND = "#f1f3f5", "#dde1e6", "#6b4e9b", "#39424e", "#8b949e", "#e3e9f0"
SEAM = "#e6def2"


def film_strip(
    rows: Sequence[Row],
    *,
    n_poses: int | None = None,
    width: int = 1600,
    view: View = "auto",
    spread: Spread = "auto",
    n_columns: int = 1,
) -> Drawing:
    """The rows' poses from left to right, below each other at one scale and from the same side of the body.

    With several columns it is a contact sheet: rows fill the first column, then the next.

    `view` and the number of poses are chosen to show the movement if not given. `spread` says what runs from
    left to right: "time" (one clock for all rows), "ends" (every row from its first frame to its last), or
    "travel" (the ground: poses stand where they were). "auto" takes the ground if the path fills the strip.
    No more poses are drawn than can be told apart; if that is fewer than asked for, the drawing's notes say so.
    """
    if width < LEAST_WIDTH:
        raise UsageError(f"a film strip of {width} pixels is too narrow; use at least {LEAST_WIDTH}")
    scenes = scenes_of(rows, view)
    column = width / n_columns
    left = float(np.clip(0.1 * width, 84.0, 170.0)) if n_columns == 1 else 84.0
    strip_width = column - left - RIGHT
    placed = place(scenes, width=strip_width, page_width=column, n_poses=n_poses, spread=spread)
    primitives: list[Primitive] = list(
        legend(
            width,
            contacts=any(row.contacts is not None for row in rows),
            highlight=any(row.highlight for row in rows),
        )
    )
    y, x, height = TOP, 0.0, TOP
    in_column = -(-len(placed) // n_columns)
    for i, one in enumerate(placed):
        if i and i % in_column == 0:
            y, x = TOP, x + column
        heading = one.scene.row.heading
        if heading:
            primitives.extend(_heading(heading, left=x, top=y, width=column))
            y += HEADING
        elif i % in_column:
            primitives.append(Polyline(np.array([[x + GAP, y], [x + column - GAP, y]]), GRID, 1.0))
        shapes, tall = _row(one, left=x + left, top=y, width=strip_width)
        primitives.extend(panel(one, placed, left=x + GAP, top=y + GAP, width=left - 1.5 * GAP, height=tall - 2 * GAP))
        primitives.extend(shapes)
        y += tall
        height = max(height, y)
    title = ", ".join(row.title for row in rows if row.title)
    return Drawing(
        width, int(np.ceil(height)), tuple(primitives), title=title, notes=_too_many(placed, n_poses, round(column))
    )


def _too_many(placed: Sequence[Placed], n_poses: int | None, width: int) -> tuple[str, ...]:
    """What is to be said if more poses were asked for than can be told apart."""
    capped = [one.room for one in placed if min(n_poses or 0, one.scene.row.motion.n_frames) > one.room]
    if not capped:
        return ()
    return (
        f"{n_poses} poses cannot be told apart on {width} pixels: {max(capped)} are drawn; a wider strip shows more",
    )


def _row(placed: Placed, *, left: float, top: float, width: float) -> tuple[list[Primitive], float]:
    """The shapes of one row, and its height in pixels."""
    scene, camera = placed.scene, placed.camera
    poses = poses_of(scene.mannequin, scene.row.motion, placed.frames)
    spots = placed.pixels_at(placed.frames) + np.array([left, 0.0])  # (P, 2) of the pelvis on the floor
    extents = scene.extents(poses) * camera.scale
    downs = placed.frame_pixels[:, 1]
    depth = 0.16 * scene.mannequin.size * camera.scale  # how much floor is seen before and behind the path
    above = max(float(np.max(extents[:, 2] - spots[:, 1])), 0.5 * depth - float(downs.min()))
    below = max(float(np.max(extents[:, 3] + spots[:, 1])), 0.6 * depth + float(downs.max()))
    floor_y = top + GAP + above
    back, front = floor_y + float(downs.min()) - 0.6 * depth, floor_y + below + 4.0
    reached = float(np.max(spots[:, 0] + extents[:, 1])) - left
    width = min(width, max(float(placed.frame_pixels[:, 0].max()) + placed.cell / 2.0, reached))
    shapes: list[Primitive] = [_box(left, back, left + width, front, FLOOR)]
    shapes.extend(_marks(placed, left=left, top=back, bottom=front))
    if placed.on_path:
        shapes.extend(_grid(placed, left=left, width=width, floor_y=floor_y, back=back, front=front))
    path = placed.frame_pixels + np.array([left, floor_y])
    base = camera.project(scene.on_ground(poses.centre))[:, :2]
    grounds = scene.floor_heights(poses.centre).tolist()
    ats = [(float(x), float(y)) for x, y in spots + np.array([0.0, floor_y]) - base]
    for i, at in enumerate(ats):
        shapes.extend(shadow(poses, i, camera, ground=grounds[i], at=at))
    if len(path) > 1:
        shapes.append(Polyline(path, mix(PATH, FLOOR, 0.25), 1.4))
    if scene.row.contacts is not None:
        for i, foot in np.argwhere(scene.row.contacts[placed.frames]):
            spot = ats[i]
            shapes.extend(planted_foot(poses, i, foot, camera, ground=grounds[i], at=spot, floor=FLOOR))
    for i, at in enumerate(ats):
        shapes.extend(figure(poses, i, camera, at=at, highlight=scene.highlight))
    bottom = front
    if scene.row.contacts is not None:
        shapes.extend(_lanes(placed, left=left, top=front + 4.0))
        bottom = front + 4.0 + 2.0 * (LANE + 2.0)
    if scene.row.curve is not None:
        shapes.extend(_curve(placed, scene.row.curve, left=left, top=bottom + 4.0))
        bottom += 4.0 + CURVE + 2.0
    shapes.extend(_times(placed, spots[:, 0], left=left, y=bottom))
    return shapes, bottom + 34.0 + GAP - top


def _marks(placed: Placed, *, left: float, top: float, bottom: float) -> list[Primitive]:
    """The floor below the frames that stand out in another shade, with lines at both seams."""
    shapes: list[Primitive] = []
    for start, stop in placed.scene.row.marked:
        ends = (placed.pixels_at(np.array([float(start), stop - 1.0]))[:, 0] + left).tolist()
        shapes.append(_box(min(ends), top, max(ends), bottom, SEAM))
        shapes += [Polyline(np.array([[x, top], [x, bottom]]), PATH, 1.2) for x in ends]
    return shapes


def _heading(text: str, *, left: float, top: float, width: float) -> list[Primitive]:
    """A band with what is said of the rows below it."""
    shapes: list[Primitive] = [_box(left, top, left + width, top + HEADING, BAND)]
    shapes += [
        Text(left + GAP, top + 16.0, line, 13.0, INK, bold=True) for line in wrapped(text, 13.0, width, n_lines=1)
    ]
    return shapes


def _times(placed: Placed, xs: np.ndarray, *, left: float, y: float) -> list[Primitive]:
    """Seconds and frame numbers of the poses; some are left out where they would touch."""
    row = placed.scene.row
    shapes: list[Primitive] = [
        Text(left - 6.0, y + 17.0, "seconds", SMALL, FAINT, "end"),
        Text(left - 6.0, y + 30.0, "frame", SMALL, FAINT, "end"),
    ]
    free_from = -np.inf
    for x, frame in zip(xs, placed.frames, strict=True):
        shapes.append(Polyline(np.array([[x, y], [x, y + 4.0]]), FAINT, 1.0))
        if x < free_from:
            continue
        secs = row.start_secs + frame * row.motion.frame_time
        shapes.append(Text(float(x), y + 17.0, f"{secs:.2f}", LABEL, INK, "middle"))
        shapes.append(Text(float(x), y + 30.0, f"{row.first_frame + frame}", SMALL, FAINT, "middle"))
        free_from = x + 38.0
    return shapes


def _lanes(placed: Placed, *, left: float, top: float) -> list[Primitive]:
    """Two bars, left foot above right, filled while the foot is planted."""
    contacts = placed.scene.row.contacts
    assert contacts is not None
    shapes: list[Primitive] = []
    n_frames = len(contacts)
    for foot, side in enumerate(FEET):
        y = top + foot * (LANE + 2.0)
        ends = placed.pixels_at(np.array([0.0, n_frames - 1.0]))[:, 0] + left
        shapes.append(_box(float(ends[0]), y, float(ends[1]), y + LANE, FLOOR))
        shapes.append(Text(left - 6.0, y + LANE, side[0].upper(), 8.5, FAINT, "end"))
        edges = np.flatnonzero(np.diff(np.concatenate([[0], contacts[:, foot], [0]]).astype(int)))
        for start, stop in edges.reshape(-1, 2):
            # A frame stands for the time around it, so a bar reaches half a frame to both sides.
            x = placed.pixels_at(np.clip([start - 0.5, stop - 0.5], 0.0, n_frames - 1.0))[:, 0] + left
            shapes.append(_box(float(x[0]), y, max(float(x[1]), float(x[0]) + 1.0), y + LANE, PALETTE.sides[side]))
    return shapes


def _curve(placed: Placed, curve: np.ndarray, *, left: float, top: float) -> list[Primitive]:
    """A curve over time, from 0 at the bottom; its limit as a line."""
    row, base = placed.scene.row, top + CURVE
    ends = (placed.pixels_at(np.array([0.0, len(curve) - 1.0]))[:, 0] + left).tolist()
    shapes: list[Primitive] = [_box(ends[0], top, ends[1], base, FLOOR)]
    shapes.append(Text(left - 6.0, base - 2.0, row.curve_name, 8.5, FAINT, "end"))
    known = np.isfinite(curve)
    highest = max(float(np.max(curve[known], initial=0.0)), row.curve_limit)
    if highest <= 0.0:
        return shapes
    if row.curve_limit > 0.0:
        y = base - row.curve_limit / highest * (CURVE - 2.0)
        shapes.append(Polyline(np.array([[ends[0], y], [ends[1], y]]), FAINT, 1.0))
        if y < base - 12.0:  # else it would touch the name
            shapes.append(Text(left - 6.0, y + 4.0, row.curve_limit_name, 8.5, FAINT, "end"))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], known, [0]]).astype(int)))
    for start, stop in edges.reshape(-1, 2):
        frames = np.arange(start, stop)
        heights = base - curve[frames] / highest * (CURVE - 2.0)
        points = np.stack([placed.pixels_at(frames.astype(float))[:, 0] + left, heights], axis=1)
        shapes.append(Polyline(points if len(points) > 1 else np.repeat(points, 2, axis=0), PATH, 1.6))
    return shapes


def _grid(placed: Placed, *, left: float, width: float, floor_y: float, back: float, front: float) -> list[Primitive]:
    """Lines on the floor, one metre apart from where the path starts, across it and along it."""
    scale, sink = placed.camera.scale, float(np.sin(placed.camera.elevation))
    shapes: list[Primitive] = []
    step = _round_step(placed.scene.mannequin.size)
    start = left + placed.frame_pixels[0, 0]
    first, last = int(np.ceil((left - start) / scale / step)), int((left + width - start) / scale / step)
    for k in range(first, last + 1):
        x = start + k * step * scale
        shapes.append(Polyline(np.array([[x, back], [x, front]]), GRID, 1.0))
    for k in range(
        int(np.ceil((back - floor_y) / (scale * sink * step))), int((front - floor_y) / (scale * sink * step)) + 1
    ):
        y = floor_y + k * step * scale * sink
        shapes.append(Polyline(np.array([[left, y], [left + width, y]]), GRID, 1.0))
    return shapes


def _round_step(size: float) -> float:
    """The power of ten, in metres, that suits a body of that size: 1 for a human."""
    return float(10.0 ** np.round(np.log10(max(size, 1e-6) / 1.7)))


def _box(x0: float, y0: float, x1: float, y1: float, fill: str) -> Polygon:
    return Polygon(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]), fill)
