"""Search in a weighted pose space: fast and forgiving, through a characteristic pose (Forbes & Fiume 2005)."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.search.wpca.index import PoseIndex, build_pose_index
    from motionary.search.wpca.linear import PoseRows
    from motionary.search.wpca.pose_search import search_pose_space
    from motionary.search.wpca.pose_spaces import (
        library_space,
        pose_index,
        pose_space,
        train_pose_space,
    )
    from motionary.search.wpca.query import PoseQuery
    from motionary.search.wpca.search import PoseSearchResult, search_poses
    from motionary.search.wpca.space import PoseSpace, train_space
    from motionary.search.wpca.stored_space import KeptSpace
    from motionary.search.wpca.weights import column_weights, space_presets
else:
    import_on_use(__name__)

__all__ = [
    "KeptSpace",
    "PoseIndex",
    "PoseQuery",
    "PoseRows",
    "PoseSearchResult",
    "PoseSpace",
    "build_pose_index",
    "column_weights",
    "library_space",
    "pose_index",
    "pose_space",
    "search_pose_space",
    "search_poses",
    "space_presets",
    "train_pose_space",
    "train_space",
]
