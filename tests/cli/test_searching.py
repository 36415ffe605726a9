"""`motionary search`, from a made library to a table, JSON and a picture."""

import json

import pytest
from typer.testing import CliRunner

from motionary.bank import Bank
from motionary.cli.app import app
from motionary.errors import UsageError
from motionary.sample import sample_into


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A small sample library in which one clip is there twice."""
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        first = sample_into(bank, minutes=0.5)[0]
        bank.add("twin", bank.recording(first.segment))
    return path


@pytest.fixture
def search(made):
    def search(*words: str):
        done = CliRunner().invoke(app, ["search", str(made), *words])
        if done.exception and not isinstance(done.exception, SystemExit):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done

    return search


def rows(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_twin_comes_first(search):
    lines = search("#1:0s-1s", "-k", "3").stdout.splitlines()

    assert lines[0].split() == ["clip", "start", "stop", "mean", "cm"]
    assert lines[1].split()[:2] == ["1", "twin"]
    assert lines[1].split()[-1] == "0.00"
    assert len(lines) == 4


def test_one_object_per_match(search):
    found = rows(search("#1:0s-1s", "-k", "3", "--json", "--mirror", "both"))

    assert [row["mean"] for row in found] == sorted(row["mean"] for row in found)
    assert (found[0]["clip"], found[0]["start"], found[0]["mirrored"], found[0]["unit"]) == ("twin", 0, False, "cm")


def test_options_reach_the_search(search):
    within = rows(search("#1:0s-1s", "--within", "0.001", "--json"))
    angles = rows(search("#1:0s-1s", "-d", "angles", "-d", "root", "--weight", "root=0.1", "--name", "twin", "--json"))
    scaled = search("#1:0s-1s", "--scale", "5", "--distance", "euclid", "--name", "twin", "-k", "1").stdout
    lcss = search("#1:0s-1s", "--distance", "lcss", "--joints", "LeftHand", "-k", "1", "--mirror", "both").stdout
    nothing = search("#1:0s-1s", "--within", "0", "--name", "ada*")

    assert [row["clip"] for row in within] == ["twin"]
    assert {(row["clip"], row["unit"]) for row in angles} == {("twin", "°")}
    assert scaled.splitlines()[0].split()[-1] == "scale"
    assert lcss.splitlines()[0].split()[-1] == "side"
    assert "nothing found among" in nothing.stderr
    with pytest.raises(UsageError, match="'LeftHand' is no --weight"):
        search("#1:0s-1s", "--weight", "LeftHand")


def test_a_picture_of_query_and_matches(search, tmp_path):
    path = tmp_path / "strip.svg"

    done = search("#1:0s-1s", "-k", "2", "-o", str(path))

    assert "the query and 2 of its matches" in done.stderr
    assert "twin" in path.read_text(encoding="utf-8")
