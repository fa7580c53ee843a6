"""What type hints are, in all their spellings."""

from __future__ import annotations

import enum
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
        return typing.get_type_hints(of, include_extras=True)
    except NameError as error:
        shown = getattr(of, "__name__", str(of))
        raise TypeError(f"a type hint of {shown} cannot be read: {error}; define the name at the top level") from error


def plain(value: Any) -> Any:
    """The value of a member of an enum, and any other value as it is."""
    return value.value if isinstance(value, enum.Enum) else value
