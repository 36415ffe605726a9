"""import, ls, show and export, as the command line tells of them."""

import json
import os

import pytest

from conftest import swaying_body
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError, UserError
from motionary.motion import ChannelLayout, Recording, recording_of


def test_importing_again_counts_new_labels(run):
    assert "3 labels added to 3 of their clips" in run("import", "a.bank", "captures", "--label-folders").stdout
    assert "labels" not in run("import", "a.bank", "captures", "--label-folders").stdout


def test_warnings_promise_nothing_untrue(run):
    done = run("import", "b.bank", "captures", "--labels", "wrong.csv")

    assert "warnings:" in done.stdout
    assert "shows them again" not in done.stdout


def test_importing_nothing_makes_no_bank(run):
    os.mkdir("empty")
    for path in ("empty", "*.xyz"):
        done = run("import", "new.bank", path)
        assert isinstance(done.exception, UsageError)
        assert f"{path}: no motion file" in str(done.exception)
    assert not os.path.exists("new.bank")


def test_an_unknown_ending_is_an_error(run):
    done = run("export", "a.bank", "sway_01", "-o", "t.fbx")

    assert isinstance(done.exception, UsageError)
    assert "supported are .bvh and .glb" in str(done.exception)
    assert not os.path.exists("t.fbx")
    assert run("export", "a.bank", "sway_01", "-o", "t.glb").stdout == "t.glb\n"
    assert run("export", "a.bank", "sway_01", "-o", "t", "-f", "glb").stdout == "t/sway_01.glb\n"


def test_added_channels_are_told(run):
    plain = recording_of(swaying_body(n_frames=8))
    knee = plain.layout.of_joint(plain.skeleton.names.index("LeftShin"))[-1]
    kept = [column for column in range(plain.layout.n_channels) if column != knee]
    layout = ChannelLayout(plain.layout.joints[kept], plain.layout.kinds[kept])
    with Bank.open("a.bank") as bank:
        bank.add("two", Recording(plain.skeleton, layout, plain.values[:, kept] * 5, plain.frame_time))

    done = run("export", "a.bank", "two", "-o", "x.bvh", "--rate", "77")

    assert done.stdout == "x.bvh\n"
    note = "channels were added for changed joints: LeftShin"
    assert done.stderr == f"x.bvh: {note}\n"


def test_words_may_stand_apart_and_all_of_them_count(run):
    assert run("ls", "a.bank", "sway", "calm").stdout == run("ls", "a.bank", "sway calm").stdout
    assert run("ls", "a.bank", "sway", "calm").stderr.startswith("1 clip, 60 frames")
    assert "sway_01" in run("ls", "a.bank", "sway", "calm").stdout
    assert run("ls", "a.bank", "calm", "bend").stderr.startswith("0 clips")


@pytest.mark.parametrize(
    ("label", "remedy"), [("nope", "`motionary label ls a.bank` lists all labels"), ("clam", "Did you mean calm?")]
)
def test_a_label_that_nothing_has_is_an_error(run, label, remedy):
    problem = f"a.bank: no clip or segment has the label {label!r}. {remedy}"
    for words in (
        ["ls", "a.bank", "--label", label, "--label", "calm"],
        ["ls", "a.bank", "--label", label, "--json"],
        ["label", "find", "a.bank", label],
        ["label", "rm", "a.bank", "sway_01", "--label", label],
        ["export", "a.bank", "--label", label, "-o", "out"],
        ["show", "a.bank", f"label:{label}"],
    ):
        done = run(*words)
        assert isinstance(done.exception, NotInBankError)
        assert str(done.exception) == problem


def test_only_so_many_labels_are_listed(run):
    run("label", "add", "a.bank", "sway_01:3-9", "--label", "bend")
    for words in (["label", "ls", "a.bank"], ["label", "ls", "a.bank", "sway_01"]):
        every = run(*words, "--json").stdout.splitlines()
        assert len(every) > 1
        assert run(*words, "-k", "1", "--json").stdout.splitlines() == every[:1]


def test_an_empty_list_says_what_no_clip_has(run):
    assert "no clip has the word 'swey' in its name, labels, " in run("ls", "a.bank", "swey", "--label", "calm").stderr
    assert "Did you mean sway" in run("ls", "a.bank", "swai").stderr
    assert "no clip has the name 'x*'. `motionary ls a.bank` lists" in run("ls", "a.bank", "--name", "x*").stderr
    assert "An interval follows its clip after a colon" in run("ls", "a.bank", "sway", "10-20").stderr
    both = run("ls", "a.bank", "calm", "bend")
    assert "no clip has all these words, labels and names. `motionary ls a.bank` takes the same ones" in both.stderr
    assert both.exit_code == 0


def test_an_empty_bank_says_so(run):
    Bank.open("empty.bank", create=True).close()
    assert "the bank contains no clips" in run("ls", "empty.bank", "walk").stderr


def test_found_segments_show_their_descriptions_and_may_be_few(run):
    run("label", "add", "a.bank", "sway_01:0-10", "sway_01:20-30", "--label", "start")

    assert len(run("label", "find", "a.bank", "start", "-k", "1").stdout.splitlines()) == 2
    assert len(run("label", "find", "a.bank", "start", "--limit", "1", "--json").stdout.splitlines()) == 1


@pytest.mark.parametrize("rate", ["0", "-5", "1e9"])
def test_rates_that_nobody_can_mean_are_an_error(run, rate):
    for words in (["import", "new.bank", "captures"], ["export", "a.bank", "sway_01", "-o", "x.bvh"]):
        done = run(*words, "--rate", rate)
        assert isinstance(done.exception, UsageError)
        assert "it must be between 1 and 10,000" in str(done.exception)
    assert not os.path.exists("new.bank")


def test_paths_that_cannot_be_looked_at_are_an_error(run):
    long = "x" * 300  # as much an OSError as a folder without rights, which root would not notice
    for words in (["import", "new.bank", f"{long}/x.bvh"], ["export", "a.bank", "sway_01", "-o", f"{long}/s.bvh"]):
        done = run(*words)
        assert isinstance(done.exception, UsageError)
        assert "File name too long" in str(done.exception)


def test_too_many_poses_are_told_and_a_picture_is_made_anew(run):
    with open("strip.svg", "w") as file:
        file.write("old")

    done = run("show", "a.bank", "sway_01", "-o", "strip.svg", "--poses", "60", "--width", "400")

    assert done.stdout == "strip.svg\n"
    assert done.stderr.startswith("60 poses cannot be told apart on 400 pixels: ")
    with open("strip.svg") as file:
        assert file.read().startswith("<svg")


def test_all_clips_or_those_with_a_label_are_exported(run):
    def files(*words: str) -> list[str]:
        return run("export", "a.bank", *words, "-o", "out", "--dry-run").stdout.splitlines()

    assert files("--all") == ["out/more/bend_01.bvh", "out/sway_01.bvh", "out/sway_02.bvh"]
    assert files("--label", "bend") == ["out/sway_02_10-30.bvh"]
    assert files("--label", "bend", "--label", "calm") == ["out/sway_02_10-30.bvh", "out/sway_01.bvh"]
    assert files("sway_01", "more/bend_01", "--label", "calm") == ["out/sway_01.bvh", "out/more/bend_01.bvh"]


def test_an_export_of_nothing_says_how_to_choose(run):
    def refusal(*words: str) -> str:
        done = run("export", "a.bank", *words, "-o", "out")
        assert isinstance(done.exception, UserError)
        return str(done.exception)

    assert "name segments, or use --label or --all" in refusal()
    assert "no clip or segment has the label 'nope'. `motionary label ls a.bank`" in refusal("--label", "nope")
    assert "--all exports every clip; do not name segments" in refusal("sway_01", "--all")
    assert not os.path.exists("out")


def test_a_wrong_import_is_corrected_by_replacing(run):
    assert "3 files already in the bank; --replace imports them again" in run("import", "a.bank", "captures").stdout
    done = run("import", "a.bank", "captures/sway_01.bvh", "--up", "z", "--credit", "Me", "--replace")

    assert "0 clips added" in done.stdout
    assert "1 clip with a new version" in done.stdout
    with Bank.open("a.bank") as bank:
        assert [clip.name for clip in bank.clips()] == ["more/bend_01", "sway_01", "sway_02"]
        assert bank.recording("sway_01").space.up == "z"
        assert (bank.clip("sway_01").credit, bank.clip("sway_01").labels) == ("Me", ("calm",))


def test_clips_without_a_row_are_counted(run):
    done = run("import", "b.bank", "captures", "--labels", "labels.csv")

    assert "1 clip without a row in the label table:\n  more/bend_01\n" in done.stdout


def test_clips_are_sorted_and_cut_off(run):
    def names(*words: str) -> list[str]:
        return [json.loads(line)["clip"] for line in run("ls", "a.bank", "--json", *words).stdout.splitlines()]

    with Bank.open("a.bank") as bank:
        longest = sorted(bank.clips(), key=lambda clip: -clip.duration_secs)
    assert names("--sort", "name") == sorted(names())
    assert names("--sort", "seconds", "--limit", "1") == [longest[0].name]
    assert "2 of 3 clips, " in run("ls", "a.bank", "-k", "2").stderr


def test_all_clips_are_cleaned_in_a_line_each(run):
    done = run("clean", "a.bank", "--all", "--dry-run")

    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["more/bend_01", "sway_01", "sway_02"]
    assert len(run("clean", "a.bank", "--label", "bend", "--dry-run").stdout.splitlines()) == 1
    assert "--all cleans every clip" in str(run("clean", "a.bank", "sway_01", "--all").exception)


def test_a_clip_with_an_interval_is_told_where_a_whole_clip_is_needed(run):
    for words in (["info", "a.bank", "sway_01:0-10"], ["rename", "a.bank", "sway_01:0-10", "other"]):
        done = run(*words)
        assert str(done.exception).endswith("A whole clip is needed, without an interval: sway_01")
