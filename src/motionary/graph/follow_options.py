"""What a good way along a path is, and how hard it is looked for."""

from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError


@dataclass(frozen=True)
class FollowOptions:
    """What a good way is: near the path, facing along it, by good transitions, soon at its end."""

    off_path: float = 100.0  # for a second at 1 m from the path, growing with the square
    turned_away: float = 0.4  # for a second with the hips turned away from the path by 90°
    per_transition: float = 40.0  # for a squared distance of 1 m²
    per_blend: float = 0.1  # for every transition
    per_second: float = 0.3
    most_off: float = 0.6  # metres: who is further away has lost the path
    steer_deg: float = 12.0  # how far a transition may turn the body besides
    width: int = 8  # of the search: states that are followed up in every layer
    alike_frames: int = 4  # of states of one layer that are nearer than this, and within 10°, one is kept; 0: all

    def __post_init__(self) -> None:
        if not (self.most_off > 0.0 and self.width >= 1 and 0.0 <= self.steer_deg <= 45.0):
            raise UsageError("following needs a width of at least 1, most_off above 0 m and 0 to 45° of steering")
        weights = (self.off_path, self.turned_away, self.per_transition, self.per_blend, self.per_second)
        if not all(0.0 <= weight < np.inf for weight in weights):
            raise UsageError("what following costs must be at least 0, and finite")
