"""The types that the page is compiled against are those of the server's calls."""

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the studio needs pip install 'motionary[studio]'")

STUDIO = Path(__file__).parents[2] / "studio"


def writer():
    spec = importlib.util.spec_from_file_location("schema_types", STUDIO / "schema_types.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pages_types_are_those_of_the_server():
    written = writer()

    assert written.TARGET.read_text(encoding="utf-8") == written.typescript(written.schema()), (
        "a call has changed: run .venv/bin/python studio/schema_types.py"
    )


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"type": "integer"}, "number"),
        ({"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}, "(string | null)[]"),
        ({"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}, "[number, string]"),
        ({"$ref": "#/components/schemas/Match"}, "Match"),
        ({"enum": ["a", "b"]}, '"a" | "b"'),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "Record<string, number>"),
        ({}, "unknown"),
    ],
)
def test_types_are_written_as_typescript_has_them(schema, text):
    assert writer()._type(schema) == text
