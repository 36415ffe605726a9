"""Motions as bytes: a header of 32 bytes, then places of nodes as whole millimetres.

Header, little endian: magic `MOTN`, version (uint16), nodes (uint16), frames (uint32), metres per unit (float32),
origin (3 × float32, metres), frames per second (float32). Then int16 [frame][node][3], units from the
origin; the unit is a millimetre unless the motion leads farther than 32 m from its origin.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from motionary.picture import NodeMotion

MAGIC, VERSION = b"MOTN", 1
HEADER = struct.Struct("<4sHHI5f")
UNIT_METRES = 0.001
LARGEST = 32_767


def packed(motion: NodeMotion) -> bytes:
    """One motion."""
    n_frames, n_nodes, _ = motion.nodes.shape
    if not motion.nodes.size:
        return HEADER.pack(MAGIC, VERSION, n_nodes, n_frames, UNIT_METRES, 0.0, 0.0, 0.0, motion.rate_hz)
    low, high = motion.nodes.min(axis=(0, 1)), motion.nodes.max(axis=(0, 1))
    origin = np.round(0.5 * (low + high), 3)
    farthest = float(np.abs(motion.nodes - origin).max())
    unit = max(UNIT_METRES, farthest / LARGEST)
    header = HEADER.pack(MAGIC, VERSION, n_nodes, n_frames, unit, *origin.tolist(), motion.rate_hz)
    # By the rounded unit and origin, as the reader has them
    unit, origin = float(np.float32(unit)), np.asarray(origin, dtype=np.float32)
    units = np.clip(np.round((motion.nodes - origin) / unit), -LARGEST, LARGEST)
    return header + units.astype("<i2").tobytes()


def unpacked(data: bytes) -> list[NodeMotion]:
    """The motions of an answer, without their mannequins: what tests and scripts read."""
    found, at = [], 0
    while at < len(data):
        magic, version, n_nodes, n_frames, unit, x, y, z, rate_hz = HEADER.unpack_from(data, at)
        if magic != MAGIC or version != VERSION:
            raise ValueError(f"no motion at byte {at}")
        count = n_frames * n_nodes * 3
        units = np.frombuffer(data, "<i2", count, at + HEADER.size).reshape(n_frames, n_nodes, 3)
        found.append(NodeMotion(None, units * unit + np.array([x, y, z]), rate_hz))  # type: ignore[arg-type]
        at += HEADER.size + 2 * count
    return found


def framed(facts: Mapping[str, Any], motions: Sequence[NodeMotion]) -> bytes:
    """JSON and motions in one answer: the length of the JSON (uint32), the JSON with spaces up to a multiple of 4
    bytes, the motions."""
    text = json.dumps(facts, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return struct.pack("<I", len(text)) + text + b"".join(map(packed, motions))


def unframed(data: bytes) -> tuple[dict[str, Any], list[NodeMotion]]:
    """What `framed` has put together."""
    (n_bytes,) = struct.unpack_from("<I", data)
    return json.loads(data[4 : 4 + n_bytes]), unpacked(data[4 + n_bytes :])
