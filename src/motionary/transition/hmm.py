"""Hidden Markov models of natural motion, the baseline that scores are compared with (Ren et al. 2005).

Diagonal Gaussians, trained by Baum and Welch; all sequences have the same length, so that they are worked on together.
"""

from dataclasses import dataclass
from itertools import product

import numpy as np

LEAST_VARIANCE = 1e-3
LEAST_CHANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Hmm:
    """S hidden states, each a Gaussian over D dimensions without correlations."""

    start: np.ndarray  # (S,) chances
    change: np.ndarray  # (S, S) from the row's state to the column's
    means: np.ndarray  # (S, D)
    variances: np.ndarray  # (S, D)

    def log_likelihood(self, sequences: np.ndarray) -> np.ndarray:
        """The logarithm of the likelihood (N,) of sequences (N, F, D), per frame."""
        _, scales, shifts = _forward(self, sequences)
        return np.asarray((np.log(scales) + shifts).sum(axis=1) / sequences.shape[1])


def log_likelihood_reference(model: Hmm, sequence: np.ndarray) -> float:
    """What `Hmm.log_likelihood` computes for one sequence (F, D), from the definition: the sum over all state paths."""
    total = 0.0
    for path in product(range(len(model.start)), repeat=len(sequence)):
        chance = model.start[path[0]]
        for f, state in enumerate(path):
            away = (sequence[f] - model.means[state]) ** 2 / model.variances[state]
            density = np.exp(-0.5 * away) / np.sqrt(2.0 * np.pi * model.variances[state])
            chance *= np.prod(density) * (model.change[path[f - 1], state] if f else 1.0)
        total += float(chance)
    return float(np.log(total)) / len(sequence)


def train_hmm(sequences: np.ndarray, *, n_states: int, rng: np.random.Generator, n_rounds: int = 12) -> Hmm:
    """A model of sequences (N, F, D); states start at drawn frames."""
    flat = sequences.reshape(-1, sequences.shape[2])
    means = flat[rng.choice(len(flat), n_states, replace=False)]
    model = Hmm(
        np.full(n_states, 1.0 / n_states),
        np.full((n_states, n_states), 0.2 / n_states) + 0.8 * np.eye(n_states),
        means,
        np.tile(flat.var(axis=0) + LEAST_VARIANCE, (n_states, 1)),
    )
    for _ in range(n_rounds):
        model = _better(model, sequences)
    return model


def _better(model: Hmm, sequences: np.ndarray) -> Hmm:
    """One round of Baum and Welch."""
    n, n_frames, n_dims = sequences.shape
    alphas, scales, _ = _forward(model, sequences)
    densities = np.exp(_log_densities(model, sequences)[0])
    beta = np.ones((n, len(model.start)))
    gammas = np.empty_like(alphas)
    gammas[:, -1] = alphas[:, -1]
    changes = np.zeros_like(model.change)
    for f in range(n_frames - 2, -1, -1):
        onward = densities[:, f + 1] * beta / scales[:, f + 1, None]
        changes += model.change * (alphas[:, f].T @ onward)
        beta = onward @ model.change.T
        gammas[:, f] = alphas[:, f] * beta
    gammas /= np.maximum(gammas.sum(axis=2, keepdims=True), 1e-300)
    weights = gammas.reshape(-1, gammas.shape[2])
    flat = sequences.reshape(-1, n_dims)
    total = np.maximum(weights.sum(axis=0), 1e-9)[:, None]
    means = weights.T @ flat / total
    variances = np.maximum(weights.T @ flat**2 / total - means**2, 0.0) + LEAST_VARIANCE
    start = gammas[:, 0].mean(axis=0) + LEAST_CHANCE
    changes = changes / np.maximum(changes.sum(axis=1, keepdims=True), 1e-300) + LEAST_CHANCE
    return Hmm(start / start.sum(), changes / changes.sum(axis=1, keepdims=True), means, variances)


def _forward(model: Hmm, sequences: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Chances of the states (N, F, S) given all frames so far, their scales (N, F), and what densities lack (N, F)."""
    logs, shifts = _log_densities(model, sequences)
    densities = np.exp(logs)
    alphas, scales = np.empty_like(densities), np.empty(densities.shape[:2])
    now = model.start[None] * densities[:, 0]
    for f in range(densities.shape[1]):
        if f:
            now = (now @ model.change) * densities[:, f]
        scales[:, f] = np.maximum(now.sum(axis=1), 1e-300)
        now = now / scales[:, f, None]
        alphas[:, f] = now
    return alphas, scales, shifts


def _log_densities(model: Hmm, sequences: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logarithms of the states' densities (N, F, S), the largest of each frame taken off, and that (N, F)."""
    inverse = 1.0 / model.variances
    away = (
        sequences**2 @ inverse.T
        - 2.0 * sequences @ (model.means * inverse).T
        + np.sum(model.means**2 * inverse, axis=1)
    )
    logs = -0.5 * (away + np.sum(np.log(2.0 * np.pi * model.variances), axis=1))
    largest = logs.max(axis=2)
    return logs - largest[..., None], largest
