"""The tree of named joints."""

from dataclasses import dataclass, field

import numpy as np

from motionary.errors import SkeletonError


@dataclass(frozen=True, eq=False, repr=False)
class Skeleton:
    """Named joints with their places at rest, parents before children; joint 0 is the root.

    `offsets` are the joints' places in their parents' frames, so that with all rotations zero every joint
    stands at the sum of the offsets above it: the rest pose. An end site is a named-by-its-joint point without
    rotation: the tip of a toe, the top of the head. A joint may have none, one or several.
    """

    names: tuple[str, ...]
    parents: np.ndarray  # (J,) int32; −1 for the root
    offsets: np.ndarray  # (J, 3) metres, in the parent's frame
    end_site_joints: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int32))  # (E,) int32
    end_site_offsets: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))  # (E, 3) metres

    def __repr__(self) -> str:
        return f"Skeleton({len(self.names)} joints, root {self.names[0]})"

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(self.names))
        for name, dtype in (
            ("parents", np.int32),
            ("offsets", np.float64),
            ("end_site_joints", np.int32),
            ("end_site_offsets", np.float64),
        ):
            array = np.array(getattr(self, name), dtype=dtype)
            array.flags.writeable = False
            object.__setattr__(self, name, array)
        n_joints = len(self.names)
        if n_joints == 0:
            raise SkeletonError("a skeleton needs at least one joint")
        if self.parents.shape != (n_joints,) or self.offsets.shape != (n_joints, 3):
            raise SkeletonError(
                f"{n_joints} joints need as many parents and offsets, not {self.parents.shape} and {self.offsets.shape}"
            )
        if self.end_site_offsets.shape != (len(self.end_site_joints), 3):
            raise SkeletonError("every end site needs one joint and one offset")
        if self.parents[0] != -1 or np.any(self.parents[1:] < 0):
            raise SkeletonError("only the first joint can be the root, with parent -1")
        if np.any(self.parents >= np.arange(n_joints)):
            raise SkeletonError("every parent must come before its children")
        if np.any((self.end_site_joints < 0) | (self.end_site_joints >= n_joints)):
            raise SkeletonError("an end site has a parent that does not exist")
        if not (np.isfinite(self.offsets).all() and np.isfinite(self.end_site_offsets).all()):
            raise SkeletonError("a joint or end site has an offset that is not finite")

    @property
    def n_joints(self) -> int:
        return len(self.names)

    def index(self, name: str) -> int:
        """The number of the joint called `name`."""
        try:
            return self.names.index(name)
        except ValueError:
            raise SkeletonError(f"no joint named {name!r}; choose from {', '.join(self.names)}") from None

    def children(self, joint: int) -> list[int]:
        """The joints that hang on `joint`, in file order."""
        return [int(child) for child in np.flatnonzero(self.parents == joint)]

    def end_sites(self, joint: int) -> np.ndarray:
        """The offsets (n, 3) of the end sites of `joint`."""
        return self.end_site_offsets[self.end_site_joints == joint]

    def chain(self, joint: int) -> list[int]:
        """The joints from the root down to `joint`, both included."""
        chain = [joint]
        while self.parents[chain[-1]] >= 0:
            chain.append(int(self.parents[chain[-1]]))
        return chain[::-1]

    def rest_positions(self) -> np.ndarray:
        """Places (J, 3) of the joints with all rotations zero and the root at the origin."""
        positions = np.zeros((self.n_joints, 3))
        for joint in range(1, self.n_joints):
            positions[joint] = positions[self.parents[joint]] + self.offsets[joint]
        return positions

    def same_as(self, other: "Skeleton") -> bool:
        """Whether both have the same joints in the same places."""
        return self is other or (
            self.names == other.names
            and np.array_equal(self.parents, other.parents)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.end_site_joints, other.end_site_joints)
            and np.array_equal(self.end_site_offsets, other.end_site_offsets)
        )
