"""What is a motion file, and under which name."""

import io
import os
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from motionary.bank import sources
from motionary.bank.sources import not_read, source_files
from motionary.errors import UsageError


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")


def found(*paths: Path | str) -> list[tuple[str, tuple[str, ...]]]:
    with source_files(paths) as sources:
        files = sources.files
        assert [file.shown for file in files] == sorted(file.shown for file in files)
        assert all(file.path.is_file() for file in files)
        return [(file.name, tuple(name for name in file.folders if not name.startswith("test_"))) for file in files]


def failed(*paths: Path | str) -> list[str]:
    with source_files(paths) as sources:
        assert all(why.startswith(f"{path}: ") for path, why in sources.failed)
        return [path for path, _ in sources.failed]


def test_folders_give_names(tmp_path: Path) -> None:
    touch(tmp_path / "02" / "02_01.bvh", tmp_path / "02" / "deep" / "x.AMC", tmp_path / "a.bvh.gz", tmp_path / "no.txt")
    touch(tmp_path / ".git" / "x.bvh", tmp_path / "__MACOSX" / "y.bvh", tmp_path / "02" / "._02_01.bvh")
    (tmp_path / "folder.bvh").mkdir()

    assert found(tmp_path) == [("02/02_01", ("02",)), ("02/deep/x", ("02", "deep")), ("a", ())]
    assert found(tmp_path / "02" / "02_01.bvh") == [("02_01", ("02",))]
    assert found(tmp_path, tmp_path / "a.bvh.gz", tmp_path) == found(tmp_path)
    assert found(str(tmp_path / "0*")) == [("02_01", ("02",)), ("deep/x", ("deep",))]
    assert found(str(tmp_path / "**" / "*.bvh")) == [("02_01", ("02",))]
    assert found(str(tmp_path / "*.*")) == [("a", ())]


def test_links_are_followed_once(tmp_path: Path) -> None:
    touch(tmp_path / "real" / "x.bvh")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "dangling.bvh").symlink_to(tmp_path / "nowhere")

    assert found(tmp_path / "in") == [("link/x", ("link",))]


def test_what_is_no_motion_file(tmp_path: Path) -> None:
    touch(tmp_path / "a.txt", tmp_path / "a.asf")
    with pytest.raises(UsageError, match=r"a\.txt: not a motion file; supported are \.bvh, .* and archives \.zip"):
        found(tmp_path / "a.txt")
    with pytest.raises(UsageError, match=r"a\.asf: is the skeleton of \.amc files; import those"):
        found(tmp_path / "a.asf")


def test_a_path_without_motion_files_is_an_error(tmp_path: Path) -> None:
    touch(tmp_path / "in" / "a.txt", tmp_path / "in" / ".hidden.bvh", tmp_path / "good" / "x.bvh")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as writer:
        writer.writestr("readme.txt", b"x")
    for path in (tmp_path / "in", tmp_path / "a.zip", str(tmp_path / "i*")):
        with pytest.raises(
            UsageError, match=r"no motion file in this folder or its subfolders; supported are \.bvh, \.bvh\.gz, \.amc"
        ):
            found(path)
        assert found(tmp_path / "good", path) == [("x", ("good",))]
        assert failed(tmp_path / "good", path) == [str(path)]
    assert found(str(tmp_path / "*d")) == [("x", ("good",))]
    (tmp_path / "good" / "empty").mkdir()
    assert found(str(tmp_path / "good" / "*")) == [("x", ("good",))]


def test_a_path_with_the_letters_of_a_pattern_means_itself(tmp_path: Path) -> None:
    touch(tmp_path / "take [1].bvh", tmp_path / "take 1.bvh")
    assert found(str(tmp_path / "take [1].bvh")) == [("take [1]", ())]


@pytest.mark.parametrize("ending", [".zip", ".tar", ".tar.gz", ".tgz", ".ZIP"])
def test_archives_never_write_outside(tmp_path: Path, ending: str) -> None:
    names = ["../../evil.bvh", "/abs/evil.bvh", "in/ok.bvh", "..\\win.bvh", "in/", "in/notes.txt", "x/../../up.bvh"]
    archive = tmp_path / f"motions{ending}"
    if ending.lower() == ".zip":
        with zipfile.ZipFile(archive, "w") as writer:
            for name in names:
                writer.writestr(name, b"x")
    else:
        with tarfile.open(archive, "w:gz" if ending.endswith("gz") else "w") as tar:
            for name in names:
                info = tarfile.TarInfo(name)
                info.size = 1
                tar.addfile(info, io.BytesIO(b"x"))
            link = tarfile.TarInfo("link.bvh")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            tar.addfile(link)
    before = set(tmp_path.rglob("*"))

    with source_files([archive]) as sources:
        files = sources.files
        unpacked = {os.path.commonpath([file.path for file in files])}
        assert [file.name for file in files] == ["abs/evil", "evil", "in/ok", "win", "x/up"]
        assert all(file.shown.startswith(str(archive)) for file in files)

    assert set(tmp_path.rglob("*")) == before
    assert not any(os.path.exists(path) for path in unpacked)
    assert not Path("/abs/evil.bvh").exists()


def test_broken_archives_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as writer:
        writer.writestr("walk.bvh", b"0 1 2 3\n" * 1000)
    whole = (tmp_path / "a.zip").read_bytes()
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "a.zip", "walk.bvh")
    packed = (tmp_path / "a.tar.gz").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[:100])
    (tmp_path / "flipped.zip").write_bytes(whole[:45] + b"\xff\xff\xff" + whole[48:])
    (tmp_path / "cut.tar.gz").write_bytes(packed[: len(packed) // 2])
    (tmp_path / "no.tar").write_bytes(b"nothing of the kind" * 100)
    for name in ("cut.zip", "flipped.zip", "cut.tar.gz", "no.tar"):
        with pytest.raises(UsageError, match=f"{name}: the archive cannot be unpacked"):
            found(tmp_path / name)
    monkeypatch.setattr(sources, "MAX_MEMBER_BYTES", 1000)
    with pytest.raises(UsageError, match=r"walk\.bvh unpacks to more than"):
        found(tmp_path / "a.zip")


def test_wrong_paths_do_not_keep_others_from_being_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "good.bvh", tmp_path / "bad.zip", tmp_path / "in" / "a.bvh", tmp_path / "in" / "shut" / "b.bvh")
    wrong = [tmp_path / "bad.zip", tmp_path / "nothere.bvh", tmp_path / "*.xyz", tmp_path / ("x" * 300)]

    assert found(*wrong, tmp_path / "good.bvh") == [("good", ())]
    assert failed(*wrong, tmp_path / "good.bvh") == list(map(str, wrong))
    with pytest.raises(
        UsageError, match=r"bad\.zip: the archive cannot be unpacked(.*\n)+.*nothere\.bvh: no such file"
    ):
        found(*wrong)

    scandir = os.scandir

    def without_rights(path: str) -> Any:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", without_rights)
    assert found(tmp_path / "in") == [("a", ("in",))]
    assert failed(tmp_path / "in") == [str(tmp_path / "in" / "shut")]
    with pytest.raises(UsageError, match=r"shut: cannot be read \(Permission denied\); check its rights$"):
        found(tmp_path / "in" / "shut")


def test_archives_in_folders_count_as_folders(tmp_path: Path) -> None:
    touch(tmp_path / "in" / "a.bvh", tmp_path / "in" / "broken.zip")
    with zipfile.ZipFile(tmp_path / "in" / "Set.1.ZIP", "w") as writer:
        writer.writestr("deep/b.bvh", b"x")
        writer.writestr("more.tgz", b"x")
    with tarfile.open(tmp_path / "in" / "set2.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "in" / "a.bvh", "c.bvh")

    expected = [("Set.1/deep/b", ("Set.1", "deep")), ("a", ("in",)), ("set2/c", ("set2",))]
    assert found(tmp_path / "in") == expected
    assert sorted(failed(tmp_path / "in")) == [
        str(tmp_path / "in" / "Set.1.ZIP" / "more.tgz"),
        str(tmp_path / "in" / "broken.zip"),
    ]
    assert found(tmp_path / "in" / "Set.1.ZIP") == [("deep/b", ("deep",))]


def test_a_file_always_has_the_folder_that_it_lies_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "dance" / "a.bvh", tmp_path / "dance" / "salsa" / "b.bvh")
    with zipfile.ZipFile(tmp_path / "jumps.zip", "w") as writer:
        writer.writestr("c.bvh", b"x")

    assert found(tmp_path / "dance") == [("a", ("dance",)), ("salsa/b", ("salsa",))]
    assert found(str(tmp_path / "dance" / "**" / "*.bvh")) == [("a", ("dance",)), ("b", ("salsa",))]
    assert found(tmp_path / "jumps.zip") == [("c", ("jumps",))]
    monkeypatch.chdir(tmp_path / "dance" / "salsa")
    assert found("b.bvh") == found(".") == [("b", ("salsa",))]
    assert found("..") == [("a", ("dance",)), ("salsa/b", ("salsa",))]


def test_motion_files_of_other_kinds_are_counted_with_what_to_do(tmp_path: Path) -> None:
    touch(tmp_path / "in" / "a.bvh", tmp_path / "in" / "b.FBX", tmp_path / "in" / "deep" / "c.fbx", tmp_path / "d.npz")
    with zipfile.ZipFile(tmp_path / "in" / "set.zip", "w") as writer:
        writer.writestr("walk.c3d", b"x")

    with source_files([tmp_path / "in"]) as sources:
        passed_over = sources.passed_over

    assert passed_over == ((".c3d", 1), (".fbx", 2))
    assert not_read(passed_over[1]).startswith("2 files .fbx (FBX) not supported by this version; open it in a program")
    with pytest.raises(
        UsageError, match=r"d\.npz: NumPy \(AMASS, SMPL\) files are not supported by this version; convert"
    ):
        found(tmp_path / "d.npz")
    with pytest.raises(
        UsageError, match=r"no motion file in this folder.*\n1 file \.fbx \(FBX\) not supported by this version"
    ):
        found(tmp_path / "in" / "deep")


def test_only_ordinary_files_are_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bvh")
    os.mkfifo(tmp_path / "pipe.zip")
    (tmp_path / "zeros.bvh").symlink_to("/dev/zero")
    touch(tmp_path / "good.bvh")

    assert found(tmp_path) == [("good", ())]
    for name in ("pipe.bvh", "pipe.zip", "zeros.bvh"):
        with pytest.raises(UsageError, match=f"{name}: is not a regular file"):
            found(tmp_path / name)


def test_all_archives_together_have_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.zip", "b.zip"):
        with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as writer:
            writer.writestr("walk.bvh", b"0 1 2 3\n" * 1000)
    monkeypatch.setattr(sources, "MAX_UNPACKED_BYTES", 12_000)

    assert found(tmp_path / "a.zip") == [("walk", ("a",))]
    assert len(failed(tmp_path)) == 1
