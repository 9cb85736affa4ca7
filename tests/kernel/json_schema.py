"""The part of JSON Schema that the library's schemas use, for tests."""

from __future__ import annotations

import re
from typing import Any

KINDS = {
    "null": type(None),
    "boolean": bool,
    "integer": int,
    "number": (int, float),
    "string": str,
    "array": list,
    "object": dict,
}
KNOWN = {
    "$schema",
    "$defs",
    "$ref",
    "description",
    "type",
    "enum",
    "const",
    "pattern",
    "anyOf",
    "items",
    "prefixItems",
    "minItems",
}
KNOWN |= {"uniqueItems", "properties", "required", "additionalProperties"}


def faults(schema: Any, data: Any, root: Any = None, at: str = "") -> list[str]:
    """What a schema says against data; none when they are valid."""
    root = schema if root is None else root
    if schema is False:
        return [f"{at}: nothing may stand here"]
    assert set(schema) <= KNOWN, set(schema) - KNOWN
    found = []
    if "$ref" in schema:
        found += faults(root["$defs"][schema["$ref"].removeprefix("#/$defs/")], data, root, at)
    if "type" in schema:
        kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(
            isinstance(data, KINDS[kind]) and (kind == "boolean" or not isinstance(data, bool)) for kind in kinds
        ):
            return [*found, f"{at}: {data!r} is no {kinds}"]
    if "enum" in schema and data not in schema["enum"]:
        found.append(f"{at}: {data!r} is none of {schema['enum']}")
    if "const" in schema and data != schema["const"]:
        found.append(f"{at}: {data!r} is not {schema['const']}")
    if "pattern" in schema and not re.search(schema["pattern"], data):
        found.append(f"{at}: {data!r} is not like {schema['pattern']}")
    if "anyOf" in schema:
        ways = [faults(one, data, root, at) for one in schema["anyOf"]]
        found += [] if not all(ways) else min(ways, key=len)
    if isinstance(data, list):
        first = schema.get("prefixItems", [])
        for n, item in enumerate(data):
            found += faults(first[n] if n < len(first) else schema.get("items", {}), item, root, f"{at}[{n}]")
        if len(data) < schema.get("minItems", 0):
            found.append(f"{at}: too few")
        if schema.get("uniqueItems") and any(item in data[:n] for n, item in enumerate(data)):
            found.append(f"{at}: {data} has an item twice")
    if isinstance(data, dict):
        found += [f"{at}: lacks {name}" for name in schema.get("required", ()) if name not in data]
        for name, part in data.items():
            sub = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
            found += faults(sub, part, root, f"{at}.{name}")
    return found
