"""What a motion graph is made by."""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from motionary.arguments import number
from motionary.errors import UsageError

METHODS = ("auto", "dense", "sparse")
CEILINGS_CM = {"gist": 15.0, "points": 12.0, "uniform": 12.0, "heuristic": 12.0}  # others weigh feet, not hands: less
CEILING_CM = 6.0
SPARSE_FROM = 5_000  # frames above which a graph is sparse unless told otherwise
LARGE = 40_000  # frames above which the ceiling is lower: there are enough good transitions
LARGE_CEILING = 0.67  # of the usual one


@dataclass(frozen=True)
class GraphSettings:
    """How a graph is built. Times in seconds, distances in cm, so that they hold at every rate."""

    metric: str = "dynamics"
    method: str = "auto"  # dense compares all frames; sparse those that a coarse comparison finds near
    rate_hz: float = 30.0
    ceiling_cm: float | None = None  # candidates are kept up to here; by default as fits the metric
    blend_secs: float = 1.0 / 3.0  # the window of the metric, and of the blend
    blend_choices: tuple[float, ...] = (0.2, 1.0 / 3.0, 0.5)  # lengths of which every transition gets the best
    apart_secs: float = 0.25  # of candidates nearer to each other than this, on both sides, the best is kept

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(f"no method named {self.method!r}; choose from {', '.join(METHODS)}")
        object.__setattr__(self, "blend_choices", tuple(sorted({*self.blend_choices, self.blend_secs})))
        for secs in (self.blend_secs, *self.blend_choices):
            if not 0.0 < number(secs, "blend") <= 2.0:
                raise UsageError(f"a blend of {secs:g} s is not possible; 0.2 to 0.5 s is usual, 2 s the most")
        if not 5.0 <= number(self.rate_hz, "rate_hz") <= 240.0:
            raise UsageError(f"a graph at {self.rate_hz:g} Hz is not possible; use 5 to 240")
        if not 0.0 <= number(self.apart_secs, "apart") <= 10.0:
            raise UsageError(f"candidates {self.apart_secs:g} s apart are not possible; 0.25 is usual")
        if self.ceiling_cm is not None and not number(self.ceiling_cm, "ceiling") > 0.0:
            raise UsageError("the ceiling of a graph must be above 0 cm")

    def half(self, blend_secs: float) -> int:
        """Frames of a blend on either side of its middle."""
        return max(1, round(0.5 * blend_secs * self.rate_hz))

    @property
    def halves(self) -> tuple[int, ...]:
        """Of all lengths that a blend may have."""
        return tuple(sorted({self.half(secs) for secs in self.blend_choices}))

    @property
    def apart(self) -> int:
        """Frames."""
        return max(1, int(self.apart_secs * self.rate_hz))

    def ceiling(self, n_frames: int) -> float:
        """In metres, for a library of that many frames."""
        if self.ceiling_cm is not None:
            return self.ceiling_cm / 100.0
        usual = CEILINGS_CM.get(self.metric.partition(",")[0], CEILING_CM) / 100.0
        return usual * (LARGE_CEILING if n_frames > LARGE else 1.0)

    def is_sparse(self, n_frames: int) -> bool:
        return self.method == "sparse" or (self.method == "auto" and n_frames > SPARSE_FROM)

    def made_by(self, n_frames: int) -> dict[str, Any]:
        """All that the candidates depend on, besides the clips; as JSON gives it back, so that it can be compared."""
        return asdict(self) | {
            "blend_choices": list(self.blend_choices),
            "method": "sparse" if self.is_sparse(n_frames) else "dense",
            "ceiling_cm": 100.0 * self.ceiling(n_frames),
        }


def graph_key(made_by: dict[str, Any], clips: dict[str, Any]) -> str:
    """The name under which a graph is kept."""
    told = json.dumps([made_by, clips], sort_keys=True)
    return f"{made_by['metric'].partition(',')[0]}-{hashlib.blake2b(told.encode(), digest_size=4).hexdigest()}"
