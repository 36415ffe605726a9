"""How exact transfers are: onto the reference skeleton and back, and feet that stood still.

    python bench/transfer.py [--data FOLDER] [--every N]

Over the CMU clips: the largest distance of any mapped joint in any frame after there and back; and, for every stretch
in which a heel or ball stood still in the actor's own motion (slower than 0.08 m/s on the scaled body, low, at least
four frames), by how much more it moves on the reference skeleton than the actor's own, scaled.
"""

import argparse
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from motionary.formats import read_motion_file
from motionary.motion import Motion, Space
from motionary.rig import Body, body_of, reference_skeleton, to_reference, transfer

DATA = Path(__file__).parents[2] / "shared" / "cmu" / "30hz"
CMU = Space(0.0254 / 0.45)
ALLOWED = 0.01


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--data", type=Path, default=DATA, help="folder with *.bvh.gz in CMU's unit")
    arguments.add_argument("--every", type=int, default=1, help="take every Nth file only")
    options = arguments.parse_args()
    files = sorted(options.data.glob("*.bvh.gz"))[:: options.every]
    if not files:
        print(f"{options.data}: no *.bvh.gz there, so there is nothing to measure")
        return
    reference = body_of(reference_skeleton())
    worst, n_over, n_frames = [], 0, 0
    slides: dict[str, list[float]] = {"heel": [], "ball": []}
    for path in files:
        (recording,) = read_motion_file(path).recordings
        motion = replace(recording, space=CMU).motion()
        body = body_of(motion.skeleton, motion=motion)
        moved = to_reference(motion)
        errors = there_and_back(motion, moved, body)
        worst.append((float(errors.max()), path.name))
        n_over += int((errors.max(axis=1) > ALLOWED).sum())
        n_frames += motion.n_frames
        for part, name in enumerate(slides):
            slides[name] += extra_slides(motion, moved, body, reference, part)
    over = [(error, name) for error, name in worst if error > ALLOWED]
    print(f"{len(files)} clips, {n_frames:,} frames")
    print(f"there and back: over 1 cm in {len(over)} clips, {100 * n_over / n_frames:.2f} % of the frames")
    print("  worst: " + ", ".join(f"{name} {100 * error:.1f} cm" for error, name in sorted(over)[::-1][:5]))
    for name, values in slides.items():
        p99, most = np.percentile(values, 99), max(values)
        print(
            f"{name}: {len(values):,} stretches, {sum(v > ALLOWED for v in values)} slide over 1 cm more; "
            f"99 % {1000 * p99:.1f} mm, worst {1000 * most:.1f} mm"
        )


def there_and_back(motion: Motion, moved: Motion, body: Body) -> np.ndarray:
    """Distances (F, M) of the mapped joints from where they were."""
    back = transfer(moved, motion.skeleton)
    mapped = sorted({joint for joints in body.body_map.slots.values() for joint in joints})
    return np.linalg.norm(back.positions_world - motion.positions_world, axis=-1)[:, mapped]


def extra_slides(motion: Motion, moved: Motion, body: Body, reference: Body, part: int) -> list[float]:
    """For each stretch in which a point stood still: how much farther from its mean it gets than the actor's own."""
    if motion.n_frames < 3:
        return []
    own = body.feet.world(motion)[:, :, part] * (reference.leg_length / body.leg_length)
    other = reference.feet.world(moved)[:, :, part]
    found = []
    for foot in range(2):
        speed = np.linalg.norm(np.gradient(own[:, foot], motion.frame_time, axis=0), axis=1)
        still = (speed < 0.08) & (own[:, foot, 1] < np.percentile(own[:, foot, 1], 10) + 0.05)
        edges = np.flatnonzero(np.diff(np.concatenate([[False], still, [False]]).astype(np.int8)))
        for start, stop in list(pairwise(edges.tolist()))[::2]:
            if stop - start >= 4:
                found.append(wander(other[start:stop, foot]) - wander(own[start:stop, foot]))
    return found


def wander(points: np.ndarray) -> float:
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


if __name__ == "__main__":
    main()
