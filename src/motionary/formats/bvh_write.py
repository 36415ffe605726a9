"""Recordings to BVH text: names, hierarchy, end sites and channel order as they are, numbers that read back.

Positions read back to the bit. Angles that fit in 32 bits, as a bank keeps them, are written with the fewest
decimals that give the same 32 bits again; other angles to nine significant digits.
"""

import numpy as np
from numba import njit

from motionary.errors import SkeletonError
from motionary.motion import CHANNEL_NAMES, Recording

MOST_DECIMALS = 12
TENS = np.array([float(10**k) for k in range(MOST_DECIMALS + 1)])
LONG = -1  # as a number of decimals: Python writes the number
MOST_BYTES = 26  # of a number and its separator; repr never takes more


def bvh_text(recording: Recording) -> bytes:
    """The bytes of a BVH file that holds the recording."""
    if recording.layout.axes is not None:
        raise SkeletonError(
            "the joints of an Acclaim recording have their own rotation axes, which BVH does not support; "
            "convert it to channels without axes first (recording_of(motion))"
        )
    if recording.n_frames == 0 or recording.layout.n_channels == 0:
        raise SkeletonError("a recording without frames or channels cannot be written as BVH")
    if not np.isfinite(recording.values).all():
        raise SkeletonError("a recording with values that are not finite numbers cannot be written as BVH")
    order = _depth_first(recording)
    columns = np.concatenate([recording.layout.of_joint(joint) for joint in order])
    header = [
        *_hierarchy_lines(recording, order),
        "MOTION",
        f"Frames: {recording.n_frames}",
        f"Frame Time: {recording.frame_time!r}",
        "",
    ]
    return "\n".join(header).encode() + numbers_text(
        recording.values[:, columns], exact=~recording.layout.is_rotation[columns]
    )


def numbers_text(values: np.ndarray, *, exact: np.ndarray) -> bytes:
    """The frames (F, N), one a line; columns that are `exact` (N,) read back to the bit."""
    values = np.ascontiguousarray(values, dtype=np.float64)
    decimals = np.empty(values.shape, dtype=np.int8)
    _choose_decimals(values, exact, decimals)
    by_python = [repr(value).encode() for value in values[decimals == LONG].tolist()]
    ends = np.cumsum([0] + [len(word) for word in by_python])
    out = np.empty(values.size * MOST_BYTES, dtype=np.uint8)
    n_bytes = _print(values, decimals, np.frombuffer(b"".join(by_python) or b" ", dtype=np.uint8), ends, out)
    return out[:n_bytes].tobytes()


def _depth_first(recording: Recording) -> list[int]:
    """The joints in the order of the file: each followed by all below it."""
    children: list[list[int]] = [[] for _ in recording.skeleton.names]
    for joint in range(1, recording.skeleton.n_joints):
        children[recording.skeleton.parents[joint]].append(joint)
    order, waiting = [], [0]
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting += reversed(children[joint])
    return order


def _hierarchy_lines(recording: Recording, order: list[int]) -> list[str]:
    skeleton, layout = recording.skeleton, recording.layout
    depths = [0] * skeleton.n_joints
    lines, depth = ["HIERARCHY"], 0
    for joint in order:
        depths[joint] = depths[skeleton.parents[joint]] + 1 if joint else 0
        lines += [_indent(level) + "}" for level in range(depth - 1, depths[joint] - 1, -1)]
        depth = depths[joint] + 1
        indent, inner = _indent(depths[joint]), _indent(depth)
        channels = [CHANNEL_NAMES[kind] for kind in layout.kinds[layout.of_joint(joint)]]
        lines += [
            f"{indent}{'JOINT' if joint else 'ROOT'} {_name(skeleton.names[joint])}",
            indent + "{",
            f"{inner}OFFSET {_triple(skeleton.offsets[joint])}",
            " ".join([f"{inner}CHANNELS {len(channels)}", *channels]),
        ]
        for offset in skeleton.end_sites(joint):
            lines += [f"{inner}End Site", inner + "{", f"{inner}\tOFFSET {_triple(offset)}", inner + "}"]
    return lines + [_indent(level) + "}" for level in range(depth - 1, -1, -1)]


def _indent(level: int) -> str:
    return "\t" * min(level, 100)  # chains of thousands of joints would be mostly tabs


def _name(name: str) -> str:
    if not name or name != name.strip() or any(letter in "{}\r\n" for letter in name):
        raise SkeletonError(
            f"a joint named {name!r} cannot be written as BVH; names must not be empty, start or end with spaces, "
            "or contain braces or line breaks"
        )
    return name


def _triple(values: np.ndarray) -> str:
    return " ".join(repr(float(value)) for value in values)


@njit(cache=True, nogil=True)
def _choose_decimals(values, exact, decimals):  # type: ignore[no-untyped-def]
    """The fewest decimals with which each number is as near to the value as it must be; LONG if too many."""
    for f in range(values.shape[0]):
        for c in range(values.shape[1]):
            value = abs(values[f, c])
            single = np.float32(value)
            decimals[f, c] = LONG
            for d in range(MOST_DECIMALS + 1):
                scaled = np.rint(value * TENS[d])
                if scaled > 9e15:  # no longer a whole number that a double holds
                    break
                # a reader of the text computes the same quotient: both are the double nearest to the decimal
                number = scaled / TENS[d]
                if exact[c]:
                    near = number == value
                elif single == value:
                    near = np.float32(number) == single
                else:
                    near = abs(number - value) <= 5e-10 * value
                if near:
                    decimals[f, c] = d
                    break


@njit(cache=True, nogil=True)
def _print(values, decimals, by_python, ends, out):  # type: ignore[no-untyped-def]
    """Write the numbers to `out`, which has room for MOST_BYTES of each; returns how many bytes they take.

    Whole numbers up to 9e15 are printed here, their point set afterwards: 16 digits, or MOST_DECIMALS and one, fit into
    `digits`; with sign, point and separator that is less than repr's, at most 24 and the separator.
    """
    digits = np.empty(20, dtype=np.uint8)
    at = 0
    n_long = 0
    for f in range(values.shape[0]):
        for c in range(values.shape[1]):
            d = decimals[f, c]
            if d == LONG:
                for i in range(ends[n_long], ends[n_long + 1]):
                    out[at] = by_python[i]
                    at += 1
                n_long += 1
            else:
                if np.signbit(values[f, c]):
                    out[at] = ord("-")
                    at += 1
                whole = np.int64(np.rint(abs(values[f, c]) * TENS[d]))
                n_digits = 0
                while whole > 0 or n_digits <= d:
                    digits[n_digits] = ord("0") + whole % 10
                    whole //= 10
                    n_digits += 1
                for i in range(n_digits - 1, -1, -1):
                    out[at] = digits[i]
                    at += 1
                    if i == d and d > 0:
                        out[at] = ord(".")
                        at += 1
            out[at] = ord(" ")
            at += 1
        out[at - 1] = ord("\n")
    return at
