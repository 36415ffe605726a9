"""A motion-matching database of a graph's clips, in the layout that Daniel Holden's open run-time reads.

github.com/orangeduck/Motion-Matching reads `database.bin` and writes `features.bin`. Both are arrays one after the
other, little-endian: the number of rows (int32), for two dimensions the number of columns (int32), then the entries.
Vectors are three float32, rotations four (w, x, y, z), numbers int32, contacts one byte.
"""

import json
import struct
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path

import numpy as np

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.files import write_whole
from motionary.graph.bank_graph import BuiltGraph
from motionary.graph.motion_graph import MotionGraph
from motionary.graph.playable import playable_intervals
from motionary.graph.route_motion import ActedClip, Actor
from motionary.library import performance
from motionary.motion import rotations
from motionary.plants import FEET

RATE_HZ = 60.0  # at which the run-time plays
PLACE_FRAMES, FACING_FRAMES = 31, 61  # over which the way of the root is smoothed (cubic, Savitzky & Golay)
AHEAD = (20, 40, 60)  # frames: where the body will be
SIMULATION = "Simulation"  # the first bone: on the ground, it moves and turns with the body
# What the features are: bones' places and velocities, and the way ahead, each with its weight.
FEATURES = (
    ("left foot place", 3, 0.75), ("right foot place", 3, 0.75),
    ("left foot velocity", 3, 1.0), ("right foot velocity", 3, 1.0), ("hips velocity", 3, 1.0),
    ("places ahead", 6, 1.0), ("directions ahead", 6, 1.5),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class MatchingDatabase:
    """Poses of some clips, one after the other; bones in the frame of their parents, the first in the world."""

    positions: np.ndarray  # (F, B, 3)
    velocities: np.ndarray  # (F, B, 3), a second
    rotations: np.ndarray  # (F, B, 4)
    angular_velocities: np.ndarray  # (F, B, 3) rotation vectors, a second
    parents: np.ndarray  # (B,), −1 for the first
    starts: np.ndarray  # (C,) clips have the frames [start, stop)
    stops: np.ndarray  # (C,)
    contacts: np.ndarray  # (F, 2) of the left and the right foot
    bones: tuple[str, ...]
    feet: tuple[int, int]  # bones
    hips: int

    @property
    def n_frames(self) -> int:
        return len(self.positions)

    def arrays(self) -> list[np.ndarray]:
        """In the order of the file."""
        floats = (self.positions, self.velocities, self.rotations, self.angular_velocities)
        numbers = (self.parents, self.starts, self.stops)
        return [*(one.astype("<f4") for one in floats), *(one.astype("<i4") for one in numbers), self.contacts]


def export_matching_database(
    bank: Bank, built: BuiltGraph, folder: Path | str, *, body: str | None = None
) -> list[Path]:
    """Write database.bin, features.bin and bones.json of the clips of a graph; what comes back are the files."""
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder to export a database into")
    database, clips = matching_database(bank, built, body=body)
    features, offsets, scales = matching_features(database)
    described = {
        "format": "orangeduck/Motion-Matching database.bin, features.bin",
        "rate_hz": RATE_HZ,
        "bones": list(database.bones),
        "feet": list(database.feet),
        "hips": database.hips,
        "clips": clips,
        "features": [{"name": name, "columns": size, "weight": weight} for name, size, weight in FEATURES],
    }
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / name for name in ("database.bin", "features.bin", "bones.json")]
    write_whole(paths[0], b"".join(map(packed, database.arrays())))
    write_whole(paths[1], b"".join(packed(one.astype("<f4")) for one in (features, offsets, scales)))
    write_whole(paths[2], json.dumps(described, ensure_ascii=False, indent=1).encode())
    return paths


def packed(array: np.ndarray) -> bytes:
    """An array as the file has it: rows, columns for two dimensions, entries. Vectors count as one entry."""
    n_counts = 1 if array.ndim == 1 else 2
    return struct.pack(f"<{n_counts}i", *array.shape[:n_counts]) + np.ascontiguousarray(array).tobytes()


def matching_database(bank: Bank, built: BuiltGraph, *, body: str | None = None) -> tuple[MatchingDatabase, list[str]]:
    """The poses of the clips that a graph needs, on one body, and the names of the clips; a clip of which not all may
    be played comes as several."""
    graph = built.graph
    used = np.unique(graph.ways.clip_of(np.concatenate([graph.departs, graph.arrives]))).tolist()
    ids = [int(graph.clip_ids[number]) for number in used]
    actor = Actor(performance(bank, ids[0] if body is None else bank.clip(body)).body, RATE_HZ)
    names = bank.clip_names(ids)
    parts, of_parts = [], []
    for number, clip_id in zip(used, ids, strict=True):
        for part in _playable_parts(actor.clip(performance(bank, clip_id)), graph, number):
            parts.append(_poses(part))
            of_parts.append(names[clip_id])
    lengths = [len(part[0]) for part in parts]
    stops = np.cumsum(lengths)
    skeleton = actor.body.skeleton
    joints = actor.body.body_map.joints
    positions, velocities, turns, turning, contacts = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return MatchingDatabase(
        positions,
        velocities,
        turns,
        turning,
        np.concatenate([[-1], skeleton.parents + 1]),
        stops - lengths,
        stops,
        contacts,
        (SIMULATION, *skeleton.names),
        (1 + joints["LeftFoot"], 1 + joints["RightFoot"]),
        1 + joints["Hips"],
    ), of_parts


def matching_features(database: MatchingDatabase) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features (F, 27), normalised; their offsets (27,) and scales (27,).

    Places and velocities are seen from the first bone. A feature's scale is the mean deviation of its columns, divided
    by its weight; of one that never changes, 1.
    """
    places, speeds = _world(database, (*database.feet, database.hips))
    turned = rotations.inverse(database.rotations[:, :1])
    local = rotations.rotate(turned, places - database.positions[:, :1])
    moving = rotations.rotate(turned, speeds)
    stops = np.repeat(database.stops, database.stops - database.starts)
    later = np.minimum(np.arange(database.n_frames)[:, None] + AHEAD, stops[:, None] - 1)  # (F, 3)
    way = rotations.rotate(turned, database.positions[later, 0] - database.positions[:, :1])[..., [0, 2]]
    facing = rotations.rotate(database.rotations[:, 0], np.array([0.0, 0.0, 1.0]))
    directions = rotations.rotate(turned, facing[later])[..., [0, 2]]
    values = [local[:, 0], local[:, 1], moving[:, 0], moving[:, 1], moving[:, 2]]
    values += [way.reshape(len(way), 6), directions.reshape(len(way), 6)]
    offsets = [value.mean(axis=0) for value in values]
    deviations = [float(value.std(axis=0).mean()) for value in values]
    scales = [
        np.full(size, (deviation if deviation > 1e-9 else 1.0) / weight)
        for deviation, (_, size, weight) in zip(deviations, FEATURES, strict=True)
    ]
    normal = [(value - offset) / scale for value, offset, scale in zip(values, offsets, scales, strict=True)]
    return np.concatenate(normal, axis=1), np.concatenate(offsets), np.concatenate(scales)


def _playable_parts(clip: ActedClip, graph: MotionGraph, number: int) -> list[ActedClip]:
    """What may be played of a clip, without breaks."""
    n_frames, ratio = clip.motion.n_frames, RATE_HZ / graph.rate_hz
    found = []
    for start, stop in playable_intervals(graph, number):
        is_last = stop == int(np.diff(graph.ways.starts)[number])
        low, high = ceil(start * ratio), n_frames if is_last else min(floor((stop - 1) * ratio) + 1, n_frames)
        if low < high:
            plants = [
                replace(plant, start=max(plant.start, low) - low, stop=min(plant.stop, high) - low)
                for plant in clip.plants
                if plant.start < high and plant.stop > low
            ]
            found.append(
                replace(
                    clip, motion=clip.motion.slice(low, high), headings=clip.headings[low:high], plants=tuple(plants)
                )
            )
    return found


def _poses(clip: ActedClip) -> tuple[np.ndarray, ...]:
    """Positions, velocities, rotations, angular velocities and contacts of a clip, with the first bone before all."""
    from scipy.signal import savgol_filter

    motion = clip.motion
    n_frames, n_joints = motion.rotations.shape[:2]

    def smoothed(values: np.ndarray, frames: int) -> np.ndarray:
        frames = min(frames, n_frames - 1 + n_frames % 2)  # odd, and no more than there are
        return np.asarray(savgol_filter(values, frames, 3, axis=0, mode="interp")) if frames > 3 else values

    place = smoothed(motion.root_positions, PLACE_FRAMES) * (1.0, 0.0, 1.0)
    facing = rotations.from_axis_angle(np.array([0.0, 1.0, 0.0]), smoothed(clip.headings, FACING_FRAMES))
    back = rotations.inverse(facing)
    positions = np.empty((n_frames, n_joints + 1, 3))
    positions[:, 0] = place
    positions[:, 1] = rotations.rotate(back, motion.root_positions - place)
    positions[:, 2:] = motion.skeleton.offsets[1:]
    positions[:, 1 + motion.moving_joints] = motion.joint_translations
    turns = np.concatenate([facing[:, None], motion.rotations], axis=1)
    turns[:, 1] = rotations.multiply(back, motion.rotations[:, 0])
    turns = rotations.continuous(turns)
    contacts = np.zeros((n_frames, 2), dtype=np.uint8)
    for plant in clip.plants:
        contacts[plant.start : plant.stop, FEET.index(plant.foot)] = 1
    return positions, _central(positions), turns, _turning(turns), contacts


def _central(values: np.ndarray) -> np.ndarray:
    """Velocities, as central differences."""
    return np.gradient(values, 1.0 / RATE_HZ, axis=0) if len(values) > 1 else np.zeros_like(values)


def _turning(turns: np.ndarray) -> np.ndarray:
    """Angular velocities (F, B, 3), from the frames before and after."""
    found = np.zeros((*turns.shape[:2], 3))
    if len(turns) > 1:
        steps = rotations.to_rotation_vector(rotations.multiply(turns[1:], rotations.inverse(turns[:-1]))) * RATE_HZ
        found[0], found[-1] = steps[0], steps[-1]
        found[1:-1] = 0.5 * (steps[1:] + steps[:-1])
    return found


def _world(database: MatchingDatabase, bones: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Places and velocities (F, n, 3) of bones in the world."""
    places, speeds = [], []
    for bone in bones:
        chain = [bone]
        while database.parents[chain[-1]] >= 0:
            chain.append(int(database.parents[chain[-1]]))
        place, speed = np.zeros((database.n_frames, 3)), np.zeros((database.n_frames, 3))
        turn = np.tile(rotations.IDENTITY, (database.n_frames, 1))
        spin = np.zeros((database.n_frames, 3))
        for one in reversed(chain):
            arm = rotations.rotate(turn, database.positions[:, one])
            speed = speed + rotations.rotate(turn, database.velocities[:, one]) + np.cross(spin, arm)
            place = place + arm
            spin = spin + rotations.rotate(turn, database.angular_velocities[:, one])
            turn = rotations.multiply(turn, database.rotations[:, one])
        places.append(place)
        speeds.append(speed)
    return np.stack(places, axis=1), np.stack(speeds, axis=1)
