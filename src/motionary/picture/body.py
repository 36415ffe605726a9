"""The shape put around a skeleton: which balls and hulls of balls make limbs, trunk, head, hands and feet.

It works for any tree of joints. Names help where they say left and right, head, hand and foot; a skeleton
without such names is drawn as tapered limbs alone.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from motionary.motion import Skeleton
from motionary.picture.sides import Side, sides

TRUNK = 0  # the limb that holds pelvis, spine and chest
HEAD = 1  # neck and head
HEAD_NAME = re.compile(r"head(?!.*(top|tip|end|nub|site))", re.IGNORECASE)
FOOT_NAME = re.compile(r"(foot|ankle)(?!.*(end|tip|nub))", re.IGNORECASE)
HAND_NAME = re.compile(r"(hand|wrist)(?!.*(thumb|index|mid|ring|pinky|little|end|tip|nub|twist))", re.IGNORECASE)

# Shares of the body's size, which is about its height.
SPINE_RADIUS, PELVIS_RADIUS, SHOULDER_RADIUS, NECK_RADIUS = 0.058, 0.045, 0.032, 0.026
HAND_RADIUS, FOOT_RADIUS, HEEL_RADIUS, LEAST_RADIUS = 0.013, 0.016, 0.017, 0.005
DIAMETER_PER_SIZE = 1.45  # from the toes to the fingertips along the bones of a human body


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
class Body:
    """The shape around a skeleton. Nodes are its joints, then its end sites, then heels."""

    skeleton: Skeleton
    size: float  # metres, about the height
    parts: tuple[Part, ...]
    n_limbs: int
    node_limbs: np.ndarray  # (J + E,)
    node_sides: tuple[Side, ...]  # of joints and end sites
    heels: tuple[Heel, ...]
    head: Head | None
    left_right: tuple[tuple[int, int], ...]  # where limbs of both sides begin, from the root upwards
    feet: tuple[tuple[int, ...], tuple[int, ...]]  # ankles of the left and of the right
    centre: int  # the node whose path is the body's: the pelvis, which need not be the root


def body_of(skeleton: Skeleton) -> Body:
    """The shape around `skeleton`."""
    return _Builder(skeleton).body()


class _Builder:
    """Steps that share the tree: lengths, reaches, limbs, then parts."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        n_joints = skeleton.n_joints
        self.n_joints = n_joints
        self.parents = [int(p) for p in skeleton.parents] + [int(p) for p in skeleton.end_site_joints]
        offsets = np.concatenate([skeleton.offsets, skeleton.end_site_offsets])
        self.lengths = np.linalg.norm(offsets, axis=1)
        self.lengths[0] = 0.0
        self.n_nodes = len(self.parents)
        self.children: list[list[int]] = [[] for _ in range(self.n_nodes)]
        for node in range(1, self.n_nodes):
            self.children[self.parents[node]].append(node)
        self.reach = np.zeros(self.n_nodes)  # to the farthest tip below
        diameter = 0.0
        for node in reversed(range(self.n_nodes)):
            below = sorted((self.lengths[c] + self.reach[c] for c in self.children[node]), reverse=True)
            self.reach[node] = below[0] if below else 0.0
            diameter = max(diameter, sum(below[:2]))
        self.size = diameter / DIAMETER_PER_SIZE if diameter > 1e-9 else 1.0
        joint_sides = sides(skeleton)
        self.sides: list[Side] = joint_sides + [joint_sides[p] for p in self.parents[n_joints:]]
        self.head_joint = next(
            (
                j
                for j in range(1, n_joints)
                if self.sides[j] == "middle" and HEAD_NAME.search(skeleton.names[j].rpartition(":")[2])
            ),
            None,
        )
        self.in_head = self._below(self.head_joint)
        self.limbs, self.starts = self._limbs()

    def body(self) -> Body:
        parts: list[Part] = []
        parts.extend(self._trunk())
        parts.extend(self._bones())
        hulls, heels, feet = self._hands_and_feet()
        parts.extend(hulls)
        if not parts:
            parts.append(Part((0,), (0.03 * self.size,), TRUNK, "middle"))
        pairs = [(a, b) for a in self.starts for b in self.starts if self._are_partners(a, b)]
        pairs.sort(key=lambda pair: (self._middle_above(pair[0]), pair))
        return Body(
            skeleton=self.skeleton,
            size=self.size,
            parts=tuple(parts),
            n_limbs=2 + len(self.starts),
            node_limbs=np.array(self.limbs),
            node_sides=tuple(self.sides),
            heels=tuple(heels),
            head=self._head(),
            left_right=tuple(pairs),
            feet=feet,
            centre=self._middle_above(pairs[0][0]) if pairs else 0,
        )

    def _limbs(self) -> tuple[list[int], list[int]]:
        """The limb of every node, and the nodes where the limbs beyond the trunk and head begin."""
        neck = set(self.skeleton.chain(self.head_joint)) if self.head_joint is not None else set()
        bears_sides = [False] * self.n_nodes
        for node in reversed(range(1, self.n_nodes)):
            if self.sides[node] != "middle" and node not in self.in_head:
                bears_sides[self.parents[node]] = True
            bears_sides[self.parents[node]] |= bears_sides[node]
        limbs = [TRUNK] * self.n_nodes
        starts: list[int] = []
        for node in range(1, self.n_nodes):
            parent = self.parents[node]
            if limbs[parent] != TRUNK:
                limbs[node] = limbs[parent]
            elif self.sides[node] != "middle" and node not in self.in_head:
                if self._begins_limb(node):
                    starts.append(node)
                    limbs[node] = 1 + len(starts)
            elif node in neck or node in self.in_head:
                limbs[node] = TRUNK if bears_sides[node] else HEAD
            elif not bears_sides[node] and len(self.children[parent]) > 1 and self._extent(node) > 0.1 * self.size:
                starts.append(node)  # tails, and every branch of a skeleton whose names tell no sides
                limbs[node] = 1 + len(starts)
        return limbs, starts

    def _begins_limb(self, node: int) -> bool:
        """Whether the limb swings from here: collar bones and hip joints before it belong to the trunk.

        Thighs and upper arms are a good third of what hangs on them, collar bones less than a quarter. Bones
        in two halves (upperarm01, upperarm02) count as one.
        """
        if self.reach[node] < 0.1 * self.size:
            return False
        span, base = 0.0, self._base_name(node)
        here = node
        while self.children[here]:
            here = max(self.children[here], key=lambda c: (self.lengths[c] + self.reach[c], -c))
            span += self.lengths[here]
            if here >= self.n_joints or self._base_name(here) != base:
                break
        return span > 0.3 * self.reach[node]

    def _base_name(self, joint: int) -> str:
        return re.sub(r"\d+", "", self.skeleton.names[joint])

    def _extent(self, node: int) -> float:
        return float(self.lengths[node] + self.reach[node])

    def _below(self, joint: int | None) -> set[int]:
        if joint is None:
            return set()
        inside = {joint}
        for node in range(joint + 1, self.n_nodes):
            if self.parents[node] in inside:
                inside.add(node)
        return inside

    def _are_partners(self, a: int, b: int) -> bool:
        """Whether limbs a (left) and b (right) begin at the same place of the trunk and reach as far."""
        if (self.sides[a], self.sides[b]) != ("left", "right"):
            return False
        same_reach = abs(self.reach[a] - self.reach[b]) < 0.1 * max(self.reach[a], 1e-9)
        return same_reach and self._middle_above(a) == self._middle_above(b)

    def _middle_above(self, node: int) -> int:
        while self.sides[node] != "middle" and self.parents[node] >= 0:
            node = self.parents[node]
        return node

    def _radius(self, node: int) -> float:
        """How thick a limb is at a node: by what it carries, but never plump for its bones' lengths."""
        bones = [self.lengths[node], *(self.lengths[c] for c in self.children[node])]
        by_reach = 0.065 * self.size * (self.reach[node] / self.size) ** 0.75
        return float(max(LEAST_RADIUS * self.size, min(by_reach, 0.17 * max(bones))))

    def _trunk(self) -> Iterable[Part]:
        """A hull about every place of the trunk from which limbs of both sides start: pelvis and chest."""
        by_middle: dict[int, list[int]] = {}
        for start in self.starts:
            if self.sides[start] != "middle":
                by_middle.setdefault(self._middle_above(start), []).append(start)
        for middle, starts in by_middle.items():
            lowest = middle == min(by_middle)
            radius = PELVIS_RADIUS if lowest and len(by_middle) > 1 else SHOULDER_RADIUS
            nodes = [middle, *starts]
            radii = [SPINE_RADIUS * self.size, *(min(radius * self.size, self._thick(s)) for s in starts)]
            if not lowest:  # the ribs reach down to the next place of the spine
                nodes.append(self._place_above(middle))
                radii.append(0.9 * SPINE_RADIUS * self.size)
            yield Part(tuple(nodes), tuple(radii), TRUNK, "middle")

    def _place_above(self, node: int) -> int:
        """The nearest node above that is not at the same place."""
        while self.lengths[node] < 1e-3 * self.size and self.parents[node] >= 0:
            node = self.parents[node]
        return max(self.parents[node], 0)

    def _thick(self, start: int) -> float:
        return 1.6 * self._radius(start) + LEAST_RADIUS * self.size

    def _bones(self) -> Iterable[Part]:
        """A tapered capsule about every bone that is longer than nothing."""
        hull_limbs = {start for start in self.starts if self.sides[start] != "middle"}
        for node in range(1, self.n_nodes):
            parent = self.parents[node]
            if parent in self.in_head or self.lengths[node] < 1e-3 * self.size or node in hull_limbs:
                continue
            limb = self.limbs[node]
            if limb == TRUNK:
                if self.sides[node] != "middle":
                    continue  # collar bones: inside the hull
                radii = (SPINE_RADIUS * self.size,) * 2
                if not hull_limbs:
                    radii = (self._radius(parent), self._radius(node))
            elif limb == HEAD and self.head_joint is not None:
                radii, limb = (NECK_RADIUS * self.size,) * 2, TRUNK  # one outline with the shoulders
            elif node in self.starts:
                radii = (self._radius(node), self._radius(node))
            else:
                radii = (self._radius(parent), self._radius(node))
            yield Part((parent, node), radii, limb, self.sides[node] if limb > HEAD else "middle")

    def _hands_and_feet(self) -> tuple[list[Part], list[Heel], tuple[tuple[int, ...], tuple[int, ...]]]:
        parts: list[Part] = []
        heels: list[Heel] = []
        feet: dict[Side, list[int]] = {"left": [], "right": [], "middle": []}
        for joint in range(1, self.n_joints):
            name = self.skeleton.names[joint].rpartition(":")[2]
            ends = self._next_places(joint)
            limb, side, size = self.limbs[joint], self.sides[joint], self.size
            if limb <= HEAD or not ends or self.lengths[joint] < 0.05 * size or self.reach[joint] > 0.3 * size:
                continue
            if HAND_NAME.search(name):
                radius = HAND_RADIUS * size
                parts.append(Part((joint, *ends), (radius * 1.2, *[radius] * len(ends)), limb, side))
            elif FOOT_NAME.search(name):
                toe = max(ends, key=lambda e: self._extent(e))
                feet[side].append(joint)
                tips = [tip for end in ends for tip in self._next_places(end)]
                nodes = [joint, *ends, *tips]
                radii = [share * FOOT_RADIUS * size for share in (1.4, *[1.0] * len(ends), *[0.6] * len(tips))]
                if not self._has_heel(joint, toe):
                    heels.append(Heel(self.parents[joint], joint, toe))
                    nodes.append(self.n_nodes + len(heels) - 1)
                    radii.append(HEEL_RADIUS * size)
                parts.append(Part(tuple(nodes), tuple(radii), limb, side))
        return parts, heels, (tuple(feet["left"]), tuple(feet["right"]))

    def _next_places(self, node: int) -> list[int]:
        """The nearest nodes below that are not at the same place."""
        places: list[int] = []
        for child in self.children[node]:
            places.extend([child] if self.lengths[child] > 1e-3 * self.size else self._next_places(child))
        return places

    def _has_heel(self, ankle: int, toe: int) -> bool:
        """Whether something on the foot points away from the toes."""
        offsets = np.concatenate([self.skeleton.offsets, self.skeleton.end_site_offsets])
        ahead = offsets[toe] / max(self.lengths[toe], 1e-9)
        return any(
            offsets[c] @ ahead < 0.1 * self.lengths[c]
            for c in self.children[ankle]
            if self.lengths[c] > 0.01 * self.size
        )

    def _head(self) -> Head | None:
        joint = self.head_joint
        if joint is None:
            return None
        tips = [n for n in self._next_places(joint) if self.sides[n] == "middle"]
        tip = max(tips, key=lambda n: (self._extent(n), -n), default=None)
        if tip is not None and self._extent(tip) < 0.02 * self.size:
            tip = None
        length = self._extent(tip) if tip is not None else 0.1 * self.size
        half_length = float(np.clip(0.55 * length, 0.062 * self.size, 0.11 * self.size))
        return Head(joint, tip, self._place_above(joint), half_length, 0.74 * half_length)
