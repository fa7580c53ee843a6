"""Type hints as the signatures that programs and models read."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import inspect
import json
import types
import typing
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

from . import _native
from ._docs import described, note_text, rules, text_literal
from ._hints import hints_of, is_a, is_marker, is_model, is_named_tuple, plain

#: Python types without parts, and how signatures name them.
_SIMPLE: dict[Any, str] = {
    bool: ":bool",
    int: ":int",
    float: ":float",
    str: ":string",
    dict: ":map",
    list: "[:any]",
    tuple: "[:any]",
    set: "[:any]",
    frozenset: "[:any]",
    datetime.date: ":string",
    datetime.datetime: ":string",
    datetime.time: ":string",
    datetime.timedelta: ":string",
    uuid.UUID: ":string",
    object: ":any",
    Any: ":any",
    None: ":any",
    type(None): ":any",
}

#: Characters of a default that a signature shows.
_LONGEST_DEFAULT = 200


def signature_type(hint: Any, where: str) -> str:
    """The type of a signature that a hint means; a text is one already.

    TypeError, which begins with `where`, for a hint that has none.
    """
    return hint if isinstance(hint, str) else _Writer().type(hint, where)


def signature_text(parameters: Iterable[inspect.Parameter], hints: Mapping[str, Any], name: str) -> str:
    """`(room :string, nights :int = 1) -> :float`; TypeError for what programs cannot pass."""
    writer, parts = _Writer(), []
    for parameter in parameters:
        if parameter.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            raise TypeError(
                f"tool {name}: parameter {parameter} cannot be passed by name, which is how programs pass arguments; "
                "name each parameter"
            )
        hint = hints.get(parameter.name, Any)
        kind = writer.type(hint, f"tool {name}: parameter {parameter.name}")
        parts.append(f"{parameter.name} {_with_default(kind, parameter.default)}{_in_brackets(rules(hint, kind))}")
    result = writer.type(hints.get("return", Any), f"tool {name}: its result")
    return f"({', '.join(parts)}) -> {result}"


class _Writer:
    """Writes the types of hints."""

    def __init__(self) -> None:
        #: The classes around the current hint: signatures have no names for types, so one inside itself is any map.
        self._open: list[Any] = []

    def type(self, hint: Any, where: str) -> str:
        """The type of one hint."""
        try:
            if hint in _SIMPLE:
                return _SIMPLE[hint]
        except TypeError:
            pass
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated or is_marker(origin):
            return self.type(args[0], where)
        if origin in (typing.Union, types.UnionType):
            return self._union(args, where)
        if origin is Literal:
            return _one_of(args, where)
        if origin is not None and args:
            return self._collection(origin, args, hint, where)
        if isinstance(hint, typing.NewType):
            return self.type(hint.__supertype__, where)
        if isinstance(hint, TypeVar):
            return ":any"
        if isinstance(hint, type) or typing.is_typeddict(hint):
            return self._class(hint, where)
        raise _no_type(hint, where)

    def _collection(self, origin: Any, args: tuple[Any, ...], hint: Any, where: str) -> str:
        if is_a(origin, Mapping) and len(args) == 2:
            key, value = args
            kinds = {str: ":string", int: ":int", bool: ":bool", float: ":float"}
            if key not in kinds:
                return ":map"
            return f"{{{kinds[key]} -> {self.type(value, where)}}}"
        if origin is tuple and args[-1:] != (...,):
            return "[:any]"
        if is_a(origin, Iterable) and not is_a(origin, Mapping):
            return f"[{self.type(args[0], where)}]"
        raise _no_type(hint, where)

    def _class(self, hint: Any, where: str) -> str:
        if hint in self._open:
            return ":map"
        self._open.append(hint)
        try:
            if is_model(hint):
                return _native.schema_type(json.dumps(hint.model_json_schema()))
            if dataclasses.is_dataclass(hint):
                hints = hints_of(hint)
                fields = [field for field in dataclasses.fields(hint) if field.init]
                told = described(inspect.getdoc(hint) or "", hints)[1]
                parts = [(field.name, hints[field.name], _default_of(field)) for field in fields]
                return self._record(parts, told, where)
            if typing.is_typeddict(hint):
                required = hint.__required_keys__
                absent = {name: inspect.Parameter.empty if name in required else None for name in hints_of(hint)}
                told = described(inspect.getdoc(hint) or "", absent)[1]
                return self._record([(name, kind, absent[name]) for name, kind in hints_of(hint).items()], told, where)
            if is_named_tuple(hint):
                for name, kind in hints_of(hint).items():
                    self.type(kind, f"{where}, field {name},")
                return "[:any]"
        finally:
            self._open.pop()
        if issubclass(hint, enum.Enum):
            return _one_of(tuple(hint), where)
        for base in (bool, int, float, str, Mapping, list, tuple, set, frozenset):
            if issubclass(hint, base):
                return _SIMPLE[dict if base is Mapping else base]
        raise _no_type(hint, where)

    def _record(self, fields: list[tuple[str, Any, Any]], told: Mapping[str, str], where: str) -> str:
        parts = []
        for name, hint, default in fields:
            kind = self.type(hint, f"{where}, field {name},")
            about = note_text(hint) or told.get(name)
            text = f" {text_literal(about)}" if about else ""
            parts.append(f"{name} {_with_default(kind, default)}{_in_brackets(rules(hint, kind))}{text}")
        return "{" + ", ".join(parts) + "}"

    def _union(self, args: tuple[Any, ...], where: str) -> str:
        """`T | None` is optional; a union of numbers is a float; another one is any."""
        kinds = [arg for arg in args if arg is not type(None)]
        if len(kinds) == 1:
            kind = self.type(kinds[0], where)
        else:
            # What has no type at all is named here, and not when a value arrives.
            for one in kinds:
                self.type(one, where)
            kind = ":float" if set(map(_key, kinds)) <= {int, float} else ":any"
        return f"{kind.removesuffix('?')}?" if len(kinds) < len(args) else kind


def _key(hint: Any) -> Any:
    """The hint, if a set can hold it."""
    return hint if isinstance(hint, type) else None


def _no_type(hint: Any, where: str) -> TypeError:
    shown = getattr(hint, "__name__", None) or str(hint)
    return TypeError(
        f"{where} has the type {shown}, which signatures do not have. Use bool, int, float, str, list[…], dict, "
        "a TypedDict, a dataclass, … | None or Any, or give the signature as text: "
        '@ptc.tool(signature="(name :string) -> :any")'
    )


def _one_of(values: tuple[Any, ...], where: str) -> str:
    """A closed set of values; `None` among them makes it optional."""
    known = [plain(value) for value in values]
    texts = [_json(value) for value in known if value is not None]
    if not texts or any(not isinstance(value, (str, int, float, bool, type(None))) for value in known):
        raise TypeError(
            f"{where} has values that signatures do not have: {', '.join(map(repr, values)) or 'none'}; use str, int, "
            "float or bool"
        )
    kind = ":any" if None in texts else "#{" + " ".join(str(text) for text in dict.fromkeys(texts)) + "}"
    return kind if None not in known else kind + "?"


def _json(value: Any) -> str | None:
    """A value as signatures write it; None if they cannot, or if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain_or_refused)
    except (TypeError, ValueError):
        return None
    return text if len(text) <= _LONGEST_DEFAULT else None


def _plain_or_refused(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    raise TypeError


def _with_default(kind: str, default: Any) -> str:
    """`:int = 1`; without a default when that is `inspect.Parameter.empty`."""
    if default is inspect.Parameter.empty:
        return kind
    required = kind.removesuffix("?")
    text = None if default is None else _json(default)
    return f"{required}?" if text is None else f"{required} = {text}"


def _in_brackets(rules: list[str]) -> str:
    return f" ({'; '.join(rules)})" if rules else ""


def _default_of(field: dataclasses.Field[Any]) -> Any:
    """The default of a field; None for one that a function makes."""
    if field.default is not dataclasses.MISSING:
        return field.default
    return inspect.Parameter.empty if field.default_factory is dataclasses.MISSING else None
