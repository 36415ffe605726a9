"""edit ls, show, recipes, operations, qualities."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from motionary.cli.options import AsJson, BankPath, Segments
from motionary.cli.output import counted, print_json, print_table, say


def list_(
    bank_path: BankPath,
    clips: Annotated[
        list[str] | None, typer.Argument(metavar="[CLIP…]", help=("Clips, by name or #id. By default, all clips."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the edits of clips, lowest layer first."""
    from motionary.bank import Bank
    from motionary.edit import list_edits

    with Bank.open(bank_path) as bank:
        layers = list_edits(bank, clips or ())
    if as_json:
        print_json(layer.as_json() for layer in layers)
        return
    rows = [
        [
            one.clip,
            str(one.position),
            one.operation,
            f"{one.start}-{one.stop}",
            f"{one.strength:g}",
            one.hash,
            one.origin,
        ]
        for one in layers
    ]
    if rows:
        print_table(["clip", "layer", "operation", "frames", "strength", "recipe", "from"], rows)
    say(counted(len(rows), "edit") if rows else "no clip is edited")


def show(
    bank_path: BankPath,
    clip: Annotated[str, typer.Argument(metavar="CLIP", help="Clip, by name or #id.")],
    position: Annotated[
        int | None, typer.Argument(metavar="[LAYER]", help=("Layer number. By default, the highest layer."))
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print an edit as JSON: its recipe, and its values for this segment. With --json, all of it on one line."""
    from motionary.bank import Bank
    from motionary.edit import TAKEN, list_edits
    from motionary.errors import NotInBankError

    with Bank.open(bank_path) as bank:
        layers = list_edits(bank, [clip])
    by_position = {layer.position: layer.content for layer in layers}
    wanted = max(by_position, default=0) if position is None else position
    if wanted not in by_position:
        raise NotInBankError(f"clip {clip!r} has {counted(len(by_position), 'layer')}; `edit ls` lists them")
    content = {name: value for name, value in by_position[wanted].items() if name not in ("plants", *TAKEN)}
    if as_json:
        print_json([content])
        return
    print(_with_short_lines(json.dumps(content, ensure_ascii=False, indent=2)))


def recipes(
    bank_path: BankPath,
    export: Annotated[
        str | None, typer.Option("--export", metavar="HASH", help="Export this recipe to a file.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Output file: .json.")] = None,
    as_json: AsJson = False,
) -> None:
    """List the edit recipes of BANK, or export one."""
    from motionary.bank import Bank
    from motionary.edit import edit_recipes, recipe_called, write_recipe
    from motionary.errors import UsageError

    with Bank.open(bank_path) as bank:
        if export is not None:
            if output is None or output.suffix != ".json":
                raise UsageError("--export needs a file to write to: -o recipe.json")
            write_recipe(recipe_called(bank, export), output)
            print(output)
            return
        found = edit_recipes(bank)
    if as_json:
        print_json({"hash": name, "edits": n, "recipe": recipe.as_json()} for name, (recipe, n) in found.items())
        return
    rows = [
        [name, recipe.operation.name, str(n), _said(recipe.operation.as_json()["parameters"]), recipe.example]
        for name, (recipe, n) in found.items()
    ]
    if rows:
        print_table(["recipe", "operation", "edits", "parameters", "from"], rows)
    say(counted(len(rows), "recipe") if rows else "no clip is edited")


def operations_(
    name: Annotated[str | None, typer.Argument(metavar="[OPERATION]", help="Operation to describe.")] = None,
    as_json: AsJson = False,
) -> None:
    """List all edit operations, or describe one and its parameters."""
    from motionary.edit import operation_called, operations

    kinds = [operation_called(name)] if name else list(operations().values())
    if as_json:
        print_json(
            {
                "operation": kind.name,
                "title": kind.title,
                "about": _about(kind),
                "changes_length": kind.changes_length,
                "joints": list(kind.default_joints),
                "parameters": kind.parameters(),
            }
            for kind in kinds
        )
    elif name:
        print(f"{kinds[0].name}: {kinds[0].title}\n\n{_about(kinds[0])}\n")
        rows = [
            [one["parameter"], _said_value(one["default"]), _range(one), one["help"], "yes" if one["varies"] else ""]
            for one in kinds[0].parameters()
        ]
        if rows:
            print_table(["parameter", "default", "range", "meaning", "can vary"], rows)
    else:
        print_table(["operation", "what it does"], [[kind.name, kind.title] for kind in kinds])


def qualities(
    bank_path: BankPath,
    segments: Segments,
    where: Annotated[
        list[str] | None,
        typer.Option("--where", help=("Only segments with QUALITY>NUMBER (or <, >=, <=). Can be repeated.")),
    ] = None,
    keep: Annotated[
        str | None, typer.Option("--keep", help="Store the listed matches of a @SELECTION as a new selection.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Measure the Effort and Shape qualities of segments: how they move, not what they do."""
    from motionary.bank import Bank
    from motionary.edit import measure_qualities
    from motionary.errors import UsageError
    from motionary.qualities import QUALITIES

    with Bank.open(bank_path) as bank:
        found = measure_qualities(bank, segments, where=where or ())
        if keep is not None:
            if len(segments) != 1 or not segments[0].startswith("@"):
                raise UsageError("--keep keeps matches of one selection: name it, as in @found")
            name, _, ranks = segments[0].removeprefix("@").partition(":")
            selection, there = bank.selection(name), {one.segment for one in found}
            matches = bank.matches(name, [ranks] if ranks else None).values()
            rows = [match for match in matches if match.segment in there]
            bank.keep_selection(keep, rows, query=selection.query, method=selection.method, asked=selection.asked)
            say(f"kept {counted(len(rows), 'match')} as {keep}")
    if as_json:
        print_json(one.as_json() for one in found)
        return
    rows_ = [
        [f"{one.clip}:{one.segment.start}-{one.segment.stop}", *(f"{one.measures[name]:.2f}" for name in QUALITIES)]
        for one in found
    ]
    if rows_:
        print_table(["segment", *QUALITIES], rows_)
    else:
        say("no segment fulfils the conditions")


def _with_short_lines(text: str) -> str:
    """JSON with lists of numbers and words on one line each."""
    import re

    one = r"(?:-?[\d.]+(?:e[+-]?\d+)?|\"[^\"\n]*\")"
    lists = re.compile(rf"\[\s+({one}(?:,\s+{one})*)\s+\]")
    return lists.sub(lambda found: "[" + re.sub(r"\s*\n\s*", " ", found[1]) + "]", text)


def _about(kind: type) -> str:
    import inspect

    return inspect.cleandoc(kind.__doc__ or "")


def _said(parameters: dict[str, Any]) -> str:
    text = ", ".join(f"{name}={_said_value(value)}" for name, value in parameters.items())
    return text if len(text) <= 60 else text[:59] + "…"


def _said_value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else json.dumps(value, ensure_ascii=False) if value != "" else ""


def _range(one: dict[str, Any]) -> str:
    if one["choices"]:
        return ", ".join(one["choices"])
    low, high = ("" if bound is None else f"{bound:g}" for bound in (one["low"], one["high"]))
    return f"{low}–{high} {one['unit']}".strip() if low or high else str(one["unit"])
