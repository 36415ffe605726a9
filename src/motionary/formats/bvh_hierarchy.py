"""The HIERARCHY of a BVH file: joints, offsets, end sites and channels, from words to skeletons."""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from motionary.errors import MotionFileError
from motionary.formats.bvh_numbers import LARGEST
from motionary.motion import CHANNEL_NAMES, Skeleton

MOST_JOINTS = 10_000  # in a file, end sites included: keeps a senseless file from taking minutes
WORD = re.compile(rb"[{}]|[^\s{}]+")
OPENING = re.compile(rb"([^\r\n{}]*+)\s*+(\{?)")  # a name, which ends with its line, and a brace
NUMBER = re.compile(rb"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
THREE_NUMBERS = re.compile(rb"\s*(%b)\s+(%b)\s+(%b)(?![^\s{}])" % ((NUMBER.pattern,) * 3))
CHANNELS = re.compile(
    rb"(?i)\s*(\d{1,9})((?:\s+[a-z]+(?:position|rotation|scale)(?![^\s{}])){0,7})"
)  # six are possible
CONFLICT_MARKS = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")
KINDS = {name.upper().encode(): kind for kind, name in enumerate(CHANNEL_NAMES)}
CHECK_LINE = "Compare the line with one that works, or export the file anew."


@dataclass(frozen=True, eq=False)
class Source:
    """The bytes of a file, and where in them an error is."""

    data: bytes
    path: Path

    def line(self, position: int) -> int:
        """The number of the line, from 1; CR, LF and both together end a line."""
        count = self.data.count
        return count(b"\n", 0, position) + count(b"\r", 0, position) - count(b"\r\n", 0, position) + 1

    def error(self, position: int, problem: str, remedy: str = CHECK_LINE) -> MotionFileError:
        return MotionFileError(self.path, self.line(position), problem, remedy)

    def word(self, position: int) -> bytes:
        """The word at or behind the position; b"" at the end."""
        found = WORD.search(self.data, position)
        return found[0] if found else b""

    def number(self, position: int, what: str) -> tuple[float, int]:
        """The number at or behind the position, and the position behind it."""
        found = WORD.search(self.data, position)
        if not found:
            raise self.error(len(self.data), f"the file ends where {what} should be", "The file is cut off.")
        if not NUMBER.fullmatch(found[0]):
            raise self.error(found.start(), f"{quoted(found[0])} is not a number, {what} needs one")
        return float(found[0]), found.end()


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """One root with all below it, and its channels in the order of the file."""

    skeleton: Skeleton
    channel_joints: np.ndarray  # (N,) int32
    channel_kinds: np.ndarray  # (N,) int8, into CHANNEL_NAMES


def parse_hierarchies(source: Source) -> tuple[list[Hierarchy], int]:
    """The hierarchies, one for each ROOT, and the position behind the word MOTION."""
    reader = _Reader(source)
    if reader.next().upper() != b"HIERARCHY":
        raise source.error(reader.word_at, "a BVH file begins with HIERARCHY, this one does not")
    while True:
        word = reader.next()
        keyword = word.upper()
        if keyword in (b"ROOT", b"JOINT"):
            _open_joint(reader, keyword)
        elif keyword.startswith(b"END"):
            _open_end_site(reader)
        elif keyword == b"OFFSET":
            _read_offset(reader)
        elif keyword == b"CHANNELS":
            _read_channels(reader)
        elif keyword == b"}":
            _close(reader)
        elif keyword == b"MOTION":
            break
        elif not word:
            raise source.error(
                reader.at, "the file ends within the hierarchy, there is no MOTION", "It is cut off."
            )
        elif word in CONFLICT_MARKS:
            raise source.error(
                reader.word_at, "a version-control conflict mark stands in the hierarchy", "Resolve the conflict."
            )
        else:
            raise source.error(reader.word_at, f"{quoted(word)} has no meaning in a hierarchy")
    if reader.open:
        last = reader.open[-1]
        raise source.error(
            reader.word_at,
            f"MOTION stands inside {last.title}, opened in line {source.line(last.position)}",
            "Close every joint and End Site with a brace.",
        )
    if not reader.trees:
        raise source.error(reader.word_at, "the hierarchy has no ROOT")
    return [tree.finish(_encoding(reader.trees)) for tree in reader.trees], reader.at


def quoted(word: bytes) -> str:
    """A word of the file for an error message, shortened if it is long."""
    text = word.decode("utf-8", "replace")
    return repr(text if len(text) <= 40 else text[:37] + "...")


@dataclass(slots=True)
class _Tree:
    """A hierarchy in the making."""

    names: list[bytes] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    offsets: list[tuple[float, float, float]] = field(default_factory=list)
    end_sites: list[tuple[int, tuple[float, float, float]]] = field(default_factory=list)
    channels: list[tuple[int, int]] = field(default_factory=list)

    def finish(self, encoding: str) -> Hierarchy:
        end_sites = sorted(
            self.end_sites, key=lambda site: site[0]
        )  # by joint: they may stand behind its children
        skeleton = Skeleton(
            tuple(name.decode(encoding) for name in self.names),
            np.array(self.parents),
            np.array(self.offsets),
            np.array([joint for joint, _ in end_sites]),
            np.array([offset for _, offset in end_sites]).reshape(-1, 3),
        )
        channels = np.array(self.channels).reshape(-1, 2)
        return Hierarchy(skeleton, channels[:, 0].astype(np.int32), channels[:, 1].astype(np.int8))


@dataclass(slots=True)
class _Block:
    """A joint or end site whose closing brace has not come yet."""

    name: bytes  # for an end site, as the number below, that of the joint it hangs on
    position: int
    joint: int
    is_end_site: bool = False
    offset: tuple[float, float, float] | None = None
    has_channels: bool = False

    @property
    def title(self) -> str:
        joint = f"joint {quoted(self.name)}"
        return f"the End Site of {joint}" if self.is_end_site else joint


class _Reader:
    """Walks through the words, remembering what is open."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.at = 0  # behind the last word
        self.word_at = 0  # at the last word
        self.trees: list[_Tree] = []
        self.open: list[_Block] = []  # a list, not recursion: files may nest as deep as they like
        self.n_opened = 0

    def next(self) -> bytes:
        """The next word; b"" at the end."""
        found = WORD.search(self.source.data, self.at)
        if not found:
            self.word_at = self.at = len(self.source.data)
            return b""
        self.word_at, self.at = found.span()
        return found[0]

    def opening(self) -> tuple[bytes, bool]:
        """What stands in the rest of the line, up to the brace that opens a block; and whether there is one."""
        found = OPENING.match(self.source.data, self.at)
        assert found  # it matches nothing at all, too
        self.at = found.end()
        return found[1].strip(), bool(found[2])

    def push(self, block: _Block, has_brace: bool) -> None:
        self.n_opened += 1
        if self.n_opened > MOST_JOINTS:
            raise self.source.error(
                block.position,
                f"the hierarchy has more than {MOST_JOINTS:,} joints and end sites",
                "No body has; the file is damaged.",
            )
        if not has_brace:
            word = self.next()
            raise self.source.error(self.word_at, f"{block.title} needs an opening brace, not {quoted(word)}")
        self.open.append(block)

    def block(self) -> _Block:
        """The joint or end site that the last word stands in."""
        if not self.open:
            word = self.source.word(self.word_at).decode()
            raise self.source.error(self.word_at, f"{word} stands outside of all joints")
        return self.open[-1]


def _open_joint(reader: _Reader, keyword: bytes) -> None:
    position = reader.word_at
    name, has_brace = reader.opening()
    if not name:
        raise reader.source.error(position, f"{keyword.decode()} has no name", "Write one behind it.")
    if keyword == b"ROOT":
        if reader.open:
            raise reader.source.error(position, f"ROOT {quoted(name)} stands inside {reader.open[-1].title}")
        reader.trees.append(_Tree())
        parent = -1
    else:
        parent_block = reader.block()
        if parent_block.is_end_site:
            raise reader.source.error(position, f"JOINT {quoted(name)} stands inside an End Site")
        parent = parent_block.joint
    tree = reader.trees[-1]
    reader.push(_Block(name, position, len(tree.names)), has_brace)
    tree.names.append(name)
    tree.parents.append(parent)
    tree.offsets.append((0.0, 0.0, 0.0))


def _open_end_site(reader: _Reader) -> None:
    position = reader.word_at
    parent = reader.block()
    if parent.is_end_site:
        raise reader.source.error(position, "an End Site stands inside another")
    _, has_brace = reader.opening()  # "Site", and whatever a program writes behind it
    reader.push(_Block(parent.name, position, parent.joint, is_end_site=True), has_brace)


def _read_offset(reader: _Reader) -> None:
    position = reader.word_at
    block = reader.block()
    if block.offset is not None:
        raise reader.source.error(position, f"{block.title} has a second OFFSET", "Delete one of the two.")
    found = THREE_NUMBERS.match(reader.source.data, reader.at)
    if not found:
        for _ in range(3):  # one of them raises
            _, reader.at = reader.source.number(reader.at, f"the OFFSET of {block.title}")
        raise AssertionError("three numbers that are not three numbers")
    x, y, z = map(float, found.groups())
    if not max(abs(x), abs(y), abs(z)) <= LARGEST:
        raise reader.source.error(position, f"the OFFSET of {block.title} is too large for a length")
    block.offset = (x, y, z)
    reader.at = found.end()


def _read_channels(reader: _Reader) -> None:
    position = reader.word_at
    block = reader.block()
    if block.has_channels:
        raise reader.source.error(position, f"{block.title} has a second CHANNELS", "Delete one of the two.")
    block.has_channels = True
    found = CHANNELS.match(reader.source.data, reader.at)
    if not found:
        raise reader.source.error(position, f"CHANNELS of {block.title} does not say how many there are")
    reader.at = found.end()
    announced, words = int(found[1]), found[2].upper().split()
    for word in words:
        if word not in KINDS:
            raise reader.source.error(
                position, f"the channel {quoted(word)} is not known", f"Known are {', '.join(CHANNEL_NAMES)}."
            )
    if announced != len(words):
        raise reader.source.error(position, f"CHANNELS announces {announced} channels but lists {len(words)}")
    kinds = [KINDS[word] for word in words]
    if len(set(kinds)) < len(kinds):
        raise reader.source.error(position, f"{block.title} has the same channel twice")
    tree = reader.trees[-1]
    if block.is_end_site and kinds:
        raise reader.source.error(position, f"{block.title} has channels; an End Site cannot move")
    if kinds and block.joint != len(tree.names) - 1:
        raise reader.source.error(
            position, f"the CHANNELS of {block.title} stand behind a child joint", "Write them before it."
        )
    tree.channels += [(block.joint, kind) for kind in kinds]


def _close(reader: _Reader) -> None:
    if not reader.open:
        raise reader.source.error(reader.word_at, "a closing brace stands here that nothing opened")
    block = reader.open.pop()
    tree = reader.trees[-1]
    if block.offset is None:
        raise reader.source.error(block.position, f"{block.title} has no OFFSET")
    if block.is_end_site:
        tree.end_sites.append((block.joint, block.offset))
    else:
        tree.offsets[block.joint] = block.offset


def _encoding(trees: list[_Tree]) -> str:
    """UTF-8 if all names are, else Latin-1, in which every byte is a letter."""
    try:
        for tree in trees:
            b"\n".join(tree.names).decode("utf-8")
    except UnicodeDecodeError:
        return "latin-1"
    return "utf-8"
