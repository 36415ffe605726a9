"""Knees that are bent backwards, as actors stand whose legs are straighter than their markers say.

A leg has the same length whether its knee is bent forwards or backwards by an angle. One that is bent backwards and
must become shorter would have to jump to the other side, and one that trembles about straight would do so from frame to
frame. It goes over bit by bit instead: `unfold` is the bend of a knee that was recorded `back` radians backwards where
a knee that bends forwards only would be bent by `fold`. At `fold` = `back` it is where it was; far from there it is
bent forwards as it has to be; between, the leg counts as a little shorter than it is: by a millimetre at most if it was
bent backwards by three degrees. Where `back` is 0, nothing is different.
"""

import math

from numba import njit


@njit(cache=True, nogil=True)
def backwards(bend):  # type: ignore[no-untyped-def]
    """By how much a knee is bent backwards."""
    return -bend if bend < 0.0 else 0.0


@njit(cache=True, nogil=True)
def unfold(fold, back):  # type: ignore[no-untyped-def]
    """The bend of a knee recorded as bent backwards by `back`, from that of a knee that bends forwards only."""
    return fold - 2.0 * back * back / max(fold, back, 1e-9)


@njit(cache=True, nogil=True)
def fold_of(bend, back):  # type: ignore[no-untyped-def]
    """(fold, its slope over the bend): what `unfold` makes this bend of."""
    if back <= 0.0:
        return bend, 1.0
    root = math.sqrt(bend * bend + 8.0 * back * back)
    return 0.5 * (bend + root), 0.5 * (1.0 + bend / root)
