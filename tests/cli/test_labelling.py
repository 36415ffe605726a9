"""label import."""


def test_label_rows_beyond_a_clip_are_told_with_their_lines(run):
    done = run("label", "import", "a.bank", "wrong.csv")

    assert done.stdout == "1 label added\n"
    assert "wrong.csv:2: sway_01 has no frames 50-70, only 0-60\n" in done.stderr
    assert "wrong.csv:4: no clip 'nobody' in the bank\n" in done.stderr
