"""Distances of frames: how different two poses are, with what is around them, wherever they stand and face."""

from motionary.metrics.clouds import POINTS, cloud_points, point_weights
from motionary.metrics.frame_distance import (
    frame_distance_reference,
    frame_distances,
    rectangle_distances,
)
from motionary.metrics.metric import AnyMetric, FrameMetric, PointCloudMetric
from motionary.metrics.pair_weights import pair_weighted_distances, pair_weighted_reference
from motionary.metrics.plain_metric import PlainMetric
from motionary.metrics.turned import TurnedFrames, half_steps, turned_distances, turned_frames
from motionary.metrics.windows import Window, WindowClouds, window_clouds

__all__ = [
    "POINTS",
    "AnyMetric",
    "FrameMetric",
    "PlainMetric",
    "PointCloudMetric",
    "TurnedFrames",
    "Window",
    "WindowClouds",
    "cloud_points",
    "frame_distance_reference",
    "frame_distances",
    "half_steps",
    "pair_weighted_distances",
    "pair_weighted_reference",
    "point_weights",
    "rectangle_distances",
    "turned_distances",
    "turned_frames",
    "window_clouds",
]
