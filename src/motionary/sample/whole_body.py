"""Actions of the whole body that stay in their place: squats, seats, loads, kicks, blows, throws."""

import numpy as np

from motionary.sample.body import SIDES, SIGN
from motionary.sample.gestures import before, idle, least_help, partly
from motionary.sample.performer import OTHER, Performer, Swing
from motionary.sample.truth import Side


def squat(p: Performer) -> None:
    """Bend the knees deeply with the arms held out in front, and come up again, once or twice."""
    rng = p.rng
    depth = rng.uniform(0.48, 0.6)
    down, stay, up = (rng.uniform(*span) / p.tempo for span in ((0.8, 1.1), (0.1, 0.4), (0.75, 1.0)))
    low: dict[str, object] = {
        "height": p.ground + p.standing - depth * p.leg, "spine": (0.3, 0.0, 0.0), "tilt": (0.45, p.turned_over, 0.0),
        "place": p.support(ahead=0.045),
    }  # fmt: skip
    for s in SIDES:
        low |= {f"arm_{s}": (1.5, 0.05, 0.0), f"elbow_{s}": 0.12, f"shoulder_{s}": (0.0, 0.15)}
    with p.label("squat"):
        for _ in range(int(rng.integers(1, 3))):
            start = p.now
            p.move(start, start + down, **low)
            p.move(start + down + stay, start + down + stay + up, **p.at_rest(*low))
            p.now = start + down + stay + up


def sit_and_stand(p: Performer) -> None:
    """Sit down on a seat, stay for a while, stand up."""
    rng = p.rng
    seat = rng.uniform(0.245, 0.27) * p.actor.height + 0.045 * p.actor.height  # of the pelvis above the ground
    middle = 0.5 * (p.soles["left"] + p.soles["right"])
    pelvis = (middle - 0.46 * p.leg * p.forward)[[0, 2]]
    bow = {"spine": (0.5, 0.0, 0.0), "tilt": (0.38, p.turned_over, 0.0)}
    with p.label("sit_down"):
        start, secs = p.now, rng.uniform(1.3, 1.7) / p.tempo
        p.now = start + secs + 0.45
        hands: dict[str, object] = {}
        for s in SIDES:
            hands |= {f"arm_{s}": (0.5, 0.1, -0.2), f"elbow_{s}": 0.85}
        upright = {"spine": (p.actor.stoop + 0.08, 0.0, 0.0), "tilt": (-0.08, p.turned_over, 0.0)}
        p.move(start, start + 0.55 * secs, **bow)
        p.move(start + 0.62 * secs, p.now, **upright)
        p.move(start + 0.1 * secs, start + secs, place=pelvis, height=p.ground + seat, balance=0.0)
        p.move(start + 0.1 * secs, start + secs, **hands)
    with p.label("idle"):
        start, p.now = p.now, p.now + rng.uniform(0.8, 2.5)
        p.move(start, 0.5 * (start + p.now), head=(0.1, 0.0, rng.uniform(-0.5, 0.5)))
        p.move(0.5 * (start + p.now), p.now, **p.at_rest("head"))
    with p.label("stand_up"):
        start, secs = p.now, rng.uniform(1.3, 1.6) / p.tempo
        p.now = start + secs + 0.35
        p.move(start, start + 0.45 * secs, **bow)
        p.move(start + 0.52 * secs, p.now, **p.at_rest("spine", "tilt"))
        p.move(start + 0.22 * secs, start + secs, **p.at_rest("place", "height", "balance"))
        p.move(start + 0.3 * secs, p.now, **p.at_rest(*hands))


def pick_up(p: Performer) -> None:
    """Bend down, take something with both hands and stand up with it."""
    _handle(p, "pick_up")


def put_back(p: Performer) -> None:
    """Bend down with what is held, put it away and stand up."""
    _handle(p, "put_back")


def _handle(p: Performer, name: str) -> None:
    rng = p.rng
    height = (0.22 if rng.random() < 0.7 else rng.uniform(0.35, 0.5)) * p.leg
    ahead, half = rng.uniform(0.42, 0.52) * p.leg, rng.uniform(0.1, 0.15)
    aside = rng.uniform(-0.08, 0.08)
    hands: tuple[Side, ...] = ("left", "right")
    places = {hand: before(p, ahead, aside + SIGN[hand] * half, height) for hand in hands}
    full: dict[str, object] = {
        "spine": (0.95, 0.0, 0.0), "tilt": (0.75, p.turned_over, 0.0), "stable": 0.35, "head": (0.25, 0.0, 0.0),
        "height": p.ground + p.standing - 0.6 * p.leg, "shoulder_left": (-0.05, 0.25), "shoulder_right": (-0.05, 0.25),
    }  # fmt: skip
    share, places = least_help(p, hands, places, full)
    posture = {track: partly(p, track, value, share) for track, value in full.items()}
    with p.label(name):
        start = p.now
        down, stay, up = (rng.uniform(*span) / p.tempo for span in ((1.0, 1.35), (0.25, 0.45), (1.05, 1.4)))
        arrive, leave, p.now = start + down, start + down + stay, start + down + stay + up
        p.carrying = name == "pick_up"
        p.move(start, start + 0.94 * down, **posture)
        p.move(leave, p.now, **p.at_rest(*posture))
        for hand in hands:
            p.reach(hand, start + 0.1 * down, arrive, places[hand])
            p.target(f"{hand.title()}Hand", arrive, places[hand])
            aimed = {f"arm_{hand}": (0.55, 0.02, -0.2), f"elbow_{hand}": 0.35}
            p.move(start, arrive, **aimed)
            p.let_go(hand, leave, leave + 0.85 * up)
            p.move(leave, leave + 0.9 * up, **p.at_rest(*aimed))


def kick_front(p: Performer) -> None:
    """Raise the knee, snap the foot out to the front at hip height, take it back and put it down."""
    size = p.rng.uniform(0.85, 1.1)
    legs = ((1.35, 0.05, 0.52, 0.3), (1.62 * size, 0.03, 0.975, 0.35), (1.3, 0.05, 0.52, 0.3))
    with p.label("kick_front"):
        _kick(p, p.actor.hand, legs, spine=(-0.1, 0.0, 0.0), tilt=(-0.32, 0.0, 0.0))


def kick_side(p: Performer) -> None:
    """Raise the knee, thrust the foot out to the side, the trunk leaning away, take it back and put it down."""
    foot = p.actor.hand
    sign, size = SIGN[foot], p.rng.uniform(0.85, 1.05)
    legs = ((1.15, 0.45, 0.5, 0.1), (0.1, 1.1 * size, 0.975, 0.0), (1.05, 0.45, 0.52, 0.1))
    with p.label("kick_side"):
        _kick(p, foot, legs, spine=(0.05, -0.22 * sign, 0.0), tilt=(0.05, -0.48 * sign, 0.0))


def _kick(p: Performer, foot: Side, legs: tuple, *, spine: tuple, tilt: tuple) -> None:  # type: ignore[type-arg]
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
    over = p.support(0.5 - 0.5 * SIGN[foot])
    p.move(start, off, place=over)
    p.lift(foot, off)
    leg, free = f"leg_{foot}", f"free_{foot}"
    p.tracks[leg].key(max(start, p.tracks[leg].last_time), (0.25, 0.05, 0.93, 0.0))
    p.move(off, up, **{leg: legs[0]})
    p.move(off, off + 0.7 * chamber, **{free: 1.0})
    p.move(up, up + thrust, **{leg: legs[1]})
    p.move(out, back, **{leg: legs[2]})
    p.move(back, on, **{leg: (0.2, 0.06, 0.93, 0.0)})
    p.move(back + 0.15 * lower, on, **{free: 0.0})
    p.land(foot, on)
    roll = p.turned_over + tilt[1]
    p.move(off, up, tilt=(0.5 * tilt[0], p.turned_over + 0.4 * tilt[1], 0.0), spine=(0.12, 0.5 * spine[1], 0.0))
    p.move(up, up + thrust, tilt=(tilt[0], roll, tilt[2]), spine=spine)
    p.move(out, on, **p.at_rest("tilt", "spine"))
    p.move(on, p.now, place=p.support())
    arms: dict[str, object] = {}
    for s in SIDES:
        arms |= {f"arm_{s}": (0.35, 0.35, -0.25), f"elbow_{s}": 1.55}
    p.move(start, off, **arms)
    for s in SIDES:
        p.move(up, up + thrust, **{f"arm_{s}": (0.1 if s == foot else 0.5, 0.55, -0.1), f"elbow_{s}": 1.1})
    p.move(back, p.now, **p.at_rest(*arms))


def punch(p: Performer) -> None:
    """Take up a guard with one foot forward, strike two to four straight blows, stand down."""
    rng, rear = p.rng, p.actor.hand
    lead = OTHER[rear]
    sign = SIGN[rear]
    with p.label("punch"):
        start, home, home_yaw = p.now, p.soles[lead], p.yaws[lead]
        guard_at = start + 0.75 / p.tempo
        p.move(start, start + 0.28, place=p.support(0.5 + 0.4 * sign))
        p.step(lead, start + 0.28, guard_at - 0.08, home + 0.3 * p.leg * p.forward, home_yaw, Swing(0.1, 0.25, 0.4, 0.05, 0.12, 0.08))
        stance: dict[str, object] = {
            "height": p.ground + p.standing - 0.06 * p.leg, "place": p.support(), "tilt": (0.05, p.turned_over, -0.3 * sign),
            "spine": (0.2, 0.0, -0.1 * sign), "head": (0.12, 0.0, 0.0),
        }  # fmt: skip
        p.move(start + 0.28, guard_at, **stance)
        guards = {s: {f"arm_{s}": (0.8 if s == lead else 0.55, 0.12, -0.15), f"elbow_{s}": 2.0} for s in SIDES}
        for s in SIDES:
            p.move(start, guard_at, **guards[s])
        time = guard_at + 0.12
        n_blows = int(rng.integers(2, 5))
        for i in range(n_blows):
            time = _blow(p, lead if i % 2 == 0 else rear, time, stance, guards)
        p.now = time + 1.0 / p.tempo
        p.move(time, time + 0.25, place=p.support(0.5 + 0.4 * sign))
        p.step(lead, time + 0.25, p.now - 0.25, home, home_yaw, Swing(0.1, 0.2, 0.3, 0.05, 0.0, 0.0))
        p.settle(time + 0.27, p.now)


def _blow(p: Performer, hand: Side, start: float, stance: dict, guards: dict) -> float:  # type: ignore[type-arg]
    rng, sign = p.rng, SIGN[hand]
    out, stay, back = 0.25 / p.tempo, 0.06, 0.32 / p.tempo
    reach_far = {"spine": (0.26, 0.0, -0.42 * sign), "tilt": (0.08, p.turned_over, -0.25 * sign), f"shoulder_{hand}": (0.05, 0.3)}
    shoulder = p.shoulders(**(stance | reach_far))[hand][0]
    height, across = rng.uniform(-0.05, 0.12), rng.uniform(0.05, 0.25)
    away = p.forward - across * sign * p.left + np.array([0.0, height, 0.0])
    place = shoulder + 0.955 * p.arm * away / np.linalg.norm(away)
    p.move(start, start + 0.75 * out, **reach_far)  # the trunk goes before the arm
    start += 0.3 * out
    p.move(start, start + out, **{f"arm_{hand}": p.aim(hand, away), f"elbow_{hand}": 0.6, f"wrist_{hand}": (-1.2, 0.0)})
    p.reach(hand, start, start + out, place)
    p.target(f"{hand.title()}Hand", start + out, place)
    leave, stop = start + out + stay, start + out + stay + back
    p.let_go(hand, leave, stop)
    p.move(leave, stop, **{name: stance[name] for name in ("spine", "tilt")})
    p.move(leave, stop, **guards[hand], **p.at_rest(f"wrist_{hand}", f"shoulder_{hand}"))
    return stop + rng.uniform(0.0, 0.15)


def throw(p: Performer) -> None:
    """Throw overarm: draw back the arm, step out with the other foot, sling the arm over and follow it."""
    rng, hand = p.rng, p.actor.hand
    lead, sign = OTHER[hand], SIGN[hand]
    arm, elbow, wrist, shoulder = (f"{part}_{hand}" for part in ("arm", "elbow", "wrist", "shoulder"))
    other, other_elbow = f"arm_{lead}", f"elbow_{lead}"
    with p.label("throw"):
        start, home = p.now, p.soles[lead]
        wind, stride, sling, follow, hold, recover = (s / p.tempo for s in (0.75, 0.4, 0.17, 0.28, 0.12, 1.15))
        cocked, landed = start + wind, start + wind + stride
        released = landed + sling
        ended = released + follow
        p.now = ended + hold + recover
        size = rng.uniform(0.9, 1.1)
        # Back: weight on the rear foot, shoulders turned away, the arm drawn up behind the head.
        p.move(start, cocked, place=p.support(0.5 + 0.42 * sign, ahead=0.0), spine=(-0.12, 0.12 * sign, 0.6 * sign * size))
        p.move(start, cocked, tilt=(-0.05, p.turned_over, 0.3 * sign), **{arm: (-0.2, 1.45, 1.35), elbow: 1.75})
        p.move(start, cocked, **{shoulder: (0.2, -0.2), wrist: (0.0, -0.5), other: (1.25, 0.25, 0.0), other_elbow: 0.35})
        # Out: a long step forward.
        p.step(lead, cocked - 0.1, landed, home + 0.62 * p.leg * size * p.forward, p.yaws[lead], Swing(0.12, 0.3, 0.5, 0.1, 0.28, 0.1))
        p.flow(landed, place=p.support(0.5 + 0.15 * sign), height=p.ground + p.standing - 0.07 * p.leg)
        p.raise_heel(hand, landed, released + 0.1, 0.55)
        # Over: hips, then shoulders, then the arm.
        p.move(landed - 0.15, released, tilt=(0.15, p.turned_over, -0.35 * sign))
        p.move(landed - 0.08, released, spine=(0.25, -0.12 * sign, -0.35 * sign))
        p.flow(released, **{arm: (2.0, 0.75, 0.5), elbow: 0.45, wrist: (0.0, 0.4)})
        p.move(landed, ended, **{other: (-0.2, 0.5, 0.0), other_elbow: 1.1, shoulder: (0.0, 0.3)})
        p.tracks[arm].key(ended, (0.7, -0.3, -0.2))
        p.tracks[elbow].key(ended, 0.5)
        p.tracks[wrist].key(ended, (0.0, 0.3))
        p.move(released, ended, spine=(0.6, -0.15 * sign, -0.5 * sign), tilt=(0.28, p.turned_over, -0.4 * sign))
        p.tracks["place"].key(ended, p.support(0.5 - 0.38 * sign))
        p.tracks["height"].key(ended, p.ground + p.standing - 0.1 * p.leg)
        # The rear foot follows to stand beside the other.
        leave = ended + hold
        beside = p.soles[lead] + sign * p.stance * p.left
        p.step(hand, leave + 0.1 * recover, leave + 0.6 * recover, beside, p.yaws[hand], Swing(0.1, 0.0, 0.6, 0.06, 0.0, 0.0))
        p.settle(leave + 0.25 * recover, p.now)


def carry(p: Performer) -> None:
    """Pick something up, hold it for a while, put it back."""
    pick_up(p)
    idle(p, p.rng.uniform(0.6, 1.2))
    put_back(p)
