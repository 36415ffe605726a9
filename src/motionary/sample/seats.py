"""Going down and coming up again: squats and seats."""

from motionary.sample.figure import SIDES
from motionary.sample.performer import Performer, Posture


def squat(p: Performer) -> None:
    """Bend the knees deeply with the arms held out in front, and come up again, once or twice."""
    rng = p.rng
    depth = rng.uniform(0.48, 0.6)
    down, stay, up = (rng.uniform(*span) / p.tempo for span in ((0.8, 1.1), (0.1, 0.4), (0.75, 1.0)))
    low: Posture = {
        "height": p.ground + p.standing - depth * p.leg, "spine": (0.3, 0.0, 0.0), "tilt": p.tilted(0.45),
        "place": p.support(ahead=0.045),
    }  # fmt: skip
    for s in SIDES:
        low |= {f"arm_{s}": (1.5, 0.05, 0.0), f"elbow_{s}": 0.12, f"shoulder_{s}": (0.0, 0.15)}
    with p.label("squat"):
        for _ in range(int(rng.integers(1, 3))):
            start = p.now
            p.move(start, start + down, low)
            p.move(start + down + stay, start + down + stay + up, p.at_rest(*low))
            p.now = start + down + stay + up


def sit_and_stand(p: Performer) -> None:
    """Sit down on a seat, stay for a while, stand up."""
    rng = p.rng
    seat = rng.uniform(0.245, 0.27) * p.actor.height + 0.045 * p.actor.height  # of the pelvis above the ground
    pelvis = (p.feet.middle - 0.46 * p.leg * p.forward)[[0, 2]]
    bow: Posture = {"spine": (0.5, 0.0, 0.0), "tilt": p.tilted(0.38)}
    with p.label("sit_down"):
        start, secs = p.now, rng.uniform(1.3, 1.7) / p.tempo
        p.now = start + secs + 0.45
        hands: Posture = {}
        for s in SIDES:
            hands |= {f"arm_{s}": (0.5, 0.1, -0.2), f"elbow_{s}": 0.85}
        upright: Posture = {"spine": (p.actor.stoop + 0.08, 0.0, 0.0), "tilt": p.tilted(-0.08)}
        p.move(start, start + 0.55 * secs, bow)
        p.move(start + 0.62 * secs, p.now, upright)
        p.move(start + 0.1 * secs, start + secs, place=pelvis, height=p.ground + seat, balance=0.0)
        p.move(start + 0.1 * secs, start + secs, hands)
    with p.label("idle"):
        start, p.now = p.now, p.now + rng.uniform(0.8, 2.5)
        p.move(start, 0.5 * (start + p.now), head=(0.1, 0.0, rng.uniform(-0.5, 0.5)))
        p.move(0.5 * (start + p.now), p.now, p.at_rest("head"))
    with p.label("stand_up"):
        start, secs = p.now, rng.uniform(1.3, 1.6) / p.tempo
        p.now = start + secs + 0.35
        p.move(start, start + 0.45 * secs, bow)
        p.move(start + 0.52 * secs, p.now, p.at_rest("spine", "tilt"))
        p.move(start + 0.22 * secs, start + secs, p.at_rest("place", "height", "balance"))
        p.move(start + 0.3 * secs, p.now, p.at_rest(*hands))
