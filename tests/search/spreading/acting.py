"""A small bank of bodies that do three things, each clip in another order."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from conftest import swaying_body
from motionary.bank import Bank
from motionary.library import build_features
from motionary.motion import Motion, recording_of

ACTIONS = {"sway": 0, "bend": 1, "twist": 2}  # seeds of bodies
LENGTH = 90  # frames of an action, at 60 Hz
ORDERS = ("sway bend twist", "twist sway bend", "bend twist sway", "sway twist bend")


def acting_body(order: str, seed: int) -> Motion:
    """The actions one after the other, each time a little other."""
    rng = np.random.default_rng(seed)
    parts = [swaying_body(ACTIONS[name], n_frames=LENGTH) for name in order.split()]
    roots = np.concatenate([part.root_positions for part in parts])
    turns = np.concatenate([part.rotations for part in parts])
    shaken = turns + 0.002 * rng.standard_normal((1, *turns.shape[1:]))
    shaken /= np.linalg.norm(shaken, axis=-1, keepdims=True)
    return replace(parts[0], root_positions=roots, rotations=shaken, translations=None)


def make_bank(path: Path) -> Path:
    """Four clips; the first carries its labels."""
    with Bank.open(path, create=True) as bank:
        for number, order in enumerate(ORDERS):
            bank.add(f"take_{number + 1}", recording_of(acting_body(order, number)))
        for place, name in enumerate(ORDERS[0].split()):
            bank.label([f"take_1:{place * LENGTH}-{(place + 1) * LENGTH}"], [name])
        build_features(bank, processes=1)
    return path


def truth(clip_id: int) -> np.ndarray:
    """The names (F,) of what is done in the frames of a clip."""
    return np.repeat(ORDERS[clip_id - 1].split(), LENGTH)
