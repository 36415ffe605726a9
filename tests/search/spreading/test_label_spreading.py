import shutil

import numpy as np
import pytest

from motionary.bank import Bank, Label
from motionary.errors import NotInBankError, UsageError
from motionary.library import build_features
from motionary.motion import Segment
from motionary.search import put_spread, spread_labels, train_pose_space
from search.spreading.acting import LENGTH, make_bank, truth


@pytest.fixture(scope="module")
def bank_file(tmp_path_factory):
    return make_bank(tmp_path_factory.mktemp("acting") / "a.bank")


@pytest.fixture
def bank(bank_file, tmp_path):
    path = tmp_path / "a.bank"
    path.write_bytes(bank_file.read_bytes())
    shutil.copytree(f"{bank_file}.derived", f"{path}.derived")
    with Bank.open(path) as bank:
        yield bank


@pytest.mark.parametrize("by", ["exact", "wpca"])
def test_labels_go_to_what_is_like_their_examples(bank, by):
    found = spread_labels(bank, by=by)

    assert found.names == ("bend", "sway", "twist")
    n_right = 0
    for one in found.labels:
        assert one.segment.clip_id != 1  # all of it is labelled by hand
        n_right += int((truth(one.segment.clip_id)[one.segment.start : one.segment.stop] == one.name).sum())
        assert bank.segment(one.example) in bank.labelled(one.name)
        assert 0.5 <= one.strength <= 1.0
    n_found = sum(one.segment.n_frames for one in found.labels)
    assert n_right >= 0.9 * n_found
    assert n_found >= 0.6 * 9 * LENGTH


@pytest.mark.parametrize("preset", ["right hand", "spine"])
def test_spaces_of_one_side_and_those_the_gist_does_not_know(bank, preset):
    train_pose_space(bank, "mine", preset=preset)

    found = spread_labels(bank, by="wpca", space="mine")

    n_right = sum(
        (truth(one.segment.clip_id)[one.segment.start : one.segment.stop] == one.name).sum() for one in found.labels
    )
    assert found.labels
    assert n_right >= 0.9 * sum(one.segment.n_frames for one in found.labels)


def test_it_is_put_on_and_taken_back_as_one_change_and_found_again(bank):
    before = [bank.labels(clip) for clip in bank.clips()]
    found = spread_labels(bank, labels="bend", threshold=0.5)

    n_put = put_spread(bank, found)

    assert n_put == len(found.labels) > 0
    assert [clip.name for clip in bank.clips(labels="bend")] == ["take_1", "take_2", "take_3", "take_4"]
    assert bank.clips(labels="bend", strength=1.01) == []
    assert [bank.labels(clip)[: len(own)] for clip, own in zip(bank.clips()[:1], before, strict=False)] == before[:1]
    bank.undo()
    assert [bank.labels(clip) for clip in bank.clips()] == before


def test_weaker_labels_are_counted(bank):
    all_of_them = spread_labels(bank, labels="bend", threshold=0.5)
    few = spread_labels(bank, labels="bend")

    assert all_of_them.n_left_out == 0
    assert all_of_them.expected_precision < 0.8
    assert (few.threshold, few.labels, few.n_left_out) == (0.8, (), len(all_of_them.labels))


def test_two_runs_agree_and_a_second_one_changes_nothing(bank):
    first = spread_labels(bank)
    put_spread(bank, first)
    rows = [bank.labels(clip) for clip in bank.clips()]

    second = spread_labels(bank)
    put_spread(bank, second)

    assert (second.proposals, second.curve) == (first.proposals, first.curve)  # spread labels are no examples
    assert [bank.labels(clip) for clip in bank.clips()] == rows


def test_nothing_is_spread_onto_frames_that_carry_one_of_the_labels(bank):
    bank.label([f"take_2:5-{LENGTH - 7}"], ["sway"])  # wrong, but a person's word; ends between search frames
    bank.label(["take_3"], ["twist"])

    for both in (False, True):
        for one in spread_labels(bank, threshold=0.05, margin=0.0, both=both).labels:
            for clip_id, label in ((clip.id, label) for clip in bank.clips() for label in bank.labels(clip)):
                if clip_id == one.segment.clip_id and (not both or label.name == one.name):
                    assert not label.is_whole_clip
                    assert one.segment.stop <= label.start or label.stop <= one.segment.start


def test_examples_need_not_be_labelled_in_the_bank(bank):
    found = spread_labels(bank, examples={"take_1:0-90": "swing"})

    assert found.names == ("swing",)
    assert {one.name for one in found.labels} == {"swing"}
    assert all(one.segment != Segment(1, 0, 90) for one in found.labels)
    assert bank.labelled("swing") == []


def test_what_is_only_shown_is_labelled_by_hand_in_the_same_change(bank):
    before = [bank.labels(clip) for clip in bank.clips()]
    shown = [("take_1:0-90", "swing"), ("take_1:0-90", "sway"), ("take_4", "swing")]
    found = spread_labels(bank, examples=shown, both=True)

    n_spread = put_spread(bank, found)

    assert {(one.segment.clip_id, one.label) for one in found.shown} == {(1, "swing"), (4, "swing")}
    assert n_spread == len(found.labels)
    assert Label("swing", 0, 90) in bank.labels(1)
    assert Label("swing") in bank.labels(4)  # all of a clip is labelled as a clip
    assert bank.labels(1).count(Label("sway", 0, 90)) == 1  # it was there
    again = spread_labels(bank, labels="swing")
    assert {one.segment for one in again.examples} == {one.segment for one in found.shown}
    assert again.shown == ()
    bank.undo()
    assert [bank.labels(clip) for clip in bank.clips()] == before


def test_examples_that_lead_to_nothing_are_told(bank):
    everywhere = spread_labels(bank, examples={"take_1:0-90": "swing"})
    nowhere = spread_labels(bank, examples={"take_1:0-90": "swing"}, threshold=1.0)

    assert everywhere.found_nothing == ()
    assert (nowhere.labels, nowhere.found_nothing) == ((), nowhere.examples)


def test_only_some_clips_get_labels(bank):
    found = spread_labels(bank, names="take_[34]")

    assert {one.clip for one in found.labels} == {"take_3", "take_4"}


def test_accepted_labels_are_examples_and_rejected_ones_do_not_come_back(bank):
    put_spread(bank, spread_labels(bank, labels="bend", threshold=0.5))
    bank.accept_labels(["take_2"])
    rejected = bank.unreviewed_labels(["take_3"])
    bank.reject_labels(["take_3"])

    again = spread_labels(bank, labels="bend", threshold=0.5)

    assert [one.segment.clip_id for one in again.examples] == [1, 2]
    for old in rejected:
        for new in again.labels:
            apart = new.segment.stop <= old.segment.start or old.segment.stop <= new.segment.start
            assert new.segment.clip_id != 3 or apart


def test_labels_that_contend_are_told_and_not_put_on(bank):
    twice = {"take_1:0-90": "one", "take_1:0-89": "other"}

    found = spread_labels(bank, examples=twice, margin=0.6, threshold=0.3)

    undecided = [one for one in found.proposals if one.undecided]
    assert undecided
    assert {(one.label.name, one.rival) for one in undecided} <= {("one", "other"), ("other", "one")}
    assert set(found.conflicts) >= set(undecided)
    assert not {one.label for one in undecided} & set(found.labels)
    shared = spread_labels(bank, examples=twice, both=True)
    assert {one.name for one in shared.labels} == {"one", "other"}
    assert all(one.as_json()["rival"] in ("one", "other") for one in shared.conflicts)


def test_at_most_so_many_examples_are_looked_for(bank):
    bank.label(["take_2:90-180", "take_3:180-270"], ["sway"])

    found = spread_labels(bank, labels="sway", most_examples=1)

    assert [one.segment for one in found.examples] == [Segment(1, 0, 90)]
    assert all(
        not np.isin(one.segment.clip_id, [2, 3]) or truth(one.segment.clip_id)[one.segment.start]
        for one in found.labels
    )


@pytest.mark.parametrize(
    ("options", "error", "problem"),
    [
        ({"labels": "fly"}, NotInBankError, "no segment has the label 'fly' by hand"),
        ({"by": "magic"}, UsageError, "by must be exact or wpca, not 'magic'"),
        ({"space": "arms"}, UsageError, "space needs by='wpca'"),
        ({"most_examples": 0}, UsageError, "most_examples must be at least 1"),
        ({"threshold": 2.0}, UsageError, "threshold must be above 0 and at most 1, not 2"),
    ],
)
def test_what_cannot_be_spread(bank, options, error, problem):
    with pytest.raises(error, match=problem):
        spread_labels(bank, **options)


def test_a_bank_without_labels_says_what_to_do(bank):
    bank.unlabel(["take_1"])

    with pytest.raises(NotInBankError, match="there are no hand-made labels yet"):
        spread_labels(bank)


def test_labels_by_hand_keep_strength_and_origin(bank):
    bank.label(["take_2:0-30"], ["sway"])

    put_spread(bank, spread_labels(bank))

    assert Label("sway", 0, 30) in bank.labels(2)
    assert build_features(bank).n_clips == 4
