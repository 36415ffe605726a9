"""The GLB writer, read back by a plain reader that shares nothing with it."""

import json
import struct

import numpy as np
import pytest
from hypothesis import given

from motionary.formats.glb import glb_bytes
from motionary.motion import Motion, Skeleton, rotations
from strategies import motions

SIZES = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}
TYPES = {5126: "<f4", 5121: "u1", 5123: "<u2"}


class Glb:
    """A .glb file as its specification describes it."""

    def __init__(self, data: bytes) -> None:
        magic, version, length = struct.unpack_from("<4sII", data, 0)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        n_json, json_kind = struct.unpack_from("<I4s", data, 12)
        assert json_kind == b"JSON"
        assert n_json % 4 == 0
        self.json = json.loads(data[20 : 20 + n_json].decode("utf-8"))
        n_binary, binary_kind = struct.unpack_from("<I4s", data, 20 + n_json)
        assert binary_kind == b"BIN\0"
        assert 28 + n_json + n_binary == length
        self.binary = data[28 + n_json :]
        assert self.json["buffers"][0]["byteLength"] <= n_binary

    def array(self, number: int) -> np.ndarray:
        accessor = self.json["accessors"][number]
        view = self.json["bufferViews"][accessor["bufferView"]]
        assert view["byteOffset"] % 4 == 0
        width, count = SIZES[accessor["type"]], accessor["count"]
        dtype = np.dtype(TYPES[accessor["componentType"]])
        assert view["byteLength"] == count * width * dtype.itemsize
        values = np.frombuffer(self.binary, dtype, count * width, view["byteOffset"]).reshape(count, width)
        if "min" in accessor:
            assert accessor["min"] == values.min(axis=0).tolist()
            assert accessor["max"] == values.max(axis=0).tolist()
        return values

    def poses(self) -> np.ndarray:
        """Matrices (F, N, 4, 4) of all nodes in the world."""
        (animation,) = self.json["animations"]
        times = self.array(animation["samplers"][0]["input"])
        tracks = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            assert sampler["interpolation"] == "LINEAR"
            assert len(self.array(sampler["input"])) == len(times)
            tracks[channel["target"]["node"], channel["target"]["path"]] = self.array(sampler["output"])
        world = np.zeros((len(times), len(self.json["nodes"]), 4, 4))
        for f in range(len(times)):
            waiting = [(node, np.eye(4)) for node in self.json["scenes"][self.json["scene"]]["nodes"]]
            while waiting:
                number, above = waiting.pop()
                node = self.json["nodes"][number]
                values = {
                    path: tracks[number, path][f] if (number, path) in tracks else node.get(path, default)
                    for path, default in (("translation", [0, 0, 0]), ("rotation", [0, 0, 0, 1]))
                }
                world[f, number] = above @ matrix(values["translation"], values["rotation"])
                waiting += [(child, world[f, number]) for child in node.get("children", [])]
        return world


def matrix(translation, rotation) -> np.ndarray:
    x, y, z, w = (float(part) for part in rotation)
    assert x * x + y * y + z * z + w * w == pytest.approx(1.0, abs=1e-5)
    m = np.eye(4)
    m[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    m[:3, 3] = translation
    return m


def turning(n_frames: int = 5) -> Motion:
    """Two bones of 1 m along x; the elbow turns by 30° about z in each frame, nothing else moves."""
    skeleton = Skeleton(
        ("upper", "lower"), np.array([-1, 0]), np.array([[0, 0, 0], [1.0, 0, 0]]), [1], np.array([[1.0, 0, 0]])
    )
    turns = np.zeros((n_frames, 2, 4))
    turns[:, 0] = rotations.IDENTITY
    turns[:, 1] = rotations.from_axis_angle(np.array([0, 0, 1.0]), np.radians(30.0 * np.arange(n_frames)))
    return Motion(skeleton, 0.5, np.tile([0.0, 1.0, 0.0], (n_frames, 1)), turns)


@given(motion=motions())
def test_an_independent_reader_finds_every_joint_in_its_place(motion):
    glb = Glb(glb_bytes(motion, name="clip"))

    poses = glb.poses()

    joints = glb.json["skins"][0]["joints"]
    assert [glb.json["nodes"][joint]["name"] for joint in joints] == list(motion.skeleton.names)
    assert poses[:, joints][..., :3, 3] == pytest.approx(motion.positions_world, abs=1e-5)


@given(motion=motions())
def test_the_body_goes_with_the_joints(motion):
    glb = Glb(glb_bytes(motion, name="clip"))
    attributes = glb.json["meshes"][0]["primitives"][0]["attributes"]
    skin = glb.json["skins"][0]
    corners = glb.array(attributes["POSITION"]).astype(float)
    owners = glb.array(attributes["JOINTS_0"])[:, 0]
    assert np.array_equal(glb.array(attributes["WEIGHTS_0"]), np.tile([1, 0, 0, 0], (len(corners), 1)))
    into_joint = glb.array(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)

    skinned = np.einsum(
        "fvij,vjk,vk->fvi",
        glb.poses()[:, np.array(skin["joints"])[owners]],
        into_joint[owners],
        np.concatenate([corners, np.ones((len(corners), 1))], axis=1),
    )[..., :3]

    # a knot's corners have their joint in the middle; knots come last, 24 corners each
    knots = skinned[:, -24 * motion.skeleton.n_joints :].reshape(motion.n_frames, -1, 24, 3)
    assert knots.mean(axis=2) == pytest.approx(motion.positions_world, abs=1e-4)


def test_times_are_those_of_the_frames():
    glb = Glb(glb_bytes(turning(), name="clip"))

    assert glb.array(glb.json["animations"][0]["samplers"][0]["input"])[:, 0].tolist() == [0, 0.5, 1, 1.5, 2]
    assert glb.poses()[3, 1, :3, 0] == pytest.approx([0.0, 1.0, 0.0], abs=1e-6)


def test_still_joints_have_no_channels_and_the_root_always_has():
    skeleton = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1.0, 0]]))
    still = np.tile(rotations.from_axis_angle(np.array([1.0, 0, 0]), 0.3), (4, 2, 1))

    glb = Glb(glb_bytes(Motion(skeleton, 0.1, np.zeros((4, 3)), still), name="still"))

    targets = [channel["target"] for channel in glb.json["animations"][0]["channels"]]
    assert targets == [{"node": 0, "path": "translation"}, {"node": 0, "path": "rotation"}]
    assert glb.json["nodes"][1]["rotation"] == pytest.approx([np.sin(0.15), 0.0, 0.0, np.cos(0.15)])


def test_quaternions_do_not_change_sign():
    motion = turning(24)  # twice around in all
    flipped = np.array(motion.rotations)
    flipped[1::2] *= -1.0

    glb = Glb(glb_bytes(Motion(motion.skeleton, 0.5, motion.root_positions, flipped), name="clip"))

    for sampler in glb.json["animations"][0]["samplers"]:
        keys = glb.array(sampler["output"])
        if keys.shape[1] == 4:
            assert (np.sum(keys[1:] * keys[:-1], axis=1) > 0).all()


def test_names_and_credit_are_kept():
    skeleton = Skeleton(("mixamorig:Hüfte", "左 足"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1.0, 0]]))
    motion = Motion(skeleton, 0.1, np.zeros((1, 3)), np.tile(rotations.IDENTITY, (1, 2, 1)))
    extras = {"licence": "CC BY 4.0", "credit": "Zoë", "source": "a.bvh"}

    glb = Glb(glb_bytes(motion, name="Gehen – langsam", extras=extras))

    assert [node["name"] for node in glb.json["nodes"][:2]] == ["mixamorig:Hüfte", "左 足"]
    assert glb.json["animations"][0]["name"] == "Gehen – langsam"
    assert glb.json["asset"]["copyright"] == "Zoë. CC BY 4.0"
    assert glb.json["asset"]["extras"] == extras
