"""Hands that go to places: reaching up, down and aside, picking up and putting back."""

import numpy as np

from motionary.motion import UP
from motionary.sample.feet import OTHER
from motionary.sample.figure import SIDES, SIGN
from motionary.sample.gestures import idle
from motionary.sample.performer import Performer, Posture, within
from motionary.sample.truth import Side

STRETCH = 0.955  # of an arm that reaches


def reach_high(p: Performer) -> None:
    """Stretch on tiptoe for something above and before the head."""
    rng, hand = p.rng, p.actor.hand
    away = rng.uniform(0.65, 0.95) * p.forward + SIGN[hand] * rng.uniform(-0.05, 0.15) * p.left
    full: Posture = {
        "spine": (0.0, -0.2 * SIGN[hand], -0.25 * SIGN[hand]), "tilt": p.tilted(0.14, 0.0, -0.15 * SIGN[hand]),
        f"shoulder_{hand}": (0.5, 0.2), f"arm_{OTHER[hand]}": (-0.35, 0.25, 0.0),
    }  # fmt: skip
    with p.label("reach_high"):
        _reach(p, hand, away + UP, full, tiptoe=rng.uniform(0.6, 0.75))


def reach_low(p: Performer) -> None:
    """Bend down to something at the height of the knees or shins."""
    rng, hand = p.rng, p.actor.hand
    height = rng.uniform(0.35, 0.5) * p.leg
    side = SIGN[hand] * rng.uniform(-0.05, 0.2)
    full: Posture = {
        "spine": (1.15, 0.0, 0.2 * -SIGN[hand]), "tilt": p.tilted(0.75),
        "height": p.ground + p.standing - 0.3 * p.leg, f"shoulder_{hand}": (-0.1, 0.3),
        f"arm_{OTHER[hand]}": (-0.6, 0.3, 0.0), f"elbow_{OTHER[hand]}": 0.7,
    }  # fmt: skip
    place = p.before(rng.uniform(0.45, 0.62) * p.leg, side * p.leg, height)
    with p.label("reach_low"):
        posture, places = _helping(p, {hand: place}, full)
        _reach_with(p, hand, places[hand], posture)


def reach_left(p: Performer) -> None:
    """Lean out to the left and reach with the left hand."""
    _reach_aside(p, "left")


def reach_right(p: Performer) -> None:
    """Lean out to the right and reach with the right hand."""
    _reach_aside(p, "right")


def _reach_aside(p: Performer, hand: Side) -> None:
    rng, sign = p.rng, SIGN[hand]
    full: Posture = {
        "spine": (0.08, 0.5 * sign, 0.15 * sign), "tilt": p.tilted(0.0, 0.14 * sign),
        "place": p.support(0.5 + 0.42 * sign), f"shoulder_{hand}": (0.1, 0.1),
        f"arm_{OTHER[hand]}": (0.0, 0.45, 0.0),
    }  # fmt: skip
    away = sign * p.left + rng.uniform(-0.05, 0.3) * p.forward + np.array([0.0, rng.uniform(-0.15, 0.3), 0.0])
    with p.label(f"reach_{hand}"):
        _reach(p, hand, away, full)


def _reach(p: Performer, hand: Side, away: np.ndarray, full: Posture, *, tiptoe: float = 0.0) -> None:
    """Reach as far as the whole body helps, in the direction `away` from the shoulder."""
    if tiptoe:
        rise = 0.135 * p.size * np.sin(tiptoe)
        full = full | {"height": p.ground + p.standing + rise, "place": p.support(ahead=0.14), "head": (-0.5, 0.0, 0.0)}
    shoulders = p.shoulders(full | {f"heel_lift_{s}": tiptoe for s in SIDES})
    place = shoulders[hand][0] + STRETCH * p.arm * away / np.linalg.norm(away)
    _reach_with(p, hand, place, full, tiptoe=tiptoe)


def _helping(p: Performer, places: dict[Side, np.ndarray], full: Posture) -> tuple[Posture, dict[Side, np.ndarray]]:
    """As much of the posture `full` as the hands need to come to their places, and these, brought into reach."""
    shares = np.linspace(0.0, 1.0, 41)
    changes = {
        name: p.tracks[name].last + shares[:, None] * (np.asarray(value, dtype=float) - p.tracks[name].last)
        for name, value in full.items()
    }
    shoulders = p.shoulders(changes)
    far = np.max([np.linalg.norm(shoulders[hand] - place, axis=-1) for hand, place in places.items()], axis=0)
    good = np.flatnonzero(far < 0.93 * p.arm)
    best = int(good[0]) if len(good) else int(np.argmin(far))
    in_reach = {hand: within(shoulders[hand][best], place, STRETCH * p.arm) for hand, place in places.items()}
    return {name: values[best] for name, values in changes.items()}, in_reach


def _reach_with(p: Performer, hand: Side, place: np.ndarray, posture: Posture, *, tiptoe: float = 0.0) -> None:
    rng, start = p.rng, p.now
    go, stay, back = (rng.uniform(*span) / p.tempo for span in ((0.8, 1.1), (0.3, 0.8), (0.8, 1.1)))
    arrive, leave = start + go, start + go + stay
    p.now = leave + back
    shoulder = p.shoulders(posture)[hand][0]
    posture = posture | {f"arm_{hand}": p.aim(hand, place - shoulder), f"elbow_{hand}": 0.5}
    p.move(start, start + 0.92 * go, posture)
    p.reach(hand, start + 0.3 * go, arrive, place)
    if tiptoe:
        for s in SIDES:
            p.feet.raise_heel(s, start, start + 0.92 * go, tiptoe)
            p.feet.lower_heel(s, leave, p.now)
    p.let_go(hand, leave, leave + 0.7 * back)
    p.move(leave, p.now, p.at_rest(*posture))


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
    places = {hand: p.before(ahead, aside + SIGN[hand] * half, height) for hand in SIDES}
    full: Posture = {
        "spine": (0.95, 0.0, 0.0), "tilt": p.tilted(0.75), "stable": 0.35, "head": (0.25, 0.0, 0.0),
        "height": p.ground + p.standing - 0.6 * p.leg, "shoulder_left": (-0.05, 0.25), "shoulder_right": (-0.05, 0.25),
    }  # fmt: skip
    with p.label(name):
        posture, places = _helping(p, places, full)
        start = p.now
        down, stay, up = (rng.uniform(*span) / p.tempo for span in ((1.0, 1.35), (0.25, 0.45), (1.05, 1.4)))
        arrive, leave, p.now = start + down, start + down + stay, start + down + stay + up
        p.carrying = name == "pick_up"
        p.move(start, start + 0.94 * down, posture)
        p.move(leave, p.now, p.at_rest(*posture))
        for hand in SIDES:
            p.reach(hand, start + 0.1 * down, arrive, places[hand])
            aimed: Posture = {f"arm_{hand}": (0.55, 0.02, -0.2), f"elbow_{hand}": 0.35}
            p.move(start, arrive, aimed)
            p.let_go(hand, leave, leave + 0.85 * up)
            p.move(leave, leave + 0.9 * up, p.at_rest(*aimed))


def carry(p: Performer) -> None:
    """Pick something up, hold it for a while, put it back."""
    pick_up(p)
    idle(p, p.rng.uniform(0.6, 1.2))
    put_back(p)
