"""Single routines performed by one actor, made once for all tests."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from motionary.sample import ACTORS, Take
from motionary.sample.gestures import idle
from motionary.sample.performer import Performer

Perform = Callable[..., tuple[Performer, Take]]


@pytest.fixture(scope="session")
def perform() -> Perform:
    """A function that has an actor do something between two seconds of idle: (performer, take)."""

    @cache
    def performed(action: Callable[[Performer], None], actor: int = 0, seed: int = 0) -> tuple[Performer, Take]:
        p = Performer(ACTORS[actor], np.random.default_rng(seed), place=(1.0, -2.0), heading=0.7)
        idle(p, 1.0)
        action(p)
        idle(p, 1.0)
        return p, p.take("take", rate_hz=60.0)

    return performed
