"""What recurs and what surprises, as pictures."""

from types import SimpleNamespace

import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank, Label
from motionary.errors import UsageError
from motionary.motion import recording_of
from motionary.picture import show_motifs, show_surprises
from motionary.picture.recurring import drawn_of
from motionary.rounding import rounded_up
from motionary.search import find_motifs, find_surprises


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    """Three clips; the third begins as the first does."""
    wild = wild_body(1, n_frames=60)
    with Bank.open(tmp_path_factory.mktemp("recurring") / "a.bank", create=True) as bank:
        bank.add("first", recording_of(wild), labels=[Label("often")])
        bank.add("other", recording_of(wild_body(2, n_frames=60)))
        bank.add("again", recording_of(wild.slice(3, 50)))
        yield bank


def test_motifs_stand_below_headings_and_begin_with_the_most_typical(bank, tmp_path):
    motifs = find_motifs(bank, k=1, length=0.5)

    assert show_motifs(bank, motifs, tmp_path / "motifs.svg") == ()

    text = (tmp_path / "motifs.svg").read_text(encoding="utf-8")
    typical = motifs[0].representative
    title = text[text.index("<title>") + 7 : text.index("</title>")]
    assert title.startswith(f"{typical.clip}:{typical.segment.start}-{typical.segment.stop}")
    assert f"1: {len(motifs[0].matches)} times in 2 clips; often 1" in text
    assert "most typical" in text
    twice = [*motifs, *motifs]
    assert show_motifs(bank, twice, tmp_path / "one.gif", n_rows=2) == ("the first 1 of 2 motifs are drawn",)
    with pytest.raises(UsageError, match="no motifs to draw"):
        show_motifs(bank, [], tmp_path / "none.svg")


def test_surprises_stand_above_what_is_nearest(bank, tmp_path):
    (surprise,) = find_surprises(bank, k=1, length=0.5)

    show_surprises(bank, [surprise], tmp_path / "surprises.svg")

    text = (tmp_path / "surprises.svg").read_text(encoding="utf-8")
    assert f"1: nothing is nearer than {rounded_up(surprise.mean, 1)} cm" in text
    assert "its nearest" in text
    with pytest.raises(UsageError, match="no surprises to draw"):
        show_surprises(bank, [], tmp_path / "none.svg")


@pytest.mark.parametrize(
    ("n_matches", "medoid", "n_drawn", "ranks"),
    [
        (2, 0, 4, [0, 1]),
        (2, 1, 4, [1, 0]),
        (4, 2, 4, [2, 0, 1, 3]),
        (9, 4, 4, [4, 0, 3, 8]),
        (9, 0, 4, [0, 2, 5, 8]),
        (9, 4, 2, [4, 0]),
        (9, 0, 2, [0, 8]),
    ],
)
def test_the_most_typical_the_seed_and_others_to_the_farthest(n_matches, medoid, n_drawn, ranks):
    motif = SimpleNamespace(matches=[None] * n_matches, medoid=medoid)

    assert drawn_of(motif, n_drawn) == ranks
