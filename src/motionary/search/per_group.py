"""One match for each clip, or for each performer: the best of each."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from motionary.alignment import Match, Result
from motionary.bank import Bank

R = TypeVar("R", bound=Result)
GROWTH = 4  # times as many matches are looked at if those found belong to too few groups


def one_per_group(bank: Bank, per: str, k: int | None, search: Callable[[int | None], R]) -> R:
    """What `search(k)` finds, with the best match of each clip or performer only; the first `k` of these.

    More and more matches are looked at until there are enough, so that the answer is what thinning all matches gives.
    Performers are told apart by their skeletons.
    """
    if per == "match":
        return search(k)
    n_wanted = k
    while True:
        result: Any = search(n_wanted)
        kept = _first_of_each(result.matches, _group(bank, per))
        if k is None or n_wanted is None or len(kept) >= k or len(result.matches) < n_wanted:
            found: R = replace(result, query=replace(result.query, k=k), matches=kept[:k])
            return found
        n_wanted *= GROWTH


def _group(bank: Bank, per: str) -> Callable[[Match], int]:
    if per == "clip":
        return lambda match: match.segment.clip_id
    skeletons: dict[int, int] = {}

    def skeleton(match: Match) -> int:
        clip_id = match.segment.clip_id
        if clip_id not in skeletons:
            skeletons[clip_id] = bank.clip(clip_id).skeleton_id
        return skeletons[clip_id]

    return skeleton


def _first_of_each(matches: Sequence[Match], group: Callable[[Match], int]) -> tuple[Match, ...]:
    found: dict[int, Match] = {}
    for match in matches:
        found.setdefault(group(match), match)
    return tuple(found.values())
