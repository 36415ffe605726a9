"""Transitions: from one frame to another in a given time, known to be good before they are shown."""

from motionary.transition.clusters import ClusterOptions, Clusters, build_clusters
from motionary.transition.footprints import Footprints
from motionary.transition.pool import Pool, Source, build_pool

__all__ = ["ClusterOptions", "Clusters", "Footprints", "Pool", "Source", "build_clusters", "build_pool"]
