"""Writes src/api/schema.ts: the types of the server's calls, from their schema. Run it when a call has changed:

.venv/bin/python studio/schema_types.py
"""

import json
import tempfile
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parent / "src" / "api" / "schema.ts"
HEAD = """/** The types of the server's calls. Written by studio/schema_types.py from their schema: do not edit. */

"""
NAMES = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def typescript(schema: dict[str, Any]) -> str:
    """The text of the file for the schema of the API."""
    models = schema["components"]["schemas"]
    parts = [_interface(name, model) for name, model in sorted(models.items())]
    return HEAD + "\n".join([*parts, _calls(schema["paths"])])


def _interface(name: str, model: dict[str, Any]) -> str:
    about = _comment(model.get("description", ""))
    if "properties" not in model:
        return f"{about}export type {name} = {_type(model)};\n"
    required = set(model.get("required", ()))
    lines = []
    for field, known in model["properties"].items():
        mark = "" if field in required else "?"
        lines.append(f"  {field}{mark}: {_type(known)};\n")  # help texts change too often to be copied here
    return f"{about}export interface {name} {{\n{''.join(lines)}}}\n"


def _calls(paths: dict[str, Any]) -> str:
    """All calls by method and path, with what they take and answer."""
    lines = []
    for path, methods in sorted(paths.items()):
        for method, call in sorted(methods.items()):
            known = [f"answer: {_answer(call)}"]
            body = call.get("requestBody", {}).get("content", {})
            if body:
                known.insert(0, f"body: {_content(body)}")
            query = [one for one in call.get("parameters", ()) if one["in"] == "query"]
            if query:
                fields = "; ".join(
                    f"{one['name']}{'' if one.get('required') else '?'}: {_type(one['schema'])}" for one in query
                )
                known.insert(0, f"query: {{ {fields} }}")
            lines.append(f'  "{method.upper()} {path.removeprefix("/api")}": {{ {"; ".join(known)} }};\n')
    return f"/** Every call: what it takes and what it answers. */\nexport interface Calls {{\n{''.join(lines)}}}\n"


def _answer(call: dict[str, Any]) -> str:
    return _content(call["responses"]["200"].get("content", {}))


def _content(content: dict[str, Any]) -> str:
    """JSON, or bytes, or either."""
    kinds = []
    for kind, known in content.items():
        binary = "ReadableStream" if kind == "text/event-stream" else "ArrayBuffer"
        kinds.append(_type(known.get("schema", {})) if kind == "application/json" else binary)
    return " | ".join(dict.fromkeys(kinds)) or "void"


def _type(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(one) for one in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(_type(one) for one in schema["anyOf"]))
    kind = schema.get("type")
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(_type(one) for one in schema['prefixItems'])}]"
        items = _type(schema.get("items", {}))
        return f"({items})[]" if " | " in items else f"{items}[]"
    if kind == "object":
        if "properties" in schema:
            return "{ " + "; ".join(f"{name}: {_type(one)}" for name, one in schema["properties"].items()) + " }"
        more = schema.get("additionalProperties", True)
        return f"Record<string, {_type(more) if isinstance(more, dict) else 'unknown'}>"
    return NAMES.get(str(kind), "unknown")


def _comment(text: str) -> str:
    words = " ".join(text.split()).replace("*/", "* /")
    return f"/** {words} */\n" if words else ""


def schema() -> dict[str, Any]:
    """The schema of the API; it is the same for every bank."""
    from motionary.bank import Bank
    from motionary.server import Studio, api_schema

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "empty.bank"
        Bank.open(path, create=True).close()
        studio = Studio(path)
        try:
            return api_schema(studio)
        finally:
            studio.close()


if __name__ == "__main__":
    TARGET.write_text(typescript(schema()), encoding="utf-8")
    print(TARGET)
