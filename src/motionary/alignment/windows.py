"""One query against many windows of one table of frames, in threads; to the last bit what single calls give."""

import numpy as np
from numba import njit

from motionary.alignment.dtw import _dtw
from motionary.alignment.euclid import _euclid
from motionary.alignment.lcss import _lcss, counted_frames
from motionary.alignment.shapes import frame_thresholds, frame_weights, frames_array, window_radii
from motionary.errors import UsageError
from motionary.workers import in_threads


def euclid_at(
    query: np.ndarray, table: np.ndarray, starts: np.ndarray, *, weights: np.ndarray | None = None
) -> np.ndarray:
    """The distances `euclid` (K,) of the query and the windows of `table` (F, D) that begin at `starts` (K,)."""
    query, table, starts = _checked(query, table, starts)
    out = np.empty(len(starts))
    weights = frame_weights(weights, query.shape)
    in_threads(_euclid_at, query, table, starts, weights, out, n_parts=len(starts))
    return out


def dtw_at(
    query: np.ndarray,
    table: np.ndarray,
    starts: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    radius: int | np.ndarray = 0,
    give_up_above: float = np.inf,
) -> np.ndarray:
    """The distances `dtw` (K,) of the query and the windows of `table` (F, D) that begin at `starts` (K,)."""
    query, table, starts = _checked(query, table, starts)
    weights = frame_weights(weights, query.shape)
    if (weights < 0).any():
        give_up_above = np.inf
    out = np.empty(len(starts))
    radii = window_radii(radius, len(query))
    in_threads(_dtw_at, query, table, starts, weights, radii, float(give_up_above), out, n_parts=len(starts))
    return out


def lcss_at(
    query: np.ndarray,
    table: np.ndarray,
    starts: np.ndarray,
    *,
    thresholds: np.ndarray,
    radius: int | np.ndarray = 0,
) -> np.ndarray:
    """The numbers `lcss(...).n_common` (K,) of the query and the windows of `table` that begin at `starts` (K,)."""
    query, table, starts = _checked(query, table, starts)
    thresholds = frame_thresholds(thresholds, query.shape)
    out = np.empty(len(starts), dtype=np.int32)
    radii, counted = window_radii(radius, len(query)), counted_frames(thresholds)
    in_threads(_lcss_at, query, table, starts, thresholds, radii, counted, out, n_parts=len(starts))
    return out


def _checked(query: np.ndarray, table: np.ndarray, starts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The table stays as it is, in single precision or mapped from a file; whoever made it has checked its values."""
    query = frames_array(query, "the query")
    starts = np.ascontiguousarray(starts, dtype=np.int64)
    if table.ndim != 2 or table.shape[1] != query.shape[1]:
        raise UsageError(f"a query of {query.shape[1]} dimensions does not match a table of shape {table.shape}")
    if len(starts) and (starts.min() < 0 or starts.max() + len(query) > len(table)):
        raise UsageError(f"a window of {len(query)} frames reaches beyond a table of {len(table)}")
    return query, np.ascontiguousarray(table), starts


@njit(cache=True, nogil=True)
def _euclid_at(thread, n_threads, query, table, starts, weights, out):  # type: ignore[no-untyped-def]
    n_frames = query.shape[0]
    for k in range(thread, len(starts), n_threads):
        out[k] = _euclid(query, table[starts[k] : starts[k] + n_frames], weights)


@njit(cache=True, nogil=True)
def _dtw_at(thread, n_threads, query, table, starts, weights, radii, give_up_above, out):  # type: ignore[no-untyped-def]
    n_frames = query.shape[0]
    rows = np.empty((3, n_frames))
    for k in range(thread, len(starts), n_threads):
        window = table[starts[k] : starts[k] + n_frames]
        out[k] = _dtw(query, window, weights, radii, give_up_above, rows)


@njit(cache=True, nogil=True)
def _lcss_at(thread, n_threads, query, table, starts, thresholds, radii, counted, out):  # type: ignore[no-untyped-def]
    n_frames = query.shape[0]
    longest = np.empty(n_frames + 1, dtype=np.int32)
    for k in range(thread, len(starts), n_threads):
        out[k] = _lcss(query, table[starts[k] : starts[k] + n_frames], thresholds, radii, counted, longest)
