"""Parametric motions: ask for a place, get a motion that goes there."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from motionary.blend import Blend, BlendSource, Registration, RegistrationOptions, meet, register, without
from motionary.errors import UsageError
from motionary.motion import Placement
from motionary.parametric.measures import Measure, Parameter, all_parameters, given_values, values_of
from motionary.parametric.sampling import DELTA, Samples, differences, draw_samples
from motionary.parametric.views import ClockArrays, FinishedView, WeightedView, blended, inside

CORRECTIONS = 5
CORRECTED_BY = 0.7
CLOSE = 0.05  # tolerances: as near as this is what was wanted
STEPS = 5  # of Newton's method, where asking again does not come close
HALVINGS = 3  # of a step that leads farther away
UNUSUAL = 0.16  # tolerances, 2 mm: what is missed by more is tried again from the nearest samples
TRIED = 4  # of them
NUDGE = 0.02  # of a weight, by which the slopes of the measures are found
FINISHED_CORRECTIONS = 6
NEAR = 3.0  # times the usual distance of samples: farther from all of them is outside of the region
QUARTER_INCH = 0.00635


@dataclass(frozen=True, eq=False)
class Answer:
    """Weights for parameters that were asked for, and what they give."""

    wanted: np.ndarray  # (D,)
    got: np.ndarray  # (D,) of the finished motion if it was asked for, else of the blend before its feet are held
    weights: np.ndarray  # (N,)
    error: np.ndarray  # (D,) got minus wanted, angles by the shorter way
    projected: bool  # whether the wanted point is missed by more than its tolerance, and this is the nearest found
    parametric: "ParametricMotion" = field(repr=False)
    finished: Blend | None = field(repr=False, default=None)  # the motion, feet held, from the origin

    def motion(self, *, start: Placement | None = None, clean_up: bool = True) -> Blend:
        """The blend; it starts at the origin and faces +z, or at `start`."""
        if self.finished is not None and start is None and clean_up:
            return self.finished
        return self.parametric.blended(self.weights, start=start or Placement(), clean_up=clean_up)

    def measured(self, made: Blend) -> np.ndarray:
        """The parameters (D,) of the finished blend, feet held; it has to start at the origin and face +z."""
        if self.parametric.given is not None:
            return self.got
        return values_of(self.parametric.measures, FinishedView(made))

    def as_json(self) -> dict[str, Any]:
        names = [parameter.name for parameter in self.parametric.parameters]
        used = np.flatnonzero(self.weights)
        return {
            "wanted": {name: round(float(x), 6) for name, x in zip(names, self.wanted, strict=True)},
            "got": {name: round(float(x), 6) for name, x in zip(names, self.got, strict=True)},
            "projected": self.projected,
            "weights": {self.parametric.registration.names[i]: round(float(self.weights[i]), 6) for i in used},
        }


@dataclass(frozen=True, eq=False)
class ParametricMotion:
    """Registered examples, their parameters, and samples of what blends of them give."""

    registration: Registration
    measures: tuple[Measure, ...]  # settled: their moments are known on the clock
    parameters: tuple[Parameter, ...]
    examples: np.ndarray  # (N, D) parameters of the examples
    samples: Samples
    given: np.ndarray | None = None  # (N, D) if the values were given by hand
    cyclic: bool = False

    @cached_property
    def _arrays(self) -> ClockArrays:
        return ClockArrays.of(self.registration)

    @property
    def n_examples(self) -> int:
        return self.registration.n_sources

    def measure(self, weights: np.ndarray) -> np.ndarray:
        """The parameters (D,) of the blend by weights (N,), before its feet are held."""
        if self.given is not None:
            return np.asarray(weights @ self.given)
        return values_of(self.measures, WeightedView(self._arrays, np.asarray(weights, dtype=float)))

    def blended(self, weights: np.ndarray, *, start: Placement | None = None, clean_up: bool = True) -> Blend:
        """The blend by weights (N,), from the origin or `start`; weights below 0 count as 0 where examples are too
        unlike to be extrapolated."""
        return blended(self.registration, weights, start=start or Placement(), clean_up=clean_up)

    def weights_for(self, point: Sequence[float] | np.ndarray) -> np.ndarray:
        """Weights (N,) for parameters, by interpolation between samples alone."""
        return self._arrays.allowed(self.samples.interpolated(self.point(point)))

    def ask(
        self,
        point: Sequence[float] | Mapping[str, float] | np.ndarray,
        *,
        corrections: int = CORRECTIONS,
        finished: bool = False,
    ) -> Answer:
        """The blend whose parameters are nearest to those wanted.

        Interpolation misses by millimetres to centimetres; each correction asks again, for what was wanted plus 0.7 of
        what was missed, and a few steps of Newton's method do the rest. What cannot be reached is projected onto what
        can, and says so. `finished`: the feet of the motion are held, which may move the body a little; where that
        misses what was wanted, it is corrected too, by a few more blends.
        """
        wanted = self.point(point)
        turns = self.samples.turns
        asked = wanted.copy()
        best: tuple[float, np.ndarray, np.ndarray] | None = None
        for _ in range(corrections + 1):
            weights = self._arrays.allowed(self.samples.interpolated(asked))
            got = self.measure(weights)
            far = self._far(got, wanted)
            if best is None or far < best[0]:
                best = far, weights, got
            if far < CLOSE:
                break
            asked = asked - CORRECTED_BY * differences(got, wanted, turns)
        assert best is not None
        far, weights, got = best
        if corrections:
            far, weights, got = self._stepped(wanted, weights, got)
            if far > UNUSUAL:
                far, weights, got = self._from_samples(wanted, (far, weights, got))
        made = None
        if finished:
            far, weights, got, made = self._finished(wanted, weights, got, corrections)
        # What corrections do not bring within the tolerance is not reached; without them, samples near it decide.
        projected = far > 1.0 if corrections else not self._reaches(wanted, far)
        return Answer(wanted, got, weights, differences(got, wanted, turns), projected, self, made)

    def _far(self, got: np.ndarray, wanted: np.ndarray) -> float:
        """How far apart two points are, in tolerances."""
        return float(np.linalg.norm(differences(got, wanted, self.samples.turns) / self.samples.scales))

    def _stepped(
        self, wanted: np.ndarray, weights: np.ndarray, got: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """(distance, weights, parameters) after a few steps of Newton's method from weights that give `got`.

        Only some examples' weights are changed, as little as will do, and never beyond those that samples have.
        """
        far = self._far(got, wanted)
        first = far, weights, got
        scales, turns = self.samples.scales, self.samples.turns
        for _ in range(STEPS):
            if far < CLOSE:
                break
            used = self._movable(weights, wanted)
            lowest = 0.0 if self._arrays.far[np.ix_(used, used)].any() else -DELTA
            if weights.min() < lowest:
                weights = inside(weights)
                got = self.measure(weights)
                far = self._far(got, wanted)
            towards = np.eye(len(weights))[used] - weights  # each leaves the sum of the weights at 1
            slopes = np.array(
                [differences(self.measure(weights + NUDGE * way), got, turns) / (NUDGE * scales) for way in towards]
            )
            step = np.zeros(len(weights))
            step[used] = _least_step(slopes, differences(wanted, got, turns) / scales, weights[used], lowest)
            share = _room(weights, step, lowest)
            for _ in range(HALVINGS):
                moved = self._arrays.allowed(weights + share * step)
                then = self.measure(moved)
                if self._far(then, wanted) < far:
                    break
                share *= 0.5
            else:
                break
            weights, got, far = moved, then, self._far(then, wanted)
        return min(first, (far, weights, got), key=lambda one: one[0])

    def _movable(self, weights: np.ndarray, wanted: np.ndarray) -> np.ndarray:
        """The examples whose weights Newton's method may change: the heaviest, and the nearest of those that have none
        here, but do in some sample."""
        away = np.linalg.norm(differences(self.examples, wanted, self.samples.turns) / self.samples.scales, axis=1)
        away[~(self.samples.weights != 0.0).any(axis=0)] = np.inf
        first = np.lexsort((away, -np.abs(weights)))[: 2 * (len(wanted) + 1)]
        return first[np.isfinite(away[first])]

    def _from_samples(
        self, wanted: np.ndarray, best: tuple[float, np.ndarray, np.ndarray]
    ) -> tuple[float, np.ndarray, np.ndarray]:
        """The best of an answer and of Newton's method from the samples nearest to what is wanted.

        Where several quite different blends reach about the same point, their average may reach another.
        """
        for number in np.argsort(self.samples.distances(wanted), kind="stable")[:TRIED].tolist():
            weights = self.samples.weights[number]
            found = self._stepped(wanted, weights, self.measure(weights))
            best = min(best, found, key=lambda one: one[0])
            if best[0] < CLOSE:
                break
        return best

    def _finished(
        self, wanted: np.ndarray, weights: np.ndarray, got: np.ndarray, corrections: int
    ) -> tuple[float, np.ndarray, np.ndarray, Blend]:
        """Distance, weights, parameters and motion of the nearest finished blend.

        What holding the feet adds changes slowly with the weights: it is added to what the blend should give.
        """
        best: tuple[float, np.ndarray, np.ndarray, Blend] | None = None
        for _ in range(min(corrections, FINISHED_CORRECTIONS) + 1):
            made = self.blended(weights)
            done = got if self.given is not None else values_of(self.measures, FinishedView(made))
            far = self._far(done, wanted)
            if best is None or far < best[0]:
                best = far, weights, done, made
            if far < CLOSE or self.given is not None:  # holding the feet changes nothing that was given
                break
            held_by = differences(done, got, self.samples.turns)
            _, weights, got = self._stepped(wanted - held_by, weights, got)
        assert best is not None
        return best

    def ask_many(self, points: np.ndarray, *, corrections: int = CORRECTIONS, finished: bool = False) -> list[Answer]:
        """`ask` for every row (P, D)."""
        return [self.ask(point, corrections=corrections, finished=finished) for point in np.atleast_2d(points)]

    def grid(self, n: int = 3) -> np.ndarray:
        """Points (n^D, D) on a grid over the box of the examples' parameters."""
        low, high = self.examples.min(axis=0), self.examples.max(axis=0)
        return np.array(list(product(*(np.linspace(a, b, n) for a, b in zip(low, high, strict=True)))))

    def random_points(self, n: int, *, rng: np.random.Generator) -> np.ndarray:
        """Points (n, D) inside of the region: between samples and their neighbours."""
        values = self.samples.values
        picked = rng.integers(0, len(values), n)
        points = np.empty((n, values.shape[1]))
        for row, number in enumerate(picked):
            away = self.samples.distances(values[number])
            near = np.argsort(away, kind="stable")[1 : 2 + values.shape[1]]
            other = int(rng.choice(near)) if len(near) else int(number)
            off = differences(values[other], values[number], self.samples.turns)
            points[row] = values[number] + rng.uniform() * off
        return points

    def uncovered_corners(self) -> list[np.ndarray]:
        """Corners (D,) of the box of the examples' parameters that no sample comes near."""
        low, high = self.examples.min(axis=0), self.examples.max(axis=0)
        span = np.maximum(high - low, 1e-12)
        corners = (
            [np.where(bits, high, low) for bits in product((False, True), repeat=len(low))] if len(low) <= 6 else []
        )
        values = self.samples.values
        return [c for c in corners if np.abs((values - c) / span).max(axis=1).min() > 0.25]

    def without_redundant(
        self, tolerance: float = QUARTER_INCH, *, rng: np.random.Generator | None = None, n_draws: int = 1000
    ) -> "ParametricMotion":
        """The parametric motion without the examples whose parameters the others reproduce within `tolerance` metres
        (as many tolerances of half an inch for other units)."""
        if self.given is not None:
            raise UsageError("values that were given by hand make no example redundant")
        allowed = tolerance / 0.0127
        kept = list(range(self.n_examples))
        # The most crowded go first.
        off = differences(self.examples[:, None], self.examples[None], self.samples.turns) / self.samples.scales
        away = np.linalg.norm(off, axis=2) + np.diag(np.full(self.n_examples, np.inf))
        for number in np.argsort(np.sort(away, axis=1)[:, :3].sum(axis=1), kind="stable").tolist():
            rest = [i for i in kept if i != number]
            if len(rest) <= len(self.parameters) + 1:
                break
            if all(self._misses(i, rest) <= allowed for i in range(self.n_examples) if i not in rest):
                kept = rest
        if len(kept) == self.n_examples:
            return self
        dropped = [i for i in range(self.n_examples) if i not in kept]
        fewer = without(self.registration, dropped)
        return _sampled(fewer, self.measures, rng or np.random.default_rng(0), n_draws=n_draws, cyclic=self.cyclic)

    def _misses(self, number: int, rest: Sequence[int]) -> float:
        """How far, in tolerances, the blends of some examples stay from the parameters of another."""
        others = np.ones(self.n_examples, dtype=bool)
        others[list(rest)] = False
        usable = ~(self.samples.weights[:, others] != 0.0).any(axis=1)
        if not usable.any():
            return float("inf")
        fewer = replace(self.samples, values=self.samples.values[usable], weights=self.samples.weights[usable])
        narrowed = replace(self, samples=fewer)
        answer = narrowed.ask(self.examples[number])
        return float(np.linalg.norm(answer.error / self.samples.scales))

    def _reaches(self, wanted: np.ndarray, far: float) -> bool:
        if far <= 1.0:
            return True
        nearest = float(self.samples.distances(wanted).min())
        return nearest <= NEAR * self._spacing and far <= max(2.0, NEAR * self._spacing)

    @property
    def _spacing(self) -> float:
        """The usual distance, in tolerances, from a sample to its nearest."""
        values = self.samples.values
        chosen = values[:: max(1, len(values) // 100)]
        near = [
            np.partition(self.samples.distances(value), min(1, len(values) - 1))[min(1, len(values) - 1)]
            for value in chosen
        ]
        return float(max(np.median(near), 1.0))

    def point(self, point: Sequence[float] | Mapping[str, float] | np.ndarray) -> np.ndarray:
        """Parameters (D,) from values in their order, or by their names; raises where they do not fit."""
        if isinstance(point, Mapping):
            names = [parameter.name for parameter in self.parameters]
            unknown = [name for name in point if name not in names]
            missing = [name for name in names if name not in point]
            if unknown or missing:
                raise UsageError(
                    f"this motion has the parameters {', '.join(names)}; not {', '.join(unknown or missing)}"
                )
            point = [point[name] for name in names]
        wanted = np.array(point, dtype=float)
        if wanted.shape != (len(self.parameters),):
            known = ", ".join(f"{parameter.name} ({parameter.unit})" for parameter in self.parameters)
            raise UsageError(f"this motion has {len(self.parameters)} parameters: {known}; {wanted.size} were given")
        if not np.isfinite(wanted).all():
            raise UsageError("a parameter is not a finite number")
        return wanted


def make_parametric(
    sources: Sequence[BlendSource] | Registration,
    measures: Sequence[Measure],
    *,
    given: Mapping[str, Sequence[float] | float] | None = None,
    given_names: Sequence[str] = (),
    options: RegistrationOptions | None = None,
    frame_time: float | None = None,
    edges: Collection[tuple[int, int]] | None = None,
    n_draws: int = 1000,
    rng: np.random.Generator | None = None,
    cyclic: bool = False,
) -> ParametricMotion:
    """A parametric motion of examples, steered by measures; or by values that are `given` for each example's name.

    Where a measure has an apex, the examples' apexes meet on the clock; `edges` are what a match graph
    knows to be alike, as `register` takes them.
    """
    rng = rng or np.random.default_rng(0)
    if isinstance(sources, Registration):
        registration = sources
    else:
        if len(sources) < 2:
            raise UsageError(
                f"a parametric motion needs at least two examples, not {len(sources)}. Choose more segments"
            )
        registration = register(sources, options=options, frame_time=frame_time, edges=edges)
        found = [apexes for apexes in (measure.apexes(registration) for measure in measures) if apexes is not None]
        if found:
            registration = meet(registration, np.stack(found, axis=1))
    if given is not None:
        values = given_values(given, registration.names)
        names = tuple(given_names) or tuple(f"value {i + 1}" for i in range(values.shape[1]))
        if len(names) != values.shape[1]:
            raise UsageError(f"{values.shape[1]} values of each example need as many names, not {len(names)}")
        span = np.maximum(np.ptp(values, axis=0), 1e-9)
        parameters = tuple(Parameter(n, "", 0.02 * s) for n, s in zip(names, span, strict=True))
        scales = np.array([parameter.tolerance for parameter in parameters])
        samples = Samples(values, np.eye(len(values)), scales, np.zeros(len(names)))
        return ParametricMotion(registration, (), parameters, values, samples, values, cyclic)
    settled = tuple(measure.settled(registration) for measure in measures)
    return _sampled(registration, settled, rng, n_draws=n_draws, cyclic=cyclic)


def _least_step(slopes: np.ndarray, off: np.ndarray, weights: np.ndarray, lowest: float) -> np.ndarray:
    """The least change (n,) of weights, 0 in all, that moves parameters by `off` (D,); `slopes` (n, D) are those of the
    parameters by each weight. Weights at the end of what is allowed do not move beyond."""
    free = np.ones(len(weights), dtype=bool)
    step = np.zeros(len(weights))
    while free.sum() > 1:
        own = slopes[free] - slopes[free].mean(axis=0)
        step[:] = 0.0
        step[free] = np.linalg.lstsq(own.T, off, rcond=1e-6)[0]
        blocked = ((weights <= lowest + 1e-9) & (step < -1e-12)) | ((weights >= 1.0 - lowest - 1e-9) & (step > 1e-12))
        if not blocked.any():
            return step
        free &= ~blocked
    return np.zeros(len(weights))


def _room(weights: np.ndarray, step: np.ndarray, lowest: float) -> float:
    """The largest share of a step, 1 at most, that leaves all weights within `lowest` and 1 − `lowest`."""
    ends = np.where(step > 0.0, 1.0 - lowest, lowest)
    moving = np.abs(step) > 1e-12
    if not moving.any():
        return 0.0
    return float(np.clip(((ends - weights)[moving] / step[moving]).min(), 0.0, 1.0))


def _sampled(
    registration: Registration, measures: tuple[Measure, ...], rng: np.random.Generator, *, n_draws: int, cyclic: bool
) -> ParametricMotion:
    parameters = all_parameters(measures)
    arrays = ClockArrays.of(registration)

    def measure(weights: np.ndarray) -> np.ndarray:
        return values_of(measures, WeightedView(arrays, weights))

    examples = np.array([measure(row) for row in np.eye(registration.n_sources)])
    samples = draw_samples(examples, measure, parameters, n_draws=n_draws, rng=rng, allowed=arrays.allowed)
    return ParametricMotion(registration, measures, parameters, examples, samples, None, cyclic)
