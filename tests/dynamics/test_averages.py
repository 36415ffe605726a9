from dataclasses import replace

import pytest

from motionary.dynamics.averages import AVERAGES, BODY_PARTS, PartMass, part_masses, read_part_masses
from motionary.errors import UsageError


def test_the_published_shares_are_a_whole_body():
    parts = part_masses()

    assert len(parts) == 16
    assert sum(mass.share for mass in parts.values()) == pytest.approx(1.0, abs=1e-12)
    assert parts["LeftThigh"] == parts["RightThigh"] == AVERAGES["Thigh"]


def test_what_is_not_given_makes_room_for_what_is():
    parts = part_masses({"Head": 0.181})

    assert parts["Head"].share == pytest.approx(0.181)
    assert parts["LeftThigh"].share == pytest.approx(0.1 * (1 - 0.181) / (1 - 0.081))
    assert sum(mass.share for mass in parts.values()) == pytest.approx(1.0)


def test_one_side_may_differ_and_its_own_word_counts_more():
    parts = part_masses({"LeftShin": 0.03, "Shin": {"share": 0.05, "centre": 0.5}})  # an artificial leg

    assert (parts["LeftShin"].share, parts["RightShin"].share) == (0.03, 0.05)
    assert parts["LeftShin"].centre == parts["RightShin"].centre == 0.5


def test_a_whole_table_may_be_rounded():
    rounded = {part: round(AVERAGES[part.removeprefix("Left").removeprefix("Right")].share, 2) for part in BODY_PARTS}
    rounded["Head"] += 1.005 - sum(rounded.values())

    assert sum(mass.share for mass in part_masses(rounded).values()) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"Tail": 0.1}, "'Tail' is not a body part with a mass; choose from Head, Thorax"),
        ({"Thigh": "heavy"}, "Thigh: share must be a number, not 'heavy'"),
        ({"Thigh": True}, "Thigh: share must be a number"),
        ({"Thigh": -0.1}, "Thigh: share = -0.1 is not possible"),
        ({"Thigh": float("nan")}, "Thigh: share = nan is not possible"),
        ({"Thigh": {"mass": 0.1}}, "Thigh has a share and a centre, not 'mass'"),
        ({"Thigh": 0.5}, "the given shares sum to 1.000, so nothing is left"),
        (dict.fromkeys(BODY_PARTS, 0.1), "the shares of all body parts sum to 1.600, not 1"),
    ],
)
def test_impossible_shares_are_refused(given, message):
    with pytest.raises(UsageError, match=message):
        part_masses(given)


def test_a_part_mass_is_checked():
    with pytest.raises(UsageError, match=r"centre = 1\.2 is not possible"):
        PartMass(0.1, 1.2, 0.3, 0.1)
    assert replace(AVERAGES["Head"], share=0.0).share == 0.0


def test_a_file_of_masses(tmp_path):
    path = tmp_path / "masses.toml"
    path.write_text("Head = 0.09\n[Thigh]\nshare = 0.11\ncentre = 0.41\n")

    parts = read_part_masses(path)

    assert (parts["Head"].share, parts["RightThigh"].share, parts["RightThigh"].centre) == (0.09, 0.11, 0.41)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"Head 0.09", r"masses.toml: not a TOML file .*Write lines such as Thigh = 0.1"),
        (b"\xff\xfe\x00", r"masses.toml: the mass file is not UTF-8 text"),
        (b"Tail = 0.1", r"masses.toml: 'Tail' is not a body part"),
        (None, r"masses.toml: the mass file cannot be read \(No such file"),
    ],
)
def test_a_bad_file_of_masses_is_named(tmp_path, content, message):
    path = tmp_path / "masses.toml"
    if content is not None:
        path.write_bytes(content)

    with pytest.raises(UsageError, match=message):
        read_part_masses(path)
