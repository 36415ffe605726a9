from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from conftest import swaying_body
from motionary.errors import UsageError
from motionary.motion import Motion, Placement, rotations
from motionary.picture import Polygon, Polyline, Row, Text, film_strip
from motionary.picture.figure import PALETTE
from motionary.picture.strip import FLOOR
from motionary.rig import reference_skeleton


def texts(drawing):
    return [shape for shape in drawing.primitives if isinstance(shape, Text)]


def polygons(drawing, fill):
    return [shape.points for shape in drawing.primitives if isinstance(shape, Polygon) and shape.fill == fill]


def labels(drawing):
    """Numbers below the poses, line by line: (x, text) for seconds and for frames, of every row."""
    lines = {}
    for text in texts(drawing):
        if text.anchor == "middle":
            lines.setdefault(text.y, []).append((text.x, text.text))
    return [sorted(lines[y]) for y in sorted(lines)]


def test_times_and_frames_stand_below_the_poses_and_are_those_of_the_clip(walk):
    drawing = film_strip([Row(walk(61, speed=0.0), start_secs=4.0, first_frame=120)], n_poses=5)

    seconds, frames = labels(drawing)

    assert [text for _, text in seconds] == ["4.00", "4.50", "5.00", "5.50", "6.00"]
    assert [text for _, text in frames] == ["120", "135", "150", "165", "180"]
    trunks = sorted(polygons(drawing, PALETTE.sides["middle"]), key=lambda points: -np.ptp(points[:, 1]))[:5]
    assert sorted(points[:, 0].mean() for points in trunks) == pytest.approx([x for x, _ in seconds], abs=12.0)


def test_rows_are_aligned_below_each_other(walk):
    rows = [Row(walk(60, speed=0.2), title="one"), Row(walk(60, speed=0.2, direction=1.0), title="two", start_secs=9.0)]

    drawing = film_strip(rows)

    first_seconds, first_frames, second_seconds, second_frames = labels(drawing)
    assert first_frames == second_frames
    assert [x for x, _ in first_seconds] == [x for x, _ in second_seconds]
    assert float(second_seconds[0][1]) == 9.0
    one, two = (next(text for text in texts(drawing) if text.text == title) for title in ("one", "two"))
    assert one.x == two.x
    assert one.y < two.y


def test_feet_stand_on_the_floor_and_heads_are_above_it(stand):
    drawing = film_strip([Row(stand(reference_skeleton(), 10))], n_poses=4, view="front")

    (floor,) = polygons(drawing, FLOOR)
    top, bottom = floor[:, 1].min(), floor[:, 1].max()
    for side in ("left", "right"):
        lowest = max(points[:, 1].max() for points in polygons(drawing, PALETTE.sides[side]))
        assert top < lowest < bottom
    highest = min(points[:, 1].min() for points in polygons(drawing, PALETTE.sides["middle"]))
    assert 0.0 < highest < top


def test_nothing_leaves_the_page(walk, star_jump):
    for motion in (walk(200), walk(30), star_jump, Placement(1.0, 1e5, -2e5).place(walk(40))):
        drawing = film_strip([Row(motion)])
        for shape in drawing.primitives:
            if isinstance(shape, Polygon):
                assert np.isfinite(shape.points).all()
                assert shape.points[:, 1].min() >= 0.0
                assert shape.points[:, 1].max() <= drawing.height
                assert shape.points[:, 0].min() > -0.05 * drawing.width
                assert shape.points[:, 0].max() < 1.05 * drawing.width


def test_contacts_are_bars_at_their_times(walk):
    contacts = np.zeros((61, 2), dtype=bool)
    contacts[10:20, 0] = contacts[30:61, 1] = True

    drawing = film_strip([Row(walk(61, speed=0.0), contacts=contacts)], n_poses=7)

    seconds, _ = labels(drawing)
    x0, per_frame = seconds[0][0], (seconds[-1][0] - seconds[0][0]) / 60
    for side, start, stop in (("left", 10, 20), ("right", 30, 61)):
        bars = [points for points in polygons(drawing, PALETTE.sides[side]) if len(points) == 4]
        assert len(bars) == 1
        assert bars[0][:, 0].min() == pytest.approx(x0 + (start - 0.5) * per_frame)
        assert bars[0][:, 0].max() == pytest.approx(x0 + min(stop - 0.5, 60) * per_frame)
    without = film_strip([Row(walk(61, speed=0.0))], n_poses=7)
    assert without.height < drawing.height


def test_a_curve_is_drawn_below_the_bars_at_its_times(walk):
    motion, curve = walk(61, speed=0.0), np.full(61, np.nan)
    curve[20:41] = np.linspace(0.0, 2.0, 21)
    plain = film_strip([Row(motion, contacts=np.ones((61, 2), bool))], n_poses=7)
    named = {"curve_name": "error", "curve_limit": 1.6, "curve_limit_name": "1.6 m"}

    drawing = film_strip([Row(motion, contacts=np.ones((61, 2), bool), curve=curve, **named)], n_poses=7)

    assert drawing.height > plain.height
    (line,) = (p for p in drawing.primitives if isinstance(p, Polyline) and len(p.points) == 21)
    limit = next(p for p in drawing.primitives if isinstance(p, Text) and p.text == "1.6 m").y - 4.0
    assert (np.diff(line.points[:, 0]) > 0).all()
    rise = line.points[0, 1] - line.points[-1, 1]
    assert line.points[0, 1] - limit == pytest.approx(0.8 * rise)  # it rises from 0 to 2
    assert any(isinstance(p, Text) and p.text == "error" for p in drawing.primitives)
    with pytest.raises(UsageError, match="a curve of shape"):
        Row(motion, curve=curve[1:])


def test_the_same_strip_twice_gives_the_same_bytes(walk):
    first, second = (film_strip([Row(walk(40), title="walk")]) for _ in range(2))

    assert first.svg() == second.svg()
    assert first.png() == second.png()


def test_svg_and_png_hold_the_same_drawing(walk):
    drawing = film_strip([Row(walk(40), title="a <walk> & more")], width=800)

    root = ElementTree.fromstring(drawing.svg())

    assert len(root) == len(drawing.primitives) + 2  # title and page
    assert drawing.image().size == (drawing.width, drawing.height) == (800, int(root.get("height")))


def lying():
    skeleton = reference_skeleton()
    turned = np.tile(rotations.IDENTITY, (20, skeleton.n_joints, 1))
    turned[:, 0] = rotations.from_axis_angle(np.array([1.0, 0.0, 0.0]), -np.pi / 2)
    return Motion(skeleton, 1 / 30, np.tile([0.0, 0.12, 0.0], (20, 1)), turned)


@pytest.mark.parametrize("view", ["auto", "side", "three-quarter", "front", "back", "other-side"])
def test_every_kind_of_body_can_be_drawn_from_every_side(view, stand, creature, rolling_ball):
    bodies = [lying(), creature, rolling_ball, *(stand(reference_skeleton(height), 5) for height in (0.01, 40.0))]
    for motion in bodies:
        drawing = film_strip([Row(motion)], view=view)
        assert 100 < drawing.height < 900
        assert len(drawing.primitives) > 10


def test_one_frame_is_one_pose(walk):
    seconds, frames = labels(film_strip([Row(walk(1))]))

    assert [text for _, text in seconds] == ["0.00"]
    assert [text for _, text in frames] == ["0"]


def test_a_hundred_thousand_frames_are_one_strip(stand):
    drawing = film_strip([Row(stand(reference_skeleton(), 100_000))])

    seconds, _ = labels(drawing)
    assert float(seconds[-1][1]) == pytest.approx(100_000 / 30, rel=0.01)


def test_labels_are_left_out_where_they_would_touch(walk):
    seconds, _ = labels(film_strip([Row(walk(120, speed=0.0))], n_poses=100))

    gaps = np.diff([x for x, _ in seconds])
    assert gaps.min() >= 38.0


def test_joints_that_move_within_their_parents_can_be_drawn(walk):
    motion = walk(10)
    moving = np.array([motion.skeleton.index("LeftHand")])
    moved = np.tile(motion.skeleton.offsets[moving], (10, 1, 1)) * 1.5

    assert film_strip([Row(replace(motion, moving_joints=moving, translations=moved))]).height > 100


def test_values_that_are_not_finite_are_never_drawn(walk):
    motion = walk(20)
    motion.root_positions[7] = np.nan

    with pytest.raises(UsageError, match="frame 7 cannot be drawn"):
        film_strip([Row(motion)])


def test_a_strip_that_is_too_narrow_is_refused(walk):
    with pytest.raises(UsageError, match="200 pixels is too narrow"):
        film_strip([Row(walk(5))], width=200)
    assert film_strip([Row(walk(5))], width=320).width == 320


def test_poses_that_do_not_fit_are_told(walk):
    row = Row(walk(600, speed=0.0))

    many, wide, enough = (film_strip([row], n_poses=n, width=w) for n, w in ((500, 1600), (500, 16000), (12, 1600)))

    assert "500 poses cannot be told apart on 1600 pixels:" in many.notes[0]
    assert wide.notes == enough.notes == ()
    assert film_strip([Row(walk(5))], n_poses=500).notes == ()  # there are only five


def test_many_rows_make_a_contact_sheet():
    rows = [Row(swaying_body(seed), title=f"row {seed}") for seed in range(9)]
    sheet, column = (film_strip(rows, width=1500, n_columns=n) for n in (3, 1))

    assert sheet.height < 0.5 * column.height
    titles = {
        shape.text: shape
        for shape in sheet.primitives
        if isinstance(shape, Text) and shape.text in {"row 0", "row 3", "row 8"}
    }
    assert titles["row 0"].y == titles["row 3"].y < titles["row 8"].y
    assert [titles[name].x for name in ("row 0", "row 3", "row 8")] == [10.0, 510.0, 1010.0]
