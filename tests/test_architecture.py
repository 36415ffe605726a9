"""The order of the packages, and how they may use one another."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import motionary
from motionary.bank import import_motions

ROOT = Path(motionary.__file__).parent

# Each package, and the others that it may import. A new package is placed here first.
MAY_IMPORT = {
    "errors": set(),
    "lazy_package": set(),  # for the __init__ of every package
    "rounding": set(),
    "printable": set(),
    "arguments": {"errors"},
    "requests": {"errors", "arguments"},
    "workers": set(),
    "files": {"errors"},
    "motion": {"errors"},
    "ik": {"errors", "motion"},
    "rig": {"errors", "files", "motion", "ik"},
    "plants": {"errors", "motion", "ik", "rig"},
    "dynamics": {"errors", "files", "motion", "rig"},
    "qualities": {"errors", "motion", "rig", "dynamics"},
    "naturalness": {"errors", "motion", "rig", "plants", "dynamics"},
    "formats": {"errors", "files", "motion", "rig"},
    "bank": {
        "errors",
        "arguments",
        "requests",
        "workers",
        "files",
        "motion",
        "ik",
        "rig",
        "plants",
        "formats",
        "alignment",
    },
    "blend": {"errors", "motion", "ik", "rig", "plants", "dynamics", "naturalness", "features", "metrics", "alignment"},
    "parametric": {
        *("errors", "arguments", "requests", "files", "motion", "rig", "plants", "dynamics", "naturalness"),
        *("formats", "alignment", "blend", "bank", "library", "search"),
    },
    "sample": {"errors", "motion", "ik", "rig", "plants", "bank"},
    "artefacts": {"errors", "bank"},
    "library": {"errors", "workers", "motion", "rig", "plants", "features", "bank", "artefacts"},
    "feet": {"errors", "motion", "rig", "plants", "dynamics", "naturalness", "bank", "library"},
    "facts": {"errors", "motion", "rig", "plants", "bank", "artefacts", "library", "feet"},
    "features": {"errors", "motion", "rig", "plants", "qualities"},
    "metrics": {"errors", "arguments", "motion", "rig", "dynamics", "features"},
    "alignment": {"errors", "workers", "motion"},
    "transition": {
        *(
            "errors",
            "rounding",
            "workers",
            "files",
            "motion",
            "ik",
            "rig",
            "plants",
            "dynamics",
            "naturalness",
            "formats",
        ),
        *("bank", "feet", "artefacts", "library"),
    },
    "graph": {
        *("errors", "arguments", "workers", "files", "motion", "rig", "plants", "dynamics", "naturalness", "formats"),
        *("rounding", "features", "metrics", "blend", "bank", "artefacts", "library"),
    },
    "connection": {"errors", "rounding", "arguments", "motion", "formats", "plants", "bank", "transition", "graph"},
    "search": {
        *("errors", "rounding", "arguments", "requests", "workers", "files", "motion", "rig", "formats", "dynamics"),
        *("features", "metrics", "alignment", "bank", "artefacts", "library", "qualities"),
    },
    "edit": {
        *("errors", "arguments", "files", "motion", "ik", "rig", "plants", "dynamics", "naturalness", "alignment"),
        *("bank", "library", "search", "qualities", "blend"),
    },
    "picture": {
        *(
            "errors",
            "printable",
            "rounding",
            "arguments",
            "files",
            "motion",
            "rig",
            "plants",
            "bank",
            "feet",
            "features",
            "alignment",
        ),
        *("artefacts", "library", "search", "transition", "edit", "blend", "parametric"),
        *("graph", "metrics", "connection"),
    },
    "server": {
        *("errors", "requests", "motion", "plants", "formats", "alignment", "bank", "artefacts", "library", "facts"),
        *("feet", "features", "search", "edit", "blend", "parametric", "transition", "graph", "picture", "workers"),
        *("connection", "files"),
    },
    "cli": {
        *(
            "errors",
            "printable",
            "requests",
            "rounding",
            "motion",
            "rig",
            "plants",
            "dynamics",
            "naturalness",
            "formats",
            "bank",
            "facts",
            "sample",
        ),
        *("feet", "files", "features", "metrics", "search", "picture", "artefacts", "library", "edit"),
        *("qualities", "transition", "connection"),
        *("blend", "parametric"),
        *("graph", "server"),
    },
    "__main__": {"cli"},
}
# The modules of `search`, in layers: each imports from layers before its own only, methods never from one another.
SEARCH_LAYERS = (
    {"requests", "linkage", "body_parts", "matched_rows", "per_group", "properties", "short_clips"},
    {"dimensions", "clusters", "by_quality", "by_property"},
    {"gist_rows", "examples"},
    {"exact", "wpca", "match_web", "profiles"},
    {"several_queries"},
    {"expanding"},
    {"widening", "explain", "feedback", "selections", "remarks", "recurring", "spreading", "stepping"},
    {"default_description"},
    {"follow_up", "exact_search"},
    {"searching"},
)
NAMESPACES = {  # modules read as words: rotations.slerp
    "motionary.motion": {"rotations", "euler", "kinematics", "turns"},
}
NAME_NOTHING = {"utils", "util", "core", "common", "helpers", "helper", "misc", "tools"}
HEAVY = ("numba", "scipy", "numpy", "PIL", "sqlite3")


@dataclass(frozen=True)
class Import:
    """One `from module import name` (or `import module`) in a file."""

    path: Path
    line: int
    module: str
    name: str | None
    on_loading: bool  # not inside a function, nor for the type checker only
    for_types: bool = False  # for the type checker only

    def __str__(self) -> str:
        words = f"from {self.module} import {self.name}" if self.name else f"import {self.module}"
        return f"{self.path.relative_to(ROOT.parent)}:{self.line}: {words}"


def imports_in(path: Path) -> Iterator[Import]:
    """All imports of our own modules in one file, those inside functions too."""

    def visit(node: ast.AST, on_loading: bool, for_types: bool = False) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.split(".")[0] == "motionary":
                    yield Import(path, node.lineno, alias.name, None, on_loading, for_types)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import; write the module's full name"
            if node.module and node.module.split(".")[0] == "motionary":
                for alias in node.names:
                    yield Import(path, node.lineno, node.module, alias.name, on_loading, for_types)
        inside = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        for_types = for_types or (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test))
        for child in ast.iter_child_nodes(node):
            yield from visit(child, on_loading and not inside and not for_types, for_types)

    yield from visit(ast.parse(path.read_text(encoding="utf-8")), True)


def package_of(module: str) -> str:
    """The package below `motionary` that a module belongs to; "" for `motionary` itself."""
    return (*module.split("."), "")[1]


def module_of(path: Path) -> str:
    """The dotted name of a file; a package's own for its `__init__.py`."""
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def public_names(package: str) -> list[str] | None:
    """`__all__` of a package, read without importing it."""
    for node in ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return ast.literal_eval(node.value)
    return None


FILES = sorted(ROOT.rglob("*.py"))
PACKAGES = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
IMPORTS = [found for path in FILES for found in imports_in(path)]
ABROAD = [found for found in IMPORTS if package_of(found.module) != package_of(module_of(found.path))]


def test_every_package_has_its_place_in_the_order():
    modules = {path.stem for path in ROOT.glob("*.py")} - {"__init__", "__main__"}

    assert set(PACKAGES) | modules <= set(MAY_IMPORT)
    assert list(TopologicalSorter(MAY_IMPORT).static_order())  # raises if the order were none


def test_packages_import_only_from_those_before_them():
    wrong = [
        str(found)
        for found in ABROAD
        if found.name != "import_on_use"
        and package_of(found.module) not in MAY_IMPORT.get(package_of(module_of(found.path)), set())
    ]

    assert wrong == []


def test_packages_are_used_through_their_public_names():
    wrong = []
    for found in ABROAD:
        package = package_of(found.module)
        if package not in PACKAGES:  # a module: all of it is public
            continue
        public = found.name in (public_names(package) or ()) or found.name in NAMESPACES.get(found.module, ())
        if found.module != f"motionary.{package}" or not public:
            wrong.append(str(found))

    assert wrong == []


def test_modules_of_search_import_only_from_layers_before_their_own():
    layers = {name: n for n, names in enumerate(SEARCH_LAYERS) for name in names}
    homes = {path.relative_to(ROOT / "search").parts[0].removesuffix(".py") for path in (ROOT / "search").rglob("*.py")}
    wrong = []
    for found in IMPORTS:
        _, package, *needed = found.module.split(".")
        parts = module_of(found.path).split(".")[1:]
        if package == "search" and parts[0] == "search" and len(parts) > 1 and needed and needed[0] != parts[1]:
            wrong += [str(found)] if layers[needed[0]] >= layers[parts[1]] else []

    assert homes - {"__init__"} == set(layers)
    assert wrong == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_lists_its_public_names(package):
    names = public_names(package)

    assert names is not None, f"motionary.{package} has no __all__"
    assert len(set(names)) == len(names)
    module = importlib.import_module(f"motionary.{package}")
    assert [name for name in names if not hasattr(module, name)] == []


def test_modules_do_not_need_each_other_in_a_circle():
    modules = {module_of(path) for path in FILES}
    needs: dict[str, set[str]] = {}
    for found in IMPORTS:
        if not found.on_loading:
            continue
        submodule = f"{found.module}.{found.name}"
        at_home = package_of(found.module) == package_of(module_of(found.path))
        needed = submodule if at_home and submodule in modules else found.module
        needs.setdefault(module_of(found.path), set()).add(needed)

    assert set(TopologicalSorter(needs).static_order()) <= modules  # a circle raises, and names it


def test_only_the_bank_speaks_sql():
    """And `sqlite3` is imported there alone."""
    words = ("import sqlite3", "from sqlite3", "SELECT ", "INSERT INTO ", "DELETE FROM ")
    found = [
        f"{path.relative_to(ROOT.parent)}: {word.strip()}"
        for path in FILES
        if path.relative_to(ROOT).parts[0] != "bank"
        for word in words
        if word in path.read_text(encoding="utf-8")
    ]

    assert not found


def test_only_the_outermost_modules_of_a_package_see_the_bank():
    see = {module_of(found.path) for found in ABROAD if package_of(found.module) == "bank" and not found.for_types}
    inner = {module for module in see if package_of(module) not in ("cli", "feet", "library", "server")}
    wrong = [
        str(found)
        for found in IMPORTS
        if found.path.name != "__init__.py"
        and module_of(found.path) not in inner
        and package_of(found.module) == package_of(module_of(found.path))
        and inner & {found.module, f"{found.module}.{found.name}"}
    ]

    assert wrong == []


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_names_of_modules_say_something(path):
    assert not NAME_NOTHING & {path.stem, path.parent.name}


def test_the_command_line_starts_without_heavy_modules(captures):
    """`motionary --help` has 0.3 s: whatever computes is imported by the command that needs it."""
    import_motions(captures / "a.bank", [captures / "captures"])
    assert heavy_modules_after() == []
    assert heavy_modules_after(["--help"], ["ls", "--help"], ["search", "--help"]) == []
    listings = (["ls", "a.bank"], ["info", "a.bank"], ["log", "a.bank"], ["label", "ls", "a.bank"])
    assert set(heavy_modules_after(*listings, cwd=captures)) <= {"numpy", "sqlite3"}


def heavy_modules_after(*commands: list[str], cwd: Path = ROOT) -> list[str]:
    """Which heavy modules a process has loaded after these commands."""
    code = f"""import sys
from motionary.cli.running import make_app
for words in {list(commands)}:
    try:
        make_app(words)(words)
    except SystemExit as ended:
        assert not ended.code, words
print("loaded:", *[name for name in {HEAVY} if name in sys.modules])"""
    done = subprocess.run([sys.executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1].split()[1:]


@pytest.mark.parametrize("name", motionary.__all__)
def test_what_the_package_offers_is_public_in_the_package_it_comes_from(name):
    home = getattr(motionary, name).__module__.split(".")[1]

    assert home == "errors" or name in (public_names(home) or ())


def test_the_package_offers_nothing_else():
    with pytest.raises(AttributeError, match="module 'motionary' has no attribute 'nothing'"):
        motionary.nothing  # noqa: B018
    assert set(motionary.__all__) <= set(dir(motionary))
