"""The cartwheel: over the hands, sideways, once around."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from motionary.sample.feet import OTHER, SHUFFLE
from motionary.sample.figure import SIDES, SIGN
from motionary.sample.performer import Performer, Posture
from motionary.sample.truth import Side

ORDINARY_LEG = 0.845  # metres
WAY = 2.9  # metres from standing to standing, of a body with ordinary legs
WRIST = 0.12  # metres above the ground when the palm is on it

# The pelvis through the wheel, symmetric about its top: share of the time, share of the way from the first
# place to the last, height as a share of that at the top, degrees turned, sideways bend of the spine.
WHEEL = (
    (0.0, 0.13, 0.80, 16.0, 0.1),
    (0.18, 0.34, 0.68, 68.0, 0.5),
    (0.34, 0.42, 0.88, 122.0, 0.55),
    (0.5, 0.5, 1.0, 180.0, 0.0),
    (0.66, 0.58, 0.88, 238.0, -0.55),
    (0.82, 0.66, 0.68, 292.0, -0.5),
    (1.0, 0.87, 0.80, 342.0, -0.1),
)


def cartwheel(p: Performer) -> None:
    """Step out to the side, wheel over both hands with the legs apart, land foot after foot, stand."""
    rng = p.rng
    lead: Side = OTHER[p.actor.hand] if rng.random() < 0.75 else p.actor.hand
    trail, sign = OTHER[lead], SIGN[lead]
    middle, aside = p.feet.middle, sign * p.leg / ORDINARY_LEG * p.left  # the way it goes, in ordinary metres

    def at(metres: float, height: float = 0.0) -> np.ndarray:
        return np.asarray(middle + metres * aside + np.array([0.0, height, 0.0]))

    with p.label("cartwheel"):
        start = p.now
        out, wheel, end = 0.85 / p.tempo, rng.uniform(1.35, 1.55) / p.tempo, 0.75 / p.tempo
        begin = start + out
        over = begin + wheel
        p.now = over + end

        # Arms up, a wide step to the side.
        for s in SIDES:
            up: Posture = {f"arm_{s}": (0.0, 2.75, 0.0), f"elbow_{s}": 0.12, f"shoulder_{s}": (0.4, 0.0)}
            p.move(start, start + 0.55 * out, up)
        p.move(start, start + 0.4 * out, place=p.support(0.5 - 0.42 * sign))
        aimed, wide = p.heading + sign * 0.5, replace(SHUFFLE, fold=0.5, clearance=0.1)
        p.feet.step(lead, start + 0.4 * out, start + 0.85 * out, at(0.62), aimed, wide)
        p.move(start + 0.3 * out, begin, stable=0.0, hanging=0.0, balance=0.0, head=(-0.15, 0.0, 0.0))

        # Once around. The trailing leg swings up first and comes down first.
        _turn_over(p, begin, wheel, sign, at)
        _plant_hand(p, lead, begin - 0.04 * wheel, begin + 0.2 * wheel, begin + 0.6 * wheel, at(1.24, WRIST * p.size))
        _plant_hand(p, trail, begin + 0.17 * wheel, begin + 0.4 * wheel, begin + 0.8 * wheel, at(1.66, WRIST * p.size))
        _over(p, trail, begin + 0.01 * wheel, begin + 0.8 * wheel, at(2.24), wheel)
        _over(p, lead, begin + 0.22 * wheel, over, at(2.77), wheel)

        # Stand up, the feet together.
        home, yaw = p.feet.soles[lead] - sign * p.stance * p.left, p.heading - sign * p.actor.toe_out
        p.feet.step(trail, over + 0.4 * end, over + 0.85 * end, home, yaw, SHUFFLE)
        p.tracks["tilt"].key(over + 0.35 * end, p.tilted())
        p.settle(over, p.now)


def _turn_over(p: Performer, begin: float, wheel: float, sign: float, at: Callable[[float], np.ndarray]) -> None:
    """Take the pelvis once around; afterwards the actor stands upright a whole turn on."""
    trunk = p.skeleton.rest_positions()[p.skeleton.index("LeftUpperArm"), 1]
    top = trunk + 0.97 * p.arm + WRIST * p.size
    p.tracks["tilt"].hold(begin - 0.4)
    p.tracks["spine"].hold(begin - 0.4)
    for share, gone, height, turned, bend in WHEEL:
        time = begin + share * wheel
        p.flow(time, place=at(WAY * gone)[[0, 2]], height=p.ground + height * top)
        p.flow(time, spine=(0.0, sign * bend, 0.0), tilt=p.tilted(0.0, sign * np.radians(turned)))
    p.turned_over += 2.0 * np.pi * sign


def _plant_hand(p: Performer, hand: Side, start: float, on: float, off: float, place: np.ndarray) -> None:
    """Put a palm on the ground at `on` and take it off at `off`."""
    p.reach(hand, start, on, place)
    p.move(start, on, {f"wrist_{hand}": (0.0, 1.35)})
    p.let_go(hand, off, off + 0.3)
    p.move(off, off + 0.3, p.at_rest(f"wrist_{hand}"))


def _over(p: Performer, foot: Side, off: float, on: float, sole: np.ndarray, wheel: float) -> None:
    """Take a leg off the ground, around with the pelvis, and down again at `sole`."""
    p.feet.lift(foot, off, push=0.5, secs=0.12)
    leg, free = f"leg_{foot}", f"free_{foot}"
    p.tracks[leg].hold(off - 0.1)
    p.tracks[leg].key(off, (0.0, 0.75, 0.95, 0.6))
    p.move(off, off + 0.28 * wheel, {leg: (0.0, 0.72, 0.97, 0.7), free: 1.0})
    p.move(on - 0.3 * wheel, on, {leg: (0.0, 0.6, 0.95, 0.2)})
    p.tracks[f"sole_{foot}"].hold(off + 0.28 * wheel)
    yaw = p.heading + SIGN[foot] * 0.35
    p.move(off + 0.3 * wheel, on - 0.3 * wheel, {f"sole_{foot}": sole, f"yaw_{foot}": yaw})
    p.move(on - 0.28 * wheel, on, {free: 0.0})
    p.feet.land(foot, on, sole, yaw)
