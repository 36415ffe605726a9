"""A motion as the builds of a match web see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from motionary.metrics import AnyMetric, TurnedFrames, half_steps, turned_frames
from motionary.search.match_web.settings import WebSettings
from motionary.search.match_web.stills import still_stretches, thinned_stretches

COARSE_HZ = 10.0


@dataclass(frozen=True, eq=False)
class WebMotion:
    """Described by a metric, with what is known of it beforehand."""

    metric: AnyMetric
    settings: WebSettings
    rate_hz: float
    n_frames: int
    described: Any

    @property
    def every(self) -> int:
        """How many frames there are for a coarse one."""
        return max(1, round(self.rate_hz / COARSE_HZ))

    @cached_property
    def stills(self) -> np.ndarray:
        """For every frame where it came to rest and where it leaves, −1 where it moves."""
        return still_stretches(
            self.metric,
            self.described,
            n_frames=self.n_frames,
            rate_hz=self.rate_hz,
            speed=self.settings.still_speed,
        )

    @cached_property
    def coarse_stills(self) -> np.ndarray:
        return thinned_stretches(self.stills, self.every)

    @cached_property
    def coarse(self) -> Any:
        """Its coarse frames as the metric describes them."""
        return self.metric.thinned(self.described, self.every)

    @cached_property
    def turned(self) -> TurnedFrames:
        """Its coarse frames as vectors that turn and move with the body, allowing for frames between them."""
        vectors = self.metric.turned(self.described, self.every)
        return turned_frames(vectors, allowances=half_steps(vectors))


def web_motion(
    arrays: Mapping[str, np.ndarray], *, metric: AnyMetric, settings: WebSettings, rate_hz: float
) -> WebMotion:
    """A motion from its pose descriptions (F, D)."""
    n_frames = len(next(iter(arrays.values())))
    return WebMotion(metric, settings, rate_hz, n_frames, metric.describe(arrays, rate_hz=rate_hz))
