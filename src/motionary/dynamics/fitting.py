"""Masses fitted to a library, so that its own motion keeps its balance."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionary.dynamics.averages import AVERAGES, BODY_PARTS, KINDS, part_kind
from motionary.dynamics.balance import LIGHT, zmp_terms
from motionary.dynamics.masses import Masses
from motionary.dynamics.support import Support, support
from motionary.errors import UsageError
from motionary.motion import GRAVITY, Motion
from motionary.rig import Body

WITHIN = 0.3  # of the averages
FAR = 0.05  # metres: farther points count by their distance, not its square (Huber)
STIFFNESS = 1e-4  # square metres: what a share that moved by all of itself costs; less fits noise (bench/balance.py)
N_ROUNDS = 60
SIDES_OF = np.array([1.0 if kind in BODY_PARTS else 2.0 for kind in KINDS])  # how often a body has each part


@dataclass(frozen=True, eq=False)
class FittedMasses:
    """Shares that make a library plausible, and what they gained."""

    shares: dict[str, float]  # of all BODY_PARTS, left = right, sum 1
    moved: dict[str, float]  # by how much of the average, for each of KINDS: 0.1 is ten percent more
    mean_before: float  # metres from zero-moment point to support polygon, mean over the frames
    mean_after: float
    n_frames: int  # that counted

    def of(self, masses: Masses) -> Masses:
        """A body's masses with these shares."""
        return masses.with_shares(self.shares)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What one motion says about the shares: its zero-moment point is a ratio of sums that are linear in them."""

    over: np.ndarray  # (2, K, F) for a unit share of each kind
    under: np.ndarray  # (K, F)
    ground: Support


def evidence(motion: Motion, masses: Masses, body: Body, contacts: np.ndarray) -> Evidence:
    """What a motion whose feet touch the ground as `contacts` (F, 2, 2) says about the shares of the body's parts."""
    ground = support(motion, body, contacts)
    over, under, _ = zmp_terms(motion, masses, ground.height)
    kinds = np.array([KINDS.index(part_kind(BODY_PARTS[part])) for part in masses.parts])
    totals = np.bincount(kinds, weights=masses.shares, minlength=len(KINDS))
    pieces = np.zeros((len(KINDS), masses.n_pieces))  # each kind's mean over its pieces, times how often it is there
    pieces[kinds, np.arange(masses.n_pieces)] = masses.shares / totals[kinds] * SIDES_OF[kinds]
    counted = np.isfinite(ground.height)
    over = np.einsum("kp,apf->akf", pieces, over[:, :, counted])
    ground = Support(ground.corners[counted], ground.standing[counted], ground.height[counted])
    return Evidence(over, pieces @ under[:, counted], ground)


def fit_masses(library: Iterable[Evidence], *, within: float = WITHIN) -> FittedMasses:
    """The shares, within ±`within` of the averages, left = right, sum 1, that keep the library in balance best.

    Minimises the distances of zero-moment points from support polygons (squared up to 5 cm, then linear, so that
    single frames do not decide) plus a small pull towards the averages. Each round takes the polygons' nearest points
    as targets and the ratio's denominator as known: a bounded least-squares problem in ten unknowns that can only
    lower the sum, as distances to fixed points of the polygons are upper bounds of the distances to the polygons.
    """
    if not 0.0 <= within < 1.0:
        raise UsageError(f"within must be at least 0 and below 1, not {within:g}")
    known = list(library)
    if not known or sum(e.under.shape[1] for e in known) == 0:
        raise UsageError("no frame of the library stands on the ground, so masses cannot be fitted")
    average = np.array([AVERAGES[kind].share for kind in KINDS])
    shares = average / (SIDES_OF @ average)
    low, high = (1.0 - within) * shares, (1.0 + within) * shares
    start = shares
    cost, before = _cost(known, shares, start)
    for _ in range(N_ROUNDS):
        matrix, wanted = _normal_equations(known, shares, start)
        goal = _bounded_least_squares(matrix, wanted, low, high, SIDES_OF, shares)
        step = 1.0
        while step > 1e-3:  # the denominators were held: go less far if that was too bold
            tried = shares + step * (goal - shares)
            new_cost, _ = _cost(known, tried, start)
            if new_cost <= cost:
                break
            step *= 0.5
        else:
            break
        gained, shares, cost = cost - new_cost, tried, new_cost
        if gained <= 1e-6 * cost:
            break
    _, after = _cost(known, shares, start)
    return FittedMasses(
        shares={part: float(shares[KINDS.index(part_kind(part))]) for part in BODY_PARTS},
        moved={kind: float(shares[i] / start[i] - 1.0) for i, kind in enumerate(KINDS)},
        mean_before=float(np.mean(before)),
        mean_after=float(np.mean(after)),
        n_frames=len(after),
    )


def _points(one: Evidence, shares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The zero-moment points (F, 2), NaN where hardly any weight is on the ground, and the weights (F,)."""
    weight = shares @ one.under
    points = ((shares @ one.over) / np.maximum(weight, 1e-9)).T
    return np.where((weight >= LIGHT * GRAVITY)[:, None], points, np.nan), weight


def _cost(library: list[Evidence], shares: np.ndarray, start: np.ndarray) -> tuple[float, np.ndarray]:
    """What is minimised, and the distances (N,) of all frames that count."""
    distances = np.concatenate([one.ground.distances(_points(one, shares)[0]) for one in library])
    distances = distances[np.isfinite(distances)]
    if not len(distances):
        raise UsageError("no frame of the library carries its weight on its feet, so masses cannot be fitted")
    huber = np.where(distances <= FAR, distances**2, FAR * (2.0 * distances - FAR))
    return float(np.mean(huber) + STIFFNESS * np.sum((shares / start - 1.0) ** 2)), distances


def _normal_equations(library: list[Evidence], shares: np.ndarray, start: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(A, b) of the quadratic θᵀAθ/2 − bᵀθ that stands for the cost near `shares`."""
    matrix, n_frames = np.zeros((len(KINDS), len(KINDS))), 0
    for one in library:
        points, weight = _points(one, shares)
        targets = one.ground.nearest(points)
        counted = np.isfinite(targets[:, 0])
        far = np.hypot(*(points - targets)[counted].T)
        trust = np.minimum(1.0, FAR / np.maximum(far, 1e-12)) / weight[counted] ** 2
        for axis in range(2):
            rows = one.over[axis][:, counted] - targets[counted, axis] * one.under[:, counted]  # (K, n)
            matrix += (trust * rows) @ rows.T
        n_frames += int(counted.sum())
    matrix /= max(n_frames, 1)
    pull = STIFFNESS / start**2
    return matrix + np.diag(pull), pull * start


def _bounded_least_squares(
    matrix: np.ndarray, wanted: np.ndarray, low: np.ndarray, high: np.ndarray, counts: np.ndarray, start: np.ndarray
) -> np.ndarray:
    """The minimum of θᵀAθ/2 − bᵀθ with low ≤ θ ≤ high and counts · θ = 1, by an active set from a feasible start.

    Shares at a bound are held there while the others are solved for with a Lagrange multiplier; where the way to the
    solution meets a bound, that share is held too, and one whose multiplier says that it wants back is freed.
    """
    x = np.array(start)
    held = (x <= low) | (x >= high)
    for _ in range(20 * len(x)):
        free = np.flatnonzero(~held)
        n = len(free)
        goal = np.array(x)
        if n > 1:
            system = np.zeros((n + 1, n + 1))
            system[:n, :n] = matrix[np.ix_(free, free)]
            system[:n, n] = system[n, :n] = counts[free]
            fixed = np.flatnonzero(held)
            right = np.append(wanted[free] - matrix[np.ix_(free, fixed)] @ x[fixed], 1.0 - counts[fixed] @ x[fixed])
            goal[free] = np.linalg.solve(system, right)[:n]
        room = np.ones(len(x))
        moves = goal - x
        up, down = moves > 1e-15, moves < -1e-15
        room[up], room[down] = (high - x)[up] / moves[up], (low - x)[down] / moves[down]
        first = int(np.argmin(room))
        x = np.clip(x + max(min(1.0, float(room[first])), 0.0) * moves, low, high)
        if room[first] < 1.0:
            held[first] = True
            x[first] = high[first] if moves[first] > 0.0 else low[first]  # to the last bit: the side is read from it
            continue
        slope = matrix @ x - wanted
        price = (
            slope[free] @ counts[free] / (counts[free] @ counts[free]) if n else _middle_price(slope / counts, x, low)
        )
        inward = np.where(x <= low, 1.0, -1.0) * (slope - price * counts) / counts
        inward[~held] = 0.0
        worst = int(np.argmin(inward))
        if inward[worst] >= -1e-12 * np.abs(slope).max():
            return x
        held[worst] = False
    return x


def _middle_price(prices: np.ndarray, x: np.ndarray, low: np.ndarray) -> float:
    """A multiplier for the sum when every share is at a bound: between those that would rise and those that fall."""
    rising, falling = prices[x <= low], prices[x > low]
    return (
        float(0.5 * (rising.min(initial=np.inf) + falling.max(initial=-np.inf)))
        if len(rising) and len(falling)
        else 0.0
    )
