"""What every search answers with: segments like a query, how far they are from it, and how they go with it in time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, overload

from motionary.alignment.pairs import Alignment
from motionary.motion import Segment

CUT_RANKS = (3, 100)  # between which a gap is looked for
MOST_SHOWN = 50  # matches in a notebook
LEAST_GAP = 1.3  # below that, nothing tells good matches from bad ones


@dataclass(frozen=True, eq=False, repr=False)
class Match:
    """A segment, its distance to the query, and the alignment between them.

    Distances of different methods never share a list. `mean` is the same in familiar terms: how far a frame of the
    match is from the query's, in `unit`. `alignment` pairs frames of the query, which has `n_query` of them, with
    frames of the match, both at `rate_hz` and counted from their own starts; that of a scaled match leads to the query
    as it was given.
    """

    segment: Segment  # in the clip's own frames
    distance: float
    mean: float
    unit: str  # of `mean`: cm (of a body of 1.75 m), °, or none where dimensions of several kinds are mixed
    method: str  # euclid, dtw, lcss, wpca or web
    alignment: Alignment
    n_query: int  # frames of the query
    rate_hz: float  # of the frames that the alignment pairs
    scale: float = 1.0  # how many times as long as the query
    mirrored: bool = False
    tier: int = 1  # steps from the query
    clip: str = ""  # the clip's name
    nearest_to: str = ""  # which of several examples; none where there is one
    properties: Mapping[str, float] = field(default_factory=dict)  # those that conditions were about, by name
    search_start: int | None = field(default=None, compare=False)  # its first frame at `rate_hz`, if that is known

    def __repr__(self) -> str:
        side = ", mirrored" if self.mirrored else ""
        return f"Match({self.place}, {self.method} {self.mean:.3g} {self.unit}".rstrip() + f"{side})"

    @property
    def n_frames(self) -> int:
        """Frames of the match at `rate_hz`."""
        return round(self.scale * self.n_query)

    @property
    def place(self) -> str:
        """The segment as people write it: `CLIP:START-STOP`."""
        return f"{self.clip or f'#{self.segment.clip_id}'}:{self.segment.start}-{self.segment.stop}"

    def as_json(self) -> dict[str, Any]:
        """All but the alignment; `nearest_to` and `properties` only if the search knows of any."""
        more = {"nearest_to": self.nearest_to, "properties": dict(self.properties)}
        return {
            "clip": self.clip or f"#{self.segment.clip_id}",
            "id": self.segment.clip_id,
            "start": self.segment.start,
            "stop": self.segment.stop,
            "distance": self.distance,
            "mean": self.mean,
            "unit": self.unit,
            "method": self.method,
            "scale": self.scale,
            "mirrored": self.mirrored,
            "tier": self.tier,
            **{name: value for name, value in more.items() if value},
        }


def suggested_cut(sizes: Sequence[float]) -> int | None:
    """How many of the matches to keep, whose `sizes` ascend: up to the largest relative gap.

    It is looked for between neighbouring ranks from 3 to 100; of several largest, the first. None if no gap is as
    large as 1.3 ×, or where sizes are below 0 and have no ratio.
    """
    first, last = CUT_RANKS
    best, cut = 0.0, None
    for rank in range(first, min(last, len(sizes))):
        near, far = sizes[rank - 1], sizes[rank]
        if near < 0 or far == near:
            continue
        gap = far / near if near > 0 else float("inf")
        if gap > best:
            best, cut = gap, rank
    return cut if best >= LEAST_GAP else None


class Result:
    """What every method of searching gives: matches, best first. It is a sequence of them."""

    matches: tuple[Match, ...]

    def __iter__(self) -> Iterator[Match]:
        return iter(self.matches)

    def __len__(self) -> int:
        return len(self.matches)

    def __bool__(self) -> bool:
        """Always true, as for any answer: `len(result)` tells whether something was found."""
        return True

    @overload
    def __getitem__(self, rank: int) -> Match: ...
    @overload
    def __getitem__(self, rank: slice) -> tuple[Match, ...]: ...
    def __getitem__(self, rank: int | slice) -> Match | tuple[Match, ...]:
        return self.matches[rank]

    @property
    def _mean_is(self) -> str:
        """What the means of the matches are, in a table."""
        return "mean"

    def __repr__(self) -> str:
        best = f", nearest {self.matches[0].place}" if self.matches else ""
        n = len(self.matches)
        return f"{type(self).__name__}({n} {'match' if n == 1 else 'matches'}{best})"

    def _repr_html_(self) -> str:
        """What a notebook shows: a table."""
        head = "".join(f"<th>{name}</th>" for name in ("rank", "match", escape(self._mean_is), "side"))
        rows = [
            (rank, escape(match.place), f"{match.mean:.2f} {match.unit}", "mirrored" if match.mirrored else "same")
            for rank, match in enumerate(self.matches[:MOST_SHOWN], start=1)
        ]
        lines = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
        more = len(self.matches) - len(rows)
        return f"<table><tr>{head}</tr>{lines}</table>" + (f"<p>and {more} more</p>" if more else "")
