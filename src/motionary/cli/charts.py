"""Small charts for the terminal."""

from collections.abc import Sequence

import numpy as np

BLOCKS = " ▁▂▃▄▅▆▇█"


def curve_chart(values: np.ndarray, *, width: int, height: int, unit: str) -> list[str]:
    """A curve as filled columns, its largest value at the top left; dots where it has no value (NaN)."""
    parts = np.array_split(values, min(width, len(values)))
    known = [not np.isnan(part).all() for part in parts]
    columns = np.array([part[~np.isnan(part)].max(initial=0.0) for part in parts])
    top = float(columns.max(initial=0.0)) or 1.0
    eighths = np.round(columns / top * 8 * height).astype(int)
    lines = []
    for row in reversed(range(height)):
        cells = "".join(
            BLOCKS[int(np.clip(level - 8 * row, 0, 8))] if is_known or row else "·"
            for level, is_known in zip(eighths, known, strict=True)
        )
        mark = f"{top:5.2f} {unit}" if row == height - 1 else f"{0:5.2f} {unit}" if row == 0 else ""
        lines.append(f"{mark:>11} │{cells}")
    return lines


def lane_chart(name: str, on: np.ndarray, *, width: int) -> str:
    """Where a yes/no curve is on; a column counts as on if most of its frames are."""
    cells = "".join("▄" if part.mean() > 0.5 else "·" for part in np.array_split(on, min(width, len(on))))
    return f"{name:>11} │{cells}"


def interval_chart(name: str, intervals: Sequence[tuple[int, int]], n_frames: int, *, width: int) -> str:
    """Where intervals of frames lie."""
    on = np.zeros(n_frames)
    for start, stop in intervals:
        on[start:stop] = 1.0
    return lane_chart(name, on, width=width)


def time_axis(duration_secs: float, *, width: int) -> list[str]:
    """Seconds below a chart."""
    steps = [step for step in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600) if step > 0]
    step = next((s for s in steps if duration_secs / s * 7 <= width), 7200)
    line, marks = ["─"] * width, [" "] * (width + 8)
    for i in range(int(duration_secs / step) + 1):
        column = int(i * step / max(duration_secs, 1e-9) * width)
        if column < width:
            line[column] = "┴"
            text = f"{i * step:g}"
            marks[column : column + len(text)] = text
    return [" " * 12 + "└" + "".join(line), " " * 13 + "".join(marks).rstrip() + " s"]
