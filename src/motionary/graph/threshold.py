"""Which candidates become transitions: up to a rank, a distance, or so many a second."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.arguments import number
from motionary.errors import UsageError

KINDS = ("knee", "rank", "cm", "per-second")
LEAST_FOR_A_KNEE = 6  # costs, three on each side


@dataclass(frozen=True)
class Threshold:
    """`knee`: the break of the curve of costs against rank; `rank`: the best so many; `cm`: all up to a distance;
    `per-second`: the best so many for every second of the library."""

    kind: str = "knee"
    value: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"no threshold is called {self.kind!r}; there are {', '.join(KINDS)}")
        if self.kind != "knee" and not number(self.value, "threshold") > 0.0:
            raise UsageError(f"a threshold must be above 0, not {self.text}")

    @classmethod
    def parsed(cls, text: str) -> "Threshold":
        """`knee`, `6cm`, `rank=67` or `3/s`."""
        text = text.strip().lower()
        try:
            if text == "knee":
                return cls()
            if text.endswith("cm"):
                return cls("cm", float(text.removesuffix("cm")))
            if text.endswith("/s"):
                return cls("per-second", float(text.removesuffix("/s")))
            if text.startswith("rank="):
                return cls("rank", float(text.removeprefix("rank=")))
        except ValueError:
            pass
        raise UsageError(f"{text!r} is not a threshold; write knee, 6cm, rank=67 or 3/s (per second of the library)")

    @property
    def text(self) -> str:
        """As `parsed` reads it."""
        forms = {"knee": "knee", "cm": f"{self.value:g}cm", "rank": f"rank={self.value:g}"}
        return forms.get(self.kind, f"{self.value:g}/s")

    def limit(self, costs: np.ndarray, *, duration_secs: float) -> float:
        """The largest squared distance that a transition may have; −1 if none may."""
        if self.kind == "cm":
            return (self.value / 100.0) ** 2
        if not len(costs):
            return -1.0
        if self.kind == "knee":
            rank = knee(np.sort(costs))
        else:
            rank = int(min(self.value if self.kind == "rank" else self.value * duration_secs, len(costs)))
        rank = max(rank, 1)
        return float(np.partition(costs, rank - 1)[rank - 1])


def knee_reference(costs: np.ndarray) -> int:
    """The number of costs before the break of two least-squares lines through cost by rank, from the definition."""
    if len(costs) < LEAST_FOR_A_KNEE:
        return len(costs)
    best, at = np.inf, len(costs)
    ranks = np.arange(len(costs), dtype=np.float64)
    half = LEAST_FOR_A_KNEE // 2
    for n in range(half, len(costs) - half + 1):
        error = 0.0
        for part in (slice(0, n), slice(n, None)):
            line = np.polyfit(ranks[part], costs[part], 1)
            error += float(((np.polyval(line, ranks[part]) - costs[part]) ** 2).sum())
        if error < best * (1.0 - 1e-9):
            best, at = error, n
    return at


def knee(costs: np.ndarray) -> int:
    """The same for costs (N,) in ascending order, in one pass over sums."""
    costs = np.asarray(costs, dtype=np.float64)
    if len(costs) < LEAST_FOR_A_KNEE:
        return len(costs)
    return int(_knee(costs / max(float(costs[-1]), 1e-300), LEAST_FOR_A_KNEE // 2))


@njit(cache=True, nogil=True)
def _knee(costs, half):  # type: ignore[no-untyped-def]
    n_costs = len(costs)
    # sums of y, xy, y² up to every rank; those of x and x² are known, and would lose their digits among so many
    sums = np.zeros((n_costs + 1, 3))
    for n in range(n_costs):
        x, y = n - 0.5 * n_costs, costs[n]
        sums[n + 1, 0] = sums[n, 0] + y
        sums[n + 1, 1] = sums[n, 1] + x * y
        sums[n + 1, 2] = sums[n, 2] + y * y
    best, at = np.inf, n_costs
    for n in range(half, n_costs - half + 1):
        error = 0.0
        for side in range(2):
            low, high = (0, n) if side == 0 else (n, n_costs)
            count = float(high - low)
            mean_x, sxx = 0.5 * (low + high - 1 - n_costs), count * (count * count - 1.0) / 12.0
            sy = sums[high, 0] - sums[low, 0]
            sxy = sums[high, 1] - sums[low, 1] - mean_x * sy
            syy = sums[high, 2] - sums[low, 2] - sy * sy / count
            error += max(syy - sxy * sxy / sxx, 0.0)
        if error < best * (1.0 - 1e-9):
            best, at = error, n
    return at
