"""Which motions of a set are of one kind: families, and examples that spoil them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.blend.movements import LIKE_MOVEMENT, OTHER_MOVEMENT, movement_likeness, movement_of
from motionary.blend.sources import BlendSource
from motionary.errors import UsageError
from motionary.motion import headings

UNLIKE = 2.2  # times what is usual between neighbours of a set: farther apart than this is another kind
NEVER_UNLIKE = 0.06  # metres per pair of frames: as near as this is always the same kind
ALWAYS_UNLIKE = 0.30
MOVEMENT_COUNTS = 0.12  # metres per pair of frames: of motions farther apart than this the same parts must move
SAME_MOVEMENT = 0.95  # motions whose movements are as alike, and that are as near ...
SAME_WITHIN = 0.10  # ... in metres per pair of frames, are of one kind, however near the others of a set are
FAMILY = 0.2  # of a set: a group as large as this, of two at least, is a family of its own
SAMPLES = 60
SWAPPED_BETTER = 0.25  # of the time: how much better feet must agree left for right to tell a wrong foot
OTHER_FOOT = "it starts with the other foot; its mirror image may fit"
OTHER_SIDE = "the other side of the body moves; its mirror image may fit"
OTHER_ACTION = "it is another action"
MOVES = 0.25  # metres: a way that has a direction


@dataclass(frozen=True, slots=True)
class Spoiler:
    """A motion that does not fit the others."""

    number: int
    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.name} ({self.why})"


def costs_of_kinds(sources: Sequence[BlendSource], points: Sequence[np.ndarray], costs: np.ndarray) -> np.ndarray:
    """The costs (N, N), infinite between motions in which other parts of the body move: they are of different kinds,
    however near to each other a registration brings them.

    Where that is not clear, it counts whether one of both is much nearer to a third motion. Motions that are near and
    move alike count as near enough: strides of another person are farther away than repeats by the same. `points` are
    the clouds.
    """
    alike = movement_likeness([movement_of(source, own) for source, own in zip(sources, points, strict=True)])
    found = np.where((alike < OTHER_MOVEMENT) & (costs > MOVEMENT_COUNTS), np.inf, costs)
    nearest = (found + np.where(np.eye(len(costs), dtype=bool), np.inf, 0.0)).min(axis=1)
    limits = UNLIKE * np.maximum(np.minimum(nearest[:, None], nearest), NEVER_UNLIKE)
    found = np.where((alike < LIKE_MOVEMENT) & (costs > np.maximum(limits, MOVEMENT_COUNTS)), np.inf, found)
    same = (alike >= SAME_MOVEMENT) & (costs <= SAME_WITHIN)
    return np.where(same, np.minimum(found, _limit(found)), found)


def families_of(sources: Sequence[BlendSource], costs: np.ndarray) -> list[list[int]]:
    """Groups of motions that are alike, largest first; raises if a second one is large enough to be a family."""
    groups = _groups(costs, _limit(costs))
    if len(groups) > 1 and len(groups[1]) >= max(2, FAMILY * len(sources)):
        named = [names_of([sources[i] for i in group]) for group in groups if len(group) > 1]
        alone = [sources[group[0]] for group in groups if len(group) == 1]
        single = f". Unlike all others: {names_of(alone)}" if alone else ""
        why = _difference(sources, groups[0], groups[1][0])
        raise UsageError(
            f"these motions are {len(named)} families that cannot be blended with each other: "
            + "; ".join(named)
            + f". The second: {why}. Choose one of them{single}"
        )
    return groups


def spoilers_of(sources: Sequence[BlendSource], costs: np.ndarray) -> list[Spoiler]:
    """The motions outside of the largest group, and what is wrong with each."""
    groups = _groups(costs, _limit(costs))
    found = [
        Spoiler(i, sources[i].name, _difference(sources, groups[0], i)) for group in groups[1:] for i in sorted(group)
    ]
    if len(groups[0]) > 2:
        found += [
            Spoiler(i, sources[i].name, OTHER_FOOT)
            for i in groups[0]
            if _swapped_gain(sources, [other for other in groups[0] if other != i], i) > SWAPPED_BETTER
        ]
    return sorted(found, key=lambda spoiler: spoiler.number)


def _limit(costs: np.ndarray) -> float:
    """How far apart motions of one kind may be: in terms of what is usual between a motion and its nearest."""
    off = costs + np.where(np.eye(len(costs), dtype=bool), np.inf, 0.0)
    nearest = off.min(axis=1)
    usual = float(np.median(nearest[np.isfinite(nearest)])) if np.isfinite(nearest).any() else 0.0
    return float(np.clip(UNLIKE * usual, NEVER_UNLIKE, ALWAYS_UNLIKE))


def _groups(costs: np.ndarray, limit: float) -> list[list[int]]:
    """Motions that are connected by steps within the limit, the largest group first."""
    n = len(costs)
    left, groups = set(range(n)), []
    while left:
        group, edge = set(), [min(left)]
        while edge:
            node = edge.pop()
            if node in group:
                continue
            group.add(node)
            edge += [other for other in np.flatnonzero(costs[node] <= limit).tolist() if other not in group]
        left -= group
        groups.append(sorted(group))
    return sorted(groups, key=lambda group: (-len(group), group[0]))


def _difference(sources: Sequence[BlendSource], group: Sequence[int], number: int) -> str:
    """What is wrong with a motion, seen from a group that it does not belong to."""
    if _swapped_gain(sources, group, number) > 0.5 * SWAPPED_BETTER:
        return OTHER_FOOT
    if _moves_other_side(sources, group, number):
        return OTHER_SIDE
    way, usual = _way(sources[number]), np.mean([_way(sources[i]) for i in group], axis=0)
    if min(np.linalg.norm(way), np.linalg.norm(usual)) > MOVES and way @ usual < 0.0:
        return f"it moves {_direction(way)}, the others {_direction(usual)}"
    return OTHER_ACTION


def _moves_other_side(sources: Sequence[BlendSource], group: Sequence[int], number: int) -> bool:
    """Whether a motion moves as those of a group do only if left and right are swapped."""
    others = [movement_of(sources[i]) for i in group]
    own, swapped = movement_of(sources[number]), movement_of(sources[number].mirrored())
    likeness = movement_likeness([own, swapped, *others])
    return bool(likeness[0, 2:].max() < OTHER_MOVEMENT and likeness[1, 2:].max() >= LIKE_MOVEMENT)


def _swapped_gain(sources: Sequence[BlendSource], group: Sequence[int], number: int) -> float:
    """How much more of the time a motion's feet stand like those of a group if left and right are swapped."""
    own, others = _contacts(sources[number]), np.mean([_contacts(sources[i]) for i in group], axis=0)
    agrees, swapped = (1.0 - np.abs(feet - others).mean() for feet in (own, own[:, ::-1]))
    return float(swapped - agrees)


def _contacts(source: BlendSource) -> np.ndarray:
    """Whether the left and the right foot stand (SAMPLES, 2) in the course of the motion."""
    standing = np.asarray(source.contacts.any(axis=2))
    return standing[np.linspace(0, len(standing) - 1, SAMPLES).round().astype(int)].astype(float)


def _way(source: BlendSource) -> np.ndarray:
    """The way (2,) of the root to the left and ahead, seen from where the body faces on the average."""
    motion = source.motion
    facing = headings(
        motion.rotations_world[:, source.body.body_map.hips], source.body.rest_world[source.body.body_map.hips]
    )
    middle = 0.5 * (facing[1:] + facing[:-1])
    steps = np.diff(motion.root_positions[:, [0, 2]], axis=0)
    aside = np.cos(middle) * steps[:, 0] - np.sin(middle) * steps[:, 1]
    ahead = np.sin(middle) * steps[:, 0] + np.cos(middle) * steps[:, 1]
    return np.array([aside.sum(), ahead.sum()])


def _direction(way: np.ndarray) -> str:
    aside, ahead = way
    if abs(ahead) >= abs(aside):
        return "forwards" if ahead > 0 else "backwards"
    return "to the left" if aside > 0 else "to the right"


def names_of(sources: Sequence[BlendSource]) -> str:
    """The names of the first sources, and how many more there are."""
    names = [source.name for source in sources]
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
