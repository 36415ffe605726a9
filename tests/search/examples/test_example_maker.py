"""From words to examples."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.bank import Bank, export
from motionary.errors import MappingError, MotionFileError, NotInBankError, UsageError
from motionary.formats import bvh_text
from motionary.library import build_features
from motionary.motion import Motion, Segment, recording_of
from motionary.search.examples import ExampleMaker, KeyPose, KeyPoses, LibrarySegment, Mixed, MotionSegment


def renamed(motion: Motion) -> tuple[Motion, dict[str, str]]:
    """The motion with joints whose names say nothing, and which is which."""
    names = {name: f"bone{j}" for j, name in enumerate(motion.skeleton.names)}
    return replace(motion, skeleton=replace(motion.skeleton, names=tuple(names.values()))), names


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A bank with two wild clips and one whose skeleton was mapped by hand; and the folder that it is in."""
    folder = tmp_path_factory.mktemp("making")
    strange, names = renamed(wild_body(5, n_frames=50))
    with Bank.open(folder / "a.bank", create=True) as bank:
        bank.add("wild", recording_of(wild_body(1, n_frames=60)))
        bank.add("other", recording_of(wild_body(2, n_frames=50, frame_time=1 / 60)))
        bank.add("strange", recording_of(strange))
        bank.set_body_map("strange", names)
        bank.add("odd.bvh", recording_of(wild_body(3)))
        yield bank, folder


@pytest.fixture
def maker(made):
    return ExampleMaker(made[0], build_features(made[0]))


def test_segments_in_all_ways_to_name_them(maker):
    for shown in ("wild:10-40", "#1:10-40", Segment(1, 10, 40)):
        example = maker.example(shown)
        assert isinstance(example, LibrarySegment)
        assert (example.name, example.segment) == ("wild:10-40", Segment(1, 10, 40))
    assert maker.example(2).n_frames == 25
    again = maker.example(example)  # it may have come from elsewhere, with another network
    assert (again.name, again.place) == (example.name, example.place)
    assert np.array_equal(again.rows(30)["gist"], example.rows(30)["gist"])
    assert maker.example("wild:10-40").rows(45)["angles"].shape[0] == 45
    assert maker.example("wild:10-40").poses(20).n_frames == 20
    with pytest.raises(NotInBankError, match="no clip 'nobody'"):
        maker.example("nobody:3-9")


def test_a_file_is_described_as_its_clip_is(made, maker, monkeypatch):
    bank, folder = made
    (written,) = export(bank, ["wild"], folder / "take.bvh", overwrite=True)
    monkeypatch.chdir(folder)
    clip = maker.example("wild:10-40")
    for shown in (f"{written.path}:10-40", "take.bvh:10-40", Path("take.bvh:10-40"), "./take.bvh:0.3333s-1.3334s"):
        example = maker.example(shown)
        assert isinstance(example, MotionSegment)
        assert (example.name, example.place, example.n_frames) == ("take.bvh:10-40", None, 30)
        for length in (30, 33):
            for name, rows in example.rows(length).items():
                assert np.allclose(rows, clip.rows(length)[name], atol=1e-4)
    assert maker.example("take.bvh").name == "take.bvh"
    assert maker.example(Path("take.bvh")).n_frames == 60
    with pytest.raises(UsageError, match=r"take.bvh has no frames \[50, 70\); it has 60, or 2.00 s"):
        maker.example("take.bvh:50-70")


def test_a_clip_that_is_called_like_a_file_is_a_clip(maker):
    assert isinstance(maker.example("odd.bvh:3-9"), LibrarySegment)


def test_a_file_of_another_kind_is_told_from_a_clip_that_is_not_there(made, maker, monkeypatch):
    bank, folder = made
    export(bank, ["wild"], folder / "take.glb", overwrite=True)
    (folder / "wild").touch()
    monkeypatch.chdir(folder)
    for shown in ("take.glb", "take.glb:0-30", ["take.glb:0@0", "wild:9@1"]):
        with pytest.raises(MotionFileError, match=r"take.glb: this file is not in a supported format.* Use BVH"):
            maker.example(shown)
    with pytest.raises(NotInBankError, match=r"no clip 'tale\.glb'"):
        maker.example("tale.glb")
    assert isinstance(maker.example("wild"), LibrarySegment)


def test_a_skeleton_that_was_mapped_in_the_bank_is_known_in_files_too(made, maker):
    bank, folder = made
    export(bank, ["strange"], folder / "strange.bvh", overwrite=True)
    unknown, _ = renamed(wild_body(6))
    unknown = replace(unknown, skeleton=replace(unknown.skeleton, names=tuple(f"x{n}" for n in unknown.skeleton.names)))
    (folder / "unknown.bvh").write_bytes(bvh_text(recording_of(unknown)))

    rows = maker.example(folder / "strange.bvh").rows(50)["positions"]

    assert np.allclose(rows, maker.example("strange").rows(50)["positions"], atol=1e-4)
    with pytest.raises(MappingError, match=r"unknown\.bvh"):
        maker.example(folder / "unknown.bvh")


def test_a_motion_in_memory(maker):
    rows = maker.example(wild_body(1, n_frames=60)).rows(60)

    assert np.allclose(rows["positions"], maker.example("wild").rows(60)["positions"], atol=1e-4)


def test_key_poses_of_clips_and_files(made, maker):
    bank, folder = made
    export(bank, ["wild"], folder / "take.bvh", overwrite=True)

    keys = maker.example(["wild:10@0", "#2:0.5s@0.5", KeyPose(folder / "take.bvh", 30, 1.0), KeyPose(1, 20, 2)])

    assert isinstance(keys, KeyPoses)
    assert keys.n_frames == 61
    assert keys.name == "4 key poses of wild, other, take.bvh"
    angles = keys.rows(61)["angles"]
    wild, other = (maker.example(clip) for clip in ("wild", "other"))
    assert np.allclose(angles[0], wild.rows(60)["angles"][10], atol=1e-4)
    assert np.allclose(angles[15], other.rows(25)["angles"][15], atol=1e-4)
    assert np.allclose(angles[30], wild.rows(60)["angles"][30], atol=1e-4)
    for poses, message in [
        (["wild:60@0", "wild:3@1"], "wild has no frame 60; it has 60 frames, from 0"),
        (["wild:x@0", "wild:3@1"], "'x' is not a frame of wild"),
        (["nobody:1@0", "wild:3@1"], "no clip 'nobody'"),
        (["wild:1@0"], "a single key pose is not enough"),
        ([], "a single key pose is not enough"),
    ]:
        with pytest.raises((UsageError, NotInBankError), match=message):
            maker.example(poses)


def test_parts_of_several_sources(maker):
    mixed = maker.example("wild:0-30", [("arms, Head", "other"), ("root", ["wild:0@0", "wild:50@3"])])

    assert isinstance(mixed, Mixed)
    assert [words for words, _ in mixed.sources] == [("arms", "Head"), ("root",)]
    assert mixed.place == maker.example("wild:0-30").place
    assert json.dumps(mixed.name)  # whatever is in it, it can be told
