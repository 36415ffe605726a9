"""The description learned from a bank: learned once, follows every change, learned anew when the library is another."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.artefacts import ArtefactStore, rebuilding
from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.features import features_of
from motionary.library import build_features, lessons_of, with_learned
from motionary.motion import recording_of

MOTIONS = [wild_body(seed, n_frames=70 + 9 * seed) for seed in range(6)]
LEARNING = "learning a description from the library, once; it has only 0.2 min, so this may tell little"


class Told:
    """What a call said."""

    def __init__(self) -> None:
        self.messages: list[str] = []
        self.progress: list[tuple[int, int]] = []

    def learned(self, bank: Bank):
        self.messages, self.progress = [], []
        return with_learned(bank, message=self.messages.append, progress=lambda *done: self.progress.append(done))


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture(scope="module")
def learned_bank(tmp_path_factory) -> Path:
    """A bank of five clips, with what was learned from it."""
    path = tmp_path_factory.mktemp("learned") / "a.bank"
    with Bank.open(path, create=True) as bank:
        for i, motion in enumerate(MOTIONS[:5]):
            bank.add(f"take {i}", recording_of(motion))
        with_learned(bank)
    return path


@pytest.fixture
def bank(learned_bank, tmp_path):
    shutil.copy(learned_bank, tmp_path / "a.bank")
    shutil.copytree(f"{learned_bank}.derived", tmp_path / "a.bank.derived")
    with Bank.open(tmp_path / "a.bank") as bank:
        yield bank


def folder(bank: Bank) -> Path:
    return bank.derived_path / "learned" / "30hz"


def is_right(features, bank: Bank) -> bool:
    """Whether every clip is described as its motion is, to the last bit."""
    for clip_id in features.clip_ids.tolist():
        wanted = features_of(bank.motion(clip_id), network=features.network)
        assert np.array_equal(features.of(clip_id)["learned"], wanted["learned"])
    return True


def same_network(one, other) -> bool:
    return all(
        np.array_equal(getattr(one.network, name), getattr(other.network, name))
        for name in type(one.network).__dataclass_fields__
    )


def test_it_is_learned_once_and_kept(tmp_path, told):
    with Bank.open(tmp_path / "new.bank", create=True) as bank:
        for i, motion in enumerate(MOTIONS[:5]):
            bank.add(f"take {i}", recording_of(motion))

        first = told.learned(bank)
        assert told.messages == [LEARNING]
        assert told.progress[-1][0] == told.progress[-1][1]
        # Of the library: features are told before
        own = told.progress[len(MOTIONS[:5]) :]
        assert [done for done, _ in own] == sorted(done for done, _ in own)

        again = told.learned(bank)

    assert (told.messages, told.progress) == ([], [])
    assert same_network(first, again)
    assert np.array_equal(first.arrays["learned"], again.arrays["learned"])


def test_it_describes_all_clips(bank, told):
    features = told.learned(bank)

    assert told.messages == []
    assert is_right(features, bank)
    assert with_learned(bank, features) is features


@pytest.mark.thorough
def test_it_does_not_depend_on_the_order_of_clips(bank, told, tmp_path):
    with Bank.open(tmp_path / "other.bank", create=True) as other:
        other.add("gone", recording_of(MOTIONS[5]))
        for i in (3, 1, 4, 0, 2):
            other.add(f"take {i}", recording_of(MOTIONS[i]))
        other.add("copy", recording_of(MOTIONS[0]))
        other.remove(["gone"])

        assert same_network(told.learned(bank), told.learned(other))


def test_new_clips_are_described_by_the_same_network(bank, told):
    before = told.learned(bank)
    bank.add("new", recording_of(MOTIONS[5]))

    features = told.learned(bank)

    assert told.messages == []
    assert same_network(before, features)
    assert is_right(features, bank)


def test_clips_that_are_removed_come_back(bank, told):
    bank.remove(["take 0"])
    assert is_right(told.learned(bank), bank)
    bank.undo()

    assert is_right(told.learned(bank), bank)
    assert told.messages == []


@pytest.mark.parametrize("change", ["added", "removed"])
def test_a_library_that_has_changed_much_is_learned_anew(bank, told, change):
    before = told.learned(bank)
    if change == "added":
        for seed in range(10, 13):
            bank.add(f"take {seed}", recording_of(wild_body(seed, n_frames=90)))
    else:
        bank.remove(["take 4", "take 3"])

    features = told.learned(bank)

    assert told.messages == [message for message in told.messages if message.startswith("learning a description")]
    assert len(told.messages) == 1
    assert not same_network(before, features)
    assert is_right(features, bank)


def test_the_network_outlives_the_features(bank, told):
    before = told.learned(bank)
    ArtefactStore.of(bank).remove(["features"])

    features = told.learned(bank)

    assert told.messages == []
    assert same_network(before, features)
    assert is_right(features, bank)


def test_what_is_damaged_is_made_again(bank, told):
    before = told.learned(bank)
    rows = np.array(before.arrays["learned"])
    for path in folder(bank).iterdir():
        if path.suffix[1:].isdigit() and path.stem == "learned":
            content = bytearray(path.read_bytes())
            content[100] ^= 255
            path.write_bytes(bytes(content))

    features = rebuilding(lambda: (found := told.learned(bank), found.arrays["learned"][:])[0])

    assert np.array_equal(features.arrays["learned"], rows)
    assert is_right(features, bank)


def test_it_can_be_listed_and_removed(bank, told):
    store = ArtefactStore.of(bank)
    assert "learned/30hz" in [one.name for one in store.entries()]

    store.remove(["learned"])

    assert is_right(told.learned(bank), bank)
    assert told.messages == [LEARNING]


def test_a_folder_that_cannot_be_written(bank, told):
    before = told.learned(bank)
    store = ArtefactStore.of(bank)
    store.remove(["learned"])
    (bank.derived_path / "learned").rmdir()
    (bank.derived_path / "learned").write_text("in the way")

    features = told.learned(bank)

    assert any("built for this time only" in message for message in told.messages)
    assert same_network(before, features)
    assert is_right(features, bank)


@pytest.mark.thorough
def test_later_features_of_another_process_are_left_alone(bank, told):
    old = build_features(bank)
    ArtefactStore.of(bank).remove(["features", "learned"])
    newer = told.learned(bank)

    features = with_learned(bank, old)

    assert same_network(features, newer)
    assert is_right(features, bank)


def test_one_clip_teaches_nothing(tmp_path):
    with Bank.open(tmp_path / "one.bank", create=True) as bank:
        bank.add("take", recording_of(MOTIONS[0]))

        with pytest.raises(UsageError, match="from two clips or more; leave out -d learned"):
            with_learned(bank)


def test_lessons_are_frames_at_even_distances_of_each_clip_once(bank):
    bank.add("copy", recording_of(MOTIONS[0]))

    lessons = lessons_of(bank, build_features(bank))

    assert sorted(lessons.n_rows.tolist()) == sorted(-(-motion.n_frames // 6) for motion in MOTIONS[:5])
    assert set(lessons.performers.tolist()) == {0}  # one skeleton
