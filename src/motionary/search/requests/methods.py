"""The methods of searching."""

from motionary.requests import Method, Registry
from motionary.search.requests.exact import ExactRequest
from motionary.search.requests.web import WebRequest
from motionary.search.requests.wpca import PoseRequest

_CLUSTERS = ("by_cluster", "opened", "dismissed")
_JUDGEMENTS = ("accept", "reject", "profile", "keep_profile")
_COMPARED = ("distance", "descriptions", "joints", "weights", "over_time", "window", "scale", "tolerance", "tolerances")
_KEEP = "keep the matches with --keep NAME, then run `motionary selection clusters`"
_EXACT_MEASURES = "only --by exact measures joint by joint"
_EXACT_MIXES = "only --by exact combines several examples"

METHODS = Registry(
    "search method",
    Method(
        "exact",
        "search_bank",
        ExactRequest,
        "motionary.search.exact_search:search_exact",
        "through an index; finds the nearest of all segments",
        resources=("index",),
    ),
    Method(
        "scan",
        "search_bank",
        ExactRequest,
        "motionary.search.exact_search:search_by_scan",
        "compares every window; slow, same result as exact",
        resources=("index",),
    ),
    Method(
        "wpca",
        "search_pose_space",
        PoseRequest,
        "motionary.search.wpca.pose_search:search_in_space",
        "in a pose space; fast, approximate",
        resources=("index", "features"),
        advice={
            **dict.fromkeys(("sources", "unlike", "also", "combine"), _EXACT_MIXES),
            **dict.fromkeys(
                ("joints", "weights"),
                "train a pose space with weights instead, as in `motionary space train --preset arms`",
            ),
            **dict.fromkeys(("scale", "window"), "a pose space matches motions from half to twice the speed anyway"),
            **dict.fromkeys(_CLUSTERS, _KEEP),
            **dict.fromkeys(("explain", "heat"), _EXACT_MEASURES),
            **dict.fromkeys(_JUDGEMENTS, "only --by exact learns from judgements"),
            "at_least": "use -k for the number of matches, --neighbours for how far to look",
        },
    ),
    Method(
        "web",
        "search_web",
        WebRequest,
        "motionary.search.match_web.web_search:search_through_web",
        "through a match web; follows matches of matches",
        resources=("searcher",),
        advice={
            **dict.fromkeys(_COMPARED, "what a web compares is set when it is built"),
            **dict.fromkeys(_CLUSTERS, _KEEP),
            **dict.fromkeys(("sources", "unlike", "also", "combine"), _EXACT_MIXES),
            **dict.fromkeys(("explain", "heat"), _EXACT_MEASURES),
            **dict.fromkeys(
                _JUDGEMENTS, "use --rejected for matches that must not lead further; only --by exact learns from them"
            ),
            "at_least": "use -k for the number of matches, --within for the largest distance",
            "onsets": "a web chooses among overlapping matches by itself",
            "mirrored": "a web tells left from right; --by exact and --by wpca match mirror images",
            "view": "a match graph shows each body from its best side",
        },
    ),
)
