"""The sample library: made motion with its truth, the same on every run."""

from collections.abc import Callable, Iterator

import numpy as np

from motionary.errors import UsageError
from motionary.sample import gestures
from motionary.sample.actors import ACTORS
from motionary.sample.performer import Performer
from motionary.sample.takes import perform_take, shuffled_routines
from motionary.sample.truth import Take

RAISES_HZ = 50.0
RAISES_SECS = 300.0
RAISES_CUBE = 0.1  # metres
# The validation set of Forbes & Fiume 2005: how many of each, in one set of about 300 s.
RAISES_COUNTS = {"raise_right": 15, "raise_left": 20, "raise_both": 20, "shrug": 10, "slouch": 10}


def make_library(*, minutes: float = 20.0, seed: int = 0, preset: str = "everyday") -> Iterator[Take]:
    """The takes of the library, one by one.

    "everyday": all actions by all actors, about `minutes` long altogether. "raises" and "raises-wide": the two
    validation sets of arm raises, shrugs and slouches, of a fixed size; the second has targets three times as wide.
    """
    if not (np.isfinite(minutes) and minutes > 0):
        raise UsageError(f"minutes must be above 0, not {minutes}")
    if seed < 0:
        raise UsageError(f"the seed must be an integer of at least 0, not {seed}")
    try:
        make = PRESETS[preset]
    except KeyError:
        raise UsageError(f"no preset named {preset!r}; choose from {', '.join(PRESETS)}") from None
    return make(minutes, seed)


def _everyday(minutes: float, seed: int) -> Iterator[Take]:
    rng = np.random.default_rng([seed, 0])
    routines = [shuffled_routines(np.random.default_rng([seed, 1, i])) for i in range(len(ACTORS))]
    left, number = 60.0 * minutes, 0
    while left > 0.0:
        which, name = number % len(ACTORS), f"{ACTORS[number % len(ACTORS)].name}_{number + 1:03d}"
        secs = float(np.clip(rng.uniform(14.0, 38.0), 10.5, max(left, 10.5)))
        its_own = np.random.default_rng([seed, 2, number])  # earlier takes decide what is done, never how
        take = perform_take(ACTORS[which], routines[which], its_own, name=name, secs=secs)
        left -= take.motion.duration_secs
        number += 1
        yield take


def _raises(minutes: float, seed: int) -> Iterator[Take]:  # noqa: ARG001
    return _raises_within(seed, RAISES_CUBE, "raises")


def _raises_wide(minutes: float, seed: int) -> Iterator[Take]:  # noqa: ARG001
    return _raises_within(seed, 3.0 * RAISES_CUBE, "raises_wide")


def _raises_within(seed: int, cube: float, name: str) -> Iterator[Take]:
    """One actor, all of the counted actions in random order, in takes of a dozen or so."""
    rng = np.random.default_rng([seed, 3, round(100 * cube)])
    todo = [action for action, count in RAISES_COUNTS.items() for _ in range(count)]
    todo = [todo[i] for i in rng.permutation(len(todo))]
    n_takes = 6
    share = RAISES_SECS / len(todo)  # seconds for each, with its rest
    for number in range(n_takes):
        p = Performer(ACTORS[0], rng)
        gestures.idle(p, 0.5)
        mine = todo[number * len(todo) // n_takes : (number + 1) * len(todo) // n_takes]
        for i, action in enumerate(mine):
            RAISES_ACTIONS[action](p, cube)
            gestures.idle(p, max(0.35, (i + 1) * share - p.now))
        yield p.take(f"{name}_{number + 1}", rate_hz=RAISES_HZ)


RAISES_ACTIONS: dict[str, Callable[[Performer, float], None]] = {
    "raise_right": lambda p, cube: gestures.raise_arm(p, ("right",), spread=cube),
    "raise_left": lambda p, cube: gestures.raise_arm(p, ("left",), spread=cube),
    "raise_both": lambda p, cube: gestures.raise_arm(p, ("left", "right"), spread=cube),
    "shrug": lambda p, _: gestures.shrug(p, tempo=p.rng.uniform(0.7, 1.5)),
    "slouch": lambda p, _: gestures.slouch(p, tempo=p.rng.uniform(0.7, 1.5)),
}
PRESETS: dict[str, Callable[[float, int], Iterator[Take]]] = {
    "everyday": _everyday,
    "raises": _raises,
    "raises-wide": _raises_wide,
}
