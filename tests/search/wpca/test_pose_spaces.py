import numpy as np
import pytest

from conftest import swaying_body
from motionary.artefacts import ArtefactStore
from motionary.bank import Bank
from motionary.errors import BankError, NotInBankError, UsageError
from motionary.library import build_features
from motionary.motion import Segment, recording_of
from motionary.search import keep_matches, kept_matches
from motionary.search.wpca import KeptSpace, library_space, pose_index, pose_space, search_pose_space, train_pose_space


@pytest.fixture(scope="module")
def bank_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("spaces") / "a.bank"
    with Bank.open(path, create=True) as bank:
        for seed in range(3):
            bank.add(f"sway_{seed}", recording_of(swaying_body(seed, n_frames=180)))
        bank.label(["sway_0"], ["calm"])
        build_features(bank, processes=1)
    return path


@pytest.fixture
def bank(bank_file, tmp_path):
    path = tmp_path / "a.bank"
    path.write_bytes(bank_file.read_bytes())
    with Bank.open(path) as bank:
        build_features(bank, processes=1)
        yield bank


def test_a_space_is_trained_kept_and_undone(bank):
    kept = train_pose_space(bank, "mine", preset="arms", parts={"Head": 2.0}, labels="calm")

    read = pose_space(bank, "mine")
    assert read.space.digest == kept.space.digest
    assert (read.preset, read.parts, read.clips, read.n_clips) == ("arms", {"Head": 2.0}, "label calm", 1)
    assert read.facts()["frames"] == 90
    assert set(read.facts()["components"]) == {"80%", "90%", "95%", "99%"}
    assert read.weights["Head"] > pose_space_weights(bank, "Neck2")
    bank.undo()
    with pytest.raises(NotInBankError, match="no pose space 'mine'"):
        pose_space(bank, "mine")


def pose_space_weights(bank, part):
    return pose_space(bank, "mine").weights[part]


def test_a_name_is_taken_once(bank):
    train_pose_space(bank, "mine")
    with pytest.raises(UsageError, match="'mine' already exists; --overwrite replaces it"):
        train_pose_space(bank, "mine", preset="legs")
    train_pose_space(bank, "mine", preset="legs", overwrite=True)

    assert pose_space(bank, "mine").preset == "legs"
    with pytest.raises(NotInBankError, match="no clip has the word 'nothing'"):
        train_pose_space(bank, "other", text="nothing like it")


def test_damaged_spaces_are_told(bank):
    bank.keep_space("broken", {"space": {"version": 1}})
    bank.keep_space("old", KeptSpace("old", library_space(bank, build_features(bank)).space).as_json())
    content = bank.space("old")
    bank.keep_space("old", content | {"space": content["space"] | {"version": 0}}, overwrite=True)

    with pytest.raises(BankError, match="the pose space 'broken' is damaged; train it again"):
        pose_space(bank, "broken")
    with pytest.raises(BankError, match="another version; train it again"):
        pose_space(bank, "old")


def test_training_the_space_of_the_library_is_told_once(bank):
    told = []

    for _ in range(2):
        search_pose_space(bank, "sway_0:0-60", message=told.append)

    assert told == ["training a pose space on all 3 clips; it is stored until the library changes"]


def test_the_space_of_the_library_follows_it(bank):
    features = build_features(bank)
    first = library_space(bank, features)
    pose_index(bank, features)
    assert library_space(bank, features).space.digest == first.space.digest

    bank.remove(["sway_2"])
    changed = build_features(bank, processes=1)
    second = library_space(bank, changed)

    assert second.space.digest != first.space.digest
    assert second.n_clips == 2
    pose_index(bank, changed)
    kept = [entry.name for entry in ArtefactStore.of(bank).entries()]
    assert kept == ["features/30hz", "pose-points/library", "pose-space/library"]
    index = pose_index(bank, changed)
    bank.undo()
    with pytest.raises(UsageError, match="the index does not match the current state of"):
        search_pose_space(bank, "sway_0:0-20", index=index)


def test_matches_are_those_of_everything_that_takes_matches(bank):
    train_pose_space(bank, "mine")

    result = search_pose_space(bank, "sway_0:20-80", space="mine", with_itself=True, k=3)

    best = result.matches[0]
    assert (best.clip, best.segment, best.method) == ("sway_0", Segment(1, 20, 80), "wpca")
    keep_matches(bank, "found", result)
    kept = kept_matches(bank, "found")[1]
    assert (kept.segment, kept.mean) == (best.segment, best.mean)
    assert np.array_equal(kept.alignment.pairs, best.alignment.pairs)
    assert bank.selection("found").query == Segment(1, 20, 80)


def test_queries_from_elsewhere_and_in_other_words(bank):
    by_motion = search_pose_space(bank, bank.motion("sway_1:30-90"), k=1).matches[0]
    few = search_pose_space(bank, "sway_0:20-80", names="sway_*", without_labels="calm", neighbours=60, k=20)
    asked_again = search_pose_space(bank, few.query, k=1, with_itself=True)

    assert by_motion.clip == "sway_1"
    assert abs(by_motion.segment.start - 30) <= 4
    assert few.matches
    assert {match.clip for match in few.matches} <= {"sway_1", "sway_2"}
    assert few.n_clips == 2
    assert [match.clip for match in asked_again.matches] == ["sway_0"]
    with pytest.raises(NotInBankError, match="no clip has the word 'nothing'"):
        search_pose_space(bank, "sway_0", text="nothing")


@pytest.mark.parametrize(
    ("words", "frames"), [("40", (10,)), ("40, 60", (10, 20)), ("0.5s,1s", (5, 20)), ("19.6", (0,))]
)
def test_characteristic_frames_are_those_of_the_clip(bank, words, frames):
    assert search_pose_space(bank, "sway_0:20-80", character=words).frames == frames


def test_characteristic_poses_by_name(bank):
    curve = pose_index(bank, build_features(bank)).coordinates[10:40, :10]
    far = np.linalg.norm(curve - curve.mean(axis=0), axis=1)

    assert search_pose_space(bank, "sway_0:20-80", character="mean").frames == (int(np.argmax(far)),)
    with pytest.raises(UsageError, match="or a frame, not 'best'"):
        search_pose_space(bank, "sway_0:20-80", character="best")
    with pytest.raises(UsageError, match="are not frames; write 45"):
        search_pose_space(bank, "sway_0:20-80", character="4.5.6")
    with pytest.raises(
        UsageError, match=r"4 is outside the query, which has frames 20-80 of its motion, 0.33s to 1.33s"
    ):
        search_pose_space(bank, "sway_0:20-80", character="4")


def test_more_dimensions_than_are_kept_at_first(bank):
    result = search_pose_space(bank, "sway_0:20-80", dimensions=40, warp_dimensions=30)

    assert result.matches
    assert (bank.derived_path / "pose-points" / "library").is_dir()
