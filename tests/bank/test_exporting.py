"""What comes out is what went in, with its credit, and never half a file."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionary
from bank.small_banks import recording, write_bvh
from conftest import swaying_body
from motionary.bank import Bank, ExportOptions, ImportOptions, export, import_motions
from motionary.errors import MappingError, UsageError
from motionary.formats import bvh_text, parse_bvh
from motionary.motion import ChannelLayout, Recording, Skeleton, Space, our_skeleton, recording_of, resample
from rig.floor_points import on_floor_point


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    with Bank.open(tmp_path / "a.bank", create=True) as bank:
        yield bank


def read(path: Path) -> Recording:
    (found,) = parse_bvh(path.read_bytes(), path).recordings
    return found


ODD_HIERARCHY = """HIERARCHY
ROOT Hüft:Root 1
{
\tOFFSET 1.5 -2.25 3.125
\tCHANNELS 6 Zposition Xposition Yposition Yrotation Xrotation Zrotation
\tJOINT left arm
\t{
\t\tOFFSET 0.1 0.2 0.3
\t\tCHANNELS 6 Xrotation Zrotation Yrotation Xposition Yposition Zposition
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0 0 1e-3
\t\t}
\t}
\tJOINT fixed
\t{
\t\tOFFSET 0 1 0
\t\tCHANNELS 0
\t\tJOINT one
\t\t{
\t\t\tOFFSET 0 2 0
\t\t\tCHANNELS 1 Yrotation
\t\t\tEnd Site
\t\t\t{
\t\t\t\tOFFSET 0 0.5 0
\t\t\t}
\t\t}
\t}
}
"""


@pytest.mark.parametrize("options", [ImportOptions(), ImportOptions(unit_metres=0.0254, up="z", handedness="left")])
def test_a_file_comes_out_as_it_went_in(bank: Bank, tmp_path: Path, options: ImportOptions) -> None:
    rng = np.random.default_rng(5)
    values = rng.uniform(-1000, 1000, (30, 13))
    values[:, [3, 4, 5]] = rng.uniform(-5e5, 5e5, (30, 3))  # turned many times: relative
    values[0, :] = 0.0
    text = ODD_HIERARCHY + "MOTION\nFrames: 30\nFrame Time: .0083333\n"
    text += "\n".join(" ".join(repr(float(value)) for value in row) for row in values) + "\n"
    (tmp_path / "odd.bvh").write_text(text)

    import_motions(bank, [tmp_path / "odd.bvh"], options=options)
    (written,) = export(bank, ["odd"], tmp_path / "out.bvh")

    before, after = read(tmp_path / "odd.bvh"), read(written.path)
    assert after.skeleton.names == before.skeleton.names == ("Hüft:Root 1", "left arm", "fixed", "one")
    assert np.array_equal(after.skeleton.parents, before.skeleton.parents)
    assert np.array_equal(after.skeleton.offsets, before.skeleton.offsets)
    assert np.array_equal(after.skeleton.end_site_joints, before.skeleton.end_site_joints)
    assert np.array_equal(after.skeleton.end_site_offsets, before.skeleton.end_site_offsets)
    assert np.array_equal(after.layout.joints, before.layout.joints)
    assert np.array_equal(after.layout.kinds, before.layout.kinds)
    assert after.frame_time == before.frame_time == 0.0083333
    angles = before.layout.is_rotation
    assert np.abs(after.values - values)[:, ~angles].max() <= 1e-6
    error = np.abs(after.values - values)[:, angles]
    assert (error <= np.maximum(1e-4, 1e-7 * np.abs(values[:, angles]))).all()
    again = export(bank, ["odd"], tmp_path / "again.bvh")[0].path
    assert again.read_bytes() == written.path.read_bytes()


def test_import_and_export_again_changes_no_byte(bank: Bank, tmp_path: Path) -> None:
    for i in range(3):
        write_bvh(tmp_path / "in" / f"{i}.bvh", i, n_frames=20)
    import_motions(bank, [tmp_path / "in"])
    export(bank, ["0", "1", "2"], tmp_path / "once")
    with Bank.open(tmp_path / "b.bank", create=True) as second:
        import_motions(second, [tmp_path / "once"])
        export(second, ["0", "1", "2"], tmp_path / "twice")
    for i in range(3):
        assert (tmp_path / "once" / f"{i}.bvh").read_bytes() == (tmp_path / "twice" / f"{i}.bvh").read_bytes()


def test_what_rounding_leaves_is_written_as_zero_unless_a_file_had_it(bank: Bank, tmp_path: Path) -> None:
    body = recording_of(swaying_body(3, n_frames=9, frame_time=1 / 30))
    dusty = replace(body, values=body.values.copy())
    dusty.values[2:4] = [[3.9e-16], [-3.9e-16]]
    bank.add("made", dusty)
    bank.add("read", dusty, format="bvh")

    written = {name: export(bank, name, tmp_path / f"{name}.bvh")[0].path.read_text() for name in ("made", "read")}

    assert "e-16" not in written["made"]
    assert "e-16" in written["read"]


def test_segments_are_cut(bank: Bank, tmp_path: Path) -> None:
    bank.add("walk", recording(0, n_frames=30))

    (written,) = export(bank, ["walk:10-12"], tmp_path / "out.bvh")

    assert (written.clip, written.start, written.stop) == ("walk", 10, 12)
    assert np.allclose(read(written.path).values, recording(0, n_frames=30).values[10:12], atol=1e-5)


def test_credit_comes_along(bank: Bank, tmp_path: Path) -> None:
    bank.add("walk", recording(0), licence="CC-BY-4.0", credit="Jürgen & Co", source="/secret/folder/walk.bvh")
    bank.add("free", recording(1))

    export(bank, ["walk:1-3"], tmp_path / "out" / "x.bvh")
    export(bank, ["walk"], tmp_path / "x.glb", options=ExportOptions("glb"))

    assert json.loads((tmp_path / "out" / "x.bvh.credit.json").read_text("utf-8")) == {
        "clip": "walk",
        "frames": "1-3",
        "source": "walk.bvh",
        "licence": "CC-BY-4.0",
        "credit": "Jürgen & Co",
    }
    assert "Jürgen & Co".encode() in (tmp_path / "x.glb").read_bytes()
    assert not (tmp_path / "x.bvh.credit.json").exists()
    export(bank, ["free"], tmp_path / "out" / "x.bvh", overwrite=True)
    assert not (tmp_path / "out" / "x.bvh.credit.json").exists()


def test_names_become_files_that_do_not_clash(bank: Bank, tmp_path: Path) -> None:
    names = ["a/b", "a:b", "a?b", "A_B", "../../up", "a/../c", ".hidden", "con. ", "名" * 100, "/", "a_b~2", "x.bvh/y"]
    names.append("x")
    for i, name in enumerate(names):
        bank.add(name.strip(), recording(i))
    segments = [f"#{clip.id}" for clip in bank.clips()]

    written = export(bank, [*segments, "#1:0-2", "#1:0-2", "#1:1-2"], tmp_path / "out")

    paths = [str(one.path.relative_to(tmp_path / "out")) for one in written]
    assert len({path.lower() for path in paths}) == len(paths) == 16
    assert all((tmp_path / "out" / path).is_file() for path in paths)
    assert paths[:5] == ["a/b.bvh", "a_b.bvh", "a_b~2.bvh", "A_B~3.bvh", "up.bvh"]
    assert paths[13:] == ["a/b_0-2.bvh", "a/b_0-2~2.bvh", "a/b_1-2.bvh"]
    assert not any(path.startswith(".") for path in paths)
    for clip, one in zip(bank.clips(), written, strict=False):
        assert np.allclose(read(one.path).values, bank.recording(clip.id).values)


def test_nothing_is_overwritten_unasked(bank: Bank, tmp_path: Path) -> None:
    bank.add("a", recording(0))
    bank.add("b", recording(1), credit="Me")
    out = tmp_path / "out"
    out.mkdir()
    (out / "b.bvh.credit.json").write_text("mine")

    with pytest.raises(UsageError, match=r"b\.bvh\.credit\.json: already exists; --overwrite replaces it"):
        export(bank, ["a", "b"], out)
    assert [path.name for path in out.iterdir()] == ["b.bvh.credit.json"]
    export(bank, ["a", "b"], out, overwrite=True)
    with pytest.raises(UsageError, match=r"a\.bvh: already exists"):
        export(bank, ["a"], out)
    assert sorted(path.name for path in out.iterdir()) == ["a.bvh", "b.bvh", "b.bvh.credit.json"]


def test_a_dry_run_says_and_does_not(bank: Bank, tmp_path: Path) -> None:
    bank.add("a/b", recording(0))
    said = export(bank, ["a/b"], tmp_path / "out", dry_run=True)
    assert not (tmp_path / "out").exists()
    assert said == export(bank, ["a/b"], tmp_path / "out")
    facts = {"file": str(tmp_path / "out/a/b.bvh"), "clip": "a/b", "start": 0, "stop": 4, "notes": []}
    assert said[0].as_json() == facts


def test_where_files_cannot_go(bank: Bank, tmp_path: Path) -> None:
    bank.add("a", recording(0))
    bank.add("b", recording(1))
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="2 segments need an output folder, not a file"):
        export(bank, ["a", "b"], tmp_path / "out.bvh")
    with pytest.raises(UsageError, match="is not a folder, and a file"):
        export(bank, ["a"], tmp_path / "file")
    with pytest.raises(UsageError, match=r"out\.glb: a BVH file must end in \.bvh; change the name or the format"):
        export(bank, ["a"], tmp_path / "out.glb", options=ExportOptions("bvh"))
    with pytest.raises(UsageError, match="cannot be written"):
        export(bank, ["a"], tmp_path / "file" / "below")


def test_a_changed_motion_keeps_channels_and_unit(bank: Bank, tmp_path: Path) -> None:
    motion = swaying_body(n_frames=31)
    (tmp_path / "body.bvh").write_bytes(bvh_text(recording_of(motion)))
    import_motions(bank, [tmp_path / "body.bvh"], options=ImportOptions(unit_metres=0.01, up="y"))

    slow = export(bank, ["body"], tmp_path / "slow.bvh", options=ExportOptions(frame_time=1 / 30))[0].path
    mirrored = export(bank, ["body"], tmp_path / "m.bvh", options=ExportOptions(mirrored=True))[0].path
    glb = export(bank, ["body:3-9"], tmp_path / "x.glb", options=ExportOptions("glb"))[0].path

    before = read(tmp_path / "body.bvh")
    assert (read(slow).n_frames, read(slow).frame_time) == (16, 1 / 30)
    assert np.allclose(read(slow).values, before.values[::2], atol=1e-3)
    assert np.array_equal(read(mirrored).layout.kinds, before.layout.kinds)
    assert np.allclose(read(mirrored).values[:, 0], -before.values[:, 0], atol=1e-5)
    assert glb.read_bytes()[:4] == b"glTF"


def test_a_users_map_tells_what_is_mirrored(bank: Bank, tmp_path: Path) -> None:
    motion = swaying_body(n_frames=5)
    named = motion.skeleton.names
    numbered = replace(motion.skeleton, names=tuple(f"bone{joint:02d}" for joint in range(len(named))))
    bank.add("named", recording_of(motion))
    bank.add("numbered", recording_of(replace(motion, skeleton=numbered)))
    options = ExportOptions(mirrored=True)
    with pytest.raises(MappingError, match="left and right"):
        export(bank, ["numbered"], tmp_path / "wrong.bvh", options=options)
    bank.set_body_map("numbered", dict(zip(named, numbered.names, strict=True)))

    (wanted,) = export(bank, ["named"], tmp_path / "named.bvh", options=options)
    (mirrored,) = export(bank, ["numbered"], tmp_path / "numbered.bvh", options=options)

    assert read(mirrored.path).motion().positions_world == pytest.approx(
        read(wanted.path).motion().positions_world, abs=1e-4
    )


def test_options_may_be_given_directly(bank: Bank, tmp_path: Path) -> None:
    bank.add("body", recording_of(swaying_body(n_frames=31)))
    options = ExportOptions(frame_time=1 / 30)
    (by_options,) = export(bank, ["body"], tmp_path / "a.bvh", options=replace(options, mirrored=True))
    (directly,) = export(bank, ["body"], tmp_path / "b.bvh", options=options, mirrored=True)
    assert directly.path.read_bytes() == by_options.path.read_bytes()

    with pytest.raises(UsageError, match="export has no option 'mirror'; did you mean mirrored"):
        export(bank, ["body"], tmp_path / "c.bvh", mirror=True)


def test_the_ending_tells_the_format(bank: Bank, tmp_path: Path) -> None:
    bank.add("a", recording(0))
    bank.add("b", recording(1))

    assert motionary.export(bank, ["#1"], str(tmp_path / "x.glb"))[0].path.read_bytes()[:4] == b"glTF"
    assert export(bank, ["#1"], tmp_path / "x.BVH")[0].path.read_bytes()[:9] == b"HIERARCHY"
    (tmp_path / "take.v2").mkdir()
    assert export(bank, ["#1"], tmp_path / "take.v2")[0].path == tmp_path / "take.v2" / "a.bvh"
    assert export(bank, ["#1", "#2"], tmp_path / "take.v3")[1].path == tmp_path / "take.v3" / "b.bvh"
    with pytest.raises(UsageError, match=r"t\.fbx: cannot write \.fbx files; supported are \.bvh and \.glb"):
        export(bank, ["#1"], tmp_path / "t.fbx")
    with pytest.raises(UsageError, match="2 segments need an output folder"):
        export(bank, ["#1", "#2"], tmp_path / "t.glb")
    assert not (tmp_path / "t.fbx").exists()


def test_a_glb_leaves_the_credit_of_a_bvh_alone(bank: Bank, tmp_path: Path) -> None:
    bank.add("walk", recording(0), licence="CC-BY-4.0")
    bank.add("free", recording(1))
    export(bank, ["walk"], tmp_path / "take.bvh")
    credit = (tmp_path / "take.bvh.credit.json").read_bytes()

    export(bank, ["free"], tmp_path / "take.glb")
    export(bank, ["free"], tmp_path / "take.glb", overwrite=True)

    assert (tmp_path / "take.bvh.credit.json").read_bytes() == credit


def test_onto_a_clip_writes_that_clips_unit_axes_and_channels(bank: Bank, tmp_path: Path) -> None:
    body, inches = swaying_body(1, n_frames=12), Space(0.0254, "z", "right")
    plain = recording_of(body)
    order = np.array([0, 1, 2, 4, 3, 5] + [4, 3, 5] * (body.skeleton.n_joints - 1), dtype=np.int8)
    rig = replace(body.skeleton, **_in_inches(body.skeleton, inches))
    like = Recording(rig, ChannelLayout(plain.layout.joints, order), plain.values, plain.frame_time, inches)
    bank.add("target", recording_of(replace(body, skeleton=our_skeleton(rig, inches)), like=like))
    bank.add("source", recording_of(swaying_body(2, n_frames=12)))

    (written,) = export(bank, ["source"], tmp_path / "x.bvh", options=ExportOptions(onto="target"))

    found = read(written.path)
    assert np.array_equal(found.layout.kinds, order)
    there = [rig.names.index(name) for name in found.skeleton.names]  # a file has them branch by branch
    assert np.allclose(found.skeleton.offsets, rig.offsets[there])
    again = replace(found, space=inches).motion()
    assert np.allclose(again.positions_world, bank.motion("source").positions_world[:, there], atol=1e-3)
    assert written.notes == ()


def _in_inches(skeleton: Skeleton, space: Space) -> dict[str, np.ndarray]:
    theirs = np.linalg.inv(space.unit_metres * space.ours_from_file).T
    return {"offsets": skeleton.offsets @ theirs, "end_site_offsets": skeleton.end_site_offsets @ theirs}


def test_channels_that_cannot_hold_a_changed_motion_become_more(bank: Bank, tmp_path: Path) -> None:
    source = recording(0, n_frames=9)
    layout = ChannelLayout(np.array([0] * 6 + [1] * 2), np.array([0, 1, 2, 4, 3, 5, 5, 3]))
    two = Recording(source.skeleton, layout, source.values[:, :8], 1 / 50, Space(0.01, "z", "right"))
    bank.add("two", two)

    options = ExportOptions(frame_time=1 / 60)
    said = export(bank, ["two"], tmp_path / "x.bvh", options=options, dry_run=True)
    (written,) = export(bank, ["two"], tmp_path / "x.bvh", options=options)

    found = read(written.path)
    assert written.notes == ("channels were added for changed joints: Chest",)
    assert said == [written]
    assert found.layout.kinds.tolist() == [0, 1, 2, 4, 3, 5, 5, 3, 4]
    assert np.array_equal(found.skeleton.offsets, two.skeleton.offsets)
    again = replace(found, space=two.space).motion()
    expected = resample(bank.motion("two"), frame_time=1 / 60)
    assert np.allclose(again.positions_world, expected.positions_world, atol=1e-5)


def test_matches_come_out_as_their_query_goes(bank: Bank, tmp_path: Path) -> None:
    from motionary.motion import mirror, poses_at
    from motionary.rig import body_headings, mirror_partners
    from motionary.search import keep_matches, search_bank

    source = swaying_body(3, n_frames=90, frame_time=1 / 30)
    secs = np.arange(90) / 30
    source = replace(source, root_positions=source.root_positions + np.outer(secs, (0.6, 0.0, 0.4)))
    slower = poses_at(source, np.arange(0, 89, 0.8))
    bank.add("source", recording_of(source))
    bank.add("slow", recording_of(mirror(slower, mirror_partners(source.skeleton))))
    result = search_bank(bank, "source:10-70", k=1, scale=0.3, descriptions="positions")
    keep_matches(bank, "found", result)
    options = ExportOptions(as_query=True, on_query_clock=True, recentred=True)

    (one,) = export(bank, result, tmp_path / "match.bvh", options=options)
    (again,) = export(bank, "@found:1", tmp_path / "again.bvh", options=options)
    (query,) = export(bank, "source:10-70", tmp_path / "query.bvh", options=ExportOptions(recentred=True))

    assert (result[0].mirrored, result[0].clip) == (True, "slow")
    assert one.path.read_bytes() == again.path.read_bytes()
    found, wanted = read(one.path).motion(), read(query.path).motion()
    assert found.n_frames == wanted.n_frames == 60
    assert np.abs(found.positions_world - wanted.positions_world).max() < 0.03
    np.testing.assert_allclose(wanted.root_positions[0, [0, 2]], 0.0, atol=1e-9)
    assert abs(body_headings(wanted)[0]) < 1e-6
    assert b"e-1" not in query.path.read_bytes()


@pytest.mark.parametrize("onto", ["reference", "short", None])
def test_recentred_motions_face_ahead_on_every_skeleton(bank: Bank, tmp_path: Path, onto: str | None) -> None:
    from motionary.motion import Placement
    from motionary.rig import body_headings

    source = swaying_body(3, n_frames=30)
    bank.add("source", recording_of(Placement(2.5, 1.0, -2.0).place(source)))
    short = swaying_body(4)
    bank.add(
        "short", recording_of(replace(short, skeleton=replace(short.skeleton, offsets=short.skeleton.offsets * 0.8)))
    )

    (one,) = export(bank, "source", tmp_path / "a.bvh", onto=onto, options=ExportOptions(recentred=True))

    written = read(one.path).motion()
    assert abs(body_headings(written)[0]) < 1e-4
    np.testing.assert_allclose(written.root_positions[0, [0, 2]], 0.0, atol=1e-9)


def test_recentred_motions_begin_where_their_hips_are(bank: Bank, tmp_path: Path) -> None:
    motion = on_floor_point(swaying_body(3, n_frames=30), "still")
    bank.add("source", recording_of(motion))

    (one,) = export(bank, "source", tmp_path / "a.bvh", options=ExportOptions(recentred=True))

    hips = read(one.path).motion().positions_world[0, 1]
    np.testing.assert_allclose(hips[[0, 2]], 0.0, atol=1e-6)


def test_only_matches_can_follow_a_query(bank: Bank, tmp_path: Path) -> None:
    bank.add("take", recording())
    with pytest.raises(UsageError, match="'take' is not a match, so it has no query to follow; export @SELECTION"):
        export(bank, "take", tmp_path / "a.bvh", options=ExportOptions(as_query=True))


def test_a_format_that_cannot_be_written_is_refused():
    with pytest.raises(UsageError, match="format must be bvh or glb, not 'fbx'"):
        ExportOptions(format="fbx")
