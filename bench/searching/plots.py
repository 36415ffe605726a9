"""Plots of figures: panels side by side, each with a few lines over one axis."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from motionary.picture import Drawing, Ellipse, Polygon, Polyline, Primitive, Text

WIDTH, HEIGHT = 640.0, 290.0  # of a panel
LEFT, RIGHT, TOP, FOOT = 64.0, 216.0, 46.0, 44.0  # names of lines stand to the right
INK, FAINT, GRID, PAPER = "#39424e", "#8b949e", "#dde1e6", "#f7f8fa"
COLOURS = ("#3b82c4", "#f0953d", "#6b4e9b", "#2f9e77", "#b8405e", "#7a5c3e")


@dataclass(frozen=True, eq=False)
class Panel:
    """Lines over the same x, on logarithmic axes unless said otherwise; what is not above 0 is left out there."""

    title: str
    x_label: str
    y_label: str
    xs: Sequence[float]
    lines: Mapping[str, Sequence[float]]
    log_x: bool = False
    log_y: bool = True
    notes: Sequence[str] = ()  # below the names of the lines


def panels_plot(panels: Sequence[Panel], *, title: str, n_columns: int = 2) -> Drawing:
    """All panels, row by row."""
    n_columns = min(n_columns, len(panels))
    n_rows = -(-len(panels) // n_columns)
    shapes: list[Primitive] = [Text(16.0, 26.0, title, 15.0, INK, bold=True)]
    for number, panel in enumerate(panels):
        x, y = number % n_columns * WIDTH, 36.0 + number // n_columns * HEIGHT
        shapes += _panel(panel, x, y)
    return Drawing(int(n_columns * WIDTH), int(36.0 + n_rows * HEIGHT), tuple(shapes), title=title)


def _panel(panel: Panel, x: float, y: float) -> list[Primitive]:
    left, right, top, bottom = x + LEFT, x + WIDTH - RIGHT, y + TOP, y + HEIGHT - FOOT
    xs = np.array(panel.xs, dtype=float)
    lines = {name: np.array(values, dtype=float) for name, values in panel.lines.items()}
    values = np.concatenate(list(lines.values()))
    values = values[np.isfinite(values) & ((values > 0) | (not panel.log_y))]
    low, high = (float(values.min()), float(values.max())) if len(values) else (1.0, 10.0)
    across = _Axis.of(float(xs.min()), float(xs.max()), left, right, log=panel.log_x)
    up = _Axis.of(low if panel.log_y else min(0.0, low), high, bottom, top, log=panel.log_y)
    corners = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    shapes: list[Primitive] = [
        Polygon(corners, PAPER),
        Text(left, y + 18.0, panel.title, 12.0, INK, bold=True),
        Text(0.5 * (left + right), bottom + 32.0, panel.x_label, 10.0, FAINT, "middle"),
        Text(x + 8.0, y + 34.0, panel.y_label, 10.0, FAINT),
    ]
    below = top + 10.0 + 16.0 * len(lines)
    shapes += [Text(right + 8.0, below + 14.0 * i, note, 10.0, FAINT) for i, note in enumerate(panel.notes, 1)]
    for tick in up.ticks():
        shapes.append(Polyline(np.array([[left, up.at(tick)], [right, up.at(tick)]]), GRID, 1.0))
        shapes.append(Text(left - 6.0, up.at(tick) + 4.0, f"{tick:g}", 10.0, INK, "end"))
    for tick in xs if len(xs) <= 8 else xs[:: -(-len(xs) // 8)]:
        shapes.append(Text(across.at(tick), bottom + 16.0, f"{tick:g}", 10.0, INK, "middle"))
    for number, (name, ys) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        known = np.isfinite(ys) & ((ys > 0) | (not panel.log_y))
        points = [(across.at(u), up.at(v)) for u, v in zip(xs[known], ys[known], strict=True)]
        if len(points) > 1:
            shapes.append(Polyline(np.array(points), colour, 1.8))
        shapes += [Ellipse(u, v, 2.6, 2.6, colour) for u, v in points]
        row = top + 10.0 + 16.0 * number
        shapes.append(Polyline(np.array([[right + 8.0, row - 4.0], [right + 22.0, row - 4.0]]), colour, 2.4))
        shapes.append(Text(right + 28.0, row, name, 10.0, INK))
    return shapes


@dataclass(frozen=True)
class _Axis:
    """Numbers to pixels."""

    low: float
    high: float
    start: float
    stop: float
    log: bool

    @classmethod
    def of(cls, low: float, high: float, start: float, stop: float, *, log: bool) -> "_Axis":
        if log:
            return cls(low / 1.2, max(high, low * 2.0) * 1.2, start, stop, log)
        room = 0.04 * (high - low) or 1.0
        return cls(low - (room if low else 0.0), high + room, start, stop, log)

    def at(self, value: float) -> float:
        low, high, here = np.log([self.low, self.high, value]) if self.log else (self.low, self.high, value)
        return float(self.start + (here - low) / (high - low) * (self.stop - self.start))

    def ticks(self) -> list[float]:
        if self.log:
            powers = range(int(np.floor(np.log10(self.low))), int(np.ceil(np.log10(self.high))) + 1)
            steps = (1, 2, 5) if np.log10(self.high / self.low) < 2.5 else (1,)
            found = [step * 10.0**power for power in powers for step in steps]
        else:
            size = 10.0 ** np.floor(np.log10(max(self.high - self.low, 1e-9)))
            step = next(each for each in (size / 5, size / 2, size) if (self.high - self.low) / each <= 6)
            found = [float(tick) for tick in np.arange(np.ceil(self.low / step), self.high / step + 1e-9) * step]
        return [tick for tick in found if self.low <= tick <= self.high]
