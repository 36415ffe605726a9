"""Match webs on the command line, and searching through them."""

import json

import pytest

from command_line import invoke
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.sample import sample_into
from motionary.search.match_web.weaving import Weaver


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=1.0)
    invoke(["web", "build", str(path)])  # so that features are built once
    return path


@pytest.fixture
def run(made, tmp_path, monkeypatch):
    """Runs a command on the library, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str):
        done = invoke([str(made) if word == "BANK" else word for word in words])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return run


@pytest.mark.parametrize("method", ["sparse", "pyramid", "dense"])
def test_webs_are_built_and_listed(run, method):
    built = json.loads(run("web", "build", "BANK", "--method", method, "--json").stdout)

    assert built["method"] == method
    assert built["chains"] > 0
    listed = [json.loads(line) for line in run("web", "info", "BANK", "--json").stdout.splitlines()]
    assert built | {"in_use": True} == listed[-1]
    assert method in run("web", "info", "BANK").stdout


def test_a_part_of_the_library_has_a_web_of_its_own(run, made):
    with Bank.open(made) as bank:
        name = bank.clips()[0].name

    built = json.loads(run("web", "build", "BANK", "-n", name, "--ceiling", "10", "--weight", "Arm=2", "--json").stdout)

    assert (built["clips"], built["ceiling_cm"]) == (1, 10.0)
    assert built["of"] == f"name {name}"
    assert built["metric"].endswith("Arm=2")
    run("web", "build", "BANK")


def test_searching_lists_draws_and_keeps(run, tmp_path):
    query = "#1:0s-0.6s"  # at ease, as between all that is done

    found = run("search", "BANK", query, "--by", "web", "--epsilon", "10", "--json", "-o", "graph.svg")

    matches = [json.loads(line) for line in found.stdout.splitlines()]
    assert matches
    assert {match["method"] for match in matches} == {"web"}
    assert [match["distance"] for match in matches] == sorted(match["distance"] for match in matches)
    assert (tmp_path / "graph.svg").read_text().startswith("<svg")
    assert "the match graph of" in found.stderr
    table = run("search", "BANK", query, "--by", "web", "--steps", "1")
    header, *rows = table.stdout.splitlines()
    assert header.split()[:4] == ["rank", "clip", "start", "stop"]
    assert "distance cm  mean cm" in header
    assert "tier" in header
    assert {row[header.index("tier") :].split()[0] for row in rows} == {"1"}
    assert "cm, estimated from the query's direct matches" in table.stderr
    kept = run("search", "BANK", query, "--by", "web", "--epsilon", "10", "--keep", "walks", "--dry-run")
    assert "kept as walks" in kept.stderr


def test_a_mistyped_weight_leaves_no_web_behind(run):
    before = run("web", "info", "BANK", "--json").stdout

    for weight in ("Nose=3", "Arm=-1"):
        with pytest.raises(UsageError, match=r"no point has 'Nose'|the weight -1\.0 of 'Arm'"):
            run("web", "build", "BANK", "--weight", weight)

    assert run("web", "info", "BANK", "--json").stdout == before
    assert run("search", "BANK", "#1:0s-0.6s", "--by", "web", "--json").stdout


def test_webs_are_told_apart_chosen_and_removed(run, made):
    whole = json.loads(run("web", "build", "BANK", "--json").stdout)["web"]
    with Bank.open(made) as bank:
        second, first = (clip.name for clip in bank.clips()[:2])
    part = run("web", "build", "BANK", "-n", first, "--weight", "Hand=2", "--rise", "20", "--json").stdout
    part = json.loads(part)["web"]

    listed = run("web", "info", "BANK")

    assert f"searches use {part}, the web built last" in listed.stderr
    assert "--weight Hand=2 --rise 20" in listed.stdout
    query = f"{second}:0s-0.6s"
    elsewhere = run("search", "BANK", query, "--by", "web", "--web", whole, "--epsilon", "10", "--json")
    assert len({json.loads(line)["clip"] for line in elsewhere.stdout.splitlines()}) > 1
    assert json.loads(run("web", "info", "BANK", "--json").stdout.splitlines()[-1])["web"] == part  # as before
    none = run("search", "BANK", query, "--by", "web", "-n", second)
    assert "none of the selected clips is in the web" in none.stderr
    assert f"the web {whole} (all clips)" in none.stderr
    with pytest.raises(NotInBankError, match="no match web named 'nosuch'; available:"):
        run("search", "BANK", query, "--by", "web", "--web", "nosuch")
    assert "nothing was deleted" in run("web", "rm", "BANK", part, "--dry-run").stderr
    assert f"removed {part}: the web of name {first} (1 clip)" in run("web", "rm", "BANK", f"name {first}").stdout
    assert part not in run("web", "info", "BANK").stdout
    run("web", "build", "BANK")


def test_a_web_that_is_not_finished_says_so(run, made, monkeypatch):
    monkeypatch.setattr("motionary.search.match_web.weaving.Weaver.pairs_of", _interrupted_after(2))
    done = invoke(["web", "build", str(made), "--ceiling", "8"])
    monkeypatch.undo()

    assert "run the same command again to continue" in done.stderr
    listed = run("web", "info", "BANK")
    assert "2 of " in listed.stdout
    assert "is not finished" in listed.stderr
    searched = run("search", "BANK", "#1:0s-0.6s", "--by", "web")
    assert "clips; the others are compared now" in searched.stderr
    assert "not finished" not in run("web", "info", "BANK").stderr
    run("web", "build", "BANK")


def _interrupted_after(n):
    """Weaves so many motions, and then Ctrl-C is pressed."""
    woven, weave = [], Weaver.pairs_of

    def pairs_of(self, *given):
        if len(woven) == n:
            raise KeyboardInterrupt
        woven.append(given)
        return weave(self, *given)

    return pairs_of


def test_more_matches_than_are_listed_are_told(run):
    found = run("search", "BANK", "#1:0s-0.6s", "--by", "web", "--epsilon", "14", "-k", "2", "-o", "graph.svg")

    assert len(found.stdout.splitlines()) == 3
    assert "more matches are farther away; -k" in found.stderr
    assert "the match graph of 2 matches of" in found.stderr


def test_what_was_asked_is_kept_with_a_selection(run):
    query = "#1:0s-0.6s"
    found = run("search", "BANK", query, "--by", "web", "--epsilon", "12", "--steps", "2", "--keep", "eases")
    web = json.loads(run("web", "info", "BANK", "--json").stdout.splitlines()[-1])["web"]

    listed = run("selection", "ls", "BANK")

    assert f"--epsilon 12.00 --steps 2 --web {web}" in listed.stdout
    assert run("selection", "show", "BANK", "eases").stdout == found.stdout
    drawn = run("selection", "show", "BANK", "eases", "-o", "eases.svg")
    assert "the matches, aligned with their query" in drawn.stderr
    assert "rejects nothing: no match lies mostly within it" in (
        run("search", "BANK", query, "--by", "web", "--rejected", "#1:0-3").stderr
    )
    rejected = run("search", "BANK", query, "--by", "web", "--epsilon", "12", "--rejected", "@eases:1-2", "--json")
    gone = {line.split()[1:4][0] + ":" + line.split()[2] for line in found.stdout.splitlines()[1:3]}
    left = {f"{match['clip']}:{match['start']}" for match in map(json.loads, rejected.stdout.splitlines())}
    assert not gone & left
    run("selection", "rm", "BANK", "eases")


def test_matches_lie_within_a_distance_along_the_graph(run):
    asked = ("search", "BANK", "#1:0s-1s", "--by", "web", "-k", "1000", "--json")
    every = [json.loads(line) for line in run(*asked, "--epsilon", "15").stdout.splitlines()]
    limit = sorted(row["distance"] for row in every)[len(every) // 2]
    done = run(*asked, "--within", f"{limit:.4f}")

    near = [json.loads(line) for line in done.stdout.splitlines()]
    assert near
    assert all(row["distance"] <= limit + 1e-3 for row in near)
    assert "estimated" not in done.stderr


def test_why_nothing_is_found_is_said(run):
    nearer = run("search", "BANK", "#1:0s-0.6s", "--by", "web", "--epsilon", "0.001")
    assert "no match within 0.001 cm; an epsilon of " in nearer.stderr
    with pytest.raises(NotInBankError, match=r"no clip has label nosuch, so there is no web to build\. `motionary ls"):
        run("web", "build", "BANK", "-l", "nosuch")


def test_what_is_not_possible_is_said(run, tmp_path):
    with pytest.raises(
        UsageError, match=r"this web contains only pairs within 15 cm; `motionary web build --ceiling 20`"
    ):
        run("search", "BANK", "#1:1s-2s", "--by", "web", "--epsilon", "20")
    with Bank.open(tmp_path / "b.bank", create=True) as bank:
        sample_into(bank, minutes=0.2)
    assert "no match web" in run("web", "info", str(tmp_path / "b.bank")).stderr
    with pytest.raises(NotInBankError, match="has no match web"):
        run("search", str(tmp_path / "b.bank"), "#1:1s-2s", "--by", "web")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["--joints", "arms"], "what a web compares is set when it is built"),
        (["--clusters"], "keep the matches with --keep NAME, then run `motionary selection clusters`"),
        (["--explain"], "only --by exact measures joint by joint"),
        (["--reject", "2"], "use --rejected for matches that must not lead further"),
        (["--at-least", "2"], "use -k for the number of matches, --within for the largest distance"),
        (["--mirror", "only"], "a web tells left from right; --by exact and --by wpca match mirror images"),
        (["--unlike", "#1"], "only --by exact combines several examples"),
        (["--with-itself"], "--with-itself belongs to --by exact or --by wpca"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_each_option_that_a_web_does_not_take_gets_its_own_advice(run, words, advice):
    with pytest.raises(UsageError, match=advice):
        run("search", "BANK", "#1:0s-1s", "--by", "web", *words)
