"""edit: the commands, end to end."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from command_line import invoke
from edit.made_subjects import take
from motionary.bank import Bank, Label
from motionary.errors import NotInBankError, UsageError
from motionary.motion import recording_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = take(0)
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        plants = [plant for plant in made.plants if plant.stop <= 300]
        labels = [Label("move", 60, 120), Label("move", 180, 240)]
        bank.add("clip", recording_of(made.motion.slice(0, 300)), plants=plants, labels=labels)
        bank.add("other", recording_of(take(1).motion.slice(0, 200)))
    return tmp_path / "a.bank"


def run(*words: object) -> str:
    result = invoke(["edit", *map(str, words)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result.stdout


def rows(*words: object) -> list[dict]:
    return [json.loads(line) for line in run(*words, "--json").splitlines()]


def test_from_preview_to_undo(path: Path, tmp_path: Path) -> None:
    words = (path, "clip:60-120", "emote", "horizontal=1", "--to", "label:move", "--joints", "upper body")
    seen = rows("preview", *words, "-o", tmp_path / "strip.png")
    assert [(row["start"], row["stop"]) for row in seen] == [(60, 120), (180, 240)]
    assert (tmp_path / "strip.png").stat().st_size > 1000
    assert rows("ls", path) == []

    assert rows("apply", *words, "--drop", "1") == seen[1:]
    (layer,) = rows("ls", path)
    assert (layer["clip"], layer["operation"], layer["start"]) == ("clip", "emote", 180)
    assert json.loads(run("show", path, "clip"))["hash"] == layer["hash"]
    (recipe,) = rows("recipes", path)
    assert (recipe["hash"], recipe["edits"]) == (layer["hash"], 1)

    run("recipes", path, "--export", layer["hash"][:4], "-o", tmp_path / "wide.json")
    assert len(rows("again", path, tmp_path / "wide.json", "--to", "other:20-120")) == 1
    assert len(rows("ls", path)) == 2
    assert rows("rm", path, "clip", "--dry-run")[0]["position"] == 1
    assert [row["clip"] for row in rows("rm", path, "clip")] == ["clip"]
    with Bank.open(path) as bank:
        assert bank.undo().command == "edit rm clip: 1"
        assert bank.undo().command.startswith("edit emote other:20-120")
        assert bank.undo().command.startswith("edit emote clip:180-240")
        assert bank.edit_rows() == []


def test_new_clips_and_variation(path: Path) -> None:
    run("apply", path, "clip:60-240", "noise", "--new-clips", "--variants", "2", "--vary", "amplitude_deg=3:8")
    with Bank.open(path) as bank:
        assert [clip.name for clip in bank.clips()] == ["clip", "other", "clip~noise", "clip~noise~2"]


def test_a_recipe_is_read_from_what_lists_and_shows_it(path: Path, tmp_path: Path) -> None:
    run("apply", path, "clip:60-120", "emote", "horizontal=1")
    (row,) = rows("recipes", path)
    (shown,) = rows("show", path, "clip")
    assert shown == json.loads(run("show", path, "clip"))

    for number, text in enumerate((json.dumps(row), json.dumps(shown, indent=2))):
        for name in (f"{number}.json", f"{number}"):
            (tmp_path / name).write_text(text)
            (edit,) = rows("again", path, tmp_path / name, "--to", "other:20-120", "--dry-run")
            assert edit["problem"] == ""
            assert edit["moved_cm"] > 1.0

    (tmp_path / "two.json").write_text(f"{json.dumps(row)}\n{json.dumps(row)}\n")
    (tmp_path / "bare.json").write_text("{}")
    for name, message in (("two", "this is more than one recipe"), ("bare", "this is not a recipe of an edit")):
        with pytest.raises(UsageError, match=f"{name}.json: {message}; .*--export HASH -o FILE` writes one"):
            run("again", path, tmp_path / f"{name}.json", "--to", "other:20-120")
    run("rm", path, "clip")
    with pytest.raises(UsageError, match=r"the recipe has no outline of its example, and .*--export HASH"):
        run("again", path, tmp_path / "0.json", "--to", "other:20-120")


def test_a_picture_has_all_variants(path: Path, tmp_path: Path) -> None:
    run("apply", path, "clip:200-240", "noise")
    noise = rows("recipes", path)[0]["hash"]
    for command, *words in (("apply", path, "clip:60-120", "noise"), ("again", path, noise, "--to", "clip:60-120")):
        run(command, *words, "--new-clips", "--variants", "2", "-o", tmp_path / "all.svg")
        assert (tmp_path / "all.svg").read_text().count("clip:60-120, after</text>") == 2


def test_what_there_is_to_do_is_told() -> None:
    text = run("operations")
    assert "displacement map" in text
    text = run("operations", "smooth")
    assert "cutoff_hz" in text
    assert "0.05–1000 Hz" in text
    assert {row["operation"] for row in rows("operations")} >= {"smooth", "emote", "time-warp"}


def test_qualities_choose(path: Path) -> None:
    found = rows("qualities", path, "clip:60-120", "clip:180-240")
    limit = sorted(row["horizontal"] for row in found)[1]
    assert len(rows("qualities", path, "clip:60-120", "clip:180-240", "--where", f"horizontal>={limit - 1e-3}")) == 1
    with pytest.raises(UsageError, match="'hop>1' is not a condition: there is no property 'hop'; choose"):
        run("qualities", path, "clip:60-120", "--where", "hop>1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("smooth", "cutoff"), "'cutoff' is not a parameter; write NAME=VALUE"),
        (
            ("smooth", "cutoff_hz=fast"),
            "smooth cutoff_hz: 'fast' cannot be understood; it takes a number 0.05 to 1000 Hz, as in cutoff_hz=1.0",
        ),
        (("mend", "gaps=perhaps"), "mend gaps: 'perhaps' cannot be understood; it takes true or false, as in gaps="),
        (
            ("displace", 'turns=[[0.5, "RightUpperArm", 0, 0]]'),
            r"cannot be understood; it takes \(seconds, joint, x, y, z\) in degrees, as in turns=\[\[0\.5, \"LeftUpper",
        ),
        (("reach", "target=up"), r"cannot be understood; it takes left, up, ahead.*as in target=\[0\.1, 0\.35, 0\.3\]"),
        (("smooth", "--vary", "cutoff_hz=a:b"), "is not a range; write NAME=LOW:HIGH"),
        (("smooth", "--strength-by", "0:x"), "is not a curve; write LIKENESS:STRENGTH"),
        (("smooth", "--within", "3"), "--within limits the matches of --search: also give --search K"),
        (("paste",), "paste needs another motion: source=CLIP:START-STOP"),
        (("nothing.json",), "nothing.json: cannot be read"),
        (("mend", "--to", "oddity:hop"), "there is no oddity 'hop'; there are t-pose, zero frames, frozen"),
    ],
)
def test_what_is_wrong_is_said(path: Path, words: tuple[str, ...], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        run("apply", path, "clip:60-120", *words)
    with Bank.open(path) as bank:
        assert bank.edit_rows() == []


def test_a_preview_fails_if_none_of_its_edits_can_be_done(path: Path) -> None:
    late = ("displace", 'turns=[[1.5,"LeftUpperArm",0,0,70]]', "--new-clips", "--variants", "2")
    result = invoke(["edit", "preview", str(path), "clip:60-120", *late])

    assert result.exit_code == 1
    assert "1 edit cannot be done\n" in result.stderr
    works = invoke(["edit", "preview", str(path), "clip:60-240", *late[:2]])
    assert works.exit_code == 0, works.output
    with pytest.raises(UsageError, match=r"outside of the segment's [0-9.]+ s\. Nothing was changed"):
        run("apply", path, "clip:60-120", *late)


def said(*words: object) -> str:
    result = invoke(["edit", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.stderr


@pytest.mark.parametrize(
    "words", [("reach",), ("emote", "--new-clips", "--variants", "2"), ("noise", "--strength", "0")]
)
def test_an_edit_with_nothing_to_do_says_so(path: Path, words: tuple[str, ...]) -> None:
    assert "the edit changes nothing\n" in said("apply", path, "clip:60-120", *words)
    (row, *_) = rows("preview", path, "clip:60-120", *words)
    assert (row["notes"], row["moved_cm"]) == (["changes nothing"], None)
    with Bank.open(path) as bank:
        assert (len(bank.clips()), bank.edit_rows()) == (2, [])


def test_variants_that_are_all_the_same_are_refused(path: Path) -> None:
    with pytest.raises(UsageError, match="all 2 variants of clip would be the same; --vary NAME=LOW:HIGH draws"):
        run("apply", path, "clip:60-120", "emote", "horizontal=1", "--new-clips", "--variants", "2")


def test_an_edit_that_is_put_on_twice_or_far_too_strongly_is_remarked_on(path: Path) -> None:
    words = ("apply", path, "clip:60-120", "emote", "horizontal=1")
    assert "already" not in said(*words)
    assert "clip:60-120 already has this edit (layer 1); it is applied once more\n" in said(*words)
    assert "already" not in said("preview", path, "other:60-120", "emote", "horizontal=1", "--strength", "2")
    assert "a strength of 1000 is far outside of 0 to 1" in said(
        "preview", path, "clip:0-60", "noise", "--strength", 1000
    )


def test_a_layer_is_shown_by_its_number_whatever_it_holds(path: Path) -> None:
    run("apply", path, "clip:60-120", "smooth", "--to", "label:move")
    run("apply", path, "clip:20-50", "noise")

    shown = [json.loads(run("show", path, "clip", number)) for number in (1, 2)]

    assert [(one["operation"], len(one["parts"])) for one in shown] == [("smooth", 2), ("noise", 1)]
    assert run("show", path, "clip") == run("show", path, "clip", 2)


def test_what_is_learnt_is_put_on_from_its_file(path: Path, tmp_path: Path) -> None:
    run("learn", path, "limits", "other", "-o", tmp_path / "limits.json")
    (row,) = rows("preview", path, "clip:60-120", tmp_path / "limits.json", "soft_deg=2")

    assert row["problem"] == ""
    for words, message in (
        (("style", "other"), "a style is learnt from two segments, a neutral and a styled one, not from 1"),
        (("noise", "other"), "'noise' cannot be learnt; style and limits can"),
    ):
        with pytest.raises(UsageError, match=message):
            run("learn", path, *words, "-o", tmp_path / "learnt.json")
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(UsageError, match="this is not an operation; `motionary edit learn` writes one"):
        run("preview", path, "clip:60-120", tmp_path / "other.json")


def test_all_jumps_of_the_root_are_mended(path: Path) -> None:
    with Bank.open(path) as bank:
        for name, jumps in (("clip", (100, 200)), ("other", (50,))):
            motion = bank.motion(name)
            places = np.array(motion.root_positions)
            for frame in jumps:
                places[frame:, 0] += 1.0
            bank.set_motion(name, replace(motion, root_positions=places), command="break")

    found = rows("apply", path, "clip:0-20", "mend", "--to", "oddity:root jump")

    assert [row["clip"] for row in found if row["moved_cm"]] == ["clip", "clip", "other"]
    assert rows("preview", path, "clip:0-20", "mend", "--to", "oddity:root jump")[0]["notes"] == ["changes nothing"]
    with Bank.open(path) as bank:
        steps = [np.diff(bank.motion(name).root_positions[:, 0]) for name in ("clip", "other")]
    assert max(np.abs(one).max() for one in steps) < 0.1


def test_layers_that_are_not_there(path: Path) -> None:
    with pytest.raises(NotInBankError, match="clip 'clip' has no edits"):
        run("rm", path, "clip")
    with pytest.raises(NotInBankError, match="has 0 layers; `edit ls` lists them"):
        run("show", path, "clip")


def test_a_style_that_is_learnt_without_cycles_says_so(path: Path, tmp_path: Path) -> None:
    words = ["edit", "learn", str(path), "style", "clip:60-100", "other:0-40", "-o", str(tmp_path / "style.json")]

    assert "name stretches of even steps" in invoke(words).stderr
