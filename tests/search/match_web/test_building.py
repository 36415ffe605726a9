import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.features import build_features
from motionary.search.match_web import WebSettings, build_web, building, latest_web, store, weaving
from motionary.search.match_web.building import folders
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


def content(web):
    """All paths of a web, by the digests of their motions, whatever its order."""
    return {
        (web.digests[pair["rows"]], web.digests[pair["columns"]]): (
            web.pair(number).paths.tobytes(),
            web.pair(number).cells.tobytes(),
        )
        for number, pair in enumerate(web.pairs)
        if pair["rows"] in web.clips and pair["columns"] in web.clips
    }


def test_a_web_is_kept_and_found_again(bank):
    built = build_web(bank)

    assert built.facts()["chains"] > 0
    assert folders(bank.derived_path) == [built.folder]
    told = []
    again = latest_web(bank, progress=lambda *numbers: told.append(numbers))
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
    assert all(removed.id not in changed.features.clip_ids[clips] for clips in changed.clips.values())
    assert changed.facts()["clips"] == len(bank.clips())


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


def test_wherever_a_build_is_killed_the_web_is_whole_and_the_rest_follows(bank, tmp_path, monkeypatch):
    build_web(bank).folder.rename(tmp_path / "old")
    whole, left = content(build_web(bank)), []
    folder = folders(bank.derived_path)[-1]
    shutil.rmtree(folder)

    def leaving(name):
        """As the disk is before and after a step; a process that is killed leaves no more, and a last write cut off."""
        step = getattr(store.WebStore, name)

        def traced(self, *given):
            for when in ("before", "after"):
                if when == "after":
                    step(self, *given)
                if folder.exists():
                    left.append(tmp_path / f"left-{len(left)}")
                    shutil.copytree(folder, left[-1])

        monkeypatch.setattr(store.WebStore, name, traced)

    leaving("append")
    leaving("commit")
    monkeypatch.setattr(building, "COMMIT_SECS", 0.0)
    build_web(bank)
    monkeypatch.undo()
    assert len(left) > 6
    for n, snapshot in enumerate(left):
        shutil.rmtree(folder)
        shutil.copytree(snapshot, folder)
        if n % 2:
            with next(folder.glob("cells-*.bin")).open("ab") as file:
                file.write(b"cut o")
        assert content(build_web(bank)) == whole


def test_an_interrupted_build_goes_on_where_it_was(bank, monkeypatch):
    whole = content(build_web(bank, threads=1))
    for folder in folders(bank.derived_path):
        (folder / "web.json").unlink()
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


@pytest.mark.parametrize("damage", ["manifest", "table", "version", "bytes"])
def test_damaged_files_are_made_anew(bank, damage):
    built = build_web(bank)
    whole = content(built)
    manifest = built.folder / "web.json"
    if damage == "manifest":
        manifest.write_text("{")
    elif damage == "version":
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": 0}))
    elif damage == "bytes":  # is seen when something is to be added
        cells = next(built.folder.glob("cells-*.bin"))
        cells.write_bytes(b"\x01" + cells.read_bytes()[1:] if cells.read_bytes()[:1] != b"\x01" else b"\x02")
        bank.add("more", bank.recording(replace(bank.clips()[0].segment, start=3, stop=60)))
        whole = None
    else:
        next(built.folder.glob("cells-*.bin")).write_bytes(b"")
    told = []

    anew = content(build_web(bank, message=told.append))

    assert whole is None or anew == whole
    assert "built anew" in told[0]


def test_the_web_that_was_asked_for_last_is_the_latest(bank):
    whole = build_web(bank)
    part = build_web(bank, names=[bank.clips()[0].name])
    assert folders(bank.derived_path)[-1] == part.folder

    build_web(bank)

    assert folders(bank.derived_path)[-1] == whole.folder
    assert latest_web(bank).folder == whole.folder


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
    with pytest.raises(UsageError, match="no way to build"):
        WebSettings(method="magic")
    with pytest.raises(UsageError, match="cannot be"):
        WebSettings(rise=-1.0)
    with pytest.raises(UsageError, match="above 0"):
        WebSettings(ceiling=0.0)
    with pytest.raises(NotInBankError, match="no clip has all these words"):
        build_web(bank, names=["nobody*"])


def test_a_bank_without_a_web_says_so(tmp_path):
    with Bank.open(tmp_path / "empty.bank", create=True) as bank, pytest.raises(NotInBankError, match="web build"):
        latest_web(bank)


def test_an_empty_bank_has_an_empty_web(tmp_path):
    with Bank.open(tmp_path / "empty.bank", create=True) as bank:
        facts = build_web(bank).facts()

    assert (facts["clips"], facts["chains"], facts["cells"]) == (0, 0, 0)
    assert np.isfinite(facts["bytes"])
