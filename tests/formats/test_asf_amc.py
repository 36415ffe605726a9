"""The Acclaim reader against the classical 4 × 4 matrices, on files that the tests write."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionary.errors import MotionFileError, UserError
from motionary.formats.asf import parse_asf
from motionary.formats.asf_amc import amc_frame_time, find_asf, parse_asf_amc
from motionary.motion import Motion, Space

ASF_PATH, AMC_PATH = Path("01.asf"), Path("01_01.amc")


@dataclass
class Bone:
    name: str
    parent: str
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)
    order: str = "XYZ"
    dofs: tuple[str, ...] = ()


@dataclass
class Case:
    """A skeleton and its frames, the root first; angles in degrees."""

    bones: list[Bone]
    frames: list[dict[str, list[float]]]
    angle: str = "deg"
    scale: float = 0.45
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    newline: str = "\n"
    extra: dict[str, str] = field(default_factory=dict)

    def _angle(self, degrees: float) -> float:
        return degrees if self.angle == "deg" else float(np.radians(degrees))

    def asf(self) -> bytes:
        root, *bones = self.bones
        lines = ["# written by a test", ":version 1.10", ":name VICON", ":units", "  mass 1.0"]
        lines += [f"  length {self.scale!r}", f"  angle {self.angle}", ":documentation", "   begin of nothing"]
        lines += [":root", f"   order {' '.join(root.dofs).upper()}", f"   axis {root.order}"]
        lines += [f"   position {' '.join(map(repr, self.position))}"]
        lines += [f"   orientation {' '.join(repr(self._angle(a)) for a in root.axis)}", ":bonedata"]
        for i, bone in enumerate(bones):
            lines += ["  begin", f"     id {i + 1}", f"     name {bone.name}"]
            lines += [f"     direction {' '.join(map(repr, bone.direction))}", f"     length {bone.length!r}  "]
            lines += [f"     axis {' '.join(repr(self._angle(a)) for a in bone.axis)}   {bone.order}"]
            if bone.dofs:
                lines += [f"    dof {' '.join(bone.dofs)}"]
                lines += ["    limits (-160.0 20.0)", *["           (-70.0 70.0)"] * (len(bone.dofs) - 1)]
            lines += ["  end"]
        lines += [":hierarchy", "  begin"]
        for parent in [bone.name for bone in self.bones]:
            if children := [bone.name for bone in bones if bone.parent == parent]:
                lines += [f"    {parent} {' '.join(children)}"]
        return self.newline.join([*lines, "  end", ""]).encode()

    def amc(self) -> bytes:
        lines = ["#!OML:ASF F:\\V\xfcon", ":FULLY-SPECIFIED", ":DEGREES" if self.angle == "deg" else ":RADIANS"]
        dofs = {bone.name: bone.dofs for bone in self.bones}
        for number, frame in enumerate(self.frames, 1):
            lines.append(str(number))
            for name, values in frame.items():
                written = [
                    self._angle(value) if dof[0] == "r" else value
                    for dof, value in zip(dofs[name], values, strict=True)
                ]
                lines.append(f"{name} {' '.join(map(repr, written))}")
        return self.newline.join([*lines, ""]).encode("latin-1")

    def read(self, **options) -> Motion:
        """The motion in the files' own unit."""
        file = parse_asf_amc(self.asf(), self.amc(), asf_path=ASF_PATH, amc_path=AMC_PATH, **options)
        (recording,) = file.recordings
        return replace(recording, space=Space()).motion()


def turn(axis: str, degrees: float) -> np.ndarray:
    a = np.radians(degrees)
    c, s = np.cos(a), np.sin(a)
    m = np.eye(4)
    if axis == "X":
        m[1:3, 1:3] = [[c, -s], [s, c]]
    elif axis == "Y":
        m[0, 0], m[0, 2], m[2, 0], m[2, 2] = c, s, -s, c
    else:
        m[:2, :2] = [[c, -s], [s, c]]
    return m


def move(v) -> np.ndarray:
    m = np.eye(4)
    m[:3, 3] = v
    return m


def acclaim_reference(case: Case) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Starts and ends (F, 3) of all bones from the format's definition: products of 4 × 4 matrices.

    The first-named axis is turned first; a bone's matrix is C · T · R · C⁻¹ at the end of its parent.
    """
    starts = {bone.name: np.zeros((len(case.frames), 3)) for bone in case.bones}
    ends = {bone.name: np.zeros((len(case.frames), 3)) for bone in case.bones}
    for f, frame in enumerate(case.frames):
        world_at_end: dict[str, np.ndarray] = {}
        for bone in case.bones:
            c = np.eye(4)
            for letter in bone.order:
                c = turn(letter, bone.axis["XYZ".index(letter)]) @ c
            r, t = np.eye(4), np.zeros(3)
            for dof, value in zip(bone.dofs, frame.get(bone.name, []), strict=True):
                if dof[0] == "r":
                    r = turn(dof[1].upper(), value) @ r
                else:
                    t["xyz".index(dof[1])] = value
            if bone.parent == "":
                world = move(np.array(case.position) + t) @ c @ r @ np.linalg.inv(c)
            else:
                world = world_at_end[bone.parent] @ c @ move(t) @ r @ np.linalg.inv(c)
            world_at_end[bone.name] = world @ move(bone.length * np.array(bone.direction))
            starts[bone.name][f] = world[:3, 3]
            ends[bone.name][f] = world_at_end[bone.name][:3, 3]
    return starts, ends


@st.composite
def cases(draw, *, translations: bool = True) -> Case:
    angles = st.floats(-400, 400).map(lambda x: round(x, 4))
    orders = st.permutations("XYZ").map("".join)
    n_bones = draw(st.integers(0, 6))
    root_dofs = tuple(draw(st.permutations(["tx", "ty", "tz", "rx", "ry", "rz"])))
    bones = [Bone("root", "", axis=tuple(draw(st.tuples(*[angles] * 3))), order=draw(orders), dofs=root_dofs)]
    kinds = ["rx", "ry", "rz"] + ["tx", "ty", "tz"] * translations
    for i in range(n_bones):
        direction = np.array(draw(st.tuples(*[st.integers(-5, 5)] * 3).filter(any)), dtype=float)
        bones.append(
            Bone(
                f"bone{i}",
                draw(st.sampled_from([bone.name for bone in bones])),
                tuple(float(x) for x in direction / np.linalg.norm(direction)),
                draw(st.floats(0, 10)),
                tuple(draw(st.tuples(*[angles] * 3))),
                draw(orders),
                tuple(draw(st.lists(st.sampled_from(kinds), unique=True, max_size=4))),
            )
        )
    frames = []
    for _ in range(draw(st.integers(1, 3))):
        moving = draw(st.permutations([bone for bone in bones if bone.dofs]))
        frames.append({bone.name: [draw(angles) for _ in bone.dofs] for bone in moving})
    return Case(
        bones,
        frames,
        draw(st.sampled_from(["deg", "rad"])),
        position=tuple(draw(st.tuples(*[st.floats(-3, 3)] * 3))),
        newline=draw(st.sampled_from(["\n", "\r\n"])),
    )


@given(case=cases())
def test_positions_are_those_of_the_matrices(case):
    motion = case.read()

    starts, ends = acclaim_reference(case)

    skeleton = motion.skeleton
    assert set(skeleton.names) == {bone.name for bone in case.bones}
    for bone in case.bones:
        joint = skeleton.index(bone.name)
        assert motion.positions_world[:, joint] == pytest.approx(starts[bone.name], abs=1e-6)
        if not skeleton.children(joint):
            (site,) = np.flatnonzero(skeleton.end_site_joints == joint)
            assert motion.end_sites_world[:, site] == pytest.approx(ends[bone.name], abs=1e-6)


def leg(**options) -> Case:
    """Thigh and shin straight down, 2 and 1 long; the shin turns about an axis tilted by 90° about z."""
    bones = [
        Bone("root", "", dofs=("tx", "ty", "tz", "rx", "ry", "rz")),
        Bone("lhipjoint", "root", (1.0, 0.0, 0.0), 0.5),
        Bone("lfemur", "lhipjoint", (0.0, -1.0, 0.0), 2.0, dofs=("rx", "ry", "rz")),
        Bone("ltibia", "lfemur", (0.0, -1.0, 0.0), 1.0, axis=(0.0, 0.0, 90.0), dofs=("rx",)),
    ]
    frames = [
        {"root": [1.0, 3.0, 0.0, 0.0, 0.0, 0.0], "lfemur": [0.0, 0.0, 0.0], "ltibia": [0.0]},
        {"root": [1.0, 3.0, 0.0, 0.0, 0.0, 0.0], "lfemur": [90.0, 0.0, 90.0], "ltibia": [0.0]},
        {"root": [1.0, 3.0, 0.0, 0.0, 0.0, 0.0], "lfemur": [0.0, 0.0, 0.0], "ltibia": [90.0]},
    ]
    return Case(bones, frames, **options)


def test_joints_are_the_starts_of_their_bones():
    motion = leg().read()

    assert motion.skeleton.names == ("root", "lhipjoint", "lfemur", "ltibia")
    assert motion.positions_world[0] == pytest.approx(
        np.array([[1.0, 3.0, 0.0], [1.0, 3.0, 0.0], [1.5, 3.0, 0.0], [1.5, 1.0, 0.0]])
    )
    assert motion.end_sites_world[0] == pytest.approx(np.array([[1.5, 0.0, 0.0]]))


def test_the_first_named_rotation_is_turned_first():
    # Down turned by 90° about x points to −z, and a turn about z leaves it there.
    assert leg().read().positions_world[1, 3] == pytest.approx([1.5, 3.0, -2.0])


def test_a_bone_turns_about_its_own_axes():
    # x of axes that are tilted by 90° about z is the world's y, about which a bone that points down only spins.
    motion = leg().read()

    assert motion.end_sites_world[2, 0] == pytest.approx([1.5, 0.0, 0.0])
    assert motion.rotations[2, 3] == pytest.approx([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])


def test_radians_and_crlf_give_the_same_motion():
    assert leg(angle="rad", newline="\r\n").read().positions_world == pytest.approx(leg().read().positions_world)


def test_the_motion_file_has_the_last_word_on_its_angles():
    asf = leg().asf()
    radians = leg(angle="rad").amc()

    file = parse_asf_amc(asf, radians, asf_path=ASF_PATH, amc_path=AMC_PATH)
    silent = parse_asf_amc(asf, leg().amc().replace(b":DEGREES", b""), asf_path=ASF_PATH, amc_path=AMC_PATH)

    assert file.recordings[0].values == pytest.approx(leg_recording().values)
    assert silent.recordings[0].values == pytest.approx(leg_recording().values)


def leg_recording(**options):
    case = leg(**options)
    return parse_asf_amc(case.asf(), case.amc(), asf_path=ASF_PATH, amc_path=AMC_PATH).recordings[0]


def test_the_length_scale_gives_the_unit():
    assert leg_recording().space.unit_metres == pytest.approx(0.0254 / 0.45)
    assert leg_recording().motion().skeleton.offsets[3] == pytest.approx([0.0, -2 * 0.056444, 0.0], abs=1e-5)


def test_a_length_scale_of_one_leaves_the_unit_open():
    assert leg_recording(scale=1.0).space == Space()


def test_channels_are_listed_in_product_order():
    layout = leg_recording().layout

    assert layout.rotation_order(0) == layout.rotation_order(2) == "ZYX"
    assert layout.rotation_order(1) == ""
    assert layout.rotation_order(3) == "X"


def test_frame_time_is_kept_as_given():
    assert leg().read().frame_time == 1 / 120
    assert leg().read(frame_time=1 / 119.88).frame_time == 1 / 119.88


def test_limits_are_read_over_several_lines():
    femur = parse_asf(leg().asf(), ASF_PATH).bones[2]

    assert femur.limits == ((-160.0, 20.0), (-70.0, 70.0), (-70.0, 70.0))


def test_infinite_limits_exponents_and_comments_are_understood():
    case = leg()
    asf = (
        case.asf()
        .replace(b"(-160.0 20.0)", b"(-inf inf)  # free")
        .replace(b"direction 1.0 0.0", b"direction 1. 7.62852e-016")
    )
    amc = case.amc().replace(b"ltibia 90.0", b"# not a bone \xe9\n\nltibia 9.E+001")

    file = parse_asf_amc(asf, amc, asf_path=ASF_PATH, amc_path=AMC_PATH)

    assert file.notes == ()
    assert file.recordings[0].values == pytest.approx(leg_recording().values)


def test_a_direction_that_is_not_of_length_one_is_noted():
    asf = leg().asf().replace(b"direction 1.0 0.0 0.0", b"direction 3.0 0.0 4.0")

    file = parse_asf_amc(asf, leg().amc(), asf_path=ASF_PATH, amc_path=AMC_PATH)

    assert file.recordings[0].skeleton.offsets[2] == pytest.approx([0.3, 0.0, 0.4])
    assert any("'lhipjoint' has length 5, taken as 1" in note for note in file.notes)


@pytest.mark.parametrize(
    ("old", "new", "line", "problem", "remedy"),
    [
        ("ltibia 0.0\n2", "2", 4, "has no line for ltibia", "another"),
        ("ltibia 90.0", "", 12, "has no line for ltibia", "--truncate"),
        ("ltibia 90.0", "ltibia 90.0 1", 15, "'ltibia' has 2 values, expected 1", "--truncate"),
        ("ltibia 90.0", "ltibia ninety", 15, "'ninety' should be numbers", "--truncate"),
        ("ltibia 90.0", "ltibia 9_0", 15, "'9_0' should be numbers", "--truncate"),
        ("ltibia 90.0", "ltibia nan", 12, "a value that no body has", "--truncate"),
        ("ltibia 90.0", "ltibia 1e300", 12, "a value that no body has", "--truncate"),
        ("ltibia 90.0", "ltibia 90.0\nltibia 90.0", 12, "has bone 'ltibia' twice", "--truncate"),
        ("ltibia 90.0", "ltibia 90.0\nrtibia 1", 16, "no bone 'rtibia'", "--truncate"),
        ("ltibia 0.0\n2", "rtibia 0.0\n2", 7, "no bone 'rtibia'", "--asf"),
        ("\n3\n", "\n4\n", 12, "frame 4 follows frame 2", "--truncate"),
        ("\n3\n", "\n2\n", 12, "frame 2 follows frame 2", "--truncate"),
        ("\n3\n", "\n33333333333333333333\n", 12, "is no frame number", "--truncate"),
        (":DEGREES", "version https://git-lfs", 3, "stands before the first frame", "Acclaim"),
    ],
)
def test_a_wrong_motion_is_an_error_with_line_and_remedy(old, new, line, problem, remedy):
    amc = leg().amc().decode("latin-1")
    assert old in amc

    with pytest.raises(MotionFileError) as raised:
        parse_asf_amc(leg().asf(), amc.replace(old, new, 1).encode("latin-1"), asf_path=ASF_PATH, amc_path=AMC_PATH)

    assert str(raised.value).startswith(f"01_01.amc:{line}: ")
    assert problem in str(raised.value)
    assert remedy in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "line", "problem"),
    [
        ("angle deg", "angle turns", 7, "deg or rad"),
        ("length 0.45", "length 0", 6, "length scale of 0"),
        (":hierarchy", ":skin", None, "no :hierarchy section"),
        ("axis XYZ", "axis XYX", 12, "X, Y and Z in some order"),
        ("direction 1.0 0.0 0.0", "direction 1.0 0.0", 19, "a direction needs 3 numbers"),
        ("direction 1.0 0.0 0.0", "direction 1.0 0.0 nan", 19, "not a usable number"),
        ("direction 1.0 0.0 0.0", "direction 0 0 0", 22, "length but no direction"),
        ("dof rx\n", "dof rx l\n", 40, "changes its length"),
        ("dof rx\n", "dof rx rx\n", 40, "twice"),
        ("dof rx\n", "dof rw\n", 40, "'rw' is no degree of freedom"),
        ("name ltibia", "name lfemur", 42, "second bone called 'lfemur'"),
        ("lfemur ltibia", "lfemur lfoot", 47, "no bone is called 'lfoot'"),
        ("lfemur ltibia", "lfemur ltibia lhipjoint", 47, "'lhipjoint' hangs on two parents"),
        ("lfemur ltibia", "ltibia lfemur", 34, "'ltibia' does not hang on the root"),
        ("    lfemur ltibia\n", "", 34, "'ltibia' does not hang on the root"),
        ("  begin\n     id 2", "     id 2", 23, "outside begin"),
        ("  end\n  begin\n     id 2", "  begin\n     id 2", 22, "'begin' inside a bone"),
        (":version", "hello\n:version", 2, "before the first section"),
        (":bonedata", ":root\n:bonedata", 15, "second :root section"),
    ],
)
def test_a_wrong_skeleton_is_an_error_with_line(old, new, line, problem):
    asf = leg().asf().decode()
    assert old in asf

    with pytest.raises(MotionFileError) as raised:
        parse_asf_amc(asf.replace(old, new, 1).encode(), leg().amc(), asf_path=ASF_PATH, amc_path=AMC_PATH)

    place = f"01.asf:{line}: " if line else "01.asf: "
    assert str(raised.value).startswith(place), str(raised.value)
    assert problem in str(raised.value)


def test_truncate_takes_the_frames_before_the_problem():
    cut = leg().amc()[:-30]

    file = parse_asf_amc(leg().asf(), cut, asf_path=ASF_PATH, amc_path=AMC_PATH, truncate=True)

    assert file.recordings[0].values == pytest.approx(leg_recording().values[:2])
    assert "left out: 01_01.amc:14: the skeleton has no bone 'l'" in file.notes[0]


def test_frame_numbers_may_start_and_step_as_they_like():
    amc = leg().amc().replace(b"\n1\n", b"\n101\n").replace(b"\n2\n", b"\n105\n").replace(b"\n3\n", b"\n109\n")

    file = parse_asf_amc(leg().asf(), amc, asf_path=ASF_PATH, amc_path=AMC_PATH)

    assert file.recordings[0].n_frames == 3
    assert "the first frame has number 101" in file.notes[0]
    assert "frame numbers rise by 4" in file.notes[1]


@pytest.mark.parametrize(
    ("motion", "beside", "found"),
    [
        ("01_01.amc", ["01.asf", "02.asf"], "01.asf"),
        ("HDM_bd_01-01_01_120.amc", ["HDM_bd.asf", "HDM_bk.asf"], "HDM_bd.asf"),
        ("walk.amc", ["walk.asf", "run.asf"], "walk.asf"),
        ("01_01.amc", ["01_01.asf", "01.asf"], "01_01.asf"),
        ("01_01.AMC", ["01.ASF", "02.ASF"], "01.ASF"),
        ("01_01.amc.gz", ["01.asf.gz", "02.asf"], "01.asf.gz"),
        ("walk.amc", ["body.asf"], "body.asf"),
    ],
)
def test_the_skeleton_is_found_beside_the_motion(tmp_path, motion, beside, found):
    for name in beside:
        (tmp_path / name).touch()

    assert find_asf(tmp_path / motion) == tmp_path / found


@pytest.mark.parametrize(("beside", "problem"), [([], "no .asf file"), (["a.asf", "b.asf"], "2 .asf files")])
def test_a_skeleton_that_cannot_be_told_is_an_error(tmp_path, beside, problem):
    for name in beside:
        (tmp_path / name).touch()

    with pytest.raises(MotionFileError, match=rf"{problem}.*--asf"):
        find_asf(tmp_path / "walk.amc")


def test_hdm05_names_tell_the_rate():
    assert amc_frame_time(Path("HDM_bd_01-01_01_120.amc")) == 1 / 120
    assert amc_frame_time(Path("35_60.amc")) is None


@given(case=cases(translations=False), data=st.data())
def test_mutated_files_give_an_error_or_a_motion(case, data):
    asf, amc = bytearray(case.asf()), bytearray(case.amc())
    for _ in range(data.draw(st.integers(1, 4))):
        text = data.draw(st.sampled_from([asf, amc]))
        at = data.draw(st.integers(0, len(text)))
        text[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))

    read_or_refuse(bytes(asf), bytes(amc), truncate=data.draw(st.booleans()))


@given(asf=st.binary(max_size=200), amc=st.binary(max_size=200))
def test_arbitrary_bytes_give_an_error_or_a_motion(asf, amc):
    read_or_refuse(asf, leg().amc(), truncate=False)
    read_or_refuse(leg().asf(), amc, truncate=True)


def read_or_refuse(asf: bytes, amc: bytes, *, truncate: bool) -> None:
    try:
        file = parse_asf_amc(asf, amc, asf_path=ASF_PATH, amc_path=AMC_PATH, truncate=truncate)
    except UserError as error:
        assert len(str(error)) < 1000  # noqa: PT017
        return
    motion = file.recordings[0].motion()
    assert np.isfinite(motion.positions_world).all()
