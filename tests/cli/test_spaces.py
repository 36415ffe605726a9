"""Pose spaces on the command line, and searching in them."""

import json

import pytest

from command_line import invoke
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.sample import sample_into


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=0.4)
    invoke(["space", "show", str(path)])  # so that features are built once
    return path


@pytest.fixture
def run(made, tmp_path, monkeypatch):
    """Runs a command on a copy of the library, in an empty folder."""
    (tmp_path / "a.bank").write_bytes(made.read_bytes())
    (tmp_path / "a.bank.derived").symlink_to(made.with_name("made.bank.derived"))
    monkeypatch.chdir(tmp_path)

    def run(*words: str):
        done = invoke(list(words))
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return run


def test_train_list_show_remove_and_undo(run, tmp_path):
    assert "no pose spaces" in run("space", "ls", "a.bank").stderr
    trained = run("space", "train", "a.bank", "hands", "--preset", "right hand", "--weight", "Head=0.5", "--even")
    assert "components: " in trained.stdout
    listed = json.loads(run("space", "ls", "a.bank", "--json").stdout)
    assert (listed["space"], listed["preset"], listed["parts"], listed["by_mass"]) == (
        "hands", "right hand", {"Head": 0.5}, False,
    )  # fmt: skip
    assert "right hand, even" in run("space", "ls", "a.bank").stdout

    shown = run("space", "show", "a.bank", "hands", "-l", "idle", "-o", "curves.png")

    assert "RightHand" in shown.stdout
    assert (tmp_path / "curves.png").stat().st_size > 1000
    assert json.loads(run("space", "show", "a.bank", "hands", "--json").stdout)["weights"]["RightHand"] > 0.1
    run("space", "rm", "a.bank", "hands", "--dry-run")
    assert "hands" in run("space", "ls", "a.bank").stdout
    run("space", "rm", "a.bank", "hands")
    assert "no pose spaces" in run("space", "ls", "a.bank").stderr
    run("undo", "a.bank")
    assert "hands" in run("space", "ls", "a.bank").stdout


def test_one_bad_space_does_not_hide_the_others(run):
    run("space", "train", "a.bank", "good")
    with Bank.open("a.bank") as bank:
        bank.keep_space("bad", {"space": {"version": 9}})

    listed = run("space", "ls", "a.bank", "--json")

    assert json.loads(listed.stdout)["space"] == "good"
    assert "has another version" in listed.stderr


def test_a_dry_run_trains_nothing(run):
    done = run("space", "train", "a.bank", "mine", "--dry-run")

    assert "dry run" in done.stderr
    assert "no pose spaces" in run("space", "ls", "a.bank").stderr


def test_drawing_segments_of_the_space_of_the_library(run, tmp_path):
    done = run("space", "show", "a.bank", "-o", "all.svg")

    assert "all.svg: " in done.stderr
    assert (tmp_path / "all.svg").read_text().startswith("<svg")
    with pytest.raises(NotInBankError, match="no pose space 'mine'"):
        run("space", "show", "a.bank", "mine")


def test_searching_in_a_space(run, tmp_path):
    run("space", "train", "a.bank", "mine")

    done = run("search", "a.bank", "#1:0s-2s", "--by", "wpca", "--space", "mine", "-k", "3", "--keep", "found")
    lines = run(
        "search", "a.bank", "#1:0s-2s", "--by", "wpca", "-k", "2", "--json", "--mirror", "no"
    ).stdout.splitlines()
    drawn = run(
        "search", "a.bank", "#1:0s-2s", "--by", "wpca", "--character", "1s", "--neighbours", "200", "-o", "m.png"
    )

    as_published = run(
        "search", "a.bank", "#1:0s-2s", "--by", "wpca", "--ranking", "mean", "--json"
    ).stdout.splitlines()

    assert {json.loads(line)["unit"] for line in lines} == {"cm"}
    assert {json.loads(line)["unit"] for line in as_published} == {"°"}
    assert "characteristic pose: frame" in done.stderr
    assert "kept as found" in done.stderr
    assert [json.loads(line)["method"] for line in lines] == ["wpca"] * len(lines)
    assert "characteristic pose: frame 60 (1.00s) of its clip; --character 1.00s selects the same" in drawn.stderr
    assert json.loads(lines[0])["character"] == json.loads(lines[1])["character"]
    assert set(json.loads(lines[0])["character"][0]) == {"frame", "secs"}
    assert (tmp_path / "m.png").exists()


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (
            ["--clusters"],
            "has no --clusters; keep the matches with --keep NAME, then run `motionary selection clusters`",
        ),
        (["--explain"], "has no --explain; only --by exact measures joint by joint"),
        (["--accept", "1"], "has no --accept; only --by exact learns from judgements"),
        (["--scale", "10"], "a pose space matches motions from half to twice the speed anyway"),
        (["--joints", "arms"], "has no --joints; train a pose space with weights instead"),
        (["--onsets", "10"], "has no --onsets; --onsets belongs to --by exact"),
        (["--onsets", "10", "--scale", "10"], "the speed anyway; --onsets belongs to --by exact"),
        (
            ["--onsets", "10", "--distance", "euclid"],
            "--onsets belongs to --by exact; --distance belongs to --by exact",
        ),
    ],
)
def test_each_option_that_a_space_does_not_take_gets_its_own_advice(run, words, advice):
    with pytest.raises(UsageError, match=advice):
        run("search", "a.bank", "#1:0s-2s", "--by", "wpca", *words)


def test_options_of_exact_search_are_not_taken_silently(run):
    with pytest.raises(UsageError, match="--by wpca has no --joints or --weight"):
        run("search", "a.bank", "#1:0s-2s", "--by", "wpca", "--joints", "arms", "--weight", "Head=2")
