"""Alignments as bytes: the steps from pair to pair, in as few bits as the largest needs."""

import hashlib

import numpy as np

WIDTHS = {4: "u1", 8: "u1", 16: "<u2", 32: "<u4"}  # bits of one number, and what holds it


def pack_pairs(pairs: np.ndarray) -> bytes:
    """The pairs (K, 2) of frames that never go back as bytes; equal pairs give equal bytes.

    The first byte is the number of bits. Steps follow, the first from (0, 0): a byte for both frames where 4 bits do,
    as they do for DTW, else one number for each.
    """
    pairs = np.asarray(pairs, dtype=np.int64).reshape(-1, 2)
    steps = np.diff(pairs, axis=0, prepend=np.zeros((1, 2), dtype=np.int64))
    if (steps < 0).any() or (pairs >= 2**31).any():
        raise ValueError("pairs must go forward from frame 0 on, and fit 31 bits")
    bits = next(bits for bits in WIDTHS if not (steps >= 2**bits).any())
    numbers = 16 * steps[:, 0] + steps[:, 1] if bits == 4 else steps
    return bytes([bits]) + numbers.astype(WIDTHS[bits]).tobytes()


def unpack_pairs(packed: bytes) -> np.ndarray:
    """The pairs (K, 2) int32 that `pack_pairs` was given; raises ValueError for bytes that it never gives."""
    if not packed or packed[0] not in WIDTHS:
        raise ValueError("not the bytes of an alignment")
    numbers = np.frombuffer(packed, WIDTHS[packed[0]], offset=1).astype(np.int64)
    steps = np.stack([numbers // 16, numbers % 16], axis=1) if packed[0] == 4 else numbers.reshape(-1, 2)
    return np.cumsum(steps, axis=0).astype(np.int32)


def digest_of_pairs(packed: bytes) -> bytes:
    """What names an alignment's bytes."""
    return hashlib.blake2b(packed, digest_size=16).digest()
