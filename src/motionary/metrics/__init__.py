"""Distances of frames: how different two poses are, with what is around them, wherever they stand and face."""

from motionary.metrics.clouds import POINTS, cloud_points, point_weights
from motionary.metrics.frame_distance import (
    distances_of,
    frame_distance_reference,
    frame_distances,
    placement_of,
    rectangle_distances,
)
from motionary.metrics.metric import AnyMetric, FrameMetric, PointCloudMetric
from motionary.metrics.pair_weights import pair_weighted_distances, pair_weighted_reference
from motionary.metrics.turned import half_steps, turned_distances
from motionary.metrics.windows import Window, WindowClouds, window_clouds

__all__ = [
    "POINTS",
    "AnyMetric",
    "FrameMetric",
    "PointCloudMetric",
    "Window",
    "WindowClouds",
    "cloud_points",
    "distances_of",
    "frame_distance_reference",
    "frame_distances",
    "half_steps",
    "pair_weighted_distances",
    "pair_weighted_reference",
    "placement_of",
    "point_weights",
    "rectangle_distances",
    "turned_distances",
    "window_clouds",
]
