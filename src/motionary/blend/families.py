"""Which motions of a set are of one kind: families, and examples that spoil them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionary.blend.sources import BlendSource
from motionary.errors import UsageError
from motionary.motion import headings

UNLIKE = 2.2  # times what is usual between neighbours of a set: farther apart than this is another kind
NEVER_UNLIKE = 0.06  # metres per pair of frames: as near as this is always the same kind
ALWAYS_UNLIKE = 0.30
FAMILY = 0.2  # of a set: a group as large as this, of two at least, is a family of its own
SAMPLES = 60
SWAPPED_BETTER = 0.25  # of the time: how much better feet must agree left for right to tell a wrong foot
OTHER_FOOT = "it starts with the other foot; its mirror image may fit"
MOVES = 0.25  # metres: a way that has a direction


@dataclass(frozen=True, slots=True)
class Spoiler:
    """A motion that does not fit the others."""

    number: int
    name: str
    why: str

    def __str__(self) -> str:
        return f"{self.name} ({self.why})"


def families_of(sources: Sequence[BlendSource], costs: np.ndarray) -> list[list[int]]:
    """Groups of motions that are alike, largest first; raises if a second one is large enough to be a family."""
    groups = _groups(costs, _limit(costs))
    if len(groups) > 1 and len(groups[1]) >= max(2, FAMILY * len(sources)):
        named = [_names([sources[i] for i in group]) for group in groups if len(group) > 1]
        why = _difference(sources, groups[0], groups[1][0])
        raise UsageError(
            f"these motions are {len(named)} families that cannot be blended with each other: "
            + "; ".join(named)
            + f". The second: {why}. Choose one of them"
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
    way, usual = _way(sources[number]), np.mean([_way(sources[i]) for i in group], axis=0)
    if min(np.linalg.norm(way), np.linalg.norm(usual)) > MOVES and way @ usual < 0.0:
        return f"it moves {_direction(way)}, the others {_direction(usual)}"
    return "it is another action"


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


def _names(sources: Sequence[BlendSource]) -> str:
    names = [source.name for source in sources]
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
