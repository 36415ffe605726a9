import errno
import shutil
from dataclasses import replace

import numpy as np
import pytest

from motionary.artefacts import ArtefactStore, Draft, rebuilding
from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.library import build_features
from motionary.metrics import METRICS, PointCloudMetric, metric_named
from motionary.search.match_web import (
    Searcher,
    WebSettings,
    build_web,
    building,
    opened_web,
    search_web,
    weaving,
    web_facts,
)
from motionary.search.match_web.building import in_words, shares_done
from motionary.search.match_web.known_webs import known_webs
from motionary.search.match_web.settings import METHODS
from search.match_web.made_webs import small_bank


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    path = tmp_path_factory.mktemp("made") / "a.bank"
    with small_bank(path) as bank:
        build_features(bank)
    return path


@pytest.fixture
def bank(made, tmp_path):
    shutil.copy(made, tmp_path / "a.bank")
    shutil.copytree(made.with_name("a.bank.derived"), tmp_path / "a.bank.derived")
    with Bank.open(tmp_path / "a.bank") as bank:
        yield bank


def folders(bank):
    """Those of all webs, the one that was built last at the end."""
    return [web.folder for web in known_webs(ArtefactStore.of(bank))]


def content(web):
    """All paths of a web, by the digests of their motions, whatever its order."""
    found, here = {}, {web.features.digests[clip] for clip in web.motions}
    for number, pair in enumerate(web.pairs):
        digests = web.digests[pair["rows"]], web.digests[pair["columns"]]
        if here.issuperset(digests):
            assert digests not in found
            found[digests] = web.pair(number).paths.tobytes(), web.pair(number).cells.tobytes()
    return found


def test_a_web_is_kept_and_found_again(bank):
    built = build_web(bank)

    assert built.facts()["chains"] > 0
    assert folders(bank) == [built.folder]
    told = []
    again = opened_web(bank, progress=lambda *numbers: told.append(numbers))
    assert told == []  # nothing was computed
    assert content(again) == content(built)


@pytest.mark.parametrize("method", METHODS)
def test_adding_and_removing_clips_is_as_good_as_building_anew(bank, tmp_path, method):
    settings = WebSettings(method=method)
    recording = bank.recording(bank.clips()[-1].segment)
    bank.remove([bank.clips()[-1].id])
    build_web(bank, settings=settings)
    bank.add("later", recording)
    removed = bank.clips()[0]
    bank.remove([removed.id])

    changed = build_web(bank, settings=settings)

    changed.folder.rename(tmp_path / "changed")
    anew = build_web(bank, settings=settings)
    assert content(changed) == content(anew)
    assert all(removed.id not in changed.features.clip_ids[list(clips)] for clips in changed.clips.values())
    assert changed.facts()["clips"] == len(bank.clips())


def test_a_clip_that_returns_is_compared_with_what_came_meanwhile(bank, tmp_path):
    first = bank.clips()[0].segment
    bank.add("short", bank.recording(replace(first, start=60, stop=200)))
    build_web(bank)
    bank.remove(["short"])
    removal = bank.log()[0].id
    bank.add("late", bank.recording(replace(first, start=100, stop=300)))
    build_web(bank)
    bank.undo(removal)

    returned = build_web(bank)

    assert any(digest.startswith("gone-") for digest in returned.digests)  # it was not worth writing all files anew
    assert content(returned) == content(anew(bank, returned, tmp_path))


def anew(bank, web, tmp_path, **options):
    """The same web, built from nothing."""
    web.folder.rename(tmp_path / "away")
    return build_web(bank, **options)


def test_answers_do_not_depend_on_the_order_in_which_clips_came(bank, tmp_path):
    clips = bank.clips()
    for clip in clips:  # many ties: cut copies are at no distance
        bank.add(f"{clip.name}_cut", bank.recording(replace(clip.segment, start=10)))
    bank.remove([clips[0].id])
    build_web(bank)
    bank.undo()
    added = build_web(bank)
    queries = [
        f"{clip.name}:{start}-{start + 90}" for clip in bank.clips() for start in range(0, clip.n_frames - 100, 190)
    ]

    def answers(web):
        searcher = Searcher(web)
        results = (search_web(bank, query, searcher=searcher, epsilon_cm=8.0) for query in queries)
        return [[match.as_json() for match in result.matches] for result in results]

    found = answers(added)
    assert any(match["distance"] == 0.0 for matches in found for match in matches)
    built = anew(bank, added, tmp_path)
    assert built.digests != added.digests
    assert answers(built) == found


def names_in(bank, web):
    return sorted(bank.clip(int(web.features.clip_ids[clip])).name for clip in web.motions)


def test_a_web_of_a_part_holds_what_fits_now(bank, tmp_path):
    first, second, *_ = (clip.name for clip in bank.clips())
    bank.add("copy", bank.recording(bank.clip(first).segment))
    words = {"names": [f"{first[:3]}*", f"{second[:3]}*"]}
    assert names_in(bank, build_web(bank, **words)) == [first, second]
    bank.rename(second, "zzz")

    found = opened_web(bank)

    assert names_in(bank, found) == [first]
    assert search_web(bank, f"{first}:0-90", epsilon_cm=15.0).n_clips == 1
    facts = found.facts() | {"bytes": 0}
    assert anew(bank, found, tmp_path, **words).facts() | {"bytes": 0} == facts
    bank.rename(first, "yyy")
    with pytest.raises(NotInBankError, match="clips that no longer exist"):
        opened_web(bank)
    assert web_facts(bank)[-1]["clips"] == 0


def test_words_in_another_order_name_the_same_web(bank):
    names = [clip.name for clip in bank.clips()[:2]]

    assert build_web(bank, names=names).folder == build_web(bank, names=names[::-1]).folder


def test_when_much_is_gone_files_are_written_without_it(bank):
    whole = build_web(bank)
    before = whole.facts()
    bank.remove([clip.id for clip in bank.clips()[1:]])
    told = []

    fewer = build_web(bank, progress=lambda *numbers: told.append(numbers))

    assert told == []  # nothing was compared
    assert fewer.facts()["bytes"] < before["bytes"] / 2
    assert len(fewer.digests) == 1
    assert content(fewer).items() <= content(whole).items()


def test_one_thread_and_more_build_the_same(bank, tmp_path):
    one = build_web(bank, threads=1)
    one.folder.rename(tmp_path / "one")

    assert content(build_web(bank, threads=3)) == content(one)


def test_an_interrupted_build_goes_on_where_it_was(bank, monkeypatch):
    whole = content(build_web(bank, threads=1))
    for folder in folders(bank):
        (folder / "manifest").unlink()
    weave, n_woven = weaving.Weaver.pairs_of, []

    def interrupted(self, digest, before, check):
        if len(n_woven) == 1:
            raise KeyboardInterrupt
        n_woven.append(digest)
        return weave(self, digest, before, check)

    monkeypatch.setattr(weaving.Weaver, "pairs_of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        build_web(bank)
    monkeypatch.setattr(weaving.Weaver, "pairs_of", weave)
    told = []

    assert content(build_web(bank, progress=lambda *numbers: told.append(numbers))) == whole
    assert len(told) == bank_size(bank) - 1


def bank_size(bank):
    return len(bank.clips())


def test_wherever_a_build_is_killed_the_web_is_whole_and_the_rest_follows(bank, tmp_path, monkeypatch):
    whole, left = content(build_web(bank)), []
    (folder,) = folders(bank)
    shutil.rmtree(folder)

    def leaving(name):
        """As the disk is before and after a step; a process that is killed leaves no more, and a last write cut off."""
        step = getattr(Draft, name)

        def traced(self, *given, **named):
            for when in ("before", "after"):
                result = step(self, *given, **named) if when == "after" else None
                if folder.exists():
                    left.append(tmp_path / f"left-{len(left)}")
                    shutil.copytree(folder, left[-1])
            return result

        monkeypatch.setattr(Draft, name, traced)

    leaving("append")
    leaving("commit")
    monkeypatch.setattr(building, "COMMIT_SECS", 0.0)
    build_web(bank)
    monkeypatch.undo()
    assert len(left) > 6
    for n, snapshot in enumerate(left[::3]):
        shutil.rmtree(folder)
        shutil.copytree(snapshot, folder)
        if n % 2:
            for cells in folder.glob("cells.*"):
                with cells.open("ab") as file:
                    file.write(b"cut o")
        assert content(build_web(bank)) == whole


@pytest.mark.parametrize("table", ["pairs", "paths", "cells"])
def test_of_a_damaged_web_only_the_motions_that_it_touches_are_compared_again(bank, table, monkeypatch):
    monkeypatch.setattr("motionary.artefacts.table.BLOCK_BYTES", 64)
    monkeypatch.setattr("motionary.artefacts.manifest.BLOCK_BYTES", 64)
    built = build_web(bank)
    whole = content(built)
    (path,) = built.folder.glob(f"{table}.*")
    data = bytearray(path.read_bytes())
    data[-1] ^= 1  # of the last motion
    path.write_bytes(data)
    told = []

    found = rebuilding(lambda: content(build_web(bank, progress=lambda *numbers: told.append(numbers))))

    assert found == whole
    assert len(told) == 1
    assert content(build_web(bank)) == whole


def test_one_damaged_web_does_not_block_the_others(bank):
    whole = build_web(bank)
    part = build_web(bank, names=[bank.clips()[0].name])
    (part.folder / "manifest").write_bytes(b"{")
    told = []

    assert opened_web(bank, message=told.append).folder == whole.folder
    assert [facts["web"] for facts in web_facts(bank)] == [whole.name]
    assert f"the match web {part.name} is left out: its manifest is damaged" in told[0]
    assert build_web(bank, names=[bank.clips()[0].name]).folder == part.folder
    assert len(web_facts(bank)) == 2


@pytest.mark.parametrize("n_synced", [0, 1, 4])
def test_a_full_disk_is_said_and_nothing_is_lost(bank, tmp_path, monkeypatch, n_synced):
    whole = content(build_web(bank))
    folders(bank)[-1].rename(tmp_path / "away")
    left = [n_synced]

    def sync(_):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(building, "COMMIT_SECS", 0.0)
    monkeypatch.setattr("os.fsync", sync)
    with pytest.raises(BankError, match=r"No space left on device.*free some space"):
        build_web(bank, threads=1)
    monkeypatch.undo()
    told = []

    found = build_web(bank, message=told.append)

    assert told == []
    assert content(found) == whole


def test_a_web_of_a_metric_that_is_not_known_by_name_is_left_out(bank):
    class Mine(PointCloudMetric):
        name = "mine"

    usual = build_web(bank)
    mine = build_web(bank, metric=Mine())
    told = []

    assert opened_web(bank, message=told.append).folder == usual.folder
    assert [facts["metric"] for facts in web_facts(bank)] == [PointCloudMetric().name]
    assert "'mine' is defined in Python code, not in the bank" in told[0]
    assert build_web(bank, metric=Mine()).folder == mine.folder
    shutil.rmtree(usual.folder)
    with pytest.raises(NotInBankError, match="no match web that is known here"):
        opened_web(bank)


def test_the_web_that_was_asked_for_last_is_the_latest(bank):
    whole = build_web(bank)
    part = build_web(bank, names=[bank.clips()[0].name])
    assert folders(bank)[-1] == part.folder

    build_web(bank)

    assert folders(bank)[-1] == whole.folder
    assert opened_web(bank).folder == whole.folder


def test_copies_share_their_paths(bank):
    clip = bank.clips()[0]
    before = build_web(bank)
    bank.add("copy", bank.recording(clip.segment))

    web = build_web(bank)

    assert len(web.pairs) == len(before.pairs)
    assert sorted(len(clips) for clips in web.clips.values())[-1] == 2


def test_where_nothing_can_be_written_the_web_is_made_all_the_same(bank):
    whole = build_web(bank)
    found = content(whole)
    for path in whole.folder.iterdir():
        path.unlink()
    whole.folder.rmdir()
    whole.folder.write_text("in the way")
    told = []

    passing = build_web(bank, message=told.append)

    assert passing.folder is None
    assert content(passing) == found
    assert "for this time only" in told[-1]


def test_the_other_builds_and_words_that_are_wrong(bank):
    with pytest.raises(UsageError, match="no build method"):
        WebSettings(method="magic")
    with pytest.raises(UsageError, match="cannot be"):
        WebSettings(rise_percent=-1.0)
    with pytest.raises(UsageError, match="above 0"):
        WebSettings(ceiling_cm=0.0)
    with pytest.raises(NotInBankError, match="no clip has name nobody"):
        build_web(bank, names=["nobody*"])


def test_a_bank_without_a_web_says_so(tmp_path):
    with Bank.open(tmp_path / "empty.bank", create=True) as bank, pytest.raises(NotInBankError, match="web build"):
        opened_web(bank)


def test_an_empty_bank_has_an_empty_web(tmp_path):
    with Bank.open(tmp_path / "empty.bank", create=True) as bank:
        facts = build_web(bank).facts()

    assert (facts["clips"], facts["chains"], facts["cells"]) == (0, 0, 0)
    assert np.isfinite(facts["bytes"])


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ([], "all clips"),
        (["a", "b"], "name a, name b"),
        (list("abcdef"), "name a, name b, name c and 3 more"),
    ],
)
def test_which_clips_a_web_is_of_is_told_briefly(names, told):
    assert in_words({"text": "", "labels": [], "names": names}) == told


@pytest.mark.parametrize("name", METRICS)
def test_every_metric_of_the_registry_builds_webs_that_are_found_again(named_bank, name):
    web = build_web(named_bank, metric=name, settings=WebSettings(ceiling_cm=20.0))

    facts = web_facts(named_bank)

    assert web.facts()["metric"] == metric_named(name).name
    assert web.facts()["chains"] > 0
    assert facts[-1]["metric"] == web.facts()["metric"]
    assert opened_web(named_bank).folder == web.folder


@pytest.fixture(scope="module")
def named_bank(tmp_path_factory):
    with small_bank(tmp_path_factory.mktemp("named") / "a.bank", minutes=0.2) as bank:
        yield bank


def test_progress_counts_work_and_not_clips():
    """A clip three times as long takes three times as long to compare with all that is there."""
    assert shares_done([10, 30, 20], 0) == pytest.approx([1 / 25, 13 / 25, 1.0])
    assert shares_done([10, 30], 10) == pytest.approx([2 / 17, 1.0])
    assert len(shares_done([], 10)) == 0


def test_a_web_of_some_clips_is_not_searched_silently(bank):
    told: list[str] = []
    build_web(bank)
    opened_web(bank, message=told.append)
    assert told == []
    name = bank.clips()[0].name
    build_web(bank, names=[name])

    opened_web(bank, message=told.append)
    opened_web(bank, "all clips", message=told.append)

    (said,) = told
    assert said.startswith(f"searching the match web of name {name}, as it was built last")
    assert said.endswith('the option web names another: "all clips" is the one of all clips')
