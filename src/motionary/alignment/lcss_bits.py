"""How many frames at most windows have in common with a query, sixty-four query frames to a machine word.

Whether a pose can match a query frame is asked of each dimension on its own, by tables: which query frames a number
can match depends on that number alone. All dimensions together give the pose a word of query frames, and from words
the longest common subsequence is counted by additions (Hyyrö 2004). Where a step of a table holds numbers that match
and numbers that do not, it says that they match: counts are never too small.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit, uintp

from motionary.alignment.lanes import WIDE, Poses
from motionary.alignment.lanes_costs import tiles
from motionary.alignment.lcss import counted_frames
from motionary.alignment.roundings import SINGLE
from motionary.workers import in_threads

WORD = 64
STEPS = 1024  # of a dimension's table
AROUND = 4  # of them, on either side, are for numbers that match nothing, or have to be unlike all
MARGIN = 1e-2  # of a step, on either side: more than rounding can move a number


@dataclass(frozen=True, eq=False)
class MatchTables:
    """For every dimension that matters: which query frames a number in each step of its range can match."""

    dimensions: np.ndarray  # (D',)
    lows: np.ndarray  # (D',) float32: where the first step begins
    scales: np.ndarray  # (D',) float32: steps per unit
    words: np.ndarray  # (D', STEPS + 2, W) uint64; the first and last step are all numbers beyond
    bands: np.ndarray  # (n, W) uint64: the query frames that may meet each candidate frame, if they count
    n_frames: int

    @classmethod
    def of(cls, query: np.ndarray, thresholds: np.ndarray, radii: np.ndarray, *, error: float = 0.0) -> "MatchTables":
        """From the query (n, D), its thresholds (n, D) and its window; poses are known to within `error`, and rounded
        to single precision."""
        n_frames = len(query)
        n_words = -(-n_frames // WORD)
        finite = np.isfinite(thresholds)
        matters = np.flatnonzero(finite.any(axis=0))
        reach = np.where(finite, np.abs(thresholds), 0.0) + error
        low = (query - reach).min(axis=0)[matters]
        high = (query + reach).max(axis=0)[matters]
        sizes = np.abs(np.stack([low, high])).max(axis=0)
        step = np.maximum(high - low, 1e-6 + 1e-5 * sizes) / (STEPS - 2 * AROUND)
        # Both as the lanes see them: where steps begin must not be a matter of rounding
        low = (low - AROUND * step).astype(np.float32).astype(np.float64)
        scales = (1.0 / step).astype(np.float32).astype(np.float64)
        errors = error + 4.0 * SINGLE * sizes
        words = np.zeros((len(matters), STEPS + 2, n_words), dtype=np.uint64)
        # Strict dimensions first: a word that has become 0 stays 0
        strictness = np.argsort((np.where(finite, np.abs(thresholds), np.inf)[:, matters] * scales).mean(axis=0))
        matters, low, scales, errors = (each[strictness] for each in (matters, low, scales, errors))
        some, theirs = np.ascontiguousarray(query[:, matters]), np.ascontiguousarray(thresholds[:, matters])
        _fill_tables(some, theirs, errors, low, scales, words)
        i, j = np.ogrid[:n_frames, :n_frames]
        meets = ((np.abs(i - j) <= radii[:, None]) & counted_frames(thresholds)[:, None]).T  # (candidate, query)
        padded = np.zeros((n_frames, n_words * WORD), dtype=bool)
        padded[:, :n_frames] = meets
        bands = np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64)
        return cls(matters, low.astype(np.float32), scales.astype(np.float32), words, bands, n_frames)


def pose_words(tables: MatchTables, poses: Poses, spans: np.ndarray) -> np.ndarray:
    """The query frames (F + room, W), as bits, that every pose can match in windows that begin in `spans` (N, 2)."""
    out = np.zeros((poses.z.shape[1], tables.words.shape[2]), dtype=np.uint64)
    # Each pose once, in however many spans' windows it is
    stops = np.maximum.accumulate(spans[:, 1] + tables.n_frames - 1)
    starts = np.maximum(spans[:, 0], np.append(0, stops[:-1])[: len(spans)])
    firsts, lasts = tiles(np.stack([starts, stops], axis=1), WIDE)
    found = tables.dimensions, tables.lows, tables.scales, tables.words, firsts, lasts, out
    in_threads(_pose_words, poses.z, *found, n_parts=len(firsts))
    return out


def common_at_most(tables: MatchTables, words: np.ndarray, spans: np.ndarray, *, out: np.ndarray) -> None:
    """Write into `out` (F,) int32 how many frames the windows that begin in `spans` (N, 2) have in common at most."""
    counts = np.empty(len(words) + 1, dtype=np.int64)
    _count_words(words, counts)
    firsts, stops = tiles(spans, WIDE)
    in_threads(_common_tiles, words, counts, tables.bands, firsts, stops, out, n_parts=len(firsts))


def pose_words_reference(query: np.ndarray, thresholds: np.ndarray, values: np.ndarray) -> np.ndarray:
    """What `pose_words` says, or more, from the definition: which query frames (F, n) each pose (F, D) matches."""
    gaps = np.abs(values[:, None] - query[None])
    return np.asarray(np.where(thresholds >= 0, gaps <= thresholds, gaps > np.abs(thresholds)).all(axis=2))


@njit(cache=True, nogil=True)
def _fill_tables(query, thresholds, errors, lows, scales, words):  # type: ignore[no-untyped-def]
    n_steps = words.shape[1]
    firsts, lasts = np.empty(n_steps), np.empty(n_steps)
    for d in range(query.shape[1]):
        for step in range(n_steps):  # the numbers of each, a little more on either side
            firsts[step] = lows[d] + (step - 1 - MARGIN) / scales[d] - errors[d]
            lasts[step] = lows[d] + (step + MARGIN) / scales[d] + errors[d]
        firsts[0], lasts[n_steps - 1] = -np.inf, np.inf
        for i in range(query.shape[0]):
            word, bit = i // WORD, np.uint64(1) << np.uint64(i % WORD)
            low, high = query[i, d] - abs(thresholds[i, d]), query[i, d] + abs(thresholds[i, d])
            if thresholds[i, d] >= 0.0:
                for step in range(np.searchsorted(lasts, low), np.searchsorted(firsts, high, side="right")):
                    words[d, step, word] |= bit
            else:
                below, above = np.searchsorted(firsts, low), np.searchsorted(lasts, high, side="right")
                for step in range(below):
                    words[d, step, word] |= bit
                for step in range(max(below, above), n_steps):
                    words[d, step, word] |= bit


@njit(cache=True, nogil=True)
def _pose_words(thread, n_threads, z, dimensions, lows, scales, words, firsts, lasts, out):  # type: ignore[no-untyped-def]
    n_words, last = words.shape[2], np.float32(words.shape[1] - 1)
    for tile in range(thread, len(firsts), n_threads):
        for j in range(firsts[tile], lasts[tile]):
            for w in range(n_words):
                out[j, w] = np.uint64(0xFFFFFFFFFFFFFFFF)
            for d in range(len(dimensions)):
                place = (z[dimensions[d], j] - lows[d]) * scales[d] + np.float32(1.0)
                step = uintp(min(max(place, np.float32(0.0)), last))
                left = np.uint64(0)
                for w in range(n_words):
                    out[j, w] &= words[d, step, w]
                    left |= out[j, w]
                if left == 0:
                    break


@njit(cache=True, nogil=True)
def _count_words(words, counts):  # type: ignore[no-untyped-def]
    """How many poses before each one can match anything."""
    counts[0] = 0
    for j in range(len(words)):
        some = words[j, 0]
        for w in range(1, words.shape[1]):
            some |= words[j, w]
        counts[j + 1] = counts[j] + (some != 0)


@njit(cache=True, nogil=True)
def _take(words, place, n_words, band, bits_of, at, carries, n_lanes):  # type: ignore[no-untyped-def]
    """One candidate frame goes into one word of every window: an addition with carry."""
    for lane in range(n_lanes):
        bits, carry = bits_of[at + lane], carries[lane]
        meets = words[place + lane * n_words] & band
        total = bits + (bits & meets)
        summed = total + carry
        carries[lane] = np.uint64(total < bits) | np.uint64(summed < total)
        bits_of[at + lane] = summed | (bits & ~meets)


@njit(cache=True, nogil=True)
def _common_tile(words, counts, bands, first, stop, bits_of, carries, out):  # type: ignore[no-untyped-def]
    """A bit falls where a query frame makes the subsequence longer than it was up to the one before."""
    n_frames, n_words = bands.shape
    n_lanes = uintp(stop - first)
    bits_of[:] = np.uint64(0xFFFFFFFFFFFFFFFF)
    for j in range(n_frames):
        if counts[first + j + n_lanes] == counts[first + j]:
            continue
        carries[:] = np.uint64(0)
        for w in range(n_words):
            place = uintp((first + j) * n_words + w)
            _take(words, place, uintp(n_words), bands[j, w], bits_of, uintp(w * WIDE), carries, n_lanes)
    out[first:stop] = 0
    for w in range(n_words):
        valid = np.uint64(0xFFFFFFFFFFFFFFFF)
        if n_frames - w * WORD < WORD:
            valid = (np.uint64(1) << np.uint64(n_frames - w * WORD)) - np.uint64(1)
        for lane in range(n_lanes):
            out[first + lane] += _n_bits(~bits_of[w * WIDE + lane] & valid)


@njit(cache=True, nogil=True)
def _n_bits(word):  # type: ignore[no-untyped-def]
    word -= (word >> np.uint64(1)) & np.uint64(0x5555555555555555)
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int32((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@njit(cache=True, nogil=True)
def _common_tiles(thread, n_threads, words, counts, bands, firsts, stops, out):  # type: ignore[no-untyped-def]
    n_frames, flat = bands.shape[0], words.reshape(-1)
    bits_of = np.empty(bands.shape[1] * WIDE, dtype=np.uint64)
    carries = np.empty(WIDE, dtype=np.uint64)
    for tile in range(thread, len(firsts), n_threads):
        first, stop = firsts[tile], stops[tile]
        if counts[stop + n_frames - 1] == counts[first]:
            out[first:stop] = 0
        else:
            _common_tile(flat, counts, bands, first, stop, bits_of, carries, out)
