"""What a match web is made by."""

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from motionary.errors import UsageError
from motionary.search.match_web.grid import Region

METHODS = ("dense", "pyramid", "sparse")


@dataclass(frozen=True)
class WebSettings:
    """Lengths are in metres and times in seconds, so that they hold at every rate."""

    method: str = "sparse"
    ceiling: float = 0.15  # ε_max: cells that are further apart do not exist
    rise: float = 0.15  # α of the valid region
    least_rise: float = 0.005
    shortest_secs: float = 0.25  # chains
    still_speed: float = 0.05  # m/s; what is slower is still, and is represented once
    bridge_secs: float = 2.0  # how far apart chains may be to be bridged, both motions together

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"no way to build a match web is called {self.method!r}; there are {', '.join(METHODS)}")
        for name, value in asdict(self).items():
            if not isinstance(value, str) and not 0.0 <= value < 1000.0:
                raise UsageError(f"{name} of a match web cannot be {value}")
        if self.ceiling <= 0.0:
            raise UsageError("the ceiling of a match web must be above 0")

    @cached_property
    def region(self) -> Region:
        return Region(self.rise, self.least_rise**2, self.ceiling**2)

    def frames(self, rate_hz: float) -> tuple[int, int, int]:
        """How many frames a chain spans at least, and chains are apart at most, both of both motions together; and how
        far from the diagonal of a motion with itself cells begin."""
        shortest = max(2, round(2 * self.shortest_secs * rate_hz))
        return shortest, max(2, round(self.bridge_secs * rate_hz)), max(1, round(self.shortest_secs * rate_hz))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
