"""Actions in which the body leaves the ground: jumps and hops."""

import numpy as np

from motionary.motion import GRAVITY
from motionary.sample.feet import OTHER, Swing, Way
from motionary.sample.figure import SIDES, SIGN
from motionary.sample.performer import Performer, Posture
from motionary.sample.truth import Side


def jump(p: Performer) -> None:
    """Crouch, leap off both feet with the arms thrown up, land in a crouch, straighten."""
    rng = p.rng
    flight = rng.uniform(0.4, 0.52)
    metres = 0.0 if rng.random() < 0.35 else rng.uniform(0.3, 0.8)
    with p.label("jump"):
        down, up, absorb, rise = 0.5 / p.tempo, 0.3, 0.26, 0.6 / p.tempo
        start, deepest = p.now, p.now + down
        off = deepest + up
        on, caught = off + flight, off + flight + absorb
        p.now = caught + rise

        deep = p.ground + p.standing - rng.uniform(0.27, 0.34) * p.leg
        p.move(start, deepest, height=deep, spine=(0.42, 0.0, 0.0), tilt=p.tilted(0.4))
        p.move(start, deepest, place=p.support(ahead=0.06 + 0.02 * metres))
        p.move(deepest, off, spine=(p.actor.stoop, 0.0, 0.0), tilt=p.tilted(0.02))
        p.fly(off, on, low=p.standing + 0.02 * p.leg, land=p.standing - 0.05 * p.leg)
        p.flow(off, place=p.support(ahead=0.1) + 0.12 * metres * p.forward[[0, 2]])
        for foot in SIDES:
            landing = p.feet.soles[foot] + metres * p.forward
            way = along_flight(p.feet.soles[foot], landing, flight, early=0.22, held_down=0.8)
            p.feet.step(foot, off, on, landing, p.feet.yaws[foot], Swing(0.16, 0.75, 0.85, 0.0, -0.4, 0.1), way=way)
        p.flow(on, place=p.support(ahead=-0.02))
        p.tracks["place"].key(caught, p.support(ahead=0.05))
        p.tracks["height"].key(caught, p.ground + p.standing - 0.26 * p.leg)
        p.move(on - 0.12, caught, spine=(0.32, 0.0, 0.0), tilt=p.tilted(0.34))
        for s in SIDES:
            arm, elbow, shoulder = f"arm_{s}", f"elbow_{s}", f"shoulder_{s}"
            p.move(start, deepest, {arm: (-0.95, 0.15, 0.0), elbow: 0.3})
            p.move(deepest, off + 0.12, {arm: (2.55, 0.3, 0.0), elbow: 0.35, shoulder: (0.3, 0.0)})
            p.move(off + 0.12 + 0.1 * flight, caught, {arm: (0.75, 0.35, 0.0), elbow: 0.7, shoulder: (0.0, 0.0)})
        p.settle(caught, p.now)


def along_flight(start: np.ndarray, stop: np.ndarray, secs: float, *, early: float, held_down: float) -> Way:
    """The way of a foot that flies with the body for `secs`; `held_down`: how much it lags at first and last."""
    top = GRAVITY * secs**2 / 8.0
    shares = (early, 0.5, 1.0 - early)
    places = [start + share * (stop - start) for share in shares]
    for place, share in zip(places, shares, strict=True):
        place[1] += 4.0 * share * (1.0 - share) * top * (0.95 if share == 0.5 else held_down)
    return tuple(zip(shares, places, strict=True))


def hop(p: Performer) -> None:
    """Stand on one leg, the other drawn up, and hop along on it."""
    rng = p.rng
    foot: Side = "left" if rng.random() < 0.5 else "right"
    other, over = OTHER[foot], 0.5 + 0.5 * SIGN[foot]
    n_hops, metres = int(rng.integers(3, 7)), rng.uniform(0.12, 0.38)
    flight, contact = rng.uniform(0.3, 0.37), 0.3 / p.tempo
    high = p.standing - 0.035 * p.leg
    drawn_up = (0.1, 0.08, 0.56, 0.6) if rng.random() < 0.6 else (0.9, 0.08, 0.55, 0.3)
    hanging, leg, free = (0.15, 0.05, 0.95, 0.0), f"leg_{other}", f"free_{other}"
    with p.label("hop"):
        # Onto one leg, and down to spring.
        start = p.now
        lift = start + 0.5 / p.tempo
        p.move(start, lift, place=p.support(over))
        p.move(start, lift + 0.15, spine=(0.12, 0.0, 0.0), height=p.ground + high)
        p.move(start, lift + 0.3, _arms_out(0.15, 0.6, 1.0))
        p.feet.lift(other, lift)
        p.tracks[leg].key(start, hanging)
        p.move(lift, lift + 0.35, {leg: drawn_up, free: 1.0})
        p.tracks["height"].key(lift + 0.45, p.ground + high - 0.1 * p.leg)
        p.tracks["place"].hold(lift + 0.45)

        off = lift + 0.45 + 0.22
        for _ in range(n_hops):
            on = off + flight
            p.fly(off, on, low=high)
            p.flow(off, place=p.support(over, ahead=0.05))
            landing = p.feet.soles[foot] + metres * p.forward
            way = along_flight(p.feet.soles[foot], landing, flight, early=0.27, held_down=0.8)
            p.feet.step(foot, off, on, landing, p.feet.yaws[foot], Swing(0.12, 0.5, 0.55, 0.0, -0.25, 0.08), way=way)
            p.flow(on, place=p.support(over, ahead=0.0))
            p.move(off - 0.15, off + 0.1, _arms_out(0.35, 0.75, 1.1))
            p.move(off + 0.1, on + 0.14, _arms_out(0.1, 0.5, 0.9))
            off = on + contact

        # The other foot down beside it.
        ended = on + 0.25
        down = ended + 0.45 / p.tempo
        p.now = down + 0.45 / p.tempo
        home = p.feet.soles[foot] - SIGN[foot] * p.stance * p.left
        p.tracks["height"].key(ended, p.ground + high - 0.07 * p.leg)
        p.tracks["place"].key(ended, p.support(over))
        p.move(ended - 0.2, ended, {f"sole_{other}": home})
        p.move(ended, down, {leg: hanging}, height=p.ground + p.standing - 0.01 * p.leg)
        p.move(ended + 0.05, down, {free: 0.0})
        p.feet.land(other, down, home)
        p.settle(down, p.now)


def _arms_out(forwards: float, sideways: float, elbows: float) -> Posture:
    posture: Posture = {}
    for s in SIDES:
        posture |= {f"arm_{s}": (forwards, sideways, 0.0), f"elbow_{s}": elbows}
    return posture
