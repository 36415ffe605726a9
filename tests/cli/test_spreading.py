"""label spread, review, accept, reject; ls and label find by strength."""

import json

import pytest

from command_line import invoke
from search.spreading.acting import make_bank


@pytest.fixture(scope="module")
def acting(tmp_path_factory):
    return make_bank(tmp_path_factory.mktemp("acting") / "a.bank")


@pytest.fixture
def run(acting, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.bank").write_bytes(acting.read_bytes())
    return lambda *words: invoke(list(words))


def lines(done):
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_labels_are_spread_reviewed_decided_and_taken_back(run):
    proposed = lines(run("label", "spread", "a.bank", "--label", "bend", "--threshold", "0.5", "--json"))
    listed = lines(run("label", "review", "a.bank", "--json"))

    assert {one["label"] for one in proposed} == {"bend"}
    assert [one["strength"] for one in listed] == sorted(one["strength"] for one in proposed)
    clips = {one["clip"] for one in proposed}
    assert {one["clip"] for one in lines(run("ls", "a.bank", "-l", "bend", "--json"))} == clips | {"take_1"}
    assert [one["clip"] for one in lines(run("ls", "a.bank", "-l", "bend", "--strength", "1", "--json"))] == ["take_1"]
    assert len(lines(run("label", "find", "a.bank", "bend", "--strength", "1", "--json"))) == 1
    assert "1 label accepted\n" in run("label", "accept", "a.bank", "take_2").stdout
    assert f"{len(proposed) - 1} labels rejected\n" in run("label", "reject", "a.bank", "--all").stdout
    assert "no spread labels to review" in run("label", "review", "a.bank").stderr
    for _ in range(3):
        assert run("undo", "a.bank").exit_code == 0
    assert len(lines(run("label", "find", "a.bank", "bend", "--json"))) == 1


def test_a_dry_run_lists_the_same_and_changes_nothing(run):
    done = run("label", "spread", "a.bank", "--dry-run", "-o", "spread.svg")

    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].split()[:6] == ["clip", "start", "stop", "label", "strength", "like"]
    assert "3 examples of 3 labels: 3 clips would get" in done.stderr
    assert "dry run: nothing was changed" in done.stderr
    assert run("label", "review", "a.bank").stdout == ""
    with open("spread.svg") as file:
        assert "an example" in file.read()


def test_the_expected_precision_and_weaker_labels_are_told(run):
    some = run("label", "spread", "a.bank", "--label", "bend", "--threshold", "0.5", "--dry-run")
    none = run("label", "spread", "a.bank", "--label", "bend", "--dry-run")

    assert "strength 0.50 or more; 6" in some.stderr
    assert " % of the labelled frames are expected to be right" in some.stderr
    assert "left out" not in some.stderr
    assert "3 weaker labels left out; --threshold 0.5 adds them" in none.stderr


def test_examples_are_shown_and_conflicts_told(run):
    done = run(
        "label", "spread", "a.bank", "--by", "wpca", "--from", "take_1:0-90=one", "--from", "take_1:0-89=other",
        "--both", "--dry-run",
    )  # fmt: skip

    assert done.exit_code == 0
    assert "conflicts, 0 of them undecided" in done.stderr


def test_shown_examples_get_their_label_by_hand(run):
    asked = ("label", "spread", "a.bank", "--from", "take_1:0-90=swing")

    rehearsed = run(*asked, "--dry-run")
    assert "1 example would get its label by hand" in rehearsed.stderr
    assert "swing" not in run("label", "ls", "a.bank").stdout

    done = run(*asked)
    assert "1 example got its label by hand" in done.stderr
    by_hand = lines(run("label", "find", "a.bank", "swing", "--strength", "1", "--json"))
    assert [(one["clip"], one["start"], one["stop"]) for one in by_hand] == [("take_1", 0, 90)]
    assert {row.split()[5] for row in done.stdout.splitlines()[1:]} == {"take_1:0-90"}
    assert run("undo", "a.bank").exit_code == 0
    assert "swing" not in run("label", "ls", "a.bank").stdout


def test_examples_that_found_nothing_are_named(run):
    done = run("label", "spread", "a.bank", "--label", "bend", "--threshold", "1", "--dry-run")

    assert "no new label from take_1:" in done.stderr
    assert "(bend)" in done.stderr


def test_strengths_read_as_they_were_chosen_and_examples_have_names(run):
    run("label", "spread", "a.bank", "--label", "bend", "--threshold", "0.5")
    strongest = lines(run("label", "review", "a.bank", "--json"))[-1]["strength"]

    rows = [row.split() for row in run("label", "review", "a.bank").stdout.splitlines()[1:]]

    assert all(0 <= strongest - float(row[4]) < 0.01 for row in rows[-1:])
    assert {row[5].partition(":")[0] for row in rows} == {"take_1"}
    run("rm", "a.bank", "take_1")
    assert all("#1:" in row for row in run("label", "review", "a.bank").stdout.splitlines()[1:])


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("spread", "a.bank", "--from", "take_1"), "write SEGMENT=LABEL"),
        (("spread", "a.bank", "--label", "fly"), "no segment has the label 'fly' by hand"),
        (("accept", "a.bank"), "choose labels by"),
        (("reject", "a.bank", "--all", "--below", "0.5"), "choose labels by"),
    ],
)
def test_what_is_missing_is_said(run, words, problem):
    done = run("label", *words)

    assert problem in str(done.exception)
