"""Curves over time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.picture.drawing import Drawing
from motionary.picture.primitives import Polygon, Polyline, Primitive, Text

LEFT, RIGHT, TOP, GAP, FOOT = 120.0, 24.0, 34.0, 16.0, 34.0
INK, FAINT, GRID, PAPER = "#39424e", "#8b949e", "#dde1e6", "#f7f8fa"
COLOURS = ("#3b82c4", "#f0953d", "#6b4e9b", "#2f9e77", "#b8405e")
STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 60.0, 120.0, 300.0, 600.0, 1800.0)


@dataclass(frozen=True, eq=False)
class Curve:
    """A named curve over time; NaN where it is not defined."""

    name: str
    unit: str
    values: np.ndarray  # (F,)


def curve_plot(
    curves: Sequence[Curve],
    *,
    frame_time: float,
    title: str = "",
    start_secs: float = 0.0,
    width: int = 1200,
    height: int = 90,
) -> Drawing:
    """Curves below each other over one time axis, each from 0 (or its least) to its largest value."""
    if not curves or not len(curves[0].values):
        raise UsageError("there is no curve to plot")
    n_frames = len(curves[0].values)
    right = width - RIGHT
    xs = np.linspace(LEFT, right, n_frames) if n_frames > 1 else np.array([0.5 * (LEFT + right)])
    shapes: list[Primitive] = [Text(GAP, 22.0, title, 14.0, INK, bold=True)]
    bottom = TOP + len(curves) * (height + GAP)
    shapes += _seconds(start_secs, n_frames * frame_time, right, bottom)
    for i, curve in enumerate(curves):
        top = TOP + i * (height + GAP)
        shapes += _lane(curve, xs, top, top + height, COLOURS[i % len(COLOURS)])
    return Drawing(width, int(bottom + FOOT), tuple(shapes), title=title)


def _lane(curve: Curve, xs: np.ndarray, top: float, bottom: float, colour: str) -> list[Primitive]:
    """One curve with its name, unit and range."""
    known = curve.values[np.isfinite(curve.values)]
    low, high = (min(0.0, float(known.min())), float(known.max())) if len(known) else (0.0, 0.0)
    high = high if high > low else low + 1.0
    shapes: list[Primitive] = [
        Polygon(np.array([[LEFT, top], [xs[-1], top], [xs[-1], bottom], [LEFT, bottom]]), PAPER),
        Polyline(np.array([[LEFT, bottom], [max(xs[-1], LEFT + 1.0), bottom]]), GRID, 1.0),
        Text(LEFT - 8.0, top + 14.0, curve.name, 11.0, INK, "end"),
        Text(LEFT - 8.0, top + 28.0, f"{high:.3g} {curve.unit}", 10.0, FAINT, "end"),
        Text(LEFT - 8.0, bottom, f"{low:.3g}", 10.0, FAINT, "end"),
    ]
    if not len(known):
        return [*shapes, Text(LEFT + 12.0, 0.5 * (top + bottom), "not measured in any frame", 11.0, FAINT)]
    ys = bottom - (curve.values - low) / (high - low) * (bottom - top - 4.0)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], np.isfinite(ys), [0]]).astype(int))).reshape(-1, 2)
    for start, stop in edges:
        line = np.stack([xs[start:stop], ys[start:stop]], axis=1)
        shapes.append(Polyline(line if stop - start > 1 else np.array([[-1.0, 0.0], [1.0, 0.0]]) + line, colour, 1.6))
    return shapes


def _seconds(start_secs: float, duration_secs: float, right: float, y: float) -> list[Primitive]:
    """The time axis, and faint lines up from it."""
    step = next((step for step in STEPS if duration_secs / step <= 16), STEPS[-1])
    shapes: list[Primitive] = [Text(LEFT - 8.0, y + 14.0, "seconds", 10.0, FAINT, "end")]
    for tick in np.arange(np.ceil(start_secs / step), (start_secs + duration_secs) / step + 1e-9):
        x = LEFT + (tick * step - start_secs) / duration_secs * (right - LEFT)
        shapes.append(Polyline(np.array([[x, TOP], [x, y]]), GRID, 1.0))
        shapes.append(Text(float(x), y + 14.0, f"{tick * step:g}", 10.0, INK, "middle"))
    return shapes
