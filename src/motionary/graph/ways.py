"""The ways of roots over the ground: headings and places of all frames, and what a transition adds to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import njit

from motionary.motion import ease, eased

# A place on the ground is the complex number x + i·z. A move d in the frame of a body (x to its left, z forward) that
# heads to θ is d · e^(−iθ) in the world.


@dataclass(frozen=True, eq=False)
class Ways:
    """All frames of the clips of a graph, one clip after the other, at the graph's rate."""

    starts: np.ndarray  # (C + 1,) int64: clip c has the frames [starts[c], starts[c + 1])
    headings: np.ndarray  # (F,) float64
    places: np.ndarray  # (F,) complex128, each clip in its own coordinates

    @classmethod
    def joined(cls, ways: Sequence[tuple[np.ndarray, np.ndarray]]) -> "Ways":
        """From headings and places of every clip."""
        starts = np.cumsum([0, *(len(headings) for headings, _ in ways)])
        return cls(
            starts,
            np.concatenate([np.zeros(0), *(headings for headings, _ in ways)]),
            np.concatenate([np.zeros(0, dtype=np.complex128), *(places for _, places in ways)]),
        )

    @property
    def n_frames(self) -> int:
        return int(self.starts[-1])

    @property
    def n_clips(self) -> int:
        return len(self.starts) - 1

    def clip_of(self, frames: np.ndarray | int) -> np.ndarray:
        """The numbers of the clips that frames belong to."""
        return np.asarray(np.searchsorted(self.starts, frames, side="right") - 1)

    def clip_stops(self) -> np.ndarray:
        """Where the clip of every frame (F,) ends."""
        return np.repeat(self.starts[1:], np.diff(self.starts))

    def scaled(self, factor: float) -> "Ways":
        """The same for a body of another size."""
        return Ways(self.starts, self.headings, self.places * factor)


def blend_moves_reference(ways: Ways, depart: int, arrive: int, n: int) -> tuple[float, complex]:
    """How a transition turns and moves the body, seen from its departure, from the definition.

    n steps from the departing frame to the arriving one; the steps of both motions, each seen half-way between its
    headings, count by weights that ease from 0 to 1.
    """
    heading, place = 0.0, 0.0 + 0.0j
    for k in range(n):
        share = 0.5 * float(ease(k / n) + ease((k + 1) / n))
        turn, move = 0.0, 0.0 + 0.0j
        for weight, frame in ((1.0 - share, depart + k), (share, arrive - n + k)):
            by = ways.headings[frame + 1] - ways.headings[frame]
            middle = ways.headings[frame] + 0.5 * by
            turn += weight * by
            move += weight * (ways.places[frame + 1] - ways.places[frame]) * np.exp(1j * middle)
        place += move * np.exp(-1j * (heading + 0.5 * turn))
        heading += turn
    return heading, complex(place)


def blend_moves(
    ways: Ways, departs: np.ndarray, arrives: np.ndarray, lengths: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Turns (N,) and moves (N,) complex of transitions, seen from their departures."""
    turns, moves = np.empty(len(departs)), np.empty(len(departs), dtype=np.complex128)
    _blend_moves(ways.headings, ways.places, departs, arrives, lengths, turns, moves)
    return turns, moves


@njit(cache=True, nogil=True)
def _blend_moves(headings, places, departs, arrives, lengths, turns, moves):  # type: ignore[no-untyped-def]
    for e in range(len(departs)):
        heading, place = 0.0, 0.0 + 0.0j
        n = lengths[e]
        for k in range(n):
            share = 0.5 * (eased(k / n) + eased((k + 1) / n))
            a, b = departs[e] + k, arrives[e] - n + k
            turn_a, turn_b = headings[a + 1] - headings[a], headings[b + 1] - headings[b]
            turn = (1.0 - share) * turn_a + share * turn_b
            move = (1.0 - share) * (places[a + 1] - places[a]) * np.exp(1j * (headings[a] + 0.5 * turn_a))
            move += share * (places[b + 1] - places[b]) * np.exp(1j * (headings[b] + 0.5 * turn_b))
            place += move * np.exp(-1j * (heading + 0.5 * turn))
            heading += turn
        turns[e], moves[e] = heading, place
