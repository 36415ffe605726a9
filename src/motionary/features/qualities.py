"""Effort and Shape as descriptive curves: how hands and trunk move, not what they do."""

from functools import cache

import numpy as np

from motionary.features.descriptions import Description, Dimension
from motionary.features.poses import Poses
from motionary.qualities import QUALITIES, quality_curves
from motionary.rig import Body, body_of, reference_skeleton

_UNITS = {"weight": "m/s²", "flow": "m", "horizontal": "m", "vertical": "m", "sagittal": "m"}


def qualities() -> Description:
    """The seven qualities (`quality_curves`), on the reference skeleton; a mirror changes none of them."""
    dimensions = tuple(Dimension(name, _UNITS.get(name, ""), "", name) for name in QUALITIES)
    return Description("qualities", dimensions, _curves)


def _curves(poses: Poses) -> np.ndarray:
    curves = quality_curves(poses.motion, _reference_body())
    return np.column_stack([curves[name] for name in QUALITIES])


@cache
def _reference_body() -> Body:
    return body_of(reference_skeleton())
