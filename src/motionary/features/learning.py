"""Learning a description from the surroundings of many poses, without labels.

What people do differs from clip to clip of one performer, and between pieces of a clip that are seconds apart, and
much less within a piece; how they look and move differs from performer to performer, and even between poses of two
performers that are each other's nearest. So discriminant analysis (Fisher 1936) finds the directions in which clips and
pieces of the same performer lie farthest apart, against all else. Pieces count only half, because a clip often shows
one action throughout; but they count, because a clip may be a long take of many actions, and much like the next take.
It is done on random features (Rahimi & Recht 2008), so that curved borders are found too. All is solved at once, and
the same lessons always give the same network.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import eigh

from motionary.errors import UsageError
from motionary.features.learned import N_DIMENSIONS, TINY, Network, random_features, standardised
from motionary.features.surroundings import surroundings_layout

N_COMPONENTS = 128
LEAST_HIDDEN, MOST_HIDDEN = 512, 4096  # random features
ROWS_EACH = 12  # rows to learn from for each of them
PIECE_SECS = 4.0  # of the pieces that a clip is cut into, at most
OF_PIECES = 0.5  # what the spread between pieces of one clip counts, against that between clips
HABIT = 0.5  # share of what differs between performers that is how they move, not what they do
NEIGHBOURLY = 2.0  # what the spread between neighbours of two performers counts
SHRINKAGE = 0.05  # of the spread within, towards the same in all directions, with 1,024 features
WHITENED = 0.05  # of the mean variance: components with less are hardly made larger
AT_ONCE = 4096  # rows
N_ASKED = 8000  # rows that the nearest pose of another performer is found for
N_ANSWERING = 40_000  # rows among which it is found
NEAR_SHARE = 0.7  # of the pairs: farther ones are no good neighbours
ASKED_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Lessons:
    """Surroundings of frames of the clips of a library, clip after clip, and who performs each clip.

    Clips are cut into pieces of the same length, of at most so many rows.
    """

    seen: np.ndarray  # (N, S) float32
    n_rows: np.ndarray  # (C,) of each clip, at least one
    performers: np.ndarray  # (C,) numbers from 0, none left out
    piece_rows: int

    def __post_init__(self) -> None:
        if len(self.n_rows) < 2:
            raise UsageError("a description can only be learned from a library with at least two clips")
        if self.n_rows.sum() != len(self.seen) or len(self.performers) != len(self.n_rows) or self.n_rows.min() < 1:
            raise ValueError("rows do not belong to clips, or clips not to performers")
        if self.piece_rows < 1:
            raise ValueError(f"pieces of {self.piece_rows} rows")

    @cached_property
    def pieces(self) -> np.ndarray:
        """The number of the piece (N,) that each row belongs to; they ascend."""
        n_pieces = -(-self.n_rows // self.piece_rows)
        firsts, rows_before = np.cumsum(n_pieces) - n_pieces, np.cumsum(self.n_rows) - self.n_rows
        clips = np.repeat(np.arange(len(self.n_rows)), self.n_rows)
        within = np.arange(len(self.seen)) - rows_before[clips]
        return np.asarray(firsts[clips] + within * n_pieces[clips] // self.n_rows[clips])

    @cached_property
    def clips(self) -> np.ndarray:
        """The clip of each piece."""
        return np.repeat(np.arange(len(self.n_rows)), -(-self.n_rows // self.piece_rows))


def learn(lessons: Lessons, *, rng: np.random.Generator, progress: Callable[[int, int], None] | None = None) -> Network:
    """The network that was learned; the same for the same lessons and the same state of `rng`."""
    means, deviations = _spread(lessons.seen)
    directions, signs = _components(lessons.seen, means, deviations)
    components = np.concatenate(
        [standardised(seen, means, deviations) @ directions for _, seen in _parts(lessons, lessons.seen)]
    )
    n_hidden = min(max(len(components) // ROWS_EACH, LEAST_HIDDEN), MOST_HIDDEN)
    hidden, thresholds = _hidden(components, n_hidden, rng)

    def features(rows: np.ndarray) -> np.ndarray:
        return random_features(rows, signs, hidden, thresholds)

    # Counted from about where they are: single precision is then enough for the sums of a part
    origin = features(components[:: max(1, len(components) // AT_ONCE)]).mean(axis=0)
    sums = np.zeros((len(lessons.clips), n_hidden))
    products = np.zeros((n_hidden, n_hidden))
    done = 0
    for pieces, rows in _parts(lessons, components):
        said = features(rows) - origin
        products += said.T @ said
        firsts = np.flatnonzero(np.r_[True, np.diff(pieces) > 0])
        sums[pieces[firsts]] += np.add.reduceat(said, firsts, axis=0, dtype=np.float64)
        done += len(rows)
        if progress:
            progress(done, len(components))
    centre = sums.sum(axis=0) / len(components)
    total = products / len(components) - np.outer(centre, centre)
    between = between_actions(sums, np.bincount(lessons.pieces), lessons.clips, lessons.performers)
    asked, nearest = neighbours(lessons, components, signs)
    apart = features(components[asked]).astype(np.float64) - features(nearest)
    within = total - between + NEIGHBOURLY * (apart.T @ apart) / max(1, 2 * len(apart))
    output = discriminants(between, within, N_DIMENSIONS)
    return Network(
        *(means, deviations, directions, signs, hidden, thresholds),
        output.astype(np.float32),
        np.asarray(-(centre + origin) @ output, dtype=np.float32),
    )


def neighbours(lessons: Lessons, components: np.ndarray, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows (A,) at even distances, and for each the nearest components (A, P) of another performer, mirrored or not.

    The pairs that are farthest apart are left out; there are none where one performer is all there is.
    """
    performers = np.repeat(lessons.performers, lessons.n_rows)
    asked = np.arange(0, len(components), max(1, len(components) // N_ASKED))
    if not performers.any():
        return asked[:0], components[:0]
    answering = np.arange(0, len(components), max(1, -(-len(components) // N_ANSWERING)))
    sides = [components[answering], components[answering] * signs]
    halves = [np.square(rows).sum(axis=1) / 2.0 for rows in sides]
    nearest = np.empty((len(asked), components.shape[1]), dtype=np.float32)
    distances = np.empty(len(asked))
    for first in range(0, len(asked), ASKED_AT_ONCE):
        some = asked[first : first + ASKED_AT_ONCE]
        same = performers[some][:, None] == performers[answering]
        best = np.full(len(some), np.inf)
        for rows, half in zip(sides, halves, strict=True):
            # Half the squared distance, but for what all answers have in common
            costs = np.where(same, np.float32(np.inf), half - components[some] @ rows.T)
            found = costs.argmin(axis=1)
            least = costs[np.arange(len(some)), found]
            nearest[first : first + len(some)][least < best] = rows[found[least < best]]
            best = np.minimum(best, least)
        distances[first : first + len(some)] = best + np.square(components[some]).sum(axis=1) / 2.0
    near = distances <= np.quantile(distances, NEAR_SHARE)
    return asked[near], nearest[near]


def between_actions(sums: np.ndarray, n_rows: np.ndarray, clips: np.ndarray, performers: np.ndarray) -> np.ndarray:
    """The covariance (H, H) of the means of clips and, half as much, of pieces within them; less half of that of the
    means of performers. Means are weighted by rows.

    `sums` (P, H) are those of each piece's `n_rows` (P,); `clips` (P,) are the clips of pieces, `performers` (C,) those
    of clips. Performers differ in how they move, but also in what they were asked to do: so half of it counts. Where no
    performer has two clips, they are not told apart.
    """

    def covariance(groups: np.ndarray) -> np.ndarray:
        sums_of = np.zeros((int(groups.max()) + 1, sums.shape[1]))
        np.add.at(sums_of, groups, sums)
        rows_of = np.bincount(groups, weights=n_rows)
        apart = sums_of / rows_of[:, None] - sums.sum(axis=0) / n_rows.sum()
        return np.asarray((apart * rows_of[:, None]).T @ apart / n_rows.sum())

    between = OF_PIECES * covariance(np.arange(len(sums))) + (1.0 - OF_PIECES) * covariance(clips)
    if performers.max() + 1 < len(performers):
        between -= HABIT * covariance(performers[clips])
    return np.asarray(between)


def discriminants(between: np.ndarray, within: np.ndarray, n_dimensions: int) -> np.ndarray:
    """The directions (H, D) in which the covariance `between` is largest against that `within`, best first.

    Those v with between v = r within v, for the largest r, where a share of its mean variance was added to `within` in
    all directions: a larger one where there are more features, of which more are next to nothing. Each is as long as
    makes its variance within 1, times √(r / (1 + r)).
    """
    size = len(within)
    shrinkage = SHRINKAGE * np.sqrt(size / 1024.0)
    within = within + np.eye(size) * (shrinkage * np.trace(within) / size + TINY)
    ratios, vectors = eigh(between, within, subset_by_index=[size - n_dimensions, size - 1])
    ratios, vectors = np.maximum(ratios[::-1], 0.0), vectors[:, ::-1]
    return np.asarray(_upright(vectors) * np.sqrt(ratios / (1.0 + ratios)))


def _parts(lessons: Lessons, rows: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The pieces (N,) and the numbers (N, D) of some rows at a time."""
    for first in range(0, len(rows), AT_ONCE):
        yield lessons.pieces[first : first + AT_ONCE], rows[first : first + AT_ONCE]


def _spread(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and deviations (S,) of the surroundings and of their mirror images together."""
    layout = surroundings_layout()
    means = seen.mean(axis=0, dtype=np.float64)
    squares = np.zeros(seen.shape[1])
    for first in range(0, len(seen), AT_ONCE):
        squares += np.square(seen[first : first + AT_ONCE], dtype=np.float64).sum(axis=0)
    squares /= len(seen)
    means_of_both = (means + means[layout.mirror_columns] * layout.mirror_signs) / 2.0
    squares_of_both = (squares + squares[layout.mirror_columns]) / 2.0
    deviations = np.sqrt(np.maximum(squares_of_both - means_of_both**2, 0.0)) + TINY
    return means_of_both.astype(np.float32), deviations.astype(np.float32)


def _components(seen: np.ndarray, means: np.ndarray, deviations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The principal components (S, P) of surroundings and mirror images, half whitened, and their signs in a mirror.

    Those that a mirror leaves as they are, and those whose signs it changes, are found apart from each other.
    """
    layout = surroundings_layout()
    covariance = np.zeros((seen.shape[1], seen.shape[1]))
    for first in range(0, len(seen), AT_ONCE):
        some = standardised(seen[first : first + AT_ONCE], means, deviations)
        covariance += some.T @ some
    columns, sides = layout.mirror_columns, layout.mirror_signs.astype(np.float64)
    covariance = (covariance + covariance[columns][:, columns] * np.outer(sides, sides)) / (2.0 * len(seen))
    mirror = np.zeros_like(covariance)
    mirror[np.arange(len(columns)), columns] = sides
    values, vectors, signs = [], [], []
    for sign in (1.0, -1.0):
        share = (np.eye(len(mirror)) + sign * mirror) / 2.0  # a projection: onto what has this sign in a mirror
        n_own = round(np.trace(share))
        found, axes = eigh(share @ covariance @ share, subset_by_index=[len(share) - n_own, len(share) - 1])
        values.append(found)
        vectors.append(axes)
        signs.append(np.full(n_own, sign))
    every, axes, of = np.concatenate(values), np.concatenate(vectors, axis=1), np.concatenate(signs)
    chosen = np.argsort(-every, kind="stable")[:N_COMPONENTS]
    variances = np.maximum(every[chosen], 0.0)
    scaled = _upright(axes[:, chosen]) * (variances + WHITENED * variances.mean() + TINY) ** -0.25
    return scaled.astype(np.float32), of[chosen].astype(np.float32)


def _hidden(components: np.ndarray, n_hidden: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random directions (P, H), as long as makes what they say of poses about 1 in size, and thresholds (H,).

    They are as long as if all their numbers were drawn from a normal distribution, but P at a time are orthogonal (Yu
    et al. 2016): so fewer of them say the same, and networks of different draws differ less.
    """
    n_components = components.shape[1]
    size = np.sqrt(np.square(components, dtype=np.float64).sum(axis=1).mean()) + TINY
    blocks = []
    for first in range(0, n_hidden, n_components):
        drawn = rng.standard_normal((n_components, n_components))
        axes, triangle = np.linalg.qr(rng.standard_normal(drawn.shape))
        axes *= np.sign(np.diag(triangle)) * np.linalg.norm(drawn, axis=0)
        blocks.append(axes[:, : n_hidden - first])
    hidden = np.concatenate(blocks, axis=1) / size
    return hidden.astype(np.float32), (0.5 * rng.standard_normal(n_hidden)).astype(np.float32)


def _upright(axes: np.ndarray) -> np.ndarray:
    """Axes (S, P) that each point to where their largest number is positive: an axis may point either way."""
    largest = axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])]
    return np.asarray(axes * np.where(largest < 0, -1.0, 1.0))
