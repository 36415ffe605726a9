"""Searching a bank: planted motions come first, in whatever way they were planted."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank, export
from motionary.errors import NotInBankError, UsageError, UserError
from motionary.features import descriptions
from motionary.library import build_features, performance
from motionary.motion import Motion, Segment, mirror, poses_at, recording_of
from motionary.rig import mirror_partners
from motionary.search import (
    Index,
    LibrarySegment,
    Query,
    build_index,
    cluster_matches,
    explain_matches,
    find_motifs,
    find_segments,
    find_surprises,
    learn_profile,
)
from motionary.search import search_bank as search
from search.tiny_libraries import PLAIN


def search_bank(bank: Bank, query, **options):
    """A plain search, if nothing else is said, whatever is the default."""
    return search(bank, query, **options if isinstance(query, Query) else PLAIN | options)


def joined(*motions: Motion) -> Motion:
    return replace(
        motions[0],
        root_positions=np.concatenate([motion.root_positions for motion in motions]),
        rotations=np.concatenate([motion.rotations for motion in motions]),
        translations=np.concatenate([motion.joint_translations for motion in motions]),
    )


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory):
    """A query's clip; others with it as it was (at 60 Hz), mirrored and slower."""
    source = wild_body(1, n_frames=60)
    slower = poses_at(source, np.linspace(10, 49, 44))
    path: Path = tmp_path_factory.mktemp("search") / "a.bank"
    with Bank.open(path, create=True) as bank:
        bank.add("source", recording_of(source))
        copy = replace(poses_at(source, np.arange(0, 59.5, 0.5)), frame_time=1 / 60)
        other = replace(wild_body(5, n_frames=40), frame_time=1 / 60)
        bank.add("copy", recording_of(joined(other, copy)))
        partners = mirror_partners(source.skeleton)
        bank.add("mirror", recording_of(joined(wild_body(2, n_frames=15), mirror(source, partners))))
        bank.add("slow", recording_of(joined(wild_body(3, n_frames=21), slower, wild_body(4, n_frames=9))))
        bank.label(["mirror", "slow"], ["odd"])
        yield bank


def test_a_planted_copy_is_found_first_at_its_own_rate(bank):
    for distance in ("euclid", "dtw", "lcss"):
        match = search_bank(bank, "source:10-50", k=1, distance=distance).matches[0]

        assert (match.clip, match.segment.start, match.segment.stop) == ("copy", 60, 140)
        assert match.mean < 0.01
        assert match.alignment.pairs[:, 0].tolist() == list(range(40))


def test_its_own_place_is_a_match_only_if_asked_for(bank):
    own = search_bank(bank, "source:10-50", with_itself=True, k=1).matches[0]
    others = search_bank(bank, "source:10-50", k=None, within=1e6).matches

    assert (own.clip, own.segment.start, own.distance) == ("source", 10, 0.0)
    assert all(abs(match.segment.start - 10) >= 32 for match in others if match.clip == "source")


def test_a_mirrored_copy(bank):
    match = search_bank(bank, "source:10-50", mirrored="only", k=1).matches[0]

    assert (match.clip, match.segment.start, match.mirrored) == ("mirror", 25, True)
    assert match.mean < 0.01


def test_a_slower_copy_with_its_scale(bank):
    match = search_bank(bank, "source:10-50", scale=0.1, names="slow", k=1).matches[0]

    assert (match.clip, match.segment.start, match.segment.stop) == ("slow", 21, 65)
    assert match.scale == 1.1
    assert match.mean < 0.01
    assert match.alignment.pairs[-1].tolist() == [39, 43]


def test_only_some_clips_are_searched(bank):
    def clips(**where):
        return {match.clip for match in search_bank(bank, "source:10-50", k=None, within=1e6, **where).matches}

    assert clips(labels="odd") == {"mirror", "slow"}
    assert clips(names=["s*"]) <= {"source", "slow"}
    assert clips(text="copy") == {"copy"}
    with pytest.raises(NotInBankError, match="nothing to search"):
        clips(labels="even")
    with pytest.raises(UsageError, match="there is no search method 'magic'"):
        search_bank(bank, "source:10-50", by="magic")


def test_other_ways_to_search_by_the_same_call(bank):
    found = search(bank, "source:10-50", by="wpca", k=3, names=["copy", "slow"])
    again = search(bank, found.query, by="wpca", k=1)
    exactly = search(bank, found.query, k=1, **PLAIN)

    assert {match.method for match in found.matches} == {"wpca"}
    assert {match.clip for match in found.matches} <= {"copy", "slow"}
    assert len(again.matches) == 1
    assert (exactly.matches[0].method, exactly.matches[0].clip) == ("dtw", "copy")
    with pytest.raises(UsageError, match="unlike"):
        search(bank, "source:10-50", by="wpca", unlike="slow")


@pytest.mark.parametrize("by", ["wpca", "web"])
@pytest.mark.parametrize("options", [{"sources": {"arms": "#1:0-30"}}, {"profile": "mine"}, {"tolerance": 0.3}])
def test_other_ways_tell_what_they_do_not_know(bank, by, options):
    with pytest.raises(UsageError, match=f"has no option '{next(iter(options))}'"):
        search(bank, "#1:10-50", by=by, **options)


def test_what_is_left_out_adds_up(bank):
    first = search_bank(bank, "#1:10-50", k=3)
    second = search_bank(bank, first.query, k=3, without=[first.matches[0]])
    third = search_bank(bank, second.query, k=3, without=[second.matches[0]])

    assert third.matches[0].segment == first.matches[2].segment
    assert third.query.left_out[-2:] == third.query.without


def test_what_can_be_read_once_only_is_read_once(bank):
    plain = {"joints": ("arms",), "over_time": (1.0, 0.0, 1.0), "window": (0.1, 0.2), "descriptions": ("positions",)}

    once = search_bank(bank, "#1:10-50", k=3, **{name: (one for one in given) for name, given in plain.items()})

    assert once.query.joints == ("arms",)
    assert found(once) == found(search_bank(bank, "#1:10-50", k=3, **plain))


def test_places_to_leave_out_by_matches_segments_and_ids(bank):
    first = search_bank(bank, "#1:10-50", k=2).matches[0]

    for without in (first, [first], first.segment, f"{first.clip}:{first.segment.start}-{first.segment.stop}"):
        assert first.segment not in [match.segment for match in search_bank(bank, "#1:10-50", without=without).matches]
    assert search_bank(bank, "#1:10-50", k=2, without=[1]).matches[0].segment == first.segment


def test_a_query_with_other_words_and_features_at_hand(bank):
    features = build_features(bank)
    example = LibrarySegment(features, Segment(1, 10, 50))
    query = Query(example=example, descriptions=("angles", "root"), weights={"root": 0.1}, mirrored="no", k=3)

    first, again = (search_bank(bank, query, index=Index(features), k=2) for _ in range(2))

    assert [match.as_json() for match in first.matches] == [match.as_json() for match in again.matches]
    assert (first.matches[0].clip, first.matches[0].unit, len(first.matches)) == ("copy", "°", 2)


def found(result) -> list[tuple[str, int, int]]:
    return [(match.clip, match.segment.start, match.segment.stop) for match in result.matches]


def test_a_file_written_from_a_segment_finds_that_segment(bank, tmp_path):
    for clip, start, stop in (("source", 10, 50), ("copy", 60, 140)):
        export(bank, [f"{clip}:{start}-{stop}"], tmp_path / f"{clip}.bvh")

        (match,) = search_bank(bank, tmp_path / f"{clip}.bvh", names=clip, k=1).matches

        assert (match.clip, match.segment.start, match.segment.stop) == (clip, start, stop)
        assert match.mean < 0.01  # a file has no own place that would be left out


def test_a_motion_and_an_earlier_query_with_other_words(bank):
    first = search_bank(bank, bank.motion("source:10-50"), k=2)

    again = search_bank(bank, first.query, k=1, labels="odd")

    assert found(first)[0] == ("source", 10, 50)
    assert len(again.matches) == 1
    assert again.matches[0].clip in ("mirror", "slow")


def test_key_poses_find_what_they_were_taken_from(bank):
    poses = [f"source:{frame}@{(frame - 10) / 30}" for frame in range(10, 51, 4)]

    (match,) = search_bank(bank, poses, names=["source"], k=1).matches

    assert (match.segment.start, match.segment.stop) == (10, 51)
    assert match.mean < 2.0


def test_sources_that_say_the_same_change_nothing(bank):
    plain = search_bank(bank, "source:10-50", k=5)
    mixed = search_bank(bank, "source:10-50", sources={"arms, legs": "source:10-50"}, k=5)
    arms = search_bank(bank, "source:10-50", sources=[("arms", "slow:21-61")], names="slow", joints=("arms",), k=1)

    assert [match.as_json() for match in mixed.matches] == [match.as_json() for match in plain.matches]
    assert found(arms) == [("slow", 21, 61)]
    assert arms.matches[0].mean < 0.01


def test_what_is_like_the_negative_example_falls_behind(bank):
    plain = search_bank(bank, "source:10-50", k=1)
    unlike = search_bank(bank, "source:10-50", unlike="copy:60-140", unlike_weight=2.0, distance="euclid", k=1)
    parts = search_bank(bank, "source:10-50", unlike={"left arm": "copy:60-140"}, k=1)

    assert found(plain) == [("copy", 60, 140)]
    assert found(unlike) != found(plain)
    (one,) = parts.query.unlike
    assert (one.joints, one.weight, one.example.name) == (("left arm",), 0.5, "copy:60-140")
    assert search_bank(bank, parts.query, k=2).query.unlike == parts.query.unlike


def test_the_window_is_widened_until_there_are_enough(bank):
    def least(window: float) -> float:
        return search_bank(bank, "source:10-50", k=1, window=window, names="slow").matches[0].mean

    means = {window: least(window) for window in (0.0, 0.05, 0.1, 0.2, 0.4)}
    within = 1.001 * means[0.4]
    assert within < means[0.0]  # a slower copy is near only where frames may move

    result = search_bank(bank, "source:10-50", within=within, at_least=1, window=0.0, names="slow")
    never = search_bank(bank, "source:10-50", within=1e-6, at_least=2, window=0.5, labels="odd")

    assert len(result.matches) >= 1
    assert result.query.window == next(window for window, mean in means.items() if mean <= within)
    assert (never.matches, never.query.window) == ((), 1.0)
    with pytest.raises(UsageError, match="at_least must not be larger than k"):
        search_bank(bank, "source:10-50", k=2, within=5.0, at_least=3)


def test_clips_that_are_left_out(bank):
    def clips(**where):
        return {match.clip for match in search_bank(bank, "source:10-50", k=None, within=1e6, **where).matches}

    everything = clips()
    assert clips(without_labels="odd") == everything - {"mirror", "slow"}
    assert clips(without_names=["s*", "#3"]) == everything - {"source", "slow", "mirror"}
    assert clips(names=["#2", "#4"], without_names="copy") == {"slow"}
    with pytest.raises(NotInBankError, match="nothing to search"):
        clips(without_names="*")
    with pytest.raises(NotInBankError, match="no clip '#99'"):
        clips(without_names="#99")


@pytest.mark.parametrize(
    ("query", "options", "message"),
    [
        (None, {}, "a query is a segment .* and not a NoneType"),
        (True, {}, "and not a bool"),
        ({}, {}, "and not a dict"),
        ((1, 0, 30), {}, "a key pose must be a string"),
        ("source:10-50", {"ks": 3}, "search_bank has no option 'ks'; did you mean k"),
        ("source:10-50", {"k": "3"}, "k must be an integer"),
        ("source:10-50", {"index": "x"}, "index must be what build_index gives"),
        ("source:10-50", {"profile": 5}, "profile must be a Profile, the name of one, or its file"),
        ("source:10-50", {"text": 5}, "text must be a string"),
        ("source:10-50", {"names": [1]}, "an item of names must be a string"),
        ("source:10-50", {"without": [2.5]}, "an item of without must be a match, a segment"),
        ("source:10-50", {"unlike": 2.5}, "and not a float"),
        ("source:10-50", {"at_least": "3", "within": 9.0}, "at_least must be an integer"),
    ],
)
def test_what_nobody_can_mean_is_told_at_the_door(bank, query, options, message):
    with pytest.raises(UsageError, match=message):
        search_bank(bank, query, **options)


def test_results_are_no_queries_but_have_one(bank):
    result = search_bank(bank, "source:10-50", k=1)

    with pytest.raises(UsageError, match="give its `query`"):
        search_bank(bank, result)
    with pytest.raises(UsageError, match="is not an open bank"):
        search_bank(bank.path, "source:10-50")
    left = search_bank(bank, "source:10-50", k=1, without=result.matches[0])
    assert left.matches[0].segment != result.matches[0].segment


@pytest.fixture(scope="module")
def undescribed(tmp_path_factory):
    """A bank that no features were built of."""
    with Bank.open(tmp_path_factory.mktemp("new") / "a.bank", create=True) as bank:
        bank.add("wild", recording_of(wild_body(1, n_frames=60)))
        yield bank


@pytest.mark.parametrize(
    ("query", "options", "told"),
    [
        ("nobody:0-20", {}, "nobody"),
        ("wild:0-99", {}, "99"),
        ("missing.bvh", {}, "missing.bvh"),
        (["wild:0@0", "nobody:0@1"], {}, "nobody"),
        ("wild:0-20", {"joints": "LeftElbowe"}, "LeftElbowe"),
        ("wild:0-20", {"weights": {"tail": 2.0}}, "tail"),
        ("wild:0-20", {"distance": "lcss", "tolerances": {"tail": 2.0}}, "tail"),
        ("wild:0-20", {"sources": {"arms": "nobody"}}, "nobody"),
        ("wild:0-20", {"sources": {"tail": "wild"}}, "tail"),
        ("wild:0-20", {"unlike": {"tail": "wild:20-40"}}, "tail"),
        ("wild:0-20", {"unlike": "nobody"}, "nobody"),
        ("wild:0-20", {"without": ["nobody"]}, "nobody"),
        ("wild:0-20", {"labels": "no such label"}, "labels"),
        ("wild:0-20", {"profile": "no such profile"}, "no such profile"),
        ("wild:0-20", {"at_least": 3, "distance": "euclid"}, "euclid"),
        ("wild:0-20", {"by": "wpca", "space": "no such space"}, "no such space"),
        ("nobody:0-20", {"by": "wpca"}, "nobody"),
        ("nobody:0-20", {"by": "web"}, "nobody"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_query_is_told_before_anybody_waits(undescribed, query, options, told):
    with pytest.raises(UserError, match=told):
        search(undescribed, query, **options)

    assert not undescribed.derived_path.exists()


@pytest.mark.parametrize("find", [find_motifs, find_surprises])
@pytest.mark.parametrize("options", [{"joints": ("tail",)}, {"weights": {"tail": 2.0}}, {"labels": "no such label"}])
def test_what_is_wrong_with_a_motif_is_told_before_anybody_waits(undescribed, find, options):
    with pytest.raises(UserError, match=r"tail|labels"):
        find(undescribed, **options)

    assert not undescribed.derived_path.exists()


def test_a_text_that_no_file_can_be_called_by_is_no_clip(bank):
    for text in ("x" * 5_000, "x\0y"):
        with pytest.raises(NotInBankError, match="no clip"):
            search_bank(bank, text)


LEARNED = {"descriptions": ("learned",), "mirrored": "both"}


def same(one, other) -> bool:
    return [match.as_json() for match in one.matches] == [match.as_json() for match in other.matches]


@pytest.mark.parametrize("names", [("learned",), ("gist", "learned")])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"distance": "euclid", "mirrored": "only"},
        {"scale": 0.2},
        {"distance": "lcss", "tolerance": 4.0},
        {"unlike": "slow:30-60", "weights": {"learned": 0.5}},
        {"also": ["slow:0-30"], "combine": "all"},
    ],
    ids=["dtw", "euclid", "scaled", "lcss", "unlike", "averaged"],
)
def test_what_was_learned_is_searched_exactly(bank, names, options):
    found = [search_bank(bank, "source:10-50", by=by, descriptions=names, k=4, **options) for by in ("exact", "scan")]

    assert same(*found)
    assert len(found[0].matches) >= 1


def test_a_copy_is_found_by_what_was_learned(bank, tmp_path):
    export(bank, ["source"], tmp_path)
    for query in ("source:10-50", f"{tmp_path / 'source.bvh'}:10-50"):
        match = search_bank(bank, query, k=1, **LEARNED).matches[0]

        # Nearly the same is around it, and it is the same on either side of a mirror; the gist tells the side
        assert match.clip in {"source", "copy", "mirror"}
        assert (match.mean < 25, match.unit, match.mirrored) == (True, "%", match.clip == "mirror")


def test_a_file_is_described_as_its_clip_by_what_was_learned(bank, tmp_path):
    export(bank, ["source"], tmp_path)

    of_file = search_bank(bank, tmp_path / "source.bvh", k=1, **LEARNED).matches[0]

    assert of_file.clip == "source"
    assert of_file.mean < 0.5


def test_key_poses_by_what_was_learned(bank):
    assert len(search_bank(bank, ["source:10@0", "source:30@0.7"], k=2, **LEARNED).matches) == 2


def test_an_index_learns_once(bank):
    index = build_index(bank)

    first = search_bank(bank, "source:10-50", index=index, k=3, **LEARNED)
    again = search_bank(bank, "source:10-50", index=index, k=3, **LEARNED)

    assert same(first, again)
    assert same(first, search_bank(bank, "source:10-50", k=3, **LEARNED))
    assert index.features.network is None
    assert index.with_learned(lambda: pytest.fail("again")).features.network is not None


def test_what_was_learned_is_explained_along_with_the_gist(bank):
    result = search_bank(bank, "source:10-50", k=2, descriptions=("gist", "learned"))

    explained = explain_matches(bank, result)

    assert {"LeftHand", "learned"} <= set(explained[0].parts)
    assert explained[0].by_part.sum() == pytest.approx(result.matches[0].distance)


def test_ratings_of_what_was_learned_last(bank):
    result = search_bank(bank, "source:10-50", k=4, **LEARNED)

    profile = learn_profile(bank, result, accepted=1, rejected=3)
    found = [search_bank(bank, "source:10-50", by=by, k=4, profile=profile, **LEARNED) for by in ("exact", "scan")]

    # What the numbers mean changes when they are learned anew: a profile has none of them, nor weights for them
    assert all("learned" not in judged.arrays for judged in (*profile.accepted, *profile.rejected))
    assert set(profile.weights) == {dimension.name for dimension in descriptions()["gist"].dimensions}
    assert same(*found)
    assert not same(found[0], result)
    assert [len(query.example.away_from) for query in found[0].asked] == [1, 1]


def test_parts_of_the_body_are_not_in_what_was_learned(bank):
    with pytest.raises(UsageError, match="no compared dimension belongs to 'LeftHand'"):
        search_bank(bank, "source:10-50", joints=("LeftHand",), **LEARNED)


def test_a_match_and_a_clip_are_queries(bank):
    by_segment = search_bank(bank, "source:10-50", k=2)
    by_match = search_bank(bank, by_segment[0], k=2)

    assert by_match.query.example.name == by_segment[0].place
    assert search_bank(bank, bank.clip("source"), k=1).query.example.name == "source:0-60"
    with pytest.raises(UsageError, match="a match, a clip or its number"):
        search_bank(bank, 3.5)


def test_results_are_short_to_read(bank):
    result = search_bank(bank, "source:10-50", k=6)

    assert repr(explain_matches(bank, result)[0]).startswith(f"Explanation({result[0].place}, ")
    assert repr(bank.motion("source")) == "Motion(60 frames, 2.00 s, 24 joints)"
    assert repr(bank.skeleton("#1")).startswith("Skeleton(24 joints, root ")
    assert repr(bank.recording("source:0-10")) == "Recording(10 frames, 24 joints)"
    assert repr(performance(bank, "source:0-10")) == "Performance(source:0-10)"
    assert re.fullmatch(r"Cluster\(\d+ matches, most typical \S+\)", repr(cluster_matches(bank, result).clusters[0]))
    assert repr(result.query) == "Query(source:10-50, 40 frames, by positions)"
    profile = learn_profile(bank, result, accepted=[1, 2], rejected=3)
    assert repr(profile) == f"Profile(2 accepted, 1 rejected, {len(profile.weights)} weights from source:10-50)"
    table = find_segments(bank, "speed > 0", length_secs=0.5)._repr_html_()
    assert "<th>speed</th>" in table
    assert "<th>mean</th>" in result._repr_html_()


def test_a_search_in_a_closed_bank_says_so(tmp_path):
    with Bank.open(tmp_path / "b.bank", create=True) as closed:
        pass
    with pytest.raises(UsageError, match="the bank is closed"):
        search_bank(closed, "source:10-50")
