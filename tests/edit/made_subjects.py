"""Small subjects for the tests of edits, made by the sample library."""

from dataclasses import replace
from functools import cache

import numpy as np

from motionary.edit import Subject, curves_of
from motionary.rig import body_of
from motionary.sample import Take, make_library
from motionary.search import PoseRows, PoseSpace, column_weights, train_space


@cache
def take(number: int = 0) -> Take:
    """A take of half a minute, at 60 Hz, with its true plants."""
    library = make_library(minutes=2.0, seed=4)
    for _ in range(number):
        next(library)
    return next(library)


@cache
def subject(number: int = 0, n_frames: int = 600) -> Subject:
    """The first frames of a take."""
    made = take(number)
    whole = Subject(made.motion, body_of(made.motion.skeleton, motion=made.motion), made.plants)
    return whole.slice(0, min(n_frames, made.motion.n_frames))


@cache
def sliding(most: float = 0.02) -> Subject:
    """The subject with feet that slide by so many metres while they stand, as captured ones do."""
    made = subject()
    places = np.array(made.motion.root_positions)
    places[:, 0] += 0.5 * most * np.sin(0.15 * np.arange(len(places)))
    return replace(made, motion=replace(made.motion, root_positions=places))


def off_balance(n_frames: int, frame_time: float) -> Subject:
    """A few frames, so slow or so fast, of a subject that leans on its left foot, which is planted, and far from it."""
    some = subject().slice(0, n_frames)
    places = np.array(some.motion.root_positions)
    places[:, [0, 2]] += 0.4
    left = tuple(plant for plant in some.plants if plant.foot == "left")
    return replace(some, motion=replace(some.motion, root_positions=places, frame_time=frame_time), plants=left)


@cache
def standing(n_frames: int = 150) -> tuple[Subject, int, int]:
    """A subject, and frames of it in which an action is done while both feet are on the ground."""
    for number in range(4):
        for label in take(number).labels:
            if label.name in ("raise_both", "shrug", "wave", "raise_right", "raise_left", "slouch"):
                made = take(number)
                whole = Subject(made.motion, body_of(made.motion.skeleton, motion=made.motion), made.plants)
                first = max(label.start - 120, 0)
                around = whole.slice(first, min(label.stop + 120, made.motion.n_frames))
                return around, label.start - first, min(label.stop - first, label.start - first + n_frames)
    raise AssertionError("the sample library has no gesture")


@cache
def space() -> PoseSpace:
    """A pose space of what the subject does; the made motions move the reference skeleton."""
    made = subject()
    curves = curves_of(made.motion, made.rest, means=np.tile([1.0, 0.0, 0.0, 0.0], (made.motion.skeleton.n_joints, 1)))
    root = np.zeros((made.motion.n_frames, 6))
    root[:, 0] = made.motion.root_positions[:, 1]
    angles = curves.vectors[:, 1:].reshape(made.motion.n_frames, -1)
    return train_space([PoseRows(angles, root)], column_weights())
