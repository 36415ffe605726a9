"""The motion-matching database, read by a reader of its own: written from the layout, with no code of the writer."""

import json
import struct

import numpy as np
import pytest

from motionary.bank import Bank
from motionary.errors import UsageError
from motionary.graph import build_graph, export_matching_database
from motionary.graph.matching_database import matching_database, matching_features
from motionary.library import performance


class Reader:
    """Takes arrays from a file one after the other."""

    def __init__(self, path):
        self.bytes, self.at = path.read_bytes(), 0

    def _count(self):
        (number,) = struct.unpack_from("<i", self.bytes, self.at)
        self.at += 4
        return number

    def one(self, kind, width=1):
        return self._take(self._count(), kind, width)

    def two(self, kind, width=1):
        rows, columns = self._count(), self._count()
        return self._take(rows * columns, kind, width).reshape(rows, columns, width)

    def _take(self, n, kind, width):
        found = np.frombuffer(self.bytes, dtype=kind, count=n * width, offset=self.at)
        self.at += found.nbytes
        return found.reshape(n, width) if width > 1 else found


def turned(q, v):
    w, xyz = q[..., :1], q[..., 1:]
    return v + 2.0 * np.cross(xyz, np.cross(xyz, v) + w * v)


def times(a, b):
    w1, x1, y1, z1 = np.moveaxis(a, -1, 0)
    w2, x2, y2, z2 = np.moveaxis(b, -1, 0)
    return np.stack(
        [
            w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2, w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2,
            w1 * y2 - x1 * z2 + y1 * w2 + z1 * x2, w1 * z2 + x1 * y2 - y1 * x2 + z1 * w2,
        ], axis=-1,
    )  # fmt: skip


@pytest.fixture(scope="module")
def exported(sample_path, tmp_path_factory):
    folder = tmp_path_factory.mktemp("matching") / "out"
    with Bank.open(sample_path) as bank:
        built = build_graph(bank, threshold="5cm")
        files = export_matching_database(bank, built, folder)
        named = json.loads((folder / "bones.json").read_text())
        originals = [performance(bank, bank.clip(name)).clip_motion for name in named["clips"]]
        made = matching_features(matching_database(bank, built)[0])
    assert [path.name for path in files] == ["database.bin", "features.bin", "bones.json"]
    return folder, named, originals, made


def test_poses_are_those_of_the_clips(exported):
    folder, named, originals, _ = exported
    reader = Reader(folder / "database.bin")
    positions, velocities = reader.two("<f4", 3), reader.two("<f4", 3)
    turns, spins = reader.two("<f4", 4), reader.two("<f4", 3)
    parents, starts, stops = (reader.one("<i4") for _ in range(3))
    contacts = reader.two("u1")[..., 0]

    assert reader.at == len(reader.bytes)
    assert positions.shape == velocities.shape == spins.shape
    assert parents.tolist() == [-1, 0, *(1 + originals[0].skeleton.parents[1:]).tolist()]
    assert starts.tolist() == [0, *stops[:-1].tolist()]
    assert contacts.shape == (len(positions), 2)
    assert set(np.unique(contacts)) == {0, 1}
    assert positions[:, 0, 1] == pytest.approx(0.0)
    for start, stop, original in zip(starts, stops, originals, strict=True):
        if not original.skeleton.same_as(originals[0].skeleton):
            continue  # carried over to the body of the first
        world, facing = [positions[start:stop, 0]], [turns[start:stop, 0]]
        for bone in range(1, len(parents)):
            parent = parents[bone]
            world.append(world[parent] + turned(facing[parent], positions[start:stop, bone]))
            facing.append(times(facing[parent], turns[start:stop, bone]))
        expected = original.positions_world
        seen = np.stack(world[1:], axis=1)
        frames = round(60.0 * original.frame_time)  # every so many are frames of the clip
        n = min(len(seen[::frames]), len(expected))
        assert seen[::frames][:n] == pytest.approx(expected[:n], abs=2e-3)
    assert named["bones"][0] == "Simulation"
    assert named["bones"][named["hips"]] == originals[0].skeleton.names[0]


def test_velocities_are_those_of_the_positions(exported):
    reader = Reader(exported[0] / "database.bin")
    positions, velocities = reader.two("<f4", 3), reader.two("<f4", 3)

    inner = slice(10, 40)
    expected = 30.0 * (positions[11:41].astype(float) - positions[9:39])
    assert velocities[inner] == pytest.approx(expected, abs=2e-3)


def test_features_are_normalised_and_say_where_feet_are(exported):
    folder, named, _, (values, offsets, scales) = exported
    reader = Reader(folder / "features.bin")
    features = reader.two("<f4")[..., 0]
    read_offsets, read_scales = reader.one("<f4"), reader.one("<f4")

    assert reader.at == len(reader.bytes)
    assert features.shape[1] == len(read_offsets) == len(read_scales) == 27
    assert sum(feature["columns"] for feature in named["features"]) == 27
    assert features == pytest.approx(values, abs=1e-4)
    assert read_offsets == pytest.approx(offsets, abs=1e-5)
    assert read_scales == pytest.approx(scales, rel=1e-5)
    assert features.mean(axis=0) == pytest.approx(0.0, abs=1e-3)
    assert features[:, :3].std(axis=0).mean() == pytest.approx(0.75, abs=1e-3)
    assert features[:, 21:].std(axis=0).mean() == pytest.approx(1.5, abs=1e-3)
    left = features[:, :3] * read_scales[:3] + read_offsets[:3]
    right = features[:, 3:6] * read_scales[3:6] + read_offsets[3:6]
    assert (left[:, 0] - right[:, 0]).mean() > 0.05  # x is to the left


def test_a_file_is_no_folder(sample_path, tmp_path):
    (tmp_path / "taken").write_text("")
    with Bank.open(sample_path) as bank:
        built = build_graph(bank, threshold="5cm")
        with pytest.raises(UsageError, match="is a file"):
            export_matching_database(bank, built, tmp_path / "taken")
