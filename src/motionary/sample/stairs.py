"""Steps up onto platforms, and down again."""

from motionary.sample.feet import OTHER, Swing
from motionary.sample.figure import SIDES, SIGN
from motionary.sample.gestures import idle
from motionary.sample.performer import Performer
from motionary.sample.truth import Side


def up_and_down(p: Performer) -> None:
    """Step up onto one to three platforms, stand on the top, step down on the other side."""
    n_steps, rise = int(p.rng.integers(1, 4)), p.rng.uniform(0.2, 0.32)
    if n_steps == 3:
        rise *= 0.75
    _climb(p, "step_up", n_steps, rise)
    idle(p, p.rng.uniform(0.5, 1.2))
    _climb(p, "step_down", n_steps, -rise)


def _climb(p: Performer, name: str, n_steps: int, rise: float) -> None:
    """Foot after foot onto platforms, each `rise` higher; the last foot comes to stand beside the other."""
    rng, up = p.rng, rise > 0.0
    tread, secs = rng.uniform(0.42, 0.5) * p.leg, rng.uniform(0.62, 0.75) / p.tempo
    foot: Side = p.actor.hand if rng.random() < 0.7 else OTHER[p.actor.hand]
    swing = Swing(0.12, 0.35, 0.6, 0.07, 0.08, 0.06) if up else Swing(0.16, 0.5, 0.5, 0.05, -0.35, 0.1)
    with p.label(name):
        off, origin = p.now + 0.4 / p.tempo, p.feet.middle
        p.move(p.now, off, place=p.support(0.5 - 0.42 * SIGN[foot]))
        level = p.ground
        for k in range(n_steps + 1):
            below, n_done = level, min(k + 1, n_steps)
            level, on = p.ground + rise * n_done, off + 0.75 * secs
            sole = origin + tread * n_done * p.forward + SIGN[foot] * 0.5 * p.stance * p.left
            sole[1] = level
            p.feet.step(foot, off, on, sole, p.feet.yaws[foot], swing)
            # Going down, the body sinks before the foot is on the ground; going up, it rises after.
            p.flow(on, height=(below if up else level) + p.standing - 0.03 * p.leg)
            p.tracks["spine"].key(on, (p.actor.stoop + (0.22 if up else 0.08), 0.0, 0.0))
            for s in SIDES:
                p.tracks[f"arm_{s}"].key(on, (0.3 if s != foot else -0.2, p.actor.arms_out, -0.1))
            if k < n_steps:
                off = on + 0.25 * secs + 0.12
                p.flow(on, place=p.support(0.5 - 0.12 * SIGN[foot], ahead=0.05))
                p.flow(off + 0.12, place=p.support(0.5 + 0.42 * SIGN[foot], ahead=0.05))
            foot = OTHER[foot]
        p.ground = level
        p.now = on + 0.5 / p.tempo
        p.settle(on, p.now)
