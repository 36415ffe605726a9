"""Bodies: the reference skeleton, and how people's skeletons map onto it."""

from motionary.rig.reference import reference_skeleton, root_height

__all__ = ["reference_skeleton", "root_height"]
