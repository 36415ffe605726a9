"""Walking, running and their kin: each a gait with its own strides."""

from dataclasses import replace

import numpy as np

from motionary.sample.feet import OTHER, Swing
from motionary.sample.figure import SIGN
from motionary.sample.gait import Stride, go, travel
from motionary.sample.performer import Performer, forward_of, left_of
from motionary.sample.truth import Side


def walk(p: Performer, *, turn: float | None = None, metres: float | None = None) -> None:
    """Walk at one of many speeds along a straight or curved path."""
    rng = p.rng
    speed = rng.uniform(-1.0, 1.0)  # slow to brisk
    secs = (0.54 - 0.07 * speed) / p.tempo
    stride = Stride(
        length=0.74 + 0.12 * speed,
        secs=secs,
        overlap=(0.24 - 0.06 * speed) * secs,
        bob=0.022 + 0.008 * speed * p.actor.bounce,
        lean=0.03 + 0.04 * max(speed, 0.0),
        arms=0.36 + 0.14 * speed,
        twist=0.09 + 0.03 * speed,
        swing=Swing(0.45 * secs, 0.62, 0.8, 0.025, 0.32 + 0.06 * speed, 0.21 * secs),
    )
    metres = rng.uniform(2.2, 5.0) if metres is None else metres
    turn = _homewards(p, metres) if turn is None else turn
    first: Side = "left" if (turn > 0.3 or (abs(turn) <= 0.3 and rng.random() < 0.5)) else "right"
    with p.label("walk"):
        go(p, stride, metres, turn=turn, first=first)


def sneak(p: Performer) -> None:
    """Creep: deep knees, a bent back, long slow steps with the foot lifted high and set down toe first."""
    rng = p.rng
    secs = rng.uniform(0.95, 1.2) / p.tempo
    stride = Stride(
        length=0.66, secs=secs, overlap=0.3 * secs, crouch=rng.uniform(0.17, 0.23), bob=0.015, lean=0.62, arms=0.16,
        arms_ahead=0.55, elbows=1.55, twist=0.1, sway=0.75, width=0.8,
        swing=Swing(0.25 * secs, 0.35, 0.9, rng.uniform(0.2, 0.26), -0.35, 0.22 * secs),
    )  # fmt: skip
    with p.label("sneak"):
        metres = rng.uniform(1.6, 2.5)
        go(p, stride, metres, turn=0.5 * _homewards(p, metres), first=p.actor.hand)


def limp(p: Performer) -> None:
    """Walk with one stiff, sore leg: off it quickly, the trunk thrown over it."""
    rng = p.rng
    sore: Side = "left" if rng.random() < 0.5 else "right"
    secs = 0.6 / p.tempo
    on_sore = Stride(  # the sound foot steps, the sore one bears
        length=0.2, secs=0.78 * secs, overlap=0.14, bob=0.0, crouch=0.1, lean=0.5, aside=0.36, arms=0.12, elbows=0.7,
        sway=0.6, width=0.95, swing=Swing(0.06, 0.2, 0.3, 0.03, 0.1, 0.08),
    )  # fmt: skip
    on_sound = Stride(  # the sore foot is brought forward flat, out to the side
        length=0.46, secs=1.35 * secs, overlap=0.2, bob=0.05, lean=0.1, aside=-0.05, arms=0.12, elbows=0.7, sway=0.9,
        width=0.95, swing=Swing(0.1, 0.3, 0.25, 0.03, 0.0, 0.05),
    )  # fmt: skip
    n_pairs = int(rng.integers(3, 5))
    strides = [replace(on_sound, length=0.3), *([on_sore, on_sound] * n_pairs), replace(on_sore, length=0.0)]
    with p.label("limp"):
        start = p.now
        travel(p, strides, turn=0.4 * _homewards(p, n_pairs * 0.6), first=sore)
        _hold_thigh(p, sore, start + 0.3, p.now - 0.15)


def _hold_thigh(p: Performer, side: Side, start: float, stop: float) -> None:
    """Keep a hand on the thigh of the same side, wherever the leg goes."""
    times = np.arange(start, stop - 0.45, 0.12)
    facing = p.tracks["heading"].at(times)[:, 0]
    forward, left = (np.stack([way(theta) for theta in facing]) for way in (forward_of, left_of))
    hip = np.insert(p.tracks["place"].at(times), 1, p.tracks["height"].at(times)[:, 0] - 0.08 * p.leg, axis=1)
    hip = hip + SIGN[side] * 0.13 * p.leg * left
    ankle = p.tracks[f"sole_{side}"].at(times)
    thigh = hip + 0.3 * (ankle - hip) + 0.16 * p.leg * forward
    reach = p.tracks[f"reach_{side}"]
    for time, place in zip(times, thigh, strict=True):
        reach.key(time, place, flowing=True)
    p.move(start, start + 0.45, {f"reaching_{side}": 1.0})
    p.move(stop - 0.45, stop, {f"reaching_{side}": 0.0})


def run(p: Performer, *, n_steps: int | None = None) -> None:
    """Run, and come to a stand in a few braking steps: the latter is an action of its own."""
    rng = p.rng
    n_steps = int(rng.integers(7, 11)) if n_steps is None else n_steps
    begin, stride, end = _running_strides(p, rng.uniform(-1.0, 1.0))
    strides = [*begin, *([stride] * (n_steps - len(begin))), *end]
    start, length = p.begin(), sum(s.length for s in strides) * p.leg
    turn = float(np.clip(_homewards(p, length), -0.9, 0.9))
    plan = travel(p, strides, turn=turn, first="left" if rng.random() < 0.5 else "right")
    slowing = float(plan.landings[n_steps - 2])  # two full steps before the first braking one
    p.mark("run", start, slowing)
    p.mark("run_to_stand", slowing, p.now)


def _running_strides(p: Performer, speed: float) -> tuple[list[Stride], Stride, list[Stride]]:
    """(strides to get going, the stride of the run, strides to stop); the speed goes from -1 to 1."""
    secs = (0.37 - 0.03 * speed) / np.sqrt(p.tempo)
    flight = 0.125 + 0.02 * speed * p.actor.bounce
    stride = Stride(
        length=1.14 + 0.18 * speed, lead=0.075, secs=secs, overlap=-flight, crouch=0.13 + 0.03 * speed,
        lean=0.34 + 0.08 * speed, arms=0.75, arms_ahead=0.02, elbows=1.45, twist=0.16, sway=0.2, width=0.3,
        swing=Swing(0.14, 0.75, 1.25 + 0.2 * speed, 0.2 + 0.05 * speed, 0.1, 0.05, late=0.85),
    )  # fmt: skip
    gentle = replace(stride.swing, fold=0.85)
    begin = [
        replace(stride, length=0.5, secs=1.15 * secs, overlap=0.1, crouch=0.08, lean=0.4, swing=gentle),
        replace(stride, length=0.9, overlap=-0.6 * flight, lean=0.4, swing=gentle),
    ]
    brake = replace(stride, lead=0.0, arms=0.5, lean=-0.06, crouch=0.13, elbows=1.2)
    low = Swing(0.1, 0.4, 0.6, 0.06, 0.22, 0.08, late=0.87)
    high, brake = replace(low, clearance=0.14, late=0.84), replace(brake, swing=low)
    end = [
        replace(brake, length=0.85, secs=secs, overlap=-0.9 * flight, lead=0.07, swing=high),
        replace(brake, length=0.6, secs=1.15 * secs, overlap=0.0, lead=0.03, lean=-0.14),
        replace(brake, length=0.32, secs=1.3 * secs, overlap=0.12, lean=-0.1, crouch=0.05, arms=0.25, elbows=0.8),
        replace(brake, length=0.0, secs=1.35 * secs, overlap=0.16, lean=0.0, crouch=0.01, arms=0.1, elbows=0.5),
    ]
    return begin, stride, end


def turn_on_the_spot(p: Performer) -> None:
    """Turn about without leaving the place, in small steps."""
    rng = p.rng
    angle = float(rng.choice((-1.0, 1.0)) * rng.uniform(1.5, 3.3))
    n_steps, secs = 2 * round(abs(angle) / 0.95), rng.uniform(0.36, 0.48) / p.tempo
    centre, heading = p.feet.middle, p.heading
    foot: Side = "left" if angle > 0.0 else "right"
    with p.label("turn"):
        start = p.now
        p.now = start + 0.25 + n_steps * secs + 0.3
        p.tracks["heading"].hold(start + 0.05)
        p.move(start, start + 0.3, head=(0.04, 0.0, 0.5 * np.sign(angle)))  # the eyes go before
        for k in range(n_steps):
            off = start + 0.25 + k * secs
            facing = heading + angle * (2 * (k // 2) + 2) / n_steps
            p.flow(off + 0.08 * secs, place=p.support(0.5 - 0.3 * SIGN[foot]))
            p.flow(off + 0.5 * secs, heading=heading + angle * (k + 0.6) / n_steps)
            sole = centre + SIGN[foot] * 0.5 * p.stance * left_of(facing)
            yaw = facing + SIGN[foot] * p.actor.toe_out
            p.feet.step(foot, off, off + 0.82 * secs, sole, yaw, Swing(0.05, 0.12, 0.25, 0.05, 0.0, 0.0))
            foot = OTHER[foot]
        p.tracks["heading"].key(p.now - 0.1, heading + angle)
        p.tracks["place"].key(p.now, p.support())
        p.move(p.now - 0.5, p.now, p.at_rest("head"))


def _homewards(p: Performer, metres: float) -> float:
    """A turn for the next path, random but such that the actor stays about the middle of the room."""
    x, z = p.support()
    home = np.arctan2(-x, -z) - p.heading
    home = (home + np.pi) % (2.0 * np.pi) - np.pi
    pull = np.clip(np.hypot(x, z) / 4.0, 0.0, 1.0)
    most = 0.45 * metres  # no tighter than people like to walk
    wanted = pull * home + (1.0 - pull) * p.rng.choice((0.0, 1.0, -1.0)) * p.rng.uniform(0.5, 1.8)
    return float(np.clip(wanted, -most, most))
