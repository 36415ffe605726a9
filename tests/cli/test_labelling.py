"""label import."""


def test_label_rows_beyond_a_clip_are_told_with_their_lines(run):
    done = run("label", "import", "a.bank", "wrong.csv")

    assert done.stdout == "1 label added\n"
    assert "wrong.csv:2: sway_01 has no frames 50-70, only 0-60\n" in done.stderr
    assert "wrong.csv:4: no clip 'nobody' in the bank\n" in done.stderr


def test_new_descriptions_are_counted(run):
    with open("more.csv", "w") as file:
        file.write("clip,label,description\nsway_02,,bends\n")

    assert run("label", "import", "a.bank", "more.csv").stdout == "0 labels added\n1 clip with a new description\n"
