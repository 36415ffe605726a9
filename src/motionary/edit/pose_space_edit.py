"""Editing in a pose space (seed 002): along chosen components, with what lies outside of the space kept."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from motionary.edit.curves import even_headings, turns_of
from motionary.edit.displacing import with_turns
from motionary.edit.operation import PoseOperation, parameter
from motionary.edit.subject import Place, Space, Subject
from motionary.errors import SkeletonError, UsageError
from motionary.motion import UP, Motion, rotations
from motionary.rig import reference_skeleton

REFERENCE_LEG = 0.483 * 1.75  # metres, of the body that spaces are about


@dataclass(frozen=True)
class InSpace(PoseOperation):
    """Scales, shifts, exaggerates or calms a motion along components of a pose space, or draws it towards a pose.

    Components count from 1, the one with the largest variance. `scale` multiplies the deviation from the segment's mean
    along a component; `shift` adds standard deviations of the space. `towards` gives coordinates, in standard
    deviations, that all poses are drawn to by `draw`; other components stay. What the components do not describe stays
    as it is. Identity: no scale, no shift, exaggerate 1.
    """

    name: ClassVar[str] = "in-space"
    ease_secs: ClassVar[float] = 0.4
    title: ClassVar[str] = "change along components of a pose space"
    identity: ClassVar[Any] = {"space": "space"}
    example: ClassVar[Any] = {"space": "space", "exaggerate": 1.8}

    space: str = parameter("", "the pose space, by name")
    exaggerate: float = parameter(
        1.0, "factor for all components, about the segment's mean", low=-2.0, high=5.0, varies=True
    )
    scale: tuple[tuple[int, float], ...] = parameter((), "(component, factor)")
    shift: tuple[tuple[int, float], ...] = parameter((), "(component, standard deviations)")
    towards: tuple[tuple[int, float], ...] = parameter((), "(component, coordinate in standard deviations)")
    draw: float = parameter(1.0, "0: no change; 1: all the way to `towards`", low=-1.0, high=2.0, varies=True)

    @property
    def space_names(self) -> tuple[str, ...]:
        return (self.space,)

    def posed(self, subject: Subject, place: Place) -> tuple[Motion, tuple[str, ...]]:
        segment = subject.motion.slice(place.start, place.stop)
        if self.exaggerate == 1.0 and not (self.scale or self.shift or self.towards):
            return segment, ()
        if subject.body is None:
            raise SkeletonError("in-space: the skeleton is not a person's, so it has no coordinates in a pose space")
        if self.space not in place.spaces:
            raise UsageError(f"in-space: the pose space {self.space!r} is not there")
        space = place.spaces[self.space]
        turned = turns_of(segment, subject.rest)
        by_part = _part_turns(turned, subject)
        columns = _columns(by_part, segment, turned, space, subject)
        roots = np.sqrt(space.weights)
        coordinates = ((columns - space.centre) * roots) @ space.basis.T
        change = self._change(coordinates, np.sqrt(np.maximum(space.variances, 1e-12)), place.mirrored)
        moved = columns + change @ space.basis / roots
        return _with_columns(segment, turned, by_part, columns, moved, space, subject), ()

    def _change(self, coordinates: np.ndarray, deviations: np.ndarray, mirrored: bool) -> np.ndarray:
        if mirrored and (self.shift or self.towards):
            raise UsageError("in-space: shifts along components have no mirror image; apply them to unmirrored matches")
        away = coordinates - coordinates.mean(axis=0)
        change = (self.exaggerate - 1.0) * away
        for component, factor in self.scale:
            change[:, self._index(component, len(deviations))] += (factor - 1.0) * away[:, component - 1]
        for component, amount in self.shift:
            change[:, self._index(component, len(deviations))] += amount * deviations[component - 1]
        for component, coordinate in self.towards:
            at = self._index(component, len(deviations))
            change[:, at] += self.draw * (coordinate * deviations[at] - coordinates[:, at])
        return change

    def _index(self, component: int, n: int) -> int:
        if not 1 <= component <= n:
            raise UsageError(f"in-space: there is no component {component}; the space has 1 to {n}")
        return component - 1


def _part_turns(turned: np.ndarray, subject: Subject) -> dict[str, np.ndarray]:
    """The turn (F, 4) of every joint of the reference skeleton but the hips; joints that share one, as one."""
    assert subject.body is not None
    found = {}
    slots = subject.body.body_map.slots
    for part in reference_skeleton().names[1:]:
        turn = np.tile(rotations.IDENTITY, (len(turned), 1))
        for joint in slots.get(part, ()):
            turn = rotations.multiply(turn, turned[:, joint])
        found[part] = turn
    return found


def _columns(
    by_part: dict[str, np.ndarray], segment: Motion, turned: np.ndarray, space: Any, subject: Subject
) -> np.ndarray:
    assert subject.body is not None
    stacked = np.stack(list(by_part.values()), axis=1)
    vectors = rotations.to_rotation_vector(rotations.multiply(rotations.inverse(space.means), stacked))
    back = rotations.from_axis_angle(UP, -even_headings(turned[:, 0]))
    up = rotations.rotate(rotations.multiply(back, turned[:, 0]), UP)
    height = segment.root_positions[:, 1:2] * (REFERENCE_LEG / subject.body.leg_length)
    return np.concatenate([vectors.reshape(len(turned), -1), up, height], axis=1)


def _with_columns(
    segment: Motion,
    turned: np.ndarray,
    by_part: dict[str, np.ndarray],
    before: np.ndarray,
    after: np.ndarray,
    space: Space,
    subject: Subject,
) -> Motion:
    assert subject.body is not None
    changed = np.array(turned)
    slots = subject.body.body_map.slots
    for i, (part, turn) in enumerate(by_part.items()):
        joints = slots.get(part, ())
        if not joints:
            continue
        wanted = rotations.multiply(space.means[i], rotations.from_rotation_vector(after[:, 3 * i : 3 * i + 3]))
        rest = rotations.multiply(rotations.inverse(turn), wanted)
        share = rotations.from_rotation_vector(rotations.to_rotation_vector(rest))
        changed[:, joints[-1]] = rotations.multiply(changed[:, joints[-1]], share)
    n = 3 * len(by_part)
    facing = rotations.from_axis_angle(UP, even_headings(turned[:, 0]))
    lean = rotations.between_vectors(before[:, n : n + 3], after[:, n : n + 3])
    in_world = rotations.multiply(facing, rotations.multiply(lean, rotations.inverse(facing)))
    changed[:, 0] = rotations.multiply(in_world, changed[:, 0])
    places = np.array(segment.root_positions)
    places[:, 1] += (after[:, -1] - before[:, -1]) * subject.body.leg_length / REFERENCE_LEG
    return replace(with_turns(segment, changed, subject), root_positions=places)
