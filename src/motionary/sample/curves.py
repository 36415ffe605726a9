"""Curves of time: keyed tracks and smooth noise.

A track passes through knots with a given value, velocity and acceleration, in quintic pieces. Two knots at rest
are thus joined by the path of minimum jerk (Flash & Hogan 1985), and two knots on one parabola by that parabola:
the ways of a hand and of a falling body, from one rule.
"""

from collections.abc import Sequence

import numpy as np

TOGETHER_SECS = 1e-6  # knots nearer than this are one


class Track:
    """A curve of time with values in D dimensions, made by adding knots in the order of time."""

    def __init__(self, value: Sequence[float] | np.ndarray | float) -> None:
        self._times = [0.0]
        self._values = [np.atleast_1d(np.asarray(value, dtype=float))]
        self._speeds: list[tuple[np.ndarray, np.ndarray] | None] = [self._rest()]

    @property
    def last_time(self) -> float:
        return self._times[-1]

    @property
    def last(self) -> np.ndarray:
        """The value of the last knot."""
        return self._values[-1]

    def key(
        self,
        time: float,
        value: Sequence[float] | np.ndarray | float,
        *,
        velocity: Sequence[float] | np.ndarray | float = 0.0,
        acceleration: Sequence[float] | np.ndarray | float = 0.0,
        flowing: bool = False,
    ) -> None:
        """Add a knot; a `flowing` one takes velocity and acceleration from the parabola through its neighbours."""
        point = np.broadcast_to(np.asarray(value, dtype=float), self.last.shape).copy()
        speeds = None
        if not flowing:
            speeds = (np.broadcast_to(velocity, point.shape) + 0.0, np.broadcast_to(acceleration, point.shape) + 0.0)
        if time < self.last_time - TOGETHER_SECS:
            raise ValueError(f"a knot at {time:.3f} s comes after one at {self.last_time:.3f} s")
        if time <= self.last_time + TOGETHER_SECS:
            self._values[-1], self._speeds[-1] = point, speeds
            return
        self._times.append(time)
        self._values.append(point)
        self._speeds.append(speeds)

    def hold(self, time: float) -> None:
        """Stay at the last value until `time`."""
        if time > self.last_time + TOGETHER_SECS:
            self.key(time, self.last)

    def at(self, times: np.ndarray) -> np.ndarray:
        """Values (F, D); outside the knots the end values hold."""
        knots, values = np.array(self._times), np.stack(self._values)
        if len(knots) == 1:
            return np.repeat(values, len(times), axis=0)
        velocities, accelerations = self._resolved(knots, values)
        times = np.clip(times, knots[0], knots[-1])
        i = np.clip(np.searchsorted(knots, times, side="right") - 1, 0, len(knots) - 2)
        length = (knots[i + 1] - knots[i])[:, None]
        u = (times - knots[i])[:, None] / length
        return _quintic(
            u,
            (values[i], velocities[i] * length, accelerations[i] * length**2),
            (values[i + 1], velocities[i + 1] * length, accelerations[i + 1] * length**2),
        )

    def _rest(self) -> tuple[np.ndarray, np.ndarray]:
        zero = np.zeros_like(self._values[0])
        return zero, zero

    def _resolved(self, knots: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        velocities, accelerations = np.zeros_like(values), np.zeros_like(values)
        for i, speeds in enumerate(self._speeds):
            if speeds is not None:
                velocities[i], accelerations[i] = speeds
            elif 0 < i < len(knots) - 1:
                before, after = knots[i] - knots[i - 1], knots[i + 1] - knots[i]
                back, ahead = (values[i] - values[i - 1]) / before, (values[i + 1] - values[i]) / after
                velocities[i] = (back * after + ahead * before) / (before + after)
                accelerations[i] = 2.0 * (ahead - back) / (before + after)
        return velocities, accelerations


def smooth_noise(times: np.ndarray, rng: np.random.Generator, *, n_dims: int, secs: float = 4.0) -> np.ndarray:
    """Slow wandering (F, n_dims) of size about 1 and mean about 0: a few sines with periods around `secs`."""
    n_waves = 5
    periods = secs * np.exp(rng.uniform(-0.6, 0.8, (n_waves, n_dims)))
    phases = rng.uniform(0.0, 2.0 * np.pi, (n_waves, n_dims))
    sizes = rng.uniform(0.5, 1.0, (n_waves, n_dims))
    waves = sizes * np.sin(2.0 * np.pi * times[:, None, None] / periods + phases)
    return waves.sum(axis=1) * np.sqrt(2.0 / n_waves)


def _quintic(
    u: np.ndarray, start: tuple[np.ndarray, np.ndarray, np.ndarray], stop: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> np.ndarray:
    """The polynomial of degree 5 with (value, velocity, acceleration) `start` at u = 0 and `stop` at u = 1."""
    p, v, a = start
    far = stop[0] - p - v - 0.5 * a
    fast = stop[1] - v - a
    bent = stop[2] - a
    cubic = 10.0 * far - 4.0 * fast + 0.5 * bent
    quartic = -15.0 * far + 7.0 * fast - bent
    fifth = 6.0 * far - 3.0 * fast + 0.5 * bent
    return p + u * (v + u * (0.5 * a + u * (cubic + u * (quartic + u * fifth))))
