"""Match webs on the command line, and searching through them."""

import json

import pytest
from typer.testing import CliRunner

from motionary.bank import Bank
from motionary.cli.app import app
from motionary.errors import NotInBankError, UsageError
from motionary.sample import sample_into


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=1.0)
    CliRunner().invoke(app, ["web", "build", str(path)])  # so that features are built once
    return path


@pytest.fixture
def run(made, tmp_path, monkeypatch):
    """Runs a command on the library, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str):
        done = CliRunner().invoke(app, [str(made) if word == "BANK" else word for word in words])
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
    assert header.endswith("tier")
    assert {row.split()[-1] for row in rows} == {"1"}
    assert "cm, where its matches have their largest gap" in table.stderr
    kept = run("search", "BANK", query, "--by", "web", "--epsilon", "10", "--keep", "walks", "--dry-run")
    assert "kept as walks" in kept.stderr


def test_what_is_not_possible_is_said(run, tmp_path):
    with pytest.raises(UsageError, match="this web holds what is nearer than 15 cm"):
        run("search", "BANK", "#1:1s-2s", "--by", "web", "--epsilon", "20")
    with Bank.open(tmp_path / "b.bank", create=True) as bank:
        sample_into(bank, minutes=0.2)
    assert "no match web" in run("web", "info", str(tmp_path / "b.bank")).stderr
    with pytest.raises(NotInBankError, match="has no match web"):
        run("search", str(tmp_path / "b.bank"), "#1:1s-2s", "--by", "web")


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["--within", "3"], "--within and --by web do not go together; --epsilon says how far apart frames may be"),
        (["--joints", "arms"], "what is compared is said when a web is built"),
        (["--clusters"], "--keep NAME keeps what is found"),
        (["--explain"], "only exact search measures joint by joint; ask it with --by exact"),
        (["--reject", "2"], "--rejected names matches that lead no further"),
        (["--at-least", "2"], "-k says how many are wanted, --epsilon how near they are"),
        (["--mirror", "only"], "a web knows nothing mirrored; --by exact does"),
        (["--unlike", "#1"], "only exact search puts examples together"),
        (["--with-itself"], "together; it belongs to --by exact or wpca"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_each_option_that_a_web_does_not_take_gets_its_own_advice(run, words, advice):
    with pytest.raises(UsageError, match=advice):
        run("search", "BANK", "#1:0s-1s", "--by", "web", *words)
