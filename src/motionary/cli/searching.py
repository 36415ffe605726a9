"""search: what is asked, and which way of searching answers."""

from typing import Any

import typer

from motionary.cli import after
from motionary.cli import search_options as options
from motionary.cli.applying import check_options, check_view
from motionary.cli.exact import search_exact
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import check_pictures
from motionary.cli.results import Results
from motionary.cli.values import names_of, numbers_along, numbers_of, part_and_query, shares_along
from motionary.cli.webs import search_by_web
from motionary.cli.wpca import search_wpca


def search(
    context: typer.Context,
    bank_path: BankPath,
    query: options.QueryText = None,
    words: options.Words = None,
    pose: options.Poses = None,
    source: options.Sources = None,
    unlike: options.Unlikes = None,
    unlike_weight: options.UnlikeWeight = 0.5,
    mirror: options.Mirror = "both",
    distance: options.Distance = "dtw",
    description: options.Described = None,
    joints: options.Joints = "",
    weight: options.Weights = None,
    over_time: options.OverTime = "",
    window: options.Window = "10",
    scale: options.Scale = 0.0,
    tolerance: options.Tolerance = 0.5,
    tolerance_of: options.ToleranceOf = None,
    label: options.Labels = None,
    name: options.Names = None,
    without_label: options.WithoutLabels = None,
    without_name: options.WithoutNames = None,
    with_itself: options.WithItself = False,
    k: options.K = None,
    within: options.Within = None,
    at_least: options.AtLeast = None,
    onsets: options.Onsets = 80.0,
    accept: after.Accept = None,
    reject: after.Reject = None,
    profile: after.ByProfile = None,
    keep_profile: after.KeepProfile = None,
    by_cluster: after.ByCluster = False,
    opened: after.Opened = None,
    dismissed: after.Dismissed = None,
    explain: after.Explain = False,
    heat: after.Heat = None,
    by: options.By = "exact",
    space: options.SpaceName = None,
    character: options.Character = None,
    neighbours: options.Neighbours = None,
    ranking: options.Ranked = "gist",
    epsilon: options.Epsilon = None,
    steps: options.Steps = None,
    rejected: options.Rejected = None,
    web: options.WebName = None,
    output: options.Picture = None,
    view: options.PictureView = "auto",
    keep: options.Keep = None,
    overwrite: options.Overwrite = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """List the segments most like QUERY, nearest first."""
    check_options(context, by=by, distance=distance)
    shown, words = _shown(query, pose or [], words or [])
    check_view(view, output)
    check_pictures((output, by != "web"), (heat, False))
    where: dict[str, Any] = {"text": " ".join(words), "labels": label or (), "names": name or ()}
    but_not = {"without_labels": without_label or (), "without_names": without_name or ()}
    how_many = 10 if k is None and within is None else k
    results = Results(output=output, view=view, keep=keep, overwrite=overwrite, dry_run=dry_run, as_json=as_json)
    if by == "wpca":
        asked: dict[str, Any] = {
            "space": space,
            "k": how_many,
            "within": within,
            "mirrored": mirror,
            "with_itself": with_itself,
            "ranking": ranking,
        }
        search_wpca(
            bank_path,
            shown,
            options=where | but_not | asked,
            character=character,
            neighbours=neighbours,
            results=results,
        )
        return
    if by == "web":
        asked = {"rejected": rejected or (), "steps": steps, "web": web}
        search_by_web(bank_path, shown, options=where | but_not | asked, epsilon=epsilon, k=k, results=results)
        return
    search_exact(
        bank_path,
        shown,
        options={
            **where,
            **but_not,
            "by": by,
            "sources": [part_and_query("--from", text, part_needed=True) for text in source or ()],
            "unlike": [part_and_query("--unlike", text, part_needed=False) for text in unlike or ()],
            "unlike_weight": unlike_weight,
            "at_least": at_least,
            "k": max(how_many, at_least or 0) if k is None and how_many is not None else how_many,
            "within": within,
            "distance": distance,
            "window": shares_along("--window", window),
            "tolerance": tolerance,
            "tolerances": numbers_of("--tolerance-of", tolerance_of or []),
            "descriptions": tuple(description or ("gist",)),
            "joints": names_of(joints),
            "weights": numbers_of("--weight", weight or []),
            "over_time": numbers_along("--over-time", over_time) if over_time else (),
            "mirrored": mirror,
            "scale": scale / 100.0,
            "onsets": onsets / 100.0,
            "with_itself": with_itself,
        },
        judgements={"accept": accept, "reject": reject, "profile": profile, "keep_profile": keep_profile},
        by_cluster=by_cluster,
        opened=opened,
        dismissed=dismissed,
        explain=explain,
        heat=heat,
        results=results,
    )


def _shown(query: str | None, poses: list[str], words: list[str]) -> tuple[str | list[str], list[str]]:
    """What is looked for, and the words of clips; with key poses, what stands in the query's place is such a word."""
    from motionary.errors import UsageError

    if poses:
        if query and (":" in query or query.startswith(("#", "@"))):
            raise UsageError(
                f"{query!r} and --pose do not go together: a query is one of the two (words that clips must have may "
                "stand there, too)"
            )
        return poses, [query, *words] if query else words
    if not query:
        raise UsageError("say what to look for: CLIP:START-STOP, a motion file, or key poses with --pose")
    return query, words
