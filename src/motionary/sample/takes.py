"""What actors do in a take: the registry of routines, and the scripts that join them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from motionary.sample import acrobatics, gestures, leaps, locomotion, reaching, seats, skipping, stairs, strikes
from motionary.sample.actors import Actor
from motionary.sample.performer import Performer
from motionary.sample.truth import Side, Take

RATE_HZ = 60.0


@dataclass(frozen=True)
class Routine:
    """One thing to do, from standing at ease to standing at ease, and the labels that it leaves."""

    labels: tuple[str, ...]
    perform: Callable[[Performer], None]


def _raise(*hands: Side) -> Callable[[Performer], None]:
    return lambda p: gestures.raise_arm(p, hands)


def _run_to_stand(p: Performer) -> None:
    locomotion.run(p, n_steps=int(p.rng.integers(5, 8)))


def _carry_away(p: Performer) -> None:
    """Pick something up, take it elsewhere, put it down."""
    reaching.pick_up(p)
    gestures.idle(p, p.rng.uniform(0.4, 0.8))
    locomotion.walk(p, metres=p.rng.uniform(1.6, 2.8))
    gestures.idle(p, p.rng.uniform(0.4, 0.8))
    reaching.put_back(p)


ROUTINES = (
    Routine(("walk",), locomotion.walk),
    Routine(("run", "run_to_stand"), locomotion.run),
    Routine(("run", "run_to_stand"), _run_to_stand),
    Routine(("skip",), skipping.skip),
    Routine(("sneak",), locomotion.sneak),
    Routine(("limp",), locomotion.limp),
    Routine(("jump",), leaps.jump),
    Routine(("hop",), leaps.hop),
    Routine(("kick_front",), strikes.kick_front),
    Routine(("kick_side",), strikes.kick_side),
    Routine(("punch",), strikes.punch),
    Routine(("throw",), strikes.throw),
    Routine(("wave",), gestures.wave),
    Routine(("raise_right",), _raise("right")),
    Routine(("raise_left",), _raise("left")),
    Routine(("raise_both",), _raise("left", "right")),
    Routine(("shrug",), gestures.shrug),
    Routine(("slouch",), gestures.slouch),
    Routine(("reach_high",), reaching.reach_high),
    Routine(("reach_low",), reaching.reach_low),
    Routine(("reach_left",), reaching.reach_left),
    Routine(("reach_right",), reaching.reach_right),
    Routine(("pick_up", "put_back"), reaching.carry),
    Routine(("pick_up", "put_back", "walk"), _carry_away),
    Routine(("sit_down", "stand_up"), seats.sit_and_stand),
    Routine(("squat",), seats.squat),
    Routine(("turn",), locomotion.turn_on_the_spot),
    Routine(("step_up", "step_down"), stairs.up_and_down),
    Routine(("cartwheel",), acrobatics.cartwheel),
)

ACTIONS: tuple[str, ...] = ("idle", *dict.fromkeys(label for routine in ROUTINES for label in routine.labels))


def shuffled_routines(rng: np.random.Generator) -> Iterator[Routine]:
    """The routines without end, each as often as the others, in ever new order."""
    while True:
        for i in rng.permutation(len(ROUTINES)):
            yield ROUTINES[i]


def perform_take(
    actor: Actor, routines: Iterator[Routine], rng: np.random.Generator, *, name: str, secs: float
) -> Take:
    """A take of about `secs` seconds, never above 60: routines with idle or a walk between, idle at both ends."""
    place = rng.uniform(-1.5, 1.5, 2)
    p = Performer(actor, rng, place=(float(place[0]), float(place[1])), heading=float(rng.uniform(-np.pi, np.pi)))
    gestures.idle(p)
    while p.now < secs:
        next(routines).perform(p)
        gestures.idle(p)
        if rng.random() < 0.12 and p.now < secs:
            locomotion.walk(p)
            gestures.idle(p)
    return p.take(name, rate_hz=RATE_HZ)
