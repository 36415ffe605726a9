"""Pictures of motion graphs: strips with seams marked, the way from above, a map of clips, matrices of distances."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np
from PIL import Image

from motionary.arguments import check_is
from motionary.errors import UsageError
from motionary.files import check_can_write, write_whole
from motionary.graph import BuiltGraph, GraphMotion
from motionary.metrics import Window, metric_named
from motionary.motion import Motion
from motionary.picture.drawing import Drawing
from motionary.picture.figure import figure
from motionary.picture.poses import poses_of
from motionary.picture.primitives import Ellipse, Polygon, Polyline, Primitive, Text
from motionary.picture.scene import Row, scenes_of
from motionary.picture.show import show_rows
from motionary.plants import contacts_of_plants
from motionary.rounding import measured

INK, FAINT, ROUTE, SEAM, WANTED = "#39424e", "#c9ced6", "#2d6ca8", "#c0392b", "#e0a030"
BANDS = ("#8fb8dc", "#5b9a68", "#e0a030", "#c0392b")  # still, slow, moderate, fast
SPEEDS = (0.1, 0.5, 1.5)
MOST_LINKS = 600
MOST_CLIPS = 80
MOST_OF = 40  # letters of what a graph is built of, in the title
MOST_WITH_FIGURES = 16  # clips; of more, only bars are drawn
FIGURE, FIGURES_APART = 44.0, 64.0  # pixels: how tall they are, and how far from each other
MOST_FRAMES = 3000  # of a matrix
WIDTH = 1200


def show_graph_motion(made: GraphMotion, path: Path | str, *, title: str = "") -> tuple[str, ...]:
    """Draw a motion out of a graph as a film strip (.png, .svg) or an animation (.gif); its seams are marked."""
    check_is(made, GraphMotion, called="made", meant="what graph_walk, graph_path or graph_follow gives")
    facts = made.facts()
    note = (
        f"{facts['secs']:.1f} s, {facts['transitions']} transitions up to {facts['worst_cm']:.1f} cm; "
        f"score {measured(facts['score_cm'], 1, 'cm')}; feet slide {facts['slide_cm']:.2f} cm"
    )
    motion = made.motion
    contacts = np.asarray(contacts_of_plants(made.performed.plants, motion.n_frames))
    marked = tuple((a, min(b + 1, motion.n_frames)) for a, b in made.performed.route.seams)
    return show_rows([Row(motion, title=title or "motion graph", note=note, contacts=contacts, marked=marked)], path)


def show_ground_way(made: GraphMotion, path: Path | str) -> None:
    """Draw the way of the root from above, blends in red, beside the path that was to be followed, if there was one."""
    check_is(made, GraphMotion, called="made", meant="what graph_walk, graph_path or graph_follow gives")
    root = made.performed.hips
    places = root[:, [0, 2]]
    lines = [places] if made.path is None else [places, _points(made.path.points)]
    low = np.min([line.min(axis=0) for line in lines], axis=0) - 0.5
    high = np.max([line.max(axis=0) for line in lines], axis=0) + 0.5
    scale = min(900.0 / (high[0] - low[0]), 900.0 / (high[1] - low[1]), 150.0)
    size = np.ceil((high - low) * scale).astype(int) + np.array([40, 60])

    def page(points: np.ndarray) -> np.ndarray:
        return (points - low) * scale + [20.0, 40.0]

    shapes: list[Primitive] = []
    for metre in range(int(np.ceil(low[0])), int(high[0]) + 1):
        shapes.append(Polyline(page(np.array([[metre, low[1]], [metre, high[1]]])), "#eef0f3"))
    for metre in range(int(np.ceil(low[1])), int(high[1]) + 1):
        shapes.append(Polyline(page(np.array([[low[0], metre], [high[0], metre]])), "#eef0f3"))
    if made.path is not None:
        shapes.append(Polyline(page(_points(made.path.points)), WANTED, 5.0))
    shapes.append(Polyline(page(places), ROUTE, 2.0))
    for a, b in made.performed.route.seams:
        shapes.append(Polyline(page(places[a : b + 1]), SEAM, 2.5))
    at_start = page(places[:1])[0]
    shapes.append(Ellipse(float(at_start[0]), float(at_start[1]), 5.0, 5.0, ROUTE))
    facts = made.facts()
    said = f"{facts['secs']:.1f} s from above, a square is 1 m; {facts['transitions']} blends (red)"
    if made.path is not None:
        said += f"; {facts['off_path_mean_cm']:.1f} cm off the path on average, {facts['off_path_most_cm']:.1f} at most"
    shapes.append(Text(20.0, 24.0, said, 13.0, INK))
    Drawing(int(max(size[0], 760)), int(size[1]), tuple(shapes), title=said).save(path)


def show_graph_map(
    built: BuiltGraph, names: Mapping[int, str], path: Path | str, *, motions: Callable[[int], Motion] | None = None
) -> tuple[str, ...]:
    """Draw clips as bars, from left to right in time, and transitions between them, coloured by the body's speed.

    Of many clips, those with most transitions are drawn, and of many transitions between these, the best of each speed.
    With `motions`, which gives the motion of a clip by its id (`bank.motion`), small figures stand along the bars.
    """
    check_is(built, BuiltGraph, called="built", meant="what build_graph or open_graph gives")
    check_is(names, Mapping, called="names", meant="names of clips by their ids")
    graph = built.graph
    ends = graph.ways.clip_of(np.stack([graph.transitions["source"], graph.transitions["target"]]))  # (2, N)
    counts = np.bincount(ends.ravel(), minlength=graph.ways.n_clips)
    n_clips = int((counts > 0).sum())
    clips = np.sort(np.argsort(-counts, kind="stable")[: min(MOST_CLIPS, n_clips)])
    drawn = np.flatnonzero(np.isin(ends, clips).all(axis=0))
    row_of = {int(clip): row for row, clip in enumerate(clips)}
    longest = max(int(np.diff(graph.ways.starts)[clip]) for clip in clips)
    has_figures = motions is not None and len(clips) <= MOST_WITH_FIGURES
    height, left, top = FIGURE + 32.0 if has_figures else 22.0, 150.0, 60.0 + FIGURE * has_figures

    def at(frame: int) -> tuple[float, float]:
        clip = int(graph.ways.clip_of(frame))
        x = left + (WIDTH - left - 20.0) * (frame - int(graph.ways.starts[clip])) / longest
        return x, top + row_of[clip] * height

    shapes: list[Primitive] = []
    bands = np.searchsorted(SPEEDS, built.speeds, side="right")
    order = drawn[_best_of_bands(graph.costs[drawn], bands[drawn])]
    for number in order[::-1].tolist():
        begin, end = at(int(graph.transitions["source"][number])), at(int(graph.transitions["target"][number]))
        colour = BANDS[int(bands[number])]
        (x0, y0), (x1, y1) = begin, end
        bow = 10.0 + 0.06 * abs(x1 - x0)
        share = np.linspace(0.0, 1.0, 13)
        points = np.stack([x0 + share * (x1 - x0), y0 + share * (y1 - y0) - bow * 4 * share * (1 - share)], axis=1)
        shapes.append(Polyline(points, colour, 0.7))
    for clip in row_of:
        first, last = int(graph.ways.starts[clip]), int(graph.ways.starts[clip + 1]) - 1
        (x0, y), (x1, _) = at(first), at(last)
        bar = np.array([[x0, y - 3.0], [x1, y - 3.0], [x1, y + 3.0], [x0, y + 3.0]])
        shapes.append(Polygon(bar, INK))
        name = names.get(int(graph.clip_ids[clip]), str(clip))
        shapes.append(Text(left - 8.0, y + 4.0, name[:22], 11.0, INK, "end"))
        if motions is not None and has_figures:
            shapes += _along_bar(motions(int(graph.clip_ids[clip])), x0, x1, y - 6.0)
    legend = ", ".join(("blue: still", "green: slow", "yellow: moderate", "red: fast"))
    of = built.of if len(built.of) <= MOST_OF else f"{built.of[: MOST_OF - 1]}…"
    title = f"{of}: {len(order):,} of {graph.n_transitions:,} transitions, the best of each speed ({legend})"
    shapes.append(Text(20.0, 26.0, title, 13.0, INK))
    notes = () if len(clips) == n_clips else (f"of {n_clips} clips, the {len(clips)} with most transitions are drawn",)
    if motions is not None and not has_figures:
        notes = (*notes, f"figures are drawn for up to {MOST_WITH_FIGURES} clips")
    Drawing(WIDTH, int(top + (len(row_of) - 1) * height + 40), tuple(shapes), title=title, notes=notes).save(path)
    return notes


def _best_of_bands(costs: np.ndarray, bands: np.ndarray) -> np.ndarray:
    """The numbers of the best transitions of every band, of each as large a share; the cheapest first."""
    order = np.argsort(costs, kind="stable")
    share = min(1.0, MOST_LINKS / max(len(costs), 1))
    rank = np.empty(len(order), dtype=np.int64)  # of every transition in its band
    for band in range(len(BANDS)):
        members = order[bands[order] == band]
        rank[members] = np.arange(len(members))
    counts = np.bincount(bands, minlength=len(BANDS))
    return order[rank[order] < np.round(share * counts)[bands[order]]]


def _along_bar(motion: Motion, start: float, stop: float, floor: float) -> list[Primitive]:
    """Poses of a clip, each above its time on a bar, at even distances."""
    (scene,) = scenes_of([Row(motion)], "auto")
    n_poses = max(1, int((stop - start) / FIGURES_APART))
    shares = (np.arange(n_poses) + 0.5) / n_poses
    poses = poses_of(scene.mannequin, motion, (shares * (motion.n_frames - 1)).round().astype(int))
    camera = replace(scene.camera, scale=FIGURE / scene.mannequin.size)
    base = camera.project(scene.on_ground(poses.centre))[:, :2]
    found: list[Primitive] = []
    for n, share in enumerate(shares.tolist()):
        x = start + share * (stop - start)
        found.extend(figure(poses, n, camera, at=(x - float(base[n, 0]), floor - float(base[n, 1]))))
    return found


def show_cost_matrix(built: BuiltGraph, path: Path | str, *, against: str | None = None) -> tuple[str, ...]:
    """Draw the distances of all frames as a matrix (.png), dark where they are near, with the transitions as dots.

    `against` another metric: the difference of the two, each divided by its median; blue where the graph's is larger,
    red where it is smaller.
    """
    check_is(built, BuiltGraph, called="built", meant="what build_graph or open_graph gives")
    check_is(path, str, PathLike, called="path", meant="the name of a file")
    path = Path(path)
    if path.suffix.lower() != ".png":
        raise UsageError(f"{path.name!r} does not end in .png; a matrix is a picture of pixels")
    check_can_write(path)
    graph, half = built.graph, built.settings.half(built.settings.blend_secs)
    window = Window(half, half)
    n_clips = int(np.searchsorted(graph.ways.starts, MOST_FRAMES, side="right")) - 1
    if n_clips < 1:
        raise UsageError(f"the first clip has more than {MOST_FRAMES:,} frames: too many for a matrix")
    n_frames = int(graph.ways.starts[n_clips])
    grids = [_matrix(built, name, window, n_clips) for name in (built.settings.metric, against) if name]
    grids = [grid / max(float(np.median(grid)), 1e-12) for grid in grids]
    if len(grids) == 1:
        shade = np.clip(255.0 * np.sqrt(grids[0] / 3.0), 0, 255)
        pixels = np.repeat(shade[..., None], 3, axis=2)
    else:
        difference = np.clip(255.0 * (np.sqrt(grids[0]) - np.sqrt(grids[1])), -255, 255)
        pixels = np.stack([np.maximum(-difference, 0), np.zeros_like(difference), np.maximum(difference, 0)], axis=2)
    pixels = pixels.astype(np.uint8)
    for source, target in graph.transitions[["source", "target"]].tolist():
        if source < n_frames and target < n_frames:
            pixels[max(source - 1, 0) : source + 2, max(target - 1, 0) : target + 2] = (70, 220, 90)
    from io import BytesIO

    buffer = BytesIO()
    Image.fromarray(pixels).save(buffer, "PNG")
    write_whole(path, buffer.getvalue())
    return () if n_clips == graph.ways.n_clips else (f"only the first {n_clips} clips are in the matrix",)


def _matrix(built: BuiltGraph, name: str, window: Window, n_clips: int) -> np.ndarray:
    metric = metric_named(name, window=window)
    arrays = [built.features.of(int(clip_id)).arrays for clip_id in built.graph.clip_ids[:n_clips]]
    described = [metric.describe(one, rate_hz=built.settings.rate_hz) for one in arrays]
    starts = built.graph.ways.starts
    whole = np.empty((int(starts[n_clips]),) * 2, dtype=np.float32)
    for i in range(n_clips):
        for j in range(n_clips):
            part = np.empty((int(starts[i + 1] - starts[i]), int(starts[j + 1] - starts[j])), dtype=np.float32)
            metric.block(described[i], described[j], part)
            whole[starts[i] : starts[i + 1], starts[j] : starts[j + 1]] = part
    return whole


def _points(line: np.ndarray) -> np.ndarray:
    return np.stack([line.real, line.imag], axis=1)
