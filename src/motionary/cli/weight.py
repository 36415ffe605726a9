"""body, score."""

from pathlib import Path
from typing import Annotated

import typer

from motionary.cli.options import AsJson, BankPath, Segments
from motionary.cli.output import print_json, print_table, progress_bar, say

MassesOption = Annotated[
    Path | None, typer.Option("--masses", help="TOML file with the share of the body mass of each body part.")
]


def body(
    bank_path: BankPath,
    clip: Annotated[
        str | None, typer.Argument(metavar="[CLIP]", help="Clip, by name or #id. Not needed with --fit.")
    ] = None,
    masses: MassesOption = None,
    mass: Annotated[float | None, typer.Option("--mass", min=1.0, help="Body mass in kg.")] = None,
    fit: Annotated[bool, typer.Option("--fit", help="Estimate the mass shares from the motion in BANK.")] = False,
    label: Annotated[
        list[str] | None, typer.Option("--label", "-l", help="With --fit: use only clips with this label.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help=("With --fit: write the shares to this TOML file."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the masses, centre of mass and energy of a clip, or estimate the masses from the motion in BANK."""
    from motionary.bank import Bank
    from motionary.dynamics import WITHIN, read_part_masses
    from motionary.errors import UsageError
    from motionary.feet import fit_library, weigh
    from motionary.files import write_whole

    if fit and (clip or masses or mass):
        raise UsageError(
            "--fit uses the whole bank, or clips with a --label; do not name a clip, --masses or --mass with it"
        )
    if not fit and (output or label):
        raise UsageError("-o and --label need --fit")
    with Bank.open(bank_path) as bank:
        if not fit:
            if clip is None:
                raise UsageError("name a clip, or use --fit")
            facts = weigh(bank, clip, parts=read_part_masses(masses) if masses else None, body_mass=mass).as_json()
            _print_body(facts, as_json=as_json)
            return
        with progress_bar("Weighing") as step:
            fitted = fit_library(bank, bank.clips(labels=label or ()), progress=step)
    if output is not None:
        shares = "".join(f"{part} = {share:.6f}\n" for part, share in fitted.shares.items())
        write_whole(output, shares.encode())
    if as_json:
        print_json([{"shares": fitted.shares, "moved": fitted.moved}])
        return
    at_limit = [part for part, moved in fitted.moved.items() if abs(moved) > 0.999 * WITHIN]
    if at_limit:
        say(
            f"{', '.join(at_limit)}: at the limit of ±{100 * WITHIN:.0f} %. There may be too little motion in the "
            "bank, generated motion, or bodies supported by more than their feet; use -l to select standing and "
            "walking."
        )
    print_table(["part", "moved"], [[part, f"{100 * moved:+.1f} %"] for part, moved in fitted.moved.items()])
    print(
        f"distance of the zero-moment point from the support: {1000 * fitted.mean_before:.2f} mm with average masses, "
        f"{1000 * fitted.mean_after:.2f} mm with these"
    )


def score(
    bank_path: BankPath,
    segments: Segments,
    masses: MassesOption = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Plot the score over time: .png or .svg.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score how natural segments are by foot sliding, balance, flight and jerk. Lower is better."""
    from motionary.bank import Bank
    from motionary.dynamics import read_part_masses
    from motionary.feet import score_segments
    from motionary.naturalness import MEANINGS
    from motionary.picture import plot_scores

    with Bank.open(bank_path) as bank:
        scored = score_segments(bank, segments, parts=read_part_masses(masses) if masses else None)
        named = [(bank.segment_name(one.segment), one.as_json()) for one in scored]
        if output is not None:
            plot_scores(bank, scored, output)
    if as_json:
        print_json({"segment": name} | facts for name, facts in named)
        return
    for name, facts in named:
        print(name)
        rows = [[f"  {key}", _shown(value), MEANINGS[key.removesuffix("_cm")]] for key, value in facts.items()]
        print_table(["  measure", "value", "what it is"], rows)


def _print_body(facts: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        print_json([facts])
        return
    shares, displaced, centre = facts["shares"], facts["displaced_mass"], facts["centre_mean_m"]
    assert isinstance(shares, dict)
    assert isinstance(displaced, dict)
    assert isinstance(centre, list)
    print(
        f"{facts['clip']}: {facts['height_m']:.2f} m, {facts['mass_kg']:.1f} kg (estimated from height, unless given)"
    )
    print_table(["part", "share"], [[part, f"{100 * share:.2f} %"] for part, share in shares.items()])
    print()
    print_table(["joint", "moves"], [[name, f"{100 * share:.2f} %"] for name, share in displaced.items()])
    print()
    print_table(
        ["centre of mass", "", ""],
        [
            ["mean place", ", ".join(f"{x:.2f}" for x in centre), "m"],
            ["speed, mean", f"{facts['speed_mean']:.2f}", "m/s"],
            ["speed, largest", f"{facts['speed_max']:.2f}", "m/s"],
            ["acceleration, largest", f"{facts['acceleration_max']:.2f}", "m/s²"],
            ["kinetic energy, mean", f"{facts['energy_mean_j']:.1f}", "J"],
            ["kinetic energy, largest", f"{facts['energy_max_j']:.1f}", "J"],
        ],
    )


def _shown(value: object) -> str:
    if not isinstance(value, float):
        return "–" if value is None else str(value)
    return f"{value:.4f}" if 0.0 < abs(value) < 0.01 and f"{value:.4f}" != "0.0000" else f"{value:.2f}"
