"""JSON Schema (draft 2020-12) of the forms. It is exact about fields: what it lets pass has only fields that are known."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from beachhead.codec.forms import (
    FRACTION,
    PLAIN,
    Anything,
    Choice,
    Exact,
    Form,
    Items,
    Json,
    OneOf,
    Plain,
    Record,
    Row,
    Table,
)

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(form: Form, tags: Iterable[str]) -> dict[str, Json]:
    """The JSON Schema of what a form writes. `tags` are the names that an object may go by where nothing tells its class."""
    definitions = _Definitions(tags)
    return {"$schema": DRAFT, **definitions.of(form), "$defs": definitions.made}


class _Definitions:
    """Each record that a schema refers to, defined once."""

    def __init__(self, tags: Iterable[str]) -> None:
        self.made, self._names, self._tags = dict[str, Json](), dict[Form, str](), sorted(tags)

    def of(self, form: Form) -> dict[str, Json]:
        match form:
            case Plain(cls=cls):
                return {"type": PLAIN[cls][0]}
            case Choice(values=values):
                return {"enum": list(values)}
            case Exact():
                return {"type": "string", "pattern": FRACTION}
            case Items(item=item, cls=cls):
                return {"type": "array", "items": self.of(item), "uniqueItems": cls is frozenset}
            case Row(items=items):
                each = [self.of(item) for item in items]
                return {"type": "array", "prefixItems": each, "items": False, "minItems": len(each)}
            case Table(value=value, pair=pair):
                if form.by_text:
                    return {"type": "object", "additionalProperties": self.of(value)}
                return {"type": "array", "items": self.of(pair)}
            case OneOf(forms=forms):
                return {"anyOf": [self.of(one) for one in forms]}
            case Record(tag=tag):
                return self._refer(form, tag)
            case Anything():
                return self._refer(form, "anything")
        raise TypeError(f"there is no schema for {form}")

    def _refer(self, form: Form, wanted: str) -> dict[str, Json]:
        if form not in self._names:
            names = (f"{wanted}-{n}" if n > 1 else wanted for n in count(1))
            name = self._names[form] = next(name for name in names if name not in self.made)
            self.made[name] = {}
            self.made[name] |= self._record(form) if isinstance(form, Record) else self._anything()
        return {"$ref": f"#/$defs/{self._names[form]}"}

    def _record(self, record: Record) -> dict[str, Json]:
        about = (record.cls.__doc__ or "").partition("\n")[0]
        return ({"description": about} if about else {}) | {
            "type": "object",
            "properties": {"type": {"const": record.tag}} | {n: self.of(part.form) for n, part in record.parts.items()},
            "required": ["type", *(name for name, part in record.parts.items() if part.needed)],
            "additionalProperties": False,
        }

    def _anything(self) -> dict[str, Json]:
        """An object is known by its name only here; its own schema says more."""
        array = {"type": "array", "items": {"$ref": "#/$defs/anything"}}
        by_name = {"type": "object", "properties": {"type": {"enum": self._tags}}, "required": ["type"]}
        return {"anyOf": [{"type": ["null", "boolean", "number", "string"]}, array, by_name]}
