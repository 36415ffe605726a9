"""Tables of labels."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bank.small_banks import recording
from motionary.bank import Bank, Label, LabelReport, label_from_table, read_labels
from motionary.bank.label_files import labels_in_name
from motionary.errors import UsageError


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        bank.add("02/walk", recording(0, n_frames=60), source="/data/02/walk.bvh.gz")
        bank.add("run", recording(1, n_frames=60), source="/data/run.bvh")
        yield bank


def table(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "labels.csv"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "who",
    [
        "02/walk",
        "walk.bvh.gz",
        "walk",
        "/data/02/walk.bvh.gz",
        "walk.bvh",
        "walk.BVH",
        "02/walk.bvh",
        "./02/walk.Bvh.GZ",
        "02\\walk",
        "data/02/walk",
    ],
)
def test_a_clip_goes_by_its_name_or_its_file(bank: Bank, tmp_path: Path, who: str) -> None:
    report = label_from_table(bank, read_labels(table(tmp_path, f"clip,label\n{who},calm\n")))

    assert report == LabelReport(1, (), ())
    assert bank.labels(1) == [Label("calm", origin="import")]
    assert bank.undo().command == "label import labels.csv"
    assert bank.labels(1) == []


def test_intervals_in_frames_and_seconds(bank: Bank, tmp_path: Path) -> None:
    rows = (
        "\ufefffile, start ,stop,label",
        "run,10,20,a",
        "run,0.5s,1s,b",
        "run,,15,c",
        "run,1s,,d",
        "run,,,e",
        "run,,,",
    )
    text = "\r\n".join(rows)
    label_from_table(bank, read_labels(table(tmp_path, text)))

    assert [(label.name, label.start, label.stop) for label in bank.labels(2)] == [
        ("e", None, None),
        ("c", 0, 15),
        ("a", 10, 20),
        ("b", 15, 30),
        ("d", 30, 60),
    ]
    assert label_from_table(bank, read_labels(tmp_path / "labels.csv")) == LabelReport(0, (), ())
    assert len(bank.log()) == 3


def test_rows_without_a_clip_are_given_back(bank: Bank, tmp_path: Path) -> None:
    path = table(tmp_path, 'clip,label,description\nrun,"a, b","two\nlines"\nnobody,x,\n')
    report = label_from_table(bank, read_labels(path))

    assert report.n_new == 1
    assert bank.clip("run").labels == ("a, b",)
    assert [(row.line, row.who) for row in report.unused] == [(4, "nobody")]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_fields_may_be_separated_as_spreadsheets_do(bank: Bank, tmp_path: Path, separator: str) -> None:
    text = 'clip|label|start|stop\nrun|"a, b; c"|0|15\n'.replace("|", separator)
    label_from_table(bank, read_labels(table(tmp_path, text)))

    assert [(label.name, label.start, label.stop) for label in bank.labels("run")] == [("a, b; c", 0, 15)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"labels\.csv:1: the header must name a column clip or file and a column label, .*it names nothing"),
        ("clip,category\n", r"it names clip, category\. Another label column can be given with --label-column"),
        ("clip;category\n", r"separated by commas, semicolons or tabs; it names clip;category\."),
        ("clip,label\nrun\n", r"labels\.csv:2: has 1 fields, but the header names 2\. Separate fields by commas"),
        ("clip,label\nrun,a,b\n", r"labels\.csv:2: has 3 fields, but the header names 2"),
        ("clip;label\nrun,a\n", r"labels\.csv:2: has 1 fields, but the header names 2\. Separate fields by semicolons"),
        ("clip,label\n,a\n", r"labels\.csv:2: has no clip"),
        ("clip,start,stop,label\nrun,one,2,a\n", r"labels\.csv:2: 'one' is neither a frame \(30\) nor a time"),
        ("clip,start,stop,label\nrun,1.5,2,a\n", r"labels\.csv:2: '1.5' is neither a frame"),
        ("clip,start,stop,label\nrun,nan,2,a\n", r"labels\.csv:2: 'nan' is neither"),
        ("clip,label\nrun,a\x01b\n", r"labels\.csv:2: .* cannot be a label"),
        ("clip,label\nrun," + "x" * 200_000 + "\n", r"labels\.csv:1: is not a CSV file"),
    ],
)
def test_wrong_tables_say_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        read_labels(table(tmp_path, text))


def test_tables_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read as a CSV file of labels"):
        read_labels(tmp_path / "missing.csv")
    (tmp_path / "latin.csv").write_bytes(b"clip,label\nrun,\xfc\n")
    with pytest.raises(UsageError, match=r"latin.csv:2: has letters that are not UTF-8. Save the file as UTF-8"):
        read_labels(tmp_path / "latin.csv")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_tables_as_spreadsheets_encode_them(bank: Bank, tmp_path: Path, encoding: str) -> None:
    text = "clip\tlabel\r\nrun\tGrüße\r\n"
    if encoding == "utf-16-be":
        text = "\ufeff" + text
    (tmp_path / "labels.csv").write_bytes(text.encode(encoding))

    assert label_from_table(bank, read_labels(tmp_path / "labels.csv")).n_new == 1
    assert [label.name for label in bank.labels(2)] == ["Grüße"]


def test_a_row_beyond_the_clip_is_told_and_the_others_go_on(bank: Bank, tmp_path: Path) -> None:
    path = table(tmp_path, "clip,start,stop,label\nrun,0,10,good\nrun,50,61,late\nwalk,70,,late\nrun,,,whole\n")

    report = label_from_table(bank, read_labels(path))

    assert (report.n_new, report.unused) == (2, ())
    assert report.warnings == (
        f"{path}:4: walk has no frames 70-60, only 0-60",
        f"{path}:3: run has no frames 50-61, only 0-60",
    )
    assert [label.name for label in bank.labels(2)] == ["whole", "good"]


def test_labels_in_names() -> None:
    assert labels_in_name("02/walk_fast_01", None) == []
    assert labels_in_name("02/walk_fast_01", r"/([a-z]+)_") == ["walk"]
    assert labels_in_name("02/walk_fast_01", r"(\d)/.*_(?P<label>[a-z]+)_") == ["fast"]
    assert labels_in_name("02/walk_fast_01", "walk|run") == ["walk"]
    assert labels_in_name("02/walk_fast_01", r"(run)?_") == []
    assert labels_in_name("a b", r"a( )b") == []
    with pytest.raises(UsageError, match="is not a regular expression"):
        labels_in_name("x", "(")


@pytest.mark.parametrize("who", ["Walk", "alk.bvh", "2/walk.bvh", "walk.amc", "walk.gz", "03/walk", "02", ""])
def test_names_that_mean_another_clip(tmp_path: Path, who: str) -> None:
    rows = read_labels(table(tmp_path, f"file,label\n{who or 'x'},calm\n"))

    assert rows.of_source("02/walk", "/data/02/walk.bvh") == []
    assert rows.of_source("made", "") == []


def test_descriptions_are_taken_over_once(bank: Bank, tmp_path: Path) -> None:
    rows = read_labels(
        table(tmp_path, "file,label,description\nrun,a,fast\nrun,b,fast\nrun,c,far\nwalk,,slow\n02/walk,d,\n")
    )

    assert label_from_table(bank, rows).n_described == 2
    assert [clip.description for clip in bank.clips()] == ["slow", "fast | far"]
    assert [clip.name for clip in bank.clips("far")] == ["run"]
    assert label_from_table(bank, rows) == LabelReport(0, (), (), 0)
    bank.undo()
    assert [clip.description for clip in bank.clips()] == ["", ""]


def test_many_labels_are_searched_for_and_undone_as_few_are(bank: Bank, tmp_path: Path) -> None:
    bank.add("stroll", recording(0, n_frames=200))
    rows = "".join(f"stroll,step{i % 7},{i},{i + 10}\n" for i in range(150))
    (tmp_path / "labels.csv").write_text("clip,label,start,stop\n" + rows * 2)

    assert label_from_table(bank, read_labels(tmp_path / "labels.csv")).n_new == 150

    assert [clip.name for clip in bank.clips("step3")] == ["stroll"]
    assert bank.check() == []
    bank.undo()
    assert bank.clips("step3") == []
    assert bank.check() == []


def test_a_pipe_is_no_labels_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")

    with pytest.raises(UsageError, match="not a regular file"):
        read_labels(tmp_path / "pipe.csv")
