"""What makes kernels slow to compile, and is easily written without a thought."""

import ast
from collections.abc import Iterator
from pathlib import Path

import motionary

ROOT = Path(motionary.__file__).parent


def kernels_in(source: str) -> Iterator[ast.FunctionDef]:
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef) and any("njit" in ast.unparse(one) for one in function.decorator_list):
            yield function


def slices_that_arrays_go_into(kernel: ast.FunctionDef) -> list[str]:
    """Assignments such as `out[:n] = found`; a slice may be filled with one number: `0.0`, `np.inf`, `NOWHERE`."""
    found = []
    for node in ast.walk(kernel):
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            targets = [one for target in targets for one in getattr(target, "elts", [target])]
            into_slices = any(
                isinstance(part, ast.Slice)
                for target in targets
                if isinstance(target, ast.Subscript)
                for part in ast.walk(target.slice)
            )
            names = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)} - {"np"}
            if into_slices and not all(name.isupper() for name in names):
                found.append(ast.unparse(node))
    return found


def test_kernels_copy_arrays_in_loops():
    """Numba checks shapes when an array goes into a slice, and puts them into words if they are wrong: what makes
    strings is compiled then, for 2 to 4 seconds in every process, and is part of every kernel above."""
    found = {
        f"{path.relative_to(ROOT)}: {kernel.name}": slices
        for path in sorted(ROOT.rglob("*.py"))
        for kernel in kernels_in(path.read_text(encoding="utf-8"))
        if (slices := slices_that_arrays_go_into(kernel))
    }

    assert found == {}


def test_such_slices_are_seen():
    body = "a[:n] = b", "a[n:], c = 0.0, 1", "a[:] = LEAST", "a[:, 0] += b[:n]"
    kernel = "@njit(cache=True)\ndef f(a, b, n):\n    " + "\n    ".join(body)

    (function,) = kernels_in(kernel)

    assert slices_that_arrays_go_into(function) == [body[0], body[3]]
