from dataclasses import replace

import numpy as np
import pytest

from motionary.picture import Row, Text
from motionary.picture.layout import place
from motionary.picture.panel import _round_length, panel, path_length, titled, wrapped
from motionary.picture.raster import text_width
from motionary.picture.scene import scenes_of


def placed(*motions):
    scenes = scenes_of([Row(motion, title="a title") for motion in motions], "auto")
    return place(scenes, width=1400.0, page_width=1600.0, n_poses=None, spread="auto")


def test_the_path_is_as_long_as_it_is_and_swaying_does_not_count(walk):
    going, standing = placed(walk(61, speed=1.5), walk(61, speed=0.0))

    assert path_length(going) == pytest.approx(3.0, rel=0.02)
    assert path_length(standing) == 0.0


def test_a_row_that_travels_has_a_map_within_its_panel_and_one_that_stands_has_none(walk):
    going, standing = placed(walk(61, speed=1.5, direction=0.3), walk(61, speed=0.0))

    shapes = panel(going, [going, standing], left=10.0, top=20.0, width=140.0, height=250.0)
    words = [shape.text for shape in shapes if isinstance(shape, Text)]

    assert words[:3] == ["a title", "2.03 s", "path 3.0 m"]
    assert len(shapes) > 10
    points = np.concatenate([shape.points for shape in shapes if hasattr(shape, "points")])
    assert points.min(axis=0) == pytest.approx(np.maximum(points.min(axis=0), [10.0, 20.0]))
    assert points[:, 0].max() <= 150.0
    assert points[:, 1].max() <= 270.0
    assert len(panel(standing, [going, standing], left=10.0, top=20.0, width=140.0, height=250.0)) == 2


def test_titles_arewrapped_at_blanks_and_cut_in_the_end():
    assert wrapped("walk", 13.0, 100.0) == ["walk"]
    assert wrapped("", 13.0, 100.0) == []
    lines = wrapped("a very long title of a clip with many many words that never end", 13.0, 100.0)
    assert len(lines) == 3
    assert lines[-1].endswith("…")
    assert all(text_width(line, 13.0) <= 104.0 for line in lines)
    unbroken = wrapped("x" * 100, 13.0, 60.0)
    assert len(unbroken) == 3


@pytest.mark.parametrize(
    ("metres", "rounded"), [(1.0, 1.0), (1.9, 1.0), (2.5, 2.0), (7.0, 5.0), (0.03, 0.02), (99, 50)]
)
def test_scale_bars_have_round_lengths(metres, rounded):
    assert _round_length(metres) == pytest.approx(rounded)


def test_titles_are_broken_at_signs_before_numbers_are():
    assert wrapped("take_of_hand:1200-2400", 13.0, 110.0) == ["take_of_hand:", "1200-2400"]
    assert wrapped("walkwalk_20240102", 13.0, 110.0) == ["walkwalk_", "20240102"]
    assert wrapped("walkwalkw20240102", 13.0, 110.0) == ["walkwalkw", "20240102"]
    assert wrapped("12345678901234567890", 13.0, 60.0)[0].isdigit()


@pytest.mark.parametrize("text", ["most typical, 12.3 cm", "turned by 14.2 °", "behind 4 m of it"])
def test_a_number_stays_with_its_unit(text):
    number = next(word for word in text.split() if word[0].isdigit())
    for width in range(60, 160, 5):
        lines = wrapped(text, 13.0, float(width), n_lines=9)

        assert " ".join(lines) == text
        assert not any(line.endswith(number) for line in lines)


@pytest.mark.parametrize(
    ("title", "lines", "aside"),
    [
        ("12: a:0-5 (mirrored)", ["12: a:0-5", "(mirrored)"], ""),
        ("20: 118_13:1206-1371 (mirrored)", ["20:", "118_13:", "1206-1371"], "mirrored"),
        ("12: dance/salsa_01:1200-1300 (mirrored)", ["12:", "dan…a_01:", "1200-1300"], "mirrored"),
        ("7: a clip whose name never ends:10-90", ["7: a clip…er", "ends:", "10-90"], ""),
    ],
)
def test_a_narrow_title_keeps_rank_frames_and_side(title, lines, aside):
    assert titled(title, 69.0) == (lines, aside)


def test_what_has_no_room_in_a_title_is_said_below_it(walk):
    [standing] = placed(walk(61, speed=0.0))
    row = replace(standing.scene.row, title="20: 118_13:1206-1371 (mirrored)", note="3.2 cm")
    narrow = replace(standing, scene=replace(standing.scene, row=row))

    shapes = panel(narrow, [narrow], left=10.0, top=20.0, width=69.0, height=250.0)

    words = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert words == ["20:", "118_13:", "1206-1371", "mirrored", "3.2 cm", "2.03 s"]
