"""GLB out: one binary glTF 2.0 file with the skeleton, its motion, and a plain body that shows it."""

import json
import struct
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from motionary.formats.bone_mesh import BoneMesh, bone_mesh
from motionary.motion import Motion, Skeleton, rotations

MAGIC, VERSION, JSON_CHUNK, BINARY_CHUNK = 0x46546C67, 2, 0x4E4F534A, 0x004E4942
FLOAT, UNSIGNED_BYTE, UNSIGNED_SHORT = 5126, 5121, 5123
ARRAY_BUFFER = 34962
STILL = 1e-7  # a channel that changes less than this is no animation: single precision cannot show it


def glb_bytes(motion: Motion, *, name: str, extras: dict[str, str] | None = None) -> bytes:
    """The motion as a .glb file: metres, y up, keys at every frame.

    `extras` go into the file's asset; of them, `credit` and `licence` are its copyright notice as well. Nodes
    stand in the first frame's pose. A joint that never turns has no animation; the root always has one.
    """
    buffer = _Buffer()
    skeleton = _bound(motion)
    translations = {0: motion.root_positions}
    translations |= {int(joint): motion.joint_translations[:, i] for i, joint in enumerate(motion.moving_joints)}
    turns = rotations.continuous(rotations.normalise(motion.rotations))[..., [1, 2, 3, 0]]  # x, y, z, w
    n_joints = skeleton.n_joints
    document: dict[str, Any] = {
        "asset": _asset(extras or {}),
        "scene": 0,
        "scenes": [{"name": name, "nodes": [0, n_joints]}],
        "nodes": [*_joint_nodes(skeleton, translations, turns[0]), {"name": "body", "mesh": 0, "skin": 0}],
        "animations": [_animation(motion, name, translations, turns, buffer)],
        "skins": [_skin(skeleton, buffer)],
        "meshes": [{"name": "body", "primitives": [_primitive(bone_mesh(skeleton), buffer)]}],
        "materials": [
            {"name": "body", "pbrMetallicRoughness": {"metallicFactor": 0.0, "roughnessFactor": 0.8}},
        ],
    }
    document |= {"accessors": buffer.accessors, "bufferViews": buffer.views}
    document["buffers"] = [{"byteLength": len(buffer.data)}]
    return _glb(document, bytes(buffer.data))


@dataclass
class _Buffer:
    """The binary part, and the accessors that say what is where in it."""

    data: bytearray = field(default_factory=bytearray)
    views: list[dict[str, int]] = field(default_factory=list)
    accessors: list[dict[str, Any]] = field(default_factory=list)

    def add(self, values: np.ndarray, kind: str, *, bounds: bool = False, vertices: bool = False) -> int:
        """Append values (n, …), each a `kind` of float32, uint16 or uint8; the number of their accessor."""
        types = {"<f4": FLOAT, "|u1": UNSIGNED_BYTE, "<u2": UNSIGNED_SHORT}
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": values.nbytes}
        accessor: dict[str, Any] = {
            "bufferView": len(self.views),
            "componentType": types[values.dtype.str],
            "count": len(values),
            "type": kind,
        }
        if values.dtype.str == "|u1":
            accessor["normalized"] = True
        if bounds:
            flat = values.reshape(len(values), -1)
            accessor |= {"min": flat.min(axis=0).tolist(), "max": flat.max(axis=0).tolist()}
        if vertices:
            view["target"] = ARRAY_BUFFER
        self.views.append(view)
        self.accessors.append(accessor)
        self.data += values.tobytes()
        self.data += bytes(-len(self.data) % 4)
        return len(self.accessors) - 1


def _asset(extras: dict[str, str]) -> dict[str, Any]:
    asset: dict[str, Any] = {"version": "2.0", "generator": "motionary"}
    notice = ". ".join(extras[key] for key in ("credit", "licence") if extras.get(key))
    if notice:
        asset["copyright"] = notice
    if extras:
        asset["extras"] = dict(extras)
    return asset


def _bound(motion: Motion) -> Skeleton:
    """The skeleton as the body is bound to it: moving joints where they are first, the root at the origin."""
    offsets = np.array(motion.skeleton.offsets)
    offsets[motion.moving_joints] = motion.joint_translations[0]
    offsets[0] = 0.0
    return replace(motion.skeleton, offsets=offsets)


def _joint_nodes(skeleton: Skeleton, translations: dict[int, np.ndarray], turns: np.ndarray) -> list[dict[str, Any]]:
    nodes = []
    for joint, name in enumerate(skeleton.names):
        place = translations[joint][0] if joint in translations else skeleton.offsets[joint]
        node: dict[str, Any] = {"name": name, "translation": place.tolist(), "rotation": turns[joint].tolist()}
        if children := skeleton.children(joint):
            node["children"] = children
        nodes.append(node)
    return nodes


def _animation(
    motion: Motion, name: str, translations: dict[int, np.ndarray], turns: np.ndarray, buffer: _Buffer
) -> dict[str, Any]:
    times = buffer.add(_float32(np.arange(motion.n_frames) * motion.frame_time), "SCALAR", bounds=True)
    samplers: list[dict[str, Any]] = []
    channels: list[dict[str, Any]] = []

    def animate(joint: int, path: str, values: np.ndarray, kind: str) -> None:
        if joint == 0 or np.ptp(values, axis=0).max() > STILL:
            channels.append({"sampler": len(samplers), "target": {"node": joint, "path": path}})
            output = buffer.add(_float32(values), kind)
            samplers.append({"input": times, "output": output, "interpolation": "LINEAR"})

    for joint in range(motion.skeleton.n_joints):
        if joint in translations:
            animate(joint, "translation", translations[joint], "VEC3")
        animate(joint, "rotation", turns[:, joint], "VEC4")
    return {"name": name, "samplers": samplers, "channels": channels}


def _skin(skeleton: Skeleton, buffer: _Buffer) -> dict[str, Any]:
    """Every joint with its inverse bind matrix: at rest joints do not turn, so it only moves back."""
    matrices = np.tile(np.eye(4), (skeleton.n_joints, 1, 1))
    matrices[:, 3, :3] = -skeleton.rest_positions()  # column-major: the translation is the last row in memory
    return {
        "name": "skeleton",
        "skeleton": 0,
        "joints": list(range(skeleton.n_joints)),
        "inverseBindMatrices": buffer.add(_float32(matrices), "MAT4"),
    }


def _primitive(mesh: BoneMesh, buffer: _Buffer) -> dict[str, Any]:
    n = len(mesh.positions)
    joints, weights = np.zeros((n, 4), dtype="<u2"), np.zeros((n, 4), dtype="<f4")
    joints[:, 0], weights[:, 0] = mesh.joints, 1.0
    colours = np.full((n, 4), 255, dtype=np.uint8)
    colours[:, :3] = mesh.colours
    attributes = {
        "POSITION": buffer.add(_float32(mesh.positions), "VEC3", bounds=True, vertices=True),
        "NORMAL": buffer.add(_float32(mesh.normals), "VEC3", vertices=True),
        "COLOR_0": buffer.add(colours, "VEC4", vertices=True),
        "JOINTS_0": buffer.add(joints, "VEC4", vertices=True),
        "WEIGHTS_0": buffer.add(weights, "VEC4", vertices=True),
    }
    return {"attributes": attributes, "material": 0}


def _float32(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, dtype="<f4")


def _glb(document: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    encoded = text.encode("utf-8", "replace")
    encoded += b" " * (-len(encoded) % 4)
    binary += bytes(-len(binary) % 4)
    return b"".join(
        [
            struct.pack("<III", MAGIC, VERSION, 12 + 8 + len(encoded) + 8 + len(binary)),
            struct.pack("<II", len(encoded), JSON_CHUNK),
            encoded,
            struct.pack("<II", len(binary), BINARY_CHUNK),
            binary,
        ]
    )
