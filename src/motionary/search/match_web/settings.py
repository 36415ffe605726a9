"""What a match web is made by."""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from motionary.arguments import number
from motionary.errors import UsageError
from motionary.search.match_web.grid import Region

METHODS = ("dense", "pyramid", "sparse")


@dataclass(frozen=True)
class WebSettings:
    """Lengths and times with their units, so that they hold at every rate; what computes asks for metres."""

    method: str = "sparse"
    ceiling_cm: float = 15.0  # ε_max: cells that are further apart do not exist
    rise_percent: float = 15.0  # α of the valid region
    least_rise_cm: float = 0.5
    shortest_secs: float = 0.25  # chains
    still_cm_per_sec: float = 5.0  # what is slower is still, and is represented once
    bridge_secs: float = 2.0  # how far apart chains may be to be bridged, both motions together

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"no build method named {self.method!r}; choose from {', '.join(METHODS)}")
        for name, value in asdict(self).items():
            if name != "method" and not 0.0 <= number(value, name) < 1000.0:
                raise UsageError(f"{name} of a match web cannot be {value}")
        if self.ceiling_cm <= 0.0:
            raise UsageError("the ceiling of a match web must be above 0")

    @cached_property
    def ceiling(self) -> float:
        """In metres."""
        return self.ceiling_cm / 100.0

    @property
    def still_speed(self) -> float:
        """In metres a second."""
        return self.still_cm_per_sec / 100.0

    @cached_property
    def region(self) -> Region:
        return Region(self.rise_percent / 100.0, (self.least_rise_cm / 100.0) ** 2, self.ceiling**2)

    def frames(self, rate_hz: float) -> tuple[int, int, int]:
        """How many frames a chain spans at least, and chains are apart at most, both of both motions together; and how
        far from the diagonal of a motion with itself cells begin."""
        shortest = max(2, round(2 * self.shortest_secs * rate_hz))
        return shortest, max(2, round(self.bridge_secs * rate_hz)), max(1, round(self.shortest_secs * rate_hz))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
