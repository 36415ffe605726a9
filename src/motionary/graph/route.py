"""A route through a graph: where it starts, the transitions that it takes, and where it ends."""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np

from motionary.graph.motion_graph import MotionGraph
from motionary.motion import ease


@dataclass(frozen=True, eq=False)
class Route:
    """Frames of the library from `start` to `stop`, both played, by way of transitions.

    Some transitions may turn the body a little more than their clips do: `steers`, in radians, eased in over the blend.
    """

    graph: MotionGraph
    start: int
    taken: np.ndarray  # (K,) numbers of transitions
    stop: int  # the last frame that is played
    steers: np.ndarray = field(default_factory=lambda: np.zeros(0))  # (K,)
    place: complex = 0.0 + 0.0j  # where the root starts
    heading: float = 0.0  # and whither it heads

    def __post_init__(self) -> None:
        object.__setattr__(self, "taken", np.asarray(self.taken, dtype=np.int64))
        if len(self.steers) != len(self.taken):
            object.__setattr__(self, "steers", np.zeros(len(self.taken)))
        for first, last in self.runs:
            if not first <= last < self.graph.clip_stops[first]:
                raise ValueError(f"no frames [{first}, {last}] can be played one after the other")

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """The frames [first, last] that are played as they are, between transitions."""
        firsts = [self.start, *self.graph.arrives[self.taken].tolist()]
        lasts = [*self.graph.departs[self.taken].tolist(), self.stop]
        return list(zip(firsts, lasts, strict=True))

    @property
    def n_frames(self) -> int:
        """Of the motion that comes out of it."""
        return int(sum(last - first for first, last in self.runs) + self.graph.lengths[self.taken].sum()) + 1

    @property
    def duration_secs(self) -> float:
        return (self.n_frames - 1) / self.graph.rate_hz

    @property
    def cost(self) -> float:
        """The sum of the squared distances of its transitions."""
        return float(self.graph.costs[self.taken].sum())

    @cached_property
    def seams(self) -> list[tuple[int, int]]:
        """The frames [first, last] of the motion that are blended, of every transition."""
        found, at = [], 0
        lengths = self.graph.lengths[self.taken].tolist()
        for (first, last), length in zip(self.runs, lengths, strict=False):
            at += last - first
            found.append((at, at + length))
            at += length
        return found

    @cached_property
    def way(self) -> tuple[np.ndarray, np.ndarray]:
        """Headings (n,) and places (n,) complex of the root, frame by frame; blends as straight lines."""
        ways, (turns, moves) = self.graph.ways, self.graph.moves
        heading, place = self.heading, self.place
        headings, places = [np.array([heading])], [np.array([place])]
        for n, (first, last) in enumerate(self.runs):
            steps = slice(first + 1, last + 1)
            turned = ways.headings[first] - heading
            headings.append(ways.headings[steps] - turned)
            places.append(place + (ways.places[steps] - ways.places[first]) * np.exp(1j * turned))
            if last > first:
                heading, place = float(headings[-1][-1]), complex(places[-1][-1])
            if n < len(self.taken):
                number, steer = int(self.taken[n]), float(self.steers[n])
                shares = np.arange(1, self.graph.lengths[number] + 1) / self.graph.lengths[number]
                move = moves[number] * np.exp(-1j * (heading + steer))
                headings.append(heading + shares * turns[number] + ease(shares) * steer)
                places.append(place + shares * move)
                heading, place = heading + turns[number] + steer, place + move
        return np.concatenate(headings), np.concatenate(places)

    def joined(self, other: "Route") -> "Route":
        """This route, and then another that starts where this one ends."""
        if other.start != self.stop:
            raise ValueError("a route can only go on where it has ended")
        return Route(
            self.graph,
            self.start,
            np.concatenate([self.taken, other.taken]),
            other.stop,
            np.concatenate([self.steers, other.steers]),
            self.place,
            self.heading,
        )

    def obeys_dwell(self) -> bool:
        """Whether it leaves no transition before its dwell is over."""
        inner = self.runs[1:-1]
        return all(last - first >= self.graph.dwell for first, last in inner)

    @property
    def all_lead_on(self) -> bool:
        """Whether every transition arrives where the next departs."""
        stops = self.graph.clip_stops
        arrives, departs = self.graph.arrives[self.taken], self.graph.departs[self.taken]
        return all(a <= d < stops[a] for a, d in pairwise_ends(arrives, departs))


def pairwise_ends(arrives: np.ndarray, departs: np.ndarray) -> list[tuple[int, int]]:
    """Arrivals with the departures that follow them."""
    return [(int(arrives[a]), int(departs[b])) for a, b in pairwise(range(len(arrives)))]
