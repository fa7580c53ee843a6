"""Type hints as the signatures that programs and models read."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import re
import types
import typing
from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeVar

from . import _native
from ._docs import described, note_text, rules, text_literal
from ._given import found
from ._hints import hints_of, is_a, is_marker, is_model, is_named_tuple, plain
from ._kinds import kind_of

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
        parts.append(f"{parameter.name} {_with_default(kind, parameter.default)}")
    result = hints.get("return")
    # What a function without an answer returns is not looked at.
    returned = ":any" if result in (None, type(None)) else _Writer(is_result=True).type(result, f"tool {name}: its result")
    return _native.check_signature(name, f"({', '.join(parts)}) -> {returned}")


class _Writer:
    """Writes the types of hints."""

    def __init__(self, *, is_result: bool = False) -> None:
        self._is_result = is_result
        #: The classes around the current hint: signatures have no names for types, so one inside itself is any map.
        self._open: list[Any] = []

    def type(self, hint: Any, where: str) -> str:
        """The type of one hint."""
        kind = kind_of(hint)
        if kind is not None and (kind.is_result or not self._is_result):
            return kind.text
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            text = self.type(args[0], where)
            return text + _in_brackets(rules(args[1:], text))
        if is_marker(origin):
            return self.type(args[0], where)
        if origin in (typing.Union, types.UnionType):
            return self._union(args, where)
        if origin is Literal:
            return _one_of(args, where)
        if (origin is not None and args) or hint == tuple[()]:
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
            key, value = (self.type(arg, where) for arg in args)
            # Keys have no parts; and no example of a class inside itself would be one.
            is_open = args[1] in self._open
            return ":map" if is_open or _KEY.fullmatch(key) is None else f"{{{key} -> {value}}}"
        if origin is tuple and args[-1:] != (...,):
            return _row([] if args in ((), ((),)) else [self.type(arg, where) for arg in args])
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
                hints, names = hints_of(hint), list(getattr(hint, "_fields"))
                row = _row([self.type(hints.get(name, Any), f"{where}, field {name},") for name in names])
                return row + _in_brackets([", then ".join(names)] if names else [])
        finally:
            self._open.pop()
        if issubclass(hint, enum.Enum):
            return _one_of(tuple(hint), where)
        for base in (bool, int, float, str, Mapping, list, tuple, set, frozenset):
            kind = kind_of(dict if base is Mapping else base)
            if issubclass(hint, base) and kind is not None:
                return kind.text
        raise _no_type(hint, where)

    def _record(self, fields: list[tuple[str, Any, Any]], told: Mapping[str, str], where: str) -> str:
        parts = []
        for name, hint, default in fields:
            kind = self.type(hint, f"{where}, field {name},")
            about = note_text(hint) or told.get(name)
            text = f" {text_literal(about)}" if about else ""
            parts.append(f"{name} {_with_default(kind, default)}{text}")
        return "{" + ", ".join(parts) + "}"

    def _union(self, args: tuple[Any, ...], where: str) -> str:
        """`:int | :string`; `T | None` is optional."""
        kinds = [self.type(arg, where) for arg in args if arg is not type(None)]
        text = " | ".join(kinds)
        return _optional(text) if len(kinds) < len(args) else text


#: What may be a key: a type without parts or a set of values, and rules.
_KEY = re.compile(r":(?:string|int|float|bool|keyword)(?: \([^()]*\))?|#\{.*\}", re.DOTALL)


def _optional(text: str) -> str:
    return text if text.endswith("?") else f"{text}?"


def _row(parts: list[str]) -> str:
    """A list of exactly these."""
    if len(parts) > 1:
        return f"[{', '.join(parts)}]"
    return f"[{parts[0]}] (1 item)" if parts else "[:any] (0 items)"


def _no_type(hint: Any, where: str) -> TypeError:
    if typing.get_origin(hint) is None and not isinstance(hint, type):
        return TypeError(f"{where} must be a type such as float, list[str] or a dataclass, got {found(hint)}")
    shown = getattr(hint, "__name__", None) or str(hint)
    is_answer = where.startswith("returns")
    instead = 'returns="{name :string}"' if is_answer else '@ptc.tool(signature="(name :string) -> :any")'
    return TypeError(
        f"{where} has the type {shown}, which signatures do not have. Use bool, int, float, str, list[…], dict, "
        f"a TypedDict, a dataclass, … | None or Any, or give the {'type' if is_answer else 'signature'} as text: {instead}"
    )


def _one_of(values: tuple[Any, ...], where: str) -> str:
    """A closed set of values; `None` among them makes it optional."""
    known = [plain(value) for value in values]
    if not known or any(not isinstance(value, (str, int, float, bool, type(None))) for value in known):
        raise TypeError(
            f"{where} has values that signatures do not have: {', '.join(map(repr, values)) or 'none'}; use str, int, "
            "float or bool"
        )
    texts = ["nil" if value is None else json.dumps(value, ensure_ascii=False) for value in known]
    return "#{" + " ".join(dict.fromkeys(texts)) + "}"


def _json(value: Any) -> str | None:
    """A default as signatures write it; None if they cannot, or if it is long."""
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
    text = None if default is None else _json(default)
    return _optional(kind) if text is None else f"{kind} = {text}"


def _in_brackets(rules: list[str]) -> str:
    return f" ({'; '.join(rules)})" if rules else ""


def _default_of(field: dataclasses.Field[Any]) -> Any:
    """The default of a field; None for one that a function makes."""
    if field.default is not dataclasses.MISSING:
        return field.default
    return inspect.Parameter.empty if field.default_factory is dataclasses.MISSING else None
