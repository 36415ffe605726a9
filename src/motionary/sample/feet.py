"""Both feet of a performer: where they stand, how they leave the ground, roll, swing and land, and their plants."""

from dataclasses import dataclass

import numpy as np

from motionary.motion import Skeleton
from motionary.plants import FootPart
from motionary.sample.curves import Track
from motionary.sample.figure import SIDES, sole_points
from motionary.sample.truth import Side

PARTS: tuple[FootPart, ...] = ("heel", "toe")
OTHER: dict[Side, Side] = {"left": "right", "right": "left"}
Way = tuple[tuple[float, np.ndarray], ...]  # shares of the time, and the places of the sole then


@dataclass(frozen=True)
class Swing:
    """How a foot goes from one place to the next; times in seconds, angles in radians."""

    heel_off: float = 0.1  # how long before it leaves the ground the heel begins to rise
    push: float = 0.5  # the angle of the foot when the toe leaves
    fold: float = 0.7  # the largest angle, toes down, soon after
    clearance: float = 0.04  # metres
    strike: float = 0.3  # the angle at which it lands: above 0 heel first, below 0 toe first
    flat: float = 0.1  # how long after landing it stands flat
    late: float = 0.9  # the share of its way that it has gone when 78 % of the time is over


SHUFFLE = Swing(0.1, 0.25, 0.4, 0.06, 0.0, 0.0)  # a small step from flat to flat


@dataclass(frozen=True, eq=False)
class TimedPlant:
    """A part of a foot that stands still, in seconds."""

    foot: Side
    part: FootPart
    start: float
    stop: float
    place: np.ndarray  # (3,) world


class Feet:
    """Writes the tracks of the feet and keeps account of their plants."""

    def __init__(self, skeleton: Skeleton, soles: dict[Side, np.ndarray], yaws: dict[Side, float]) -> None:
        self.soles, self.yaws = dict(soles), dict(yaws)
        self.tracks: dict[str, Track] = {}
        for s in SIDES:
            self.tracks |= {f"sole_{s}": Track(soles[s]), f"yaw_{s}": Track(yaws[s])}
            self.tracks |= {f"heel_lift_{s}": Track(0.0), f"toe_lift_{s}": Track(0.0)}
        self._points = {s: dict(zip(PARTS, sole_points(skeleton, s)[1:], strict=True)) for s in SIDES}
        self._plants: list[TimedPlant] = []
        self._down_since = {(s, part): 0.0 for s in SIDES for part in PARTS}  # infinite while in the air

    @property
    def middle(self) -> np.ndarray:
        """The place (3,) half-way between the soles."""
        return 0.5 * (self.soles["left"] + self.soles["right"])

    def step(
        self, foot: Side, off: float, on: float, sole: np.ndarray, yaw: float, swing: Swing, *, way: Way = ()
    ) -> None:
        """Lift a foot at `off` and put it down at `on`, on a `way` of its own if one is given."""
        start, length = self.soles[foot], on - off
        track, turning = self.tracks[f"sole_{foot}"], self.tracks[f"yaw_{foot}"]
        track.hold(off)
        turning.hold(off)
        for share, place in way or _arch(start, sole, swing):
            track.key(off + share * length, place, flowing=True)
        track.key(on, sole)
        turning.key(on, yaw)
        self._roll(foot, off, on, swing)
        self._down_since[foot, "heel"] = on if swing.strike >= 0.0 else on + swing.flat
        self._down_since[foot, "toe"] = on if swing.strike <= 0.0 else on + swing.flat
        self.soles[foot], self.yaws[foot] = np.array(sole, dtype=float), yaw

    def lift(self, foot: Side, off: float, *, push: float = 0.35, secs: float = 0.15) -> None:
        """Take a foot off the ground, heel first; its place stays, and something else must move it."""
        self._leave(foot, "heel", off - secs)
        self._leave(foot, "toe", off)
        heel = self.tracks[f"heel_lift_{foot}"]
        heel.hold(off - secs)
        heel.key(off, push)
        heel.key(off + 2.0 * secs, 0.0)

    def land(self, foot: Side, on: float, sole: np.ndarray | None = None, yaw: float | None = None) -> None:
        """Have a lifted foot stand flat from `on`, where it was or elsewhere."""
        self._down_since[foot, "heel"] = self._down_since[foot, "toe"] = on
        self.soles[foot] = self.soles[foot] if sole is None else np.array(sole, dtype=float)
        self.yaws[foot] = self.yaws[foot] if yaw is None else yaw

    def raise_heel(self, foot: Side, start: float, stop: float, angle: float) -> None:
        """Roll onto the ball of a standing foot."""
        self._leave(foot, "heel", start)
        self.tracks[f"heel_lift_{foot}"].hold(start)
        self.tracks[f"heel_lift_{foot}"].key(stop, angle)

    def lower_heel(self, foot: Side, start: float, stop: float) -> None:
        """Come down from the ball of a foot."""
        self.tracks[f"heel_lift_{foot}"].hold(start)
        self.tracks[f"heel_lift_{foot}"].key(stop, 0.0)
        self._down_since[foot, "heel"] = stop

    def plants(self, until: float) -> list[TimedPlant]:
        """All plants, those that last closed at `until`."""
        lasting = [
            TimedPlant(foot, part, since, until, self._place(foot, part))
            for (foot, part), since in self._down_since.items()
            if since < until
        ]
        return self._plants + lasting

    def _roll(self, foot: Side, off: float, on: float, swing: Swing) -> None:
        """Roll the foot off over its ball, and onto the ground over its heel, or toe first."""
        heel, toe, length = self.tracks[f"heel_lift_{foot}"], self.tracks[f"toe_lift_{foot}"], on - off
        if np.isinf(self._down_since[foot, "heel"]):  # it stands on its ball already
            heel.hold(off)
        else:
            flat = max(self._down_since[foot, "heel"], self._down_since[foot, "toe"])
            heel_up = max(off - swing.heel_off, flat) if swing.push > 0.0 else off
            rise = max(off - heel_up, 1e-3)
            push = swing.push * min(1.0, rise / 0.12)  # no time, no push
            self._leave(foot, "heel", heel_up)
            heel.hold(heel_up)
            heel.key(off, push, velocity=1.3 * push / rise)
        self._leave(foot, "toe", off)
        heel.key(off + 0.36 * length, swing.fold)
        if swing.strike < 0.0:
            heel.key(on, -swing.strike)
            heel.key(on + swing.flat, 0.0)
        else:
            heel.key(off + 0.8 * length, 0.0)
        if swing.strike > 0.0:
            toe.hold(off + 0.35 * length)
            toe.key(on, swing.strike)
            toe.key(on + swing.flat, 0.0)

    def _leave(self, foot: Side, part: FootPart, time: float) -> None:
        since = self._down_since[foot, part]
        if time > since:
            self._plants.append(TimedPlant(foot, part, since, time, self._place(foot, part)))
        self._down_since[foot, part] = np.inf

    def _place(self, foot: Side, part: FootPart) -> np.ndarray:
        x, y, z = self._points[foot][part]
        yaw = self.yaws[foot]
        turned = np.array([x * np.cos(yaw) + z * np.sin(yaw), y, z * np.cos(yaw) - x * np.sin(yaw)])
        return np.asarray(self.soles[foot] + turned)


def _arch(start: np.ndarray, stop: np.ndarray, swing: Swing) -> Way:
    """The way of a foot from one place to another: up early, forward, down late."""
    upper = max(start[1], stop[1])
    rising, falling = start + 0.4 * (stop - start), start + swing.late * (stop - start)
    rising[1] = upper + swing.clearance
    falling[1] = stop[1] + 0.35 * (upper - stop[1]) + 0.4 * swing.clearance
    return (0.42, rising), (0.78, falling)
