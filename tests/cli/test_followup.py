"""What follows a search on the command line: explanations, clusters, judgements and profiles."""

import json
import re

import pytest

from command_line import invoke
from motionary.bank import Bank
from motionary.cli.followup import STAGES
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.sample import sample_into

QUERY = ("search", "a.bank", "#1:0s-1s", "--distance", "euclid")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "made.bank"
    with Bank.open(path, create=True) as bank:
        sample_into(bank, minutes=0.5)
    invoke(["search", str(path), "#1:0s-1s"])  # so that features are built once
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


def rows(done) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def places(done) -> list[tuple[str, int]]:
    return [(row["clip"], row["start"]) for row in rows(done)]


def test_a_table_tells_what_joints_and_phases_add(run):
    table, parts, phases, stages = run(*QUERY, "-k", "3", "--explain").stdout.split("\n\n")

    assert len(table.splitlines()) == 4
    assert parts.splitlines()[0].split() == ["%", "of", "distance", "1", "2", "3"]
    for column in (1, 2, 3):
        shares = [float(line.split()[column - 4]) for line in phases.splitlines()[1:]]
        assert sum(shares) == pytest.approx(100, abs=3)
    assert [line.split(" % ")[0].split()[0] for line in phases.splitlines()[1:]] == ["0–25", "25–50", "50–75", "75–100"]
    assert stages.splitlines()[0].split() == ["stage", "windows", "meaning"]
    assert [re.split("  +", line)[0] for line in stages.splitlines()[1:]] == list(STAGES)
    assert [re.split("  +", line)[-1] for line in stages.splitlines()[1:]] == list(STAGES.values())


def test_matches_of_matches_show_their_tier(run):
    found = rows(run(*QUERY, "-k", "6", "--steps", "3", "--json"))
    header, *lines = run(*QUERY, "-k", "6", "--steps", "3").stdout.splitlines()

    assert {row["tier"] for row in found} > {1}
    assert [int(line[header.index("tier") :].split()[0]) for line in lines] == [row["tier"] for row in found]


def test_json_has_the_same_for_every_match(run):
    found = rows(run(*QUERY, "-k", "12", "--explain", "--json"))

    assert len(found) == 12
    for row in found:
        assert sum(row["parts"].values()) == pytest.approx(row["distance"])
        assert sum(row["phases"]) == pytest.approx(row["distance"])
        assert row["stages"]
    assert "showing the first 10 of 12 matches" in run(*QUERY, "-k", "12", "--explain").stderr


def test_a_heat_strip_is_drawn(run, tmp_path):
    done = run(*QUERY, "-k", "2", "--heat", "heat.svg")

    text = (tmp_path / "heat.svg").read_text(encoding="utf-8")
    assert "in 2 matches" in done.stderr
    assert ">LeftHand<" in text
    assert f">1  {places(run(*QUERY, '-k', '1', '--json'))[0][0]}:" in text


def test_clusters_are_listed_opened_and_dismissed(run, tmp_path):
    everything = places(run(*QUERY, "-k", "20", "--json"))
    listed = run(*QUERY, "-k", "20").stdout.splitlines()
    clusters = rows(run(*QUERY, "-k", "20", "--clusters", "--json"))
    table = run(*QUERY, "-k", "20", "--clusters", "-o", "kinds.svg").stdout.splitlines()

    assert [cluster["cluster"] for cluster in clusters] == [1, 2, 3, 4]
    assert sorted(rank for cluster in clusters for rank in cluster["ranks"]) == list(range(1, 21))
    assert len(table) == 5
    assert table[0].split()[:2] == ["cluster", "matches"]
    for number, cluster in enumerate(clusters, start=1):
        members = [everything[rank - 1] for rank in cluster["ranks"]]
        others = [place for place in everything if place not in members]
        assert (cluster["clip"], cluster["start"]) == everything[cluster["medoid_rank"] - 1]
        mean = listed[cluster["medoid_rank"]].split()[listed[0].split().index("mean")]
        assert table[number].split()[6] == mean  # rounded as there
        assert places(run(*QUERY, "-k", "20", "--open", f"{number}", "--json")) == members
        assert places(run(*QUERY, "-k", "20", "--dismiss", f"{number}", "--json")) == others
    both = run(*QUERY, "-k", "20", "--dismiss", "1", "--dismiss", "2", "--json")
    assert len(rows(both)) == 20 - clusters[0]["size"] - clusters[1]["size"]
    assert "matches of 20, ranks" in both.stderr
    assert [row["rank"] for row in rows(run(*QUERY, "-k", "20", "--open", "2", "--json"))] == clusters[1]["ranks"]
    run(*QUERY, "-k", "20", "--open", "2", "--keep", "kind")
    kept = rows(run("selection", "show", "a.bank", "kind", "--json"))
    assert [row["rank"] for row in kept] == clusters[1]["ranks"]
    drawn = (tmp_path / "kinds.svg").read_text(encoding="utf-8")
    titles = drawn[drawn.index("<title>") : drawn.index("</title>")]
    assert re.findall(r", ([0-9]+): ", titles) == [str(cluster["medoid_rank"]) for cluster in clusters]
    with pytest.raises(UsageError, match="no cluster 9"):
        run(*QUERY, "--open", "9")


def test_clusters_of_a_selection(run):
    run(*QUERY, "-k", "15", "--keep", "some")
    clusters = rows(run("selection", "clusters", "a.bank", "some", "--json"))
    opened = rows(run("selection", "clusters", "a.bank", "some", "--open", "2", "--json"))

    assert [row["rank"] for row in opened] == clusters[1]["ranks"]
    assert run("selection", "clusters", "a.bank", "some", "--open", "2").stdout.split()[0] == "rank"
    assert "removed" in run("selection", "clusters", "a.bank", "some", "--dismiss", "1", "--dry-run").stdout
    run("selection", "clusters", "a.bank", "some", "--dismiss", "1")
    left = [row["rank"] for row in rows(run("selection", "show", "a.bank", "some", "--json"))]
    assert left == sorted(rank for cluster in clusters[1:] for rank in cluster["ranks"])
    run("undo", "a.bank")
    assert len(rows(run("selection", "show", "a.bank", "some", "--json"))) == 15


def test_judged_matches_teach_and_are_not_listed_again(run):
    first = places(run(*QUERY, "-k", "6", "--json"))

    done = run(*QUERY, "-k", "6", "--accept", "1,3", "--reject", "2,4-5", "--keep-profile", "mine", "--json")

    assert not set(places(done)) & {first[rank - 1] for rank in (1, 2, 3, 4, 5)}
    assert len(places(done)) == 6
    assert "learned from 2 accepted and 3 rejected" in done.stderr
    assert "means are larger than usual" in done.stderr
    assert "means are larger than usual" in run(*QUERY, "-k", "1", "--profile", "mine").stderr
    assert "means are larger" not in run(*QUERY, "-k", "6", "--accept", "1").stderr
    assert rows(run("profile", "ls", "a.bank", "--json")) == [
        {"profile": "mine", "learned_from": rows(run("profile", "show", "a.bank", "mine", "--json"))[0]["learned_from"],
         "accepted": 2, "rejected": 3}
    ]  # fmt: skip


def test_a_profile_is_kept_shown_shared_and_removed(run, tmp_path):
    run(*QUERY, "-k", "3", "--accept", "1", "--reject", "2", "--keep-profile", "mine")
    by_name = run(*QUERY, "-k", "3", "--profile", "mine", "--json").stdout

    shown = rows(run("profile", "show", "a.bank", "mine", "--json"))[0]
    assert (len(shown["accepted"]), len(shown["rejected"])) == (1, 1)
    assert set(shown["parts"]) >= {"LeftHand", "Head"}
    assert shown["accepted"][0] in run("profile", "show", "a.bank", "mine").stdout
    assert "mine" in run("profile", "ls", "a.bank").stdout

    run("profile", "export", "a.bank", "mine", "-o", "never.json", "--dry-run")
    assert not (tmp_path / "never.json").exists()
    run("profile", "export", "a.bank", "mine")
    assert run(*QUERY, "-k", "3", "--profile", "mine.json", "--json").stdout == by_name
    with pytest.raises(BankError, match="already exists"):
        run("profile", "import", "a.bank", "mine.json")
    run("profile", "import", "a.bank", "mine.json", "--as", "yours")
    assert run(*QUERY, "-k", "3", "--profile", "yours", "--json").stdout == by_name

    run("profile", "rm", "a.bank", "mine", "yours", "--dry-run")
    run("profile", "rm", "a.bank", "mine", "yours")
    assert "no profiles" in run("profile", "ls", "a.bank").stderr
    with pytest.raises(NotInBankError, match="no profile 'mine'"):
        run(*QUERY, "--profile", "mine")
    run("undo", "a.bank")
    assert "yours" in run("profile", "ls", "a.bank").stdout


def test_one_bad_profile_does_not_hide_the_others(run):
    run(*QUERY, "-k", "3", "--accept", "1", "--keep-profile", "good")
    with Bank.open("a.bank") as bank:
        bank.keep_profile("bad", {"format": "motionary profile", "version": 2, "accepted": 5})

    listed = run("profile", "ls", "a.bank", "--json")

    assert [row["profile"] for row in rows(listed)] == ["good"]
    assert "profile 'bad': the profile is damaged" in listed.stderr


def test_a_purge_tells_what_was_learned_from_the_clip_and_takes_it_along(run, tmp_path):
    run(*QUERY, "-k", "3", "--accept", "1", "--keep-profile", "mine")
    run("space", "train", "a.bank", "bodies")
    (tmp_path / "a.bank.derived").unlink()  # a link to what other tests need
    with Bank.open("a.bank") as bank:
        (clip_id, *_) = bank.profile("mine")["clip_ids"]

    rehearsed = run("purge", "a.bank", f"#{clip_id}", "--dry-run").stdout
    for what in ("pose space bodies", "profile mine"):
        assert f"would purge {what}, which is or may be based on it" in rehearsed
    assert "mine" in run("profile", "ls", "a.bank").stdout
    assert "purged profile mine" in run("purge", "a.bank", f"#{clip_id}", "--yes").stdout

    assert "no profiles" in run("profile", "ls", "a.bank").stderr
    assert "no pose spaces" in run("space", "ls", "a.bank").stderr


def test_a_profile_can_learn_more(run):
    run(*QUERY, "-k", "3", "--accept", "1", "--keep-profile", "mine")
    run(*QUERY, "-k", "3", "--profile", "mine", "--reject", "2", "--keep-profile", "mine", "--overwrite")

    (known,) = rows(run("profile", "ls", "a.bank", "--json"))
    assert (known["accepted"], known["rejected"]) == (1, 1)


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--accept", "4"], "no match 4; the search found 3"),
        (["--accept", "1", "--reject", "2-9"], "no match 9; the search found 3"),
        (["--accept", "4-"], "no match 4; the search found 3"),
        (["--accept", "1-2", "--reject", "2"], "accepted and rejected"),
        (["--accept", "first"], "'first' is not a rank"),
        (["--keep-profile", "mine"], "learned from rated matches"),
        (["--profile", "missing.json"], "cannot be read"),
    ],
)
def test_judgements_that_cannot_be_understood(run, words, problem):
    with pytest.raises(UsageError, match=problem):
        run(*QUERY, "-k", "3", *words)
