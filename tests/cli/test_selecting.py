"""`motionary selection`, and selections given to other commands."""

import json
from pathlib import Path

import pytest

from command_line import invoke
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.sample import sample_into
from motionary.search import keep_matches, search_bank


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small sample library with two selections of the same query."""
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        first = sample_into(bank, minutes=0.5)[0]
        bank.add("twin", bank.recording(first.segment))
        keep_matches(bank, "steps", search_bank(bank, "#1:0-40", k=5, mirrored="both", scale=0.05))
        keep_matches(bank, "hands", search_bank(bank, "#1:0-40", k=4, joints=("arms",), distance="lcss", tolerance=4.0))
    return path


@pytest.fixture
def run(made, tmp_path, monkeypatch):
    """Runs a command on a copy of the library, in an empty folder."""
    (tmp_path / "a.bank").write_bytes(made.read_bytes())
    monkeypatch.chdir(tmp_path)

    def run(*words: str):
        done = invoke(list(words))
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return run


def rows(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def ranks(run) -> list[int]:
    return [row["rank"] for row in rows(run("selection", "show", "a.bank", "steps", "--json"))]


def test_what_a_search_finds_is_kept_listed_and_found_again(run):
    said = run("search", "a.bank", "#1:0-40", "-k", "3", "--keep", "more")
    kept = rows(run("selection", "show", "a.bank", "more", "--json"))
    found = rows(run("search", "a.bank", "#1:0-40", "-k", "3", "--json"))

    assert "3 matches kept as more; use @more to refer to them" in said.stderr
    assert kept == found
    assert [row["rank"] for row in kept] == [1, 2, 3]
    listed = rows(run("selection", "ls", "a.bank", "--json"))
    assert [(row["selection"], row["matches"], row["method"]) for row in listed] == [
        ("hands", 4, "lcss"), ("more", 3, "dtw"), ("steps", 5, "dtw"),
    ]  # fmt: skip
    assert listed[1]["query"] == {"clip": "ada_001", "id": 1, "start": 0, "stop": 40}
    assert listed[1]["asked"]["k"] == 3


def test_only_so_many_matches_are_listed_and_drawn(run, tmp_path):
    done = run("selection", "show", "a.bank", "steps", "-k", "2", "--json")
    assert [row["rank"] for row in rows(done)] == [1, 2]
    listed = run("selection", "show", "a.bank", "steps", "3-5", "--limit", "2", "-o", "two.svg")
    assert [line.split()[0] for line in listed.stdout.splitlines()[1:]] == ["3", "4"]
    assert "2 matches of 5" in listed.stderr
    run("selection", "show", "a.bank", "steps", "3", "4", "-o", "named.svg")
    assert (tmp_path / "two.svg").read_bytes() == (tmp_path / "named.svg").read_bytes()


def test_what_was_asked_is_listed_in_the_words_of_a_search(run):
    asked = "-d positions --joints arms,Head --weight hands=3 --unlike legs=twin:0-40 --over-time 1,2 --scale 5"
    asked += " --mirror no --within 90"
    run("search", "a.bank", "#1:0-40", *asked.split(), "-k", "3", "--keep", "more")

    table = run("selection", "ls", "a.bank").stdout.splitlines()

    assert table[0].split()[:5] == ["selection", "matches", "method", "query", "asked"]
    assert f"  ada_001:0-40  {asked}  " in table[2]
    assert "  --joints arms  " in table[1]


def test_a_name_that_is_taken_is_told_before_the_search(run):
    with pytest.raises(Exception, match="a selection named 'steps' already exists; --overwrite replaces it"):
        run("search", "a.bank", "nobody", "--keep", "steps")
    run("search", "a.bank", "#1:0-40", "-k", "2", "--keep", "steps", "--overwrite")
    assert ranks(run) == [1, 2]
    dry = run("search", "a.bank", "#1:0-40", "-k", "1", "--keep", "steps", "--overwrite", "--dry-run")
    assert "1 match kept as steps" in dry.stderr
    assert "dry run: nothing was changed" in dry.stderr
    assert ranks(run) == [1, 2]


def test_tables_tell_what_differs(run):
    steps, hands = (run("selection", "show", "a.bank", name) for name in ("steps", "hands"))
    one = run("selection", "show", "a.bank", "steps", "2-3").stdout.splitlines()

    assert steps.stdout.splitlines()[0].split() == [
        *("rank", "clip", "start", "stop", "secs", "mean", "cm", "scale", "side", "labels")
    ]
    assert "5 matches of 5, found by ada_001:0-40, kept 20" in steps.stderr
    assert hands.stdout.splitlines()[0].split() == [
        *("rank", "clip", "start", "stop", "secs", "distance", "mean", "cm", "side", "labels")
    ]
    assert [line.split()[0] for line in one[1:]] == ["2", "3"]
    table = run("selection", "ls", "a.bank").stdout.splitlines()
    assert table[0].split() == ["selection", "matches", "method", "query", "asked", "kept", "at", "(UTC)"]
    assert table[2].split()[:4] == ["steps", "5", "dtw", "ada_001:0-40"]


def test_thinning_out_by_hand(run):
    assert run("selection", "drop", "a.bank", "steps", "2", "5-").stdout == "2 matches removed, 3 left\n"
    assert ranks(run) == [1, 3, 4]
    assert run("selection", "keep", "a.bank", "steps", "3-9").stdout == "1 match removed, 2 left\n"
    assert ranks(run) == [3, 4]
    run("undo", "a.bank")
    assert ranks(run) == [1, 3, 4]
    with pytest.raises(NotInBankError, match="'steps' has no match 2"):
        run("selection", "drop", "a.bank", "steps", "2")
    with pytest.raises(UsageError, match=r"name the ranks of matches, .* or use --in"):
        run("selection", "drop", "a.bank", "steps")


def test_one_selection_against_another(run):
    run("search", "a.bank", "#1:0-40", "-k", "2", "--mirror", "both", "--scale", "5", "--keep", "best")
    assert run("selection", "drop", "a.bank", "steps", "--in", "best").stdout == "2 matches removed, 3 left\n"
    assert ranks(run) == [3, 4, 5]
    assert run("selection", "join", "a.bank", "steps", "best").stdout == "2 matches added, 5 now\n"
    assert ranks(run) == [3, 4, 5, 6, 7]
    assert run("selection", "keep", "a.bank", "steps", "--in", "best").stdout == "3 matches removed, 2 left\n"
    assert ranks(run) == [6, 7]


def test_mixed_units_are_told_for_each_match(run):
    run("search", "a.bank", "#1:0-40", "-k", "9", "-d", "angles", "--keep", "turns")
    run("selection", "join", "a.bank", "turns", "steps")

    lines = run("selection", "show", "a.bank", "turns").stdout.splitlines()
    assert " mean " in lines[0]
    assert "°" in lines[1]
    assert " cm " in lines[-1]


def test_renaming_and_removing(run):
    assert run("selection", "rename", "a.bank", "steps", "first steps").stdout == "first steps: 5 matches\n"
    assert run("selection", "rm", "a.bank", "first steps", "hands").stdout == (
        "removed first steps (5 matches)\nremoved hands (4 matches)\n"
    )
    done = run("selection", "ls", "a.bank")
    assert (done.stdout, "no selections; `motionary search … --keep NAME`" in done.stderr) == ("", True)


def test_selections_stand_for_segments_in_every_command(run):
    assert run("label", "add", "a.bank", "@steps", "-l", "step").stdout == "5 labels added\n"
    assert len(rows(run("label", "find", "a.bank", "step", "--json"))) == 5
    assert run("label", "rm", "a.bank", "@steps:1", "-l", "step").stdout == "1 label removed\n"
    assert len(rows(run("score", "a.bank", "@steps:1-2", "--json"))) == 2
    assert len(run("export", "a.bank", "@steps", "-o", "out").stdout.splitlines()) == 5
    assert run("plants", "add", "a.bank", "@steps:3", "--foot", "left").stdout == "2 plants added\n"
    assert "removed or trimmed" in run("plants", "rm", "a.bank", "@steps:3").stdout
    assert len(rows(run("clean", "a.bank", "@steps:1,3", "--json"))) == 2
    run("show", "a.bank", "@steps:1-2", "-o", "strip.svg")
    assert Path("strip.svg").stat().st_size > 1000
    assert rows(run("search", "a.bank", "@steps:1", "-k", "1", "--json"))
    with pytest.raises(NotInBankError, match=r"no selection 'kicks'\. There are hands, steps"):
        run("show", "a.bank", "@kicks")


def test_a_picture_of_query_and_matches(run):
    done = run("selection", "show", "a.bank", "steps", "1-3", "-o", "strip.svg")

    text = Path("strip.svg").read_text(encoding="utf-8")
    assert "ada_001:0-40" in text
    assert all(f"{rank}: " in text for rank in (1, 2, 3))
    assert "4: " not in text
    assert "strip.svg" in done.stderr


def test_a_picture_from_another_side(run):
    for view in ("front", "side"):
        run("selection", "show", "a.bank", "steps", "1-2", "-o", f"{view}.svg", "--view", view)

    assert Path("front.svg").read_text(encoding="utf-8") != Path("side.svg").read_text(encoding="utf-8")
    with pytest.raises(UsageError, match="--view needs -o: it sets the camera of the picture"):
        run("selection", "show", "a.bank", "steps", "--view", "side")


def test_a_picture_without_its_query(run):
    run("rm", "a.bank", "#1")
    done = run("selection", "show", "a.bank", "steps", "-o", "strip.svg")

    assert "found by #1:0-40" in done.stderr
    assert "the query is not drawn, because it is not a segment of the bank" in done.stderr
    assert "ada_001" not in Path("strip.svg").read_text(encoding="utf-8")
    assert rows(run("selection", "ls", "a.bank", "--json"))[0]["query"]["clip"] is None
