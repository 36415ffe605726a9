"""Trunk, head and limbs of any skeleton: what belongs together, and where limbs begin.

A skeleton that maps onto the reference skeleton says it all. Others, creatures among them, are understood by
their names as far as these go, and by the lengths of their bones.
"""

import re
from dataclasses import dataclass

import numpy as np

from motionary.errors import MappingError
from motionary.motion import Skeleton
from motionary.picture.tree import Tree
from motionary.rig import SIDES, BodyMap, Side, joint_sides, map_skeleton, outgrowths

TRUNK = 0  # the limb that holds pelvis, spine, neck and chest
HEAD = 1
HEAD_NAME = re.compile(r"head(?!.*(top|tip|end|nub|site))", re.IGNORECASE)
FOOT_NAME = re.compile(r"(foot|ankle)(?!.*(end|tip|nub))", re.IGNORECASE)
HAND_NAME = re.compile(r"(hand|wrist)(?!.*(thumb|index|mid|ring|pinky|little|end|tip|nub|twist))", re.IGNORECASE)


@dataclass(frozen=True)
class Limbs:
    """Which node belongs to what; limbs beyond trunk and head are numbered from 2 in the order of `starts`."""

    of_node: tuple[int, ...]
    sides: tuple[Side, ...]
    starts: tuple[int, ...]  # the joints that the limbs swing from
    pairs: tuple[tuple[int, int], ...]  # starts of left and right limbs that match, from the pelvis upwards
    head: int | None
    hands: tuple[int, ...]
    feet: tuple[int, ...]
    centre: int  # the pelvis, which need not be the root


def limbs_of(skeleton: Skeleton, tree: Tree, *, body_map: BodyMap | None = None) -> Limbs:
    """The limbs of a skeleton, by the map if there is one."""
    return _Finder(skeleton, tree, body_map or _mapped(skeleton)).limbs()


def _mapped(skeleton: Skeleton) -> BodyMap | None:
    try:
        return map_skeleton(skeleton)
    except MappingError:
        return None


class _Finder:
    def __init__(self, skeleton: Skeleton, tree: Tree, mapped: BodyMap | None) -> None:
        self.skeleton, self.tree, self.mapped = skeleton, tree, mapped
        self.sides = self._sides()
        self.head = mapped.get("Head") if mapped else None
        if self.head is None:
            self.head = next(iter(self._named(HEAD_NAME, "middle")), None)
        self.in_head = tree.below(self.head) if self.head is not None else set()
        starts = ("Thigh", "UpperArm")
        self.known_pairs = (
            [(mapped.joints[f"Left{part}"], mapped.joints[f"Right{part}"]) for part in starts] if mapped else []
        )
        self.outgrowth = np.append(outgrowths(skeleton), [False] * (tree.n_nodes - skeleton.n_joints))
        self.known = {joint for pair in self.known_pairs for joint in pair}

    def limbs(self) -> Limbs:
        of_node, starts = self._assign()
        pairs = self.known_pairs or self._pairs(starts)
        hands, feet = self._ends("Hand", HAND_NAME), self._ends("Foot", FOOT_NAME)
        if self.mapped:
            centre = self.mapped.hips
        else:
            centre = self.middle_above(pairs[0][0]) if pairs else 0
        return Limbs(tuple(of_node), tuple(self.sides), tuple(starts), tuple(pairs), self.head, hands, feet, centre)

    def middle_above(self, node: int) -> int:
        while self.sides[node] != "middle" and self.tree.parents[node] >= 0:
            node = self.tree.parents[node]
        return node

    def _sides(self) -> list[Side]:
        """By the map, else by name, else as the parent's."""
        found = joint_sides(self.skeleton, body_map=self.mapped)
        found += ["middle"] * (self.tree.n_nodes - len(found))
        for node in range(1, self.tree.n_nodes):
            if found[node] == "middle":
                found[node] = found[self.tree.parents[node]]
        return found

    def _assign(self) -> tuple[list[int], list[int]]:
        """The limb of every node, and the nodes where the limbs beyond the trunk and head begin."""
        tree = self.tree
        if self.sides[0] != "middle":  # a hand or a leg alone
            return [HEAD + 1] * tree.n_nodes, [0]
        neck = {*tree.above(self.head), self.head} if self.head is not None else set()
        bears_known = {above for joint in self.known for above in tree.above(joint)}
        sided = [node for node in range(1, tree.n_nodes) if self.sides[node] != "middle" and node not in self.in_head]
        bears = {above for node in sided for above in tree.above(node)}
        limbs = [TRUNK] * tree.n_nodes
        starts: list[int] = []
        for node in range(1, tree.n_nodes):
            parent = tree.parents[node]
            if limbs[parent] != TRUNK:
                limbs[node] = limbs[parent]
            elif node in self.in_head:
                limbs[node] = HEAD
            elif node in self.known or (node not in bears_known and node not in neck and self._begins(node, bears)):
                starts.append(node)
                limbs[node] = 1 + len(starts)
        return limbs, starts

    def _begins(self, node: int, bears: set[int]) -> bool:
        """Whether a limb that the map does not know begins here; `bears` are the nodes that carry sided ones."""
        if self.outgrowth[node]:
            return False
        if self.sides[node] != "middle":
            return self._swings(node)
        # Tails, and every branch of a skeleton whose names tell no sides.
        siblings = self.tree.children[self.tree.parents[node]]
        return node not in bears and len(siblings) > 1 and self.tree.extent(node) > 0.1 * self.tree.size

    def _swings(self, node: int) -> bool:
        """Whether a limb swings from here: collar bones and hip joints before it belong to the trunk.

        Thighs and upper arms are a good third of what hangs on them, collar bones less than a quarter. Bones
        in two halves (upperarm01, upperarm02) count as one.
        """
        tree = self.tree
        if tree.reach[node] < 0.1 * tree.size:
            return False
        span, here = 0.0, node
        while tree.children[here]:
            here = tree.farthest_child(here)
            span += tree.lengths[here]
            if here >= tree.n_joints or _base(tree.names[here]) != _base(tree.names[node]):
                break
        return bool(span > 0.3 * tree.reach[node])

    def _pairs(self, starts: list[int]) -> list[tuple[int, int]]:
        pairs = [(a, b) for a in starts for b in starts if self._match(a, b)]
        return sorted(pairs, key=lambda pair: (self.middle_above(pair[0]), pair))

    def _match(self, a: int, b: int) -> bool:
        """Whether a left and a right limb begin at the same place of the trunk and reach as far."""
        if (self.sides[a], self.sides[b]) != ("left", "right"):
            return False
        reach = self.tree.reach
        return bool(abs(reach[a] - reach[b]) < 0.1 * reach[a]) and self.middle_above(a) == self.middle_above(b)

    def _ends(self, part: str, name: re.Pattern[str]) -> tuple[int, ...]:
        """Hands or feet: by the map, else by name, if a bone of some length leads there and a short one on."""
        if self.mapped:
            joints = [self.mapped.get(side + part) for side in SIDES]
            return tuple(joint for joint in joints if joint is not None)
        size = self.tree.size
        return tuple(
            joint
            for joint in (*self._named(name, "left"), *self._named(name, "right"))
            if self.tree.lengths[joint] > 0.05 * size and self.tree.reach[joint] < 0.3 * size
        )

    def _named(self, pattern: re.Pattern[str], side: Side) -> list[int]:
        names = [name.rpartition(":")[2] for name in self.skeleton.names]
        return [j for j in range(1, len(names)) if self.sides[j] == side and pattern.search(names[j])]


def _base(name: str) -> str:
    return re.sub(r"\d+", "", name)
