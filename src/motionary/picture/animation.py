"""Animated pictures: the bodies move in real time, side by side, over a floor that passes below them."""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image

from motionary.errors import UsageError
from motionary.motion import even_frames, poses_at
from motionary.picture.camera import Camera, View
from motionary.picture.drawing import Drawing, write_as
from motionary.picture.figure import figure, planted_foot, shadow
from motionary.picture.panel import titled
from motionary.picture.poses import Poses, poses_of
from motionary.picture.primitives import Polygon, Polyline, Primitive, Text
from motionary.picture.scene import Row, Scene, scenes_of
from motionary.picture.video import mp4

ELEVATION = np.radians(18.0)
LEAST_DELAY_CS = 4  # GIF counts in hundredths of a second: 25 frames a second
MAX_PICTURES = 200  # longer motions are shown with fewer pictures a second, never faster
FOLLOW_SECS = 1.2  # the camera follows the mean place over this time
GRID_TURN = np.radians(32.0)  # of the floor's lines against the line of sight
N_COLOURS = 128
MARGIN = 12.0
FLOOR, GRID, INK, FAINT = "#eef0f3", "#d3d8de", "#39424e", "#8b949e"


@dataclass(frozen=True, eq=False)
class Animation:
    """Drawings of one size, shown `delay_cs` hundredths of a second each, over and over."""

    drawings: tuple[Drawing, ...]
    delay_cs: int

    def gif(self) -> bytes:
        """The bytes of an animated GIF; all pictures share one palette, so that colours do not flicker."""
        images = [drawing.image(enlarge=2) for drawing in self.drawings]
        palette = _palette(images)
        indexed = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
        buffer = io.BytesIO()
        indexed[0].save(
            buffer,
            "GIF",
            save_all=True,
            append_images=indexed[1:],
            duration=10 * self.delay_cs,
            loop=0,
            optimize=False,
        )
        return buffer.getvalue()

    def _repr_html_(self) -> str:
        """What a notebook shows: the animation, playing."""
        return f'<img src="data:image/gif;base64,{base64.b64encode(self.gif()).decode("ascii")}"/>'

    def mp4(self) -> bytes:
        """The bytes of an MP4 film, made by ffmpeg; raises if that is not installed."""
        return mp4((drawing.image(enlarge=2) for drawing in self.drawings), rate_hz=100.0 / self.delay_cs)

    def save(self, path: Path | str) -> None:
        """Write the animation to a .gif or .mp4 file."""
        write_as(path, {".gif": self.gif, ".mp4": self.mp4})


def animation(
    rows: Sequence[Row], *, width: int = 420, height: int = 400, view: View = "auto", n_columns: int | None = None
) -> Animation:
    """The rows' motions moving side by side in real time, each in a panel of `width` × `height` pixels.

    All run on one clock from their first frames; a shorter one waits in its last pose. `n_columns` panels stand in a
    row (all, if it is not given), and the others below them.
    """
    if width < 80 or height < 80:
        raise UsageError(f"an animation of {width} × {height} pixels is too small; use at least 80 × 80")
    scenes = scenes_of(rows, view)
    duration = max(scene.duration_secs for scene in scenes)
    delay_cs = max(LEAST_DELAY_CS, int(np.ceil(100.0 * duration / MAX_PICTURES)))
    times = np.arange(int(100.0 * duration / delay_cs + 1e-6) + 1) * (delay_cs / 100.0)
    panels = [_Panel.of(scene, times) for scene in scenes]
    room = np.array([width - 2.0 * MARGIN, height - 4.0 * MARGIN - 12.0])
    scale = float(min(np.min(room / panel.needed) for panel in panels))
    title = ", ".join(row.title for row in rows if row.title)
    drawings = []
    n_columns = min(n_columns or len(panels), len(panels))
    size = (width * n_columns, height * -(-len(panels) // n_columns))
    for i in range(len(times)):
        shapes: list[Primitive] = []
        for n, panel in enumerate(panels):
            down, across = divmod(n, n_columns)
            corner = (float(across * width), float(down * height))
            shapes.extend(panel.draw(i, scale, corner=corner, width=float(width), height=float(height)))
        drawings.append(Drawing(*size, tuple(shapes), title=title))
    return Animation(tuple(drawings), delay_cs)


@dataclass(frozen=True, eq=False)
class _Panel:
    """One row of an animation at the times of its pictures."""

    scene: Scene
    camera: Camera  # 1 pixel per metre
    poses: Poses
    frames: np.ndarray  # (P,) in the row's motion, not whole
    target: np.ndarray  # (P, 3) what the camera looks at, on the floor
    reach: np.ndarray  # (4,) metres that the body reaches left, right, up and down from there

    @classmethod
    def of(cls, scene: Scene, times: np.ndarray) -> "_Panel":
        """The row `scene` at `times`, seconds from its first frame."""
        motion = scene.row.motion
        frames = np.minimum(scene.frames_at(times), motion.n_frames - 1)
        poses = poses_of(scene.mannequin, poses_at(motion, frames), np.arange(len(frames)))
        target = scene.on_ground(_smooth(poses.centre, times))
        camera = replace(scene.camera, elevation=ELEVATION)
        seen = camera.project(poses.nodes - target[:, None])[..., :2]
        thick = (0.05 if scene.mannequin.head is None else 0.09) * scene.mannequin.size
        low, high = seen.min(axis=(0, 1)) - thick, seen.max(axis=(0, 1)) + thick
        down = max(high[1], 0.25 * scene.mannequin.size)
        return cls(scene, camera, poses, frames, target, np.array([-low[0], high[0], -low[1], down]))

    @property
    def needed(self) -> np.ndarray:
        """Metres (2,) across and upright that the panel must show."""
        return np.array([2.0 * max(self.reach[0], self.reach[1]), self.reach[2] + self.reach[3]])

    def draw(
        self, i: int, scale: float, *, corner: tuple[float, float], width: float, height: float
    ) -> list[Primitive]:
        """The shapes of picture `i`, with the panel's left upper corner there."""
        left, top = corner
        row, ground = self.scene.row, float(self.scene.floor_heights(self.poses.centre[i]))
        camera = replace(self.camera, scale=scale)
        front = top + height - 2.0 * MARGIN - 8.0
        middle = np.array([left + width / 2.0, front - self.reach[3] * scale])
        back = middle[1] - 0.45 * self.scene.mannequin.size * np.sin(camera.elevation) * scale - 8.0
        at_x, at_y = middle - camera.project(self.target[i])[:2]
        at = (float(at_x), float(at_y))
        shapes: list[Primitive] = [
            Polygon(np.array([[left, back], [left + width, back], [left + width, front], [left, front]]), FLOOR)
        ]
        box = np.array([[left, back], [left + width, front]])
        shapes.extend(_floor_lines(self.target[i], camera, middle, box, self.scene))
        shapes.extend(shadow(self.poses, i, camera, ground=ground, at=at))
        if row.contacts is not None:
            for foot in np.flatnonzero(row.contacts[round(float(self.frames[i]))]):
                shapes.extend(planted_foot(self.poses, i, int(foot), camera, ground=ground, at=at, floor=FLOOR))
        shapes.extend(figure(self.poses, i, camera, at=at, highlight=self.scene.highlight))
        secs = row.start_secs + float(self.frames[i]) * row.motion.frame_time
        frame = row.first_frame + round(float(self.frames[i]))
        bottom = top + height - MARGIN
        shapes.append(Text(left + MARGIN, bottom, f"{secs:.2f} s", 12.0, INK))
        shapes.append(Text(left + width - MARGIN, bottom, f"frame {frame}", 10.0, FAINT, "end"))
        lines, aside = titled(row.title, width - 2.0 * MARGIN, n_lines=1)
        shapes += [Text(left + MARGIN, top + MARGIN + 8.0, line, 13.0, INK, bold=True) for line in lines]
        note = ", ".join(text for text in (aside, row.note) if text)
        if note:
            shapes.append(Text(left + MARGIN, top + MARGIN + 22.0, note, 10.0, FAINT))
        return shapes


def _smooth(path: np.ndarray, times: np.ndarray) -> np.ndarray:
    """The path (P, 3) as a calm camera follows it: a Hann-weighted mean over time, ends held."""
    if len(path) < 2:
        return path
    half = min(round(0.5 * FOLLOW_SECS / float(times[1] - times[0])), len(path) - 1)
    weights = np.hanning(2 * half + 3)[1:-1]
    weights /= weights.sum()
    # Mirrored about its end points, a path keeps its speed to the very ends.
    before, after = 2.0 * path[:1] - path[half:0:-1], 2.0 * path[-1:] - path[-2 : -half - 2 : -1]
    padded = np.concatenate([before, path, after])
    return np.stack([np.convolve(padded[:, axis], weights, mode="valid") for axis in range(3)], axis=1)


def _floor_lines(
    target: np.ndarray, camera: Camera, middle: np.ndarray, box: np.ndarray, scene: Scene
) -> list[Primitive]:
    """Lines of a square grid fixed to the floor, as far as they cross the box (2, 2) of pixels."""
    step = 0.3 * scene.mannequin.size
    turn = camera.azimuth + GRID_TURN
    far = float(np.hypot(*(box[1] - box[0]) / np.array([1.0, np.sin(camera.elevation)]))) / camera.scale
    shapes: list[Primitive] = []
    for angle in (turn, turn + np.pi / 2.0):
        along = np.array([np.cos(angle), 0.0, -np.sin(angle)])
        across = np.array([np.sin(angle), 0.0, np.cos(angle)])
        passed = float(target @ across)  # lines stay where they are in the world while the target moves
        for k in range(int(np.ceil((passed - far) / step)), int((passed + far) / step) + 1):
            start = across * (k * step - passed)
            ends = np.stack([start - far * along, start + far * along])
            clipped = _clip(camera.project(ends)[:, :2] + middle, box)
            if clipped is not None:
                shapes.append(Polyline(clipped, GRID, 1.0))
    return shapes


def _clip(line: np.ndarray, box: np.ndarray) -> np.ndarray | None:
    """The part of a line (2, 2) inside the box of its lower and upper corner (2, 2) (Liang & Barsky 1984)."""
    step = line[1] - line[0]
    enter, leave = 0.0, 1.0
    for axis in range(2):
        if abs(step[axis]) < 1e-12:
            if not box[0, axis] <= line[0, axis] <= box[1, axis]:
                return None
            continue
        first, last = sorted((box[:, axis] - line[0, axis]) / step[axis])
        enter, leave = max(enter, first), min(leave, last)
    return np.stack([line[0] + enter * step, line[0] + leave * step]) if enter < leave else None


def _palette(images: Sequence[Image.Image]) -> Image.Image:
    """A palette that suits some pictures from beginning to end."""
    chosen = [images[i] for i in even_frames(len(images), 4)]
    sheet = Image.new("RGB", (chosen[0].width, chosen[0].height * len(chosen)))
    for i, image in enumerate(chosen):
        sheet.paste(image, (0, i * image.height))
    palette = sheet.quantize(colors=N_COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    colours = np.array(palette.getpalette(), dtype=int).reshape(-1, 3)
    from_white = np.abs(colours - 255).max(axis=1)
    # Means of colours leave white a little grey, and Pillow looks colours up by their upper six bits.
    colours[from_white <= max(8, from_white.min())] = 255
    pinned = Image.new("P", (1, 1))
    pinned.putpalette(colours.ravel().tolist())
    return pinned
