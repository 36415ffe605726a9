"""An example as a mirror shows it."""

from dataclasses import dataclass

from motionary.features import descriptions
from motionary.motion import Motion, mirror
from motionary.rig import mirror_partners
from motionary.search.examples.example import Example, Place, Rows


@dataclass(frozen=True, eq=False)
class MirrorImage:
    """The mirror image of an example: what its left side does, the right side does."""

    example: Example

    @property
    def name(self) -> str:
        return f"the mirror image of {self.example.name}"

    @property
    def n_frames(self) -> int:
        return self.example.n_frames

    @property
    def place(self) -> Place | None:
        return self.example.place

    def rows(self, length: int) -> Rows:
        known = descriptions()
        return {name: known[name].mirrored(rows) for name, rows in self.example.rows(length).items()}

    def poses(self, length: int) -> Motion:
        poses = self.example.poses(length)
        return mirror(poses, mirror_partners(poses.skeleton))
