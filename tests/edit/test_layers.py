"""Edits as layers in a bank: one change, undone in one step, taken out from below, put on again."""

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from bank.small_banks import recording
from edit.made_subjects import take
from motionary.alignment import Alignment, Match
from motionary.bank import Bank, Label
from motionary.edit import (
    Emote,
    apply_again,
    apply_edit,
    edit_recipes,
    list_edits,
    measure_qualities,
    preview_edit,
    read_recipe,
    recipe_from_json,
    remove_edits,
    write_recipe,
)
from motionary.edit.planning import EditTarget
from motionary.edit.targets import unlike_after
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.feet import clean_segments
from motionary.motion import Segment, recording_of
from motionary.plants import Plant

N_FRAMES = 500


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    """Two clips of the sample library with plants, labels, a selection and a target."""
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for number, name in enumerate(("one", "two")):
            made = take(number)
            plants = [plant for plant in made.plants if plant.stop <= N_FRAMES]
            labels = [Label("early", 20, 60), Label("inside", 210, 230), Label("late", 400, 450), Label("all")]
            bank.add(name, recording_of(made.motion.slice(0, N_FRAMES)), plants=plants, labels=labels)
        pairs = np.stack([np.arange(40), np.arange(40)], axis=1).astype(np.int32)
        rows = [Match(Segment(2, 400, 480), 1.0, 1.0, "cm", "dtw", Alignment(pairs), 60, 30.0)]
        bank.keep_selection("found", rows, query=Segment(1, 400, 480))
        yield bank


def values(bank: Bank, clip: str = "one") -> np.ndarray:
    return bank.recording(clip).values


def labels(bank: Bank, clip: str = "one") -> dict[str, tuple[int | None, int | None]]:
    return {label.name: (label.start, label.stop) for label in bank.labels(bank.clip(clip))}


def test_an_edit_is_a_layer_and_undone_in_one_step(bank: Bank) -> None:
    before = values(bank), values(bank, "two")

    report = apply_edit(bank, "one:200-300", "smooth", {"cutoff_hz": 1.0}, to=["two:100-200", "two:300-380"])

    assert report.n_changed == 3
    assert [(layer.clip, layer.position, layer.start, layer.stop) for layer in list_edits(bank)] == [
        ("one", 1, 200, 300),
        ("two", 1, 100, 200),
        ("two", 1, 300, 380),
    ]
    assert not np.array_equal(values(bank), before[0])
    assert bank.log()[0].command == "edit smooth one:200-300 and 2 more"
    assert bank.check() == []
    bank.undo()
    assert np.array_equal(values(bank), before[0])
    assert np.array_equal(values(bank, "two"), before[1])
    assert list_edits(bank) == []


def test_a_preview_says_all_and_does_nothing(bank: Bank) -> None:
    before = values(bank)
    report = preview_edit(bank, "one:200-300", Emote(horizontal=1.0), to="two:100-200")

    assert report.change_id is None
    assert [row["clip"] for row in report.rows] == ["one", "two"]
    assert all(row["moved_cm"] > 1.0 and row["slide_after_cm"] <= 0.2 for row in report.rows)
    assert np.array_equal(values(bank), before)
    json.dumps(report.rows)


def test_matches_can_be_taken_out_one_by_one(bank: Bank) -> None:
    report = apply_edit(bank, "one:200-300", "smooth", to=["two:100-200", "two:300-380"], drop=[1, 2])

    assert [layer.start for layer in list_edits(bank)] == [300]
    assert [row["number"] for row in report.rows] == [3]
    with pytest.raises(UsageError, match="there is no edit 9 to drop; the preview has 1 to 2"):
        apply_edit(bank, "one:200-300", "smooth", to="two:100-200", drop=[9])


def test_of_overlapping_targets_the_nearer_is_edited(bank: Bank) -> None:
    report = apply_edit(bank, "one:200-300", "smooth", to=["one:250-350", "two:100-200"])

    assert [(layer.clip, layer.start) for layer in list_edits(bank)] == [("one", 200), ("two", 100)]
    assert report.left_alone == ("one:250-350 overlaps one:200-300, which is nearer",)
    both = apply_edit(bank, "one:200-300", "smooth", to="one:250-350", overlaps=True)
    assert both.n_changed == 2


def test_what_lies_on_the_frames_moves_along(bank: Bank) -> None:
    apply_edit(bank, "one:200-300", "delete")

    assert bank.clip("one").n_frames == N_FRAMES - 100
    assert labels(bank) == {"all": (None, None), "early": (20, 60), "late": (300, 350)}
    assert bank.selection("found").query == Segment(1, 300, 380)
    assert len(bank.plants(1)) > 0
    assert bank.check() == []
    bank.undo()
    assert labels(bank)["inside"] == (210, 230)
    assert bank.selection("found").query == Segment(1, 400, 480)


def test_matches_inside_a_stretch_that_changes_pace_keep_their_alignment(bank: Bank) -> None:
    apply_edit(bank, "two:380-490", "speed", {"factor": 2.0})

    (row,) = bank.matches("found").values()
    assert row.segment.n_frames < 80
    assert row.alignment.pairs[0].tolist() == [0, 0]
    assert (np.diff(row.alignment.pairs, axis=0) >= 0).all()
    assert bank.check() == []


def test_a_preview_lists_what_would_be_lost(bank: Bank) -> None:
    (row,) = preview_edit(bank, "one:200-300", "delete").rows

    assert "label inside on 210-230" in row["lost"]
    assert row["frames"] == -100


def test_a_buried_edit_is_taken_out_and_those_above_put_on_anew(bank: Bank) -> None:
    apply_edit(bank, "one:200-300", "smooth", {"cutoff_hz": 1.0})
    apply_edit(bank, "one:350-450", "noise", {"amplitude_deg": 5.0})
    alone = apply_edit(bank, "two:350-450", "noise", {"amplitude_deg": 5.0}, seed=0)

    (gone,) = remove_edits(bank, "one", [1])

    assert (gone.operation, gone.position) == ("smooth", 1)
    assert [(layer.position, layer.operation) for layer in list_edits(bank, ["one"])] == [(1, "noise")]
    assert alone.n_changed == 1
    assert np.allclose(
        values(bank)[150:340], recording_of(take(0).motion.slice(0, N_FRAMES)).values[150:340], atol=1e-3
    )
    assert bank.check() == []


@pytest.mark.parametrize("form", ["offset", "wrapped", "other solution"])
def test_what_an_edit_leaves_alone_keeps_its_numbers(bank: Bank, form: str) -> None:
    """Joints that are not named, and frames outside: whatever of the many ways to write its angles a file has."""
    plain = recording_of(take(0).motion.slice(0, N_FRAMES))
    angles = plain.layout.is_rotation
    turned = np.array(plain.values)
    if form == "offset":
        turned[:, angles] += 360.0
    elif form == "wrapped":
        turned[:, angles] = (turned[:, angles] + np.arange(N_FRAMES)[:, None] * 3.6) % 360.0 - 180.0
    else:
        turned[:, angles] = turned[:, angles] * np.where(plain.layout.kinds[angles] == 3, -1.0, 1.0) + 180.0
    bank.add("turned", replace(plain, values=turned))
    before, motion = values(bank, "turned"), bank.motion("turned")

    apply_edit(bank, "turned:200-300", "noise", {"amplitude_deg": 20.0}, joints=["left arm"])

    after = values(bank, "turned")
    changed = after != before
    parts = {motion.skeleton.names[joint] for joint in plain.layout.joints[changed.any(axis=0)]}
    assert parts == {"LeftClavicle", "LeftUpperArm", "LeftForearm", "LeftHand"}
    assert not changed[:200].any()
    assert not changed[300:].any()
    again = bank.motion("turned")
    others = [joint for joint, name in enumerate(motion.skeleton.names) if name not in parts]
    assert np.array_equal(again.rotations[:, others], motion.rotations[:, others])
    largest = np.abs(np.diff(before[:, angles], axis=0)).max()
    steps = np.abs(np.diff(after[:, angles], axis=0))
    assert steps.max() <= largest + (30.0 if form == "wrapped" else 1.0), "a jump that the file did not have"


def test_layers_that_are_put_on_anew_give_the_same_bytes(bank: Bank) -> None:
    apply_edit(bank, "one:350-450", "noise", {"amplitude_deg": 5.0})
    wanted = values(bank)
    bank.undo()
    apply_edit(bank, "one:100-160", "smooth", {"cutoff_hz": 1.0}, protect=False, joints=["Head"])
    apply_edit(bank, "one:350-450", "noise", {"amplitude_deg": 5.0})

    remove_edits(bank, "one", [1])

    assert np.array_equal(values(bank), wanted)


def test_taking_out_an_edit_of_time_moves_those_above(bank: Bank) -> None:
    apply_edit(bank, "one:100-160", "speed", {"factor": 2.0})
    start = labels(bank)["late"][0]
    assert start is not None
    apply_edit(bank, f"one:{start}-{start + 50}", "smooth", {"cutoff_hz": 1.0})

    remove_edits(bank, "one", [1])

    assert [(layer.operation, layer.start, layer.stop) for layer in list_edits(bank, ["one"])] == [("smooth", 400, 450)]
    assert labels(bank)["late"] == (400, 450)
    assert bank.clip("one").n_frames == N_FRAMES
    assert bank.check() == []


def test_an_edit_on_frames_that_a_removed_one_made_is_a_conflict(bank: Bank) -> None:
    apply_edit(bank, "one:200-300", "speed", {"factor": 0.5})
    apply_edit(bank, "one:250-350", "smooth")
    before = values(bank)

    with pytest.raises(BankError, match=r"2 \(smooth\) depends on frames that a removed edit made or moved in time"):
        remove_edits(bank, "one", [1])

    assert np.array_equal(values(bank), before)
    assert len(remove_edits(bank, "one", [1, 2])) == 2
    assert list_edits(bank) == []
    assert bank.clip("one").n_frames == N_FRAMES


def test_a_deleted_stretch_comes_back_with_its_labels(bank: Bank) -> None:
    apply_edit(bank, "one:200-300", "delete")
    remove_edits(bank, "one")

    assert labels(bank) == {"all": (None, None), "early": (20, 60), "inside": (210, 230), "late": (400, 450)}
    assert bank.check() == []


def test_clean_is_a_layer_like_others(bank: Bank) -> None:
    moved = bank.motion("one")
    slid = np.array(moved.root_positions)
    slid[:, 0] += 0.03 * np.sin(np.arange(N_FRAMES) / 9.0)
    bank.set_motion("one", type(moved)(moved.skeleton, moved.frame_time, slid, moved.rotations), command="slide")
    sliding = values(bank)
    clean_segments(bank, ["one"])
    cleaned = values(bank)
    apply_edit(bank, "one:350-450", "noise", {"amplitude_deg": 5.0})

    assert [layer.operation for layer in list_edits(bank, ["one"])] == ["clean", "noise"]
    (name,) = {layer.hash for layer in list_edits(bank, ["one"]) if layer.operation == "clean"}
    assert apply_again(bank, name, "two", dry_run=True).recipe.operation == edit_recipes(bank)[name][0].operation
    remove_edits(bank, "one", [2])
    assert np.array_equal(values(bank), cleaned)
    apply_edit(bank, "one:350-450", "noise", {"amplitude_deg": 5.0})
    remove_edits(bank, "one", [1])
    assert np.allclose(values(bank)[:200], sliding[:200])


def test_motion_of_another_clip_is_pinned(bank: Bank) -> None:
    apply_edit(bank, "one:200-300", "paste", {"source": "two:100-200"})
    wanted = values(bank)
    apply_edit(bank, "two:100-200", "noise", {"amplitude_deg": 20.0})
    apply_edit(bank, "one:20-60", "smooth")

    remove_edits(bank, "one", [2])

    assert np.array_equal(values(bank), wanted)
    assert list_edits(bank, ["one"])[0].content["clip_ids"] == [2]
    bank.purge("two")
    assert list_edits(bank, ["one"]) == []
    assert bank.check() == []


def test_recipes_are_known_by_their_hash_exported_and_put_on_again(bank: Bank, tmp_path: Path) -> None:
    report = apply_edit(bank, "one:200-300", "emote", {"vertical": 0.5}, joints=["upper body"], to="two:100-200")
    recipe = report.recipe

    assert {name: n for name, (_, n) in edit_recipes(bank).items()} == {recipe.hash: 2}
    write_recipe(recipe, tmp_path / "rise.json")
    again = read_recipe(tmp_path / "rise.json")
    assert again.hash == recipe.hash
    assert again.outline is not None
    for name in (recipe.hash[:5], tmp_path / "rise.json", again):
        done = apply_again(bank, name, "two:300-400")
        assert done.n_changed == 1
        bank.undo()
    with pytest.raises(NotInBankError, match="no edit has a recipe 'ffff'"):
        apply_again(bank, "ffff", "two:300-400")
    content = json.loads((tmp_path / "rise.json").read_text())
    (tmp_path / "newer.json").write_text(json.dumps(content | {"version": 2}))
    with pytest.raises(UsageError, match="the recipe is of version 2, this Motionary knows up to 1; upgrade"):
        apply_again(bank, tmp_path / "newer.json", "two:300-400")


def test_results_can_be_new_clips_that_differ(bank: Bank) -> None:
    report = apply_edit(
        bank, "one:100-300", "noise", {"frequency_hz": 0.8}, new_clips=True, variants=3,
        vary={"amplitude_deg": (4.0, 9.0)},
    )  # fmt: skip

    assert report.new_clips == ("one~noise", "one~noise~2", "one~noise~3")
    assert list_edits(bank) == []
    motions = [bank.motion(name).positions_world for name in report.new_clips]
    for i in range(3):
        for j in range(i):
            assert np.linalg.norm(motions[i] - motions[j], axis=-1).max() > 0.02
    assert labels(bank, "one~noise") == labels(bank)
    recipe = bank.recipe("one~noise")
    assert recipe is not None
    assert recipe["clip_ids"] == [1]
    assert [clip.name for clip in bank.made_of("one")] == list(report.new_clips)
    bank.undo()
    assert [clip.name for clip in bank.clips()] == ["one", "two"]


def test_a_strength_may_follow_the_likeness(bank: Bank) -> None:
    bank.keep_selection("graded", [
        Match(Segment(2, start, start + 60), distance, 1.0, "cm", "dtw", Alignment(np.array([[0, 0]])), 60, 30.0)
        for start, distance in ((60, 1.0), (160, 2.0), (260, 4.0))
    ])  # fmt: skip
    report = preview_edit(bank, "one:200-260", "smooth", to="@graded", strength_by="proportional")
    assert [row["strength"] for row in report.rows] == [1.0, 0.8, 0.6, 0.2]
    curve = preview_edit(bank, "one:200-260", "smooth", to="@graded", strength_by=[(0.0, 0.0), (0.5, 1.0)])
    assert [row["strength"] for row in curve.rows] == [1.0, 1.0, 1.0, 0.4]
    assert [row["like"] for row in curve.rows] == [1.0, 0.8, 0.6, 0.2]


def test_what_is_named_or_was_searched_for_otherwise_has_no_likeness(bank: Bank) -> None:
    """@found is of a search for one:400-480."""
    for to in ("two:100-200", "@found", "label:early"):
        report = preview_edit(bank, "one:200-300", "smooth", to=to)
        assert {row["like"] for row in report.rows[1:]} == {None}
        with pytest.raises(
            UsageError, match=r"a strength by likeness needs matches of a search .*; \d of \d segments have no"
        ):
            preview_edit(bank, "one:200-300", "smooth", to=to, strength_by="proportional")
    assert [row["like"] for row in preview_edit(bank, "one:420-480", "smooth", to="@found").rows] == [1.0, 0.2]
    again = apply_edit(bank, "one:200-300", "smooth").recipe
    assert apply_again(bank, again, "two:100-200", dry_run=True).rows[0]["like"] is None


def test_matches_after_a_gap_are_remarked_on() -> None:
    def numbers(*distances: float) -> list[int]:
        targets = [EditTarget(Segment(1, 0, 9), is_example=True)]
        targets += [EditTarget(Segment(2, 0, 9), 0.5, distance=distance) for distance in distances]
        return unlike_after(list(enumerate(targets, start=1)))

    assert numbers(1.4, 1.8, 9.0, 9.1) == [4, 5]
    assert numbers(9.0, 1.4) == [2]
    assert numbers(1.4, 1.8, 2.5) == numbers(0.0, 1.0) == numbers(3.0) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"joints": ["Tail"]}, r"edit 1, one:200-300: the skeleton has no joint 'Tail'.*Nothing was changed"),
        ({"to": "label:nothing"}, "no clip or segment has the label 'nothing'"),
        ({"variants": 2}, "variants are new clips"),
        ({"nonsense": 1}, "an edit has no option 'nonsense'"),
        ({"vary": {"order": (1, 2)}}, "smooth order cannot vary; those that can: amount, cutoff_hz"),
        ({"vary": {"cutoff_hz": (1.0, float("inf"))}}, "cutoff_hz cannot vary from 1 to inf"),
        ({"ease_secs": float("inf")}, "borders cannot be eased over inf s"),
        ({"strength_by": [(float("nan"), 1.0)]}, "a curve of strengths has numbers"),
    ],
)
def test_bad_words_change_nothing(bank: Bank, words: dict, message: str) -> None:
    before = values(bank)
    with pytest.raises((UsageError, NotInBankError), match=message):
        apply_edit(bank, "one:200-300", "smooth", **words)
    assert np.array_equal(values(bank), before)
    assert list_edits(bank) == []


@pytest.mark.parametrize("target", ["two:100-160", "two:60-170", "two:200-230"])
def test_a_longer_end_makes_every_match_longer_at_its_own_pace(bank: Bank, target: str) -> None:
    points = [[0.5, 0.6], [1.0, 2.0]]  # the second is the end of the example

    report = preview_edit(bank, "one:100-160", "time-warp", {"points": points}, to=target)

    example, match = report.rows
    assert (example["frames"], example["problem"], match["problem"]) == (60, "", "")
    assert match["frames"] == pytest.approx(match["stop"] - match["start"], abs=2)
    (late,) = preview_edit(bank, "one:100-160", "time-warp", {"points": [[1.02, 2.0]]}).rows
    assert "a point at 1.02 s lies outside of the segment's 1 s" in late["problem"]


def test_points_in_time_are_numbers(bank: Bank) -> None:
    with pytest.raises(UsageError, match="time-warp points: nan is not possible"):
        apply_edit(bank, "one:100-160", "time-warp", {"points": [[0.5, float("nan")]]})


def test_an_edited_clip_is_found_by_its_new_motion(bank: Bank) -> None:
    from motionary.search import search_bank

    apply_edit(bank, "one:200-300", "replace", {"source": "two:100-180"})
    found = search_bank(bank, "two:100-180", k=3, mirrored="no")

    assert "one" in [match.clip for match in found.matches]


def test_originals_can_be_seen_and_searched(bank: Bank) -> None:
    from motionary.search import search_bank

    before, motion = values(bank), bank.motion("one:200-300")
    apply_edit(bank, "one:180-320", "replace", {"source": "two:100-180"})
    with bank.originals():
        assert np.array_equal(values(bank), before)
        assert [clip.n_frames for clip in bank.clips()] == [N_FRAMES, N_FRAMES]
        nearest = search_bank(bank, motion, k=1, mirrored="no").matches[0]
    assert not np.array_equal(values(bank), before)
    assert nearest.clip == "one"
    assert search_bank(bank, motion, k=1, mirrored="no").matches[0].distance > 2.0 * nearest.distance


def test_a_bank_edits_itself_and_recipes_keep_what_is_held(bank: Bank) -> None:
    report = bank.edit("one:200-300", Emote(horizontal=0.5), hold="LeftHand", score_limit=3.0)
    again = recipe_from_json(report.recipe.as_json())

    assert report.change_id is not None
    assert (again.hold, again.score_limit, again.hash) == (("LeftHand",), 3.0, report.recipe.hash)
    assert "hold" not in preview_edit(bank, "one:200-300", Emote()).recipe.as_json()
    with pytest.raises(UsageError, match=r"a score limit of 0\.5 is not possible; it must be at least 1"):
        bank.edit("one:200-300", Emote(horizontal=0.5), score_limit=0.5)


def test_an_edit_is_weakened_until_its_score_is_kept(bank: Bank) -> None:
    words = {"amplitude_deg": 25.0, "frequency_hz": 2.0}
    free, kept = (preview_edit(bank, "one:200-300", "noise", words, score_limit=limit, seed=1) for limit in (None, 1.2))

    assert free.rows[0]["score_after_cm"] > 1.2 * free.rows[0]["score_before_cm"]
    assert kept.rows[0]["score_after_cm"] < free.rows[0]["score_after_cm"]
    assert 0.0 < kept.rows[0]["strength"] < 1.0


def test_what_an_edit_took_along_comes_back_with_its_removal(bank: Bank) -> None:
    """Labels that were cut are whole again; targets, matches and queries on the stretch are there again."""
    bank.label("one:180-240", "across")
    bank.keep_selection("inside", [
        Match(Segment(1, 220, 280), 1.0, 1.0, "cm", "dtw", Alignment(np.array([[0, 0]])), 60, 30.0)
    ], query=Segment(1, 230, 290))  # fmt: skip
    row = {"id": 1, "clip_id": 1, "joint": "LeftHand", "frame": 250, "x": 0.0, "y": 1.0, "z": 0.0}
    with bank.change("target"):
        bank.bring_back("targets", row, (250, 251))

    (planned,) = preview_edit(bank, "one:200-300", "delete").rows
    apply_edit(bank, "one:200-300", "delete")

    assert {"label inside on 210-230", "target of LeftHand at 250"} <= set(planned["lost"])
    assert "match 1 of @inside on 220-280" in planned["lost"]
    assert "query of @inside on 230-290" in planned["lost"]
    assert labels(bank)["across"] == (180, 200)
    assert (bank.matches("inside"), bank.selection("inside").query, bank.targets(1)) == ({}, None, [])
    remove_edits(bank, "one")
    assert labels(bank)["across"] == (180, 240)
    assert labels(bank)["inside"] == (210, 230)
    assert [one.frame for one in bank.targets(1)] == [250]
    assert [one.segment for one in bank.matches("inside").values()] == [Segment(1, 220, 280)]
    assert bank.selection("inside").query == Segment(1, 230, 290)
    assert bank.check() == []


def test_what_was_taken_along_comes_back_to_where_its_frames_are(bank: Bank) -> None:
    """A deletion lies on an edit of time; both are removed one after the other, in either order."""
    for order in ((1, 1), (2, 1)):
        apply_edit(bank, "one:60-120", "speed", {"factor": 2.0})
        shift = labels(bank)["inside"][0] - 210  # type: ignore[operator]
        apply_edit(bank, f"one:{200 + shift}-{300 + shift}", "delete")
        assert "inside" not in labels(bank)
        for position in order:
            remove_edits(bank, "one", [position])
        assert labels(bank) == {"all": (None, None), "early": (20, 60), "inside": (210, 230), "late": (400, 450)}
        assert bank.check() == []


def test_layers_above_a_kept_edit_of_time_may_stay(bank: Bank) -> None:
    apply_edit(bank, "one:60-120", "smooth", {"cutoff_hz": 1.0})
    apply_edit(bank, "one:200-260", "speed", {"factor": 2.0})
    apply_edit(bank, "one:205-225", "noise", {"amplitude_deg": 5.0})

    remove_edits(bank, "one", [1])

    assert [(one.operation, one.start, one.stop) for one in list_edits(bank, ["one"])] == [
        ("speed", 200, 260),
        ("noise", 205, 225),
    ]


def test_a_recipe_aligns_with_its_example_wherever_it_is_taken_from(bank: Bank, tmp_path: Path) -> None:
    """The example itself was left as it was; later it is edited. Hash and file give the same bytes all the same."""
    words = {"turns": [[0.6, "LeftUpperArm", 0, 0, 60]]}
    report = apply_edit(bank, "one:200-300", "displace", words, to="two:100-180", itself=False)
    write_recipe(report.recipe, tmp_path / "raise.json")
    wanted = values(bank, "two")
    bank.undo()
    apply_again(bank, tmp_path / "raise.json", "two:100-180")
    assert np.array_equal(values(bank, "two"), wanted)
    bank.undo()
    apply_edit(bank, "one:200-300", "displace", words, to="two:300-380", itself=False)
    apply_edit(bank, "one:200-300", "speed", {"factor": 0.5})
    apply_again(bank, report.recipe.hash, "two:100-180")
    remove_edits(bank, "two", [1])
    assert np.array_equal(values(bank, "two"), wanted)

    other = preview_edit(bank, "one:300-400", "displace", words)
    assert other.recipe.hash != report.recipe.hash
    bank.purge("one")
    with pytest.raises(NotInBankError, match=r"the example of recipe \w+ is not there any more"):
        apply_again(bank, report.recipe.hash, "two:300-380")


def test_a_preview_counts_what_moves_along(bank: Bank) -> None:
    (row,) = preview_edit(bank, "one:100-160", "speed", {"factor": 2.0}).rows
    (still,) = preview_edit(bank, "one:100-160", "smooth", joints=["Head"]).rows

    assert row["labels_moved"] == 2
    assert row["plants_moved"] > 0
    assert (still["labels_moved"], still["plants_moved"]) == (0, 0)


def test_every_clip_of_a_pattern_grows_the_library(bank: Bank) -> None:
    report = apply_edit(
        bank, "one:200-300", "noise", to="*", itself=False, new_clips=True, variants=2, vary={"amplitude_deg": (2, 5)}
    )

    assert report.new_clips == ("one~noise", "one~noise~2", "two~noise", "two~noise~2")
    with pytest.raises(NotInBankError, match=r"no clip is called like 'x\*'"):
        preview_edit(bank, "one:200-300", "noise", to="x*")


def test_qualities_of_all_that_carry_a_label(bank: Bank) -> None:
    found = measure_qualities(bank, ["label:inside", "one:200-260"])

    assert [(one.clip, one.segment.start) for one in found] == [("one", 210), ("two", 210), ("one", 200)]


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_labels_that_follow_one_another_are_all_kept(bank: Bank, factor: float) -> None:
    """Each moves to where the next one was before."""
    for start in range(240, 400, 20):
        bank.label(f"one:{start}-{start + 20}", "step")
    n_labels = len(bank.labels(bank.clip("one")))

    apply_edit(bank, "one:200-240", "speed", {"factor": factor}, ease_secs=0.0)

    moved = round(40 / factor) - 40
    steps = [(label.start, label.stop) for label in bank.labels(bank.clip("one")) if label.name == "step"]
    assert steps == [(start + moved, start + moved + 20) for start in range(240, 400, 20)]
    assert len(bank.labels(bank.clip("one"))) == n_labels


def test_plants_are_as_at_first_when_a_stack_is_taken_off_from_below(bank: Bank) -> None:
    before = bank.plants(1)
    apply_edit(bank, "one:0-50", "delete")
    apply_edit(bank, "one:200-240", "smooth", {"cutoff_hz": 2.0}, joints=["Head"])
    apply_edit(bank, "one:300-340", "smooth", {"cutoff_hz": 2.0}, joints=["Head"])

    for _ in range(3):
        remove_edits(bank, "one", [1])
        assert bank.plants(1) == before


@pytest.mark.parametrize("removing", [False, True])
def test_what_somebody_else_edits_meanwhile_is_not_lost(
    bank: Bank, monkeypatch: pytest.MonkeyPatch, removing: bool
) -> None:
    apply_edit(bank, "one:300-400", "smooth")
    module = import_module(f"motionary.edit.{'stack' if removing else 'replicating'}")
    name = "list_edits" if removing else "measure"
    usual = getattr(module, name)

    def slow(*args: object) -> object:
        monkeypatch.setattr(module, name, usual)
        with Bank.open(bank.path) as other:
            apply_edit(other, "one:100-150", "smooth")
        return usual(*args)

    monkeypatch.setattr(module, name, slow)
    with pytest.raises(BankError, match="clip 'one' was changed by somebody else"):
        remove_edits(bank, "one", [1]) if removing else apply_edit(bank, "one:200-220", "smooth")

    assert [(layer.start, layer.stop) for layer in list_edits(bank, ["one"])] == [(300, 400), (100, 150)]
    assert bank.check() == []


def test_a_purge_takes_what_was_copied_on_from_an_edit(bank: Bank) -> None:
    bank.add("three", recording_of(take(2).motion.slice(0, 100)))
    before = values(bank), values(bank, "two")
    apply_edit(bank, "two:100-200", "paste", {"source": "three:0-100"})
    apply_edit(bank, "one:100-200", "paste", {"source": "two:100-200"})
    apply_edit(bank, "two:100-200", "smooth", new_clips=True)

    bank.purge("three")

    assert [clip.name for clip in bank.clips()] == ["one", "two"]
    assert list_edits(bank) == []
    assert np.array_equal(values(bank), before[0])
    assert np.array_equal(values(bank, "two"), before[1])


def test_a_layer_stays_when_only_a_removed_one_was_copied_from_a_purged_clip(bank: Bank) -> None:
    apply_edit(bank, "one:100-200", "paste", {"source": "two:100-200"})
    apply_edit(bank, "one:300-400", "smooth")
    remove_edits(bank, "one", [1])

    bank.purge("two")

    assert [layer.operation for layer in list_edits(bank, ["one"])] == ["smooth"]


def test_plants_that_somebody_else_sets_meanwhile_are_not_lost(bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
    module = import_module("motionary.edit.replicating")
    usual = module.measure

    def slow(*args: object) -> object:
        with Bank.open(bank.path) as other:
            other.set_plants("one", other.plants(1)[1:])
        return usual(*args)

    monkeypatch.setattr(module, "measure", slow)
    with pytest.raises(BankError, match="clip 'one' was changed by somebody else"):
        apply_edit(bank, "one:200-220", "smooth")


def test_plants_of_a_creature_move_along(bank: Bank) -> None:
    """Nothing is known of its feet, but somebody may have said where they stand."""
    plants = [
        Plant("left", "toe", 10, 30, (0.0, 0.0, 0.0), "hand"),
        Plant("left", "toe", 100, 120, (0.0, 0.0, 0.0), "hand"),
    ]
    bank.add("creature", recording(1, n_frames=200), plants=plants)

    apply_edit(bank, "creature:0-50", "delete")

    assert [(plant.start, plant.stop) for plant in bank.plants(3)] == [(50, 70)]
    remove_edits(bank, "creature")
    assert bank.plants(3) == plants
