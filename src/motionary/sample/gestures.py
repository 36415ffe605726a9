"""Actions of arms and trunk on standing feet."""

import numpy as np

from motionary.sample.figure import SIDES, SIGN
from motionary.sample.performer import Performer, Posture, within
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
            p.move(start + 0.6 * secs, p.now, p.at_rest("head"))


def raise_arm(p: Performer, hands: tuple[Side, ...], *, spread: float = 0.1) -> None:
    """Raise one arm or both to targets in a cube of `spread` metres above and before the shoulder, and lower it.

    The tempo lies between 0.7 and 1.5, and the posture meanwhile varies.
    """
    rng = p.rng
    tempo = rng.uniform(0.7, 1.5)
    with p.label("raise_both" if len(hands) == 2 else f"raise_{hands[0]}"):
        start = p.now
        up, hold, down = 0.95 / tempo, rng.uniform(0.15, 0.4) / tempo, 0.95 / tempo
        arrive, leave, p.now = start + up, start + up + hold, start + up + hold + down
        lean = 0.0 if len(hands) == 2 else -0.07 * SIGN[hands[0]]
        bend, aside, twist = rng.uniform(-0.06, 0.06, 3)
        raised: Posture = {
            "spine": (p.actor.stoop - 0.04 + bend, lean + 0.6 * aside, 1.5 * twist),
            "head": (rng.uniform(-0.25, 0.05), 0.0, rng.uniform(-0.15, 0.15)),
            "place": p.support(rng.uniform(0.38, 0.62)),
            "height": p.ground + p.standing - rng.uniform(0.0, 0.03) * p.leg,
        }
        away = {h: 0.3 * p.forward + SIGN[h] * 0.22 * p.left + np.array([0.0, 0.93, 0.0]) for h in hands}
        for hand in hands:
            raised |= {f"shoulder_{hand}": (0.35, 0.0), f"elbow_{hand}": 0.3, f"arm_{hand}": p.aim(hand, away[hand])}
        shoulders = p.shoulders(raised)
        for hand in hands:
            middle = shoulders[hand][0] + (0.98 - 0.6 * spread) * p.arm * away[hand] / np.linalg.norm(away[hand])
            place = within(shoulders[hand][0], middle + spread * rng.uniform(-0.5, 0.5, 3), 0.972 * p.arm)
            raised[f"arm_{hand}"] = p.aim(hand, place - shoulders[hand][0])
            p.reach(hand, start + 0.4 * up, arrive, place)  # the arm swings up, then homes in
            p.let_go(hand, leave, leave + 0.6 * down)
        p.move(start, arrive, raised)
        p.move(leave, p.now, p.at_rest(*raised))


def shrug(p: Performer, *, tempo: float = 1.0) -> None:
    """Pull both shoulders up, the forearms turning out a little, and let them fall."""
    rng, start = p.rng, p.now
    up, hold, down = (rng.uniform(*span) / (tempo * p.tempo) for span in ((0.35, 0.5), (0.3, 0.7), (0.45, 0.65)))
    size, arms = rng.uniform(0.85, 1.1), rng.uniform(0.75, 1.1)
    with p.label("shrug"):
        p.now = start + up + hold + down
        lifted: Posture = {
            "head": (0.1, 0.16 * rng.choice((-1.0, 1.0)), 0.0),
            "spine": (p.actor.stoop - 0.05, 0.0, 0.0),
        }
        for s in SIDES:
            lifted |= {
                f"shoulder_{s}": (0.62 * size, 0.1),
                f"arm_{s}": (0.1, 0.3 * arms + 0.1, 0.75 * arms),
                f"elbow_{s}": p.actor.elbows + 1.15 * arms,
                f"wrist_{s}": (1.2 * arms, 0.35 * arms),
            }
        p.move(start, start + up, lifted)
        p.move(start + up + hold, p.now, p.at_rest(*lifted))


def slouch(p: Performer, *, tempo: float = 1.0) -> None:
    """Let the trunk sink into a round back, hang there, and straighten up."""
    rng, start = p.rng, p.now
    sink, hang, rise = (rng.uniform(*span) / (tempo * p.tempo) for span in ((0.9, 1.3), (0.9, 2.2), (0.8, 1.2)))
    size = rng.uniform(0.9, 1.15)
    with p.label("slouch"):
        p.now = start + sink + hang + rise
        sunk: Posture = {
            "spine": (0.85 * size, 0.0, 0.0),
            "tilt": p.tilted(-0.06),
            "head": (0.5 * size, 0.0, 0.0),
            "stable": 0.1,
            "height": p.ground + p.standing - 0.05 * size * p.leg,
        }
        for s in SIDES:
            sunk |= {f"shoulder_{s}": (-0.06, 0.45), f"arm_{s}": (0.05, 0.06, -0.25), f"elbow_{s}": 0.15}
        p.move(start, start + sink, sunk)
        p.move(start + sink + hang, p.now, p.at_rest(*sunk))


def wave(p: Performer) -> None:
    """Raise the hand beside the head and swing the forearm from side to side."""
    rng, start, hand = p.rng, p.now, p.actor.hand
    up, beat, n_beats, down = 0.6 / p.tempo, rng.uniform(0.2, 0.27) / p.tempo, int(rng.integers(5, 10)), 0.65 / p.tempo
    height, width = rng.uniform(0.95, 1.3), rng.uniform(0.6, 0.75)
    arm, elbow, wrist = f"arm_{hand}", f"elbow_{hand}", f"wrist_{hand}"
    with p.label("wave"):
        p.now = start + up + beat * n_beats + down
        # The forearm stands upright over the elbow; the elbow opens and closes to swing it.
        p.move(start, start + up, {arm: (0.3, height, 1.35), f"shoulder_{hand}": (0.15, 0.0), wrist: (0.0, 0.2)})
        p.move(start, start + up, {elbow: 1.7, "spine": (p.actor.stoop, -0.05 * SIGN[hand], 0.0)})
        time = start + up
        for i in range(n_beats):
            time += beat
            out = width if i % 2 == 0 else -width
            p.move(time - beat, time, {elbow: 1.6 - out, wrist: (0.0, 0.2 + 0.5 * out)})
        p.move(time, p.now, p.at_rest(arm, elbow, wrist, f"shoulder_{hand}", "spine"))
