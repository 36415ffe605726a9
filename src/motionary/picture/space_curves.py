"""Motions as curves in the first three components of a pose space (figures 1, 3 and 5 of Forbes & Fiume 2005)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from motionary.errors import UsageError
from motionary.motion import Motion
from motionary.picture.drawing import Drawing
from motionary.picture.primitives import Ellipse, Polyline, Primitive, Text, mix
from motionary.picture.space_bodies import AWAY, BODY_HEIGHT, bodies_beside

INK, FAINT, GRID, PAPER = "#39424e", "#8b949e", "#cfd5dc", "#ffffff"
COLOURS = ("#3b82c4", "#f0953d", "#6b4e9b", "#2f9e77", "#b8405e", "#8a6d3b", "#1b9db0", "#d1699f")
SHADES = ((PAPER, 0.0), ("#000000", 0.4), (PAPER, 0.45))  # of them, for more curves than colours
MARGIN, HEAD, LEGEND, LINE = 28.0, 46.0, 220.0, 18.0
MOST_NAMED = 24  # curves in the legend
TURN, RAISE = np.radians(-32.0), np.radians(24.0)  # from where the three axes are seen
FAR_FADE = 0.55  # of the colour that what is behind loses


@dataclass(frozen=True, eq=False)
class SpaceCurve:
    """A motion in a pose space; curves of one group share a colour."""

    name: str
    points: np.ndarray  # (F, 3) or more
    group: str = ""
    marks: tuple[int, ...] = ()  # frames that are marked
    motion: Motion | None = None  # of the reference skeleton, facing +z: what it looks like


def space_plot(
    curves: Sequence[SpaceCurve],
    *,
    title: str = "",
    shares: Sequence[float] = (),
    width: int = 1100,
    height: int = 760,
) -> Drawing:
    """The curves seen from a corner, the first component to the right, the second up, the third into the page.

    What is further away is paler; dots stand on each curve's start. The axes meet in the mean pose; `shares` of the
    variance stand beside them. If curves have their motions, bodies show what is where, in grey: colours are those of
    curves.
    """
    if not curves:
        raise UsageError("there is no motion to draw in the pose space")
    points = [np.asarray(curve.points, dtype=np.float64)[:, :3] for curve in curves]
    if any(found.shape[1] < 3 for found in points):
        raise UsageError("a picture of a pose space needs three components")
    groups = list(dict.fromkeys(curve.group or curve.name for curve in curves))
    colours = {group: _colour(number) for number, group in enumerate(groups)}
    every = np.concatenate([*points, np.zeros((1, 3))])
    beyond = 0.08 * max(float(np.ptp(every, axis=0).max()), 1e-9)
    axes = np.stack([np.diag(every.min(axis=0) - beyond), np.diag(every.max(axis=0) + beyond)], axis=1)  # (3, 2, 3)
    flat, depths = _seen(np.concatenate([*points, *axes]))
    low, high = flat.min(axis=0), flat.max(axis=0)
    motions = [curve.motion for curve in curves if curve.motion is not None]
    aside = AWAY + 0.5 * BODY_HEIGHT if len(motions) == len(curves) else 0.0  # bodies stand around the curves
    room = np.array([width - 2 * MARGIN - LEGEND, height - HEAD - MARGIN]) - 2 * aside
    scale = float((room / np.maximum(high - low, 1e-9)).min())
    corner = np.array([MARGIN, HEAD]) + aside + 0.5 * (room - scale * (high - low))

    def on_page(places: np.ndarray) -> np.ndarray:
        found, _ = _seen(places)
        return np.asarray(corner + scale * np.column_stack([found[:, 0] - low[0], high[1] - found[:, 1]]))

    near, far = float(depths.min()), float(depths.max())
    shapes: list[Primitive] = _axes(on_page, axes, shares)
    shapes += _lines(curves, points, colours, on_page, near, far)
    for curve, places in zip(curves, points, strict=True):
        colour = colours[curve.group or curve.name]
        x, y = on_page(places[:1])[0]
        shapes.append(Ellipse(float(x), float(y), 3.5, 3.5, colour))
        for x, y in on_page(places[list(curve.marks)]) if curve.marks else ():
            shapes += [Ellipse(float(x), float(y), 6.0, 6.0, INK), Ellipse(float(x), float(y), 4.2, 4.2, colour)]
    if aside:
        shapes += bodies_beside(motions, [on_page(places) for places in points], taken=on_page(axes[:, 1]))
    shapes += _legend(groups, colours, x=width - LEGEND, y=HEAD + 8.0)
    shapes.append(Text(MARGIN, 26.0, title, 15.0, INK, bold=True))
    return Drawing(width, height, tuple(shapes), title=title)


def _seen(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places on the page (N, 2), y up, and how far behind the page they lie (N,), of points of the space."""
    x, y, z = points.T
    across = np.cos(TURN) * x - np.sin(TURN) * z
    behind = np.sin(TURN) * x + np.cos(TURN) * z
    return np.column_stack([across, np.cos(RAISE) * y + np.sin(RAISE) * behind]), np.asarray(
        np.cos(RAISE) * behind - np.sin(RAISE) * y
    )


def _colour(number: int) -> str:
    """Another one for every number, as far as shades go."""
    shade, share = SHADES[number // len(COLOURS) % len(SHADES)]
    return mix(COLOURS[number % len(COLOURS)], shade, share)


def _axes(on_page: Callable[[np.ndarray], np.ndarray], axes: np.ndarray, shares: Sequence[float]) -> list[Primitive]:
    shapes: list[Primitive] = []
    for number, ends in enumerate(axes, start=1):
        line = on_page(ends)
        shapes.append(Polyline(line, GRID, 1.2))
        x, y = line[1]
        words = f"{number}: {shares[number - 1]:.0%}" if shares else str(number)
        shapes.append(Text(float(x) + 4.0, float(y) - 4.0, words, 12.0, FAINT, bold=True))
    return shapes


def _lines(
    curves: Sequence[SpaceCurve],
    points: Sequence[np.ndarray],
    colours: Mapping[str, str],
    on_page: Callable[[np.ndarray], np.ndarray],
    near: float,
    far: float,
) -> list[Primitive]:
    """Short pieces of all curves, those furthest away first, so that what is before lies above."""
    pieces: list[tuple[float, Polyline]] = []
    for curve, places in zip(curves, points, strict=True):
        page = on_page(places)
        _, depths = _seen(places)
        step = max(1, len(places) // 400)
        stops = [*range(0, len(places) - 1, step), len(places) - 1]
        for start, stop in pairwise(stops):
            depth = float(depths[start : stop + 1].mean())
            pale = FAR_FADE * (depth - near) / max(far - near, 1e-9)
            colour = mix(colours[curve.group or curve.name], PAPER, min(max(pale, 0.0), 1.0))
            pieces.append((depth, Polyline(page[start : stop + 1], colour, 1.5)))
    return [line for _, line in sorted(pieces, key=lambda piece: -piece[0])]


def _legend(groups: list[str], colours: dict[str, str], *, x: float, y: float) -> list[Primitive]:
    shapes: list[Primitive] = []
    for i, group in enumerate(groups[:MOST_NAMED]):
        line = y + i * LINE
        shapes.append(Polyline(np.array([[x, line], [x + 18.0, line]]), colours[group], 3.0))
        shapes.append(Text(x + 26.0, line + 4.0, group, 11.0, INK))
    if len(groups) > MOST_NAMED:
        shapes.append(Text(x, y + MOST_NAMED * LINE + 4.0, f"and {len(groups) - MOST_NAMED} more", 11.0, FAINT))
    return shapes
