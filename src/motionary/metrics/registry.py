"""The metrics of frames, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from motionary.errors import UsageError
from motionary.metrics.dynamics_metric import DynamicsMetric
from motionary.metrics.gist_metric import GistMetric
from motionary.metrics.metric import AnyMetric, PointCloudMetric
from motionary.metrics.two_way import TwoWayMetric
from motionary.metrics.windows import Window

Parts = tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class MetricKind:
    """A metric that can be asked for by its name."""

    name: str
    summary: str  # one line for people
    make: Callable[[Window, Parts], AnyMetric]
    has_window: bool = True


METRICS: Mapping[str, MetricKind] = {
    kind.name: kind
    for kind in (
        MetricKind("points", "20 points of the body, all alike", lambda w, p: PointCloudMetric(w, p)),
        MetricKind("uniform", "all parts of the body alike", lambda w, p: PointCloudMetric(w, p, "uniform")),
        MetricKind("heuristic", "the trunk above the limbs", lambda w, p: PointCloudMetric(w, p, "heuristic")),
        MetricKind(
            "dynamics", "mass that moves, and what the feet hold", lambda w, p: DynamicsMetric("dynamics", w, p)
        ),
        MetricKind("source", "dynamics, weights of the first frame only", lambda w, p: DynamicsMetric("source", w, p)),
        MetricKind(
            "direction",
            "dynamics; lifting costs more than letting fall",
            lambda w, p: DynamicsMetric("direction", w, p),
        ),
        MetricKind("gist", "what tells actions apart", lambda _, p: GistMetric(p), has_window=False),
    )
}


def metric_named(name: str, *, window: Window | None = None, parts: Mapping[str, float] | None = None) -> AnyMetric:
    """The metric of that name: `dynamics`, or in full `dynamics,5+5,quadratic,Foot=2`.

    The full name says the frames before and after, the shape of the window and the weights; what it does not say,
    `window` and `parts` do.
    """
    kind, _, rest = str(name).partition(",")
    if kind not in METRICS:
        raise UsageError(f"no metric named {name!r}; choose from {', '.join(METRICS)}")
    words = [word for word in rest.split(",") if word]
    weights = dict(parts or {})
    try:
        if METRICS[kind].has_window and words and "=" not in words[0]:
            before, after = (int(number) for number in words.pop(0).split("+"))
            shape = words.pop(0) if words and "=" not in words[0] else Window().shape
            window = Window(before, after, shape)
        for word in words:
            part, is_weight, factor = word.rpartition("=")
            if not is_weight:
                raise ValueError(word)
            weights[part] = float(factor)
    except ValueError:
        raise UsageError(
            f"{name!r} is not a metric; examples are 'dynamics' or 'dynamics,5+5,quadratic,Foot=2'"
        ) from None
    return METRICS[kind].make(window or Window(), tuple(weights.items()))


def is_metric_name(name: str) -> bool:
    """Whether a metric of the registry has this name."""
    try:
        return bool(metric_named(name).name == name)
    except UsageError:
        return False


def as_metric(given: Any) -> AnyMetric:
    """A metric, or the one of that name."""
    return metric_named(given) if isinstance(given, str) else given


def undirected(metric: AnyMetric) -> AnyMetric:
    """The metric, or the mean of both ways if one of them costs more."""
    return TwoWayMetric(metric) if getattr(metric, "is_directed", False) else metric
