"""Actions of arms and trunk on standing feet."""

import numpy as np

from motionary.sample.body import SIDES, SIGN
from motionary.sample.performer import OTHER, Performer
from motionary.sample.truth import Side


def idle(p: Performer, secs: float | None = None) -> None:
    """Stand at ease: shift the weight, look about."""
    rng = p.rng
    secs = rng.uniform(0.5, 1.7) if secs is None else secs
    with p.label("idle"):
        start, p.now = p.now, p.now + secs
        if secs > 1.2:
            half = start + 0.5 * secs
            p.move(start, half, place=p.support(rng.uniform(0.35, 0.65)))
            p.move(half, p.now, place=p.support())
            gaze = p.at_rest("head")["head"] + np.array([rng.uniform(-0.05, 0.15), 0.0, rng.uniform(-0.6, 0.6)])
            p.move(start, start + 0.4 * secs, head=gaze)
            p.move(start + 0.6 * secs, p.now, **p.at_rest("head"))


def raise_arm(p: Performer, hands: tuple[Side, ...], *, spread: float = 0.1, tempo: float | None = None) -> None:
    """Raise one arm or both to targets in a cube of `spread` metres above and before the shoulder, and lower it."""
    rng = p.rng
    tempo = rng.uniform(0.7, 1.5) if tempo is None else tempo
    with p.label("raise_both" if len(hands) == 2 else f"raise_{hands[0]}"):
        start = p.now
        up, hold, down = 0.95 / tempo, rng.uniform(0.15, 0.4) / tempo, 0.95 / tempo
        arrive, leave, p.now = start + up, start + up + hold, start + up + hold + down
        lean = 0.0 if len(hands) == 2 else -0.07 * SIGN[hands[0]]
        raised: dict[str, object] = {
            "spine": (p.actor.stoop - 0.05 + rng.uniform(-0.05, 0.07), lean, 0.0),
            "head": (-0.1, 0.0, 0.0),
        }
        away = {h: 0.3 * p.forward + SIGN[h] * 0.22 * p.left + np.array([0.0, 0.93, 0.0]) for h in hands}
        for hand in hands:
            raised |= {f"shoulder_{hand}": (0.35, 0.0), f"elbow_{hand}": 0.3, f"arm_{hand}": p.aim(hand, away[hand])}
        shoulders = p.shoulders(**raised)
        for hand in hands:
            middle = shoulders[hand][0] + (1.0 - 0.5 * spread) * 0.98 * p.arm * away[hand] / np.linalg.norm(away[hand])
            place = _within(shoulders[hand][0], middle + spread * rng.uniform(-0.5, 0.5, 3), 0.972 * p.arm)
            p.reach(hand, start + 0.1 * up, arrive, place)
            p.target(f"{hand.title()}Hand", arrive, place)
            p.let_go(hand, leave, leave + 0.9 * down)
        p.move(start, arrive, **raised)
        p.move(leave, p.now, **p.at_rest(*raised))


def shrug(p: Performer) -> None:
    """Pull both shoulders up, the forearms turning out a little, and let them fall."""
    rng, start = p.rng, p.now
    up, hold, down = (rng.uniform(*span) / p.tempo for span in ((0.35, 0.5), (0.3, 0.7), (0.45, 0.65)))
    size, arms = rng.uniform(0.85, 1.1), rng.uniform(0.75, 1.1)
    with p.label("shrug"):
        p.now = start + up + hold + down
        lifted: dict[str, object] = {"head": (0.1, 0.16 * rng.choice((-1.0, 1.0)), 0.0), "spine": (p.actor.stoop - 0.05, 0.0, 0.0)}
        for s in SIDES:
            lifted |= {
                f"shoulder_{s}": (0.62 * size, 0.1),
                f"arm_{s}": (0.1, 0.3 * arms + 0.1, 0.75 * arms),
                f"elbow_{s}": p.actor.elbows + 1.15 * arms,
                f"wrist_{s}": (1.2 * arms, 0.35 * arms),
            }
        p.move(start, start + up, **lifted)
        p.move(start + up + hold, p.now, **p.at_rest(*lifted))


def slouch(p: Performer) -> None:
    """Let the trunk sink into a round back, hang there, and straighten up."""
    rng, start = p.rng, p.now
    sink, hang, rise = (rng.uniform(*span) / p.tempo for span in ((0.9, 1.3), (0.9, 2.2), (0.8, 1.2)))
    size = rng.uniform(0.9, 1.15)
    with p.label("slouch"):
        p.now = start + sink + hang + rise
        sunk: dict[str, object] = {
            "spine": (0.85 * size, 0.0, 0.0),
            "tilt": (-0.06, p.turned_over, 0.0),
            "head": (0.5 * size, 0.0, 0.0),
            "stable": 0.1,
            "height": p.ground + p.standing - 0.05 * size * p.leg,
        }
        for s in SIDES:
            sunk |= {f"shoulder_{s}": (-0.06, 0.45), f"arm_{s}": (0.05, 0.06, -0.25), f"elbow_{s}": 0.15}
        p.move(start, start + sink, **sunk)
        p.move(start + sink + hang, p.now, **p.at_rest(*sunk))


def wave(p: Performer) -> None:
    """Raise the hand beside the head and swing the forearm from side to side."""
    rng, start, hand = p.rng, p.now, p.actor.hand
    up, beat, n_beats, down = 0.6 / p.tempo, rng.uniform(0.2, 0.27) / p.tempo, int(rng.integers(5, 10)), 0.65 / p.tempo
    height, width = rng.uniform(0.95, 1.3), rng.uniform(0.6, 0.75)
    arm, elbow, wrist = f"arm_{hand}", f"elbow_{hand}", f"wrist_{hand}"
    with p.label("wave"):
        p.now = start + up + beat * n_beats + down
        # The forearm stands upright over the elbow; turning the upper arm swings it out and in.
        p.move(start, start + up, **{arm: (0.3, height, 1.35), f"shoulder_{hand}": (0.15, 0.0), wrist: (0.0, 0.2)})
        p.move(start, start + up, **{elbow: 1.7, "spine": (p.actor.stoop, -0.05 * SIGN[hand], 0.0)})
        time = start + up
        for i in range(n_beats):
            time += beat
            out = width if i % 2 == 0 else -width
            p.move(time - beat, time, **{elbow: 1.6 - out, wrist: (0.0, 0.2 + 0.5 * out)})
        p.move(time, p.now, **p.at_rest(arm, elbow, wrist, f"shoulder_{hand}", "spine"))


def reach_high(p: Performer) -> None:
    """Stretch on tiptoe for something above and before the head."""
    rng, hand = p.rng, p.actor.hand
    away = rng.uniform(0.3, 0.5) * p.forward + SIGN[hand] * rng.uniform(-0.05, 0.15) * p.left
    full: dict[str, object] = {"spine": (-0.18, -0.16 * SIGN[hand], -0.1 * SIGN[hand]), f"shoulder_{hand}": (0.55, 0.1)}
    with p.label("reach_high"):
        _reach(p, hand, away + np.array([0.0, 1.0, 0.0]), 1.0, full, tiptoe=rng.uniform(0.45, 0.6))


def reach_low(p: Performer) -> None:
    """Bend down to something at the height of the knees or shins."""
    rng, hand = p.rng, p.actor.hand
    height = rng.uniform(0.35, 0.5) * p.leg
    side = SIGN[hand] * rng.uniform(-0.05, 0.2)
    full: dict[str, object] = {
        "spine": (1.15, 0.0, 0.2 * -SIGN[hand]), "tilt": (0.75, p.turned_over, 0.0),
        "height": p.ground + p.standing - 0.3 * p.leg, f"shoulder_{hand}": (-0.1, 0.3),
    }  # fmt: skip
    place = before(p, rng.uniform(0.45, 0.62) * p.leg, side * p.leg, height)
    with p.label("reach_low"):
        _reach_place(p, hand, place, full)


def reach_left(p: Performer) -> None:
    """Lean out to the left and reach with the left hand."""
    _reach_aside(p, "left")


def reach_right(p: Performer) -> None:
    """Lean out to the right and reach with the right hand."""
    _reach_aside(p, "right")


def _reach_aside(p: Performer, hand: Side) -> None:
    rng, sign = p.rng, SIGN[hand]
    full: dict[str, object] = {
        "spine": (0.08, 0.5 * sign, 0.15 * sign), "tilt": (0.0, p.turned_over + 0.14 * sign, 0.0),
        "place": p.support(0.5 + 0.42 * sign), f"shoulder_{hand}": (0.1, 0.1),
        f"arm_{OTHER[hand]}": (0.0, 0.45, 0.0),
    }  # fmt: skip
    away = sign * p.left + rng.uniform(-0.05, 0.3) * p.forward + np.array([0.0, rng.uniform(-0.15, 0.3), 0.0])
    with p.label(f"reach_{hand}"):
        _reach(p, hand, away, 1.0, full)


def _reach(
    p: Performer, hand: Side, away: np.ndarray, share: float, full: dict[str, object], *, tiptoe: float = 0.0
) -> None:
    """Reach as far as the whole body helps, in the direction `away` from the shoulder."""
    if tiptoe:
        rise = p.size * 0.135 * np.sin(tiptoe)
        full = full | {
            "height": p.ground + p.standing + rise, "place": p.support(ahead=0.12), "head": (-0.5, 0.0, 0.0)
        }  # fmt: skip
    shoulders = p.shoulders(**full, **{f"heel_lift_{s}": tiptoe for s in SIDES})
    place = shoulders[hand][0] + share * 0.955 * p.arm * away / np.linalg.norm(away)
    _reach_with(p, hand, place, full, tiptoe=tiptoe)


def _reach_place(p: Performer, hand: Side, place: np.ndarray, full: dict[str, object]) -> None:
    """Reach for a given place, the body helping as little as it must."""
    help_share, place = least_help(p, (hand,), {hand: place}, full)
    _reach_with(p, hand, place[hand], {name: partly(p, name, value, help_share) for name, value in full.items()})


def least_help(
    p: Performer, hands: tuple[Side, ...], places: dict[Side, np.ndarray], full: dict[str, object]
) -> tuple[float, dict[Side, np.ndarray]]:
    """How much of the posture `full` is needed for the hands to come to their places; these, brought into reach."""
    shares = np.linspace(0.0, 1.0, 41)
    changes = {
        name: p.tracks[name].last + shares[:, None] * (np.asarray(value, dtype=float) - p.tracks[name].last)
        for name, value in full.items()
    }
    shoulders = p.shoulders(**changes)
    far = np.max([np.linalg.norm(shoulders[hand] - places[hand], axis=-1) for hand in hands], axis=0)
    good = np.flatnonzero(far < 0.93 * p.arm)
    best = int(good[0]) if len(good) else int(np.argmin(far))
    return float(shares[best]), {h: _within(shoulders[h][best], places[h], 0.955 * p.arm) for h in hands}


def _reach_with(p: Performer, hand: Side, place: np.ndarray, posture: dict[str, object], *, tiptoe: float = 0.0) -> None:
    rng, start = p.rng, p.now
    go, stay, back = (rng.uniform(*span) / p.tempo for span in ((0.8, 1.1), (0.3, 0.8), (0.8, 1.1)))
    arrive, leave = start + go, start + go + stay
    p.now = leave + back
    shoulders = p.shoulders(**posture)
    aimed = {f"arm_{hand}": p.aim(hand, place - shoulders[hand][0]), f"elbow_{hand}": 0.5}
    posture = posture | aimed
    p.move(start, start + 0.92 * go, **posture)
    p.reach(hand, start + 0.08 * go, arrive, place)
    p.target(f"{hand.title()}Hand", arrive, place)
    if tiptoe:
        for s in ("left", "right"):
            p.raise_heel(s, start, start + 0.92 * go, tiptoe)
            p.lower_heel(s, leave, p.now)
    p.let_go(hand, leave, leave + 0.9 * back)
    p.move(leave, p.now, **p.at_rest(*posture))


def partly(p: Performer, name: str, value: object, share: float) -> np.ndarray:
    """A share of the way from a track's value now to another."""
    last = p.tracks[name].last
    return np.asarray(last + share * (np.asarray(value, dtype=float) - last))


def before(p: Performer, ahead: float, to_left: float, height: float) -> np.ndarray:
    """A place before the actor: metres ahead and to the left of the middle of its feet, above its ground."""
    x, z = p.support(ahead=0.0)
    return np.asarray(np.array([x, p.ground + height, z]) + ahead * p.forward + to_left * p.left)


def _within(centre: np.ndarray, place: np.ndarray, reach: float) -> np.ndarray:
    """The place, brought nearer to `centre` if it is further off than `reach`."""
    away = place - centre
    return np.asarray(centre + away * min(1.0, reach / np.linalg.norm(away)))
