"""Projections of a whole library, kept in memory or cast part by part: always the same answers."""

import shutil
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionary.artefacts import ArtefactStore
from motionary.motion import Segment
from motionary.search import scan
from motionary.search.exact import Index, search
from search.exact.small_features import indexed, walks
from search.tiny_libraries import query_of

INDEX = sys.modules["motionary.search.exact.index"]
COLUMNS = (("root", np.arange(6)), ("positions", np.arange(90)))


def told(result):
    return [(match.as_json(), match.alignment.pairs.tolist()) for match in result.matches]


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("part_rows", [1, 50, 333, 10_000])
def test_parts_hold_every_window(monkeypatch, plain, part_rows):
    features = walks(0, [120, 1, 300])
    (whole,) = Index(features).projections(COLUMNS, 20, plain=plain)
    monkeypatch.setattr(INDEX, "PART_ROWS", part_rows)

    begun = np.zeros(421, dtype=int)
    for part in Index(features, most_bytes=0).projections(COLUMNS, 20, plain=plain):
        begun[part.first : part.stop] += 1
        n_rows = part.poses.n_frames
        assert n_rows == min(part.stop + 19, 421) - part.first
        kept = whole.poses.unpacked(part.first, part.first + n_rows)
        assert np.allclose(part.poses.unpacked(0, n_rows), kept, atol=whole.error + 1e-6)
        assert (part.poses.z[:, n_rows:] == 0).all()

    assert (begun == 1).all()


@settings(max_examples=15)
@given(
    seed=st.integers(0, 5),
    distance=st.sampled_from(["dtw", "euclid", "lcss"]),
    part_rows=st.sampled_from([60, 130]),
    scale=st.sampled_from([0.0, 0.03]),
    joints=st.sampled_from([(), ("LeftHand",)]),
    clip_ids=st.sampled_from([None, (2,), (1, 4)]),
)
def test_a_library_larger_than_memory_gives_the_same_answers(seed, distance, part_rows, scale, joints, clip_ids):
    """Windows across the borders of parts, and clips longer than one, among them."""
    features = walks(seed, [90, 200, 20, 70])
    options = {"descriptions": ("root", "positions"), "joints": joints, "mirrored": "both", "tolerance": 2.0, "k": 6}
    query = query_of(features, Segment(2, 30, 70), distance=distance, scale=scale, **options)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(INDEX, "PART_ROWS", part_rows)
        result = search(Index(features, most_bytes=0), query, clip_ids=clip_ids)

    assert told(result) == told(scan(features, query, clip_ids=clip_ids))


@settings(max_examples=15)
@given(
    seed=st.integers(0, 5),
    distance=st.sampled_from(["dtw", "euclid"]),
    part_rows=st.sampled_from([1, 61, 130]),
    scale=st.sampled_from([0.0, 0.03]),
    clip_ids=st.sampled_from([None, (2,), (1, 4)]),
)
def test_groups_of_a_library_larger_than_memory_give_the_same_answers(seed, distance, part_rows, scale, clip_ids):
    features = walks(seed, [90, 203, 20, 70], names=("learned",))
    query = query_of(features, Segment(2, 30, 70), distance=distance, descriptions=("learned",), scale=scale, k=6)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(INDEX, "PART_ROWS", part_rows)
        index = Index(features, most_bytes=0)
        result = search(index, query, clip_ids=clip_ids)

    assert index.held_bytes == 0
    assert told(result) == told(scan(features, query, clip_ids=clip_ids))


@pytest.mark.parametrize("part_rows", [1, 50, 333, 10_000])
def test_parts_hold_the_groups_of_every_window(monkeypatch, part_rows):
    features = walks(0, [120, 1, 302], names=("learned",))
    columns = (("learned", np.arange(64)),)
    (whole,) = Index(features).groups(columns, 20)
    monkeypatch.setattr(INDEX, "PART_ROWS", part_rows)

    begun = np.zeros(423, dtype=int)
    for part in Index(features, most_bytes=0).groups(columns, 20):
        begun[part.projection.first : part.projection.stop] += 1
        first, n_groups = part.projection.first // 4, part.groups.n_groups
        assert n_groups == (min(part.projection.stop + 19, 423) - part.projection.first) // 4
        kept = whole.groups.means.unpacked(first, first + n_groups)
        assert np.allclose(part.groups.means.unpacked(0, n_groups), kept, atol=whole.groups.error + 1e-6)

    assert (begun == 1).all()


def test_groups_are_kept_between_searches(monkeypatch):
    features = walks(2, [300], names=("learned",))
    index, query = Index(features), query_of(features, Segment(1, 0, 30), descriptions=("learned",))
    before = told(search(index, query))

    monkeypatch.setattr(Index, "_grouped", None)

    assert told(search(index, query)) == before


def test_no_more_is_kept_than_is_allowed():
    features = walks(1, [500])
    index = Index(features, most_bytes=200_000)
    for joint in ("LeftHand", "RightHand", "LeftFoot", "RightFoot", "Head"):
        search(index, query_of(features, Segment(1, 0, 30), joints=(joint,)))
        assert 0 < index.held_bytes <= 200_000
    assert index._projections


def test_projections_are_kept_between_searches(monkeypatch):
    features = walks(2, [300])
    index = Index(features)
    query = query_of(features, Segment(1, 0, 30))
    before = told(search(index, query))

    monkeypatch.setattr(Index, "_cast", None)

    assert told(search(index, query)) == before


def test_several_threads_may_search_at_once():
    features = walks(2, [300, 200])
    joints = [(), ("LeftHand",), ("Head", "RightFoot"), ("legs",), ("LeftHand",), ()]
    queries = [query_of(features, Segment(1, 7 * i, 7 * i + 30), joints=some) for i, some in enumerate(joints)]
    wanted = [told(scan(features, query)) for query in queries]
    index = Index(features, most_bytes=100_000)  # so that projections come and go

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda query: told(search(index, query)), queries * 4))

    assert found == wanted * 4


def test_the_files_give_the_same_answers(tmp_path):
    features = walks(3, [300, 200])
    features.arrays["positions"][[50, 51, 320]] *= 40.0  # rows that are kept apart
    files = indexed(features, ArtefactStore(tmp_path))
    assert {50, 51, 320} <= set(files.parts["positions"].apart.tolist())
    for start in (0, 40, 100):
        query = query_of(features, Segment(1, start, start + 40), weights={"LeftHand": 3.0}, k=8)
        assert told(search(Index(features, files), query)) == told(scan(features, query))


def test_the_error_of_a_projection_holds_for_every_row(tmp_path):
    features = walks(4, [400, 300])
    features.arrays["positions"][77] *= 100.0
    files = indexed(features, ArtefactStore(tmp_path))
    for index in (Index(features), Index(features, files)):
        for columns in (COLUMNS, COLUMNS[1:]):
            (projection,) = index.projections(columns, 5)
            tables = [features.arrays[name][:, part] for name, part in columns]
            exact = projection.query(tables)
            seen = projection.poses.unpacked(0, 700)[: exact.shape[1]].T
            off = np.maximum(np.abs(seen - exact) - 2.0**-24 * np.abs(exact), 0.0)
            assert np.linalg.norm(off, axis=1).max() <= projection.error


def test_damage_is_told_once_and_answers_are_right(tmp_path):
    features = walks(5, [300, 200])
    files = indexed(features, ArtefactStore(tmp_path))
    path = tmp_path / "index" / "30hz" / "positions.1"
    content = bytearray(path.read_bytes())
    content[1000] ^= 4
    path.write_bytes(bytes(content))
    messages = []
    index = Index(features, files, message=messages.append)

    for start in (0, 40):
        query = query_of(features, Segment(1, start, start + 40))
        assert told(search(index, query)) == told(scan(features, query))

    assert len(messages) == 1
    assert "positions.1 does not match its checksum" in messages[0]
    again = indexed(features, ArtefactStore(tmp_path))
    assert told(search(Index(features, again, message=messages.append), query)) == told(scan(features, query))
    assert len(messages) == 1


def test_files_that_go_away_are_no_harm(tmp_path):
    features = walks(6, [300])
    files = indexed(features, ArtefactStore(tmp_path))
    shutil.rmtree(tmp_path / "index")
    query = query_of(features, Segment(1, 0, 40))

    assert told(search(Index(features, files), query)) == told(scan(features, query))
