"""What jobs do: each kind calls the function that the command line calls, and answers with JSON.

Arguments are checked by that function; those that name segments are objects with `clip_id`, `start` and `stop`.
"""

from collections.abc import Callable, Mapping
from contextlib import chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from motionary.bank import Bank, ImportOptions, import_motions
from motionary.errors import UsageError
from motionary.formats import COMPANIONS
from motionary.motion import Segment, unit_metres
from motionary.requests import Progress
from motionary.server.changing import one_change

Answer = Callable[[Bank, dict[str, Any], Progress], Any]
CHOICE = ("text", "labels", "names")  # of clips


@dataclass(frozen=True)
class Kind:
    """One kind of job: what it may be told, and what does it."""

    takes: tuple[str, ...]
    answer: Answer


def _index(bank: Bank, _: dict[str, Any], progress: Progress) -> Any:
    from motionary.library import build_features
    from motionary.search import build_index, learn_if_default

    features = build_features(bank, progress=progress.step, message=progress.message)
    index = build_index(bank, features=features, progress=progress.step, message=progress.message)
    learn_if_default(bank, features, progress=progress.step, message=progress.message)
    return {"clips": len(index.features.clip_ids), "left_out": len(index.features.left_out)}


def _import(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    """`folder` comes from the server, never from the page."""
    folder, dry_run = Path(arguments.pop("folder")), bool(arguments.pop("dry_run", False))
    unit = arguments.pop("unit", None)
    options = ImportOptions(unit_metres=None if unit is None else unit_metres(unit), **arguments)
    before = bank.newest_change
    with chdir(folder):  # files keep the names that they have for the user; the folder is one of the server's
        names = sorted(path.name for path in folder.iterdir())
        files = [name for name in names if not name.lower().endswith(COMPANIONS)] or names
        report = import_motions(bank, files, options=options, dry_run=dry_run, progress=_two(progress)).as_json()
    after = bank.newest_change
    return report | {"change": after if after != before else None}


def _spread(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.search import put_spread, spread_labels

    dry_run = bool(arguments.pop("dry_run", False))
    examples = [(_segment(one["segment"]), str(one["label"])) for one in arguments.pop("examples", ())]
    found = spread_labels(bank, examples=examples, progress=progress.step, message=progress.message, **arguments)
    change = None
    if not dry_run:
        with one_change(bank, f"spread labels {', '.join(found.names)}") as written:
            put_spread(bank, found)
        change = written.change
    return {
        "labels": len(found.labels),
        "left_out": found.n_left_out,
        "proposals": [_with_clip_id(one.as_json()) for one in found.proposals],
        "change": change,
    }


def _motifs(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.search import find_motifs

    found = find_motifs(bank, progress=progress.step, message=progress.message, **arguments)
    motifs = [one.as_json() for one in found]
    for one in motifs:
        one["matches"] = [_with_clip_id(match) for match in one["matches"]]
    return {"motifs": motifs}


def _surprises(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.search import find_surprises

    found = find_surprises(bank, progress=progress.step, message=progress.message, **arguments)
    surprises = [_with_clip_id(one.as_json()) for one in found]
    for one in surprises:
        one["nearest"] = one["nearest"] and _with_clip_id(one["nearest"])
    return {"surprises": surprises}


def _space(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.search import train_pose_space

    name = str(arguments.pop("name", ""))
    with one_change(bank, f"train space {name}") as written:
        kept = train_pose_space(bank, name, progress=progress.step, **arguments)
    return {"space": kept.name, "clips": kept.n_clips, "change": written.change}


def _web(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.search import build_web, web_facts

    build_web(bank, progress=progress.step, message=progress.message, **arguments)
    return {"webs": _no_folders(web_facts(bank))}


def _graph(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.graph import GraphSettings, build_graph, graph_facts

    own = {name: arguments.pop(name) for name in ("metric", "method", "rate_hz", "blend_secs") if name in arguments}
    built = build_graph(
        bank, settings=GraphSettings(**own), progress=progress.step, message=progress.message, **arguments
    )
    return {"graph": graph_facts(built, reach=False)}


def _table(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.transition import build_transitions, table_facts

    build_transitions(bank, progress=_two(progress), message=progress.message, **arguments)
    return {"tables": table_facts(bank)}


def _plants(bank: Bank, arguments: dict[str, Any], progress: Progress) -> Any:
    from motionary.feet import store_plants

    clips = arguments.pop("clips", None) or [clip.id for clip in bank.clips()]
    with one_change(bank, f"plants detect {len(clips)} clips") as written:
        found = store_plants(bank, clips, progress=_two(progress))
    return {"clips": [one.as_json() for one in found], "change": written.change}


def _clean(bank: Bank, arguments: dict[str, Any], _: Progress) -> Any:
    from motionary.feet import clean_segments

    segments = [_segment(one) for one in arguments.pop("segments", ())]
    with one_change(bank, f"clean {len(segments)} segments") as written:
        cleaned = clean_segments(bank, segments, **arguments)
    return {"segments": [one.as_json() for one in cleaned], "change": written.change}


def _parametric(bank: Bank, arguments: dict[str, Any], _: Progress) -> Any:
    from motionary.parametric import keep_parametric

    name = str(arguments.pop("name", ""))
    segments: list[str | Segment] = [_segment(one) for one in arguments.pop("segments", ())]
    with one_change(bank, f"parametric make {name}") as written:
        kept = keep_parametric(bank, name, segments, **arguments)
    return {"parametric": kept.name, "change": written.change}


WINDOWS = (
    *("k", "length", "hop", "descriptions", "joints", "weights", "both_sides", "other_clips", "rank"),
    "least_movement",
)
KINDS: Mapping[str, Kind] = {
    "index": Kind((), _index),
    "import": Kind(
        (
            *("dry_run", "unit", "up", "handedness", "truncate", "drop_t_pose", "keep_copies", "replace"),
            *("label_folders", "licence", "credit"),
        ),
        _import,
    ),
    "spread": Kind(
        (*CHOICE, "examples", "by", "space", "threshold", "margin", "both", "mirrored", "most_examples", "dry_run"),
        _spread,
    ),
    "motifs": Kind((*CHOICE, *WINDOWS, "at_least", "radius", "within"), _motifs),
    "surprises": Kind((*CHOICE, *WINDOWS, "skip_odd"), _surprises),
    "space": Kind((*CHOICE, "name", "preset", "by_mass", "parts", "overwrite"), _space),
    "web": Kind((*CHOICE, "rate_hz", "metric"), _web),
    "graph": Kind((*CHOICE, "metric", "method", "rate_hz", "blend_secs", "threshold", "dwell_secs"), _graph),
    "table": Kind((*CHOICE, "secs", "representatives", "exhaustive", "seed"), _table),
    "plants": Kind(("clips",), _plants),
    "clean": Kind(("segments", "hold_all"), _clean),
    "parametric": Kind(("name", "segments", "measures", "labels", "mirror", "given", "overwrite"), _parametric),
}


def check_job(kind: str, arguments: Mapping[str, Any]) -> None:
    """Raise for a kind that there is not, and for arguments that it does not take."""
    if kind not in KINDS:
        raise UsageError(f"there is no job {kind!r}; choose {', '.join(KINDS)}")
    unknown = sorted(set(arguments) - set(KINDS[kind].takes))
    if unknown:
        takes = ", ".join(KINDS[kind].takes) or "nothing"
        raise UsageError(f"{kind} takes no {', '.join(unknown)}; it takes {takes}")


def _two(progress: Progress) -> Callable[[int, int, str], None]:
    """For functions that also tell what was last."""

    def step(done: int, total: int, _: str) -> None:
        if progress.step is not None:
            progress.step(done, total)

    return step


def _segment(given: Any) -> Segment:
    try:
        return Segment(int(given["clip_id"]), int(given["start"]), int(given["stop"]))
    except (TypeError, KeyError, ValueError) as error:
        raise UsageError("a segment is {clip_id, start, stop}, and ends after it starts") from error


def _with_clip_id(facts: dict[str, Any]) -> dict[str, Any]:
    return {("clip_id" if name == "id" else name): value for name, value in facts.items()}


def _no_folders(facts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{name: value for name, value in one.items() if name != "folder"} for one in facts]
