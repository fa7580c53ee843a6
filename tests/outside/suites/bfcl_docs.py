"""The function docs of BFCL as tools of MCP."""

from typing import Any

from suites.session import Json

_TYPES = {"dict": "object", "float": "number", "tuple": "array", "any": None}

# Reading, by name. All functions of the suite with these prefixes only look something up.
_READING = ("get_", "list_", "search_", "view_")


def described(doc: Json, class_: type) -> Json:
    """The tool of a function doc."""
    tool: Json = {
        "name": doc["name"],
        "description": doc["description"],
        "inputSchema": {**schema(doc["parameters"]), "additionalProperties": False},
    }
    if doc["name"].startswith(_READING):
        tool["annotations"] = {"readOnlyHint": True}
    return tool


def schema(doc: Json) -> Json:
    """JSON Schema of a type of the docs."""
    out: Json = {}
    for key, value in doc.items():
        if key == "type":
            kind = _TYPES.get(value, value)
            if kind is not None:
                out["type"] = kind
        elif key == "properties":
            out[key] = {name: schema(inner) for name, inner in value.items()}
        elif key == "items":
            out[key] = schema(value)
        else:
            out[key] = value
    return out
