"""Actions in which the body leaves the ground or the feet leave their level: jumps, hops, skips, stairs."""

import numpy as np

from motionary.sample.body import SIDES, SIGN
from motionary.sample.gestures import idle
from motionary.sample.performer import GRAVITY, OTHER, Performer, Swing
from motionary.sample.truth import Side


def jump(p: Performer) -> None:
    """Crouch, leap off both feet with the arms thrown up, land in a crouch, straighten."""
    rng = p.rng
    flight = rng.uniform(0.4, 0.52)
    metres = 0.0 if rng.random() < 0.35 else rng.uniform(0.3, 0.8)
    with p.label("jump"):
        start = p.now
        down, up, absorb, rise = (0.5 / p.tempo, 0.3, 0.26, 0.6 / p.tempo)
        off = start + down + up
        on = off + flight
        p.now = on + absorb + rise
        deep = p.ground + p.standing - rng.uniform(0.27, 0.34) * p.leg
        p.move(start, start + down, height=deep, spine=(0.42, 0.0, 0.0), tilt=(0.4, p.turned_over, 0.0))
        p.move(start, start + down, place=p.support(ahead=0.06 + 0.02 * metres))
        for s in SIDES:
            p.move(start, start + down, **{f"arm_{s}": (-0.95, 0.15, 0.0), f"elbow_{s}": 0.3})
            p.move(start + down, off + 0.04, **{f"arm_{s}": (2.55, 0.3, 0.0), f"elbow_{s}": 0.35, f"shoulder_{s}": (0.3, 0.0)})
            p.move(off + 0.3 * flight, on + absorb, **{f"arm_{s}": (0.75, 0.35, 0.0), f"elbow_{s}": 0.7, f"shoulder_{s}": (0.0, 0.0)})
        p.move(start + down, off, spine=(p.actor.stoop, 0.0, 0.0), tilt=(0.02, p.turned_over, 0.0))
        p.fly(off, on, low=p.standing + 0.02 * p.leg, land=p.standing - 0.05 * p.leg)
        begin = p.support(ahead=0.1)
        top = GRAVITY * flight**2 / 8.0
        for foot in ("left", "right"):
            _spring(p, foot, off, on, metres, top)
        p.flow(off, place=begin + 0.12 * metres * p.forward[[0, 2]])
        p.flow(on, place=p.support(ahead=-0.02))
        p.tracks["place"].key(on + absorb, p.support(ahead=0.05))
        p.tracks["height"].key(on + absorb, p.ground + p.standing - 0.26 * p.leg)
        p.move(on - 0.12, on + absorb, spine=(0.32, 0.0, 0.0), tilt=(0.34, p.turned_over, 0.0))
        p.settle(on + absorb, p.now)


def _spring(p: Performer, foot: Side, off: float, on: float, metres: float, top: float) -> None:
    """Take a foot through a flight: along with the body, drawn up a little in the middle."""
    start = p.soles[foot]
    end = start + metres * p.forward
    way = []
    for share in (0.22, 0.5, 0.78):
        place = start + share * (end - start)
        place[1] = p.ground + 4.0 * share * (1.0 - share) * top * (0.95 if share == 0.5 else 0.8)
        way.append((share, place))
    p.step(foot, off, on, end, p.yaws[foot], Swing(0.16, 0.75, 0.85, 0.0, -0.4, 0.1), way=tuple(way))


def hop(p: Performer) -> None:
    """Stand on one leg, the other drawn up, and hop along on it."""
    rng = p.rng
    foot: Side = "left" if rng.random() < 0.5 else "right"
    other = OTHER[foot]
    n_hops, metres = int(rng.integers(3, 7)), rng.uniform(0.12, 0.38)
    flight, contact = rng.uniform(0.3, 0.37), 0.3 / p.tempo
    with p.label("hop"):
        start = p.now
        lift = start + 0.5 / p.tempo
        p.move(start, lift, place=p.support(0.5 + 0.5 * SIGN[foot]))
        p.lift(other, lift)
        leg, free = f"leg_{other}", f"free_{other}"
        p.tracks[leg].key(max(start, p.tracks[leg].last_time), (0.15, 0.05, 0.95, 0.0))
        drawn = (0.1, 0.08, 0.56, 0.6) if rng.random() < 0.6 else (0.9, 0.08, 0.55, 0.3)
        p.move(lift, lift + 0.35, **{leg: drawn, free: 1.0})
        for s in SIDES:
            p.move(start, lift + 0.3, **{f"arm_{s}": (0.15, 0.6, 0.0), f"elbow_{s}": 1.0})
        high = p.standing - 0.035 * p.leg
        p.move(start, lift + 0.15, spine=(0.12, 0.0, 0.0), height=p.ground + high)
        p.tracks["height"].key(lift + 0.45, p.ground + high - 0.1 * p.leg)
        p.tracks["place"].hold(lift + 0.45)
        off = lift + 0.45 + 0.22
        top = GRAVITY * flight**2 / 8.0
        for i in range(n_hops):
            on = off + flight
            p.fly(off, on, low=high)
            p.flow(off, place=p.support(0.5 + 0.5 * SIGN[foot], ahead=0.05))
            p.step(
                foot, off, on, p.soles[foot] + metres * p.forward, p.yaws[foot],
                Swing(0.12, 0.5, 0.55, 0.0, -0.25, 0.08), way=_hop_way(p, foot, metres, top),
            )  # fmt: skip
            p.flow(on, place=p.support(0.5 + 0.5 * SIGN[foot], ahead=0.0))
            for s in SIDES:
                p.move(off - 0.15, off + 0.1, **{f"arm_{s}": (0.35, 0.75, 0.0), f"elbow_{s}": 1.1})
                p.move(off + 0.1, on + 0.14, **{f"arm_{s}": (0.1, 0.5, 0.0), f"elbow_{s}": 0.9})
            off = on + (contact if i < n_hops - 1 else 0.0)
        home = p.soles[foot] - SIGN[foot] * p.stance * p.left
        ended = off + 0.25
        p.tracks["height"].key(ended, p.ground + high - 0.07 * p.leg)
        p.tracks["place"].key(ended, p.support(0.5 + 0.5 * SIGN[foot]))
        down = ended + 0.45 / p.tempo
        p.move(ended - 0.2, ended, **{f"sole_{other}": home})
        p.move(ended, down, **{leg: (0.15, 0.05, 0.95, 0.0)})
        p.move(ended + 0.05, down, **{free: 0.0})
        p.land(other, down, home)
        p.now = down + 0.45 / p.tempo
        p.move(ended, down, height=p.ground + p.standing - 0.01 * p.leg)
        p.settle(down, p.now)


def _hop_way(p: Performer, foot: Side, metres: float, top: float) -> tuple[tuple[float, np.ndarray], ...]:
    """The foot follows the flight of the body, a little behind it."""
    places = [p.soles[foot] + share * metres * p.forward for share in (0.28, 0.5, 0.75)]
    for place, height in zip(places, (0.62, 0.95, 0.62), strict=True):
        place[1] += height * top
    return tuple(zip((0.28, 0.5, 0.75), places, strict=True))


def skip(p: Performer) -> None:
    """Skip along: a step and a hop on the same foot, the other knee high, the arms swinging."""
    rng = p.rng
    n_steps = int(rng.integers(5, 8))
    hop_metres, step_metres = rng.uniform(0.26, 0.36) * p.leg, rng.uniform(0.5, 0.62) * p.leg
    landing, flight, push, change = 0.19, rng.uniform(0.22, 0.27), 0.2, 0.02
    first: Side = "left" if rng.random() < 0.5 else "right"
    with p.label("skip"):
        start = p.now
        forward, left = p.forward, p.left
        origin = 0.5 * (p.soles["left"] + p.soles["right"])
        high = p.standing - 0.045 * p.leg
        foot, station, on = first, 0.35 * p.leg, start + 0.75 / p.tempo
        stance_off = start + 0.35 / p.tempo

        def sole(side: Side, at: float, *, up: float = 0.0, width: float = 0.55) -> np.ndarray:
            level = np.array([0.0, up, 0.0])
            return np.asarray(origin + at * forward + SIGN[side] * 0.5 * width * p.stance * left + level)

        def body(time: float, at: float, side: float = 0.0) -> None:
            place = origin + (at + 0.03 * p.size) * forward + side * 0.18 * p.stance * left
            p.flow(time, place=place[[0, 2]])

        p.move(start, stance_off - 0.02, place=p.support(0.5 - 0.35 * SIGN[first]), height=p.ground + high)
        p.step(first, stance_off, on, sole(first, station), p.yaws[first], Swing(0.1, 0.3, 0.5, 0.06, -0.15, 0.07))
        p.tracks["height"].key(on, p.ground + high - 0.03 * p.leg)
        for k in range(n_steps):
            last = k == n_steps - 1
            other, here = OTHER[foot], station
            off = on + landing
            down = off + flight
            nearly = down + push
            body(on + 0.5 * landing, here - 0.02 * p.leg, SIGN[foot])
            p.fly(off, down, low=high)
            body(off + 0.5 * flight, here + 0.62 * hop_metres, SIGN[foot])
            # The other foot leaves as this one lands and rides high through the hop.
            ahead = here + hop_metres + (0.0 if last else step_metres)
            ride = (
                (0.34, sole(other, here + 0.1 * p.leg, up=0.34 * p.leg)),
                (0.6, sole(other, here + hop_metres + 0.24 * p.leg, up=0.42 * p.leg)),
                (0.82, sole(other, here + hop_metres + (0.1 if last else 0.42) * p.leg, up=0.2 * p.leg)),
            )
            on_next = nearly + change + (0.25 if last else 0.0)
            swing = Swing(0.12, 0.5, 0.75, 0.0, -0.2, 0.08)
            width = 1.0 if last else 0.55
            p.step(other, on + 0.04, on_next, sole(other, ahead, width=width), p.yaws[other], swing, way=ride)
            spring = Swing(0.1, 0.6, 0.6, 0.0, -0.25, 0.07)
            top = GRAVITY * flight**2 / 8.0
            hop_way = tuple((u, sole(foot, here + u * hop_metres, up=h * top)) for u, h in ((0.28, 0.62), (0.5, 0.95), (0.75, 0.6)))
            p.step(foot, off, down, sole(foot, here + hop_metres, width=width), p.yaws[foot], spring, way=hop_way)
            body(down + 0.5 * push, here + 1.02 * hop_metres, SIGN[foot])
            _skip_arms(p, other, off + 0.35 * flight)
            p.move(p.tracks["spine"].last_time if k else start, off + 0.3 * flight, spine=(0.06, 0.0, 0.2 * SIGN[other]))
            p.flow(nearly + change, height=p.ground + high - 0.045 * p.leg)
            if not last:
                body(nearly + change, here + hop_metres + 0.5 * step_metres)
            foot, station, on = other, ahead, on_next
        p.now = on + 0.5 / p.tempo
        p.settle(on + 0.02, p.now)


def _skip_arms(p: Performer, knee: Side, time: float) -> None:
    """The arm opposite the raised knee swings high in front, the other back."""
    for s in SIDES:
        forwards = 1.35 if s != knee else -0.65
        start = max(p.tracks[f"arm_{s}"].last_time, time - 0.66)
        p.move(start, time, **{f"arm_{s}": (forwards, 0.2, 0.0), f"elbow_{s}": 0.95 if s != knee else 0.4})


def stairs(p: Performer) -> None:
    """Step up onto one to three platforms, stand on the top, step down on the other side."""
    n_steps, rise = int(p.rng.integers(1, 4)), p.rng.uniform(0.2, 0.32)
    if n_steps == 3:
        rise *= 0.75
    _climb(p, "step_up", n_steps, rise)
    idle(p, p.rng.uniform(0.5, 1.2))
    _climb(p, "step_down", n_steps, -rise)


def _climb(p: Performer, name: str, n_steps: int, rise: float) -> None:
    """Foot after foot onto platforms, each `rise` higher; the last foot comes to stand beside the other."""
    rng = p.rng
    tread = rng.uniform(0.42, 0.5) * p.leg
    foot: Side = p.actor.hand if rng.random() < 0.7 else OTHER[p.actor.hand]
    secs = rng.uniform(0.62, 0.75) / p.tempo
    up = rise > 0.0
    with p.label(name):
        start = p.now
        time = start + 0.4 / p.tempo
        base, origin, ground = p.ground, 0.5 * (p.soles["left"] + p.soles["right"]), p.ground
        p.move(start, time, place=p.support(0.5 - 0.42 * SIGN[foot]))
        for k in range(n_steps + 1):
            level = base + rise * min(k + 1, n_steps)
            at = origin + tread * min(k + 1, n_steps) * p.forward + SIGN[foot] * 0.5 * p.stance * p.left
            at[1] = level
            off, on = time, time + 0.75 * secs
            if up:
                swing = Swing(0.12, 0.35, 0.6, 0.07, 0.08, 0.06)
            else:
                swing = Swing(0.16, 0.5, 0.5, 0.05, -0.35, 0.1)
            # The body sinks on the standing leg before the foot comes down; going up it rises after.
            standing_on = min(ground, level) if not up else ground
            p.step(foot, off, on, at, p.yaws[foot], swing)
            sink = 0.12 * p.leg if not up and k < n_steps else 0.03 * p.leg
            p.flow(on, height=standing_on + p.standing - (0.03 * p.leg if not up else sink))
            if k < n_steps:
                p.flow(on, place=p.support(0.5 - 0.12 * SIGN[foot], ahead=0.05))
                time = on + 0.25 * secs + 0.12
                p.flow(time + 0.12, place=p.support(0.5 + 0.42 * SIGN[foot], ahead=0.05))
            p.move(max(start, p.tracks["spine"].last_time), on, spine=(p.actor.stoop + (0.22 if up else 0.08), 0.0, 0.0))
            for s in SIDES:
                arm = (0.3 if s != foot else -0.2, p.actor.arms_out, -0.1)
                p.move(max(start, p.tracks[f"arm_{s}"].last_time), on, **{f"arm_{s}": arm})
            ground, foot, last_on = level, OTHER[foot], on
        p.ground = base + rise * n_steps
        p.now = last_on + 0.5 / p.tempo
        p.settle(last_on, p.now)
