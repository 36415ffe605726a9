"""Motifs and surprises by bounds against their definition, to the last bit."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionary.search.recurring import WindowOptions, Windows, find_alone, find_groups, plain_alone, plain_groups
from search.recurring.made_libraries import libraries

OPTIONS = {
    "plain": {},
    "joints": {"joints": ("left arm", "Head")},
    "weights": {"weights": {"LeftHand": 3.0, "Head": 0.0, "legs": 0.1}},
    "several": {"descriptions": ("root", "positions"), "weights": {"root": 0.2}},
    "few": {"descriptions": ("root",)},
}


@st.composite
def windows_to_compare(draw) -> Windows:
    options = OPTIONS[draw(st.sampled_from(sorted(OPTIONS)))]
    return Windows.of(
        draw(libraries()),
        WindowOptions(
            **{"descriptions": ("positions",)} | options,
            length=draw(st.sampled_from([2, 7, 20])) / 30.0,
            hop=draw(st.sampled_from([0.1, 0.25, 1.0, 1.7])),
            both_sides=draw(st.booleans()),
            other_clips=draw(st.booleans()),
            rank=draw(st.sampled_from(["relative", "distance"])),
            radius=draw(st.sampled_from([0.3, 0.7, 5.0])),
            within=draw(st.sampled_from([None, None, 0.0, 3.0, 50.0])),
            least_movement=draw(st.sampled_from([0.0, 5.0])),
        ),
    )


def told(groups):
    return [
        (group.seed, group.members.rows.tolist(), group.members.distances.tolist(), group.members.mirrored.tolist())
        for group in groups
    ]


@given(windows=windows_to_compare(), k=st.sampled_from([1, 3, 50]), at_least=st.sampled_from([2, 2, 3, 5]))
def test_groups_are_those_of_the_definition(windows, k, at_least):
    assert told(find_groups(windows, k=k, at_least=at_least)) == told(plain_groups(windows, k=k, at_least=at_least))


@given(windows=windows_to_compare(), k=st.sampled_from([1, 4, 50]))
def test_surprises_are_those_of_the_definition(windows, k):
    assert find_alone(windows, k=k) == plain_alone(windows, k=k)


@given(windows=windows_to_compare())
def test_groups_share_no_frames(windows):
    groups = find_groups(windows, k=20)

    rows = [row for group in groups for row in group.rows(windows)]
    covered = [set(range(row, row + windows.n_frames)) for row in rows]
    assert len(set().union(*covered)) == sum(map(len, covered))
    for group in groups:
        assert (group.members.distances <= windows.limits[group.seed]).all()
        assert (np.diff(group.members.distances) >= 0).all()
