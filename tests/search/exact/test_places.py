"""Where windows begin, against all windows listed one by one."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.exact.places import Places
from search.tiny_libraries import library


@st.composite
def made_places(draw):
    """Clips, some of them copies that share rows, not in order of their rows, and rows that belong to nobody."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    lengths = draw(st.lists(st.integers(1, 12), min_size=1, max_size=6))
    features = library([{"root": np.zeros((n, 6))} for n in [*lengths, 5]])
    owners = rng.integers(len(lengths), size=draw(st.integers(1, 8)))
    features = type(features)(
        features.arrays,
        np.arange(10, 10 + len(owners)),
        features.starts[owners],
        features.n_frames[owners],
        tuple(features.rates[c] for c in owners),
        tuple(features.digests[c] for c in owners),
        (),
        30.0,
    )
    chosen = draw(st.none() | st.sets(st.sampled_from([*range(10, 18), 99])))
    return features, chosen


def listed(features, chosen, n_frames):
    """(clip number, start, row) of every window, from the definition."""
    return sorted(
        (c, start, int(features.starts[c]) + start)
        for c, clip_id in enumerate(features.clip_ids.tolist())
        if chosen is None or clip_id in chosen
        for start in range(features.n_frames[c] - n_frames + 1)
    )


@given(made=made_places(), n_frames=st.integers(1, 7), edges=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_all_windows_are_there_and_no_others(made, n_frames, edges):
    features, chosen = made
    places = Places.of(features, chosen, n_frames)
    wanted = listed(features, chosen, n_frames)
    first, stop = min(edges), max(edges)

    spans = places.spans(n_frames, first, stop)

    rows = np.concatenate([np.zeros(0, dtype=np.int64), *(np.arange(*span) for span in spans)])
    assert (np.diff(rows) > 0).all()
    assert len(rows) == 0 or (rows[0] >= first and rows[-1] < stop)
    if places.n_clips:
        which, clips, starts = places.windows(rows, n_frames)
        found = sorted(zip(clips.tolist(), starts.tolist(), rows[which].tolist(), strict=True))
        assert found == [window for window in wanted if first <= window[2] < stop]
    assert places.n_windows(n_frames) == len(wanted)
    assert places.n_clips == len({c for c, _, _ in wanted})


@given(made=made_places(), first=st.integers(0, 40), n_rows=st.integers(1, 30))
def test_parts_without_clips_are_known(made, first, n_rows):
    features, chosen = made
    places = Places.of(features, chosen, 1)
    rows = range(first, first + n_rows)

    assert places.any_in(first, first + n_rows) == any(row in rows for _, _, row in listed(features, chosen, 1))
