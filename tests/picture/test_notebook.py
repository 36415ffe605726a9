"""What notebooks show of motions and performances."""

from types import SimpleNamespace

import pytest

from motionary.bank import Bank
from motionary.library import performance
from motionary.motion import recording_of
from motionary.picture import load_ipython_extension


@pytest.fixture
def shown():
    """How a notebook shows things of each type, once the extension is loaded."""
    by_type = {}
    html = SimpleNamespace(for_type=by_type.__setitem__)
    load_ipython_extension(SimpleNamespace(display_formatter=SimpleNamespace(formatters={"text/html": html})))
    return lambda thing: by_type[type(thing)](thing)


def test_motions_are_film_strips(shown, walk):
    assert shown(walk(10)).startswith("<svg")


def test_segments_are_film_strips_with_their_names(shown, walk, tmp_path):
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("stroll", recording_of(walk(30)))
        picture = shown(performance(bank, "stroll:5-25"))

    assert picture.startswith("<svg")
    assert "stroll:5-25" in picture
    assert "bars: planted" in picture
