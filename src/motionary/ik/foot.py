"""The foot on top of the leg: where the ankle stands and how the foot turns for heel and ball to be in their places."""

from dataclasses import dataclass

import numpy as np

from motionary.errors import UsageError
from motionary.motion import FORWARD, UP, rotations


@dataclass(frozen=True, eq=False)
class FootTurn:
    """How a foot turns, and where its ankle comes to stand."""

    turn: np.ndarray  # (..., 4) world rotation to apply before the foot's own
    toes: np.ndarray  # (..., 4) the same for its toes: they point where the foot points, and stay as flat as they were
    ankle: np.ndarray  # (..., 3)


def place_foot(
    ankle: np.ndarray,
    heel: np.ndarray,
    ball: np.ndarray,
    *,
    wanted_heel: np.ndarray | None = None,
    wanted_ball: np.ndarray | None = None,
) -> FootTurn:
    """The turn and the ankle's place that bring heel, ball, or both to where they are wanted; (..., 3) each.

    With one of them the foot keeps its orientation and is only moved. With both it turns the shortest way until it
    lies along them, and the middle between heel and ball comes to the middle between their places: a foot keeps its
    length, whatever the places' distance.
    """
    if wanted_heel is None and wanted_ball is None:
        raise UsageError("a foot needs a position for its heel or its ball")
    ankle, heel, ball = (np.asarray(p, dtype=float) for p in (ankle, heel, ball))
    if wanted_heel is None:
        return _moved(ankle, np.asarray(wanted_ball) - ball)
    if wanted_ball is None:
        return _moved(ankle, np.asarray(wanted_heel) - heel)
    along, wanted = ball - heel, np.asarray(wanted_ball) - np.asarray(wanted_heel)
    known = (np.linalg.norm(along, axis=-1) > 1e-9) & (np.linalg.norm(wanted, axis=-1) > 1e-9)
    along, wanted = (np.where(known[..., None], way, FORWARD) for way in (along, wanted))  # no length, no turn
    turn = rotations.between_vectors(along, wanted)
    middle, wanted_middle = 0.5 * (heel + ball), 0.5 * (np.asarray(wanted_heel) + np.asarray(wanted_ball))
    _, toes = rotations.swing_twist(turn, UP)
    return FootTurn(turn, toes, wanted_middle + rotations.rotate(turn, ankle - middle))


def _moved(ankle: np.ndarray, move: np.ndarray) -> FootTurn:
    still = np.broadcast_to(rotations.IDENTITY, (*np.broadcast_shapes(ankle.shape, move.shape)[:-1], 4))
    return FootTurn(still, still, ankle + move)
