"""What people call the parts of a body: word -> the parts it may mean, with how well it says so.

A word stands without its side, prefix, digits and separators ("Bip01_L_UpperArm" is "upperarm" on the left).
Weight 2: the word means this part in every family that has it. Weight 1: a false friend, which means one part
here and another there ("shoulder" is the clavicle or the upper arm); the joints above and below it decide.
"""

from motionary.rig.reference import ARM, LEG

ARM_WORDS: dict[str, dict[str, int]] = {
    **dict.fromkeys(("clavicle", "collar", "collarbone", "torsoclavicle", "sako", "肩"), {"Clavicle": 2}),
    "shoulder": {"Clavicle": 1, "UpperArm": 1},
    **dict.fromkeys(("upperarm", "uparm", "armupper", "humerus", "shldr", "udea", "腕"), {"UpperArm": 2}),
    "arm": {"UpperArm": 1},
    **dict.fromkeys(
        ("forearm", "lowerarm", "lowarm", "loarm", "armlower", "radius", "elbow", "udeb", "ひじ"), {"Forearm": 2}
    ),
    **dict.fromkeys(("hand", "wrist", "te", "手首"), {"Hand": 2}),
}
LEG_WORDS: dict[str, dict[str, int]] = {
    **dict.fromkeys(("thigh", "upleg", "upperleg", "legupper", "femur", "asia", "足"), {"Thigh": 2}),
    "hip": {"Thigh": 1},
    **dict.fromkeys(
        ("shin", "calf", "lowerleg", "lowleg", "loleg", "leglower", "tibia", "knee", "asic", "ひざ"), {"Shin": 2}
    ),
    "leg": {"Thigh": 1, "Shin": 1},
    **dict.fromkeys(("ankle", "asid", "足首"), {"Foot": 2}),
    "foot": {"Foot": 2, "Toe": 1},  # the toe in SMPL and Second Life, where an ankle stands above it
    **dict.fromkeys(("toe", "toes", "toebase", "toejoint", "ball", "asie", "つま先"), {"Toe": 2}),
    "forefoot": {"Toe": 1},
}
LIMBS: tuple[tuple[tuple[str, ...], dict[str, dict[str, int]]], ...] = ((ARM, ARM_WORDS), (LEG, LEG_WORDS))

HIPS_WORDS = frozenset(("hips", "hip", "pelvis", "kosi", "下半身"))
HEAD_WORDS = frozenset(("head", "torsohead", "kao", "頭"))
NECK_WORDS = ("neck", "kubi", "首")  # anywhere in the word: lowerneck, necktwist, neckUpper
SPINE_WORDS = frozenset(("spine", "chest", "torso", "abdomen", "sebo"))

# Parts of a body that are never mapped but have sides, so that a leading l or r is understood.
OTHER_SIDED_WORDS = frozenset(
    "hipjoint buttock thumb finger fingers index mid middle ring pinky eye ear breast toetip handend torso".split()
)
SIDED_WORDS = frozenset(ARM_WORDS) | frozenset(LEG_WORDS) | OTHER_SIDED_WORDS

# Joints that take part in no body part: tips, twists and second halves of limbs, faces, props, controls.
HELPER_WORDS = frozenset("hipjoint buttock eye jaw face breast prop footsteps fingerbase".split())
HELPER_TOKENS = frozenset("end nub tip twist roll share prop ik pole ctrl target dummy".split())
HELPER_ENDINGS = ("nub", "end", "tip", "twist")
