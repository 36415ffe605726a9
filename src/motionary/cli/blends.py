"""blend, register, loop."""

from typing import Annotated

import typer

from motionary.cli.blend_options import (
    Drawing,
    Examples,
    Keep,
    LabelOption,
    Mirror,
    Paths,
    Rate,
    SlopeLimit,
    number_rows,
    numbers,
    say_misfits,
)
from motionary.cli.motion_outputs import MotionOutputs, check_motion_outputs, give_motion
from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import check_pictures, counted, print_json, print_table, say
from motionary.errors import UsageError


def blend(
    bank_path: BankPath,
    segments: Examples = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights",
            help=("Weight of each segment: 0.3,0.7; or changing over time: 1,0/0,1. By default, equal weights."),
        ),
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(
            "--part", metavar="PART=WEIGHTS", help=("Weights for one body part, as in arms=0,1. Can be repeated.")
        ),
    ] = None,
    label: LabelOption = None,
    rate: Rate = None,
    slope: SlopeLimit = 3.0,
    paths: Paths = "graph",
    clean_up: Annotated[bool, typer.Option("--clean/--no-clean", help="Remove foot sliding from the result.")] = True,
    again: Annotated[
        str | None, typer.Option("--again", metavar="CLIP", help="Recompute a stored blend or loop from its recipe.")
    ] = None,
    keep: Keep = None,
    outputs: MotionOutputs = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Blend segments into one motion. The weights sum to 1."""
    from motionary.blend import RegistrationOptions
    from motionary.parametric import blend_segments, keep_blend, make_again

    check_motion_outputs(outputs)
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if again is not None:
            if not outputs:
                raise UsageError("--again needs -o: where to write or draw what was made again")
            from motionary.formats import write_motion
            from motionary.picture import Row, show_rows

            motion = make_again(bank, again)
            give_motion(
                outputs,
                save=lambda path: write_motion(motion, path),
                draw=lambda path: show_rows([Row(motion, title=again or "")], path),
            )
            print(f"{again}: {counted(motion.n_frames, 'frame')} made again, in {', '.join(map(str, outputs))}")
            return
        shares = None if weights is None else _weights(weights)
        options = RegistrationOptions(slope_limit=slope, paths=paths, spoilers="drop" if shares is None else "refuse")
        made = blend_segments(
            bank,
            segments or (),
            shares,
            groups=_parts(part or []),
            labels=label or (),
            options=options,
            rate_hz=rate,
            clean_up=clean_up,
        )
        if outputs:
            from motionary.picture import show_blend

            give_motion(outputs, save=made.save, draw=lambda path: show_blend(made.blend, path, title=keep or "blend"))
        if keep is not None:
            keep_blend(bank, keep, made)
    facts = made.blend.as_json() | {"clip": keep, "files": [str(path) for path in outputs or ()]}
    say_misfits(made.blend.registration)
    if as_json:
        print_json([facts])
        return
    shown = ", ".join(f"{share:g} {name}" for name, share in facts["weights"].items())
    print(f"{facts['frames']} frames, {facts['secs']:.2f} s: {shown}")
    score = "not measured" if facts["score_cm"] is None else f"{facts['score_cm']:.1f} cm"
    left = f", {facts['not_held']} not" if facts["not_held"] else ""
    print(f"{counted(facts['plants'] - facts['not_held'], 'plant')} held{left}; score {score}")


def register(
    bank_path: BankPath,
    segments: Examples = None,
    label: LabelOption = None,
    mirror: Mirror = False,
    rate: Rate = None,
    slope: SlopeLimit = 3.0,
    paths: Paths = "graph",
    output: Drawing = None,
    as_json: AsJson = False,
) -> None:
    """Show how well segments align with each other, and draw their time warps."""
    from motionary.bank import Bank
    from motionary.blend import RegistrationOptions
    from motionary.parametric import register_segments

    check_pictures((output, False))
    with Bank.open(bank_path) as bank:
        found = register_segments(
            bank,
            segments or (),
            labels=label or (),
            mirror=mirror,
            options=RegistrationOptions(slope_limit=slope, paths=paths),
            rate_hz=rate,
        )
    if output is not None:
        from motionary.picture import show_warps

        show_warps(found, output)
    facts = found.as_json()
    say_misfits(found)
    if as_json:
        print_json([facts])
        return
    rows = [
        [
            one["name"],
            str(one["frames"]),
            one["through"] or "",
            f"{one['cost_cm']:.1f}",
            f"{one['slope_least']:.2f}",
            f"{one['slope_greatest']:.2f}",
            str(one["lone_plants"]),
        ]
        for one in facts["sources"]
    ]
    print_table(["segment", "frames", "aligned with", "cm", "slowest", "fastest", "lone plants"], rows)
    say(f"{counted(len(facts['plants']), 'plant')} in common; the clock is that of {facts['reference']}")


def loop(
    bank_path: BankPath,
    segment: Annotated[str, typer.Argument(metavar="SEGMENT", help="Walk, run or skip of at least two strides.")],
    which: Annotated[
        int | None, typer.Option("--cycle", min=1, help=("Number of the cycle to use. By default, the best."))
    ] = None,
    in_place: Annotated[
        bool, typer.Option("--in-place", help="Remove travel and turning: the cycle stays in place.")
    ] = False,
    rounds: Annotated[int, typer.Option(min=1, help="Number of repetitions.")] = 1,
    find: Annotated[bool, typer.Option("--find", help="Only list the cycles.")] = False,
    clean_up: Annotated[bool, typer.Option("--clean/--no-clean", help="Remove foot sliding from the result.")] = True,
    keep: Keep = None,
    outputs: MotionOutputs = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make a seamless loop from one cycle of a segment."""
    from motionary.parametric import find_loops, keep_blend, loop_segment

    check_motion_outputs(outputs)
    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if find:
            cycles = find_loops(bank, segment)
            rows = [
                {
                    "cycle": number,
                    "clip": bank.clip(at.clip_id).name,
                    "start": at.start,
                    "stop": at.stop,
                    "cost_cm": round(100.0 * cycle.cost, 3),
                }
                for number, (at, cycle) in enumerate(cycles, start=1)
            ]
            if as_json:
                print_json(rows)
                return
            if rows:
                print_table(
                    ["cycle", "clip", "start", "stop", "cm"],
                    [
                        [str(r["cycle"]), str(r["clip"]), str(r["start"]), str(r["stop"]), f"{r['cost_cm']:.2f}"]
                        for r in rows
                    ],
                )
            say(counted(len(rows), "cycle"))
            return
        made = loop_segment(bank, segment, which=which, in_place=in_place, rounds=rounds, clean_up=clean_up)
        if outputs:
            from motionary.picture import Row, show_rows

            give_motion(
                outputs, save=made.save, draw=lambda path: show_rows([Row(made.motion, title=keep or "loop")], path)
            )
        if keep is not None:
            keep_blend(bank, keep, made)
        clip = bank.clip(made.segment.clip_id).name
    facts = {
        "clip": clip,
        "start": made.segment.start,
        "stop": made.segment.stop,
        "cost_cm": round(100.0 * made.cycle.cost, 3),
        "seam_rad": made.loop.seam,
        "velocity_percent": round(100.0 * made.loop.velocity, 4),
        "frames": made.motion.n_frames,
        "kept": keep,
    }
    if as_json:
        print_json([facts])
        return
    print(
        f"{clip}:{facts['start']}-{facts['stop']}: {facts['frames']} frames; seam {facts['seam_rad']:.1g} rad, "
        f"velocities within {facts['velocity_percent']:.2g} %"
    )


def _weights(text: str) -> list[float] | list[list[float]]:
    rows = number_rows("--weights", text)
    return rows[0] if len(rows) == 1 else rows


def _parts(parts: list[str]) -> dict[str, list[float]]:
    found = {}
    for text in parts:
        name, sign, given = text.partition("=")
        if not sign or not name:
            raise UsageError(f"--part: write PART=WEIGHTS, such as arms=0,1, not {text!r}")
        found[name] = numbers("--part", given)
    return found
