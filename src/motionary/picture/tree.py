"""The tree of a skeleton's joints and end sites, with lengths and reaches along it."""

import numpy as np

from motionary.motion import Skeleton

DIAMETER_PER_SIZE = 1.45  # from the toes to the fingertips along the bones of a human body, per height
NOTHING = 1e-3  # shares of the size below which two nodes are at the same place


class Tree:
    """Nodes are the joints and, after them, the end sites; bones that are not `in_body` (N,) have no length."""

    def __init__(self, skeleton: Skeleton, in_body: np.ndarray | None = None) -> None:
        self.n_joints = skeleton.n_joints
        self.names = skeleton.names
        self.parents = [int(parent) for parent in (*skeleton.parents, *skeleton.end_site_joints)]
        self.n_nodes = len(self.parents)
        self.offsets = np.concatenate([skeleton.offsets, skeleton.end_site_offsets])  # (N, 3)
        self.lengths = np.linalg.norm(self.offsets, axis=1)  # (N,) of the bones to the nodes
        self.lengths[0] = 0.0
        if in_body is not None:
            self.lengths[~in_body] = 0.0
        self.children: list[list[int]] = [[] for _ in range(self.n_nodes)]
        for node in range(1, self.n_nodes):
            self.children[self.parents[node]].append(node)
        self.reach = np.zeros(self.n_nodes)  # (N,) to the farthest tip below
        diameter = 0.0
        for node in reversed(range(self.n_nodes)):
            below = sorted((self.extent(child) for child in self.children[node]), reverse=True)
            self.reach[node] = below[0] if below else 0.0
            diameter = max(diameter, sum(below[:2]))
        self.size = diameter / DIAMETER_PER_SIZE if diameter > 1e-9 else 1.0  # metres, about the height

    def extent(self, node: int) -> float:
        """From the node's parent to the farthest tip below the node."""
        return float(self.lengths[node] + self.reach[node])

    def is_somewhere_else(self, node: int) -> bool:
        """Whether the node is not at its parent's place."""
        return bool(self.lengths[node] > NOTHING * self.size)

    def next_places(self, node: int) -> list[int]:
        """The nearest nodes below that are not at the same place."""
        places: list[int] = []
        for child in self.children[node]:
            places.extend([child] if self.is_somewhere_else(child) else self.next_places(child))
        return places

    def place_above(self, node: int) -> int:
        """The nearest node above that is not at the same place."""
        while not self.is_somewhere_else(node) and self.parents[node] >= 0:
            node = self.parents[node]
        return max(self.parents[node], 0)

    def below(self, node: int) -> set[int]:
        """The node and all that hangs on it."""
        inside = {node}
        for other in range(node + 1, self.n_nodes):
            if self.parents[other] in inside:
                inside.add(other)
        return inside

    def above(self, node: int) -> list[int]:
        """The nodes from the parent up to the root."""
        chain: list[int] = []
        while self.parents[node] >= 0:
            node = self.parents[node]
            chain.append(node)
        return chain

    def farthest_child(self, node: int) -> int:
        """The child, of those there are, with the farthest tip."""
        return max(self.children[node], key=lambda child: (self.extent(child), -child))
