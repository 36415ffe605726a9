"""What a transition is asked for: its frames, its method, how many recipes are tried."""

from dataclasses import dataclass
from typing import Literal

from motionary.errors import UsageError

Method = Literal["table", "direct", "inertial", "dead"]
Way = Literal["recipe", "direct", "inertial", "dead"]  # how a blend was made: "table" takes the best of several
METHODS: tuple[Method, ...] = ("table", "direct", "inertial", "dead")

WAYS: dict[Way, str] = {  # in words, where there is no intermediary
    "recipe": "no intermediary",
    "direct": "the direct blend",
    "dead": "dead blending",
    "inertial": "inertialisation",
}


@dataclass(frozen=True)
class Frame:
    """A frame of a clip in the pool, counted from the clip's first."""

    clip: int  # the clip's number in the pool
    frame: int


@dataclass(frozen=True)
class MakeOptions:
    """How a transition is made.

    `candidates`: so many recipes are tried, and the best is taken: the nearest representatives' own first. `variants`:
    so many more, with other members of the intermediaries' clusters, drawn by `seed`. `lead_secs`: so much of the
    source before, and of the target after. `clean_feet`: hold planted feet at their places.
    """

    method: Method = "table"
    candidates: int = 3
    variants: int = 0
    seed: int = 0
    lead_secs: float = 1.0
    clean_feet: bool = True

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"no method is called {self.method!r}; there are {', '.join(METHODS)}")
        if self.candidates < 1 or self.variants < 0:
            raise UsageError("a transition needs at least 1 candidate, and 0 or more variants")
        if not 0.0 <= self.lead_secs <= 60.0:
            raise UsageError(f"{self.lead_secs:g} s before and after are not possible; ask for 0 to 60")
