"""How long motifs and surprises of a bank take, and how near the same action is to itself.

Times are of `find_motifs` and `find_surprises`, features at hand, kernels warm; for parts of the library (every
eighth, fourth, second clip) and for all of it, and with windows that have to move. `--truth` takes some windows of
every label instead, of the half that moves more, finds what is nearest to each in every other clip that is labelled,
and tells how many of these carry the label: by distance / movement (roots), and by the distance as a mean.

    python bench/motifs.py library.bank
    python bench/motifs.py library.bank --truth
"""

import argparse
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from motionary.bank import Bank
from motionary.library import LibraryFeatures, build_features
from motionary.search import find_motifs, find_surprises
from motionary.search.recurring import WindowOptions, Windows
from motionary.search.recurring.neighbours import Neighbours

PARTS = (8, 4, 2, 1)
ASKED: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "motifs": (find_motifs, {}),
    "motifs, movement 5 cm": (find_motifs, {"least_movement": 5.0}),
    "surprises": (find_surprises, {}),
}
WINDOWS_OF_EACH = 8  # of a label
SHARES = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1)  # distance / movement
MEANS = (0.0, 4.0, 6.0, 8.0, 12.0)  # cm


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bank", type=Path)
    parser.add_argument("--truth", action="store_true")
    parser.add_argument("--rounds", type=int, default=1)
    asked = parser.parse_args()
    with Bank.open(asked.bank, read_only=True) as bank:
        features = build_features(bank)
        if asked.truth:
            tell_truth(bank, features)
        else:
            tell_times(bank, features, asked.rounds)


def tell_times(bank: Bank, features: LibraryFeatures, n_rounds: int) -> None:
    names = [clip.name for clip in bank.clips()]
    find_motifs(bank, k=1, names=names[:20], features=features)  # kernels are compiled or loaded
    find_surprises(bank, k=1, names=names[:20], features=features)
    for part in PARTS:
        chosen = names[::part]
        secs_of_motion = sum(clip.duration_secs for clip in bank.clips(names=chosen))
        for what, (find, options) in ASKED.items():
            secs = [_timed(find, bank, names=chosen, features=features, **options) for _ in range(n_rounds)]
            print(f"{what:24} {secs_of_motion / 60:6.0f} min of motion  {np.median(secs):7.1f} s", flush=True)


def tell_truth(bank: Bank, features: LibraryFeatures) -> None:
    clips = {clip.id: set(clip.labels) for clip in bank.clips() if clip.labels}
    windows = Windows.of(features, WindowOptions(other_clips=True), clip_ids=clips)
    neighbours = Neighbours.of(windows)
    rng = np.random.default_rng(0)
    owners = features.clip_ids[windows.clips[windows.owners]]
    near: list[tuple[float, float, bool]] = []
    labels = sorted(set().union(*clips.values()))
    common = [label for label in labels if sum(label in own for own in clips.values()) > 1]
    for label in common:
        own = np.flatnonzero([label in clips[clip_id] for clip_id in owners.tolist()])
        own = own[windows.movements[own] >= np.median(windows.movements[own])]
        for window in rng.choice(own, min(WINDOWS_OF_EACH, len(own)), replace=False).tolist():
            near += _nearest_of_each(windows, neighbours, window, clips, label)
    ratios, means, same = (np.array(column) for column in zip(*near, strict=True))
    print(f"{len(common)} labels, {len(near):,} clips that are near")
    for what, values, edges in (("of the movement", ratios, SHARES), ("cm", means, MEANS)):
        for low, high in pairwise(edges):
            here = (values >= low) & (values < high)
            print(f"{low:g}–{high:g} {what}: {same[here].mean() if here.any() else np.nan:.0%} of {here.sum():,}")


def _nearest_of_each(
    windows: Windows, neighbours: Neighbours, window: int, clips: dict[int, set[str]], label: str
) -> list[tuple[float, float, bool]]:
    """Of every clip with something near: the least distance / movement and mean, and whether it has the label."""
    movement = float(windows.movements[window])
    limit = max(SHARES[-1] ** 2 * movement, (MEANS[-1] / windows.unit_size) ** 2 * windows.weight)
    allowed = np.ones(len(windows.table), dtype=bool)
    allowed[slice(*windows.forbidden[window])] = False
    found = neighbours.within(int(windows.grid[window]), limit, allowed)
    owners = np.searchsorted(windows.firsts, found.rows, side="right") - 1
    nearest: dict[int, float] = {}
    for owner, distance in zip(owners.tolist(), found.distances.tolist(), strict=True):
        clip_id = int(windows.features.clip_ids[windows.clips[owner]])
        nearest[clip_id] = min(nearest.get(clip_id, np.inf), distance)
    return [
        (float(np.sqrt(distance / movement)), windows.mean(distance), label in clips[clip_id])
        for clip_id, distance in nearest.items()
    ]


def _timed(find: Callable[..., Any], bank: Bank, **options: Any) -> float:
    start = time.perf_counter()
    find(bank, **options)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()
