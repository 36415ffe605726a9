"""End to end: the real command line on a temporary bank."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from command_line import Run, run_here
from conftest import swaying_body
from motionary import picture
from motionary.bank import Bank
from motionary.cli import options
from motionary.formats import bvh_text
from motionary.motion import recording_of


def motionary(*words: str, cwd: Path, expect: int = 0) -> Run:
    """What a command says that is run here."""
    return told(run_here(*words, cwd=cwd), expect)


def started(*words: str, cwd: Path, expect: int = 0) -> Run:
    """What a command says that is run in a process of its own."""
    command = [sys.executable, "-c", "from motionary.cli import main; main()", *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    return told(Run(done.returncode, done.stdout, done.stderr), expect)


def told(run: Run, expect: int) -> Run:
    assert run.returncode == expect, run.stderr + run.stdout
    assert "Traceback" not in run.stderr
    return run


def test_a_library_goes_in_is_found_changed_and_comes_out(captures):
    started("import", "a.bank", "captures", "--labels", "labels.csv", "--label-folders", cwd=captures)

    listed = [json.loads(line) for line in started("ls", "a.bank", "--json", cwd=captures).stdout.splitlines()]
    assert [(clip["id"], clip["clip"]) for clip in listed] == [(1, "more/bend_01"), (2, "sway_01"), (3, "sway_02")]
    assert [clip["labels"] for clip in listed] == [["more"], ["calm", "captures"], ["bend", "captures"]]

    motionary("rename", "a.bank", "#2", "calm one", cwd=captures)
    motionary("rm", "a.bank", "calm one", cwd=captures)
    assert "calm one" not in motionary("ls", "a.bank", cwd=captures).stdout
    assert "rm calm one" in motionary("undo", "a.bank", cwd=captures).stdout
    assert "calm one" in motionary("ls", "a.bank", "swaying", cwd=captures).stdout

    motionary("export", "a.bank", "calm one:0-30", "-o", "out.bvh", cwd=captures)
    assert "Frames: 30" in (captures / "out.bvh").read_text()
    assert started("check", "a.bank", cwd=captures).stderr == "no damage found\n"


def test_errors_are_one_line_with_a_remedy(captures):
    run = started("ls", "missing.bank", cwd=captures, expect=1)
    assert run.stderr == (
        "motionary: missing.bank: no such bank. `motionary import missing.bank FOLDER` creates it from your files\n"
    )
    (captures / "captures" / "bad.bvh").write_text("HIERARCHY\nROOT a\n{\n")
    run = motionary("import", "a.bank", "captures", cwd=captures, expect=1)
    assert "captures/bad.bvh:" in run.stderr
    assert "3 clips added" in run.stdout
    run = motionary("show", "a.bank", "sway_1", cwd=captures, expect=1)
    assert "Did you mean sway_01" in run.stderr
    run = motionary("search", "sway_01:0-30", "a.bank", cwd=captures, expect=1)
    assert "The bank comes first: a.bank before sway_01:0-30" in run.stderr
    run = motionary("show", "a.bank", "sway_01:50-90", cwd=captures, expect=1)
    assert "has no frames 50-90; it has 0-60" in run.stderr


def test_dry_runs_change_nothing(captures):
    assert "3 clips would be added" in motionary("import", "a.bank", "captures", "--dry-run", cwd=captures).stdout
    assert not (captures / "a.bank").exists()
    motionary("import", "a.bank", "captures", cwd=captures)
    motionary("rm", "a.bank", "sway_01", "--dry-run", cwd=captures)
    motionary("purge", "a.bank", "sway_01", "--dry-run", cwd=captures)
    motionary("export", "a.bank", "sway_01", "-o", "x.bvh", "--dry-run", cwd=captures)
    with Bank.open(captures / "a.bank") as bank:
        assert len(bank.clips()) == 3
    assert not (captures / "x.bvh").exists()


@pytest.mark.parametrize("suffix", ["png", "svg", "gif"])
def test_show_draws_each_kind_of_picture(captures, suffix):
    motionary("import", "a.bank", "captures", cwd=captures)
    motionary("show", "a.bank", "sway_01", "sway_02:10-40", "-o", f"strip.{suffix}", cwd=captures)

    assert (captures / f"strip.{suffix}").stat().st_size > 1000


def test_info_charts_a_clip(captures):
    motionary("import", "a.bank", "captures", cwd=captures)

    text = motionary("info", "a.bank", "sway_01", cwd=captures).stdout
    facts = json.loads(motionary("info", "a.bank", "sway_01", "--json", cwd=captures).stdout)

    assert "maps onto the reference skeleton" in text
    assert "m/s │" in text
    assert "left foot │" in text
    assert facts["frames"] == 60
    assert facts["mapped"] is True
    assert "in the file: m (sure), y up (sure), right-handed (sure)" in text
    assert facts["space_sure"] == {"unit": True, "up": True, "handedness": True}


def test_info_says_what_is_not_sure_and_given_axes_are_not_doubted(captures):
    told = motionary("import", "a.bank", "captures", "--unit", "cm", cwd=captures).stdout

    text = motionary("info", "a.bank", "sway_01", cwd=captures).stdout

    assert "not sure" not in told
    assert "in the file: cm (not sure), y up (sure), right-handed (sure)" in text
    assert "    unit: a leg of 0.8" in text


def test_a_users_map_is_kept_shown_and_forgotten(captures):
    motionary("import", "a.bank", "captures", cwd=captures)
    motionary("map", "a.bank", "sway_01", "--use", "map.json", cwd=captures)
    assert "LeftThigh" in motionary("map", "a.bank", "sway_02", cwd=captures).stdout
    (captures / "wrong.json").write_text('{"LeftThigh": "nobody"}')
    assert "nobody" in motionary("map", "a.bank", "sway_01", "--use", "wrong.json", cwd=captures, expect=1).stderr
    motionary("map", "a.bank", "sway_01", "--forget", cwd=captures)


def test_the_words_of_pictures_are_the_same():
    assert get_args(options.View) == get_args(picture.View)
    assert get_args(options.Spread) == get_args(picture.Spread)


def test_a_users_map_is_seen_by_info_and_show(captures):
    named = swaying_body()
    names = tuple(f"bone{joint:02d}" for joint in range(named.skeleton.n_joints))
    motion = replace(named, skeleton=replace(named.skeleton, names=names))
    (captures / "numbered.bvh").write_bytes(bvh_text(recording_of(motion)))
    (captures / "numbers.json").write_text(json.dumps(dict(zip(named.skeleton.names, names, strict=True))))
    motionary("import", "a.bank", "numbered.bvh", "--up", "y", "--unit", "m", cwd=captures)
    assert "own skeleton: no joint found for" in motionary("info", "a.bank", "numbered", cwd=captures).stdout
    motionary("show", "a.bank", "numbered", "-o", "new/folder/before.svg", cwd=captures)

    motionary("map", "a.bank", "numbered", "--use", "numbers.json", cwd=captures)
    text = motionary("info", "a.bank", "numbered", cwd=captures).stdout
    motionary("show", "a.bank", "numbered", "-o", "new/folder/after.svg", cwd=captures)

    assert "maps onto the reference skeleton" in text
    assert "left foot │" in text
    blue = "#3b82c4"  # left limbs, and one sample of it in the legend
    before, after = ((captures / "new" / "folder" / f"{when}.svg").read_text() for when in ("before", "after"))
    assert after.count(blue) > before.count(blue) + 10


def test_what_files_say_cannot_steer_the_terminal(captures):
    attack = "\x1b]0;owned\x07\x9b31m\u202e"
    motionary("import", "a.bank", "captures/sway_01.bvh", "--licence", attack, "--credit", attack, cwd=captures)

    text = started("info", "a.bank", "sway_01", cwd=captures).stdout
    line = started("info", "a.bank", "sway_01", "--json", cwd=captures).stdout
    error = started("info", "a.bank", f"no{attack}", cwd=captures, expect=1).stderr

    for shown in (text, line, error):
        assert not any(sign in shown for sign in "\x1b\x07\x9b\u202e")
    assert json.loads(line)["credit"] == attack


def test_wrong_values_are_told_in_plain_words(captures):
    def said(*words: str) -> str:
        return " ".join(motionary(*words, cwd=captures, expect=2).stderr.replace("│", " ").split())

    motionary("import", "a.bank", "captures", cwd=captures)
    assert "'--distance': 'dwt' is not one of 'dtw', 'euclid', 'lcss'. Did you mean dtw?" in said(
        "search", "a.bank", "sway_01", "--distance", "dwt"
    )
    assert "'-k' / '--limit': it must be at least 1" in said("search", "a.bank", "sway_01", "-k", "0")
    assert "'-k' / '--limit': it must be a whole number" in said("search", "a.bank", "sway_01", "-k", "ten")
    assert "'--minutes': it must be at least 0.1" in said("sample", "b.bank", "--minutes", "nan")
    assert "Usage: motionary search [OPTIONS] BANK [QUERY] [WORD…]" in said("search")
