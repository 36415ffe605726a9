"""Search: segments of a library that are like a query; every method answers with the same match."""

from typing import TYPE_CHECKING

from motionary.lazy_package import import_on_use

if TYPE_CHECKING:
    from motionary.alignment import Match, suggested_cut
    from motionary.search.by_property import PropertyQuery, PropertyResult, find_segments
    from motionary.search.clusters import Cluster, Clusters
    from motionary.search.default_description import frames_to_learn_from, learn_if_default
    from motionary.search.dimensions import compared_joints
    from motionary.search.exact import Index, Query, SearchResult, Stage, Unlike, build_index, scan, search
    from motionary.search.examples import Example, KeyPose, LibrarySegment, Shown, motion_of_file
    from motionary.search.explain import Explanation
    from motionary.search.follow_up import cluster_matches, explain_matches, judged_matches, learn_profile
    from motionary.search.match_web import (
        AlikeSegments,
        MatchGraph,
        MatchWeb,
        Merging,
        Searcher,
        WebQuery,
        WebSearchResult,
        WebSettings,
        alike_segments,
        build_web,
        opened_web,
        remove_webs,
        search_web,
        web_facts,
    )
    from motionary.search.profiles import Profile
    from motionary.search.recurring import Motif, Surprise, WindowOptions, find_motifs, find_surprises
    from motionary.search.remarks import advice
    from motionary.search.requests import METHODS, ExactRequest, PoseRequest, SearchRequest, WebRequest
    from motionary.search.searching import search_bank
    from motionary.search.selections import keep_matches, kept_matches, match_by_hand
    from motionary.search.spreading import LabelledSegment, Proposal, Spreading, put_spread, spread_labels
    from motionary.search.wpca import (
        KeptSpace,
        PoseIndex,
        PoseQuery,
        PoseRows,
        PoseSearchResult,
        PoseSpace,
        build_pose_index,
        column_weights,
        library_space,
        pose_index,
        pose_space,
        search_pose_space,
        search_poses,
        space_presets,
        train_pose_space,
        train_space,
    )
else:
    import_on_use(__name__)

__all__ = [
    "METHODS",
    "AlikeSegments",
    "Cluster",
    "Clusters",
    "ExactRequest",
    "Example",
    "Explanation",
    "Index",
    "KeptSpace",
    "KeyPose",
    "LabelledSegment",
    "LibrarySegment",
    "Match",
    "MatchGraph",
    "MatchWeb",
    "Merging",
    "Motif",
    "PoseIndex",
    "PoseQuery",
    "PoseRequest",
    "PoseRows",
    "PoseSearchResult",
    "PoseSpace",
    "Profile",
    "PropertyQuery",
    "PropertyResult",
    "Proposal",
    "Query",
    "SearchRequest",
    "SearchResult",
    "Searcher",
    "Shown",
    "Spreading",
    "Stage",
    "Surprise",
    "Unlike",
    "WebQuery",
    "WebRequest",
    "WebSearchResult",
    "WebSettings",
    "WindowOptions",
    "advice",
    "alike_segments",
    "build_index",
    "build_pose_index",
    "build_web",
    "cluster_matches",
    "column_weights",
    "compared_joints",
    "explain_matches",
    "find_motifs",
    "find_segments",
    "find_surprises",
    "frames_to_learn_from",
    "judged_matches",
    "keep_matches",
    "kept_matches",
    "learn_if_default",
    "learn_profile",
    "library_space",
    "match_by_hand",
    "motion_of_file",
    "opened_web",
    "pose_index",
    "pose_space",
    "put_spread",
    "remove_webs",
    "scan",
    "search",
    "search_bank",
    "search_pose_space",
    "search_poses",
    "search_web",
    "space_presets",
    "spread_labels",
    "suggested_cut",
    "train_pose_space",
    "train_space",
    "web_facts",
]
