"""Going from place to place: footsteps are planned along a path, feet, pelvis, trunk and arms follow them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionary.sample.body import SIDES, SIGN
from motionary.sample.performer import OTHER, Performer, Swing
from motionary.sample.truth import Side


class Path:
    """A way on the ground that turns by `turn` radians over its `length`, gently at both ends."""

    def __init__(self, place: np.ndarray, heading: float, length: float, turn: float) -> None:
        self._stations = np.linspace(0.0, length, 257)
        share = self._stations / length
        self._headings = heading + turn * share**3 * (10.0 - 15.0 * share + 6.0 * share**2)
        middles = 0.5 * (self._headings[1:] + self._headings[:-1])
        moves = np.stack([np.sin(middles), np.cos(middles)], axis=-1) * np.diff(self._stations)[:, None]
        self._places = place + np.concatenate([np.zeros((1, 2)), np.cumsum(moves, axis=0)])

    def heading(self, station: float) -> float:
        return float(np.interp(station, self._stations, self._headings))

    def place(self, station: float, *, left: float = 0.0) -> np.ndarray:
        """The place (x, z) `station` metres along the path, and `left` metres to its left; straight on beyond."""
        at = np.array([np.interp(station, self._stations, self._places[:, i]) for i in range(2)])
        theta = self.heading(station)
        beyond = station - np.clip(station, self._stations[0], self._stations[-1])
        along, across = np.array([np.sin(theta), np.cos(theta)]), np.array([np.cos(theta), -np.sin(theta)])
        return np.asarray(at + beyond * along + left * across)


@dataclass(frozen=True)
class Stride:
    """One step of one foot; lengths as shares of the leg's length, angles in radians."""

    length: float  # from the other foot's place to this one's
    secs: float  # from the other foot's landing to this one's
    overlap: float  # seconds for which both feet stand before this one leaves; below 0: the body flies
    crouch: float = 0.0  # how much lower than standing
    bob: float = 0.02  # how far the pelvis sinks between two steps
    lean: float = 0.02  # of the trunk, forwards
    aside: float = 0.0  # lean of the trunk to the side of the foot that stands while this one swings
    arms: float = 0.35  # swing of the arms
    arms_ahead: float = 0.05
    elbows: float = 0.35  # bend of the elbows, more in the forward arm
    twist: float = 0.1
    lead: float = 0.0  # how far the body goes before the middle of its feet
    sway: float = 0.35  # how far the body goes over the standing foot
    width: float = 0.6  # between the feet, as a share of the standing one
    swing: Swing = Swing()


def travel(p: Performer, path: Path, strides: Sequence[Stride], first: Side) -> list[float]:
    """Go along the path, from standing to standing; returns when each step lands. `now` ends in standing at ease."""
    feet = [first if k % 2 == 0 else OTHER[first] for k in range(len(strides))]
    stations = np.cumsum([stride.length * p.leg for stride in strides])
    stations = np.concatenate([[0.0], stations])  # of the foot that stands first, then of each step
    start = p.now
    shift = max(0.28, 0.45 * strides[0].secs) / p.tempo
    on = [start + shift - strides[0].overlap]
    for stride in strides:
        on.append(on[-1] + stride.secs)
    p.now = on[-1] + max(0.35, 0.5 * strides[-1].secs) / p.tempo

    _place_feet(p, path, strides, feet, stations, on)
    _carry_trunk(p, path, strides, feet, stations, on, start, start + shift)
    p.tracks["heading"].key(p.now, path.heading(stations[-1]))
    p.settle(on[-1] + 0.02, p.now)
    return on[1:]


def _place_feet(p, path, strides, feet, stations, on) -> None:  # type: ignore[no-untyped-def]
    last = len(strides) - 1
    for k, (stride, foot) in enumerate(zip(strides, feet, strict=True)):
        width = p.stance if k == last or k == last - 1 else stride.width * p.stance
        x, z = path.place(stations[k + 1], left=SIGN[foot] * 0.5 * width)
        yaw = path.heading(stations[k + 1]) + SIGN[foot] * p.actor.toe_out
        swing = stride.swing
        if k == last:  # the foot is set down beside the other
            swing = replace(swing, strike=min(swing.strike, 0.05) if swing.strike > 0.0 else swing.strike)
        off = on[k] + stride.overlap
        p.step(foot, off, on[k + 1], np.array([x, p.ground, z]), yaw, swing)


def _carry_trunk(p, path, strides, feet, stations, on, start, off) -> None:  # type: ignore[no-untyped-def]
    """Pelvis, spine and arms: one knot between each two footfalls' middles, one over each standing foot."""
    last = len(strides) - 1
    ahead = 0.03 * p.size
    first_stance = OTHER[feet[0]]
    opening = strides[0]
    height = p.ground + p.standing
    toward = SIGN[first_stance] * 0.5 * p.stance * (0.3 + 0.8 * opening.sway)
    p.flow(off, place=path.place(0.0 * p.leg + 1.3 * ahead, left=toward))
    p.flow(off, height=height - opening.crouch * p.leg)
    for k, (stride, foot) in enumerate(zip(strides, feet, strict=True)):
        following = strides[min(k + 1, last)]
        middle = on[k + 1] + 0.5 * following.overlap  # between this step and the next
        stance = on[k] + 0.5 * stride.overlap  # and the one before
        over = 0.5 * (max(stance, off) + middle)  # the other foot stands alone
        sign, low = SIGN[foot], height - stride.crouch * p.leg
        sway = -sign * 0.5 * stride.width * p.stance * stride.sway
        lead = ahead + stride.lead * p.leg
        here = 0.5 * (stations[k] + stations[k + 1])
        roll = 0.035 * min(1.0, stride.sway + 0.5)
        _swing_arms(p, stride, foot, on[k + 1])
        if k > 0:
            p.flow(over, place=path.place(stations[k] + lead, left=sway))
            if stride.overlap > 0.0 and following.overlap > 0.0:
                p.flow(over, height=low)
        p.move(min(p.tracks["tilt"].last_time, over), over, tilt=(0.3 * stride.lean, p.turned_over + sign * roll, 0.0))
        p.flow(over, spine=(p.actor.stoop + 0.7 * stride.lean, -sign * (roll + stride.aside), 0.0))
        if k < last:
            p.flow(middle, place=path.place(here + lead), heading=path.heading(here))
            p.flow(middle, tilt=(0.3 * stride.lean, p.turned_over, -sign * stride.twist))
            p.flow(middle, spine=(p.actor.stoop + 0.7 * stride.lean, 0.0, sign * 1.8 * stride.twist))
            if following.overlap < 0.0:
                p.fly(on[k + 1] + following.overlap, on[k + 1], low=p.standing - stride.crouch * p.leg)
            else:
                p.flow(middle, height=low - stride.bob * p.leg)


def _swing_arms(p: Performer, stride: Stride, foot: Side, time: float) -> None:
    """The arm of the other side comes forward as the foot lands."""
    if p.carrying:
        return
    size = stride.arms * p.actor.arm_swing
    for s in SIDES:
        along = -0.85 if s == foot else 1.0
        arm = (stride.arms_ahead + along * size, p.actor.arms_out + 0.02, -0.15)
        p.move(p.tracks[f"arm_{s}"].last_time, time, **{f"arm_{s}": arm})
        bend = stride.elbows + (0.55 if s != foot else 0.0) * size
        p.move(p.tracks[f"elbow_{s}"].last_time, time, **{f"elbow_{s}": bend})


def walk(p: Performer, *, turn: float | None = None, metres: float | None = None) -> None:
    """Walk at one of many speeds along a straight or curved path."""
    rng = p.rng
    speed = rng.uniform(-1.0, 1.0)  # slow to brisk
    secs = (0.54 - 0.07 * speed) / p.tempo
    stride = Stride(
        length=0.74 + 0.12 * speed,
        secs=secs,
        overlap=(0.24 - 0.06 * speed) * secs,
        bob=0.022 + 0.008 * speed * p.actor.bounce,
        lean=0.03 + 0.04 * max(speed, 0.0),
        arms=0.36 + 0.14 * speed,
        twist=0.09 + 0.03 * speed,
        swing=Swing(0.45 * secs, 0.62, 0.8, 0.025, 0.32 + 0.06 * speed, 0.21 * secs),
    )
    metres = rng.uniform(2.2, 5.0) if metres is None else metres
    turn = _homewards(p, metres) if turn is None else turn
    first: Side = "left" if (turn > 0.3 or (abs(turn) <= 0.3 and rng.random() < 0.5)) else "right"
    with p.label("walk"):
        go(p, stride, metres, turn, first)


def go(p: Performer, stride: Stride, metres: float, turn: float, first: Side, **change: float) -> list[float]:
    """Equal steps over `metres`, the first shorter, the last one setting the foot beside the other."""
    n_steps = max(2, round(metres / (stride.length * p.leg)))
    strides = [stride] * n_steps
    strides[0] = replace(stride, length=0.62 * stride.length, secs=1.1 * stride.secs, overlap=abs(stride.overlap))
    strides.append(replace(stride, length=0.0, secs=1.1 * stride.secs))
    length = sum(s.length for s in strides) * p.leg
    origin = 0.5 * (p.soles["left"] + p.soles["right"])[[0, 2]]
    return travel(p, Path(origin, p.heading, length, turn), strides, first)


def sneak(p: Performer) -> None:
    """Creep: deep knees, a bent back, long slow steps with the foot lifted high and set down toe first."""
    rng = p.rng
    secs = rng.uniform(1.05, 1.35) / p.tempo
    stride = Stride(
        length=0.66, secs=secs, overlap=0.3 * secs, crouch=rng.uniform(0.17, 0.23), bob=0.015, lean=0.62, arms=0.16,
        arms_ahead=0.55, elbows=1.55, twist=0.1, sway=0.75, width=0.8,
        swing=Swing(0.25 * secs, 0.35, 0.9, rng.uniform(0.2, 0.26), -0.35, 0.22 * secs),
    )  # fmt: skip
    with p.label("sneak"):
        metres = rng.uniform(1.8, 3.0)
        go(p, stride, metres, 0.5 * _homewards(p, metres), p.actor.hand)


def limp(p: Performer) -> None:
    """Walk with one stiff, sore leg: off it quickly, the trunk thrown over it."""
    rng = p.rng
    sore: Side = "left" if rng.random() < 0.5 else "right"
    secs = 0.6 / p.tempo
    on_sore = Stride(  # the sound foot steps, the sore one bears
        length=0.2, secs=0.78 * secs, overlap=0.14, bob=0.0, crouch=0.1, lean=0.5, aside=0.36, arms=0.12, elbows=0.7,
        sway=0.6, width=0.95, swing=Swing(0.06, 0.2, 0.3, 0.03, 0.1, 0.08),
    )  # fmt: skip
    on_sound = Stride(  # the sore foot is brought forward flat, out to the side
        length=0.46, secs=1.35 * secs, overlap=0.2, bob=0.05, lean=0.1, aside=-0.05, arms=0.12, elbows=0.7, sway=0.9, width=0.95,
        swing=Swing(0.1, 0.3, 0.25, 0.03, 0.0, 0.05),
    )  # fmt: skip
    n_pairs = int(rng.integers(3, 5))
    strides = [replace(on_sound, length=0.3), *([on_sore, on_sound] * n_pairs), replace(on_sore, length=0.0)]
    with p.label("limp"):
        length = sum(s.length for s in strides) * p.leg
        origin = 0.5 * (p.soles["left"] + p.soles["right"])[[0, 2]]
        start, path = p.now, Path(origin, p.heading, length, 0.4 * _homewards(p, length))
        travel(p, path, strides, sore)
        _hold_thigh(p, sore, start + 0.3, p.now - 0.15)


def _hold_thigh(p: Performer, side: Side, start: float, stop: float) -> None:
    """Keep a hand on the thigh of the same side, wherever the leg goes."""
    times = np.arange(start, stop - 0.45, 0.12)
    facing = p.tracks["heading"].at(times)[:, 0]
    forward = np.stack([np.sin(facing), np.zeros_like(facing), np.cos(facing)], axis=-1)
    left = np.stack([np.cos(facing), np.zeros_like(facing), -np.sin(facing)], axis=-1)
    hip = np.insert(p.tracks["place"].at(times), 1, p.tracks["height"].at(times)[:, 0] - 0.08 * p.leg, axis=1)
    hip = hip + SIGN[side] * 0.13 * p.leg * left
    ankle = p.tracks[f"sole_{side}"].at(times)
    thigh = hip + 0.3 * (ankle - hip) + 0.16 * p.leg * forward
    reach = p.tracks[f"reach_{side}"]
    for time, place in zip(times, thigh, strict=True):
        reach.key(time, place, flowing=True)
    p.move(start, start + 0.45, **{f"reaching_{side}": 1.0})
    p.move(stop - 0.45, stop, **{f"reaching_{side}": 0.0})


def run(p: Performer, *, n_steps: int | None = None) -> None:
    """Run, and come to a stand in a few braking steps: the latter is an action of its own."""
    rng = p.rng
    n_steps = int(rng.integers(7, 11)) if n_steps is None else n_steps
    speed = rng.uniform(-1.0, 1.0)
    secs = (0.37 - 0.03 * speed) / np.sqrt(p.tempo)
    flight = 0.1 + 0.02 * speed * p.actor.bounce
    stride = Stride(
        length=0.96 + 0.2 * speed, lead=0.09, secs=secs, overlap=-flight, crouch=0.1 + 0.03 * speed, lean=0.34 + 0.08 * speed,
        arms=0.75, arms_ahead=0.02, elbows=1.45, twist=0.16, sway=0.2, width=0.3,
        swing=Swing(0.14, 0.75, 1.25 + 0.2 * speed, 0.2 + 0.05 * speed, 0.1, 0.05, late=0.85),
    )  # fmt: skip
    begin = [
        replace(stride, length=0.5, secs=1.15 * secs, overlap=0.1, crouch=0.08, lean=0.4),
        replace(stride, length=0.8, overlap=-0.6 * flight, lean=0.4),
    ]
    brake = replace(stride, lead=0.0, arms=0.5, lean=-0.06, crouch=0.11, elbows=1.2)
    low = Swing(0.1, 0.4, 0.6, 0.06, 0.22, 0.08, late=0.87)
    end = [
        replace(brake, length=0.85, secs=1.05 * secs, overlap=-0.4 * flight, lead=0.05, swing=replace(low, clearance=0.12)),
        replace(brake, length=0.6, secs=1.15 * secs, overlap=0.08, lead=-0.02, lean=-0.14, swing=low),
        replace(brake, length=0.32, secs=1.3 * secs, overlap=0.12, lean=-0.1, crouch=0.05, arms=0.25, elbows=0.8, swing=low),
        replace(brake, length=0.0, secs=1.35 * secs, overlap=0.16, lean=0.0, crouch=0.01, arms=0.1, elbows=0.5, swing=low),
    ]  # fmt: skip
    strides = [*begin, *([stride] * (n_steps - 2)), *end]
    length = sum(s.length for s in strides) * p.leg
    origin = 0.5 * (p.soles["left"] + p.soles["right"])[[0, 2]]
    start = p.begin()
    path = Path(origin, p.heading, length, float(np.clip(_homewards(p, length), -0.9, 0.9)))
    on = travel(p, path, strides, "left" if rng.random() < 0.5 else "right")
    slowing = on[n_steps - 3]  # two full steps before the first braking one
    p.mark("run", start, slowing)
    p.mark("run_to_stand", slowing, p.now)


def turn_on_the_spot(p: Performer, angle: float | None = None) -> None:
    """Turn about without leaving the place, in small steps."""
    rng = p.rng
    if angle is None:
        angle = float(rng.choice((-1.0, 1.0)) * rng.uniform(1.5, 3.3))
    n_steps = 2 * max(1, round(abs(angle) / 0.95))
    secs = rng.uniform(0.36, 0.48) / p.tempo
    centre = 0.5 * (p.soles["left"] + p.soles["right"])
    heading, first = p.heading, "left" if angle > 0 else "right"
    with p.label("turn"):
        start = p.now
        p.now = start + 0.25 + n_steps * secs + 0.3
        p.tracks["heading"].hold(start + 0.05)
        p.tracks["place"].hold(start)
        gaze = np.array([0.04, 0.0, 0.5 * np.sign(angle)])
        p.move(start, start + 0.3, head=gaze)
        for k in range(n_steps):
            foot = first if k % 2 == 0 else OTHER[first]
            off = start + 0.25 + k * secs
            share = (2 * (k // 2) + 2) / n_steps
            facing = heading + angle * share
            p.flow(off + 0.08 * secs, place=p.support(0.5 - 0.3 * SIGN[foot]))
            p.flow(off + 0.5 * secs, heading=heading + angle * (k + 0.6) / n_steps)
            left = np.array([np.cos(facing), 0.0, -np.sin(facing)])
            sole = centre + SIGN[foot] * 0.5 * p.stance * left
            p.step(foot, off, off + 0.82 * secs, sole, facing + SIGN[foot] * p.actor.toe_out, Swing(0.05, 0.12, 0.25, 0.05, 0.0, 0.0))
        p.tracks["heading"].key(p.now - 0.1, heading + angle)
        p.move(p.tracks["place"].last_time, p.now, place=p.support())
        p.move(p.now - 0.5, p.now, **p.at_rest("head"))


def _homewards(p: Performer, metres: float) -> float:
    """A turn for the next path, random but such that the actor stays about the middle of the room."""
    x, z = p.support()
    home = np.arctan2(-x, -z) - p.heading
    home = (home + np.pi) % (2.0 * np.pi) - np.pi
    pull = np.clip(np.hypot(x, z) / 4.0, 0.0, 1.0)
    most = 0.45 * metres  # no tighter than people like to walk
    wanted = pull * home + (1.0 - pull) * p.rng.choice((0.0, 1.0, -1.0)) * p.rng.uniform(0.5, 1.8)
    return float(np.clip(wanted, -most, most))
