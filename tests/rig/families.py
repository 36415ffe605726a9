"""Small skeletons of every family that people have, written in the notation of their hierarchies.

`A > B` is parent > child, `( … | … )` are branches, a `*` marks an end site. `{L}` branches are written once and
repeated for the right side. Each family says which joint is which part of the body.
"""

import re
from dataclasses import dataclass, field

import numpy as np

from motionary.motion import Skeleton

LIMB = ("Clavicle", "UpperArm", "Forearm", "Hand", "Thigh", "Shin", "Foot", "Toe")


@dataclass(frozen=True)
class Family:
    """One family: its tree, the trunk's joints, and the left limbs' in the order of LIMB ("-" where none)."""

    name: str
    tree: str
    hips: str
    spine: str
    neck: str
    head: str
    left: str
    right_of: dict[str, str] = field(default_factory=dict)  # sides that are not spelt Left/Right, L/R, l/r


def parse_tree(text: str) -> tuple[list[str], list[int], list[int]]:
    """(names, parents, joints with end sites) of the notation."""
    names: list[str] = []
    parents: list[int] = []
    ends: list[int] = []
    stack: list[int] = []
    parent = -1
    for token in re.findall(r"[()>|]|[^()>|]+", text):
        token = token.strip()
        if token == "(":
            stack.append(parent)
        elif token == "|":
            parent = stack[-1]
        elif token == ")":
            parent = stack.pop()
        elif token and token != ">":
            if token.endswith("*"):
                token = token[:-1].strip()
                ends.append(len(names))
            names.append(token)
            parents.append(parent)
            parent = len(names) - 1
    return names, parents, ends


def mirrored(text: str) -> str:
    """A left-hand name or branch, for the right."""
    text = re.sub(r"\bLeft|Left\b|Left(?=[A-Z])", "Right", text)
    text = re.sub(r"\bleft(?=[A-Za-z_ ])", "right", text)
    text = re.sub(r"(?<![A-Za-z])L(?=[A-Z_ .\d]|$)", "R", text)
    text = re.sub(r"(?<=[_. ])L(?![A-Za-z])", "R", text)
    text = re.sub(r"(?<=[_.])l(?![A-Za-z])", "r", text)
    text = re.sub(r"\bl(?=[A-Z_]|femur|tibia|foot|toes|clavicle|humerus|radius|wrist|hand|fingers|thumb)", "r", text)
    text = re.sub(r"\bl(?=hip|knee|collar|shoulder|elbow|buttock|shldr|fore|thigh|shin)", "r", text)
    return text.replace("左", "右")


def both_sides(text: str) -> str:
    """The notation with every `{…}` branch written for the left and for the right."""
    return re.sub(r"\{([^{}]*)\}", lambda m: f"{m.group(1)} | {mirrored(m.group(1))}", text)


def family_skeleton(family: Family) -> Skeleton:
    """The family's skeleton, standing in a T-pose in metres; helpers lie where they hang."""
    names, parents, ends = parse_tree(both_sides(family.tree))
    parts = {joint: part for part, joint in family_parts(family).items()}
    offsets = np.zeros((len(names), 3))
    for joint, name in enumerate(names):
        part = parts.get(name)
        sign = -1.0 if part and part.startswith("Right") else 1.0
        plain = part.removeprefix("Left").removeprefix("Right") if part else ""
        offsets[joint] = np.array(T_OFFSETS.get(plain, (0.0, 0.0, 0.0))) * (sign, 1.0, 1.0)
        if part in ("LeftUpperArm", "RightUpperArm") and names[parents[joint]] not in parts:
            offsets[joint] = (sign * 0.17, 0.0, 0.0)
    return Skeleton(tuple(names), np.array(parents), offsets, np.array(ends, dtype=int), np.zeros((len(ends), 3)))


def family_parts(family: Family) -> dict[str, str]:
    """Part -> joint name; spine and neck joints are numbered Spine1…, Neck1… as they come."""
    parts = {"Hips": family.hips}
    parts |= {f"Spine{i + 1}": name.strip() for i, name in enumerate(family.spine.split(",")) if family.spine}
    parts |= {f"Neck{i + 1}": name.strip() for i, name in enumerate(family.neck.split(",")) if family.neck}
    if family.head:
        parts["Head"] = family.head
    for part, name in zip(LIMB, (n.strip() for n in family.left.split(",")), strict=True):
        if name != "-":
            parts["Left" + part] = name
            parts["Right" + part] = family.right_of.get(name, mirrored(name))
    return parts


T_OFFSETS = {
    **{f"Spine{i}": (0.0, 0.1, 0.0) for i in range(1, 10)},
    **{f"Neck{i}": (0.0, 0.06, 0.0) for i in range(1, 5)},
    "Head": (0.0, 0.1, 0.0),
    "Clavicle": (0.03, 0.03, 0.0),
    "UpperArm": (0.14, 0.0, 0.0),
    "Forearm": (0.29, 0.0, 0.0),
    "Hand": (0.25, 0.0, 0.0),
    "Thigh": (0.09, -0.06, 0.0),
    "Shin": (0.0, -0.42, 0.0),
    "Foot": (0.0, -0.42, 0.0),
    "Toe": (0.0, -0.06, 0.14),
}

HUMAN_IK_LEFT = "LeftShoulder, LeftArm, LeftForeArm, LeftHand, LeftUpLeg, LeftLeg, LeftFoot, LeftToeBase"
HUMAN_IK_ARM = "LeftShoulder > LeftArm > LeftForeArm > LeftHand"
HUMAN_IK_LEG = "LeftUpLeg > LeftLeg > LeftFoot > LeftToeBase*"
NO_TOE = HUMAN_IK_LEFT.replace("LeftToeBase", "-")
OPTITRACK_LEFT = "LeftCollar, LeftShoulder, LeftElbow, LeftWrist, LeftHip, LeftKnee, LeftAnkle, "
DAZ_LEFT = "lCollar, lShldr, lForeArm, lHand, lThigh, lShin, lFoot, -"
ACCLAIM_LEFT = "lclavicle, lhumerus, lradius, lwrist, lfemur, ltibia, lfoot, ltoes"
ACCLAIM = (
    "({lhipjoint > lfemur > ltibia > lfoot > ltoes*} | lowerback > upperback > thorax > (lowerneck > upperneck "
    "> head* | {lclavicle > lhumerus > lradius > lwrist > (lhand > lfingers* | lthumb*)}))"
)
MIXAMO = (
    "Hips > (Spine > Spine1 > Spine2 > (Neck > Head > (HeadTop_End* | LeftEye* | RightEye*) | {LeftShoulder > "
    "LeftArm > LeftForeArm > LeftHand > (LeftHandThumb1 > LeftHandThumb2 > LeftHandThumb3 > LeftHandThumb4* | "
    "LeftHandIndex1 > LeftHandIndex2*)}) | {LeftUpLeg > LeftLeg > LeftFoot > LeftToeBase > LeftToe_End*})"
)
BIPED = (
    "Bip001 > (Bip001 Footsteps | Bip001 Pelvis > (Bip001 Spine > (Bip001 Spine1 > Bip001 Neck > (Bip001 Head > "
    "Bip001 HeadNub | {Bip001 L Clavicle > Bip001 L UpperArm > Bip001 L Forearm > Bip001 L Hand > (Bip001 L Finger0 "
    "> Bip001 L Finger01 | Bip001 L Finger1)}) | {Bip001 L Thigh > Bip001 L Calf > Bip001 L Foot > Bip001 L Toe0 > "
    "Bip001 L Toe0Nub})))"
)
BIPED_LEFT = ", ".join(
    f"Bip001 L {part}" for part in ("Clavicle", "UpperArm", "Forearm", "Hand", "Thigh", "Calf", "Foot", "Toe0")
)


def _mixamo(name: str, prefix: str) -> Family:
    left = ", ".join(prefix + part.strip() for part in HUMAN_IK_LEFT.split(","))
    tree = re.sub(r"\w+", lambda match: prefix + match.group(), both_sides(MIXAMO))
    right = {prefix + p.strip(): prefix + mirrored(p.strip()) for p in HUMAN_IK_LEFT.split(",")}
    spine = ", ".join(prefix + s for s in ("Spine", "Spine1", "Spine2"))
    return Family(name, tree, prefix + "Hips", spine, prefix + "Neck", prefix + "Head", left, right)


FAMILIES = (
    Family(
        "CMU MotionBuilder",
        "Hips > ({LHipJoint > LeftUpLeg > LeftLeg > LeftFoot > LeftToeBase*} | LowerBack > Spine > Spine1 > (Neck > "
        "Neck1 > Head* | {LeftShoulder > LeftArm > LeftForeArm > LeftHand > (LeftFingerBase > LeftHandIndex1* | "
        "LThumb*)}))",
        "Hips",
        "LowerBack, Spine, Spine1",
        "Neck, Neck1",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "CMU DAZ",
        "hip > (abdomen > chest > (neck > head > (leftEye* | rightEye*) | {lCollar > lShldr > lForeArm > lHand > "
        "(lThumb1 > lThumb2* | lIndex1 > lIndex2* | lMid1 > lMid2*)}) | {lButtock > lThigh > lShin > lFoot*})",
        "hip",
        "abdomen, chest",
        "neck",
        "head",
        DAZ_LEFT,
    ),
    Family(
        "CMU DAZ, small letters",
        "hip > (abdomen > chest > (neck > head > (lefteye* | righteye*) | {lcollar > lshldr > lforearm > lhand}) | "
        "{lbuttock > lthigh > lshin > lfoot*})",
        "hip",
        "abdomen, chest",
        "neck",
        "head",
        DAZ_LEFT.lower(),
    ),
    Family(
        "CMU DAZ without head",
        "hip > (abdomen > chest > (neck* | {lCollar > lShldr > lForeArm > lHand*}) | {lButtock > lThigh > lShin > "
        "lFoot*})",
        "hip",
        "abdomen, chest",
        "neck",
        "",
        DAZ_LEFT,
    ),
    Family(
        "CMU mixture",
        "hip > ({lhipjoint > lhip > lknee > lfoot*} | lowerback > abdomen > chest > (neck > head* | {lcollar > "
        "lshoulder > lelbow > lhand*}))",
        "hip",
        "lowerback, abdomen, chest",
        "neck",
        "head",
        "lcollar, lshoulder, lelbow, lhand, lhip, lknee, lfoot, -",
    ),
    Family(
        "CMU 3ds Max, A",
        "Hips > ({LHipJoint > LeftHip > LeftKnee > LeftAnkle > LeftToe*} | lowerback > Chest > Chest2 > (lowerneck > "
        "Neck > Head* | {LeftCollar > LeftShoulder > LeftElbow > LeftWrist > (lhand > LFingers* | LThumb*)}))",
        "Hips",
        "lowerback, Chest, Chest2",
        "lowerneck, Neck",
        "Head",
        OPTITRACK_LEFT + "LeftToe",
    ),
    Family(
        "CMU 3ds Max, B",
        "Hips > ({LeftHip > LeftKnee > LeftAnkle*} | Chest > CS_BVH > ({LeftCollar > LeftShoulder > LeftElbow > "
        "LeftWrist*} | Neck > Head*))",
        "Hips",
        "Chest, CS_BVH",
        "Neck",
        "Head",
        OPTITRACK_LEFT + "-",
    ),
    Family(
        "Acclaim",
        "root > " + ACCLAIM,
        "root",
        "lowerback, upperback, thorax",
        "lowerneck, upperneck",
        "head",
        ACCLAIM_LEFT,
    ),
    Family(
        "PFNN",
        "hip > " + ACCLAIM,
        "hip",
        "lowerback, upperback, thorax",
        "lowerneck, upperneck",
        "head",
        ACCLAIM_LEFT,
    ),
    _mixamo("Mixamo", "mixamorig:"),
    _mixamo("Mixamo, numbered", "mixamorig7:"),
    _mixamo("Mixamo, sanitised", "mixamorig1"),
    _mixamo("Mixamo, underscore", "mixamorig_"),
    _mixamo("Mixamo, Model", "Model:"),
    _mixamo("Mixamo, Model_", "Model_"),
    _mixamo("Mixamo, a person", "Daniel:"),
    _mixamo("Mixamo, a person sanitised", "Daniel_"),
    _mixamo("Ready Player Me", ""),
    Family(
        "HumanIK with reference",
        "Reference > Hips > ({" + HUMAN_IK_LEG + "} | Spine > Spine1 > Spine2 > Spine3 > Spine4 > Spine5 > (Neck > "
        "Neck1 > Head* | {" + HUMAN_IK_ARM + " > LeftInHandIndex > LeftHandIndex1}))",
        "Hips",
        "Spine, Spine1, Spine2, Spine3, Spine4, Spine5",
        "Neck, Neck1",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "MoveLab",
        "Hips > (Spine > (Head* | {"
        + HUMAN_IK_ARM
        + " > (LeftHandThumb1* | LeftHand_End*)}) | {"
        + HUMAN_IK_LEG
        + "})",
        "Hips",
        "Spine",
        "",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "MoveLab, sister",
        "Root > ({L_Femur > L_Tibia > L_Foot > L_Toe*} | LowerBack > Thorax > (Neck > head* | {L_Collar > L_Humerus > "
        "L_Elbow > L_Wrist*}))",
        "Root",
        "LowerBack, Thorax",
        "Neck",
        "head",
        "L_Collar, L_Humerus, L_Elbow, L_Wrist, L_Femur, L_Tibia, L_Foot, L_Toe",
    ),
    Family(
        "Optical suites",
        "Hips > (Spine > Spine1 > Spine2 > Spine3 > (Neck > Head* | {" + HUMAN_IK_ARM + "*}) | {" + HUMAN_IK_LEG + "})",
        "Hips",
        "Spine, Spine1, Spine2, Spine3",
        "Neck",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "LaFAN1",
        "Hips > ({LeftUpLeg > LeftLeg > LeftFoot > LeftToe*} | Spine > Spine1 > Spine2 > (Neck > Head* | {"
        + HUMAN_IK_ARM
        + "*}))",
        "Hips",
        "Spine, Spine1, Spine2",
        "Neck",
        "Head",
        HUMAN_IK_LEFT.replace("ToeBase", "Toe"),
    ),
    Family(
        "Bandai Namco",
        "joint_Root > Hips > (Spine > Chest > (Neck > Head* | {Shoulder_L > UpperArm_L > LowerArm_L > Hand_L*}) | "
        "{UpperLeg_L > LowerLeg_L > Foot_L > Toes_L*})",
        "Hips",
        "Spine, Chest",
        "Neck",
        "Head",
        "Shoulder_L, UpperArm_L, LowerArm_L, Hand_L, UpperLeg_L, LowerLeg_L, Foot_L, Toes_L",
    ),
    Family(
        "Rokoko",
        "Hips > (Spine1 > Spine2 > Spine3 > Spine4 > (Neck > Head > HeadTip* | {" + HUMAN_IK_ARM + " > "
        "(LeftFinger1Metacarpal > LeftFinger1Proximal > LeftFinger1Tip* | LeftFinger5Metacarpal*)}) | "
        "{LeftThigh > LeftShin > LeftFoot > LeftToe > LeftToeTip*})",
        "Hips",
        "Spine1, Spine2, Spine3, Spine4",
        "Neck",
        "Head",
        "LeftShoulder, LeftArm, LeftForeArm, LeftHand, LeftThigh, LeftShin, LeftFoot, LeftToe",
    ),
    Family(
        "Rokoko, HumanIK",
        "Hips > (Spine > Spine1 > Spine2 > ({" + HUMAN_IK_ARM + " > (LeftInHandIndex > LeftHandIndex1* | "
        "LeftHandThumb1*)} | Neck > Head*) | {" + HUMAN_IK_LEG + "})",
        "Hips",
        "Spine, Spine1, Spine2",
        "Neck",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "Xsens",
        "Hips > (Chest > Chest2 > Chest3 > Chest4 > (Neck > Head* | {LeftCollar > LeftShoulder > LeftElbow > "
        "(LeftWrist* | Prop1)}) | {LeftHip > LeftKnee > LeftAnkle > LeftToe*})",
        "Hips",
        "Chest, Chest2, Chest3, Chest4",
        "Neck",
        "Head",
        OPTITRACK_LEFT + "LeftToe",
    ),
    Family(
        "Xsens segments",
        "Pelvis > (L5 > L3 > T12 > T8 > (Neck > Head | {Left Shoulder > Left Upper Arm > Left Forearm > Left Hand}) | "
        "{Left Upper Leg > Left Lower Leg > Left Foot > Left Toe})",
        "Pelvis",
        "L5, L3, T12, T8",
        "Neck",
        "Head",
        "Left Shoulder, Left Upper Arm, Left Forearm, Left Hand, Left Upper Leg, Left Lower Leg, Left Foot, Left Toe",
    ),
    Family(
        "Perception Neuron",
        "Hips > ({LeftUpLeg > LeftLeg > LeftFoot*} | Spine > Spine1 > Spine2 > Spine3 > (Neck > Head* | {"
        + HUMAN_IK_ARM
        + " > (LeftHandThumb1 > LeftHandThumb2* | LeftInHandIndex > LeftHandIndex1*)}))",
        "Hips",
        "Spine, Spine1, Spine2, Spine3",
        "Neck",
        "Head",
        NO_TOE,
    ),
    Family(
        "Perception Neuron, newer",
        "Hips > ({LeftUpLeg > LeftLeg > LeftFoot*} | Spine > Spine1 > Spine2 > (Neck > Neck1 > Head* | {"
        + HUMAN_IK_ARM.replace("LeftHand", "Lefthand")
        + "}))",
        "Hips",
        "Spine, Spine1, Spine2",
        "Neck, Neck1",
        "Head",
        NO_TOE.replace("LeftHand", "Lefthand"),
    ),
    Family(
        "OptiTrack Arena",
        "Hips > (Ab > Chest > (Neck > Head* | {LeftCollar > LeftShoulder > LeftElbow > LeftWrist*}) | {LeftHip > "
        "LeftKnee > LeftAnkle > LeftToes*})",
        "Hips",
        "Ab, Chest",
        "Neck",
        "Head",
        OPTITRACK_LEFT + "LeftToes",
    ),
    Family(
        "OptiTrack Motive",
        "Hips > (Spine > Spine1 > (Neck > Head* | {"
        + HUMAN_IK_ARM
        + " > LeftHandPinky1 > LeftHandPinky3_Nub}) | {"
        + HUMAN_IK_LEG
        + "})",
        "Hips",
        "Spine, Spine1",
        "Neck",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "Vicon A",
        "pelvis > ({lfemur > ltibia > lfoot > ltoes} | thorax > (head | {lclavicle > lhumerus > lradius > lhand}))",
        "pelvis",
        "thorax",
        "",
        "head",
        ACCLAIM_LEFT.replace("lwrist", "lhand"),
    ),
    Family(
        "Vicon B",
        "pelvis > ({lfemur > ltibia > lfoot > ltoes} | lowerback > upperback > ({lclavicle > lhumerus > lradius > "
        "lhand} | LowerNeck > Neck))",
        "pelvis",
        "lowerback, upperback",
        "LowerNeck, Neck",
        "",
        ACCLAIM_LEFT.replace("lwrist", "lhand"),
    ),
    Family(
        "Vicon C",
        "root > pelvis > (thorax > ({lclavicle > lhumerus > lradius > lhand*} | head*) | {lfemur > ltibia > lfoot > "
        "ltoes*})",
        "pelvis",
        "thorax",
        "",
        "head",
        ACCLAIM_LEFT.replace("lwrist", "lhand"),
    ),
    Family(
        "Vicon D",
        "Hips > (Spine > Spine1 > Spine2 > Spine3 > (Neck > Head* | {" + HUMAN_IK_ARM + " > (LeftHandEnd* | "
        "LeftHandThumb1* | LeftHandRing > LeftHandRingPinky1)}) | {LeftUpLeg > LeftLeg > LeftFoot > LeftForeFoot > "
        "LeftToeBase*})",
        "Hips",
        "Spine, Spine1, Spine2, Spine3",
        "Neck",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "Trinity",
        "Hips > (Spine > Spine1 > Spine2 > Spine3 > (Neck > Neck1 > Head* | {" + HUMAN_IK_ARM + " > "
        "LeftHandThumb1*}) | {LeftUpLeg > LeftLeg > LeftFoot > LeftForeFoot > LeftToeBase*})",
        "Hips",
        "Spine, Spine1, Spine2, Spine3",
        "Neck, Neck1",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "ZeroEGGS",
        "Hips > (Spine > Spine1 > Spine2 > Spine3 > (Neck > Neck1 > Head > HeadEnd* | {LeftShoulder > LeftArm > "
        "(LeftArmEnd* | LeftForeArm > (LeftForeArmEnd* | LeftHand > LeftHandThumb1 > LeftHandThumb4*))}) | "
        "{LeftUpLeg > (LeftUpLegEnd* | LeftLeg > (LeftLegEnd* | LeftFoot > LeftForeFoot > LeftToeBase > "
        "LeftToeBaseEnd*))})",
        "Hips",
        "Spine, Spine1, Spine2, Spine3",
        "Neck, Neck1",
        "Head",
        HUMAN_IK_LEFT,
    ),
    Family(
        "GENEA",
        "body_world > b_root > ({b_l_upleg > b_l_leg > b_l_foot} | b_spine0 > b_spine1 > b_spine2 > b_spine3 > "
        "({b_l_shoulder > b_l_arm > (b_l_arm_twist | b_l_forearm > (b_l_wrist_twist | b_l_wrist))} | b_neck0 > "
        "b_head))",
        "b_root",
        "b_spine0, b_spine1, b_spine2, b_spine3",
        "b_neck0",
        "b_head",
        "b_l_shoulder, b_l_arm, b_l_forearm, b_l_wrist, b_l_upleg, b_l_leg, b_l_foot, -",
    ),
    Family(
        "Second Life",
        "hip > (abdomen > chest > (neck > head* | {lCollar > lShldr > lForeArm > lHand*}) | {lThigh > lShin > lFoot*})",
        "hip",
        "abdomen, chest",
        "neck",
        "head",
        DAZ_LEFT,
    ),
    Family(
        "Second Life, Bento",
        "hip > (mSpine1 > mSpine2 > abdomen > mSpine3 > mSpine4 > chest > (neck > head > mFaceRoot* | {lCollar > "
        "lShldr > lForeArm > lHand > mHandIndex1Left > mHandIndex2Left*}) | {lThigh > lShin > lFoot*})",
        "hip",
        "mSpine1, mSpine2, abdomen, mSpine3, mSpine4, chest",
        "neck",
        "head",
        DAZ_LEFT,
    ),
    Family(
        "Second Life, viewer",
        "mPelvis > (mTorso > mChest > (mNeck > mHead | {mCollarLeft > mShoulderLeft > mElbowLeft > mWristLeft}) | "
        "{mHipLeft > mKneeLeft > mAnkleLeft > mFootLeft})",
        "mPelvis",
        "mTorso, mChest",
        "mNeck",
        "mHead",
        "mCollarLeft, mShoulderLeft, mElbowLeft, mWristLeft, mHipLeft, mKneeLeft, mAnkleLeft, mFootLeft",
    ),
    Family(
        "MakeHuman, new",
        "root > (spine05 > spine04 > spine03 > spine02 > ({breast.L*} | spine01 > ({clavicle.L > shoulder01.L > "
        "upperarm01.L > upperarm02.L > lowerarm01.L > lowerarm02.L > wrist.L > finger1-1.L} | neck01 > neck02 > "
        "neck03 > head > jaw)) | {pelvis.L > upperleg01.L > upperleg02.L > lowerleg01.L > lowerleg02.L > foot.L > "
        "toe1-1.L > toe1-2.L})",
        "root",
        "spine05, spine04, spine03, spine02, spine01",
        "neck01, neck02, neck03",
        "head",
        "clavicle.L, upperarm01.L, lowerarm01.L, wrist.L, upperleg01.L, lowerleg01.L, foot.L, toe1-1.L",
    ),
    Family(
        "MakeHuman, old",
        "Root > (Spine1 > Spine2 > Spine3 > (Neck > Head | {__Clavicle_L > Clavicle_L > UpArm_L > LoArm_L > Hand_L}) | "
        "Hips > ({__UpLeg_L > UpLeg_L > LoLeg_L > Foot_L > Toe_L*}))",
        "Root",
        "Spine1, Spine2, Spine3",
        "Neck",
        "Head",
        "Clavicle_L, UpArm_L, LoArm_L, Hand_L, UpLeg_L, LoLeg_L, Foot_L, Toe_L",
    ),
    Family(
        "MocapNET",
        "hip > (abdomen > chest > (neck > neck1 > head > __jaw | {lcollar > lshoulder > lelbow > lhand}) | {lbuttock > "
        "lhip > lknee > lfoot > toe1-1.L})",
        "hip",
        "abdomen, chest",
        "neck, neck1",
        "head",
        "lcollar, lshoulder, lelbow, lhand, lhip, lknee, lfoot, toe1-1.L",
    ),
    Family(
        "Biovision",
        "Hips > (Chest > (Neck > Head* | {LeftCollar > LeftUpArm > LeftLowArm > LeftHand*}) | {LeftUpLeg > "
        "LeftLowLeg > LeftFoot*})",
        "Hips",
        "Chest",
        "Neck",
        "Head",
        "LeftCollar, LeftUpArm, LeftLowArm, LeftHand, LeftUpLeg, LeftLowLeg, LeftFoot, -",
    ),
    Family(
        "mocapbank",
        "Hips > (Chest > Chest2 > ({LeftCollar > LeftShoulder > LeftElbow > LeftWrist*} | Neck > Head*) | {LeftHip > "
        "LeftKnee > LeftAnkle*})",
        "Hips",
        "Chest, Chest2",
        "Neck",
        "Head",
        OPTITRACK_LEFT + "-",
    ),
    Family(
        "GAMES-105",
        "RootJoint > ({lHip > lKnee > lAnkle > lToeJoint*} | pelvis_lowerback > lowerback_torso > (torso_head* | "
        "{lTorso_Clavicle > lShoulder > lElbow > lWrist*}))",
        "RootJoint",
        "pelvis_lowerback, lowerback_torso",
        "",
        "torso_head",
        "lTorso_Clavicle, lShoulder, lElbow, lWrist, lHip, lKnee, lAnkle, lToeJoint",
    ),
    Family(
        "3ds Max Biped", BIPED, "Bip001 Pelvis", "Bip001 Spine, Bip001 Spine1", "Bip001 Neck", "Bip001 Head", BIPED_LEFT
    ),
    Family(
        "3ds Max Biped, underscores",
        BIPED.replace("Bip001 ", "Bip01_").replace("_L ", "_L_").replace("Bip001", "Bip01"),
        "Bip01_Pelvis",
        "Bip01_Spine, Bip01_Spine1",
        "Bip01_Neck",
        "Bip01_Head",
        BIPED_LEFT.replace("Bip001 ", "Bip01_").replace("_L ", "_L_"),
    ),
    Family(
        "Biped through Sketchfab",
        "Bip001_00 > Bip001_Pelvis_01 > (Bip001_Spine_02 > (Bip001_Neck_03 > Bip001_Head_04 | Bip001_L_Clavicle_05 > "
        "Bip001_L_UpperArm_06 > Bip001_L_Forearm_07 > Bip001_L_Hand_08 | Bip001_R_Clavicle_09 > Bip001_R_UpperArm_010 "
        "> Bip001_R_Forearm_011 > Bip001_R_Hand_012) | Bip001_L_Thigh_013 > Bip001_L_Calf_014 > Bip001_L_Foot_015 > "
        "Bip001_L_Toe0_016 | Bip001_R_Thigh_017 > Bip001_R_Calf_018 > Bip001_R_Foot_019 > Bip001_R_Toe0_020)",
        "Bip001_Pelvis_01",
        "Bip001_Spine_02",
        "Bip001_Neck_03",
        "Bip001_Head_04",
        "Bip001_L_Clavicle_05, Bip001_L_UpperArm_06, Bip001_L_Forearm_07, Bip001_L_Hand_08, Bip001_L_Thigh_013, "
        "Bip001_L_Calf_014, Bip001_L_Foot_015, Bip001_L_Toe0_016",
        {
            "Bip001_L_Clavicle_05": "Bip001_R_Clavicle_09",
            "Bip001_L_UpperArm_06": "Bip001_R_UpperArm_010",
            "Bip001_L_Forearm_07": "Bip001_R_Forearm_011",
            "Bip001_L_Hand_08": "Bip001_R_Hand_012",
            "Bip001_L_Thigh_013": "Bip001_R_Thigh_017",
            "Bip001_L_Calf_014": "Bip001_R_Calf_018",
            "Bip001_L_Foot_015": "Bip001_R_Foot_019",
            "Bip001_L_Toe0_016": "Bip001_R_Toe0_020",
        },
    ),
    Family(
        "SMPL",
        "Pelvis > ({L_Hip > L_Knee > L_Ankle > L_Foot} | Spine1 > Spine2 > Spine3 > (Neck > Head | {L_Collar > "
        "L_Shoulder > L_Elbow > L_Wrist > L_Hand}))",
        "Pelvis",
        "Spine1, Spine2, Spine3",
        "Neck",
        "Head",
        "L_Collar, L_Shoulder, L_Elbow, L_Wrist, L_Hip, L_Knee, L_Ankle, L_Foot",
    ),
    Family(
        "SMPL-H",
        "pelvis > ({left_hip > left_knee > left_ankle > left_foot} | spine1 > spine2 > spine3 > (neck > head > (jaw | "
        "left_eye | right_eye) | {left_collar > left_shoulder > left_elbow > left_wrist > left_index1 > left_index2}))",
        "pelvis",
        "spine1, spine2, spine3",
        "neck",
        "head",
        "left_collar, left_shoulder, left_elbow, left_wrist, left_hip, left_knee, left_ankle, left_foot",
    ),
    Family(
        "Unreal",
        "root > (pelvis > (spine_01 > spine_02 > spine_03 > ({clavicle_l > upperarm_l > (upperarm_twist_01_l | "
        "lowerarm_l > (lowerarm_twist_01_l | hand_l > index_01_l))} | neck_01 > head) | {thigh_l > (thigh_twist_01_l "
        "| calf_l > (calf_twist_01_l | foot_l > ball_l))}) | ik_foot_root > {ik_foot_l} | ik_hand_root)",
        "pelvis",
        "spine_01, spine_02, spine_03",
        "neck_01",
        "head",
        "clavicle_l, upperarm_l, lowerarm_l, hand_l, thigh_l, calf_l, foot_l, ball_l",
    ),
    Family(
        "Reallusion",
        "CC_Base_BoneRoot > CC_Base_Hip > (CC_Base_Pelvis > ({CC_Base_L_Thigh > (CC_Base_L_ThighTwist01 | "
        "CC_Base_L_Calf > CC_Base_L_Foot > (CC_Base_L_ToeBaseShareBone | CC_Base_L_ToeBase))}) | CC_Base_Waist > "
        "CC_Base_Spine01 > CC_Base_Spine02 > (CC_Base_NeckTwist01 > CC_Base_NeckTwist02 > CC_Base_Head | "
        "{CC_Base_L_Clavicle > CC_Base_L_Upperarm > (CC_Base_L_UpperarmTwist01 | CC_Base_L_Forearm > CC_Base_L_Hand > "
        "CC_Base_L_Thumb1)}))",
        "CC_Base_Hip",
        "CC_Base_Waist, CC_Base_Spine01, CC_Base_Spine02",
        "CC_Base_NeckTwist01, CC_Base_NeckTwist02",
        "CC_Base_Head",
        ", ".join(
            f"CC_Base_L_{part}"
            for part in ("Clavicle", "Upperarm", "Forearm", "Hand", "Thigh", "Calf", "Foot", "ToeBase")
        ),
    ),
    Family(
        "Rigify",
        "DEF-spine > (DEF-spine.001 > DEF-spine.002 > DEF-spine.003 > (DEF-spine.004 > DEF-spine.005 > DEF-spine.006 | "
        "{DEF-shoulder.L > DEF-upper_arm.L > DEF-upper_arm.L.001 > DEF-forearm.L > DEF-forearm.L.001 > DEF-hand.L > "
        "DEF-f_index.01.L}) | {DEF-thigh.L > DEF-thigh.L.001 > DEF-shin.L > DEF-shin.L.001 > DEF-foot.L > DEF-toe.L})",
        "DEF-spine",
        "DEF-spine.001, DEF-spine.002, DEF-spine.003",
        "DEF-spine.004, DEF-spine.005",
        "DEF-spine.006",
        "DEF-shoulder.L, DEF-upper_arm.L, DEF-forearm.L, DEF-hand.L, DEF-thigh.L, DEF-shin.L, DEF-foot.L, DEF-toe.L",
    ),
    Family(
        "Rigify, old",
        "torso > (hips > ({thigh.L > shin.L > foot.L > toe.L}) | spine > ribs > (neck > head | {shoulder.L > "
        "upper_arm.L > forearm.L > hand.L}))",
        "torso",
        "spine, ribs",
        "neck",
        "head",
        "shoulder.L, upper_arm.L, forearm.L, hand.L, thigh.L, shin.L, foot.L, toe.L",
    ),
    Family(
        "Auto-Rig Pro",
        "root.x > (spine_01.x > spine_02.x > (neck.x > head.x | {shoulder.l > arm_stretch.l > (arm_twist.l | "
        "forearm_stretch.l > hand.l)}) | {thigh_stretch.l > leg_stretch.l > foot.l > toes_01.l})",
        "root.x",
        "spine_01.x, spine_02.x",
        "neck.x",
        "head.x",
        "shoulder.l, arm_stretch.l, forearm_stretch.l, hand.l, thigh_stretch.l, leg_stretch.l, foot.l, toes_01.l",
    ),
    Family(
        "DeepMotion",
        "hips_JNT > ({l_upleg_JNT > l_leg_JNT > l_foot_JNT > l_toebase_JNT} | spine_JNT > spine1_JNT > spine2_JNT > "
        "(neck_JNT > head_JNT | {l_shoulder_JNT > l_arm_JNT > l_forearm_JNT > l_hand_JNT}))",
        "hips_JNT",
        "spine_JNT, spine1_JNT, spine2_JNT",
        "neck_JNT",
        "head_JNT",
        "l_shoulder_JNT, l_arm_JNT, l_forearm_JNT, l_hand_JNT, l_upleg_JNT, l_leg_JNT, l_foot_JNT, l_toebase_JNT",
    ),
    Family(
        "VRoid",
        "Root > J_Bip_C_Hips > (J_Bip_C_Spine > J_Bip_C_Chest > J_Bip_C_UpperChest > (J_Bip_C_Neck > J_Bip_C_Head | "
        "{J_Bip_L_Shoulder > J_Bip_L_UpperArm > J_Bip_L_LowerArm > J_Bip_L_Hand > J_Bip_L_Index1}) | "
        "{J_Bip_L_UpperLeg > J_Bip_L_LowerLeg > J_Bip_L_Foot > J_Bip_L_ToeBase})",
        "J_Bip_C_Hips",
        "J_Bip_C_Spine, J_Bip_C_Chest, J_Bip_C_UpperChest",
        "J_Bip_C_Neck",
        "J_Bip_C_Head",
        ", ".join(
            f"J_Bip_L_{part}"
            for part in ("Shoulder", "UpperArm", "LowerArm", "Hand", "UpperLeg", "LowerLeg", "Foot", "ToeBase")
        ),
    ),
    Family(
        "VRM",
        "hips > (spine > chest > upperChest > (neck > head | {leftShoulder > leftUpperArm > leftLowerArm > leftHand > "
        "leftThumbMetacarpal}) | {leftUpperLeg > leftLowerLeg > leftFoot > leftToes})",
        "hips",
        "spine, chest, upperChest",
        "neck",
        "head",
        "leftShoulder, leftUpperArm, leftLowerArm, leftHand, leftUpperLeg, leftLowerLeg, leftFoot, leftToes",
    ),
    Family(
        "DAZ Genesis",
        "hip > (pelvis > ({lThighBend > lThighTwist > lShin > lFoot > lToe}) | abdomenLower > abdomenUpper > "
        "chestLower > chestUpper > ({lCollar > lShldrBend > lShldrTwist > lForearmBend > lForearmTwist > lHand} | "
        "neckLower > neckUpper > head))",
        "hip",
        "abdomenLower, abdomenUpper, chestLower, chestUpper",
        "neckLower, neckUpper",
        "head",
        "lCollar, lShldrBend, lForearmBend, lHand, lThighBend, lShin, lFoot, lToe",
    ),
    Family(
        "MMD",
        "センター > (上半身 > 上半身2 > (首 > 頭 | {左肩 > 左腕 > 左ひじ > 左手首}) | "
        "下半身 > ({左足 > 左ひざ > 左足首 > 左つま先}))",
        "センター",
        "上半身, 上半身2",
        "首",
        "頭",
        "左肩, 左腕, 左ひじ, 左手首, 左足, 左ひざ, 左足首, 左つま先",
    ),
    Family(
        "Japanese game",
        "N_Hara > (J_Kosi > ({J_Asi_A_L > J_Asi_C_L > J_Asi_D_L > J_Asi_E_L}) | J_Sebo_A > J_Sebo_B > (J_Kubi > "
        "J_Kao | {J_Sako_L > J_Ude_A_L > J_Ude_B_L > J_Te_L}))",
        "N_Hara",
        "J_Sebo_A, J_Sebo_B",
        "J_Kubi",
        "J_Kao",
        "J_Sako_L, J_Ude_A_L, J_Ude_B_L, J_Te_L, J_Asi_A_L, J_Asi_C_L, J_Asi_D_L, J_Asi_E_L",
    ),
)
