"""An actor in the middle of a take: where it stands, and the tracks, labels and plants that it has made so far."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from motionary.sample.actors import Actor
from motionary.sample.body import SIDES, SIGN, Values, arm_length, balanced, leg_length, motion_of, sole_points
from motionary.sample.curves import Track, smooth_noise
from motionary.sample.truth import FootPart, LabelledSegment, Plant, Side, Take, Target

GRAVITY = 9.81
STANDING_STRETCH = 0.985  # of the legs, when at ease
OTHER: dict[str, Side] = {"left": "right", "right": "left"}


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


STEP = Swing()
Way = tuple[tuple[float, np.ndarray], ...]  # shares of the time, and the places of the sole then


class Performer:
    """Writes one take, action by action; the time is `now`."""

    def __init__(
        self, actor: Actor, rng: np.random.Generator, *, place: tuple[float, float] = (0.0, 0.0), heading: float = 0.0
    ) -> None:
        self.actor, self.rng, self.now = actor, rng, 0.0
        self.skeleton = actor.skeleton
        self.leg, self.arm = leg_length(self.skeleton), arm_length(self.skeleton)
        self.size = actor.height / 1.75
        self.tempo = actor.tempo * rng.uniform(0.92, 1.08)  # of the day
        self.ground = 0.0
        self.turned_over = 0.0  # radians of roll left over from cartwheels: whole turns
        self.carrying = False
        hip = -self.skeleton.offsets[self.skeleton.index("LeftThigh"), 1]
        self.standing = STANDING_STRETCH * self.leg + hip + sole_points(self.skeleton, "left")[0][1]
        centre, forward, left = np.array([place[0], 0.0, place[1]]), _forward(heading), _left(heading)
        self.soles = {s: centre + SIGN[s] * 0.5 * self.stance * left - 0.03 * self.size * forward for s in SIDES}
        self.yaws = {s: heading + SIGN[s] * actor.toe_out for s in SIDES}
        self.tracks: dict[str, Track] = {"heading": Track(heading), "airborne": Track(0.0)}
        self.tracks |= {name: Track(value) for name, value in self.neutral().items()}
        for s in SIDES:
            self.tracks |= {f"sole_{s}": Track(self.soles[s]), f"yaw_{s}": Track(self.yaws[s])}
            self.tracks |= {f"{part}_{s}": Track(0.0) for part in ("heel_lift", "toe_lift", "free", "reaching")}
            self.tracks |= {f"reach_{s}": Track(np.zeros(3)), f"leg_{s}": Track((0.0, 0.1, 0.97, 0.3))}
        self._labels: list[tuple[float, float, str]] = []
        self._plants: list[tuple[Side, FootPart, float, float, np.ndarray]] = []
        self._targets: list[tuple[str, float, np.ndarray]] = []
        self._down_since: dict[tuple[Side, FootPart], float] = {
            (s, part): 0.0 for s in ("left", "right") for part in ("heel", "toe")
        }
        self._flights: list[tuple[float, float]] = []

    # Where the actor is.

    @property
    def stance(self) -> float:
        """Metres between the feet when standing."""
        return self.actor.stance * self.actor.height

    @property
    def heading(self) -> float:
        return float(self.tracks["heading"].last[0])

    @property
    def forward(self) -> np.ndarray:
        return _forward(self.heading)

    @property
    def left(self) -> np.ndarray:
        return _left(self.heading)

    def support(self, share_left: float = 0.5, *, ahead: float = 0.03) -> np.ndarray:
        """The place (x, z) between the feet over which the body balances, 1: over the left foot."""
        between = share_left * self.soles["left"] + (1.0 - share_left) * self.soles["right"]
        return _ground(between + ahead * self.size * self.forward)

    def neutral(self) -> dict[str, np.ndarray | tuple[float, ...] | float]:
        """What the tracks of trunk and arms come back to when the actor stands at ease."""
        actor = self.actor
        values: dict[str, np.ndarray | tuple[float, ...] | float] = {
            "place": self.support(),
            "height": self.ground + self.standing,
            "balance": 1.0,
            "tilt": (0.0, self.turned_over, 0.0),
            "spine": (actor.stoop, 0.0, 0.0),
            "head": (0.04 + 0.3 * actor.stoop, 0.0, 0.0),
            "stable": 0.75,
            "hanging": 0.85,
        }
        for s in SIDES:
            values |= {f"shoulder_{s}": (0.0, 0.0), f"wrist_{s}": (0.0, 0.0)}
            if self.carrying:
                values |= {f"arm_{s}": (0.25, 0.02, -0.35), f"elbow_{s}": 1.45}
            else:
                values |= {f"arm_{s}": (0.04, actor.arms_out, -0.15), f"elbow_{s}": actor.elbows}
        return values

    def at_rest(self, *names: str) -> dict[str, np.ndarray | tuple[float, ...] | float]:
        """The neutral values of these tracks."""
        neutral = self.neutral()
        return {name: neutral[name] for name in names}

    # Writing tracks.

    def move(self, start: float, stop: float, **values: object) -> None:
        """Bring tracks from rest at `start` to rest at `stop` at these values, by the path of minimum jerk."""
        for name, value in values.items():
            self.tracks[name].hold(start)
            self.tracks[name].key(stop, value)  # type: ignore[arg-type]

    def flow(self, time: float, **values: object) -> None:
        """Pass through these values at `time` without stopping."""
        for name, value in values.items():
            self.tracks[name].key(time, value, flowing=True)  # type: ignore[arg-type]

    def settle(self, start: float, stop: float, *, but: tuple[str, ...] = ()) -> None:
        """Come back to standing at ease."""
        self.move(start, stop, **{name: value for name, value in self.neutral().items() if name not in but})

    @contextmanager
    def label(self, name: str) -> Iterator[None]:
        """Label what is done inside with `name`, from `now` before to `now` after."""
        start = self.begin()
        yield
        self.mark(name, start, self.now)

    def begin(self) -> float:
        """Hold everything as it is until now, so that what follows departs from here; the time."""
        for track in self.tracks.values():
            track.hold(self.now)
        return self.now

    def mark(self, name: str, start: float, stop: float) -> None:
        """Label the time from `start` to `stop`."""
        self._labels.append((start, stop, name))

    # Feet.

    def step(
        self,
        foot: Side,
        off: float,
        on: float,
        sole: np.ndarray,
        yaw: float,
        swing: Swing = STEP,
        *,
        way: Way = (),
    ) -> None:
        """Lift a foot at `off` and put it down at `on`, on a `way` of its own if one is given."""
        start, length = self.soles[foot], on - off
        track = self.tracks[f"sole_{foot}"]
        track.hold(off)
        for share, place in way or _arch(start, sole, swing):
            track.key(off + share * length, place, flowing=True)
        track.key(on, sole)
        self.move(off, on, **{f"yaw_{foot}": yaw})
        self._roll(foot, off, on, swing)
        self._down_since[foot, "heel"] = on if swing.strike >= 0.0 else on + swing.flat
        self._down_since[foot, "toe"] = on if swing.strike <= 0.0 else on + swing.flat
        self.soles[foot], self.yaws[foot] = np.array(sole, dtype=float), yaw

    def _roll(self, foot: Side, off: float, on: float, swing: Swing) -> None:
        """Roll the foot off over its ball, and onto the ground over its heel, or toe first."""
        heel, toe = self.tracks[f"heel_lift_{foot}"], self.tracks[f"toe_lift_{foot}"]
        length = on - off
        if np.isinf(self._down_since[foot, "heel"]):  # it stands on its ball already
            heel.hold(off)
        else:
            flat = max(self._down_since[foot, "heel"], self._down_since[foot, "toe"])
            heel_up = max(off - swing.heel_off, flat) if swing.push > 0.0 else off
            rise = max(off - heel_up, 1e-3)
            push = swing.push * min(1.0, rise / 0.12)
            self._lift(foot, "heel", heel_up)
            heel.hold(heel_up)
            heel.key(off, push, velocity=1.3 * push / rise)
        self._lift(foot, "toe", off)
        heel.key(off + 0.3 * length, swing.fold)
        if swing.strike < 0.0:
            heel.key(on, -swing.strike)
            heel.key(on + swing.flat, 0.0)
        else:
            heel.key(off + 0.8 * length, 0.0)
        if swing.strike > 0.0:
            toe.hold(off + 0.35 * length)
            toe.key(on, swing.strike)
            toe.key(on + swing.flat, 0.0)

    def lift(self, foot: Side, off: float, *, push: float = 0.35, secs: float = 0.15) -> None:
        """Take a foot off the ground, heel first; its track stays, and something else must move it."""
        self._lift(foot, "heel", off - secs)
        self._lift(foot, "toe", off)
        self.tracks[f"heel_lift_{foot}"].hold(off - secs)
        self.tracks[f"heel_lift_{foot}"].key(off, push)
        self.tracks[f"heel_lift_{foot}"].key(off + 2.0 * secs, 0.0)

    def land(self, foot: Side, on: float, sole: np.ndarray | None = None, yaw: float | None = None) -> None:
        """Have the foot stand flat from `on`, where it was lifted or elsewhere."""
        self._down_since[foot, "heel"] = self._down_since[foot, "toe"] = on
        self.soles[foot] = self.soles[foot] if sole is None else np.array(sole, dtype=float)
        self.yaws[foot] = self.yaws[foot] if yaw is None else yaw

    def raise_heel(self, foot: Side, start: float, stop: float, angle: float) -> None:
        """Roll onto the ball of a standing foot."""
        self._lift(foot, "heel", start)
        self.move(start, stop, **{f"heel_lift_{foot}": angle})

    def lower_heel(self, foot: Side, start: float, stop: float) -> None:
        self.move(start, stop, **{f"heel_lift_{foot}": 0.0})
        self._down_since[foot, "heel"] = stop

    def raise_toe(self, foot: Side, start: float, stop: float, angle: float) -> None:
        """Roll onto the heel of a standing foot."""
        self._lift(foot, "toe", start)
        self.move(start, stop, **{f"toe_lift_{foot}": angle})

    def lower_toe(self, foot: Side, start: float, stop: float) -> None:
        self.move(start, stop, **{f"toe_lift_{foot}": 0.0})
        self._down_since[foot, "toe"] = stop

    def fly(self, off: float, on: float, *, low: float, land: float | None = None) -> None:
        """Let the pelvis fall freely from `off` at height `low` to `on` at height `land`, over the ground."""
        land = low if land is None else land
        secs = on - off
        up = (land - low) / secs + 0.5 * GRAVITY * secs
        height = self.tracks["height"]
        height.key(off, self.ground + low, velocity=up, acceleration=-GRAVITY)
        height.key(on, self.ground + land, velocity=up - GRAVITY * secs, acceleration=-GRAVITY)
        self._flights.append((off, on))

    # Hands.

    def reach(self, hand: Side, start: float, arrive: float, place: np.ndarray) -> None:
        """Bring a wrist to a place in the world; it stays there until `let_go`."""
        weight = self.tracks[f"reaching_{hand}"]
        if weight.last[0] == 0.0:
            self.tracks[f"reach_{hand}"].key(max(start, self.tracks[f"reach_{hand}"].last_time), place)
            self.move(start, arrive, **{f"reaching_{hand}": 1.0})
        else:
            self.move(start, arrive, **{f"reach_{hand}": place})

    def let_go(self, hand: Side, start: float, stop: float) -> None:
        self.tracks[f"reach_{hand}"].hold(stop)
        self.move(start, stop, **{f"reaching_{hand}": 0.0})

    def aim(self, hand: Side, away: np.ndarray, *, turn: float = 0.0) -> tuple[float, float, float]:
        """The arm's (forwards, sideways, turn) angles that point it along `away` (world) from the shoulder."""
        away = away / np.linalg.norm(away)
        ahead, outwards = float(away @ self.forward), SIGN[hand] * float(away @ self.left)
        return float(np.arctan2(ahead, -away[1])), float(np.arcsin(np.clip(outwards, -0.95, 0.95))), turn

    def target(self, joint: str, time: float, place: np.ndarray) -> None:
        """Note that `joint` arrives at `place` at `time`."""
        self._targets.append((joint, time, np.array(place, dtype=float)))

    def shoulders(self, **changes: object) -> dict[str, np.ndarray]:
        """Places (N, 3) of the shoulders if tracks had these values, (D,) or (N, D), now, in balance."""
        values = {name: track.last[None] for name, track in self.tracks.items()}
        for name, value in changes.items():
            values[name] = np.asarray(value, dtype=float).reshape(-1, values[name].shape[1])
        n_poses = max(len(value) for value in values.values())
        values = {name: np.repeat(v, n_poses // len(v), axis=0) for name, v in values.items()}
        return balanced(self.skeleton, values, frame_time=None)[0].shoulders

    # The end.

    def take(self, name: str, *, rate_hz: float) -> Take:
        """Everything so far as one take."""
        frame_time = 1.0 / rate_hz
        times = np.arange(int(np.floor(self.now * rate_hz))) * frame_time
        motion = motion_of(self.skeleton, self._values(times), frame_time=frame_time)

        def frames(start: float, stop: float) -> tuple[int, int]:
            return int(np.ceil(start * rate_hz - 1e-6)), min(int(np.floor(stop * rate_hz + 1e-6)) + 1, len(times))

        labels = [(round(a * rate_hz), min(round(b * rate_hz), len(times)), text) for a, b, text in self._labels]
        plants = list(self._plants)
        for (foot, part), since in self._down_since.items():
            plants.append((foot, part, since, self.now, self._part_place(foot, part)))
        in_frames = [(foot, part, *frames(a, b), place) for foot, part, a, b, place in plants]
        return Take(
            name,
            self.actor.name,
            motion,
            tuple(sorted(LabelledSegment(*label) for label in labels if label[0] < label[1])),
            tuple(
                Plant(foot, part, start, stop, place)
                for foot, part, start, stop, place in sorted(in_frames, key=lambda p: (p[2], p[3], p[0], p[1]))
                if start < stop
            ),
            tuple(Target(joint, round(t * rate_hz), place) for joint, t, place in self._targets),
        )

    def _values(self, times: np.ndarray) -> Values:
        """All tracks over time, with what a living body adds: breath and a little wandering."""
        values = {name: track.at(times) for name, track in self.tracks.items()}
        for off, on in self._flights:
            values["airborne"][(times > off) & (times < on)] = 1.0
        noise = smooth_noise(times, self.rng, n_dims=16)
        values["place"] += 0.004 * self.size * noise[:, 0:2] * values["balance"]
        values["spine"] += 0.012 * noise[:, 2:5]
        values["head"] += 0.025 * noise[:, 5:8]
        values["tilt"] += 0.006 * noise[:, 8:11]
        breath = 0.5 + 0.5 * np.sin(2.0 * np.pi * times / self.rng.uniform(3.2, 4.5) + self.rng.uniform(0.0, 6.0))
        values["spine"][:, 0] -= 0.015 * breath
        for s, columns in (("left", (11, 12)), ("right", (13, 14))):
            values[f"shoulder_{s}"][:, 0] += 0.025 * breath
            values[f"arm_{s}"][:, :2] += 0.02 * noise[:, columns]
        return values

    def _lift(self, foot: Side, part: FootPart, time: float) -> None:
        since = self._down_since[foot, part]
        if time > since:
            self._plants.append((foot, part, since, time, self._part_place(foot, part)))
        self._down_since[foot, part] = np.inf

    def _part_place(self, foot: Side, part: FootPart) -> np.ndarray:
        _, heel, ball = sole_points(self.skeleton, foot)
        x, y, z = heel if part == "heel" else ball
        yaw = self.yaws[foot]
        return np.asarray(self.soles[foot] + x * _left(yaw) + z * _forward(yaw) + np.array([0.0, y, 0.0]))


def _arch(start: np.ndarray, stop: np.ndarray, swing: Swing) -> Way:
    """The way of a foot from one place to another: up early, forward, down late."""
    upper = max(start[1], stop[1])
    rising, falling = start + 0.4 * (stop - start), start + swing.late * (stop - start)
    rising[1] = upper + swing.clearance
    falling[1] = stop[1] + 0.35 * (upper - stop[1]) + 0.4 * swing.clearance
    return (0.42, rising), (0.78, falling)


def _forward(heading: float) -> np.ndarray:
    return np.array([np.sin(heading), 0.0, np.cos(heading)])


def _left(heading: float) -> np.ndarray:
    return np.array([np.cos(heading), 0.0, -np.sin(heading)])


def _ground(place: np.ndarray) -> np.ndarray:
    return place[[0, 2]]
