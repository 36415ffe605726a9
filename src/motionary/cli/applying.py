"""Which options belong to which way of searching; others are refused, so that none is ignored silently."""

from pathlib import Path

import typer

EXACT, WPCA, WEB = ("exact", "scan"), ("wpca",), ("web",)
OF_WAYS = {  # parameter: the ways of searching that know it; all, if it is not here
    **dict.fromkeys(
        (
            *("source", "unlike", "unlike_weight", "distance", "description", "joints", "weight", "over_time"),
            *("window", "scale", "tolerance", "tolerance_of", "at_least", "onsets", "accept", "reject", "profile"),
            *("keep_profile", "by_cluster", "opened", "dismissed", "explain", "heat"),
        ),
        EXACT,
    ),
    **dict.fromkeys(("mirror", "within", "with_itself", "view"), (*EXACT, *WPCA)),
    **dict.fromkeys(("space", "character", "neighbours", "ranking"), WPCA),
    **dict.fromkeys(("epsilon", "steps", "rejected", "web"), WEB),
}
OF_DISTANCES = {
    "window": ("dtw", "lcss"),
    "at_least": ("dtw", "lcss"),  # it widens the window
    "tolerance": ("lcss",),
    "tolerance_of": ("lcss",),
}
CLUSTERS = ("by_cluster", "opened", "dismissed")
JUDGEMENTS = ("accept", "reject", "profile", "keep_profile")
COMPARED = ("distance", "description", "joints", "weight", "over_time", "window", "scale", "tolerance", "tolerance_of")
KEPT = "--keep NAME keeps what is found, and `motionary selection clusters` sorts it into kinds"
ONLY_EXACT_MEASURES = "only exact search measures joint by joint; ask it with --by exact"
ONLY_EXACT_MIXES = "only exact search puts examples together; ask it with --by exact"
INSTEAD = {  # way of searching: parameter: what to do; else, where it belongs
    "wpca": {
        **dict.fromkeys(("source", "unlike"), ONLY_EXACT_MIXES),
        **dict.fromkeys(
            ("joints", "weight"),
            "a pose space that was trained with weights (`motionary space train --preset arms`) says what counts",
        ),
        **dict.fromkeys(("scale", "window"), "in a pose space, what is half to twice as fast is found anyway"),
        **dict.fromkeys(CLUSTERS, KEPT),
        **dict.fromkeys(("explain", "heat"), ONLY_EXACT_MEASURES),
        **dict.fromkeys(JUDGEMENTS, "only exact search learns from judgements; ask it with --by exact"),
        "at_least": "-k says how many are wanted, --neighbours how far is looked for them",
    },
    "web": {
        **dict.fromkeys(COMPARED, "what is compared is said when a web is built"),
        **dict.fromkeys(CLUSTERS, KEPT),
        **dict.fromkeys(("source", "unlike"), ONLY_EXACT_MIXES),
        **dict.fromkeys(("explain", "heat"), ONLY_EXACT_MEASURES),
        **dict.fromkeys(
            JUDGEMENTS, "--rejected names matches that lead no further; only exact search (--by exact) learns from them"
        ),
        "within": "--epsilon says how far apart frames may be on average",
        "at_least": "-k says how many are wanted, --epsilon how near they are",
        "onsets": "a web tells by itself which of the matches that overlap is meant",
        "mirror": "to a web left and right are different; --by exact and wpca find what is mirrored",
        "view": "a match graph shows its bodies as they are seen best",
    },
}


def check_options(context: typer.Context, *, by: str, distance: str) -> None:
    """Raise if an option was given that the chosen way of searching, or distance, does not have."""
    from motionary.errors import UsageError

    given = _given(context)
    strangers = [name for name in given if by not in OF_WAYS.get(name, (by,))]
    if strangers:
        together = f"{', '.join(given[name] for name in strangers)} and --by {by} do not go together"
        raise UsageError("; ".join([together, *_instead(strangers, given, by=by)]))
    for name, distances in OF_DISTANCES.items():
        if name in given and by in EXACT and distance not in distances:
            raise UsageError(
                f"{given[name]} and --distance {distance} do not go together; it belongs to {_or(distances)}"
            )
    if "unlike_weight" in given and "unlike" not in given:
        raise UsageError("--unlike-weight says how much --unlike counts; say what matches must not be like")
    if "opened" in given and "dismissed" in given:
        raise UsageError("--open lists one cluster, --dismiss all but some: say one of the two")


def check_view(view: str, output: Path | None) -> None:
    """Raise if a view is chosen of a picture that is not drawn."""
    from motionary.errors import UsageError

    if view != "auto" and output is None:
        raise UsageError("--view says from where a picture looks; say where to draw it, with -o")


def _instead(strangers: list[str], given: dict[str, str], *, by: str) -> list[str]:
    """What to do instead, each said once; of the others, to which ways of searching they belong."""
    advice = INSTEAD.get(by, {})
    said = list(dict.fromkeys(advice[name] for name in strangers if name in advice))
    others = [name for name in strangers if name not in advice]
    if others:
        ways = sorted({way for name in others for way in OF_WAYS[name] if way != "scan"})
        called = "it" if len(strangers) == 1 else "they" if len(others) == len(strangers) else _and(others, given)
        said.append(f"{called} {'belongs' if len(others) == 1 else 'belong'} to --by {_or(ways)}")
    return said


def _and(names: list[str], given: dict[str, str]) -> str:
    return " and ".join(given[name] for name in names)


def _given(context: typer.Context) -> dict[str, str]:
    """The parameters that stand on the command line, with the longest word for each."""
    from_user = {
        name
        for name in context.params
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    }
    return {
        parameter.name: max(parameter.opts, key=len)
        for parameter in context.command.params
        if parameter.name in from_user
    }


def _or(words: tuple[str, ...] | list[str]) -> str:
    return " or ".join(words)
