import pytest
from PIL import Image

from motionary.errors import UsageError
from motionary.picture import Drawing, Ellipse

DRAWING = Drawing(30, 20, (Ellipse(15, 10, 5, 5, "#336699"),))


def test_saved_by_suffix_whatever_its_case(tmp_path):
    DRAWING.save(tmp_path / "a.PNG")
    DRAWING.save(tmp_path / "a.svg")

    with Image.open(tmp_path / "a.PNG") as image:
        assert image.size == (30, 20)
    assert (tmp_path / "a.svg").read_text() == DRAWING.svg()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.PNG", "a.svg"]


def test_the_same_drawing_gives_the_same_bytes():
    again = Drawing(30, 20, (Ellipse(15, 10, 5, 5, "#336699"),))

    assert DRAWING.png() == again.png()
    assert DRAWING.svg() == again.svg() == again._repr_svg_()  # which notebooks show


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.gif", ".png"])
def test_an_unknown_suffix_names_those_that_are_known(tmp_path, name):
    with pytest.raises(UsageError, match=r"does not end in \.png or \.svg"):
        DRAWING.save(tmp_path / name)


def test_a_missing_folder_is_made(tmp_path):
    DRAWING.save(tmp_path / "missing" / "a.png")

    assert [path.name for path in (tmp_path / "missing").iterdir()] == ["a.png"]


def test_a_file_that_exists_is_replaced_as_a_whole(tmp_path):
    path = tmp_path / "a.svg"
    path.write_text("old" * 10_000)

    DRAWING.save(path)

    assert path.read_text() == DRAWING.svg()


def test_a_failed_replacement_leaves_the_old_and_no_litter(tmp_path):
    (tmp_path / "a.svg").mkdir()

    with pytest.raises(UsageError, match="cannot be written"):
        DRAWING.save(tmp_path / "a.svg")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
