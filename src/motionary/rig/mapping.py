"""Finding the parts of a body in a skeleton, by the joints' names and by where they hang in the tree."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from motionary.errors import MappingError
from motionary.motion import Skeleton
from motionary.rig.aliases import HEAD_WORDS, HIPS_WORDS, LIMB_WORDS, LIMBS, NECK_WORDS, SPINE_WORDS
from motionary.rig.body_map import LIMB_PARTS, OPTIONAL, PARTS, BodyMap
from motionary.rig.names import JointName, read_names
from motionary.rig.reference import NECK, SIDES, SPINE
from motionary.rig.rest_shape import rest_shape

UserMap = Mapping[str, str | list[str] | tuple[str, ...]]


def map_skeleton(skeleton: Skeleton, *, user_map: UserMap | None = None) -> BodyMap:
    """The skeleton's joints as parts of a body, or a MappingError that lists what is missing.

    `user_map` names joints for some or all reference parts ({"LeftThigh": "my_thigh"}; spine and neck parts
    may take lists); the names' own words find the rest. Human words on a body of another shape (four legs)
    are refused unless there is a user map.
    """
    found = find_parts(skeleton)
    if user_map:
        found = _with_user_map(skeleton, found, user_map)
    missing = _missing(found)
    if missing:
        raise MappingError(
            f"no joint found for {', '.join(missing)} among {', '.join(skeleton.names)}. "
            "Name the joints in a map file, or use the motion only with its own skeleton"
        )
    if not user_map and rest_shape(skeleton, found) == "four legs":
        raise MappingError(
            "the joints have human names, but this is a four-legged body: in the rest pose the trunk is level and the "
            "hands are below the knees. Use the motion only with its own skeleton"
        )
    return found


def find_parts(skeleton: Skeleton) -> BodyMap:
    """As many parts of a body as the skeleton's names show; nothing is required."""
    return _find_parts(skeleton.names, tuple(int(p) for p in skeleton.parents))


@dataclass(frozen=True)
class _Tree:
    parents: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    names: tuple[JointName, ...]  # with the side of the joint above where they have none

    def chain(self, joint: int) -> list[int]:
        """From the root down to the joint."""
        chain = [joint]
        while self.parents[chain[-1]] >= 0:
            chain.append(self.parents[chain[-1]])
        return chain[::-1]

    def common(self, *joints: int) -> int:
        """The lowest joint above (or at) all of these."""
        chains = [self.chain(joint) for joint in joints]
        common = 0
        for step in zip(*chains, strict=False):
            if len(set(step)) > 1:
                break
            common = step[0]
        return common


@lru_cache(maxsize=256)
def _find_parts(names: tuple[str, ...], parents: tuple[int, ...]) -> BodyMap:
    tree = _tree(names, parents)
    joints: dict[str, int] = {}
    for side in SIDES:
        for parts in LIMBS:
            candidates = [
                LIMB_WORDS.get(name.word, {}) if name.side == side and not name.helper else {} for name in tree.names
            ]
            chain = _best_chain(tree, candidates, parts)
            joints.update({side + part: joint for part, joint in chain.items()})
    spine: tuple[int, ...] = ()
    neck: tuple[int, ...] = ()
    limbs = [joints[part] for part in LIMB_PARTS if part.endswith(("Thigh", "UpperArm")) and part in joints]
    hips = _hips(tree, joints)
    if hips is not None:
        joints["Hips"] = hips
        arms = [joints[side + "UpperArm"] for side in SIDES if side + "UpperArm" in joints]
        chest = tree.common(*arms) if arms else hips
        spine, neck, head = _trunk(tree, hips, chest, limbs)
        if head is not None:
            joints["Head"] = head
    ordered = {part: joints[part] for part in PARTS if part in joints}
    return BodyMap(ordered, spine, neck)


def _tree(names: tuple[str, ...], parents: tuple[int, ...]) -> _Tree:
    children: list[list[int]] = [[] for _ in names]
    read = read_names(names)
    for joint, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(joint)
            if not read[joint].side:
                read[joint] = replace(read[joint], side=read[parent].side)
    return _Tree(parents, tuple(tuple(c) for c in children), tuple(read))


def _best_chain(tree: _Tree, candidates: list[dict[str, int]], parts: tuple[str, ...]) -> dict[str, int]:
    """The limb: a way down the tree whose words say `parts` in their order, as many and as clearly as possible.

    Required parts count before everything, so that a lone "shoulder" above an elbow is the upper arm. Of two
    joints that say the same (upperarm01, upperarm02) the upper one is taken.
    """
    n_parts = len(parts)
    best: list[list[tuple[int, dict[str, int]]]] = [[(0, {})] * (n_parts + 1) for _ in candidates]
    for joint in range(len(candidates) - 1, -1, -1):  # children come after their parents
        for k in range(n_parts):
            below = max((best[child][k] for child in tree.children[joint]), key=_merit, default=(0, {}))
            choice = below
            for i in range(n_parts - 1, k - 1, -1):
                weight = candidates[joint].get(parts[i], 0)
                if not weight:
                    continue
                rest = max((best[child][i + 1] for child in tree.children[joint]), key=_merit, default=(0, {}))
                merit = rest[0] + weight + (0 if parts[i] in OPTIONAL else 4)
                if merit >= choice[0]:
                    choice = (merit, {parts[i]: joint, **rest[1]})
            best[joint][k] = choice
    return best[0][0][1]


def _merit(choice: tuple[int, dict[str, int]]) -> int:
    return choice[0]


def _hips(tree: _Tree, joints: dict[str, int]) -> int | None:
    """The joint from which legs and trunk part, or the pelvis above it; None without legs."""
    thighs = [joints[side + "Thigh"] for side in SIDES if side + "Thigh" in joints]
    arms = [joints[side + "UpperArm"] for side in SIDES if side + "UpperArm" in joints]
    if not thighs:
        named = [j for j, name in enumerate(tree.names) if name.word in HIPS_WORDS and not name.side]
        return named[0] if named else None
    if len(thighs) == 1 and not arms:
        return tree.parents[thighs[0]] if tree.parents[thighs[0]] >= 0 else None
    parting = tree.common(*thighs, *arms)
    if tree.names[parting].word in SPINE_WORDS:  # Biped may hang the thighs on the first spine joint
        above = [j for j in tree.chain(parting) if tree.names[j].word in HIPS_WORDS]
        return above[-1] if above else parting
    return parting


def _trunk(tree: _Tree, hips: int, chest: int, limbs: list[int]) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
    """(spine, neck, head): the way from the hips to the head, parted by words and by where the arms hang."""
    n_joints = len(tree.parents)
    on_limb = [False] * n_joints
    below_hips = [False] * n_joints
    for joint in range(n_joints):
        parent = tree.parents[joint]
        on_limb[joint] = joint in limbs or (parent >= 0 and on_limb[parent])
        below_hips[joint] = joint == hips or (parent >= 0 and below_hips[parent])
    free = [
        j
        for j, name in enumerate(tree.names)
        if below_hips[j] and not on_limb[j] and not name.side and not name.helper and j != hips
    ]
    necks = [j for j in free if any(word in tree.names[j].word for word in NECK_WORDS)]
    head = next((j for j in free if tree.names[j].word in HEAD_WORDS), None)
    if head is not None:
        top = head
    elif necks:
        top = necks[-1]
    else:  # Rigify counts its spine on to the head: what stands above the arms is neck and head
        above = [j for j in free if tree.names[j].word in SPINE_WORDS and chest in tree.chain(j)[:-1]]
        top = above[-1] if above else chest
        head = top if above else None
    way = [j for j in tree.chain(top) if j in free and j != head]
    beyond_chest = [j for j in way if chest in tree.chain(j)[:-1]]
    neck = tuple(j for j in way if j in necks or j in beyond_chest)
    return tuple(j for j in way if j not in neck), neck, head


def _missing(found: BodyMap) -> list[str]:
    missing = [part for part in ("Hips",) if part not in found.joints]
    missing += ["Spine1"] if not found.spine else []
    missing += ["Head (or a neck)"] if "Head" not in found.joints and not found.neck else []
    return missing + [part for part in LIMB_PARTS if part not in found.joints and not part.endswith(OPTIONAL)]


def _with_user_map(skeleton: Skeleton, found: BodyMap, user_map: UserMap) -> BodyMap:
    unknown = [part for part in user_map if part not in PARTS]
    if unknown:
        raise MappingError(f"{unknown[0]!r} is not a body part; choose from {', '.join(PARTS)}")
    given: dict[str, tuple[int, ...]] = {}
    for part, names in user_map.items():
        listed = (names,) if isinstance(names, str) else tuple(names)
        absent = [name for name in listed if name not in skeleton.names]
        if absent:
            raise MappingError(
                f"the map names {absent[0]!r} as {part}, but the skeleton has {', '.join(skeleton.names)}"
            )
        if len(listed) != 1 and part not in SPINE + NECK:
            raise MappingError(f"the map must name one joint as {part}, not {len(listed)}")
        given[part] = tuple(skeleton.names.index(name) for name in listed)
    taken = [joint for listed in given.values() for joint in listed]
    if len(set(taken)) != len(taken):
        twice = next(joint for joint in taken if taken.count(joint) > 1)
        raise MappingError(f"the map names {skeleton.names[twice]!r} for two body parts")
    joints = {part: joint for part, joint in found.joints.items() if joint not in taken}
    joints.update({part: listed[0] for part, listed in given.items() if part not in SPINE + NECK})
    chains = []
    for parts, chain in ((SPINE, found.spine), (NECK, found.neck)):
        named = tuple(joint for part in parts for joint in given.get(part, ()))
        chains.append(named or tuple(joint for joint in chain if joint not in taken))
    return BodyMap({part: joints[part] for part in PARTS if part in joints}, *chains)
