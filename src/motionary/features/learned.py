"""A description learned from a library: a small network that sees what is around a pose.

Frames of one clip that are seconds apart lie near each other in it, and frames of other clips of the same performer
far away: see `learning`. So it tells what somebody does, rather than the pose of a moment or who it is.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from motionary.features.descriptions import Description, Dimension
from motionary.features.poses import Poses
from motionary.features.surroundings import SOURCES, surroundings

N_DIMENSIONS = 64
LEARNED_LENGTH = 2.0  # of every row: added to the gist, it counts about twice as much
MOST_DEVIATIONS = 5.0  # numbers farther from their means say no more
TINY = 1e-6
AT_ONCE = 1024  # frames


def learned() -> Description:
    """Its dimensions; a mirror changes none of them. What they say, only a `Network` knows."""
    names = (f"learned {number}" for number in range(1, N_DIMENSIONS + 1))
    dimensions = tuple(Dimension(name, "m", "", name) for name in names)
    return Description("learned", dimensions, _unknown, needs_network=True)


@dataclass(frozen=True, eq=False)
class Network:
    """Describes poses: standardised surroundings, their principal components, one hidden layer, and its directions.

    What the hidden layer says of a pose and of its mirror image is added, and so the same for both. A component is its
    own mirror image, but for its sign. All rows have the same length.
    """

    SOURCES: ClassVar[tuple[str, ...]] = tuple(source.__name__ for source, _ in SOURCES)  # descriptions it is told

    means: np.ndarray  # (S,) float32, as all
    deviations: np.ndarray  # (S,)
    components: np.ndarray  # (S, P)
    signs: np.ndarray  # (P,) of each component in a mirror
    hidden: np.ndarray  # (P, H)
    thresholds: np.ndarray  # (H,)
    output: np.ndarray  # (H, D)
    offsets: np.ndarray  # (D,)

    def __post_init__(self) -> None:
        shapes = [getattr(self, one.name).shape for one in fields(self)]
        (n_seen,), (n_components, n_hidden) = self.means.shape, self.hidden.shape
        expected = [(n_seen,), (n_seen,), (n_seen, n_components), (n_components,), self.hidden.shape]
        if shapes != [*expected, (n_hidden,), (n_hidden, N_DIMENSIONS), (N_DIMENSIONS,)]:
            raise ValueError(f"arrays of shapes {shapes} make no network")

    @property
    def name(self) -> str:
        """Of its description."""
        return learned().name

    @property
    def n_dimensions(self) -> int:
        return self.output.shape[1]

    def is_same(self, other: "Network | None") -> bool:
        """Whether both describe all motions alike."""
        if other is None or self is other:
            return self is other
        return all(np.array_equal(getattr(self, one.name), getattr(other, one.name)) for one in fields(self))

    def rows(self, arrays: Mapping[str, np.ndarray], *, rate_hz: float) -> np.ndarray:
        """The learned description (F, D) of a motion with these features, float32.

        The same motion has the same rows to the last bit, whatever else is described with it.
        """
        seen = surroundings(arrays, rate_hz=rate_hz)
        blocks = [self.described(seen[first : first + AT_ONCE]) for first in range(0, len(seen), AT_ONCE)]
        return np.concatenate(blocks) if blocks else np.zeros((0, N_DIMENSIONS), dtype=np.float32)

    def described(self, seen: np.ndarray) -> np.ndarray:
        """The learned description (F, D) of frames with these surroundings (F, S)."""
        components = standardised(seen, self.means, self.deviations) @ self.components
        features = random_features(components, self.signs, self.hidden, self.thresholds)
        said = features @ self.output + self.offsets
        lengths = np.sqrt((said * said).sum(axis=1, keepdims=True))
        return np.asarray(LEARNED_LENGTH * said / (lengths + np.float32(TINY)), dtype=np.float32)


def _unknown(_: Poses) -> np.ndarray:
    raise ValueError("poses do not tell what was learned from a library")


def standardised(seen: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Surroundings (F, S) in deviations from their means, the largest cut off."""
    return np.asarray(np.clip((seen - means) / deviations, -MOST_DEVIATIONS, MOST_DEVIATIONS))


def random_features(
    components: np.ndarray, signs: np.ndarray, hidden: np.ndarray, thresholds: np.ndarray
) -> np.ndarray:
    """What the hidden layer says (F, H) of the components (F, P) of poses and of their mirror images, added."""
    either = np.maximum(components @ hidden + thresholds, np.float32(0.0))
    either += np.maximum((components * signs) @ hidden + thresholds, np.float32(0.0))
    return np.asarray(either)
