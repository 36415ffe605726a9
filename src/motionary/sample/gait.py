"""Going from place to place: footsteps are planned along a path, feet, pelvis, trunk and arms follow them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from motionary.sample.feet import OTHER, Swing
from motionary.sample.figure import SIDES, SIGN
from motionary.sample.performer import AHEAD, Performer
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
    swing: Swing = field(default_factory=Swing)


@dataclass(frozen=True, eq=False)
class Plan:
    """Strides along a path: which foot takes each, where along the path and when it lands."""

    path: Path
    strides: Sequence[Stride]
    feet: Sequence[Side]
    stations: np.ndarray  # metres along the path: of the foot that stands first, then of each stride's end
    landings: np.ndarray  # seconds; the first stands for a landing before the first stride

    def middle(self, k: int) -> float:
        """The time half-way between a stride's landing and the next one's start."""
        following = self.strides[min(k + 1, len(self.strides) - 1)]
        return float(self.landings[k + 1] + 0.5 * following.overlap)


def travel(p: Performer, strides: Sequence[Stride], *, turn: float, first: Side) -> Plan:
    """Take the strides on a path that turns by `turn`, from standing to standing at ease."""
    lengths = np.array([stride.length for stride in strides]) * p.leg
    path = Path(p.feet.middle[[0, 2]], p.heading, float(lengths.sum()), turn)
    start = p.now
    lift = start + max(0.28, 0.45 * strides[0].secs) / p.tempo
    secs = [lift - strides[0].overlap, *(stride.secs for stride in strides)]
    feet = [first if k % 2 == 0 else OTHER[first] for k in range(len(strides))]
    plan = Plan(path, strides, feet, np.concatenate([[0.0], np.cumsum(lengths)]), np.cumsum(secs))
    end = float(plan.landings[-1])
    p.now = end + max(0.35, 0.5 * strides[-1].secs) / p.tempo

    _place_feet(p, plan)
    _carry_pelvis(p, plan, lift)
    _carry_trunk(p, plan, lift)
    if not p.carrying:
        _swing_arms(p, plan)
    p.tracks["heading"].key(p.now, path.heading(plan.stations[-1]))
    p.settle(end + 0.02, p.now)
    return plan


def go(p: Performer, stride: Stride, metres: float, *, turn: float, first: Side) -> Plan:
    """Equal strides over `metres`, the first shorter, the last one setting the foot beside the other."""
    strides = [stride] * max(2, round(metres / (stride.length * p.leg)))
    strides[0] = replace(stride, length=0.62 * stride.length, secs=1.1 * stride.secs, overlap=abs(stride.overlap))
    strides.append(replace(stride, length=0.0, secs=1.1 * stride.secs))
    return travel(p, strides, turn=turn, first=first)


def _place_feet(p: Performer, plan: Plan) -> None:
    n_strides = len(plan.strides)
    for k, (stride, foot) in enumerate(zip(plan.strides, plan.feet, strict=True)):
        station, ending = plan.stations[k + 1], k >= n_strides - 2  # the last two stand as at ease
        width = p.stance if ending else stride.width * p.stance
        x, z = plan.path.place(station, left=SIGN[foot] * 0.5 * width)
        yaw = plan.path.heading(station) + SIGN[foot] * p.actor.toe_out
        swing = stride.swing
        if k == n_strides - 1:
            swing = replace(swing, strike=min(swing.strike, 0.05))
        off = float(plan.landings[k] + stride.overlap)
        p.feet.step(foot, off, float(plan.landings[k + 1]), np.array([x, p.ground, z]), yaw, swing)


def _carry_pelvis(p: Performer, plan: Plan, lift: float) -> None:
    """Place, height and heading: a knot between each two footfalls, and one over each standing foot."""
    path, height = plan.path, p.ground + p.standing
    opening = plan.strides[0]
    toward = -SIGN[plan.feet[0]] * 0.5 * p.stance * (0.3 + 0.8 * opening.sway)
    p.flow(lift, place=path.place(1.3 * AHEAD * p.size, left=toward), height=height - opening.crouch * p.leg)
    for k, (stride, foot) in enumerate(zip(plan.strides, plan.feet, strict=True)):
        low, lead = height - stride.crouch * p.leg, AHEAD * p.size + stride.lead * p.leg
        last = k == len(plan.strides) - 1
        following = stride if last else plan.strides[k + 1]
        if k > 0:
            over = 0.5 * (plan.middle(k - 1) + plan.middle(k))
            sway = -SIGN[foot] * 0.5 * stride.width * p.stance * stride.sway
            p.flow(over, place=path.place(plan.stations[k] + lead, left=sway))
            if stride.overlap > 0.0 and following.overlap > 0.0:
                p.flow(over, height=low)
        if not last:
            here = 0.5 * (plan.stations[k] + plan.stations[k + 1])
            p.flow(plan.middle(k), place=path.place(here + lead), heading=path.heading(here))
            landing = float(plan.landings[k + 1])
            if following.overlap < 0.0:
                p.fly(landing + following.overlap, landing, low=p.standing - stride.crouch * p.leg)
            else:
                p.flow(plan.middle(k), height=low - stride.bob * p.leg)


def _carry_trunk(p: Performer, plan: Plan, lift: float) -> None:
    """Pelvis and spine: turned against each other as a foot lands, leaning over the foot that stands."""
    for k, (stride, foot) in enumerate(zip(plan.strides, plan.feet, strict=True)):
        sign = SIGN[foot]
        before = lift if k == 0 else plan.middle(k - 1)
        over, drop = 0.5 * (before + plan.middle(k)), 0.035 * min(1.0, stride.sway + 0.5)
        bent = p.actor.stoop + 0.7 * stride.lean
        p.flow(over, tilt=p.tilted(0.3 * stride.lean, sign * drop))
        p.flow(over, spine=(bent, -sign * (drop + stride.aside), 0.0))
        if k < len(plan.strides) - 1:
            p.flow(plan.middle(k), tilt=p.tilted(0.3 * stride.lean, 0.0, -sign * stride.twist))
            p.flow(plan.middle(k), spine=(bent, 0.0, sign * 1.8 * stride.twist))


def _swing_arms(p: Performer, plan: Plan) -> None:
    """The arm of the other side comes forward as a foot lands."""
    for k, (stride, foot) in enumerate(zip(plan.strides, plan.feet, strict=True)):
        size, time = stride.arms * p.actor.arm_swing, float(plan.landings[k + 1])
        for s in SIDES:
            along = -0.85 if s == foot else 1.0
            p.tracks[f"arm_{s}"].key(time, (stride.arms_ahead + along * size, p.actor.arms_out + 0.02, -0.15))
            p.tracks[f"elbow_{s}"].key(time, stride.elbows + (0.55 if s != foot else 0.0) * size)
