"""What people call the parts of a body: word -> the parts it may mean, with how well it says so.

A word stands without its side, prefix, digits and separators ("Bip01_L_UpperArm" is "upperarm" on the left).
Weight 2: the word means this part in every family that has it. Weight 1: a false friend, which means one part
here and another there ("shoulder" is the clavicle or the upper arm); the joints above and below it decide.
"""

from motionary.rig.reference import ARM, LEG

_CLEAR_WORDS = {
    "Clavicle": ("clavicle", "collar", "collarbone", "torsoclavicle", "sako", "肩"),
    "UpperArm": ("upperarm", "uparm", "armupper", "humerus", "shldr", "udea", "腕"),
    "Forearm": ("forearm", "lowerarm", "lowarm", "loarm", "armlower", "radius", "elbow", "udeb", "ひじ"),
    "Hand": ("hand", "wrist", "te", "手首"),
    "Thigh": ("thigh", "upleg", "upperleg", "legupper", "femur", "asia", "足"),
    "Shin": ("shin", "calf", "lowerleg", "lowleg", "loleg", "leglower", "tibia", "knee", "asic", "ひざ"),
    "Foot": ("ankle", "asid", "足首"),
    "Toe": ("toe", "toes", "toebase", "toejoint", "ball", "asie", "つま先"),
}
_FALSE_FRIENDS = {
    "shoulder": {"Clavicle": 1, "UpperArm": 1},
    "arm": {"UpperArm": 1},
    "hip": {"Thigh": 1},
    "leg": {"Thigh": 1, "Shin": 1},
    "foot": {"Foot": 2, "Toe": 1},  # the toe in SMPL and Second Life, where an ankle stands above it
    "forefoot": {"Toe": 1},
}
LIMB_WORDS: dict[str, dict[str, int]] = {
    **{word: {part: 2} for part, words in _CLEAR_WORDS.items() for word in words},
    **_FALSE_FRIENDS,
}
LIMBS = (ARM, LEG)

HIPS_WORDS = frozenset(("hips", "hip", "pelvis", "kosi", "下半身"))
HEAD_WORDS = frozenset(("head", "torsohead", "kao", "頭"))
NECK_WORDS = ("neck", "kubi", "首")  # anywhere in the word: lowerneck, necktwist, neckUpper
SPINE_WORDS = frozenset(("spine", "chest", "torso", "abdomen", "sebo"))

# Parts of a body that are never mapped but have sides, so that a leading l or r is understood.
_FINGER_WORDS = ("thumb", "finger", "fingers", "index", "mid", "middle", "ring", "pinky")
_OTHER_SIDED_WORDS = ("hipjoint", "buttock", "eye", "breast", "toetip", "handend", "torso")
SIDED_WORDS = frozenset((*LIMB_WORDS, *_FINGER_WORDS, *_OTHER_SIDED_WORDS))

# Joints that take part in no body part: tips, twists and second halves of limbs, faces, props, controls.
HELPER_WORDS = frozenset(("hipjoint", "buttock", "eye", "jaw", "face", "breast", "prop", "footsteps", "fingerbase"))
HELPER_TOKENS = frozenset(
    ("end", "nub", "tip", "twist", "roll", "share", "prop", "ik", "pole", "ctrl", "target", "dummy")
)
HELPER_ENDINGS = ("nub", "end", "tip", "twist")

# A joint whose name ends so marks the end of a bone; an end site behind it means nothing.
END_ENDINGS = ("end", "nub", "tip")
OUTGROWTH_WORDS = (
    "breast",
    "eye",
    "jaw",
    "face",
    "lip",
    "brow",
    "tongue",
    "cheek",
    "thumb",
    "finger",
    "index",
    "pinky",
    "metacarpal",
)
