"""Where an edit is to go: segments that are named, kept in selections, labelled, odd, or found by a search."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from motionary.bank import LABEL_SIGN, Bank
from motionary.edit.fitting import likeness
from motionary.edit.planning import EditTarget
from motionary.errors import NotInBankError, UsageError
from motionary.motion import ODDITIES, Segment, oddities
from motionary.search import Match, kept_matches, search_bank

UNLIKE = 2.0  # times as far as the match before: from there on, matches may be unlike the example
ODDITY_SIGN = "oddity:"  # before a kind of oddity, for all frames that an import finds odd in that way


Target = str | Segment | Match | EditTarget


def targets_of(
    bank: Bank, example: Segment | None, to: Target | Iterable[Target], search: Mapping[str, Any] | None
) -> list[EditTarget]:
    """The targets that are named, and those found by a search; none twice.

    How like the example they are is known of matches of the search, and of selections of a search for the example.
    """
    given: list[Target] = [to] if isinstance(to, str | Segment | Match | EditTarget) else list(to)
    found: list[EditTarget] = []
    matches: list[Match] = []
    others: list[Match] = []  # matches of another query, which do not say how like the example they are
    for one in given:
        if isinstance(one, EditTarget):
            found.append(one)
        elif isinstance(one, Match):
            matches.append(one)
        elif isinstance(one, str) and one.startswith(ODDITY_SIGN):
            found += [EditTarget(segment) for segment in odd_segments(bank, one.removeprefix(ODDITY_SIGN))]
        elif isinstance(one, str) and one.startswith("@"):
            name, _, ranks = one.removeprefix("@").partition(":")
            query = bank.selection(name).query
            is_of_example = example is None or query is None or query.overlap(example) > 0
            (matches if is_of_example else others).extend(kept_matches(bank, name, [ranks] if ranks else None).values())
        elif isinstance(one, str) and not one.startswith(LABEL_SIGN) and any(sign in one for sign in "*?["):
            clips = bank.clips(names=[one])
            if not clips:
                raise NotInBankError(f"{bank.path}: no clip is called like {one!r}")
            found += [EditTarget(Segment(clip.id, 0, clip.n_frames)) for clip in clips]
        else:
            found += [EditTarget(segment) for segment in bank.segments_of([one])]
    if search is not None:
        assert example is not None
        # Poses are to be alike, not only actions
        matches += search_bank(bank, example, **{"descriptions": ("gist",), **search}).matches
    largest = max((match.distance for match in matches), default=0.0)
    found += [
        EditTarget(match.segment, likeness(match.distance, largest), match.mirrored, distance=match.distance)
        for match in matches
    ]
    found += [EditTarget(match.segment, None, match.mirrored, distance=match.distance) for match in others]
    return list(dict.fromkeys(one for one in found if one.segment != example))


def odd_segments(bank: Bank, kind: str) -> list[Segment]:
    """The frames of all clips that have an oddity of that kind, such as "root jump"; none if no clip has."""
    if kind not in ODDITIES:
        raise UsageError(f"there is no oddity {kind!r}; there are {', '.join(ODDITIES)}")
    return [
        Segment(clip.id, oddity.start, oddity.stop)
        for clip in bank.clips()
        for oddity in oddities(bank.motion(clip.id))
        if oddity.kind == kind
    ]


def unlike_after(targets: Sequence[tuple[int, EditTarget]]) -> list[int]:
    """The numbers of the targets that come after a marked gap of distances; none if there is no such gap."""
    near_first = sorted((one for one in targets if not one[1].is_example), key=lambda one: one[1].distance)
    for i, ((_, nearer), (_, farther)) in enumerate(pairwise(near_first), start=1):
        if 0.0 < UNLIKE * nearer.distance < farther.distance:
            return sorted(number for number, _ in near_first[i:])
    return []
