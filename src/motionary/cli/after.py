"""What `search` can do with what it has found: explain it, sort it into clusters, learn from judgements."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from motionary.cli.matches import ranked
from motionary.cli.output import counted, print_json, print_table, say
from motionary.rounding import rounded_up

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.search import Clusters, Explanation, Match, Profile, SearchResult

PANEL = "What follows"
MOST_EXPLAINED = 10  # matches side by side in a table
LEAST_SHARE = 0.02  # of a distance that is worth a row
IN_WORDS = {  # stages of a search, for who does not know how it is done
    "windows": "every place, side and length that could be a match",
    "near enough in the shadow": "may be one of the matches, by a rough look that never overrates a distance",
    "bounded in all dimensions": "looked at closer, as they still may be",
    "measured": "compared in full; the matches are the best of these",
}

Explain = Annotated[
    bool, typer.Option("--explain", help="What each joint and phase adds to the distances.", rich_help_panel=PANEL)
]
Heat = Annotated[
    Path | None,
    typer.Option("--heat", metavar="FILE", help="Draw the same over time: .png or .svg.", rich_help_panel=PANEL),
]
ByCluster = Annotated[
    bool, typer.Option("--clusters", help="Sort matches into kinds; list one of each.", rich_help_panel=PANEL)
]
Opened = Annotated[
    int | None, typer.Option("--open", min=1, metavar="N", help="Only cluster N.", rich_help_panel=PANEL)
]
Dismissed = Annotated[
    list[int] | None, typer.Option("--dismiss", min=1, metavar="N", help="All but cluster N.", rich_help_panel=PANEL)
]
Accept = Annotated[
    str | None,
    typer.Option(
        "--accept", metavar="RANKS", help="Search again: these were right, as in 1,2,5-7.", rich_help_panel=PANEL
    ),
]
Reject = Annotated[
    str | None, typer.Option("--reject", metavar="RANKS", help="And these were wrong.", rich_help_panel=PANEL)
]
ByProfile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="NAME", help="Search by what was learned; NAME, or a .json file.", rich_help_panel=PANEL
    ),
]
KeepProfile = Annotated[
    str | None,
    typer.Option("--keep-profile", metavar="NAME", help="Keep what is learned in BANK.", rich_help_panel=PANEL),
]


def searched(
    bank: "Bank",
    ask: "Callable[..., SearchResult]",
    *,
    accept: str | None,
    reject: str | None,
    profile: str | None,
    keep_profile: str | None,
    overwrite: bool,
) -> "SearchResult":
    """What is found, once more if something is judged; what that teaches is kept if it is to be."""
    from motionary.errors import UsageError
    from motionary.search import judged_matches, learn_profile

    known = given_profile(bank, profile)
    result = ask(profile=known)
    if not accept and not reject:
        _tell_of_means(result, known)
        if keep_profile is not None:
            raise UsageError("a profile is learned from judgements: say which matches were right (--accept) or wrong")
        return result
    accepted, rejected = (judged_matches(result, [ranks] if ranks else []) for ranks in (accept, reject))
    learned = learn_profile(bank, result, accepted=accepted, rejected=rejected, before=known)
    if keep_profile is not None:
        bank.keep_profile(keep_profile, learned.as_json(), overwrite=overwrite)
        say(f"kept as {keep_profile}: `--profile {keep_profile}` searches by it")
    again = ask(profile=learned, without=(*accepted, *rejected))
    say(f"learned from {len(accepted)} accepted and {len(rejected)} rejected, which are not listed again")
    _tell_of_means(again, learned)
    return again


def _tell_of_means(result: "SearchResult", profile: "Profile | None") -> None:
    """What means are that a profile has made larger."""
    if profile is not None and profile.rejected and result.query.distance != "lcss":
        say("means are distances to exaggerated examples, moved away from what was rejected: larger than without")


def given_profile(bank: "Bank", name: str | None) -> "Profile | None":
    """The profile of that name, or in that file."""
    from motionary.search import Profile

    if name is None:
        return None
    if name.lower().endswith(".json"):
        return Profile.read(name)
    return Profile.of_json(bank.profile(name), where=f"{bank.path}: profile {name!r}")


def sorted_out(
    bank: "Bank", result: "SearchResult", *, by_cluster: bool, opened: int | None, dismissed: list[int] | None
) -> "tuple[dict[int, Match], Clusters | None]":
    """The matches by rank: all, those of an opened cluster, or all but dismissed ones; and, if asked for, clusters."""
    from motionary.search import cluster_matches

    everything = ranked(result.matches)
    if opened is None and not dismissed:
        return everything, cluster_matches(bank, result) if by_cluster else None
    clusters = cluster_matches(bank, result)
    if opened is None:
        listed = clusters.without(*dismissed or ())
    else:
        listed = {rank: everything[rank] for rank in clusters.opened(opened).ranks}
    say(f"{counted(len(listed), 'match')} of {len(everything)}, ranks {_in_words(tuple(listed))}")
    return listed, None


def print_clusters(clusters: "Clusters", *, as_json: bool) -> None:
    """One row for each cluster: how many it has, and its most typical match."""
    if as_json:
        print_json({"cluster": n} | cluster.as_json() for n, cluster in enumerate(clusters.clusters, start=1))
        return
    rows = []
    for number, cluster in enumerate(clusters.clusters, start=1):
        medoid = cluster.medoid
        rows.append(
            [
                str(number),
                str(len(cluster.ranks)),
                rounded_up(cluster.spread, 1),
                f"{medoid.clip}:{medoid.segment.start}-{medoid.segment.stop}",
                str(cluster.medoid_rank),
                rounded_up(medoid.mean, 2),
                _in_words(cluster.ranks),
            ]
        )
    if rows:
        unit = clusters.clusters[0].medoid.unit
        print_table(["cluster", "matches", "spread cm", "most typical", "rank", f"mean {unit}".rstrip(), "ranks"], rows)
        say("--open N lists a cluster, --dismiss N leaves it out")


def print_explained(
    result: "SearchResult", listed: "Mapping[int, Match]", explanations: "tuple[Explanation, ...]"
) -> None:
    """What parts and phases have added, in percent of each distance; then what each stage of the search has kept."""
    shown = explanations[:MOST_EXPLAINED]
    if shown:
        parts = tuple(dict.fromkeys(part for found in shown for part in found.parts))
        shares = {part: [0.0] * len(shown) for part in parts}
        for i, found in enumerate(shown):
            for part, share in zip(found.parts, found.shares(found.by_part), strict=True):
                shares[part][i] = float(share)
        ranks = [str(rank) for rank in listed][: len(shown)]
        rows = [
            [part, *(_percent(share) for share in found)]
            for part, found in sorted(shares.items(), key=lambda item: -sum(map(abs, item[1])))
            if max(map(abs, found)) >= LEAST_SHARE
        ]
        print()
        print_table(["% of distance", *ranks], rows)
        n_phases = len(shown[0].by_phase())
        phases = [found.shares(found.by_phase()) for found in shown]
        print()
        print_table(
            ["% of distance", *ranks],
            [
                [
                    f"{100 * p // n_phases}–{100 * (p + 1) // n_phases} % of the time",
                    *(_percent(of[p]) for of in phases),
                ]
                for p in range(n_phases)
            ],
        )
        if len(explanations) > len(shown):
            say(f"the first {len(shown)} of {len(explanations)} matches are explained; --json has them all")
    if result.stages:
        print()
        rows = [[stage.name, f"{stage.n_windows:,}", IN_WORDS.get(stage.name, "")] for stage in result.stages]
        print_table(["stage", "windows", "which are"], rows)


def explained_json(
    result: "SearchResult", listed: "Mapping[int, Match]", explanations: "tuple[Explanation, ...]"
) -> dict[int, dict[str, Any]]:
    """What parts and phases add to each match, by its rank; each with the stages of the search."""
    stages = {stage.name: stage.n_windows for stage in result.stages}
    return {rank: found.as_json() | {"stages": stages} for rank, found in zip(listed, explanations, strict=True)}


def draw_heat(
    listed: "Mapping[int, Match]", explanations: "tuple[Explanation, ...]", path: Path, *, title: str
) -> None:
    """Draw a heat strip, and say so."""
    from motionary.picture import show_heat

    if explanations:
        show_heat(explanations, path, title=title, ranks=list(listed))
        say(f"{path}: how far joints are off over time, in {counted(len(explanations), 'match')}")


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f}"


def _in_words(ranks: tuple[int, ...]) -> str:
    """1-3, 7, 9-12."""
    spans: list[list[int]] = []
    for rank in ranks:
        if spans and spans[-1][-1] == rank - 1:
            spans[-1][1:] = [rank]
        else:
            spans.append([rank])
    return ", ".join("-".join(map(str, span)) for span in spans)
