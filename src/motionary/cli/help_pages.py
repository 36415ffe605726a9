"""Help pages: an example for every command, and the kinds of values in words that users know."""

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

KINDS: dict[Any, str] = {int: "N", float: "NUMBER", str: "TEXT", Path: "FILE"}
KINDS_OF_FLAGS = {
    "--align-by": "PARTS",
    "--joints": "PARTS",
    "--label": "LABEL",
    "--measure": "MEASURE",
    "--name": "PATTERN",
    "--place": "X Y Z",
    "--to": "SEGMENT",
    "--vary": "NAME=LOW:HIGH",
    "--where": "CONDITION",
}

IN_PLAIN_WORDS = (
    ("Value error, ", ""),
    ("Input should be greater than or equal to", "it must be at least"),
    ("Input should be less than or equal to", "it must be at most"),
    ("Input should be a valid integer, unable to parse string as an integer", "it must be a whole number"),
    ("Input should be a valid number, unable to parse string as a number", "it must be a number"),
)
COMPLETION = ("install_completion", "show_completion")  # flags that typer does not take for such

EXAMPLES = {
    "import": "library.bank captures/ --label-folders",
    "sample": "library.bank --minutes 5",
    "ls": "library.bank --label walk",
    "info": "library.bank walk_01",
    "show": "library.bank walk_01:0-90 -o strip.png",
    "export": "library.bank walk_01 -o walk.bvh",
    "search": "library.bank walk_01:0-60 -k 5 -o matches.png",
    "search --by wpca": "library.bank walk_01:0-60 --by wpca -k 5",
    "search --by web": "library.bank walk_01:0-60 --by web -o graph.png",
    "motifs": "library.bank --length 2 -o motifs.png",
    "surprises": "library.bank -k 5 -o unusual.png",
    "blend": "library.bank walk_01:0-60 run_01:0-45 --weights 0.3,0.7 --keep jog",
    "register": "library.bank --label walk -o warps.png",
    "loop": "library.bank walk_01:0-120 --keep walk_cycle",
    "map": "library.bank walk_01",
    "clean": "library.bank walk_01 -o before_after.png",
    "body": "library.bank walk_01",
    "score": "library.bank walk_01:0-90",
    "rename": "library.bank walk_01 slow_walk",
    "rm": "library.bank walk_01 walk_02",
    "log": "library.bank --last 5",
    "undo": "library.bank",
    "check": "library.bank",
    "compact": "library.bank",
    "purge": "library.bank walk_01",
    "label add": "library.bank walk_01:0-90 --label walk",
    "label rm": "library.bank walk_01 --label walk",
    "label ls": "library.bank",
    "label find": "library.bank walk",
    "label import": "library.bank labels.csv",
    "label spread": "library.bank --label walk --dry-run",
    "label review": "library.bank --below 0.9",
    "label accept": "library.bank --label walk --at-least 0.9",
    "label reject": "library.bank --label walk --below 0.6",
    "edit apply": "library.bank walk_01:0-90 smooth cutoff_hz=4",
    "edit preview": "library.bank walk_01:0-90 smooth cutoff_hz=4 -o preview.png",
    "edit learn": "library.bank style walk_01 limp_02 -o limp.json",
    "edit again": "library.bank recipe.json --to @walks",
    "edit ls": "library.bank walk_01",
    "edit show": "library.bank walk_01",
    "edit rm": "library.bank walk_01",
    "edit recipes": "library.bank",
    "edit operations": "smooth",
    "edit qualities": "library.bank @walks --where 'weight>20'",
    "plants detect": "library.bank walk_01",
    "plants ls": "library.bank walk_01",
    "plants add": "library.bank walk_01:10-40 --foot left",
    "plants rm": "library.bank walk_01:10-40 --foot left",
    "selection ls": "library.bank",
    "selection show": "library.bank walks 1-5 -o walks.png",
    "selection clusters": "library.bank walks",
    "selection drop": "library.bank walks 2 5-7",
    "selection keep": "library.bank walks 1-5",
    "selection join": "library.bank walks more_walks",
    "selection rename": "library.bank walks strides",
    "selection rm": "library.bank walks",
    "profile ls": "library.bank",
    "profile show": "library.bank kicks",
    "profile rm": "library.bank kicks",
    "profile export": "library.bank kicks -o kicks.json",
    "profile import": "library.bank kicks.json",
    "space train": "library.bank arms --preset arms",
    "space ls": "library.bank",
    "space show": "library.bank arms -o arms.png",
    "space rm": "library.bank arms",
    "web build": "library.bank",
    "web info": "library.bank",
    "web rm": "library.bank points",
    "graph build": "library.bank --threshold 5cm",
    "graph info": "library.bank",
    "graph show": "library.bank -o graph.svg",
    "graph rm": "library.bank dynamics",
    "graph export": "library.bank -o graph/",
    "graph walk": "library.bank --secs 10 --seed 1 -o walk.bvh",
    "graph path": "library.bank walk_01:30 --label run -o path.bvh",
    "graph follow": "library.bank '0,0 4,0 4,3' -o follow.bvh",
    "transition make": "library.bank walk_01:60 run_01:30 -o transition.png",
    "transition connect": "library.bank walk_01:60 run_01:30 --within 3 -o connection.png",
    "transition chain": "library.bank walk_01:0-90 label:wave -o chain.bvh",
    "transition judge": "library.bank --pairs 5",
    "transition table build": "library.bank -k 20",
    "transition table info": "library.bank -o representatives.png",
    "transition table rm": "library.bank 1.000s",
    "artefacts ls": "library.bank",
    "artefacts rm": "library.bank index",
    "parametric make": "library.bank reach --label reach --measure RightHand@apex",
    "parametric ls": "library.bank",
    "parametric show": "library.bank reach -o region.png",
    "parametric ask": "library.bank reach --keep high_reach -- -0.3 1.8 0.1",
    "parametric rm": "library.bank reach",
    "parametric export": "library.bank reach blend_space/ --grid 3",
    "studio": "library.bank",
}


class Commands(TyperGroup):
    """The top group; it finishes the help pages of all commands below it."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        finish_help(self)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what typer says of wrong values is put in plain words."""
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = plain_words(error.message)
            raise

    def get_params(self, ctx: Any) -> list[Any]:
        """Its options; those for completion come later than all others."""
        return [_finish(one) if one.name in COMPLETION else one for one in super().get_params(ctx)]


def plain_words(message: str) -> str:
    """What is wrong with a value, in the words of our other messages, and which choice may have been meant."""
    for theirs, ours in IN_PLAIN_WORDS:
        message = message.replace(theirs, ours)
    given, found, choices = message.partition(" is not one of ")
    if not found:
        return message
    near = get_close_matches(given.strip("'").lower(), re.findall(r"'([^']*)'", choices), n=1)
    return f"{message} Did you mean {near[0]}?" if near else message


def finish_help(command: Any, name: str = "") -> None:
    """Finish the help page of a command, or of all commands of a group: kinds of values, and an example at the end."""
    for one in command.params:
        _finish(one)
    own = command.get_help_option

    def help_option(context: typer.Context) -> Any:
        return _finish(own(context))

    command.get_help_option = help_option
    children = getattr(command, "commands", None)
    if children is not None:
        for child_name, child in children.items():
            finish_help(child, f"{name} {child_name}".strip())
    elif name in EXAMPLES:
        called = name.partition(" --")[0]  # the example repeats the options
        example = f"Example: motionary {called} {EXAMPLES[name]}"
        command.epilog = f"{example}\n\n{command.epilog}" if command.epilog else example


def _finish(one: Any) -> Any:
    """Show no type for flags and arguments, and LABEL, FILE or N in place of the types of other options."""
    if isinstance(one, TyperArgument):
        one.display_type_rich = lambda **_: None  # type: ignore[method-assign]
        one.metavar = (one.metavar or "").strip("[]").removesuffix("…") or None
        shown = one.display_name_raw + ("…" if one.nargs != 1 else "")
        shown = shown if one.required else f"[{shown}]"
        one._usage_display_name = lambda: shown  # type: ignore[method-assign]
    elif isinstance(one, TyperOption) and (one.is_flag or one.name in COMPLETION):
        one.metavar = ""
    elif isinstance(one, TyperOption) and one.metavar is None:
        kind = one.type_descriptor.annotation
        named = (KINDS_OF_FLAGS[flag] for flag in one.opts if flag in KINDS_OF_FLAGS)
        one.metavar = next(named, KINDS.get((get_args(kind) or (kind,))[0]))
    return one
