"""What a search compares unless it is told: what was learned from the library, where that finds more, else the gist."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from motionary.bank import Bank
from motionary.features import SEARCH_RATE_HZ
from motionary.library import LibraryFeatures, can_be_learned, frames_unlearned, minutes_of, performers_of, with_learned
from motionary.search.exact import LEARNED, Query
from motionary.search.examples import Averaged, Example, LibrarySegment, MotionSegment
from motionary.search.gist_rows import GIST

LEAST_MINUTES = 40.0  # of the library; from fewer, the description that is learned may find less than the gist,
LEAST_PERFORMERS = 15  # and so it may from fewer performers: what differs between them is what it learns to ignore
LEAST_FRAMES = 10  # of the query; fewer show a pose, and no action


@dataclass(frozen=True)
class Choice:
    """The descriptions that are compared, and why."""

    descriptions: tuple[str, ...]
    reason: str


def default_description(bank: Bank, queries: tuple[Query, ...], features: LibraryFeatures) -> Choice:
    """What to compare in these queries, which differ in their examples only, and search this library."""
    why_not = _asks_for_gist(queries) or _has_learned_nothing(bank, features)
    if why_not:
        return Choice((GIST,), f"compared by {GIST}: {why_not}")
    return Choice((LEARNED,), f"compared by what was learned from this library ({minutes_of(features):.0f} min)")


def with_choice(query: Query, choice: Choice) -> Query:
    """The query with these descriptions."""
    return replace(query, descriptions=choice.descriptions, reason=choice.reason)


def frames_to_learn_from(bank: Bank, features: LibraryFeatures) -> int:
    """Of how many frames the first search that is told nothing would learn; 0 if it would not, or has already."""
    return 0 if _has_learned_nothing(bank, features) else frames_unlearned(bank, features)


def learn_if_default(
    bank: Bank,
    features: LibraryFeatures,
    *,
    progress: Callable[[int, int], None] | None = None,
    message: Callable[[str], None] | None = None,
) -> None:
    """Learn from the library what searches compare that are told nothing, if they do."""
    if not _has_learned_nothing(bank, features):
        with_learned(bank, features, progress=progress, message=message)


def _asks_for_gist(queries: tuple[Query, ...]) -> str:
    """What in the query needs dimensions with names, sides or centimetres; "" if nothing does."""
    query = queries[0]
    examples = [one.example for one in queries] + [one.example for one in query.unlike]
    cases = (
        (query.distance == "lcss", "lcss compares its dimensions one by one"),
        (bool(query.joints) or any(one.joints for one in query.unlike), "only it has body parts"),
        (bool(query.weights or query.tolerances), "only its dimensions have names and weights"),
        (query.within is not None, "the largest distance is in cm"),
        (query.mirrored != "both", "only it tells left from right"),
        (not all(map(_is_captured, examples)), "the query is put together from several motions or poses"),
        (any(one.n_frames < LEAST_FRAMES for one in examples), "the query is shorter than a third of a second"),
    )
    return next((reason for is_so, reason in cases if is_so), "")


def _is_captured(example: Example) -> bool:
    if isinstance(example, Averaged):
        return all(map(_is_captured, example.examples))
    return isinstance(example, LibrarySegment | MotionSegment)


def _has_learned_nothing(bank: Bank, features: LibraryFeatures) -> str:
    if features.rate_hz != SEARCH_RATE_HZ:
        return f"nothing is learned at {features.rate_hz:g} Hz"
    minutes = minutes_of(features)
    if minutes < LEAST_MINUTES:
        return f"the library has {minutes:.1f} min, too few to learn from ({LEAST_MINUTES:g} are needed)"
    n_performers = performers_of(bank, features)
    if n_performers < LEAST_PERFORMERS:
        return f"too few performers to learn from ({n_performers} by their skeletons, {LEAST_PERFORMERS} are needed)"
    if not can_be_learned(bank, features):
        return "what is learned cannot be stored beside the bank"
    return ""
