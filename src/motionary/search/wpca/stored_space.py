"""A pose space with its name and what it was trained on, as the bank keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionary.errors import BankError, UserError
from motionary.search.wpca.space import PoseSpace
from motionary.search.wpca.weights import TILT, WHOLE_BODY, column_names, joint_shares

SHARES = (0.8, 0.9, 0.95, 0.99)  # of the variance, for which the number of components is told


@dataclass(frozen=True, eq=False)
class KeptSpace:
    """A trained space, and in which words it was asked for."""

    name: str
    space: PoseSpace
    preset: str = WHOLE_BODY
    by_mass: bool = True
    parts: Mapping[str, float] | None = None
    clips: str = ""  # which clips, in words; all if none
    n_clips: int = 0
    clip_ids: tuple[int, ...] = ()  # of a space that the bank keeps

    @property
    def weights(self) -> dict[str, float]:
        """The weight of every joint, of tilt and of height."""
        found = dict(zip(column_names(), self.space.weights.tolist(), strict=True))
        return dict(sorted(found.items(), key=lambda item: item[0] != TILT))

    @property
    def shares(self) -> dict[str, float]:
        """How much every joint, tilt and height count, whatever they weigh."""
        return joint_shares(self.preset, parts=self.parts)

    def components(self) -> dict[str, int]:
        """How many components hold shares of the variance."""
        return {f"{share:.0%}": self.space.components_for(share) for share in SHARES}

    def facts(self) -> dict[str, Any]:
        """What there is to say about it, for people and for JSON."""
        return {
            "space": self.name,
            "preset": self.preset,
            "by_mass": self.by_mass,
            "parts": dict(self.parts or {}),
            "clips": self.n_clips,
            "of": self.clips or "all clips",
            "frames": self.space.n_frames,
            "components": self.components(),
            "variances": [float(share) for share in np.round(self.space.shares, 6)],
        }

    def as_json(self) -> dict[str, Any]:
        return {
            "preset": self.preset,
            "by_mass": self.by_mass,
            "parts": dict(self.parts or {}),
            "clips": self.clips,
            "n_clips": self.n_clips,
            "clip_ids": list(self.clip_ids),
            "space": self.space.as_json(),
        }

    @classmethod
    def of_json(cls, name: str, content: Mapping[str, Any], *, where: str) -> "KeptSpace":
        try:
            return cls(
                name,
                PoseSpace.from_json(content["space"]),
                str(content["preset"]),
                bool(content["by_mass"]),
                {str(part): float(factor) for part, factor in content["parts"].items()},
                str(content["clips"]),
                int(content["n_clips"]),
                tuple(map(int, content.get("clip_ids", ()))),
            )
        except UserError as error:
            raise BankError(f"{where}: {error}") from error
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BankError(f"{where}: the pose space {name!r} is damaged; train it again") from error
