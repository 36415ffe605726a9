"""What stands beside a row: its title, how long and far it goes, and its path seen from above."""

import re
from collections.abc import Sequence

import numpy as np

from motionary.picture.figure import PALETTE
from motionary.picture.layout import Placed
from motionary.picture.primitives import Ellipse, Polygon, Polyline, Primitive, Text
from motionary.picture.raster import text_width

INK, FAINT, PATH = "#39424e", "#8b949e", "#6b4e9b"
TITLE, SMALL = 13.0, 10.0
MAX_TITLE_LINES = 3
TIED = "\N{NO-BREAK SPACE}"
_UNIT = re.compile(r"(\d) (?=(?:cm|m|s|°)\b|°)")
_ASIDE = re.compile(r" \(([^()]+)\)$")
_PARTS = re.compile(r"((?:\w+: )?)(.*?)((?::\d+-\d+)?)", re.DOTALL)
LEAST_NAME = 5  # letters of a name whose middle is left out
LEAST_MAP = 44.0  # pixels that a map needs to show something, its scale bar included


def panel(
    placed: Placed, all_placed: Sequence[Placed], *, left: float, top: float, width: float, height: float
) -> list[Primitive]:
    """The texts and the map of one row; all rows' maps have the same scale."""
    row = placed.scene.row
    y = top + TITLE
    shapes: list[Primitive] = []
    title, aside = titled(row.title, width)
    for line in title:
        shapes.append(Text(left, y, line, TITLE, INK, bold=True))
        y += TITLE + 3.0
    for line in [*wrapped(aside, SMALL, width), *wrapped(row.note, SMALL, width)]:
        shapes.append(Text(left, y, line, SMALL, INK))
        y += SMALL + 3.0
    far = path_length(placed)
    shapes.append(Text(left, y, f"{row.motion.duration_secs:.2f} s", SMALL, FAINT))
    y += SMALL + 3.0
    if far > 0.3 * placed.scene.mannequin.size:
        shapes.append(Text(left, y, f"path {far:.1f} m" if far >= 1.0 else f"path {100 * far:.0f} cm", SMALL, FAINT))
        y += SMALL + 3.0
        room = top + height - y - 40.0
        if room > LEAST_MAP:
            shapes.extend(_map(placed, all_placed, left=left, top=y, width=width, height=room))
    return shapes


def path_length(placed: Placed) -> float:
    """Metres that the pelvis goes over the floor; what sways within 3% of the body's size is not counted."""
    centre = placed.scene.poses.centre[:, [0, 2]]
    least = 0.03 * placed.scene.mannequin.size
    far, last = 0.0, centre[0]
    for place in centre[1:]:
        step = float(np.hypot(*(place - last)))
        if step > least:
            far, last = far + step, place
    return far


def legend(width: int, *, contacts: bool, highlight: bool) -> list[Primitive]:
    """What the colours mean, at the top right."""
    shapes: list[Primitive] = []
    x, y = width - 14.0, 18.0
    words = [("right", PALETTE.sides["right"]), ("left", PALETTE.sides["left"])]
    if highlight:
        words.append(("chosen joints", PALETTE.highlight))
    for word, colour in words:
        x -= text_width(word, SMALL)
        shapes.append(Text(x, y, word, SMALL, INK))
        shapes.append(Ellipse(x - 9.0, y - 3.5, 4.5, 4.5, colour))
        x -= 26.0
    if contacts:
        x -= text_width("bars: planted", SMALL)
        shapes.append(Text(x, y, "bars: planted", SMALL, FAINT))
    return shapes


def _map(
    placed: Placed, all_placed: Sequence[Placed], *, left: float, top: float, width: float, height: float
) -> list[Primitive]:
    """The path from above, away from the camera upwards, with a dot per pose and an arrow at the end."""
    paths = {id(one): _from_above(one) for one in all_placed}
    extent = np.max([np.ptp(path, axis=0) for path in paths.values()], axis=0)
    pad = 7.0
    scale = float(np.min((np.array([width, height - 14.0]) - 2.0 * pad) / np.maximum(extent, 1e-9)))
    path = paths[id(placed)]
    pixels = (path - path.min(axis=0)) * scale + np.array([left + pad, top + pad])
    shapes: list[Primitive] = [Polyline(pixels, PATH, 1.5)]
    samples = placed.scene.frames
    for frame in placed.frames:
        x, y = (float(np.interp(frame, samples, pixels[:, i])) for i in range(2))
        shapes.append(Ellipse(x, y, 2.0, 2.0, PATH))
    shapes.extend(_arrow_head(pixels))
    metres = _round_length(0.5 * width / scale)
    bar_y = min(float(pixels[:, 1].max()) + 12.0, top + height)
    shapes.append(Polyline(np.array([[left + pad, bar_y], [left + pad + metres * scale, bar_y]]), FAINT, 1.2))
    label = f"{metres:g} m" if metres >= 1.0 else f"{100 * metres:g} cm"
    shapes.append(Text(left + pad + metres * scale + 5.0, bar_y + 3.5, label, 9.0, FAINT))
    return shapes


def _from_above(placed: Placed) -> np.ndarray:
    path = placed.scene.path()
    return path * np.array([1.0, 1.0 / np.sin(placed.camera.elevation)])


def _arrow_head(pixels: np.ndarray) -> list[Primitive]:
    gaps = np.linalg.norm(pixels[-1] - pixels, axis=1)
    before = np.flatnonzero(gaps > 5.0)
    if not len(before):
        return []
    ahead = (pixels[-1] - pixels[before[-1]]) / gaps[before[-1]]
    across = np.array([-ahead[1], ahead[0]])
    tip = pixels[-1] + 5.0 * ahead
    return [Polygon(np.stack([tip, tip - 8.0 * ahead + 4.0 * across, tip - 8.0 * ahead - 4.0 * across]), PATH)]


def _round_length(metres: float) -> float:
    """The largest of 1, 2 and 5 times a power of ten that is not above `metres`."""
    power = 10.0 ** np.floor(np.log10(max(metres, 1e-9)))
    return float(power * max(step for step in (1.0, 2.0, 5.0) if step * power <= metres * 1.000001))


def titled(title: str, width: float, *, n_lines: int = MAX_TITLE_LINES) -> tuple[list[str], str]:
    """The lines of a title, and what of it is said below in small letters: a last "(mirrored)" that has no room.

    Where the rest still has no room, the name of the clip loses its middle: rank and frames stay.
    """
    aside = ""
    if not _has_room(title, width, n_lines) and (found := _ASIDE.search(title)):
        title, aside = title[: found.start()], found.group(1)
    parts = _PARTS.fullmatch(title)
    assert parts is not None  # all of it may be the name
    rank, name, frames = parts.groups()
    for kept in range(len(name) - 1, LEAST_NAME - 1, -1):
        if _has_room(title, width, n_lines):
            break
        title = f"{rank}{name[: kept // 2].rstrip()}…{name[kept // 2 - kept :].lstrip()}{frames}"
    return wrapped(title, TITLE, width, n_lines=n_lines), aside


def _has_room(title: str, width: float, n_lines: int) -> bool:
    lines = wrapped(title, TITLE, width, n_lines=n_lines)
    is_whole = "".join("".join(lines).split()) == "".join(title.split())
    return is_whole and not any(line.startswith(":") for line in lines)


def wrapped(text: str, size: float, width: float, *, n_lines: int = MAX_TITLE_LINES) -> list[str]:
    """The text in a few lines that fit, the last one cut with … if need be; a number stays with its unit."""
    lines: list[str] = []
    rest = _UNIT.sub(f"\\1{TIED}", " ".join(text.split()))
    while rest and len(lines) < n_lines:
        fits = len(rest)
        while fits > 1 and text_width(rest[:fits], size, bold=True) > width:
            fits -= 1
        if fits < len(rest):
            if len(lines) == n_lines - 1:
                lines, rest = [*lines, rest[: max(fits - 1, 1)] + "…"], ""
                break
            fits = _break(rest, fits)
        lines.append(rest[:fits].rstrip())
        rest = rest[fits:].lstrip()
    return [line.replace(TIED, " ") for line in lines]


def _break(text: str, fits: int) -> int:
    """Where to end a line of at most `fits` letters: at a blank or behind a colon, else behind another sign, else
    before a number, which stays whole if it can."""
    if (at := max(text.rfind(" ", 1, fits + 1), text.rfind(":", 0, fits) + 1)) > 0:
        return at
    if (at := max(text.rfind(sign, 0, fits) + 1 for sign in "-_/~,")) > 0:
        return at
    start = fits
    while start > 0 and text[start - 1].isdigit() and text[fits].isdigit():
        start -= 1
    return start or fits
