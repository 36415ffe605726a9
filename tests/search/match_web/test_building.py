import json

import numpy as np
import pytest

from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.search.match_web import WebSettings, build_web, latest_web, weaving
from motionary.search.match_web.building import folders
from search.match_web.made_webs import small_bank


@pytest.fixture
def bank(tmp_path):
    with small_bank(tmp_path / "a.bank") as bank:
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


def test_adding_and_removing_clips_is_as_good_as_building_anew(bank, tmp_path):
    first = build_web(bank, names=["ada*"])
    more = build_web(bank)
    more.folder.rename(tmp_path / "old")
    anew = build_web(bank)
    assert content(more) == content(anew)
    assert first.facts()["clips"] < anew.facts()["clips"]

    removed = bank.clips()[0]
    bank.remove([removed.id])
    fewer = build_web(bank)
    fewer_content = content(fewer)
    assert all(removed.id not in fewer.features.clip_ids[clips] for clips in fewer.clips.values())
    assert fewer_content.keys() < content(anew).keys()
    assert all(content(anew)[key] == paths for key, paths in fewer_content.items())


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


@pytest.mark.parametrize("damage", ["manifest", "table", "version"])
def test_damaged_files_are_made_anew(bank, damage):
    built = build_web(bank)
    whole = content(built)
    manifest = built.folder / "web.json"
    if damage == "manifest":
        manifest.write_text("{")
    elif damage == "version":
        manifest.write_text(json.dumps(json.loads(manifest.read_text()) | {"version": 0}))
    else:
        next(built.folder.glob("cells-*.bin")).write_bytes(b"")
    told = []

    assert content(build_web(bank, message=told.append)) == whole
    assert "built anew" in told[0]


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
