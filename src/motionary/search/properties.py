"""Properties of segments: how they turn, how fast and far they go, how high, how long in the air."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionary.features import descriptions
from motionary.qualities import PROPERTIES

FALLING = 0.5 * 9.81  # m/s² downwards, from which on a body without contact is in the air


@dataclass(frozen=True, eq=False)
class PropertyCurves:
    """The features of a clip, from which the properties of all its segments are sums, differences or extremes.

    Lengths are those of a body of 1.75 m, as in all features.
    """

    features: Mapping[str, np.ndarray]  # (F, D), by description
    rate_hz: float

    @property
    def n_frames(self) -> int:
        return len(self.features["root"])

    def measure(self, names: tuple[str, ...], starts: np.ndarray, stops: np.ndarray) -> dict[str, np.ndarray]:
        """These properties (N,) of the segments [start, stop)."""
        unknown = set(names) - set(PROPERTIES)
        assert not unknown, unknown
        return {name: np.asarray(getattr(self, f"_{name}")(starts, stops), dtype=np.float64) for name in names}

    def _turn(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """Degrees from the first frame to the last, to the left."""
        return np.asarray(np.degrees(self._headings[stops - 1] - self._headings[starts]))

    def _travel(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The way on the ground from the first frame to the last, as the crow flies."""
        return np.asarray(np.linalg.norm(self._places[stops - 1] - self._places[starts], axis=-1))

    def _speed(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The hips' mean speed on the ground."""
        return _mean(np.hypot(self._root("speed forward"), self._root("speed left")), starts, stops)

    def _height(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The largest height of the hips."""
        return _extreme(np.maximum, self._root("height"), starts, stops)

    def _lowest(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The least height of the hips."""
        return _extreme(np.minimum, self._root("height"), starts, stops)

    def _duration(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        return np.asarray((stops - starts) / self.rate_hz)

    def _airborne(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The time in which no foot is planted and the hips fall, or slow down as they rise."""
        height = self._root("height")
        falls = np.gradient(np.gradient(height)) * self.rate_hz**2 < -FALLING if len(height) > 1 else height < 0
        contacts = self.features["curves"][:, :4].any(axis=1)
        return _mean(falls & ~contacts, starts, stops) * (stops - starts) / self.rate_hz

    def _energy(self, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
        """The sum of the joints' speeds, on average over time."""
        return _mean(self.features["curves"][:, _column("curves", "energy")], starts, stops)

    def _root(self, name: str) -> np.ndarray:
        return self.features["root"][:, _column("root", f"root {name}")].astype(np.float64)

    @cached_property
    def _headings(self) -> np.ndarray:
        """Where the body faces (F,), in radians to the left of where it faces in the first frame."""
        return _integral(self._root("turning"), self.rate_hz)

    @cached_property
    def _places(self) -> np.ndarray:
        """Where the hips are on the ground (F, 2), from their first place on."""
        ahead, left = self._root("speed forward"), self._root("speed left")
        cosine, sine = np.cos(self._headings), np.sin(self._headings)
        velocity = np.stack([cosine * left + sine * ahead, cosine * ahead - sine * left], axis=-1)
        return _integral(velocity, self.rate_hz)


def _integral(rates: np.ndarray, rate_hz: float) -> np.ndarray:
    steps = 0.5 * (rates[1:] + rates[:-1]) / rate_hz
    return np.concatenate([np.zeros_like(rates[:1]), np.cumsum(steps, axis=0)])


def _mean(curve: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
    sums = np.concatenate([[0.0], np.cumsum(curve, dtype=np.float64)])
    return np.asarray((sums[stops] - sums[starts]) / (stops - starts))


def _extreme(pick: np.ufunc, curve: np.ndarray, starts: np.ndarray, stops: np.ndarray) -> np.ndarray:
    bounds = np.stack([starts, stops], axis=1).ravel()
    return np.asarray(pick.reduceat(np.append(curve, curve[-1:]), bounds)[::2])


def _column(description: str, name: str) -> int:
    return [dimension.name for dimension in descriptions()[description].dimensions].index(name)
