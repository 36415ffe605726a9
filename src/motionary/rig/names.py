"""Joint names taken apart: side, word and numbers, whatever prefixes and separators a tool puts around them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from motionary.rig.aliases import END_ENDINGS, HELPER_ENDINGS, HELPER_TOKENS, HELPER_WORDS, NECK_WORDS, SIDED_WORDS

SIDE_TOKENS = {"left": "Left", "l": "Left", "right": "Right", "r": "Right", "左": "Left", "右": "Right"}
OTHER_SIDE = {"Left": "Right", "Right": "Left"}

# What tools write before or behind a name; stripped again and again until none is left.
_PREFIXES = re.compile(
    r"(mixamorig\d*[:_]?|model[:_]|valvebiped\.|bip\d+[ _]+|cc_base_|j_bip_c_|j_bip_|def[-_]|org[-_]|bn_|joint_"
    r"|b_|j_(?=[a-z])|(?-i:m(?=[A-Z])))(?=.)",
    re.IGNORECASE,
)
_SUFFIXES = re.compile(r"(?<=.)([ _.](jnt|x))$", re.IGNORECASE)
_RUNNING_NUMBER = re.compile(r"_(\d+)$")
_TOKENS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")
_FILLERS = frozenset(("bend", "stretch"))  # lShldrBend, arm_stretch.l: the part itself


@dataclass(frozen=True, slots=True)
class JointName:
    """A joint's name: "Left", "Right" or "" for its side, its word in small letters, its numbers in order."""

    side: str
    word: str
    numbers: tuple[int, ...] = ()
    helper: bool = False
    marks_end: bool = False  # HeadTop_End, Finger3Nub: where a bone ends


def read_names(names: Sequence[str]) -> list[JointName]:
    """All joint names of one skeleton, taken apart; what all of them share (a prefix, a running number) goes."""
    plain = [name.rsplit(":", 1)[-1] or name for name in names]
    plain = _without_running_numbers(plain)
    plain = _without_common_prefix(plain)
    stripped = [_strip(name) for name in plain]
    small = {name.lower() for name in stripped}
    return [_read(name, whole, small) for name, whole in zip(stripped, plain, strict=True)]


def _strip(name: str) -> str:
    while True:
        shorter = _PREFIXES.sub("", name, count=1) if _PREFIXES.match(name) else name
        shorter = _SUFFIXES.sub("", shorter)
        if shorter == name:
            return name
        name = shorter


def _without_running_numbers(names: list[str]) -> list[str]:
    """Names without the number that Sketchfab appends to every one of them."""
    numbers = [match.group(1) for match in map(_RUNNING_NUMBER.search, names) if match]
    if len(names) < 5 or len(numbers) < 0.8 * len(names) or len(set(numbers)) < len(numbers):
        return names
    return [_RUNNING_NUMBER.sub("", name) or name for name in names]


def _without_common_prefix(names: list[str]) -> list[str]:
    """Names without a prefix that all share, if it ends at a separator and is no side."""
    first, last = min(names), max(names)  # whatever these two share, all in between share
    shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    prefix = re.sub(r"[^ _:.\-]*$", "", first[:shared])
    if len(names) < 5 or any(token.lower() in SIDE_TOKENS for token in _TOKENS.findall(prefix)):
        return names
    return [name[len(prefix) :] or name for name in names]


def _read(name: str, whole: str, small: set[str]) -> JointName:
    tokens = [token.lower() for token in _TOKENS.findall(name)]
    letters = [token for token in tokens if not token.isdecimal() and token not in _FILLERS]
    numbers = tuple(int(token) for token in tokens if token.isdecimal())
    side, letters = _side(letters, small)
    word = "".join(letters)
    neck = any(part in word for part in NECK_WORDS)  # CC_Base_NeckTwist01 is the neck itself
    helper = whole.startswith("__") or (
        not neck
        and (
            word in HELPER_WORDS
            or not HELPER_TOKENS.isdisjoint(letters)
            or (word.endswith(HELPER_ENDINGS) and word not in HELPER_ENDINGS)
        )
    )
    return JointName(side, word, numbers, helper, helper and word.endswith(END_ENDINGS))


def _side(letters: list[str], small: set[str]) -> tuple[str, list[str]]:
    """(side, the other tokens): a token of its own, or the beginning or end of one."""
    if len(letters) > 1:
        for i, token in enumerate(letters):
            if token in SIDE_TOKENS:
                return SIDE_TOKENS[token], letters[:i] + letters[i + 1 :]
    if letters:
        first, last = letters[0], letters[-1]
        for mark in ("left", "right", "左", "右"):
            if first.startswith(mark) and len(first) > len(mark):
                return SIDE_TOKENS[mark], [first[len(mark) :], *letters[1:]]
            if last.endswith(mark) and len(last) > len(mark) and last != "upright":
                return SIDE_TOKENS[mark], [*letters[:-1], last[: -len(mark)]]
        # A bare letter is a side only before a known word, or if its counterpart is there too.
        other = {"l": "r", "r": "l"}.get(first[0])
        if other and (first[1:] in SIDED_WORDS or any(other + first[1:] == name for name in small)):
            return SIDE_TOKENS[first[0]], [first[1:], *letters[1:]] if len(first) > 1 else letters[1:]
    return "", letters
