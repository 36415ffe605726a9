"""The Acclaim reader against the classical 4 × 4 matrices, on files that the tests write."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclaim_files import Bone, Case, leg, read
from motionary.errors import MotionFileError, UsageError, UserError
from motionary.formats.asf_amc import amc_frame_time, find_asf
from motionary.motion import Space


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

    file = read(asf, radians)
    silent = read(asf, leg().amc().replace(b":DEGREES", b""))

    assert file.recordings[0].values == pytest.approx(leg_recording().values)
    assert silent.recordings[0].values == pytest.approx(leg_recording().values)


def leg_recording(**options):
    case = leg(**options)
    return read(case.asf(), case.amc()).recordings[0]


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


def test_a_frame_time_of_zero_is_refused():
    with pytest.raises(UsageError, match="frame time of 0 s"):
        leg().read(frame_time=0)


def test_a_root_that_stands_elsewhere_is_noted():
    case = leg(position=(0.0, 1.0, 0.0))

    file = read(case.asf(), case.amc())

    assert "the root's position in the skeleton is added" in file.notes[0]


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
        file = read(asf, amc, truncate=truncate)
    except UserError as error:
        assert len(str(error)) < 1000  # noqa: PT017
        return
    motion = file.recordings[0].motion()
    assert np.isfinite(motion.positions_world).all()
