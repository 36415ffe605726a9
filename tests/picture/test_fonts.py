import numpy as np
import pytest

from motionary.picture import Drawing, Text
from motionary.picture.fonts import lettered
from motionary.picture.raster import text_width


def test_plain_text_is_drawn_in_pillows_own_font():
    font, text = lettered("walk_01:0-60 …", 12.0)

    assert text == "walk_01:0-60 …"
    assert font.getname()[0] == "Aileron"
    assert font.size == 12.0


@pytest.mark.parametrize(("text", "drawn"), [("Müller", "Muller"), ("año", "ano"), ("日本 1", "?? 1"), ("a\nb", "a b")])
def test_without_a_system_font_letters_are_replaced_by_what_is_like_them(text, drawn):
    assert lettered(text, 12.0, system_fonts=())[1] == drawn
    assert lettered(text, 12.0, system_fonts=("no such font.ttf",))[1] == drawn


def test_a_system_font_is_taken_where_it_knows_more():
    if lettered("ü", 12.0)[0].getname()[0] == "Aileron":
        pytest.skip("no font of the system has an ü")
    font, text = lettered("Müller ü", 12.0)

    assert text == "Müller ü"
    assert font.getname()[0] != "Aileron"


def test_letters_in_two_parts_are_put_together():
    assert lettered("u\u0308", 12.0)[1] == lettered("ü", 12.0)[1]


def test_any_title_has_a_width_and_no_two_letters_of_it_are_the_same_box():
    assert text_width("日本語", 12.0) > 0.0
    one, other = (np.asarray(Drawing(40, 40, (Text(5, 30, t, 20.0),)).image()) for t in ("ü", "é"))
    assert not np.array_equal(one, other)
