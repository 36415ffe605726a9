"""Hypothesis profiles for all tests, and motion files that the tests write themselves."""

import os
import signal
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from motionary.formats import bvh_text
from motionary.motion import Motion, recording_of, rotations
from motionary.rig import reference_skeleton, root_height

# First calls compile, so there is no deadline. `--hypothesis-profile thorough` takes the other one.
for profile, max_examples in (("quick", 10), ("thorough", 250)):
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=max_examples,
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=True,
    )
settings.load_profile("quick")

if os.environ.get("NUMBA_BOUNDSCHECK") == "1" and not os.environ.get("NUMBA_CACHE_DIR"):
    raise pytest.UsageError("NUMBA_BOUNDSCHECK=1 needs a NUMBA_CACHE_DIR of its own: use make test-bounds")


def swaying_body(seed: int = 0, *, n_frames: int = 60, frame_time: float = 1 / 60) -> Motion:
    """A standing reference body that sways and bends its joints a little: small, smooth, never the same twice."""
    rng = np.random.default_rng(seed)
    skeleton = reference_skeleton()
    secs = np.arange(n_frames) * frame_time
    phase, tempo = rng.uniform(0, 2 * np.pi, (skeleton.n_joints, 3)), rng.uniform(1.0, 3.0, (skeleton.n_joints, 3))
    bend = 0.15 * np.sin(secs[:, None, None] * tempo + phase)
    root = np.zeros((n_frames, 3))
    root[:, 1] = root_height(skeleton)
    root[:, 0] = 0.02 * np.sin(secs * 2.0 + rng.uniform(0, 6))
    return Motion(skeleton, frame_time, root, rotations.from_rotation_vector(bend))


@cache
def _swaying_file(seed: int) -> bytes:
    return bytes(bvh_text(recording_of(swaying_body(seed))))


@pytest.fixture
def captures(tmp_path: Path) -> Path:
    """A folder with `captures/` (BVH files in two folders), `labels.csv` and `map.json`, as a user may have."""
    for i, name in enumerate(("sway_01", "sway_02", "more/bend_01")):
        path = tmp_path / "captures" / f"{name}.bvh"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(_swaying_file(i))
    (tmp_path / "labels.csv").write_text(
        "file,start,stop,label,description\nsway_01.bvh,,,calm,a swaying body\nsway_02.bvh,10,0.5s,bend,\n"
    )
    (tmp_path / "map.json").write_text('{"LeftThigh": "LeftThigh", "Head": "Head"}')
    return tmp_path


if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell has it for what runs in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # processes that tests interrupt inherit it
