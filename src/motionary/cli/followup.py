"""What `search --by exact` can do with its matches: explain them, cluster them, learn from judgements."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionary.cli.matches import about_column, known_of, ranked
from motionary.cli.output import counted, print_json, print_table, say
from motionary.errors import UsageError
from motionary.requests import Request, option
from motionary.rounding import rounded_up

if TYPE_CHECKING:
    from motionary.bank import Bank
    from motionary.search import Clusters, Explanation, Match, Profile, SearchResult

MOST_EXPLAINED = 10  # matches side by side in a table
LEAST_SHARE = 0.02  # of a distance that is worth a row
STAGES = {  # stages of a search, for readers who do not know how it works
    "windows": "every place, side and length that could be a match",
    "passed the coarse filter": "could be among the matches, by a bound that never exceeds the distance",
    "bounded in all dimensions": "checked again with a tighter bound",
    "measured": "compared in full; the matches are the best of these",
}
GROUP = "Explain, cluster, learn"


@dataclass(frozen=True, eq=False, kw_only=True)
class FollowUp(Request):
    """What to do with the matches of an exact search."""

    explain: bool = option(
        False, help="Show how much each joint and phase adds to the distance.", group=GROUP, basic=True
    )
    heat: Path | None = option(
        None,
        help="Draw a heat map of the deviation of each joint over time: .png or .svg.",
        metavar="FILE",
        group=GROUP,
    )
    by_cluster: bool = option(
        False, help="Cluster the matches and list one match of each cluster.", flags=("--clusters",), group=GROUP
    )
    opened: int | None = option(
        None, help="List only cluster N.", flags=("--open",), metavar="N", group=GROUP, at_least=1
    )
    dismissed: tuple[int, ...] = option(
        (), help="Leave out cluster N. Can be repeated.", flags=("--dismiss",), metavar="N", group=GROUP, at_least=1
    )
    accept: str | None = option(
        None,
        help="Mark matches as correct by rank (1,2,5-7), learn from them and search again.",
        metavar="RANKS",
        group=GROUP,
    )
    reject: str | None = option(
        None, help="Mark matches as wrong by rank, learn from them and search again.", metavar="RANKS", group=GROUP
    )
    profile: str | None = option(
        None, help="Search with a learned profile: a name in BANK or a .json file.", metavar="NAME", group=GROUP
    )
    keep_profile: str | None = option(
        None,
        help="Store the weights learned by --accept and --reject as a profile in BANK.",
        metavar="NAME",
        group=GROUP,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.opened is not None and self.dismissed:
            raise UsageError("use either --open or --dismiss: --open lists one cluster, --dismiss all but some")
        if self.keep_profile is not None and not self.accept and not self.reject:
            raise UsageError("--keep-profile needs --accept or --reject: a profile is learned from rated matches")


def searched(
    bank: "Bank", search: "Callable[..., SearchResult]", follow: FollowUp, *, overwrite: bool
) -> "SearchResult":
    """The result of a search; of a second one if matches were judged, with what that teaches."""
    from motionary.search import judged_matches, learn_profile

    known = given_profile(bank, follow.profile)
    result = search(profile=known)
    if not follow.accept and not follow.reject:
        _tell_of_means(result, known)
        return result
    accepted, rejected = (judged_matches(result, [ranks] if ranks else []) for ranks in (follow.accept, follow.reject))
    learned = learn_profile(bank, result, accepted=accepted, rejected=rejected, before=known)
    if follow.keep_profile is not None:
        bank.keep_profile(follow.keep_profile, learned.as_json(), overwrite=overwrite)
        say(f"kept as {follow.keep_profile}; use --profile {follow.keep_profile} to search with it")
    again = search(profile=learned, without=(*accepted, *rejected), expand=None)  # a profile brings its own examples
    say(f"learned from {len(accepted)} accepted and {len(rejected)} rejected matches, which are not listed again")
    _tell_of_means(again, learned)
    return again


def _tell_of_means(result: "SearchResult", profile: "Profile | None") -> None:
    """Explain means that a profile has made larger."""
    if profile is not None and profile.rejected and result.query.distance != "lcss":
        say("means are larger than usual because the examples were moved away from the rejected matches")


def given_profile(bank: "Bank", name: str | None) -> "Profile | None":
    """The profile of that name, or in that file."""
    from motionary.search import Profile

    if name is None:
        return None
    if name.lower().endswith(".json"):
        return Profile.read(name)
    return Profile.of_json(bank.profile(name), where=f"{bank.path}: profile {name!r}")


def chosen_matches(
    bank: "Bank", result: "SearchResult", follow: FollowUp
) -> "tuple[dict[int, Match], Clusters | None]":
    """The matches by rank: all, those of an opened cluster, or all but dismissed ones; and, if asked for, clusters."""
    from motionary.search import cluster_matches

    everything = ranked(result.matches)
    if follow.opened is None and not follow.dismissed:
        return everything, cluster_matches(bank, result) if follow.by_cluster else None
    clusters = cluster_matches(bank, result)
    if follow.opened is None:
        listed = clusters.without(*follow.dismissed)
    else:
        listed = {rank: everything[rank] for rank in clusters.opened(follow.opened).ranks}
    say(f"{counted(len(listed), 'match')} of {len(everything)}, ranks {_in_words(tuple(listed))}")
    return listed, None


def print_clusters(bank: "Bank", clusters: "Clusters", *, as_json: bool) -> None:
    """One row for each cluster: how many it has, and its most typical match."""
    if as_json:
        print_json({"cluster": n} | cluster.as_json() for n, cluster in enumerate(clusters.clusters, start=1))
        return
    rows, known = [], {cluster: known_of(bank, cluster.medoid.segment) for cluster in clusters.clusters}
    for number, cluster in enumerate(clusters.clusters, start=1):
        medoid = cluster.medoid
        rows.append(
            [
                str(number),
                str(len(cluster.ranks)),
                rounded_up(cluster.spread, 1),
                f"{medoid.clip}:{medoid.segment.start}-{medoid.segment.stop}",
                f"{known[cluster].secs:.2f}",
                str(cluster.medoid_rank),
                rounded_up(medoid.mean, 2),
                _in_words(cluster.ranks),
                known[cluster].about,
            ]
        )
    if rows:
        unit = clusters.clusters[0].medoid.unit
        measured = ["rank", f"mean {unit}".rstrip(), "ranks", about_column(known.values())]
        print_table(["cluster", "matches", "spread cm", "most typical", "secs", *measured], rows)
        say("--open N lists a cluster; --dismiss N leaves it out")


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
            say(f"showing the first {len(shown)} of {len(explanations)} matches; --json explains all")
    if result.stages:
        print()
        rows = [[stage.name, f"{stage.n_windows:,}", STAGES.get(stage.name, "")] for stage in result.stages]
        print_table(["stage", "windows", "meaning"], rows)


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
        say(f"{path}: how far joints deviate over time, in {counted(len(explanations), 'match')}")


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
