import pytest
from PIL import Image

from motionary.errors import UsageError
from motionary.picture import Row
from motionary.picture.show import show_rows


def test_the_suffix_decides_the_kind_of_picture(walk, tmp_path):
    rows = [Row(walk(10))]
    for name, width in (("a.png", 640), ("a.gif", 120)):
        show_rows(rows, tmp_path / name, width=width)
        with Image.open(tmp_path / name) as image:
            assert image.width == width
            assert image.format == name[-3:].upper()
    show_rows(rows, str(tmp_path / "a.svg"))
    assert 'width="1600"' in (tmp_path / "a.svg").read_text()[:200]


@pytest.mark.parametrize(
    ("n_rows", "width", "size"),
    [
        (2, None, (840, 400)),
        (5, None, (1680, 800)),
        (9, None, (1680, 536)),
        (5, 120, (600, 114)),
        (17, 120, (1680, 228)),
    ],
)
def test_an_animation_of_many_fits_a_screen(walk, tmp_path, n_rows, width, size):
    show_rows([Row(walk(2))] * n_rows, tmp_path / "a.gif", width=width)

    with Image.open(tmp_path / "a.gif") as image:
        assert image.size == size


@pytest.mark.parametrize("name", ["a.mov", "a", "a.jpeg"])
def test_an_unknown_suffix_lists_what_is_possible(walk, tmp_path, name):
    with pytest.raises(UsageError, match=r"does not end in \.png, \.svg, \.gif or \.mp4"):
        show_rows([Row(walk(1))], tmp_path / name)
    assert list(tmp_path.iterdir()) == []
