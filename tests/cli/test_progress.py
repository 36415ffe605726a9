"""How far work is, and how long it takes still."""

from motionary.cli import output
from motionary.cli.output import progress_bar, remaining_secs


def test_what_remains_takes_as_long_as_what_is_done():
    assert remaining_secs(10.0, 1, 5) == 40.0
    assert remaining_secs(10.0, 5, 5) == 0.0
    assert remaining_secs(10.0, 0, 5) is None
    assert remaining_secs(10.0, 1, 703_185) is None  # it would be months


def test_a_pipe_is_told_what_takes_long_and_not_what_does_not(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(output.time, "monotonic", lambda: now[0])

    with progress_bar("Describing") as step:
        for done in range(1, 101):
            now[0] += 0.5
            step(done, 100, "")

    assert capsys.readouterr().err.splitlines() == [
        "Describing: 2 of 100, 0:00:49 left",
        "Describing: 62 of 100, 0:00:19 left",
    ]
    with progress_bar("Describing") as step:
        step(1, 2, "")
        step(2, 2, "")
    assert capsys.readouterr().err == ""


def test_a_first_part_that_compiles_is_no_measure_of_the_others(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(output.time, "monotonic", lambda: now[0])

    with progress_bar("Comparing") as step:
        for secs, done in ((0.0, 0), (40.0, 1), (31.0, 32)):
            now[0] += secs
            step(done, 63, "")

    assert capsys.readouterr().err.splitlines() == ["Comparing: 1 of 63", "Comparing: 32 of 63, 0:00:31 left"]
