"""Files that are no clips of the bank."""

import gzip
from dataclasses import replace

import numpy as np
import pytest

from features.moving_bodies import wild_body
from motionary.errors import MappingError, MotionFileError
from motionary.formats import bvh_text
from motionary.motion import Motion, recording_of
from motionary.rig import map_skeleton
from motionary.search.examples.motion_file import read_acted

MOTION = wild_body(4)
TEXT = bvh_text(recording_of(MOTION))


def grown(motion: Motion, factor: float) -> Motion:
    skeleton = replace(
        motion.skeleton,
        offsets=factor * motion.skeleton.offsets,
        end_site_offsets=factor * motion.skeleton.end_site_offsets,
    )
    return replace(motion, skeleton=skeleton, root_positions=factor * motion.root_positions)


@pytest.mark.parametrize("units_per_metre", [1.0, 100.0, 1 / 0.0254])
def test_units_are_guessed_as_an_import_does(tmp_path, units_per_metre):
    path = tmp_path / "take.bvh"
    path.write_bytes(bvh_text(recording_of(grown(MOTION, units_per_metre))))
    said: list[str] = []

    acted = read_acted(path, message=said.append)

    order = [acted.motion.skeleton.index(name) for name in MOTION.skeleton.names]
    assert np.allclose(acted.motion.positions_world[:, order], MOTION.positions_world, atol=1e-3)
    assert acted.body.body_map.hips == 0
    assert said == []


def test_doubts_are_told(tmp_path):
    path = tmp_path / "giant.bvh"
    path.write_bytes(bvh_text(recording_of(grown(MOTION, 1.4))))
    said: list[str] = []

    read_acted(path, message=said.append)

    assert f"{path}: a leg of" in said[0]
    assert "which no person has" in said[0]


def test_a_zipped_file(tmp_path):
    path = tmp_path / "take.bvh.gz"
    path.write_bytes(gzip.compress(TEXT))

    assert read_acted(path).motion.n_frames == MOTION.n_frames


def test_files_that_are_no_query(tmp_path):
    broken, strange, two = tmp_path / "broken.bvh", tmp_path / "strange.bvh", tmp_path / "two.bvh"
    broken.write_bytes(TEXT[: len(TEXT) // 2])
    names = {name: f"bone{j}" for j, name in enumerate(MOTION.skeleton.names)}
    skeleton = replace(MOTION.skeleton, names=tuple(names.values()))
    strange.write_bytes(bvh_text(recording_of(replace(MOTION, skeleton=skeleton))))

    with pytest.raises(MotionFileError, match=r"gone\.bvh: cannot be read"):
        read_acted(tmp_path / "gone.bvh")
    with pytest.raises(MotionFileError, match=r"broken\.bvh:"):
        read_acted(broken)
    with pytest.raises(MappingError, match=r"strange\.bvh: the skeleton cannot be mapped.*map its skeleton by hand"):
        read_acted(strange)
    known = read_acted(strange, map_by_hand=lambda found: map_skeleton(found, user_map=names))
    assert known.body.body_map.hips == 0
    head, _, frames = TEXT.decode().partition("MOTION")
    n_values = len(frames.splitlines()[3].split())
    body = head.partition("ROOT")[2]
    twice = f"HIERARCHY\nROOT{body}ROOT{body.replace('Hips', 'Hips2', 1)}MOTION\nFrames: 1\nFrame Time: 0.0333333\n"
    two.write_text(twice + "0 " * (2 * n_values) + "\n")
    with pytest.raises(MotionFileError, match=r"contains 2 skeletons \(Hips, Hips2\)"):
        read_acted(two)
