"""Skipping: a step and a hop on the same foot, the other knee high, the arms swinging."""

from dataclasses import dataclass

import numpy as np

from motionary.sample.feet import OTHER, Swing
from motionary.sample.figure import SIDES, SIGN
from motionary.sample.leaps import along_flight
from motionary.sample.performer import AHEAD, Performer
from motionary.sample.truth import Side

LANDING, PUSH, CHANGE = 0.19, 0.2, 0.02  # seconds on the foot before its hop, after it, and until the other lands


@dataclass(frozen=True, eq=False)
class Line:
    """A straight line on the ground that is skipped along, and the sizes of what is done on it."""

    origin: np.ndarray  # (3,)
    forward: np.ndarray  # (3,)
    left: np.ndarray  # (3,)
    stance: float
    hop: float  # metres
    step: float  # metres
    flight: float  # seconds

    def sole(self, foot: Side, station: float, *, up: float = 0.0, width: float = 0.55) -> np.ndarray:
        """A place for a foot, `station` metres along."""
        aside = SIGN[foot] * 0.5 * width * self.stance * self.left
        return np.asarray(self.origin + station * self.forward + aside + np.array([0.0, up, 0.0]))

    def body(self, station: float, foot: Side | None = None) -> np.ndarray:
        """A place (x, z) for the body, over a foot or in the middle."""
        aside = 0.18 * self.stance * (SIGN[foot] if foot else 0.0)
        return np.asarray((self.origin + station * self.forward + aside * self.left)[[0, 2]])


def skip(p: Performer) -> None:
    """Skip along a straight line."""
    rng = p.rng
    n_steps = int(rng.integers(5, 8))
    line = Line(
        p.feet.middle, p.forward, p.left, p.stance,
        hop=rng.uniform(0.26, 0.36) * p.leg, step=rng.uniform(0.5, 0.62) * p.leg, flight=rng.uniform(0.26, 0.32),
    )  # fmt: skip
    foot: Side = "left" if rng.random() < 0.5 else "right"
    high = p.standing - 0.045 * p.leg
    with p.label("skip"):
        start = p.now
        off, on, station = start + 0.35 / p.tempo, start + 0.75 / p.tempo, 0.35 * p.leg
        p.move(start, off - 0.02, place=p.support(0.5 - 0.35 * SIGN[foot]), height=p.ground + high)
        first = Swing(0.1, 0.3, 0.5, 0.06, -0.15, 0.07)
        p.feet.step(foot, off, on, line.sole(foot, station), p.feet.yaws[foot], first)
        p.tracks["height"].key(on, p.ground + high - 0.03 * p.leg)
        for k in range(n_steps):
            on, station = _step_and_hop(p, line, foot, on, station, last=k == n_steps - 1)
            foot = OTHER[foot]
        p.now = on + 0.5 / p.tempo
        p.settle(on + 0.02, p.now)


def _step_and_hop(
    p: Performer, line: Line, foot: Side, on: float, station: float, *, last: bool
) -> tuple[float, float]:
    """From a foot's landing to the other's, a hop between; returns when and where along the line that lands."""
    other = OTHER[foot]
    off = on + LANDING
    down = off + line.flight
    change = down + PUSH + CHANGE
    hopped = station + line.hop
    landing, lands = (hopped, change + 0.25) if last else (hopped + line.step, change)
    width = 1.0 if last else 0.55
    high = p.standing - 0.045 * p.leg

    p.fly(off, down, low=high)
    p.flow(change, height=p.ground + high - 0.045 * p.leg)
    lead = AHEAD * p.size
    p.flow(on + 0.5 * LANDING, place=line.body(station + lead - 0.02 * p.leg, foot))
    p.flow(off + 0.5 * line.flight, place=line.body(station + lead + 0.62 * line.hop, foot))
    p.flow(down + 0.5 * PUSH, place=line.body(hopped + lead + 0.02 * line.hop, foot))
    if not last:
        p.flow(change, place=line.body(hopped + lead + 0.5 * line.step))

    # The other foot leaves as this one lands, and rides high through the hop.
    ride = (
        (0.34, line.sole(other, station + 0.1 * p.leg, up=0.34 * p.leg)),
        (0.6, line.sole(other, hopped + 0.24 * p.leg, up=0.42 * p.leg)),
        (0.82, line.sole(other, hopped + (0.1 if last else 0.42) * p.leg, up=0.2 * p.leg)),
    )
    swing, spring = Swing(0.12, 0.5, 0.75, 0.0, -0.2, 0.08), Swing(0.1, 0.6, 0.6, 0.0, -0.25, 0.07)
    ahead, down_at = line.sole(other, landing, width=width), line.sole(foot, hopped, width=width)
    p.feet.step(other, on + 0.04, lands, ahead, p.feet.yaws[other], swing, way=ride)
    way = along_flight(p.feet.soles[foot], down_at, line.flight, early=0.27, held_down=0.8)
    p.feet.step(foot, off, down, down_at, p.feet.yaws[foot], spring, way=way)

    # The arm opposite the raised knee swings high in front, the other back.
    swung = off + 0.35 * line.flight
    for s in SIDES:
        forwards, elbow = (1.35, 0.95) if s != other else (-0.65, 0.4)
        begin = max(p.tracks[f"arm_{s}"].last_time, swung - 0.66)
        p.move(begin, swung, {f"arm_{s}": (forwards, 0.2, 0.0), f"elbow_{s}": elbow})
    p.tracks["spine"].key(swung, (0.06, 0.0, 0.2 * SIGN[other]))
    return lands, landing
