"""Blends: several motions averaged into one, by weights over time."""

from motionary.blend.poses import BlendedPoses, blend_poses, write_blend, write_mean_pose

__all__ = ["BlendedPoses", "blend_poses", "write_blend", "write_mean_pose"]
