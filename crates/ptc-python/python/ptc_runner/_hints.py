"""What type hints are, in all their spellings."""

from __future__ import annotations

import enum
import sys
import types
import typing
from typing import Any, TypeGuard


def is_marker(origin: Any) -> bool:
    """Whether it is `Required`, `NotRequired` or `ReadOnly`, which a TypedDict has looked at."""
    return getattr(origin, "_name", None) in ("Required", "NotRequired", "ReadOnly")


def is_a(origin: Any, base: type) -> bool:
    """Whether it is a class below this one."""
    return isinstance(origin, type) and issubclass(origin, base)


def is_model(hint: Any) -> bool:
    """Whether it is a class that knows its JSON Schema and checks values, as pydantic's models do."""
    parts = ("model_validate", "model_json_schema")
    return isinstance(hint, type) and all(callable(getattr(hint, part, None)) for part in parts)


def is_named_tuple(hint: Any) -> TypeGuard[type[tuple[Any, ...]]]:
    """Whether it is a class of named tuples."""
    return is_a(hint, tuple) and hasattr(hint, "_fields")


def hints_of(of: Any) -> dict[str, Any]:
    """The hints of a function or class, with what `Annotated` adds."""
    try:
        hints = typing.get_type_hints(of, include_extras=True)
        if sys.version_info < (3, 11):
            names = getattr(of, "__globals__", None) or vars(sys.modules[of.__module__])
            return {name: _evaluated(hint, names) for name, hint in hints.items()}
        return hints
    except NameError as error:
        shown = getattr(of, "__name__", str(of))
        raise TypeError(f"a type hint of {shown} cannot be read: {error}; define the name at the top level") from error


def _evaluated(hint: Any, names: dict[str, Any]) -> Any:
    """The hint with what texts in it mean: Python 3.10 leaves that of `list["Node"]`."""
    if isinstance(hint, str):
        return eval(hint, names)
    origin: Any = typing.get_origin(hint)
    if origin in (typing.Union, types.UnionType):
        origin = typing.Union
    elif type(hint) is not types.GenericAlias:
        return hint
    return origin[tuple(_evaluated(arg, names) for arg in typing.get_args(hint))]


def plain(value: Any) -> Any:
    """The value of a member of an enum, and any other value as it is."""
    return value.value if isinstance(value, enum.Enum) else value
