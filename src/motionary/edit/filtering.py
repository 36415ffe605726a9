"""Operations on the curves of a motion: filters, frequency bands, glitches, limits on angles, undulation, noise."""

from abc import abstractmethod
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import Curves, curves_of
from motionary.edit.operation import PoseOperation, parameter
from motionary.edit.subject import Place, Subject
from motionary.errors import UsageError
from motionary.motion import Motion, mask_intervals, rotations

CALMER = 0.25  # of the sharpest turn: a bridge over a glitch leaves less, one over a quick step or hop does not
OVER = np.pi  # radians of tilt: the body turns over, as in a cartwheel
SLOW_HZ = 1.0  # the mean tilt of such a body follows it no faster
ABRUPT = 0.85  # of how far it is off: a glitch that comes or goes within a frame at 30 Hz turns more sharply
SINC_REACH = 6.0  # taps: beyond that the interpolated B-spline is below 1e-4
AROUND_SECS = 1.5  # of the clip beside a segment that filters see
B_SPLINE = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0  # the kernel of the filter bank (Bruderlin & Williams 1995)


@dataclass(frozen=True)
class CurveOperation(PoseOperation):
    """An operation on the curves of a segment and of what is around it."""

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        margin = round(AROUND_SECS / place.frame_time)
        first = max(place.start - margin, 0)
        last = min(place.stop + margin, subject.motion.n_frames)
        around = subject.motion.slice(first, last)
        curves = curves_of(around, subject.rest)
        if np.linalg.norm(curves.vectors[:, 0], axis=-1).max() > OVER:
            curves = curves_of(around, subject.rest, means=with_slow_root(curves, place.frame_time))
        columns = curves.columns
        inside = slice(place.start - first, place.stop - first)
        changed = self.changed(columns, inside, place)
        if changed is columns:
            return subject.motion.slice(place.start, place.stop), ()
        motion = curves.with_columns(changed).motion(around)
        return motion.slice(inside.start, inside.stop), ()

    @abstractmethod
    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:
        """The columns (F, D) of the segment (`inside`) and of what is around it, changed; the same array if not."""


@dataclass(frozen=True)
class Smooth(CurveOperation):
    """Removes frequencies above a cutoff by a zero-phase Butterworth filter (forwards and backwards).

    Jitter and tremble disappear, the movement stays. Identity: an amount of 0.
    """

    name: ClassVar[str] = "smooth"
    title: ClassVar[str] = "low-pass filter"
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {"cutoff_hz": 1.0}

    cutoff_hz: float = parameter(
        4.0, "frequencies above this are removed", low=0.05, high=1000.0, unit="Hz", varies=True
    )
    order: int = parameter(2, "order of the filter: the higher, the sharper its cutoff", low=1, high=6)
    amount: float = parameter(1.0, "0: no change; 1: the full effect", low=0.0, high=1.0, varies=True)

    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:  # noqa: ARG002
        if self.amount == 0.0:
            return columns
        low = low_passed(columns, self.cutoff_hz * place.tempo, place.frame_time, self.order)
        return columns + self.amount * (low - columns)


@dataclass(frozen=True)
class HighPass(CurveOperation):
    """Removes frequencies below a cutoff, about the mean pose of the segment; the root's path and heading stay.

    It removes slow drift: a body that sags or turns while it should stand still. Identity: an amount of 0.
    """

    name: ClassVar[str] = "high-pass"
    title: ClassVar[str] = "high-pass filter"
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {"cutoff_hz": 0.8}

    cutoff_hz: float = parameter(
        0.2, "frequencies below this are removed", low=0.01, high=1000.0, unit="Hz", varies=True
    )
    amount: float = parameter(1.0, "0: no change; 1: the full effect", low=0.0, high=1.0, varies=True)

    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:
        if self.amount == 0.0:
            return columns
        low = low_passed(columns, self.cutoff_hz * place.tempo, place.frame_time, 2)
        changed = np.array(columns)
        drift = low - columns[inside].mean(axis=0)
        changed[:, 4:] -= self.amount * drift[:, 4:]
        return changed


@dataclass(frozen=True)
class Wiggle(CurveOperation):
    """Makes the body follow its own motion like a mass on a spring: it overshoots, and swings until it has settled.

    The lower the damping, the longer it swings. Only joints change; the root's path stays. Identity: an amount of 0.
    """

    name: ClassVar[str] = "wiggle"
    title: ClassVar[str] = "overshoot and wiggle"
    default_joints: ClassVar[tuple[str, ...]] = ("spine", "neck", "Head", "arms")
    identity: ClassVar[Any] = {"amount": 0.0}
    example: ClassVar[Any] = {"frequency_hz": 1.5, "damping": 0.15}

    frequency_hz: float = parameter(2.0, "frequency of the spring", low=0.2, high=50.0, unit="Hz", varies=True)
    damping: float = parameter(0.3, "damping ratio; from 1 there is no overshoot", low=0.02, high=3.0, varies=True)
    amount: float = parameter(1.0, "0: no change; 1: the full effect", low=-2.0, high=2.0, varies=True)

    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:  # noqa: ARG002
        if self.amount == 0.0:
            return columns
        from scipy.signal import cont2discrete, lfilter, lfilter_zi

        omega = 2.0 * np.pi * min(self.frequency_hz * place.tempo, 0.2 / place.frame_time)
        top, bottom = [omega**2], [1.0, 2.0 * self.damping * omega, omega**2]
        digital = cont2discrete((top, bottom), place.frame_time, method="bilinear")
        b, a = np.ravel(digital[0]), np.ravel(digital[1])
        follows = lfilter(b, a, columns, axis=0, zi=lfilter_zi(b, a)[:, None] * columns[:1])[0]
        # What follows comes late; let it be in time where the motion is slow, so that only overshoot is left.
        lag = round(2.0 * self.damping / omega / place.frame_time)
        if lag:
            follows = np.concatenate([follows[lag:], np.repeat(follows[-1:], min(lag, len(follows)), axis=0)])
        changed = np.array(columns)
        changed[:, 4:] += self.amount * (follows[: len(columns)] - columns)[:, 4:]
        return changed


@dataclass(frozen=True)
class Deglitch(CurveOperation):
    """Removes glitches: short outliers, which are replaced by a smooth curve.

    Frames are a glitch if a joint turns, or the root moves, away from the median of its neighbours by more than the
    threshold times the usual distance, if this begins or ends abruptly, and if the smooth curve is much calmer. A
    motion without glitches does not change at all.
    """

    name: ClassVar[str] = "deglitch"
    title: ClassVar[str] = "glitch removal"
    identity: ClassVar[Any] = {"threshold": 1e6}
    example: ClassVar[Any] = {"threshold": 6.0}

    threshold: float = parameter(8.0, "distance from the neighbours, as a multiple of the usual one", low=1.0, high=1e9)
    longest_secs: float = parameter(0.1, "duration of the longest glitch", low=0.01, high=2.0, unit="s")

    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:  # noqa: ARG002
        from scipy.interpolate import PchipInterpolator
        from scipy.ndimage import median_filter

        width = 2 * max(round(self.longest_secs / place.frame_time), 1) + 1
        if len(columns) < 2 * width:
            return columns
        away = np.abs(columns - median_filter(columns, size=(width, 1), mode="nearest"))
        around = 2 * round(0.5 / place.frame_time) + 1
        usual = 1.4826 * median_filter(away, size=(around, 1), mode="nearest")
        # A fast movement turns around within the window, too: what it covers in half of it is no glitch
        steps = np.abs(np.diff(columns, axis=0, prepend=columns[:1]))
        brisk = 0.25 * width * median_filter(steps, size=(around, 1), mode="nearest")
        least = np.where(np.arange(columns.shape[1]) < 3, 0.001, np.radians(0.25))  # metres, radians
        odd = away > self.threshold * np.maximum(usual, least) + brisk
        changed = np.array(columns)
        touched = False
        joints = [[4 + 3 * j, 5 + 3 * j, 6 + 3 * j] for j in range((columns.shape[1] - 4) // 3)]
        groups = [np.array(group) for group in ([0, 1, 2], [3], *joints)]
        abrupt = ABRUPT * min(30.0 * place.frame_time, 1.0)
        for group in groups:
            bad = odd[:, group].any(axis=1)
            bad |= np.roll(bad, 1) | np.roll(bad, -1) if bad.any() else bad
            good = np.flatnonzero(~bad)
            if not bad.any() or len(good) < 4:
                continue
            bridged = np.array(columns[:, group])
            bridged[bad] = PchipInterpolator(good, columns[np.ix_(good, group)], extrapolate=False)(
                np.clip(np.flatnonzero(bad), good[0], good[-1])
            )
            for start, stop in mask_intervals(bad).tolist():
                beside = slice(max(start - 2, 0), stop + 2)
                turn = _sharpest(columns[beside, group])
                off = float(np.linalg.norm(columns[start:stop, group] - bridged[start:stop], axis=1).max())
                if _sharpest(bridged[beside]) < CALMER * turn and turn > abrupt * off:  # else it is a movement
                    changed[start:stop, group] = bridged[start:stop]
                    touched = True
        return changed if touched else columns


@dataclass(frozen=True)
class Bands(CurveOperation):
    """Amplifies or attenuates frequency bands (Bruderlin & Williams 1995): one gain per octave, the finest first.

    The finest band contains what changes within two frames at 30 Hz; each further band is an octave slower. The last
    gain belongs to everything that is slower still, relative to the mean pose. High gains of the middle bands
    exaggerate a motion, low gains calm it down. The root's path stays, its height and tilt change. Identity: all
    gains 1.
    """

    name: ClassVar[str] = "bands"
    title: ClassVar[str] = "frequency bands"
    identity: ClassVar[Any] = {"gains": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)}
    example: ClassVar[Any] = {"gains": (1.0, 1.0, 2.0, 2.5, 2.0, 1.0)}

    gains: tuple[float, ...] = parameter((1.0,) * 6, "one gain per band, finest first", low=-5.0, high=10.0)

    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:
        if not 1 <= len(self.gains) <= 12:
            raise UsageError(f"bands gains: {len(self.gains)} of them; there are 1 to 12 bands")
        if all(gain == 1.0 for gain in self.gains):
            return columns
        finest = max(1.0 / 30.0 / place.frame_time / place.tempo, 1.0)  # frames to one step of the finest band
        levels = octave_levels(columns, finest, len(self.gains) - 1)
        mean = columns[inside].mean(axis=0)
        changed = mean + self.gains[-1] * (levels[-1] - mean)
        for gain, (fine, coarse) in zip(self.gains, pairwise(levels), strict=False):
            changed = changed + gain * (fine - coarse)
        changed[:, [0, 2, 3]] = columns[:, [0, 2, 3]]
        return changed


@dataclass(frozen=True)
class WaveShape(CurveOperation):
    """Limits how far joints turn, softly or hard, or adds an undulation.

    One curve maps the angle between each joint and its mean: above the limit it is clipped (hard) or compressed
    (soft), and the undulation adds waves along the range of the angle. A hard limit of 180° or more has no effect,
    however often a joint turns round. Identity: a hard limit of 180°, an undulation of 0.
    """

    name: ClassVar[str] = "wave-shape"
    title: ClassVar[str] = "wave shaping"
    identity: ClassVar[Any] = {"limit_deg": 180.0, "soft": False, "undulation": 0.0}
    example: ClassVar[Any] = {"limit_deg": 15.0}

    limit_deg: float = parameter(
        30.0, "largest angle between a joint and its mean", low=0.0, high=360.0, unit="°", varies=True
    )
    soft: bool = parameter(True, "compress angles towards the limit instead of clipping them")
    undulation: float = parameter(0.0, "height of the waves, as a share of the angle", low=-1.0, high=1.0, varies=True)
    waves: float = parameter(2.0, "number of waves between 0 and the limit", low=0.1, high=20.0, varies=True)

    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:  # noqa: ARG002
        limit = np.radians(self.limit_deg)
        vectors = columns[:, 4:].reshape(len(columns), -1, 3)
        angle = np.linalg.norm(vectors, axis=-1, keepdims=True)
        shaped = angle
        if self.undulation:
            shaped = angle * (1.0 + self.undulation * np.sin(2.0 * np.pi * self.waves * angle / max(limit, 1e-9)))
        if self.soft and limit > 0:
            shaped = limit * np.tanh(shaped / limit)
        elif limit < np.pi:
            shaped = np.minimum(shaped, limit)
        if np.array_equal(shaped, angle):
            return columns
        changed = np.array(columns)
        factor = np.where(angle > 1e-12, shaped / np.maximum(angle, 1e-12), 1.0)
        factor[:, 0] = 1.0  # the root's tilt
        changed[:, 4:] = (vectors * factor).reshape(len(columns), -1)
        return changed


@dataclass(frozen=True)
class Noise(CurveOperation):
    """Adds smooth noise to the joints (Perlin 1995): for restlessness, a tremble, or copies that differ.

    Each further octave adds noise of twice the frequency and half the amplitude. The seed determines the noise, and
    every match gets its own. Identity: an amplitude of 0.
    """

    name: ClassVar[str] = "noise"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "smooth noise"
    default_joints: ClassVar[tuple[str, ...]] = ("spine", "neck", "Head", "arms")
    identity: ClassVar[Any] = {"amplitude_deg": 0.0}
    example: ClassVar[Any] = {"amplitude_deg": 12.0, "frequency_hz": 1.0}

    amplitude_deg: float = parameter(
        3.0, "approximate angle by which joints turn", low=0.0, high=90.0, unit="°", varies=True
    )
    frequency_hz: float = parameter(
        1.0, "frequency of the slowest octave", low=0.01, high=100.0, unit="Hz", varies=True
    )
    octaves: int = parameter(2, "number of octaves", low=1, high=6)

    def changed(self, columns: np.ndarray, inside: slice, place: Place) -> np.ndarray:
        if self.amplitude_deg == 0.0:
            return columns
        n_joints = (columns.shape[1] - 4) // 3
        rng = np.random.default_rng([place.seed & 0xFFFFFFFF, 17])
        # By the joint's own number within the body's parts, so that copies on other skeletons do the same
        secs = (np.arange(len(columns)) - inside.start) * place.frame_time * place.tempo
        total = np.zeros((len(columns), 3 * n_joints))
        for octave in range(self.octaves):
            total += 0.5**octave * gradient_noise(secs * self.frequency_hz * 2.0**octave, 3 * n_joints, rng)
        changed = np.array(columns)
        changed[:, 7:] += np.radians(self.amplitude_deg) * total[:, 3:]
        return changed


def _sharpest(columns: np.ndarray) -> float:
    """The largest second difference of columns (F, D)."""
    return float(np.linalg.norm(np.diff(columns, n=2, axis=0), axis=1).max(initial=0.0))


def low_passed(columns: np.ndarray, cutoff_hz: float, frame_time: float, order: int) -> np.ndarray:
    """Columns (F, D) without what is faster than the cutoff, nothing shifted in time."""
    from scipy.signal import butter, sosfiltfilt

    nyquist = 0.5 / frame_time
    if cutoff_hz >= 0.98 * nyquist or len(columns) < 4:
        return columns
    sections = butter(order, cutoff_hz / nyquist, output="sos")
    padding = min(len(columns) - 1, max(3 * (2 * len(sections) + 1), round(1.5 / cutoff_hz / frame_time)))
    return np.asarray(sosfiltfilt(sections, columns, axis=0, padtype="odd", padlen=padding))


def octave_levels(columns: np.ndarray, finest: float, n: int) -> list[np.ndarray]:
    """Columns (F, D), and n times smoothed by one octave more; the finest octave is that of `finest` frames."""
    levels = [columns]
    for octave in range(n):
        smooth = finely_smoothed if octave == 0 and finest > 1.0 else spread_smoothed
        levels.append(smooth(levels[-1], finest * 2.0**octave))
    return levels


def finely_smoothed(columns: np.ndarray, spread: float) -> np.ndarray:
    """Columns smoothed by the B-spline kernel, spread and interpolated by sincs; the ends are mirrored as points.

    Its taps alone, `spread` frames apart, would let jitter of that period pass as if it were slow.
    """
    from scipy.ndimage import correlate1d

    if len(columns) < 2:
        return columns
    reach = int(np.ceil(SINC_REACH * spread))
    at = np.arange(-reach, reach + 1) / spread
    kernel = sum(weight * np.sinc(at - tap) for tap, weight in zip(range(-2, 3), B_SPLINE, strict=True))
    padded = np.pad(columns, ((reach, reach), (0, 0)), mode="reflect", reflect_type="odd")
    return np.asarray(correlate1d(padded, kernel / np.sum(kernel), axis=0)[reach:-reach])


def spread_smoothed(columns: np.ndarray, spread: float) -> np.ndarray:
    """Columns smoothed by the B-spline kernel, its taps `spread` frames apart; the ends are mirrored as points."""
    frames = np.arange(len(columns))
    reach = int(np.ceil(2.0 * spread))
    before = 2.0 * columns[0] - columns[1 : reach + 1][::-1]
    after = 2.0 * columns[-1] - columns[-reach - 1 : -1][::-1]
    padded = np.concatenate([before, columns, after])
    shift = len(before)
    total = np.zeros_like(columns)
    for tap, weight in zip(range(-2, 3), B_SPLINE, strict=True):
        at = np.clip(frames + shift + tap * spread, 0, len(padded) - 1)
        low = np.floor(at).astype(int)
        high = np.minimum(low + 1, len(padded) - 1)
        share = (at - low)[:, None]
        total += weight * ((1.0 - share) * padded[low] + share * padded[high])
    return total


def with_slow_root(curves: Curves, frame_time: float) -> np.ndarray:
    """Means (F, J, 4), the root's following it slowly.

    About a fixed mean, a body that has turned over once would be a whole turn away from the pose it is back in.
    """
    tilts = rotations.multiply(curves.means[0], rotations.from_rotation_vector(curves.vectors[:, 0]))
    means = np.tile(curves.means, (len(tilts), 1, 1))
    means[:, 0] = rotations.normalise(low_passed(rotations.continuous(tilts), SLOW_HZ, frame_time, 2))
    return means


def gradient_noise(times: np.ndarray, n_columns: int, rng: np.random.Generator) -> np.ndarray:
    """Smooth noise (F, n) of about unit height with one wave to a unit of time (Perlin's, in one dimension)."""
    first, last = int(np.floor(times.min())) - 1, int(np.floor(times.max())) + 3
    slopes = rng.uniform(-1.0, 1.0, (last - first, n_columns))
    cell = np.floor(times).astype(int)
    share = (times - cell)[:, None]
    fade = share**3 * (share * (6.0 * share - 15.0) + 10.0)
    low = slopes[cell - first] * share
    high = slopes[cell - first + 1] * (share - 1.0)
    return np.asarray(2.0 * (low + fade * (high - low)))
