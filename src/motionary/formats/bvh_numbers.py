"""The numbers of a BVH motion: decimal text to doubles, each equal to float(text) to the last bit.

Mantissas of up to 53 bits with small exponents need one multiplication or division (Clinger 1990), mantissas of
up to 18 digits one 128-bit product (Lemire 2021); whatever is longer goes through Python's float().
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numba import njit

LARGEST = 1e12  # beyond this a number is neither a length nor an angle


class Outcome(IntEnum):
    """How reading ended."""

    COMPLETE = 0
    ENDED = 1  # the text, before the last frame
    WRONG_COUNT = 2  # of numbers in a line
    NOT_A_NUMBER = 3
    TOO_LARGE = 4
    LONG_NUMBER = 5  # never leaves this module: a number for float()


@dataclass(frozen=True, eq=False)
class Frames:
    """The frames read, and how and where reading ended: at the bad word, else behind the last number."""

    values: np.ndarray  # (F, N)
    outcome: Outcome
    position: int  # in the text


def read_frames(text: np.ndarray, start: int, *, n_frames: int, n_channels: int, by_line: bool = True) -> Frames:
    """Up to `n_frames` frames of `n_channels` numbers from the bytes `text`, beginning at `start`.

    `by_line`: each frame has a line of its own. Otherwise line ends are blanks like others. Only whole frames
    come back. What is allocated follows the length of the text, whatever `n_frames` says.
    """
    if n_frames < 1 or n_channels < 1:
        return Frames(np.empty((0, n_channels)), Outcome.COMPLETE, start)
    most = (len(text) - start + 1) // 2  # every number takes a digit and a separator
    values = np.empty((min(n_frames, most // n_channels + 1), n_channels))
    numbers = values.reshape(-1)
    outcome, position, end, n_read, in_line = int(Outcome.LONG_NUMBER), start, start, 0, False
    while outcome == Outcome.LONG_NUMBER:
        outcome, position, end, n_read, in_line = _read_numbers(
            text, end, n_read, in_line, n_channels, by_line, numbers
        )
        if outcome == Outcome.LONG_NUMBER:
            number = float(text[position:end].tobytes())
            if abs(number) > LARGEST:
                outcome = int(Outcome.TOO_LARGE)
            else:
                numbers[n_read] = number
                n_read, in_line = n_read + 1, True
    if outcome == Outcome.COMPLETE and n_read < n_frames * n_channels:
        outcome = Outcome.ENDED
    return Frames(values[: n_read // n_channels], Outcome(outcome), position)


def read_frames_reference(text: bytes, n_channels: int) -> np.ndarray:
    """What `read_frames` makes of good text with a frame in each line."""
    lines = text.replace(b"\r", b"\n").split(b"\n")
    frames = [[float(word) for word in line.split()] for line in lines if line.split()]
    return np.array(frames).reshape(-1, n_channels)


def lines_fit_frames(text: np.ndarray, start: int, *, n_frames: int, n_channels: int) -> bool:
    """Whether the text holds exactly these numbers, each line whole frames or part of a single one."""
    return int(_frames_by_lines(text, start, n_channels)) == n_frames


def count_lines(text: np.ndarray, start: int, n_words: int) -> tuple[int, int]:
    """How many lines from `start` on are not blank, and how many of those have `n_words` words."""
    n_lines, n_such = _count_lines(text, start, n_words)
    return int(n_lines), int(n_such)


def _fives(exponent: int) -> tuple[int, int]:
    """The 128 leading bits of 5^exponent in two halves: truncated, for reciprocals rounded up."""
    if exponent >= 0:
        power = 5**exponent
        bits = power << 128 >> power.bit_length()
    else:
        power = 5**-exponent
        bits = -(-(1 << (power.bit_length() + 127)) // power)
    return bits >> 64, bits & (2**64 - 1)


TENS = np.array([float(10**k) for k in range(23)])  # exact
LEAST_FIVE, MOST_FIVE = -27, 27
FIVES = np.array([_fives(k) for k in range(LEAST_FIVE, MOST_FIVE + 1)], dtype=np.uint64)  # (55, 2)
NEWLINE, RETURN, BLANKS = 10, 13, (32, 9, 11, 12)
PLUS, MINUS, POINT, ZERO, EXPONENT = 43, 45, 46, 48, ord("e")


@njit(cache=True, nogil=True, inline="always")
def _is_blank(byte):  # type: ignore[no-untyped-def]
    return byte in BLANKS


@njit(cache=True, nogil=True)
def _read_numbers(text, at, n_read, in_line, n_channels, by_line, numbers):  # type: ignore[no-untyped-def]
    """(outcome, position, end, n_read, in_line); called again with the last three, it goes on where it stopped.

    `position` and `end` enclose the word that stopped it, if one did.

    `in_line`: numbers of the present line have been read, so that its end comes before the next frame.

    `numbers` has room for whole frames, one at least: a number is written only where a frame has begun that fits.
    """
    stop = len(text)
    total = len(numbers)
    column = n_read % n_channels
    if in_line and column == 0:
        column = n_channels
    while True:
        while at < stop and _is_blank(text[at]):
            at += 1
        if at == stop or text[at] == NEWLINE or text[at] == RETURN:
            if column == n_channels:
                column = 0
            elif column > 0 and (by_line or at == stop):
                return Outcome.WRONG_COUNT.value, at, at, n_read, True
            if n_read == total:
                return Outcome.COMPLETE.value, at, at, n_read, False
            if at == stop:
                return Outcome.ENDED.value, at, at, n_read, False
            at += 1
            continue
        if column == n_channels:
            if by_line:
                return Outcome.WRONG_COUNT.value, at, at, n_read - n_channels, True
            if n_read == total:
                return Outcome.COMPLETE.value, at, at, n_read, False
            column = 0

        word = at
        negative = text[at] == MINUS
        if negative or text[at] == PLUS:
            at += 1
        mantissa = 0
        digits = at
        while at < stop:
            digit = int(text[at]) - ZERO
            if digit < 0 or digit > 9:
                break
            mantissa = 10 * mantissa + digit
            at += 1
        n_digits = at - digits
        exponent = 0
        if at < stop and text[at] == POINT:
            at += 1
            fraction = at
            while at < stop:
                digit = int(text[at]) - ZERO
                if digit < 0 or digit > 9:
                    break
                mantissa = 10 * mantissa + digit
                at += 1
            exponent = fraction - at
            n_digits -= exponent
        if n_digits == 0:
            return Outcome.NOT_A_NUMBER.value, word, at, n_read, True
        if at < stop and text[at] | 32 == EXPONENT:
            at += 1
            down = at < stop and text[at] == MINUS
            if down or (at < stop and text[at] == PLUS):
                at += 1
            power = 0
            first = at
            while at < stop:
                digit = int(text[at]) - ZERO
                if digit < 0 or digit > 9:
                    break
                power = 10 * power + digit if power < 10_000 else power
                at += 1
            if at == first:
                return Outcome.NOT_A_NUMBER.value, word, at, n_read, True
            exponent += -power if down else power
        if at < stop and not (_is_blank(text[at]) or text[at] == NEWLINE or text[at] == RETURN):
            return Outcome.NOT_A_NUMBER.value, word, at, n_read, True

        if n_digits > 18:  # leading zeros do not count, but only long numbers are worth looking at
            for i in range(digits, at):
                if text[i] == ZERO:
                    n_digits -= 1
                elif text[i] != POINT:
                    break
            if n_digits > 18:
                return Outcome.LONG_NUMBER.value, word, at, n_read, in_line
        if mantissa < 1 << 53 and -23 < exponent < 23:
            number = mantissa / TENS[-exponent] if exponent < 0 else mantissa * TENS[exponent]
        elif mantissa > 0 and LEAST_FIVE <= exponent <= MOST_FIVE:
            number = _nearest(mantissa, exponent)
        else:
            return Outcome.LONG_NUMBER.value, word, at, n_read, in_line
        if number > LARGEST:
            return Outcome.TOO_LARGE.value, word, at, n_read, True
        numbers[n_read] = -number if negative else number
        n_read += 1
        column += 1
        in_line = True


@njit(cache=True, nogil=True)
def _nearest(mantissa, exponent):  # type: ignore[no-untyped-def]
    """The double nearest to mantissa · 10^exponent (Lemire 2021, sec. 5); 0 < mantissa < 2^63.

    Within the exponents of FIVES the product's 64 leading bits decide, and no result is subnormal.
    """
    one = np.uint64(1)
    width = 64
    while np.uint64(mantissa) >> np.uint64(width - 1) == 0:
        width -= 1
    normal = np.uint64(mantissa) << np.uint64(64 - width)
    high, low = _product(normal, FIVES[exponent - LEAST_FIVE, 0])
    if high & np.uint64(0x1FF) == np.uint64(0x1FF):  # the next 64 bits may carry into those that count
        more, _ = _product(normal, FIVES[exponent - LEAST_FIVE, 1])
        if low > ~more:
            high += one
            low = low - ~more - one
        else:
            low += more
    top = high >> np.uint64(63)
    shift = top + np.uint64(9)
    rounded = high >> shift  # 54 bits: one more than a double holds
    if low <= one and -4 <= exponent <= 23 and rounded & np.uint64(3) == one and rounded << shift == high:
        rounded &= ~one  # exactly half-way: to the even neighbour
    rounded = (rounded + (rounded & one)) >> one
    # 5^exponent · 2^exponent: FIVES keeps a power of five as a fraction of 2^floor(log2(5^exponent))
    binary = ((217706 * exponent) >> 16) + width - 64 + 63 + np.int64(top) - 52
    return np.ldexp(np.float64(np.int64(rounded)), binary)


@njit(cache=True, nogil=True, inline="always")
def _product(a, b):  # type: ignore[no-untyped-def]
    """The 128 bits of a · b in two halves."""
    half, mask = np.uint64(32), np.uint64(0xFFFFFFFF)
    a_high, a_low, b_high, b_low = a >> half, a & mask, b >> half, b & mask
    low = a_low * b_low
    middle = a_high * b_low + (low >> half)
    other = a_low * b_high + (middle & mask)
    return a_high * b_high + (middle >> half) + (other >> half), (other << half) | (low & mask)


@njit(cache=True, nogil=True)
def _frames_by_lines(text, start, n_channels):  # type: ignore[no-untyped-def]
    """How many frames the words make up, each line whole frames or part of a single one; −1 if they do not."""
    stop = len(text)
    n_words, n_before = 0, 0  # up to here, and at the start of the line
    in_word = False
    for at in range(start, stop + 1):
        at_end = at == stop or text[at] == NEWLINE or text[at] == RETURN
        if not (at_end or _is_blank(text[at])):
            n_words += 0 if in_word else 1
            in_word = True
            continue
        in_word = False
        if at_end and n_words > n_before:
            whole = n_before % n_channels == 0 and n_words % n_channels == 0
            if not (whole or n_before // n_channels == (n_words - 1) // n_channels):
                return -1
            n_before = n_words
    return n_words // n_channels if n_words % n_channels == 0 else -1


@njit(cache=True, nogil=True)
def _count_lines(text, start, n_wanted):  # type: ignore[no-untyped-def]
    n_lines, n_such, n_words = 0, 0, 0
    in_word = False
    for at in range(start, len(text) + 1):
        at_end = at == len(text) or text[at] == NEWLINE or text[at] == RETURN
        if not (at_end or _is_blank(text[at])):
            n_words += 0 if in_word else 1
            in_word = True
            continue
        in_word = False
        if at_end:
            n_lines += 1 if n_words > 0 else 0
            n_such += 1 if n_words == n_wanted else 0
            n_words = 0
    return n_lines, n_such
