import numpy as np
import pytest

from conftest import swaying_body
from motionary.alignment import Alignment, Match
from motionary.bank import Bank
from motionary.errors import NotInBankError, UsageError
from motionary.library import ExampleReference, changed_examples, examples_of
from motionary.motion import Segment, recording_of


@pytest.fixture
def bank(tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        for number in range(2):
            bank.add(f"sway_{number}", recording_of(swaying_body(number)))
        yield bank


def test_segments_mirror_images_and_labels(bank):
    bank.label(["sway_1:10-30"], ["calm"])

    found = examples_of(bank, ["sway_0:0-20", "~sway_0:0-20", "sway_0:0-20"], labels=["calm"])

    assert [example.name for example in found] == ["sway_0:0-20", "~sway_0:0-20", "sway_1:10-30"]
    assert found[1].mirrored
    assert found[0].segment == Segment(found[0].clip_id, 0, 20)
    assert ExampleReference.from_json(found[0].as_json()) == found[0]


def test_mirrored_matches_of_a_selection_are_mirrored(bank):
    pairs = Alignment(np.stack([np.arange(20)] * 2, axis=1))
    matches = [
        Match(Segment(bank.clip(f"sway_{n}").id, 0, 20), 1.0, 1.0, "cm", "dtw", pairs, 20, 60.0, mirrored=bool(n))
        for n in range(2)
    ]
    bank.keep_selection("both", matches)

    assert [example.name for example in examples_of(bank, ["@both"])] == ["sway_0:0-20", "~sway_1:0-20"]
    assert [example.name for example in examples_of(bank, ["@both:2"])] == ["~sway_1:0-20"]


def test_mirror_adds_the_mirror_image_of_each(bank):
    names = [example.name for example in examples_of(bank, ["sway_0"], mirror=True)]

    assert names == ["sway_0:0-60", "~sway_0:0-60"]


def test_changed_clips_are_told(bank):
    examples = examples_of(bank, ["sway_0", "sway_1"])
    bank.set_motion(bank.clip("sway_1").id, swaying_body(7), command="edit")

    assert changed_examples(bank, examples) == ["sway_1:0-60"]


def test_nothing_is_no_example(bank):
    with pytest.raises(UsageError, match="no examples; name segments"):
        examples_of(bank, [])
    with pytest.raises(NotInBankError, match="no clip or segment has the label 'jump'"):
        examples_of(bank, [], labels=["jump"])
