"""Pictures of blends: a blend between its sources on one clock, warps, and the region of a parametric motion."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionary.arguments import check_is
from motionary.blend import Blend, Registration
from motionary.errors import UsageError
from motionary.parametric import Answer, ParametricMotion
from motionary.picture.drawing import Drawing
from motionary.picture.primitives import Ellipse, Polygon, Polyline, Primitive, Text
from motionary.picture.scene import Row
from motionary.picture.show import show_rows
from motionary.plants import contacts_of_plants

INK, FAINT, GRID, PAPER = "#39424e", "#8b949e", "#dde1e6", "#f7f8fa"
SAMPLE, EXAMPLE, WANTED, GOT = "#9bb8d3", "#1f4e79", "#c0392b", "#2f9e77"
COLOURS = ("#3b82c4", "#f0953d", "#6b4e9b", "#2f9e77", "#b8405e", "#7f8c3a", "#4a9fb5", "#a0522d")
MOST_SOURCES = 7


def show_blend(made: Blend, path: Path | str, *, title: str = "blend", n_poses: int | None = None) -> tuple[str, ...]:
    """Draw a blend above its sources, heaviest first, all on one clock: what stands below each other goes together."""
    check_is(made, Blend, called="made", meant="what blend_segments gives")
    registration = made.registration
    weights = made.weights.mean(axis=0)
    used = [int(i) for i in np.argsort(-np.abs(weights), kind="stable") if np.abs(made.weights[:, i]).max() > 1e-6]
    frame_time = registration.frame_time
    rows = [
        Row(
            made.motion,
            title=title,
            contacts=contacts_of_plants(made.plants, made.motion.n_frames),
            body_map=registration.body.body_map,
            clock=_ascending(made.clock * frame_time),
            sets_view=True,
        )
    ]
    for i in used[:MOST_SOURCES]:
        source = registration.sources[i]
        frames = np.arange(source.motion.n_frames, dtype=float)
        rows.append(
            Row(
                source.motion,
                title=f"{weights[i]:.2f} of {source.name}",
                contacts=contacts_of_plants(source.plants, source.motion.n_frames),
                body_map=source.body.body_map,
                clock=_ascending(registration.warp(i).inverse()(frames) * frame_time),
            )
        )
    notes = show_rows(rows, path, n_poses=n_poses, spread="time")
    left = len(used) - MOST_SOURCES
    return (*notes, f"{left} more sources are not drawn") if left > 0 else notes


def show_warps(registration: Registration, path: Path | str) -> None:
    """Draw the warps of a registration: the frames of each source over the common clock, with its plants."""
    check_is(registration, Registration, called="registration", meant="what register_segments gives")
    warp_plot(registration).save(path)


def warp_plot(registration: Registration, *, width: int = 900) -> Drawing:
    """Seconds of every source over the common clock; bars below are the plants that all share."""
    left, top, size, foot = 70.0, 40.0, float(width) - 330.0, 110.0
    frame_time = registration.frame_time
    last = (registration.n_clock - 1) * frame_time
    highest = max(float(registration.curves.max()) * frame_time, last)
    scale_x, scale_y = size / last, size / highest
    bottom = top + size
    shapes: list[Primitive] = [
        Text(
            16.0,
            24.0,
            f"{registration.n_sources} motions on the clock of {registration.names[registration.reference]}",
            14.0,
            INK,
            bold=True,
        ),
        Polygon(np.array([[left, top], [left + size, top], [left + size, bottom], [left, bottom]]), PAPER),
    ]
    for tick in np.arange(0.0, highest + 1e-9, _step(highest)):
        y = bottom - tick * scale_y
        shapes += [
            Polyline(np.array([[left, y], [left + size, y]]), GRID, 1.0),
            Text(left - 8.0, y + 4.0, f"{tick:g}", 10.0, FAINT, "end"),
        ]
    for tick in np.arange(0.0, last + 1e-9, _step(last)):
        x = left + tick * scale_x
        shapes += [
            Polyline(np.array([[x, top], [x, bottom]]), GRID, 1.0),
            Text(x, bottom + 15.0, f"{tick:g}", 10.0, FAINT, "middle"),
        ]
    shapes.append(Text(left + size, bottom + 30.0, "seconds on the clock", 10.0, FAINT, "end"))
    clock = np.arange(registration.n_clock) * frame_time
    for i, name in enumerate(registration.names):
        colour = COLOURS[i % len(COLOURS)]
        line = np.stack([left + clock * scale_x, bottom - registration.curves[i] * frame_time * scale_y], axis=1)
        shapes.append(Polyline(line, colour, 2.4 if i == registration.reference else 1.4))
        if i < 24:
            y = top + 14.0 + 17.0 * i
            shapes += [
                Polyline(np.array([[left + size + 16.0, y - 4.0], [left + size + 34.0, y - 4.0]]), colour, 2.4),
                Text(left + size + 40.0, y, f"{name}  {100 * registration.costs[i]:.1f} cm", 11.0, INK),
            ]
    y = bottom + 44.0
    for foot_name, colour in (("left", COLOURS[0]), ("right", COLOURS[1])):
        for part in ("heel", "toe"):
            shapes.append(Text(left - 8.0, y + 8.0, f"{foot_name[0].upper()} {part}", 9.0, FAINT, "end"))
            for plant in registration.plants:
                if (plant.foot, plant.part) == (foot_name, part):
                    a, b = (
                        left + min(u, registration.n_clock - 1.0) * frame_time * scale_x
                        for u in (plant.start, plant.stop)
                    )
                    shapes.append(
                        Polygon(np.array([[a, y], [max(b, a + 1), y], [max(b, a + 1), y + 8], [a, y + 8]]), colour)
                    )
            y += 13.0
    return Drawing(width, int(bottom + foot), tuple(shapes), title="warps")


def show_region(
    parametric: ParametricMotion, path: Path | str, *, answers: Sequence[Answer] = (), title: str = "region"
) -> None:
    """Draw the region of a parametric motion: its samples as a cloud in two views, examples, what was asked and got."""
    check_is(parametric, ParametricMotion, called="parametric", meant="a ParametricMotion")
    region_plot(parametric, answers=answers, title=title).save(path)


def region_plot(parametric: ParametricMotion, *, answers: Sequence[Answer] = (), title: str = "region") -> Drawing:
    """Samples in two views side by side; one parameter is drawn against itself spread out at random."""
    values, names = (
        parametric.samples.values,
        [f"{p.name} ({p.unit})" if p.unit else p.name for p in parametric.parameters],
    )
    n_dims = values.shape[1]
    if not len(values):
        raise UsageError("there are no samples to draw")
    if n_dims == 1:
        views: list[tuple[int, int | None]] = [(0, None)]
    elif n_dims == 2:
        views = [(0, 1)]
    else:
        views = [(0, 2), (0, 1)]
    size, gap, top = 430.0, 90.0, 70.0
    width = int(gap + len(views) * (size + gap))
    shapes: list[Primitive] = [
        Text(16.0, 26.0, title, 15.0, INK, bold=True),
        *_legend(len(values), parametric.n_examples, len(answers)),
    ]
    for number, (a, b) in enumerate(views):
        left = gap + number * (size + gap)
        shapes += _cloud(parametric, a, b, names, answers, left, top, size)
    return Drawing(width, int(top + size + 50.0), tuple(shapes), title=title)


def _cloud(
    parametric: ParametricMotion,
    a: int,
    b: int | None,
    names: Sequence[str],
    answers: Sequence[Answer],
    left: float,
    top: float,
    size: float,
) -> list[Primitive]:
    values = parametric.samples.values
    spread = np.random.default_rng(0).uniform(0.3, 0.7, len(values))
    wanted = [answer.wanted for answer in answers]
    everything = np.concatenate([values, np.array(wanted)]) if wanted else values
    low, high = everything.min(axis=0), everything.max(axis=0)
    span = np.maximum(high - low, 1e-9)
    # Lengths keep their proportions; a length and an angle need not.
    same = b is not None and parametric.parameters[a].unit == parametric.parameters[b].unit
    if same and b is not None:
        widest = max(span[a], span[b])
        low = low - 0.5 * (widest - span) * np.isin(np.arange(len(span)), (a, b))
        span = np.where(np.isin(np.arange(len(span)), (a, b)), widest, span)

    def at(point: np.ndarray, height: float = 0.5) -> tuple[float, float]:
        x = left + (0.06 + 0.88 * (point[a] - low[a]) / span[a]) * size
        share = height if b is None else (point[b] - low[b]) / span[b]
        return float(x), float(top + size - (0.06 + 0.88 * share) * size)

    shapes: list[Primitive] = [
        Polygon(np.array([[left, top], [left + size, top], [left + size, top + size], [left, top + size]]), PAPER),
        Text(left + 0.5 * size, top + size + 32.0, names[a], 12.0, INK, "middle"),
        Text(left + 4.0, top - 8.0, "" if b is None else names[b] + " ↑", 12.0, INK),
    ]
    for axis, horizontal in ((a, True), (b, False)):
        if axis is None:
            continue
        step = _step(float(span[axis]))
        for tick in np.arange(np.ceil(low[axis] / step) * step, low[axis] + span[axis] + 1e-9, step):
            point = np.array(low)
            point[axis] = tick
            x, y = at(point)
            if horizontal:
                shapes += [
                    Polyline(np.array([[x, top], [x, top + size]]), GRID, 1.0),
                    Text(x, top + size + 15.0, f"{tick:.3g}", 10.0, FAINT, "middle"),
                ]
            else:
                shapes += [
                    Polyline(np.array([[left, y], [left + size, y]]), GRID, 1.0),
                    Text(left - 6.0, y + 4.0, f"{tick:.3g}", 10.0, FAINT, "end"),
                ]
    for point, height in zip(values[parametric.n_examples :], spread[parametric.n_examples :], strict=True):
        shapes.append(Ellipse(*at(point, float(height)), 2.2, 2.2, SAMPLE))
    shapes += [Ellipse(*at(point), 5.0, 5.0, EXAMPLE) for point in parametric.examples]
    for answer in answers:
        (x, y), (u, v) = at(answer.wanted), at(answer.got)
        shapes += [
            Polyline(np.array([[x, y], [u, v + 1e-6]]), GOT, 1.6),
            Polyline(np.array([[x - 5, y - 5], [x + 5, y + 5]]), WANTED, 2.0),
            Polyline(np.array([[x - 5, y + 5], [x + 5, y - 5]]), WANTED, 2.0),
            Ellipse(u, v, 3.6, 3.6, GOT),
        ]
    return shapes


def _legend(n_samples: int, n_examples: int, n_answers: int) -> list[Primitive]:
    entries = [(EXAMPLE, f"{n_examples} examples"), (SAMPLE, f"{n_samples - n_examples} samples")]
    if n_answers:
        entries += [(WANTED, "asked"), (GOT, "got")]
    shapes: list[Primitive] = []
    x = 16.0
    for colour, text in entries:
        shapes += [Ellipse(x + 5.0, 44.0, 4.5, 4.5, colour), Text(x + 14.0, 48.0, text, 11.0, INK)]
        x += 34.0 + 7.0 * len(text)
    return shapes


def _step(span: float) -> float:
    """A round number of which four to ten fit into the span."""
    raw = max(span, 1e-9) / 5.0
    size = 10.0 ** np.floor(np.log10(raw))
    return float(size * next(m for m in (1.0, 2.0, 5.0, 10.0) if m * size >= raw))


def _ascending(times: np.ndarray) -> np.ndarray:
    """The times, each later than the last."""
    return np.maximum.accumulate(times) + 1e-9 * np.arange(len(times))
