"""Distances of frames: how different two poses are, with what is around them, wherever they stand and face."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.metrics.body_parts import PARTS, friction_of_parts, mass_weights, part_shares, touching_parts
    from motionary.metrics.clouds import POINTS, cloud_points, point_weights, root_ways
    from motionary.metrics.dynamics_metric import DynamicsMetric
    from motionary.metrics.frame_distance import (
        frame_distance_reference,
        frame_distances,
        rectangle_distances,
    )
    from motionary.metrics.gist_metric import GistMetric
    from motionary.metrics.loaded_frames import (
        LoadedFrames,
        joined_frames,
        loaded_cells,
        loaded_distances,
        loaded_frames,
    )
    from motionary.metrics.metric import AnyMetric, FrameMetric, PointCloudMetric
    from motionary.metrics.pair_frames import PAIR_ROOM, PairFrames, pair_distance, pair_distances, pair_frames
    from motionary.metrics.pair_weights import pair_weighted_distances, pair_weighted_reference
    from motionary.metrics.plain_metric import PlainMetric
    from motionary.metrics.registry import METRICS, MetricKind, as_metric, is_metric_name, metric_named, undirected
    from motionary.metrics.turned import (
        CoarseFrames,
        TurnedFrames,
        frame_products,
        half_steps,
        turned_distances,
        turned_frames,
    )
    from motionary.metrics.two_way import TwoWayMetric
    from motionary.metrics.windows import Window, WindowClouds, window_clouds
else:
    import_on_use(__name__)

__all__ = [
    "METRICS",
    "PAIR_ROOM",
    "PARTS",
    "POINTS",
    "AnyMetric",
    "CoarseFrames",
    "DynamicsMetric",
    "FrameMetric",
    "GistMetric",
    "LoadedFrames",
    "MetricKind",
    "PairFrames",
    "PlainMetric",
    "PointCloudMetric",
    "TurnedFrames",
    "TwoWayMetric",
    "Window",
    "WindowClouds",
    "as_metric",
    "cloud_points",
    "frame_distance_reference",
    "frame_distances",
    "frame_products",
    "friction_of_parts",
    "half_steps",
    "is_metric_name",
    "joined_frames",
    "loaded_cells",
    "loaded_distances",
    "loaded_frames",
    "mass_weights",
    "metric_named",
    "pair_distance",
    "pair_distances",
    "pair_frames",
    "pair_weighted_distances",
    "pair_weighted_reference",
    "part_shares",
    "point_weights",
    "rectangle_distances",
    "root_ways",
    "touching_parts",
    "turned_distances",
    "turned_frames",
    "undirected",
    "window_clouds",
]
