"""Actions in a line of text: the name, then the fields in order. `Move(C3, D4)` is "move C3 D4", and `Pass()` is "pass".

A hex goes by its label, an enum by its value (by its name where the values are numbers) with hyphens for spaces, a flag by the name of its
field or "not" and the name. Hexes in a row are joined by hyphens, other rows by commas. What has no short form is written as JSON. Where
hexes have names, these are read, too; one with blanks has hyphens for them, or stands in quotation marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from difflib import SequenceMatcher
from functools import partial
from itertools import repeat
from types import NoneType
from typing import TYPE_CHECKING, Any

from beachhead.codec.forms import Choice, Form, Items, OneOf, Plain, Record, Row, at, canonical, misfit
from beachhead.errors import CodecError
from beachhead.hexes import GeometryError, Hex, Labels
from beachhead.names import words

if TYPE_CHECKING:
    from beachhead.codec import Codec

_TOKEN = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^\s"])+')
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|.')
_BARE = re.compile(r'[^\s",()]+')
_EMPTY, _NONE = "()", "none"


def text(codec: Codec, action: Any, labels: Labels) -> str:
    """The line that says this action."""
    record = _record(codec, type(action))
    tokens = [_verb(record)]
    for name, part in record.parts.items():
        value = part.get(action)
        if _is_flag(part.form):
            tokens.append(_hyphened(name) if value else f"not {_hyphened(name)}")
        else:
            tokens.append(_write(part.form, value, labels))
    return " ".join(tokens)


def parse(codec: Codec, line: str, labels: Labels, kinds: Sequence[type]) -> Any:
    """The action that a line says. Raises CodecError."""
    tokens = _TOKEN.findall(line)
    if '"' in _TOKEN.sub("", line):
        raise CodecError(f"{line.strip()!r}: a quotation mark has no partner")
    said = " ".join(tokens)
    records = [_record(codec, cls) for cls in dict.fromkeys((*kinds, *codec.actions))]
    fitting = [record for record in records if f"{said} ".lower().startswith(f"{_verb(record)} ")]
    if not fitting:
        raise _no_verb(said, records)
    errors: list[CodecError] = []
    for record in sorted(fitting, key=lambda record: -len(_verb(record))):
        try:
            return _fields(record, tokens[len(_verb(record).split()) :], labels)
        except CodecError as error:
            errors.append(CodecError(f"{line.strip()!r}: {error}. It is written: {_usage(record)}"))
    raise errors[0]


def _fields(record: Record, tokens: list[str], labels: Labels) -> Any:
    values: dict[str, Any] = {}
    for name, part in record.parts.items():
        if not tokens:
            if part.needed:
                raise CodecError(f"{name} is missing")
        elif _is_flag(part.form):
            negated = tokens[0].lower() == "not"
            said, tokens = " ".join(tokens[: 1 + negated]), tokens[1 + negated :]
            if said.lower() != ("not " * negated) + _hyphened(name):
                raise misfit(said, f"{_hyphened(name)} or not {_hyphened(name)}")
            values[name] = not negated
        else:
            values[name] = at(name, partial(_read, part.form, labels=labels), tokens[0])
            tokens = tokens[1:]
    if tokens:
        raise CodecError(f"{' '.join(tokens)!r} is too much")
    return record.build(values)


# ------------------------------------------------------------ names
def _record(codec: Codec, action: type) -> Record:
    form = codec.form(action)
    if not isinstance(form, Record):
        raise CodecError(f"{action.__name__} is no class of actions, but {form}")
    return form


def _verb(record: Record) -> str:
    return " ".join(words(record.cls.__name__))


def _hyphened(name: str) -> str:
    return "-".join(words(name))


def _no_verb(said: str, records: Iterable[Record]) -> CodecError:
    """Shows how the action is written whose name is nearest to what was said."""
    nearness: dict[Record, float] = {}
    for record in records:
        start = " ".join(said.lower().split()[: len(_verb(record).split())])
        nearness[record] = SequenceMatcher(None, start, _verb(record)).ratio()
    best = max(nearness, key=lambda record: nearness[record])
    if nearness[best] >= 0.5:
        return CodecError(f"{said!r} is no action; did you mean {_verb(best)!r}? It is written: {_usage(best)}")
    return CodecError(f"{said!r} is no action; known: {', '.join(sorted(map(_verb, nearness)))}")


def _spelling(choice: Choice) -> dict[Any, str]:
    """How each member of an enum is said."""
    values = {member: str(value).replace(" ", "-") for value, member in choice.values.items() if isinstance(value, str)}
    clear = len({word.lower() for word in values.values()}) == len(choice.values) and all(
        map(_BARE.fullmatch, values.values())
    )
    if choice.tag and not clear:
        return {member: _hyphened(member.name) for member in choice.written}
    return values or {member: str(value) for value, member in choice.values.items()}


def _is_flag(form: Form) -> bool:
    return isinstance(form, Plain) and form.cls is bool


# ------------------------------------------------------------ rows
def _is_row(form: Form) -> bool:
    return isinstance(form, Items) or (isinstance(form, Row) and form.cls is not Hex)


def _item_forms(form: Items | Row) -> Iterable[Form]:
    return repeat(form.item) if isinstance(form, Items) else form.items


def _separator(form: Items | Row) -> str:
    items = (form.item,) if isinstance(form, Items) else form.items
    return "-" if all(isinstance(item, Row) and item.cls is Hex for item in items) else ","


def _pieces(token: str, separator: str) -> list[str]:
    """A token cut at the separators outside of texts and brackets."""
    pieces, depth = [""], 0
    for piece in _PIECE.findall(token):
        depth += (piece == "(") - (piece == ")")
        if piece == separator and not depth:
            pieces.append("")
        else:
            pieces[-1] += piece
    return pieces


def _read_row(form: Items | Row, token: str, labels: Labels) -> Any:
    """A label may have the separator in it, so an item takes as many pieces as it needs."""
    separator = _separator(form)
    rest = _pieces(token, separator) if token != _EMPTY else []
    values: list[Any] = []
    for item in _item_forms(form):
        if not rest:
            break
        for n in range(1, len(rest) + 1):
            try:
                values.append(_read_item(item, separator.join(rest[:n]), labels))
            except CodecError as error:
                if n == len(rest):
                    raise CodecError(error.problem, (len(values), *error.path)) from None
            else:
                rest = rest[n:]
                break
    if rest or (isinstance(form, Row) and len(values) < len(form.items)):
        raise misfit(token, _shape(form))
    if isinstance(form, Row):
        return form.record.build(dict(zip(form.record.parts, values, strict=True))) if form.record else tuple(values)
    return form.cls(values)


# ------------------------------------------------------------ unions
def _members(form: OneOf) -> tuple[Form, ...]:
    """The forms in a union; they name their classes where two enums have a word in common, or there are two rows."""
    said = [word.lower() for one in form.brief if isinstance(one, Choice) for word in _spelling(one).values()]
    said += [_NONE for one in form.brief if one.cls is NoneType]
    unmistakable = len(said) == len({*said}) and sum(map(_is_row, form.brief)) <= 1
    return form.brief if unmistakable else tuple(one.tagged() for one in form.brief)


def _member(form: OneOf, value: Any) -> Form:
    fitting = [one for one in _members(form) if one.holds(value)]
    return next((one for one in fitting if one.cls is type(value)), fitting[0])


def _is_alone(form: OneOf) -> bool:
    """Whether a union is of one type and None: nothing else can be meant then."""
    return sum(one.cls is not NoneType for one in form.brief) == 1


# ------------------------------------------------------------ tokens
def _write(form: Form, value: Any, labels: Labels) -> str:
    match form:
        case Plain(cls=cls):
            return _plain(cls, value)
        case Choice():
            return _spelling(form)[value]
        case Row() if form.cls is Hex:
            return labels.label(value)
        case Items() | Row():
            items = [_write_item(item, part, labels) for item, part in zip(_item_forms(form), value, strict=False)]
            return _separator(form).join(items if form.cls is not frozenset else sorted(items)) or _EMPTY
        case OneOf():
            member = _member(form, value)
            if _is_alone(form):
                return _write(member, value, labels)
            return json.dumps(value, ensure_ascii=False) if member.cls is str else _write_item(member, value, labels)
        case Record(parts=parts):
            fields = [_write_item(part.form, part.get(value), labels) for part in parts.values()]
            return f"{_hyphened(form.cls.__name__)}({','.join(fields)})" if fields else _hyphened(form.cls.__name__)
    return canonical(form.dump(value))


def _write_item(form: Form, value: Any, labels: Labels) -> str:
    """A part of a row or record; a row in it stands in brackets."""
    member = _member(form, value) if isinstance(form, OneOf) else form
    token = _write(form, value, labels)
    return f"({token})" if _is_row(member) else token


def _plain(cls: type, value: Any) -> str:
    if cls is bool:
        return "yes" if value else "no"
    if cls is str:
        return value if _BARE.fullmatch(value) and value.lower() != _NONE else json.dumps(value, ensure_ascii=False)
    return _NONE if value is None else str(cls(value))


def _read(form: Form, token: str, labels: Labels) -> Any:
    match form:
        case Plain(cls=cls):
            return _read_plain(cls, token)
        case Choice():
            said = {spelt.lower(): member for member, spelt in _spelling(form).items()}
            if token.lower() not in said:
                raise misfit(token, f"one of {', '.join(_spelling(form).values())}")
            return said[token.lower()]
        case Row() if form.cls is Hex:
            try:
                return labels.hex(Plain(str).load(_json(token)) if token.startswith('"') else token)
            except GeometryError as error:
                raise CodecError(str(error)) from None
        case Items() | Row():
            return _read_row(form, token, labels)
        case OneOf():
            return _read_one(_members(form), token, labels, _read if _is_alone(form) else _read_item)
        case Record(parts=parts):
            name, _, rest = token.partition("(")
            row = Row(tuple(part.form for part in parts.values()))
            if name.lower() != _hyphened(form.cls.__name__) or (rest[-1:] == ")") != bool(parts):
                raise misfit(token, _shape(form))
            return form.build(dict(zip(parts, _read_row(row, rest[:-1] or _EMPTY, labels), strict=True)))
    return form.load(_json(token))


def _read_item(form: Form, token: str, labels: Labels) -> Any:
    if isinstance(form, OneOf):
        return _read_one(_members(form), token, labels, _read_item)
    if not _is_row(form):
        return _read(form, token, labels)
    if not (token.startswith("(") and token.endswith(")")):
        raise misfit(token, f"({_shape(form)})")
    return _read(form, token[1:-1], labels)


def _read_one(forms: Sequence[Form], token: str, labels: Labels, read: Callable[[Form, str, Labels], Any]) -> Any:
    """The first member that the token fits; a text fits anything, so it comes last."""
    problems: list[str] = []
    for form in sorted(forms, key=lambda form: form.cls is str):
        try:
            return read(form, token, labels)
        except CodecError as error:
            problems.append(str(error))
    raise CodecError("; or ".join(problems))


def _json(token: str) -> Any:
    try:
        return json.loads(token)
    except ValueError as error:
        raise CodecError(f"{token} is no JSON: {error}") from None


def _read_plain(cls: type, token: str) -> Any:
    if cls is str and _BARE.fullmatch(token):
        return token
    if cls is str and token.startswith('"'):
        return Plain(str).load(_json(token))
    if cls is int and re.fullmatch("-?[0-9]+", token):
        return int(token)
    if cls is NoneType and token.lower() == _NONE:
        return None
    if cls is bool and token.lower() in ("yes", "no"):
        return token.lower() == "yes"
    if cls is float:
        try:
            return float(token)
        except ValueError:
            pass
    raise misfit(token, _shape(Plain(cls)))


# ------------------------------------------------------------ how it is written
_SHAPES = {int: "NUMBER", float: "NUMBER", str: "WORD", bool: "yes|no", NoneType: _NONE}


def usage(codec: Codec, action: type) -> str:
    """How an action of a class is written: its name, then what stands for each of its fields. A number or a word goes by the field's name."""
    return _usage(_record(codec, action))


def _usage(record: Record) -> str:
    return " ".join([_verb(record), *(_slot(name, part.form) for name, part in record.parts.items())])


def _slot(name: str, form: Form) -> str:
    if _is_flag(form):
        return f"[not] {_hyphened(name)}"
    return _hyphened(name).upper() if isinstance(form, Plain) else _shape(form)


def _shape(form: Form) -> str:
    match form:
        case Plain(cls=cls):
            return _SHAPES[cls]
        case Choice(cls=cls):
            said = list(_spelling(form).values())
            return "|".join(said) if len(said) <= 6 else _hyphened(cls.__name__).upper()
        case Row() if form.cls is Hex:
            return "HEX"
        case Items(item=item):
            return f"{_shape(item)}{_separator(form)}…"
        case Row(items=items):
            return _separator(form).join(map(_shape, items))
        case OneOf():
            return "|".join(dict.fromkeys(map(_shape, _members(form))))
        case Record(parts=parts):
            name = _hyphened(form.cls.__name__)
            return f"{name}({','.join(_shape(part.form) for part in parts.values())})" if parts else name
    return "JSON"
