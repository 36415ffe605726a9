"""The commands of transitions, from the table to a chain, on a small sample library."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from command_line import invoke
from motionary.artefacts import ArtefactStore
from motionary.bank import Bank
from motionary.sample import sample_into
from motionary.transition import build_transitions


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("transitions")
    with Bank.open(folder / "a.bank", create=True) as bank:
        sample_into(bank, minutes=0.6)
    return folder


@pytest.fixture
def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(folder)

    def run(*words: str, fails: bool = False) -> Any:
        done = invoke(list(words))
        if not fails:
            assert done.exit_code == 0, (done.stdout, done.stderr, done.exception)
        return done

    if not (folder / "built").exists():
        without = run("transition", "make", "a.bank", "ada_001:300", "bruno_002:300", fails=True)
        assert "no table of transitions of 1 s; `motionary transition table build a.bank --secs 1`" in str(
            without.exception
        )
        run("transition", "table", "build", "a.bank", "-k", "4")
        (folder / "built").touch()
    return run


def test_tables_are_listed_drawn_and_built_once(run):
    (facts,) = (json.loads(line) for line in run("transition", "table", "info", "a.bank", "--json").stdout.splitlines())

    assert facts["rows"] == facts["representatives"] == 4
    assert facts["bytes_a_frame"] <= 200
    run("transition", "table", "info", "a.bank", "-o", "reps.png")
    assert Path("reps.png").stat().st_size > 1000
    again = json.loads(run("transition", "table", "build", "a.bank", "-k", "4", "--json").stdout)
    assert again["finished"] == facts["finished"]


def table_lines(run):
    return run("transition", "table", "info", "a.bank", "--json").stdout.splitlines()


def test_an_unfinished_table_says_how_to_go_on(run):
    def stop(_done: int, _total: int, what: str) -> None:
        if what.endswith("blends"):
            raise KeyboardInterrupt

    with Bank.open("a.bank") as bank, pytest.raises(KeyboardInterrupt):
        build_transitions(bank, secs=0.5, representatives=3, labels="idle", progress=stop)

    done = run("transition", "make", "a.bank", "ada_001:300", "bruno_002:300", "--secs", "0.5", fails=True)

    again = "`motionary transition table build a.bank --secs 0.5 -k 3`, with the words and labels as before (idle),"
    assert f"is not finished; {again} goes on with it" in str(done.exception)
    run("transition", "table", "rm", "a.bank", "0.5")


def test_an_unfinished_table_does_not_hide_a_finished_one(run):
    def stop(_done: int, _total: int, what: str) -> None:
        if what.endswith("blends"):
            raise KeyboardInterrupt

    with Bank.open("a.bank") as bank, pytest.raises(KeyboardInterrupt):
        build_transitions(bank, representatives=3, names="ada_001", progress=stop)

    made = run("transition", "make", "a.bank", "ada_001:300", "bruno_002:300", "--json")

    assert json.loads(made.stdout)["method"] == "table"
    unfinished = next(one for one in map(json.loads, table_lines(run)) if one["rows"] < one["representatives"])
    run("transition", "table", "rm", "a.bank", unfinished["table"])


def test_a_transition_is_made_drawn_and_kept(run):
    done = run(
        *("transition", "make", "a.bank", "ada_001:300", "bruno_002:5s", "-o", "made.png", "-o", "made.bvh"),
        *("--keep", "made", "--json"),
    )

    facts = json.loads(done.stdout)
    assert facts["from"] == "ada_001:300"
    assert facts["to"] == "bruno_002:300"
    assert facts["good"] == (facts["score_cm"] <= facts["threshold_cm"])
    assert Path("made.png").stat().st_size > 1000
    with Bank.open("a.bank") as bank:
        clip = bank.clip("made")
        assert bank.recipe(clip)["transition"]["to"] == "bruno_002:300"
        assert set(bank.recipe(clip)["clip_ids"]) >= {bank.clip("ada_001").id, bank.clip("bruno_002").id}
        assert bank.plants(clip)
    run("transition", "make", "a.bank", "ada_001:300", "--label", "idle")  # the kept clip does not spoil the table
    run("undo", "a.bank")


@pytest.mark.parametrize("method", ["direct", "inertial", "dead"])
def test_other_methods_need_no_table(run, method):
    with Bank.open("a.bank") as bank:
        before = [entry.name for entry in ArtefactStore.of(bank).entries()]

    done = run("transition", "make", "a.bank", "ada_001:300", "bruno_002:300", "--method", method, "--secs", "0.6")

    assert "score" in done.stdout
    with Bank.open("a.bank") as bank:  # and leave nothing behind
        assert [entry.name for entry in ArtefactStore.of(bank).entries()] == before


def test_other_methods_have_the_threshold_of_the_table(run):
    words = ("transition", "make", "a.bank", "ada_001:300", "bruno_002:300", "--json")

    table, direct = (json.loads(run(*words, "--method", method).stdout) for method in ("table", "direct"))

    assert table["threshold_cm"] == direct["threshold_cm"]
    assert table["score_cm"] <= direct["score_cm"]


def test_a_chain_leads_through_segments_and_labels(run):
    done = run("transition", "chain", "a.bank", "ada_001:100-250", "label:idle", "-o", "chain.svg", "--json")

    (facts,) = (json.loads(line) for line in done.stdout.splitlines())
    assert 0 < facts["start"] < facts["stop"]
    assert "made" not in facts["to"]


def test_frames_are_connected_by_graph_and_transitions(run):
    words = ("transition", "connect", "a.bank", "ada_001:400", "ada_001:340", "--within", "3")
    without = run(*words, "--by", "mixed")
    assert "a.bank has no motion graph: only transitions are used" in without.stderr
    run("graph", "build", "a.bank", "--threshold", "6cm")

    facts = json.loads(run(*words, "--json", "-o", "connection.svg", "-o", "connection.bvh", "--keep", "way").stdout)

    assert (facts["from"], facts["to"]) == ("ada_001:400", "ada_001:340")
    assert facts["secs"] <= 3.0
    assert facts["score_cm"] == min(one["score_cm"] for one in facts["options"])
    assert {one["by"] for one in facts["options"]} == {"graph", "transition", "mixed"}
    assert Path("connection.svg").stat().st_size > 1000
    with Bank.open("a.bank") as bank:
        assert bank.recipe(bank.clip("way"))["connection"]["to"] == "ada_001:340"
    run("undo", "a.bank")
    told = run(*words, "--by", "transition").stdout
    assert "by one transition: score" in told


def test_verdicts_are_kept(run):
    done = run("transition", "judge", "a.bank", "--pairs", "1", "--answers", "a", "--seed", "1", "--json")

    assert json.loads(done.stdout)["judged_threshold_cm"] is None
    assert Path("judge_1a.gif").exists()
    with Bank.open("a.bank") as bank:
        assert bank.verdicts()[-1].content["answer"] == "a"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("make", "a.bank", "ada_001", "bruno_002:3"), "'ada_001' is not a frame of a clip, such as walk_01:120"),
        (("make", "a.bank", "ada_001:300"), "leads to a frame or to a label"),
        (("make", "a.bank", "ada_001:99999", "bruno_002:3"), "has no frame 99999|no 99999"),
        (("make", "a.bank", "ada_001:300", "--label", "fly"), "is labelled 'fly'; there are: "),
        (("make", "a.bank", "ada_001:300", "bruno_002:30", "--secs", "2"), "no table of transitions of 2 s"),
        (("connect", "a.bank", "ada_001:300", "ada_001:700", "--within", "0.3"), "nothing leads from ada_001:300"),
        (("connect", "a.bank", "ada_001:300", "ada_001:700", "--graph", "none"), "no motion graph|none"),
        (("chain", "a.bank", "ada_001:1-50"), "at least two segments or labels"),
        (("judge", "a.bank", "--pairs", "2", "--answers", "a"), "2 pairs need 2 answers"),
    ],
)
def test_what_cannot_be_is_said(run, words, problem):
    done = run("transition", *words, fails=True)

    assert done.exit_code == 1

    assert re.search(problem, str(done.exception))


def test_a_table_of_clips_that_have_changed_is_not_used(run):
    run("rm", "a.bank", "bruno_002")
    done = run("transition", "make", "a.bank", "ada_001:300", "ada_001:600", fails=True)
    assert "bruno_002 is not in the bank any more since the table of transitions was built" in str(done.exception)
    run("undo", "a.bank")

    done = run("transition", "table", "rm", "a.bank", "1.000s", "--dry-run")

    assert "removed transition-table/1.000s" in done.stdout
    assert run("transition", "table", "info", "a.bank", "--json").stdout
