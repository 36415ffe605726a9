"""The mannequin put around a skeleton: the balls and hulls of balls that make limbs, trunk, head, hands and feet."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionary.motion import Skeleton
from motionary.picture.limbs import HEAD, TRUNK, Limbs, limbs_of
from motionary.picture.tree import Tree
from motionary.rig import BodyMap, Side, body_bones

# Shares of the body's size, which is about its height.
SPINE_RADIUS, PELVIS_RADIUS, SHOULDER_RADIUS, NECK_RADIUS = 0.058, 0.045, 0.032, 0.026
HAND_RADIUS, FOOT_RADIUS, HEEL_RADIUS, LEAST_RADIUS = 0.013, 0.016, 0.017, 0.005


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the body: the hull of balls about some nodes."""

    nodes: tuple[int, ...]
    radii: tuple[float, ...]  # metres
    limb: int
    side: Side


@dataclass(frozen=True, slots=True)
class Heel:
    """A heel that the skeleton does not have: behind and below the ankle, as seen from knee and toe."""

    knee: int
    ankle: int
    toe: int


@dataclass(frozen=True, slots=True)
class Head:
    """An ellipsoid about the head joint that ends at its tip, if there is one."""

    joint: int
    tip: int | None
    neck: int
    half_length: float
    half_width: float


@dataclass(frozen=True, eq=False)
class Mannequin:
    """The solid figure around a skeleton. Nodes are its joints, then its end sites, then heels."""

    skeleton: Skeleton
    size: float  # metres, about the height
    limbs: Limbs
    parts: tuple[Part, ...]
    heels: tuple[Heel, ...]
    head: Head | None
    stand_ins: np.ndarray  # (N,) which node is drawn where: bones outside the body have no length

    @property
    def centre(self) -> int:
        """The node whose path is the body's."""
        return self.limbs.centre

    def foot_parts(self, side: Side) -> list[Part]:
        """The soles of one side."""
        return [part for part in self.parts if part.side == side and part.nodes[0] in self.limbs.feet]


def mannequin_of(skeleton: Skeleton, *, body_map: BodyMap | None = None) -> Mannequin:
    """The mannequin around `skeleton`; without a map, names and bones tell its parts."""
    in_body = body_bones(skeleton, body_map=body_map)
    tree = Tree(skeleton, in_body)
    limbs = limbs_of(skeleton, tree, body_map=body_map)
    feet, heels = _feet(tree, limbs)
    parts = [*_trunk(tree, limbs), *_bones(tree, limbs), *_hands(tree, limbs), *feet]
    if not parts:
        parts.append(Part((0,), (0.03 * tree.size,), TRUNK, "middle"))
    return Mannequin(
        skeleton, tree.size, limbs, tuple(parts), tuple(heels), _head(tree, limbs), _stand_ins(tree, limbs, in_body)
    )


def _stand_ins(tree: Tree, limbs: Limbs, in_body: np.ndarray) -> np.ndarray:
    """For every node the one whose place it takes: its own, or the pelvis's, or the joint's behind which it means
    nothing."""
    nodes = np.arange(tree.n_nodes)
    in_tree = tree.below(limbs.centre)
    for node in range(tree.n_nodes):
        if node not in in_tree and limbs.centre in tree.below(node):
            nodes[node] = limbs.centre
        elif not in_body[node] and node != limbs.centre and tree.parents[node] >= 0:
            nodes[node] = nodes[tree.parents[node]]
    return nodes


def _trunk(tree: Tree, limbs: Limbs) -> Iterable[Part]:
    """A hull about every place of the trunk from which sided limbs start: pelvis and chest."""
    by_place: dict[int, list[int]] = {}
    for start in limbs.starts:
        middle = next((node for node in tree.above(start) if limbs.sides[node] == "middle"), None)
        if limbs.sides[start] != "middle" and middle is not None:
            by_place.setdefault(middle, []).append(start)
    for middle, starts in by_place.items():
        below_chest = any(middle in tree.above(other) for other in by_place) or middle == limbs.centre
        radius = PELVIS_RADIUS if below_chest else SHOULDER_RADIUS
        nodes = [middle, *starts]
        radii = [SPINE_RADIUS, *(min(radius, 1.6 * _radius(tree, s) / tree.size + LEAST_RADIUS) for s in starts)]
        if not below_chest:  # the ribs reach down to the next place of the spine
            nodes.append(tree.place_above(middle))
            radii.append(0.9 * SPINE_RADIUS)
        yield Part(tuple(nodes), tuple(share * tree.size for share in radii), TRUNK, "middle")


def _bones(tree: Tree, limbs: Limbs) -> Iterable[Part]:
    """A tapered capsule about every bone that is longer than nothing and in no hull."""
    sided_starts = {start for start in limbs.starts if limbs.sides[start] != "middle"}
    in_head = tree.below(limbs.head) if limbs.head is not None else set()
    to_head = {*tree.above(limbs.head), limbs.head} if limbs.head is not None else set()
    bears_limbs = {node for start in sided_starts for node in tree.above(start)} | sided_starts
    for node in range(1, tree.n_nodes):
        parent, limb = tree.parents[node], limbs.of_node[node]
        if parent in in_head or not tree.is_somewhere_else(node) or node in sided_starts:
            continue
        side: Side = "middle" if limb <= HEAD else limbs.sides[node]
        radii = (_radius(tree, parent), _radius(tree, node))
        if limb <= HEAD and sided_starts:
            if limbs.sides[node] != "middle":
                continue  # collar bones and the like, inside the hull
            if node in bears_limbs:
                radii = (SPINE_RADIUS * tree.size,) * 2
            elif node in to_head:
                radii = (NECK_RADIUS * tree.size,) * 2
        elif node in limbs.starts:
            radii = (_radius(tree, node),) * 2
        yield Part((parent, node), radii, TRUNK if limb == HEAD else limb, side)


def _radius(tree: Tree, node: int) -> float:
    """How thick a limb is at a node: by what it carries, but never plump for its bones' lengths."""
    bones = [tree.lengths[node], *(tree.lengths[child] for child in tree.children[node])]
    by_reach = 0.065 * tree.size * (tree.reach[node] / tree.size) ** 0.75
    return float(max(LEAST_RADIUS * tree.size, min(by_reach, 0.17 * max(bones))))


def _hands(tree: Tree, limbs: Limbs) -> Iterable[Part]:
    """The hull of wrist and knuckles."""
    radius = HAND_RADIUS * tree.size
    for hand in limbs.hands:
        ends = tree.next_places(hand)
        if ends:
            radii = (1.2 * radius, *[radius] * len(ends))
            yield Part((hand, *ends), radii, limbs.of_node[hand], limbs.sides[hand])


def _feet(tree: Tree, limbs: Limbs) -> tuple[list[Part], list[Heel]]:
    """The hulls of ankle, heel, ball and toes, and the heels that had to be added."""
    parts: list[Part] = []
    heels: list[Heel] = []
    for ankle in limbs.feet:
        ends = tree.next_places(ankle)
        if not ends:
            continue
        tips = [tip for end in ends for tip in tree.next_places(end)]
        nodes = [ankle, *ends, *tips]
        shares = [1.4 * FOOT_RADIUS, *[FOOT_RADIUS] * len(ends), *[0.6 * FOOT_RADIUS] * len(tips)]
        toe = max(ends, key=lambda end: (tree.extent(end), -end))
        if not _has_heel(tree, ends, toe):
            nodes.append(tree.n_nodes + len(heels))
            shares.append(HEEL_RADIUS)
            heels.append(Heel(tree.place_above(ankle), ankle, toe))
        radii = tuple(share * tree.size for share in shares)
        parts.append(Part(tuple(nodes), radii, limbs.of_node[ankle], limbs.sides[ankle]))
    return parts, heels


def _has_heel(tree: Tree, ends: list[int], toe: int) -> bool:
    """Whether something on the foot points away from the toes."""
    ahead = tree.offsets[toe] / tree.lengths[toe]
    return any(tree.offsets[end] @ ahead < 0.1 * tree.lengths[end] for end in ends)


def _head(tree: Tree, limbs: Limbs) -> Head | None:
    joint = limbs.head
    if joint is None:
        return None
    tips = [node for node in tree.next_places(joint) if limbs.sides[node] == "middle"]
    tip = max(tips, key=lambda node: (tree.extent(node), -node), default=None)
    if tip is not None and tree.extent(tip) < 0.02 * tree.size:
        tip = None
    length = tree.extent(tip) if tip is not None else 0.1 * tree.size
    half_length = float(np.clip(0.55 * length, 0.062 * tree.size, 0.11 * tree.size))
    return Head(joint, tip, tree.place_above(joint), half_length, 0.74 * half_length)
