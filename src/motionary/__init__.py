"""Motionary, the dictionary of movement.

What the command line can do, one call can do, with the same words:

>>> import motionary
>>> with motionary.Bank.open("library.bank", create=True) as bank:     # doctest: +SKIP
...     motionary.import_motions(bank, ["captures/"])
...     motionary.show_segments(bank, ["walk:0-60"], "strip.png")
"""

from importlib import import_module
from typing import Any

_WHERE = {
    "Bank": "bank",
    "Clip": "bank",
    "ExportOptions": "bank",
    "ImportOptions": "bank",
    "Label": "bank",
    "Selection": "bank",
    "export": "bank",
    "import_motions": "bank",
    "label_from_table": "bank",
    "read_labels": "bank",
    "Motion": "motion",
    "Recording": "motion",
    "Segment": "motion",
    "Skeleton": "motion",
    "Space": "motion",
    "UserError": "errors",
    "Performance": "library",
    "performance": "library",
    "describe": "facts",
    "detect_plants": "plants",
    "remove_plants": "feet",
    "weigh": "feet",
    "store_plants": "feet",
    "score_segments": "feet",
    "KeyPose": "search",
    "Match": "alignment",
    "Query": "search",
    "search_bank": "search",
    "Motif": "search",
    "Surprise": "search",
    "find_motifs": "search",
    "find_surprises": "search",
    "show_motifs": "picture",
    "show_surprises": "picture",
    "Index": "search",
    "build_index": "search",
    "KeptSpace": "search",
    "PoseQuery": "search",
    "PoseSpace": "search",
    "pose_space": "search",
    "search_pose_space": "search",
    "train_pose_space": "search",
    "show_space": "picture",
    "SpreadLabel": "bank",
    "Spreading": "search",
    "spread_labels": "search",
    "put_spread": "search",
    "show_spread": "picture",
    "Profile": "search",
    "cluster_matches": "search",
    "explain_matches": "search",
    "learn_profile": "search",
    "MatchWeb": "search",
    "Merging": "search",
    "Searcher": "search",
    "WebQuery": "search",
    "WebSearchResult": "search",
    "WebSettings": "search",
    "build_web": "search",
    "opened_web": "search",
    "remove_webs": "search",
    "search_web": "search",
    "web_facts": "search",
    "show_match_graph": "picture",
    "show_heat": "picture",
    "EditRecipe": "edit",
    "EditReport": "edit",
    "apply_again": "edit",
    "apply_edit": "edit",
    "edit_recipes": "edit",
    "list_edits": "edit",
    "measure_qualities": "edit",
    "operations": "edit",
    "preview_edit": "edit",
    "remove_edits": "edit",
    "show_edits": "picture",
    "keep_matches": "search",
    "kept_matches": "search",
    "fit_library": "feet",
    "clean_segments": "feet",
    "add_plants": "feet",
    "map_skeleton": "rig",
    "read_motion_file": "formats",
    "sample_into": "sample",
    "show_matches": "picture",
    "show_segments": "picture",
    "show_selection": "picture",
    "transfer": "rig",
    "BankTransitions": "transition",
    "Transition": "transition",
    "build_transitions": "transition",
    "open_transitions": "transition",
    "remove_tables": "transition",
    "table_facts": "transition",
    "make_transition": "transition",
    "show_chain": "picture",
    "show_representatives": "picture",
    "show_transitions": "picture",
}

__all__ = list(_WHERE)


def __getattr__(name: str) -> Any:
    """Import what is asked for, when it is asked for: the command line must start fast."""
    if name not in _WHERE:
        raise AttributeError(f"module 'motionary' has no attribute {name!r}")
    return getattr(import_module(f"motionary.{_WHERE[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
