import base64
import io

import numpy as np
import pytest
from PIL import Image, ImageSequence

from motionary.errors import UsageError
from motionary.motion import Placement
from motionary.picture import Row, Text, animation
from motionary.picture.animation import MAX_PICTURES, _clip, _smooth
from motionary.picture.raster import text_width


def test_an_animation_plays_in_real_time(walk):
    moving = animation([Row(walk(61))], width=160, height=160)  # 2 s from the first frame to the last

    with Image.open(io.BytesIO(moving.gif())) as gif:
        durations = [frame.info["duration"] for frame in ImageSequence.Iterator(gif)]

    assert len(moving.drawings) == 51
    assert durations == [40] * 51
    assert gif.size == (160, 160)
    assert gif.info["loop"] == 0


def test_a_notebook_plays_it(walk):
    moving = animation([Row(walk(3))], width=100, height=100)

    head, _, content = moving._repr_html_().partition("base64,")
    assert head == '<img src="data:image/gif;'
    assert base64.b64decode(content.removesuffix('"/>')) == moving.gif()


def test_a_long_motion_has_fewer_pictures_a_second_but_lasts_as_long(walk):
    moving = animation([Row(walk(1801))], width=100, height=100)

    assert len(moving.drawings) <= MAX_PICTURES + 1
    assert len(moving.drawings) * moving.delay_cs / 100 == pytest.approx(60.0, abs=0.5)


def test_rows_run_side_by_side_on_one_clock_and_the_shorter_one_waits(walk):
    long, short = Row(walk(61), title="long"), Row(walk(31), title="short", start_secs=5.0, first_frame=150)

    moving = animation([long, short], width=150, height=150)

    words = [[shape.text for shape in drawing.primitives if isinstance(shape, Text)] for drawing in moving.drawings]
    assert moving.drawings[0].width == 300
    assert words[0] == ["0.00 s", "frame 0", "long", "5.00 s", "frame 150", "short"]
    assert words[25] == ["1.00 s", "frame 30", "long", "6.00 s", "frame 180", "short"]
    assert words[50] == ["2.00 s", "frame 60", "long", "6.00 s", "frame 180", "short"]


def test_many_rows_go_below_each_other_and_titles_stay_in_their_panels(walk):
    rows = [Row(walk(4), title=f"{n}: a_name_of_many_letters:0-4 (mirrored)", note="3.2 cm") for n in range(1, 6)]

    drawing = animation(rows, width=200, height=220, n_columns=2).drawings[0]

    assert (drawing.width, drawing.height) == (400, 660)
    texts = [shape for shape in drawing.primitives if isinstance(shape, Text)]
    titles = [shape for shape in texts if shape.bold]
    assert [(shape.x // 200, shape.y // 220) for shape in titles] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]
    assert all(text_width(shape.text, shape.size, bold=True) <= 176 for shape in titles)
    assert [shape.text[:3] + shape.text[-4:] for shape in titles] == [f"{n}: :0-4" for n in range(1, 6)]
    assert [shape.text for shape in texts].count("mirrored, 3.2 cm") == 5
    for shape in drawing.primitives:
        if hasattr(shape, "points"):
            assert shape.points[:, 1].max() <= 660.0


def test_the_body_stays_within_its_panel_wherever_it_goes(walk):
    for motion in (walk(60, speed=4.0), Placement(2.0, 1e4, 1e4).place(walk(60))):
        for drawing in animation([Row(motion)], width=200, height=240).drawings:
            for shape in drawing.primitives:
                if hasattr(shape, "points"):
                    assert shape.points.min() >= -1e-6
                    assert shape.points[:, 0].max() <= 200.0 + 1e-6
                    assert shape.points[:, 1].max() <= 240.0


def test_one_palette_and_white_stays_white(walk):
    with Image.open(io.BytesIO(animation([Row(walk(20))], width=120, height=120).gif())) as gif:
        corners = [frame.convert("RGB").getpixel((119, 0)) for frame in ImageSequence.Iterator(gif)]

    assert set(corners) == {(255, 255, 255)}


def test_the_same_animation_twice_gives_the_same_bytes(walk):
    first, second = (animation([Row(walk(10))], width=120, height=120).gif() for _ in range(2))

    assert first == second


def test_every_kind_of_body_moves(creature, rolling_ball, walk):
    contacts = np.ones((1, 2), dtype=bool)
    for row in (Row(creature), Row(rolling_ball), Row(walk(1), contacts=contacts), Row(walk(2))):
        assert animation([row], width=100, height=100).gif()[:6] == b"GIF89a"


def test_a_calm_camera_keeps_an_even_pace_and_damps_shaking():
    times = np.arange(100) * 0.04
    even = np.outer(times, [1.0, 0.0, 2.0])
    shaking = np.stack([0.1 * (-1.0) ** np.arange(100), times * 0.0, times * 0.0], axis=1)

    assert _smooth(even, times) == pytest.approx(even, abs=1e-9)
    assert np.abs(_smooth(shaking, times)[20:80]).max() < 0.005
    for few in (1, 2, 3, 5):
        assert _smooth(even[:few], times[:few]) == pytest.approx(even[:few], abs=1e-9)


def test_lines_are_clipped_to_their_box():
    box = np.array([[0.0, 0.0], [10.0, 5.0]])

    assert _clip(np.array([[-5.0, -5.0], [15.0, 15.0]]), box) == pytest.approx(np.array([[0.0, 0.0], [5.0, 5.0]]))
    assert _clip(np.array([[2.0, -5.0], [2.0, 15.0]]), box) == pytest.approx(np.array([[2.0, 0.0], [2.0, 5.0]]))
    assert _clip(np.array([[-5.0, 8.0], [15.0, 8.0]]), box) is None
    assert _clip(np.array([[-5.0, 0.0], [-1.0, 4.0]]), box) is None


def test_wrong_suffixes_and_sizes_are_refused(walk, tmp_path):
    with pytest.raises(UsageError, match=r"does not end in \.gif"):
        animation([Row(walk(1))]).save(tmp_path / "a.png")
    with pytest.raises(UsageError, match="50 × 400 pixels is too small"):
        animation([Row(walk(1))], width=50)
