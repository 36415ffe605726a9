import numpy as np
import pytest
from numpy.testing import assert_array_equal

from motionary.errors import UsageError
from motionary.features import descriptions
from motionary.motion import Segment
from motionary.search import LibrarySegment
from motionary.search.wpca import PoseQuery, build_pose_index, column_weights, search_poses, train_space
from motionary.search.wpca.index import library_poses
from motionary.search.wpca.linear import PoseRows
from motionary.search.wpca.neighbours import nearest_reference
from motionary.search.wpca.runs import dips_of_runs_reference
from motionary.search.wpca.warps import half_warp_reference
from motionary.search.wpca.weights import joint_shares
from search.tiny_libraries import library
from search.wpca.made_poses import smooth_clip, smooth_library


def index_of(features, n_components=16):
    return build_pose_index(features, train_space(library_poses(features), column_weights()), n_components=n_components)


def asked(features, clip_id, start, stop, **options):
    return PoseQuery(example=LibrarySegment(features, Segment(clip_id, start, stop)), **{"mirrored": "no"} | options)


def half_bent(path):
    """Whether half of the steps of a half warp are not (1, 1), which is as far as it can be bent."""
    bent = (np.diff(path, axis=0) == 0).any(axis=1)
    return len(bent) >= 6 and np.mean(bent) > 0.495


def naive_search(index, query):
    """(score, clip id, start, stop) of all matches, from the definition, with one characteristic pose that is given."""
    (frame,) = query.frames
    rows = query.example.rows(query.example.n_frames)
    gist = [
        index.gist[first : first + n].astype(float)
        for first, n in zip(index.gist_firsts, np.diff(index.firsts), strict=True)
    ]
    curve = index.space.project(PoseRows(rows["angles"], rows["root"]))
    points = index.coordinates.astype(float)
    near, along = query.dimensions, query.warp_dimensions
    numbers, distances = nearest_reference(
        index.coordinates, curve[frame, :near], k=query.neighbours, scales=np.ones(near)
    )
    best = dips_of_runs_reference(numbers, distances, index.clips_of(numbers), gap=3, dip=7)
    found = []
    for place in numbers[best].tolist():
        clip = int(index.clips_of(np.array([place]))[0])
        low, high = int(index.firsts[clip]), int(index.firsts[clip + 1])
        backward = half_warp_reference(curve[frame::-1, :along], points[low : place + 1, :along][::-1])
        forward = half_warp_reference(curve[frame:, :along], points[place:high, :along])
        if backward is None or forward is None or any(half_bent(half[1]) for half in (backward, forward)):
            continue
        start, stop = place - backward[1][-1, 1], place + forward[1][-1, 1] + 1
        total = backward[0] + forward[0] - np.linalg.norm(curve[frame, :along] - points[place, :along])
        pairs = [(frame - i, place - low - j) for i, j in backward[1]] + [
            (frame + i, place - low + j) for i, j in forward[1][1:]
        ]
        gaps = np.array([rows["gist"][i] - gist[clip][j] for i, j in pairs])
        score = total / len(pairs) if query.ranking == "mean" else np.sqrt(3 * (gaps**2).mean())
        found.append((score, int(index.clip_ids[clip]), int(start - low), int(stop - low)))
    taken = []
    for one in sorted(found):
        if not any(
            one[1] == other[1]
            and min(one[3], other[3]) - max(one[2], other[2])
            > query.overlap * min(one[3] - one[2], other[3] - other[2])
            for other in taken
        ):
            taken.append(one)
    return taken


@pytest.mark.parametrize("ranking", ["gist", "mean"])
@pytest.mark.parametrize("seed", range(6))
def test_search_does_what_its_steps_say(seed, ranking):
    rng = np.random.default_rng(seed)
    features = smooth_library(rng, [30, 1, 22, 40])
    index = index_of(features)
    start, n = int(rng.integers(0, 20)), 7
    query = asked(
        features, 4, start, start + n, frames=(int(rng.integers(n)),), k=None, within=1e9,
        neighbours=int(rng.integers(1, 40)), dimensions=6, warp_dimensions=3, with_itself=True, ranking=ranking,
    )  # fmt: skip

    result = search_poses(index, query)

    wanted = naive_search(index, query)
    found = [
        (match.distance, match.segment.clip_id, match.segment.start, match.segment.stop) for match in result.matches
    ]
    assert [one[1:] for one in found] == [one[1:] for one in wanted]
    assert [one[0] for one in found] == pytest.approx([one[0] for one in wanted])


def test_the_query_finds_itself_when_it_may_and_not_otherwise():
    features = smooth_library(np.random.default_rng(0), [80, 60])
    index = index_of(features)

    itself = search_poses(index, asked(features, 1, 20, 50, with_itself=True)).matches[0]
    others = search_poses(index, asked(features, 1, 20, 50)).matches

    assert itself.segment == Segment(1, 20, 50)
    assert itself.distance == pytest.approx(0.0, abs=1e-6)
    assert_array_equal(itself.alignment.pairs, np.repeat(np.arange(30)[:, None], 2, axis=1))
    assert (itself.method, itself.unit, itself.scale) == ("wpca", "cm", 1.0)
    for match in others:
        common = min(match.segment.stop, 50) - max(match.segment.start, 20)
        assert match.segment.clip_id != 1 or common <= 0.2 * 30


def test_a_slower_copy_is_found_with_its_timing():
    rng = np.random.default_rng(3)
    clip = smooth_clip(rng, 40)
    slow = {name: rows[np.arange(60) * 2 // 3] for name, rows in clip.items()}
    features = library([clip, slow, smooth_clip(rng, 50)])
    index = index_of(features)

    best = search_poses(index, asked(features, 1, 8, 30)).matches[0]

    assert best.segment.clip_id == 2
    assert best.scale == pytest.approx(1.5, abs=0.1)
    assert best.mean < 0.1
    pairs = best.alignment.pairs
    assert pairs[0, 0] == 0
    assert pairs[-1].tolist() == [21, best.segment.n_frames - 1]


def test_mirrored_matches():
    rng = np.random.default_rng(4)
    clip = smooth_clip(rng, 40)
    mirrored = {name: descriptions()[name].mirrored(rows) for name, rows in clip.items()}
    features = library([clip, mirrored, smooth_clip(rng, 50)])
    index = index_of(features)

    best = search_poses(index, asked(features, 1, 5, 35, mirrored="both")).matches[0]
    alone = search_poses(index, asked(features, 1, 5, 35, mirrored="only", k=1)).matches

    assert (best.segment, best.mirrored) == (Segment(2, 5, 35), True)
    assert best.mean < 1e-3
    assert alone[0].segment == best.segment
    assert not any(match.mirrored for match in search_poses(index, asked(features, 1, 5, 35)).matches)


def test_only_some_clips_are_searched():
    features = smooth_library(np.random.default_rng(5), [60, 60, 400])
    index = index_of(features)

    result = search_poses(index, asked(features, 1, 0, 20, k=50), clip_ids={3})

    assert result.matches
    assert {match.segment.clip_id for match in result.matches} == {3}
    assert result.n_clips == 1


def test_several_characteristic_poses_lie_on_the_alignment():
    features = smooth_library(np.random.default_rng(6), [300, 200])
    index = index_of(features)

    result = search_poses(index, asked(features, 1, 10, 160, with_itself=True, n_poses=3))

    assert len(result.frames) == 3
    assert result.matches[0].segment == Segment(1, 10, 160)
    assert len(search_poses(index, asked(features, 1, 10, 160)).frames) == 2  # one for every 4 s begun


def test_ranking_thresholds_and_dimensions():
    features = smooth_library(np.random.default_rng(7), [90, 200, 200])
    index = index_of(features, n_components=20)
    every = search_poses(index, asked(features, 1, 0, 30, k=None, within=1e9)).matches

    near = search_poses(index, asked(features, 1, 0, 30, k=None, within=every[1].mean)).matches

    assert [match.segment for match in near] == [match.segment for match in every[:2]]
    for ranking in ("even", "robust"):
        found = search_poses(index, asked(features, 1, 0, 30, ranking=ranking)).matches
        assert [match.distance for match in found] == sorted(match.distance for match in found)
        assert {match.unit for match in found} == {"°"}
    scaled = asked(features, 1, 0, 30, scaling="eigenvalues", dimensions=20, ranking="mean")
    assert search_poses(index, scaled).matches[0].unit == ""
    with pytest.raises(UsageError, match="21 dimensions were requested, but this library has only 20"):
        search_poses(index, asked(features, 1, 0, 30, dimensions=21))


def test_what_counts_in_the_space_counts_in_the_ranking():
    """The left arm of the first clip moves on in the second, its right arm in the third; all legs do as they like."""
    rng = np.random.default_rng(10)
    clips = [smooth_clip(rng, 60) for _ in range(3)]
    names = [dimension.part for dimension in descriptions()["gist"].dimensions]
    for side, clip in (("Left", clips[1]), ("Right", clips[2])):
        same = [name.startswith(side) and name[len(side) :] in ("UpperArm", "Forearm", "Hand") for name in names]
        clip["gist"][:, same] = clips[0]["gist"][:, same]
        clip["angles"], clip["root"] = clips[0]["angles"].copy(), clips[0]["root"].copy()
    features = library(clips)
    space = train_space(library_poses(features), column_weights())

    def nearest(preset):
        index = build_pose_index(features, space, shares=joint_shares(preset))
        return search_poses(index, asked(features, 1, 10, 40, overlap=0.0)).matches[0]

    assert (nearest("left hand").segment.clip_id, nearest("right hand").segment.clip_id) == (2, 3)
    assert nearest("left hand").mean < 0.2 * nearest("whole body").mean
    assert nearest("spine").unit == "°"  # of which the gist tells nothing


def test_the_mirror_is_for_spaces_of_both_sides():
    features = smooth_library(np.random.default_rng(11), [60, 60])
    space = train_space(library_poses(features), column_weights("right hand"))
    index = build_pose_index(features, space, shares=joint_shares("right hand"))

    both = search_poses(index, asked(features, 1, 0, 30, mirrored="both"))
    plain = search_poses(index, asked(features, 1, 0, 30))

    assert [match.segment for match in both.matches] == [match.segment for match in plain.matches]
    with pytest.raises(UsageError, match="one side of the body counts more"):
        search_poses(index, asked(features, 1, 0, 30, mirrored="only"))


def test_components_can_be_left_out():
    features = smooth_library(np.random.default_rng(8), [60, 60])
    index = index_of(features)

    only_first = search_poses(index, asked(features, 1, 0, 30, dimensions=2, warp_dimensions=2, factors=(1.0, 0.0)))
    one = search_poses(index, asked(features, 1, 0, 30, dimensions=1, warp_dimensions=1))

    assert [match.segment for match in only_first.matches] == [match.segment for match in one.matches]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"pose": "best"}, "a characteristic pose must be"),
        ({"scaling": "cubes"}, "scaling must be none or eigenvalues, not 'cubes'"),
        ({"k": None}, "set a number of matches"),
        ({"neighbours": 0}, "neighbours must be at least 1, not 0"),
        ({"frames": (30,)}, "between 0 and 29, counted from the query's start, not 30"),
        ({"factors": (-1.0,)}, "factors must be numbers of at least 0"),
        ({"factors": (0.0,) * 5}, "all factors are 0"),
        ({"overlap": 2}, "overlap must be between 0 and 1, not 2"),
        ({"slack": -1}, "slack must be at least 0, not -1"),
        ({"within": float("nan")}, "must be a number"),
    ],
)
def test_what_cannot_be_asked_is_told(options, words):
    features = smooth_library(np.random.default_rng(9), [60])

    with pytest.raises(UsageError, match=words):
        asked(features, 1, 0, 30, **options)
