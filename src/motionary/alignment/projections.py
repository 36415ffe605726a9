"""Fewer dimensions that never overestimate a weighted distance (principal components, or any orthonormal basis)."""

import numpy as np

from motionary.errors import UsageError

ORTHONORMAL_WITHIN = 1e-6


def principal_basis(values: np.ndarray, n_components: int) -> np.ndarray:
    """The orthonormal directions (D, R) in which a table (F, D) varies most, most first; signs are fixed."""
    centred = values - np.mean(values, axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    basis = vectors[:, ::-1][:, :n_components]
    largest = np.abs(basis).argmax(axis=0)
    return np.ascontiguousarray(basis * np.where(basis[largest, np.arange(basis.shape[1])] < 0, -1.0, 1.0))


def tight_projection(basis: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A matrix (D, R) with |x A|² ≤ Σ w x² for every x (D,), and none above it that sees only z = x · `basis`.

    |x A|² is zᵀ (Pᵀ W⁻¹ P)⁻¹ z: the least weighted square of all x with that z. Weights (D,) must not be negative;
    where they are 0, x may be anything, and directions that it can reach are left out. Plain sums over z, each with
    a weight of its own, would overestimate: only equal weights carry over to principal components.
    """
    basis, weights = _checked(basis, weights)
    free = basis[weights == 0]
    bound_by = _null_space(free)  # (R, S) combinations of z that the free dimensions cannot change
    held = basis[weights > 0] @ bound_by
    inner = held.T @ (held / weights[weights > 0, None])
    # zᵀ N (Nᵀ Pᵀ W⁻¹ P N)⁻¹ Nᵀ z = |L⁻¹ Nᵀ z|² with L Lᵀ the matrix in the brackets
    factor = np.linalg.solve(np.linalg.cholesky(inner), bound_by.T) if inner.size else np.zeros((0, basis.shape[1]))
    return np.ascontiguousarray(basis @ factor.T)


def plain_projection(basis: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """A matrix (D, R) with |x A|² = min(w) |z|² ≤ Σ w x²: looser than `tight_projection`, and as cheap as can be."""
    basis, weights = _checked(basis, weights)
    return np.ascontiguousarray(np.sqrt(weights.min()) * basis)


def projected_bound_reference(gap: np.ndarray, basis: np.ndarray, weights: np.ndarray) -> float:
    """What `tight_projection` leaves of Σ w x² for x = `gap`, from the definition: the least of all x with that z.

    Weights must be above 0. With y = √w x it is the least |y|² with (P / √w)ᵀ y = z, which least squares finds.
    """
    root = np.sqrt(weights)
    shortest = np.linalg.lstsq((basis / root[:, None]).T, basis.T @ gap, rcond=None)[0]
    return float(shortest @ shortest)


def _checked(basis: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    basis, weights = np.asarray(basis, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if basis.ndim != 2 or weights.shape != basis.shape[:1]:
        raise UsageError(f"a basis of shape {basis.shape} does not fit weights of shape {weights.shape}")
    if not np.allclose(basis.T @ basis, np.eye(basis.shape[1]), atol=ORTHONORMAL_WITHIN):
        raise UsageError("a projection needs a basis of unit vectors at right angles")
    if not (np.isfinite(weights).all() and (weights >= 0).all()):
        raise UsageError("a projection gives no lower bound with negative weights")
    return basis, weights


def _null_space(matrix: np.ndarray) -> np.ndarray:
    """Unit vectors (R, S) that a matrix (N, R) turns to 0."""
    if len(matrix) == 0:
        return np.eye(matrix.shape[1])
    _, sizes, directions = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.sum(sizes > 1e-13))
    return directions[rank:].T
