"""Kicks, blows and throws."""

import numpy as np

from motionary.sample.feet import OTHER, SHUFFLE, Swing
from motionary.sample.figure import SIDES, SIGN
from motionary.sample.performer import Performer, Posture
from motionary.sample.truth import Side

Legs = tuple[tuple[float, float, float, float], ...]  # attitudes of a leg off the ground


def kick_front(p: Performer) -> None:
    """Raise the knee, snap the foot out to the front at hip height, take it back and put it down."""
    size = p.rng.uniform(0.85, 1.1)
    legs = ((1.35, 0.05, 0.52, 0.3), (1.62 * size, 0.03, 0.975, 0.35), (1.3, 0.05, 0.52, 0.3))
    with p.label("kick_front"):
        _kick(p, p.actor.hand, legs, spine=(-0.1, 0.0, 0.0), tilt=(-0.32, 0.0))


def kick_side(p: Performer) -> None:
    """Raise the knee, thrust the foot out to the side, the trunk leaning away, take it back and put it down."""
    foot = p.actor.hand
    sign, size = SIGN[foot], p.rng.uniform(0.85, 1.05)
    legs = ((1.15, 0.45, 0.5, 0.1), (0.1, 1.1 * size, 0.975, 0.0), (1.05, 0.45, 0.52, 0.1))
    with p.label("kick_side"):
        _kick(p, foot, legs, spine=(0.05, -0.22 * sign, 0.0), tilt=(0.05, -0.48 * sign))


def _kick(
    p: Performer, foot: Side, legs: Legs, *, spine: tuple[float, float, float], tilt: tuple[float, float]
) -> None:
    """The leg, off the ground, passes through three attitudes: drawn up, thrust out, drawn back."""
    rng, start, tempo = p.rng, p.now, p.tempo
    stand, chamber, thrust, draw, lower, ease = (
        secs * rng.uniform(0.92, 1.1) / tempo for secs in (0.5, 0.36, 0.2, 0.26, 0.42, 0.45)
    )
    off = start + stand
    up, out = off + chamber, off + chamber + thrust + 0.06
    back = out + draw
    on = back + lower
    p.now = on + ease
    p.move(start, off, place=p.support(0.5 - 0.5 * SIGN[foot]))
    p.feet.lift(foot, off)
    leg, free = f"leg_{foot}", f"free_{foot}"
    p.tracks[leg].key(start, (0.25, 0.05, 0.93, 0.0))
    p.move(off, up, {leg: legs[0]})
    p.move(off, off + 0.7 * chamber, {free: 1.0})
    p.move(up, up + thrust, {leg: legs[1]})
    p.move(out, back, {leg: legs[2]})
    p.move(back, on, {leg: (0.2, 0.06, 0.93, 0.0)})
    p.move(back + 0.15 * lower, on, {free: 0.0})
    p.feet.land(foot, on)
    p.move(off, up, tilt=p.tilted(0.5 * tilt[0], 0.4 * tilt[1]), spine=(0.12, 0.5 * spine[1], 0.0))
    p.move(up, up + thrust, tilt=p.tilted(*tilt), spine=spine)
    p.move(out, on, p.at_rest("tilt", "spine"))
    p.move(on, p.now, place=p.support())
    arms: Posture = {}
    for s in SIDES:
        arms |= {f"arm_{s}": (0.35, 0.35, -0.25), f"elbow_{s}": 1.55}
    p.move(start, off, arms)
    for s in SIDES:
        p.move(up, up + thrust, {f"arm_{s}": (0.1 if s == foot else 0.5, 0.55, -0.1), f"elbow_{s}": 1.1})
    p.move(back, p.now, p.at_rest(*arms))


def punch(p: Performer) -> None:
    """Take up a guard with one foot forward, strike two to four straight blows, stand down."""
    rng, rear = p.rng, p.actor.hand
    lead = OTHER[rear]
    sign = SIGN[rear]
    with p.label("punch"):
        start, home, yaw = p.now, p.feet.soles[lead], p.feet.yaws[lead]
        guard_at = start + 0.75 / p.tempo
        p.move(start, start + 0.28, place=p.support(0.5 + 0.4 * sign))
        out = Swing(0.1, 0.25, 0.4, 0.05, 0.12, 0.08)
        p.feet.step(lead, start + 0.28, guard_at - 0.08, home + 0.3 * p.leg * p.forward, yaw, out)
        stance: Posture = {
            "height": p.ground + p.standing - 0.06 * p.leg,
            "place": p.support(),
            "tilt": p.tilted(0.05, 0.0, -0.3 * sign),
            "spine": (0.2, 0.0, -0.1 * sign),
            "head": (0.12, 0.0, 0.0),
        }
        p.move(start + 0.28, guard_at, stance)
        guards: dict[Side, Posture] = {
            s: {f"arm_{s}": (0.8 if s == lead else 0.55, 0.12, -0.15), f"elbow_{s}": 2.0} for s in SIDES
        }
        for s in SIDES:
            p.move(start, guard_at, guards[s])
        time = guard_at + 0.12
        for i in range(int(rng.integers(2, 5))):
            hand = lead if i % 2 == 0 else rear
            time = _blow(p, hand, time, stance, guards[hand])
        p.now = time + 1.0 / p.tempo
        p.move(time, time + 0.25, place=p.support(0.5 + 0.4 * sign))
        p.feet.step(lead, time + 0.25, p.now - 0.25, home, yaw, SHUFFLE)
        p.settle(time + 0.27, p.now)


def _blow(p: Performer, hand: Side, start: float, stance: Posture, guard: Posture) -> float:
    """Strike out once and come back to the guard; returns when the next blow may begin."""
    rng, sign = p.rng, SIGN[hand]
    out, stay, back = 0.25 / p.tempo, 0.06, 0.32 / p.tempo
    reach_far: Posture = {
        "spine": (0.26, 0.0, -0.42 * sign),
        "tilt": p.tilted(0.08, 0.0, -0.25 * sign),
        f"shoulder_{hand}": (0.05, 0.3),
    }
    shoulder = p.shoulders(stance | reach_far)[hand][0]
    height, across = rng.uniform(-0.05, 0.12), rng.uniform(0.05, 0.25)
    away = p.forward - across * sign * p.left + np.array([0.0, height, 0.0])
    place = shoulder + 0.955 * p.arm * away / np.linalg.norm(away)
    p.move(start, start + 0.75 * out, reach_far)  # the trunk goes before the arm
    start += 0.3 * out
    p.move(start, start + out, {f"arm_{hand}": p.aim(hand, away), f"elbow_{hand}": 0.6, f"wrist_{hand}": (-1.2, 0.0)})
    p.reach(hand, start, start + out, place)
    leave, stop = start + out + stay, start + out + stay + back
    p.let_go(hand, leave, stop)
    p.move(leave, stop, {name: stance[name] for name in ("spine", "tilt")})
    p.move(leave, stop, guard | p.at_rest(f"wrist_{hand}", f"shoulder_{hand}"))
    return stop + rng.uniform(0.0, 0.15)


def throw(p: Performer) -> None:
    """Throw overarm: draw back the arm, step out with the other foot, sling the arm over and follow it."""
    rng, hand = p.rng, p.actor.hand
    lead, sign = OTHER[hand], SIGN[hand]
    size = rng.uniform(0.9, 1.1)
    with p.label("throw"):
        wind, stride, sling, follow, hold, recover = (s / p.tempo for s in (0.75, 0.4, 0.17, 0.28, 0.12, 1.15))
        start, cocked, landed = p.now, p.now + wind, p.now + wind + stride
        released = landed + sling
        ended = released + follow
        leave = ended + hold
        p.now = leave + recover
        _sling_arms(p, hand, start, cocked, landed, released, ended)
        # Back: weight on the rear foot, shoulders turned away.
        p.move(start, cocked, place=p.support(0.5 + 0.42 * sign, ahead=0.0), tilt=p.tilted(-0.05, 0.0, 0.3 * sign))
        p.move(start, cocked, spine=(-0.12, 0.12 * sign, 0.6 * sign * size))
        # Out: a long step forward; then hips and shoulders come around, the body over the front foot.
        ahead, long = p.feet.soles[lead] + 0.62 * p.leg * size * p.forward, Swing(0.12, 0.3, 0.5, 0.1, 0.28, 0.1)
        p.feet.step(lead, cocked - 0.1, landed, ahead, p.feet.yaws[lead], long)
        p.flow(landed, place=p.support(0.5 + 0.15 * sign), height=p.ground + p.standing - 0.07 * p.leg)
        p.feet.raise_heel(hand, landed, released + 0.1, 0.55)
        p.move(landed - 0.15, released, tilt=p.tilted(0.15, 0.0, -0.35 * sign))
        p.move(landed - 0.08, released, spine=(0.25, -0.12 * sign, -0.35 * sign))
        p.move(released, ended, spine=(0.6, -0.15 * sign, -0.5 * sign), tilt=p.tilted(0.28, 0.0, -0.4 * sign))
        p.tracks["place"].key(ended, p.support(0.5 - 0.38 * sign))
        p.tracks["height"].key(ended, p.ground + p.standing - 0.1 * p.leg)
        # The rear foot follows to stand beside the other.
        beside = p.feet.soles[lead] + sign * p.stance * p.left
        p.feet.step(hand, leave + 0.1 * recover, leave + 0.6 * recover, beside, p.feet.yaws[hand], SHUFFLE)
        p.settle(leave + 0.25 * recover, p.now)


def _sling_arms(
    p: Performer, hand: Side, start: float, cocked: float, landed: float, released: float, ended: float
) -> None:
    """The throwing arm up behind the head, over the shoulder and down across the body; the other one against it."""
    other = OTHER[hand]
    arm, elbow, wrist, shoulder = (f"{part}_{hand}" for part in ("arm", "elbow", "wrist", "shoulder"))
    p.move(start, cocked, {arm: (-0.2, 1.45, 1.35), elbow: 1.75, shoulder: (0.2, -0.2), wrist: (0.0, -0.5)})
    p.move(start, cocked, {f"arm_{other}": (1.25, 0.25, 0.0), f"elbow_{other}": 0.35})
    for track in (arm, elbow, wrist):
        p.tracks[track].hold(landed - 0.04)
    p.flow(released, {arm: (2.0, 0.75, 0.5), elbow: 0.45, wrist: (0.0, 0.4)})
    for track, value in ((arm, (0.7, -0.3, -0.2)), (elbow, 0.5), (wrist, (0.0, 0.3))):
        p.tracks[track].key(ended, value)
    p.move(landed, ended, {f"arm_{other}": (-0.2, 0.5, 0.0), f"elbow_{other}": 1.1, shoulder: (0.0, 0.3)})
