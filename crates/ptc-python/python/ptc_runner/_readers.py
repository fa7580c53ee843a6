"""Plain values as what type hints say: dataclasses, dates, tuples, floats."""

from __future__ import annotations

import collections
import dataclasses
import enum
import inspect
import json
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Set
from typing import Any, Literal

from ._hints import hints_of, is_a, is_marker, is_model, is_named_tuple, plain
from ._kinds import Read, Unfit, anything, dict_of, items_of, kind_of, set_of, unfit


def reader_of(hint: Any) -> Read:
    """What turns plain values into what the hint says. It raises `Unfit` for a value that is something else."""
    return _Readers().of(hint)


class _Readers:
    """Makes the readers of one hint. A class that contains itself has one reader."""

    def __init__(self) -> None:
        self._classes: dict[Any, Read] = {}

    def of(self, hint: Any) -> Read:
        kind = kind_of(hint)
        if kind is not None:
            return kind.read
        origin, args = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated or is_marker(origin):
            return self.of(args[0])
        if origin in (typing.Union, types.UnionType):
            return self._union(args)
        if origin is Literal:
            return _one_of(args)
        if (origin is not None and args) or hint == tuple[()]:
            return self._collection(origin, args)
        if isinstance(hint, typing.NewType):
            return self.of(hint.__supertype__)
        if isinstance(hint, type) or typing.is_typeddict(hint):
            if hint not in self._classes:
                # It is looked up when a value is read: the class may be inside itself.
                self._classes[hint] = lambda value: self._classes[hint](value)
                self._classes[hint] = self._class(hint)
            return self._classes[hint]
        return anything

    def _collection(self, origin: Any, args: tuple[Any, ...]) -> Read:
        if is_a(origin, Mapping):
            read = _map_reader(self.of(args[0]), self.of(args[1]))
            if origin is collections.defaultdict:
                return lambda value: collections.defaultdict(None, read(value))
            return read if origin is dict or inspect.isabstract(origin) else lambda value: origin(read(value))
        if origin is tuple and args[-1:] != (...,):
            return _row_reader([] if args in ((), ((),)) else [self.of(arg) for arg in args])
        if is_a(origin, Iterable):
            items = _list_reader(self.of(args[0]))
            if is_a(origin, Set):
                return lambda value: (frozenset if origin is frozenset else set)(set_of(items(value)))
            return items if origin is list or inspect.isabstract(origin) else lambda value: origin(items(value))
        return anything

    def _union(self, args: tuple[Any, ...]) -> Read:
        """The first member that takes the value; a number keeps its kind."""
        readers = [(arg, self.of(arg)) for arg in args]
        wanted = " or ".join(_name_of(arg) for arg in args)

        def read(value: Any) -> Any:
            problems = []
            for arg, member in readers:
                if type(value) is arg:
                    return member(value)
            for arg, member in readers:
                try:
                    return member(value)
                except Unfit as problem:
                    if arg is not type(None):
                        problems.append(problem)
            if len(problems) == 1:
                raise problems[0]
            raise unfit(wanted, value)

        return read

    def _class(self, hint: Any) -> Read:
        if is_model(hint):
            return lambda value: value if isinstance(value, hint) else _made(hint.model_validate, value)
        if dataclasses.is_dataclass(hint):
            hints = hints_of(hint)
            fields = [field for field in dataclasses.fields(hint) if field.init]
            readers = {field.name: self.of(hints[field.name]) for field in fields}
            unset = dataclasses.MISSING
            needed = {f.name for f in fields if f.default is unset and f.default_factory is unset}
            record = _record_reader(readers, needed, keeps_others=False)
            make: Any = hint
            return lambda value: value if isinstance(value, make) else _made(lambda given: make(**given), record(value))
        if typing.is_typeddict(hint):
            readers = {name: self.of(kind) for name, kind in hints_of(hint).items()}
            return _record_reader(readers, hint.__required_keys__, keeps_others=True)
        if is_named_tuple(hint):
            hints = hints_of(hint)
            row = _row_reader([self.of(hints.get(name, Any)) for name in getattr(hint, "_fields")])
            return lambda value: hint(*row(value))
        if issubclass(hint, enum.Enum):
            return _one_of(tuple(hint))
        for base in (bool, int, float, str, dict, list, tuple, set, frozenset):
            kind = kind_of(base)
            if issubclass(hint, base) and kind is not None:
                read = kind.read
                return lambda value: _made(hint, read(value))
        return dict_of if issubclass(hint, Mapping) else anything


def _name_of(hint: Any) -> str:
    names = {type(None): "nil", str: "string", dict: "map"}
    known = names.get(hint) if isinstance(hint, type) else None
    return known or (hint.__name__ if isinstance(hint, type) and not typing.get_args(hint) else str(hint))


def _one_of(values: tuple[Any, ...]) -> Read:
    def read(value: Any) -> Any:
        for known in values:
            other = plain(known)
            if other == value and (type(other) is type(value) or (type(other), type(value)) == (float, int)):
                return known
        shown = ", ".join(json.dumps(plain(known), ensure_ascii=False, default=str) for known in values)
        raise unfit(f"one of {shown}", value)

    return read


def _list_reader(read: Read) -> Callable[[Any], list[Any]]:
    if read is anything:
        return items_of

    def items(value: Any) -> list[Any]:
        return [_inside(at, read, item) for at, item in enumerate(items_of(value))]

    return items


def _row_reader(readers: list[Read]) -> Read:
    def row(value: Any) -> tuple[Any, ...]:
        given = items_of(value)
        if len(given) != len(readers):
            raise Unfit(f"expected {len(readers)} items, got {len(given)}")
        return tuple(_inside(at, read, item) for at, (read, item) in enumerate(zip(readers, given)))

    return row


def _map_reader(read_key: Read, read: Read) -> Read:
    def key_of(key: Any) -> Any:
        try:
            return read_key(key)
        except Unfit:
            # Arguments of tools are like JSON: all their keys are texts.
            try:
                return read_key(json.loads(key))
            except (Unfit, TypeError, ValueError):
                pass
            raise

    def entries(value: Any) -> dict[Any, Any]:
        return {key_of(key): _inside(key, read, item) for key, item in dict_of(value).items()}

    return entries


def _record_reader(readers: Mapping[str, Read], needed: Iterable[str], *, keeps_others: bool) -> Read:
    needed = frozenset(needed)

    def record(value: Any) -> dict[str, Any]:
        given = dict_of(value)
        for name in readers:
            if name in needed and name not in given:
                raise Unfit("required field is missing", (name,))
        made = dict(given) if keeps_others else {}
        for name, read in readers.items():
            if name in given:
                try:
                    made[name] = _inside(name, read, given[name])
                except Unfit:
                    # A field that may be left out may be nil.
                    if given[name] is not None or name in needed:
                        raise
                    made.pop(name, None)
        return made

    return record


def _inside(step: object, read: Read, value: Any) -> Any:
    try:
        return read(value)
    except Unfit as problem:
        raise problem.below(step) from problem.__cause__


def _made(make: Callable[[Any], Any], value: Any) -> Any:
    """What a class of the user makes of the value; what it raises is a problem of the value."""
    try:
        return make(value)
    except Unfit:
        raise
    except Exception as error:
        raise _problem_of(error) from error


def _problem_of(error: Exception) -> Unfit:
    """An exception for a model. Errors of pydantic are a list of places and messages."""
    listed: Any = getattr(error, "errors", None)
    try:
        problems = [Unfit(part["msg"], tuple(map(str, part["loc"]))) for part in listed()] if callable(listed) else []
    except (TypeError, KeyError):
        problems = []
    if len(problems) == 1:
        return problems[0]
    text = "; ".join(map(str, problems)) or str(error)
    name = "" if problems else type(error).__name__
    return Unfit(": ".join(part for part in (name, text) if part))
