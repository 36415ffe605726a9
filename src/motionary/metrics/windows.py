"""Windows of clouds of points, as vectors whose products are the terms of the distance of two frames."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from motionary.errors import UsageError

HEIGHT_FROM = 0.9  # metres: heights are counted from here, so that their squares stay small
STOREY = 2.0  # metres: those of a motion further up or down, from as many of these above or below
BLOCK = 4  # points that a kernel takes in one go
LANES = 32  # frames that it computes side by side
FRAMES = 5  # of windows that it adds in one go


@dataclass(frozen=True)
class Window:
    """Frames around a frame that are compared with it, and how much each of them counts."""

    before: int = 2
    after: int = 2
    shape: str = "quadratic"  # highest at the centre; or "even"

    def __post_init__(self) -> None:
        if self.before < 0 or self.after < 0:
            raise UsageError(f"a window of {self.before} frames before and {self.after} after is not possible")
        if self.shape not in ("quadratic", "even"):
            raise UsageError(f"a window must be quadratic or even, not {self.shape!r}")

    @property
    def offsets(self) -> np.ndarray:
        return np.arange(-self.before, self.after + 1)

    @property
    def weights(self) -> np.ndarray:
        """Of every frame of the window, sum 1; a quadratic one falls to 0 a frame beyond its ends."""
        if self.shape == "even":
            raw = np.ones(len(self.offsets))
        else:
            reach = np.where(self.offsets < 0, self.before + 1.0, self.after + 1.0)
            raw = 1.0 - (self.offsets / reach) ** 2
        return np.asarray(raw / raw.sum())


@dataclass(frozen=True, eq=False)
class WindowClouds:
    """The windows around every frame of a motion.

    With c_f the weighted mean of frame f on the ground (x + i·z) and m_i that of the window around frame i, a point of
    the window is (its place seen from c_f) + (c_f − m_i). The first part belongs to the frame and not to the window, so
    that the product of two windows is a sum over pairs of frames along a diagonal, and one small product of their ways.
    All numbers are local, and single precision is enough. Frames have `before` and `after` more around them.
    """

    ground: np.ndarray  # (2, P, F + W − 1) float32: x and z from the frame's own mean, times the root of the weights
    heights: np.ndarray  # (P, F + W − 1) float32, times the root of the weights
    ways: np.ndarray  # (2, W, F) float32: from the window's mean to its frames', times the root of the window's weights
    sizes: np.ndarray  # (F,) float32: the sum of the weighted squares of all coordinates of a window
    window: Window
    point_roots: np.ndarray  # (P,) float32, of the points' weights
    height_from: float = HEIGHT_FROM  # where heights are counted from

    @property
    def n_frames(self) -> int:
        return self.ways.shape[2]

    @cached_property
    def omegas(self) -> np.ndarray:
        """(W,) float32: the weights of the window's frames."""
        return self.window.weights.astype(np.float32)

    @cached_property
    def columns(self) -> np.ndarray:
        """(F + W − 1, 3, P) float32: x, z and height of a frame's points side by side."""
        return np.ascontiguousarray(np.concatenate([self.ground, self.heights[None]]).transpose(2, 0, 1))

    @cached_property
    def lanes(self) -> np.ndarray:
        """(3 · P, F + W − 1 + LANES) float32: x, z and heights of BLOCK points each; zeros behind the last frame."""
        three = np.concatenate([self.ground, self.heights[None]])  # (3, P, F + W − 1)
        n_points, n_padded = self.heights.shape
        blocks = three.reshape(3, n_points // BLOCK, BLOCK, n_padded).transpose(1, 0, 2, 3)
        return np.pad(blocks.reshape(3 * n_points, n_padded), ((0, 0), (0, LANES)))

    @cached_property
    def way_lanes(self) -> np.ndarray:
        """(2 · W', F + LANES) float32: x and z of a window's frames in turn; W' is W, brought to whole FRAMES."""
        turns = self.ways.transpose(1, 0, 2).reshape(-1, self.n_frames)
        return np.pad(turns, ((0, 2 * (self._n_padded - len(self.ways[0]))), (0, LANES)))

    @cached_property
    def way_rows(self) -> np.ndarray:
        """(F, 2, W') float32."""
        rows = np.ascontiguousarray(self.ways.transpose(2, 0, 1))
        return np.pad(rows, ((0, 0), (0, 0), (0, self._n_padded - len(self.ways[0]))))

    @property
    def _n_padded(self) -> int:
        return -(-self.ways.shape[1] // FRAMES) * FRAMES

    def counted_from(self, height: float) -> "WindowClouds":
        """The same with heights counted from another, as what it is compared with has them."""
        if height == self.height_from:
            return self
        lift = self.height_from - height
        roots = self.point_roots.astype(np.float64)
        inside = np.arange(self.n_frames)[:, None] + np.arange(len(self.window.offsets))
        mean_heights = (roots @ self.heights)[inside] @ self.window.weights
        sizes = self.sizes + lift * (2.0 * mean_heights + lift)
        heights = (self.heights + lift * roots[:, None]).astype(np.float32)
        return replace(self, heights=heights, sizes=sizes.astype(np.float32), height_from=height)

    def part(self, start: int, stop: int) -> "WindowClouds":
        """The windows around frames [start, stop)."""
        padded = slice(start, stop + len(self.window.offsets) - 1)
        ground, heights = np.ascontiguousarray(self.ground[..., padded]), np.ascontiguousarray(self.heights[:, padded])
        ways = np.ascontiguousarray(self.ways[..., start:stop])
        return replace(self, ground=ground, heights=heights, ways=ways, sizes=self.sizes[start:stop])

    def thinned(self, every: int) -> "WindowClouds":
        """Every so many windows, each as it is: their frames are laid out, as windows of one frame with more points."""
        ground, heights = self.vectors(np.arange(0, self.n_frames, every))
        weights = np.sqrt(self.window.weights).astype(np.float32)
        nothing, sizes = np.zeros((2, 1, len(ground)), dtype=np.float32), np.ascontiguousarray(self.sizes[::every])
        roots = np.outer(weights, self.point_roots).ravel()
        return WindowClouds(
            *(_two(ground.T), np.ascontiguousarray(heights.T), nothing, sizes, Window(0, 0), roots),
            self.height_from,
        )

    def vectors(self, frames: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The windows around some frames (all) laid out: ground (n, W·P) complex64 and heights (n, W·P) float32."""
        frames = np.arange(self.n_frames) if frames is None else np.asarray(frames)
        roots = np.sqrt(self.window.weights).astype(np.float32)
        inside = frames[:, None] + np.arange(len(roots))  # (n, W) padded frames
        body = (self.ground[0] + 1j * self.ground[1]).T[inside]  # (n, W, P)
        ways = (self.ways[0] + 1j * self.ways[1]).T[frames]  # (n, W)
        ground = body * roots[:, None] + ways[..., None] * self.point_roots
        heights = self.heights.T[inside] * roots[:, None]
        return (
            np.ascontiguousarray(ground.reshape(len(frames), -1), dtype=np.complex64),
            np.ascontiguousarray(heights.reshape(len(frames), -1), dtype=np.float32),
        )


def window_clouds(
    points: np.ndarray, *, weights: np.ndarray | None = None, window: Window | None = None
) -> WindowClouds:
    """The windows around every frame of points (F, P, 3); beyond the ends, the body stays as it is at the end.

    Weights (P,) are brought to the sum 1; without them all points count alike.
    """
    points = np.asarray(points, dtype=np.float64)
    window = window or Window()
    if points.ndim != 3 or points.shape[2] != 3 or not points.size:
        raise UsageError(f"a cloud of points needs the shape (frames, points, 3), not {points.shape}")
    if not np.isfinite(points).all():
        raise UsageError("a point cloud contains values that are not numbers")
    shares = _shares(weights, points.shape[1])
    n_frames, n_points = points.shape[:2]
    padded = np.clip(np.arange(-window.before, n_frames + window.after), 0, n_frames - 1)
    flat = points[..., 0] + 1j * points[..., 2]  # (F, P)
    centres = (flat @ shares)[padded]  # (F + W − 1,)
    roots = np.zeros(-(-n_points // BLOCK) * BLOCK)  # points without weight fill up the last block
    roots[:n_points] = np.sqrt(shares)
    ground = np.zeros((len(roots), len(padded)), dtype=np.complex128)
    heights = np.zeros((len(roots), len(padded)))
    ground[:n_points] = ((flat[padded] - centres[:, None]) * roots[:n_points]).T
    height_from = HEIGHT_FROM + STOREY * round((float((points[..., 1] @ shares).mean()) - HEIGHT_FROM) / STOREY)
    heights[:n_points] = ((points[padded, :, 1] - height_from) * roots[:n_points]).T
    inside = np.arange(n_frames)[:, None] + np.arange(len(window.offsets))
    means = centres[inside] @ window.weights
    ways = ((centres[inside] - means[:, None]) * np.sqrt(window.weights)).T
    sizes = (np.abs(ground) ** 2 + heights**2).sum(axis=0)[inside] @ window.weights + (np.abs(ways) ** 2).sum(axis=0)
    return WindowClouds(
        _two(ground),
        heights.astype(np.float32),
        _two(ways),
        sizes.astype(np.float32),
        window,
        roots.astype(np.float32),
        height_from,
    )


def _shares(weights: np.ndarray | None, n_points: int) -> np.ndarray:
    given = np.ones(n_points) if weights is None else np.asarray(weights, dtype=np.float64)
    if given.shape != (n_points,) or not (np.isfinite(given).all() and (given >= 0).all() and given.sum() > 0):
        raise UsageError(f"{n_points} points need as many weights, 0 or more, and not all 0")
    return np.asarray(given / given.sum())


def _two(complex_numbers: np.ndarray) -> np.ndarray:
    """Real and imaginary parts, one after the other."""
    return np.ascontiguousarray(np.stack([complex_numbers.real, complex_numbers.imag]), dtype=np.float32)
