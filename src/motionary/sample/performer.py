"""An actor in the middle of a take: where it stands, and the tracks, labels and targets that it has made so far."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from motionary.ik import Target
from motionary.motion import GRAVITY
from motionary.plants import Plant
from motionary.rig import HEIGHT
from motionary.sample.actors import Actor
from motionary.sample.balance import balanced, motion_of
from motionary.sample.curves import Track, smooth_noise
from motionary.sample.feet import Feet
from motionary.sample.figure import SIDES, SIGN, Values, limb_length, sole_points
from motionary.sample.truth import LabelledSegment, Side, Take

STANDING_STRETCH = 0.985  # of the legs, when at ease
AHEAD = 0.03  # metres from the ankles to where a body of ordinary height balances

Value = np.ndarray | tuple[float, ...] | float
Posture = dict[str, Value]  # a track's name, and where it is to go


class Performer:
    """Writes one take, action by action; the time is `now`."""

    def __init__(
        self, actor: Actor, rng: np.random.Generator, *, place: tuple[float, float] = (0.0, 0.0), heading: float = 0.0
    ) -> None:
        self.actor, self.rng, self.now = actor, rng, 0.0
        self.skeleton = actor.skeleton
        self.leg = limb_length(self.skeleton, "LeftShin", "LeftFoot")
        self.arm = limb_length(self.skeleton, "LeftForearm", "LeftHand")
        self.size = actor.height / HEIGHT
        self.stance = actor.stance * actor.height  # metres between the feet when standing
        self.tempo = actor.tempo * rng.uniform(0.92, 1.08)  # some days are quicker
        self.ground = 0.0
        self.turned_over = 0.0  # radians of roll left over from cartwheels: whole turns
        self.carrying = False
        hip = -self.skeleton.offsets[self.skeleton.index("LeftThigh"), 1]
        self.standing = STANDING_STRETCH * self.leg + hip + sole_points(self.skeleton, "left")[0][1]
        centre = np.array([place[0], 0.0, place[1]]) - AHEAD * self.size * forward_of(heading)
        self.feet = Feet(
            self.skeleton,
            {s: centre + SIGN[s] * 0.5 * self.stance * left_of(heading) for s in SIDES},
            {s: heading + SIGN[s] * actor.toe_out for s in SIDES},
        )
        self.tracks = self.feet.tracks | {"heading": Track(heading), "airborne": Track(0.0)}
        self.tracks |= {name: Track(value) for name, value in self.neutral().items()}
        for s in SIDES:
            self.tracks |= {f"reaching_{s}": Track(0.0), f"reach_{s}": Track(np.zeros(3))}
            self.tracks |= {f"free_{s}": Track(0.0), f"leg_{s}": Track((0.0, 0.1, 0.97, 0.3))}
        self._labels: list[tuple[float, float, str]] = []
        self._targets: list[tuple[str, float, np.ndarray]] = []
        self.flights: list[tuple[float, float]] = []

    # Where the actor is.

    @property
    def heading(self) -> float:
        return float(self.tracks["heading"].last[0])

    @property
    def forward(self) -> np.ndarray:
        return forward_of(self.heading)

    @property
    def left(self) -> np.ndarray:
        return left_of(self.heading)

    def support(self, share_left: float = 0.5, *, ahead: float = AHEAD) -> np.ndarray:
        """The place (x, z) between the feet over which the body balances; 1: over the left foot."""
        between = share_left * self.feet.soles["left"] + (1.0 - share_left) * self.feet.soles["right"]
        return np.asarray((between + ahead * self.size * self.forward)[[0, 2]])

    def before(self, ahead: float, to_left: float, height: float) -> np.ndarray:
        """A place before the actor: metres ahead and to the left of the middle of its feet, above its ground."""
        x, _, z = self.feet.middle
        return np.asarray(np.array([x, self.ground + height, z]) + ahead * self.forward + to_left * self.left)

    def neutral(self) -> Posture:
        """What the tracks of trunk and arms come back to when the actor stands at ease."""
        actor = self.actor
        values: Posture = {
            "place": self.support(),
            "height": self.ground + self.standing,
            "balance": 1.0,
            "tilt": self.tilted(),
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

    def at_rest(self, *names: str) -> Posture:
        """The neutral values of these tracks."""
        neutral = self.neutral()
        return {name: neutral[name] for name in names}

    def tilted(self, forwards: float = 0.0, to_left: float = 0.0, twist: float = 0.0) -> tuple[float, float, float]:
        """A tilt of the pelvis, on top of the turns that cartwheels have left."""
        return forwards, self.turned_over + to_left, twist

    # Writing tracks.

    def begin(self) -> float:
        """Hold everything as it is until now, so that what follows departs from here; the time."""
        for track in self.tracks.values():
            track.hold(self.now)
        return self.now

    def move(self, start: float, stop: float, posture: Posture | None = None, **values: Value) -> None:
        """Bring tracks from rest at `start` to rest at `stop` at these values, by the path of minimum jerk."""
        for name, value in ((posture or {}) | values).items():
            self.tracks[name].hold(start)
            self.tracks[name].key(stop, value)

    def flow(self, time: float, posture: Posture | None = None, **values: Value) -> None:
        """Pass through these values at `time` without stopping."""
        for name, value in ((posture or {}) | values).items():
            self.tracks[name].key(time, value, flowing=True)

    def settle(self, start: float, stop: float) -> None:
        """Come back to standing at ease."""
        self.move(start, stop, self.neutral())

    def fly(self, off: float, on: float, *, low: float, land: float | None = None) -> None:
        """Let the pelvis fall freely from `off` at height `low` to `on` at height `land`, over the ground."""
        land = low if land is None else land
        secs = on - off
        up = (land - low) / secs + 0.5 * GRAVITY * secs
        height = self.tracks["height"]
        height.key(off, self.ground + low, velocity=up, acceleration=-GRAVITY)
        height.key(on, self.ground + land, velocity=up - GRAVITY * secs, acceleration=-GRAVITY)
        self.flights.append((off, on))

    # Hands.

    def reach(self, hand: Side, start: float, arrive: float, place: np.ndarray) -> None:
        """Bring a wrist to a place in the world; it stays there until `let_go`. Noted as a target."""
        self.tracks[f"reach_{hand}"].key(max(start, self.tracks[f"reach_{hand}"].last_time), place)
        self.move(start, arrive, {f"reaching_{hand}": 1.0})
        self._targets.append((f"{hand.title()}Hand", arrive, np.array(place, dtype=float)))

    def let_go(self, hand: Side, start: float, stop: float) -> None:
        """Take a wrist back from where it reached."""
        self.tracks[f"reach_{hand}"].hold(stop)
        self.move(start, stop, {f"reaching_{hand}": 0.0})

    def aim(self, hand: Side, away: np.ndarray, *, turn: float = 0.0) -> tuple[float, float, float]:
        """The arm's (forwards, sideways, turn) angles that point it along `away` (world) from the shoulder."""
        away = away / np.linalg.norm(away)
        ahead, outwards = float(away @ self.forward), SIGN[hand] * float(away @ self.left)
        return float(np.arctan2(ahead, -away[1])), float(np.arcsin(np.clip(outwards, -0.95, 0.95))), turn

    def shoulders(self, posture: Posture) -> dict[Side, np.ndarray]:
        """Places (N, 3) of the shoulders if tracks had these values, (D,) or (N, D), now, in balance."""
        values = {name: track.last[None] for name, track in self.tracks.items()}
        for name, value in posture.items():
            values[name] = np.asarray(value, dtype=float).reshape(-1, values[name].shape[1])
        n_poses = max(len(value) for value in values.values())
        figure = balanced(self.skeleton, {name: np.repeat(v, n_poses // len(v), axis=0) for name, v in values.items()})
        return {s: figure.places[f"{s.title()}UpperArm"] for s in SIDES}

    # Labels, and the end.

    @contextmanager
    def label(self, name: str) -> Iterator[None]:
        """Label what is done inside with `name`, from `now` before to `now` after."""
        start = self.begin()
        yield
        self.mark(name, start, self.now)

    def mark(self, name: str, start: float, stop: float) -> None:
        """Label the time from `start` to `stop`."""
        self._labels.append((start, stop, name))

    def take(self, name: str, *, rate_hz: float) -> Take:
        """Everything so far as one take."""
        n_frames = int(np.floor(self.now * rate_hz + 1e-6))
        times = np.arange(n_frames) / rate_hz
        labels = [(round(a * rate_hz), min(round(b * rate_hz), n_frames), text) for a, b, text in self._labels]
        plants = []
        for timed in self.feet.plants(self.now):
            start = int(np.ceil(timed.start * rate_hz - 1e-6))
            stop = min(int(np.floor(timed.stop * rate_hz + 1e-6)) + 1, n_frames)
            if start < stop:
                plants.append(Plant(timed.foot, timed.part, start, stop, _xyz(timed.place), origin="sample"))
        return Take(
            name,
            self.actor.name,
            motion_of(self.skeleton, self._values(times), frame_time=1.0 / rate_hz),
            tuple(sorted(LabelledSegment(*label) for label in labels if label[0] < label[1])),
            tuple(sorted(plants, key=lambda plant: (plant.start, plant.stop, plant.foot, plant.part))),
            tuple(Target(joint, round(time * rate_hz), _xyz(place)) for joint, time, place in self._targets),
        )

    def _values(self, times: np.ndarray) -> Values:
        """All tracks over time, with what a living body adds: breath and a little wandering."""
        values = {name: track.at(times) for name, track in self.tracks.items()}
        for off, on in self.flights:
            values["airborne"][(times > off) & (times < on)] = 1.0
        noise = smooth_noise(times, self.rng, n_dims=15)
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


def forward_of(heading: float) -> np.ndarray:
    """The direction (3,) in which somebody with this heading faces."""
    return np.array([np.sin(heading), 0.0, np.cos(heading)])


def left_of(heading: float) -> np.ndarray:
    """The direction (3,) to the left of that."""
    return np.array([np.cos(heading), 0.0, -np.sin(heading)])


def within(centre: np.ndarray, place: np.ndarray, reach: float) -> np.ndarray:
    """The place, brought nearer to `centre` if it is further off than `reach`."""
    away = place - centre
    return np.asarray(centre + away * min(1.0, reach / float(np.linalg.norm(away))))


def _xyz(place: np.ndarray) -> tuple[float, float, float]:
    return float(place[0]), float(place[1]), float(place[2])
