"""map."""

from pathlib import Path
from typing import Annotated

import typer

from motionary.cli.opening import bank_to_change
from motionary.cli.options import AsJson, BankPath, DryRun
from motionary.cli.output import print_json, print_table


def map_(
    bank_path: BankPath,
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="Any clip with that skeleton, by name or #id.")],
    use: Annotated[
        Path | None,
        typer.Option("--use", help=("Use the map in this file for the skeleton: JSON or TOML, body part to joint.")),
    ] = None,
    forget: Annotated[bool, typer.Option("--forget", help="Go back to the automatic map.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Show or set which joint of a skeleton is which body part."""
    from motionary.rig import read_map

    with bank_to_change(bank_path, dry_run=dry_run) as bank:
        if use is not None or forget:
            bank.set_body_map(clip, None if use is None else read_map(use))
        found = bank.clip(clip)
        names = bank.skeleton(found).names
        slots = bank.body_map(found).slots
    rows = [[part, ", ".join(names[joint] for joint in joints)] for part, joints in slots.items()]
    if as_json:
        print_json([{part: [names[joint] for joint in joints] for part, joints in slots.items()}])
    else:
        print_table(["part", "joint"], rows)
