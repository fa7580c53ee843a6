"""Types without parts: how signatures name them, and how their values are read."""

from __future__ import annotations

import datetime
import decimal
import pathlib
import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

Read: TypeAlias = Callable[[Any], Any]


class Unfit(ValueError):
    """A value that is not what a hint says. Its text is for the model: the place in brackets, and what was found."""

    def __init__(self, text: str, path: tuple[str, ...] = ()) -> None:
        """A problem at a place, or at the value as a whole."""
        super().__init__(f"[{'.'.join(path)}]: {text}" if path else text)
        self.text = text
        self.path = path

    def below(self, step: object) -> Unfit:
        """The same problem, seen from one level above."""
        made = Unfit(self.text, (str(step), *self.path))
        made.__cause__ = self.__cause__
        return made


def anything(value: Any) -> Any:
    """The reader of values that may be anything."""
    return value


#: How programs and models call what arrives.
_FOUND = {
    type(None): "nil",
    str: "string",
    dict: "map",
    datetime.date: "date",
    datetime.datetime: "date and time",
    datetime.timedelta: "duration",
}


def unfit(wanted: str, value: Any) -> Unfit:
    shown = f' "{value}"' if isinstance(value, str) and len(value) <= 60 else ""
    return Unfit(f"expected {wanted}, got {_FOUND.get(type(value), type(value).__name__)}{shown}")


def _int(value: Any) -> Any:
    if type(value) is not int:
        raise unfit("int", value)
    return value


def _float(value: Any) -> Any:
    if type(value) not in (int, float):
        raise unfit("float", value)
    try:
        return float(value)
    except OverflowError as error:
        raise Unfit("the integer is too large for a float") from error


def _bool(value: Any) -> Any:
    if type(value) is not bool:
        raise unfit("bool", value)
    return value


def _str(value: Any) -> Any:
    if isinstance(value, str):
        return value
    # Signatures take them as texts, since they are texts in JSON.
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, uuid.UUID):
        return str(value)
    raise unfit("string", value)


def _none(value: Any) -> Any:
    if value is not None:
        raise unfit("nil", value)
    return value


def _date(value: Any) -> Any:
    if type(value) is datetime.date:
        return value
    return _from_text(value, datetime.date.fromisoformat, 'date such as "2024-03-09"')


def _datetime(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return value

    def read(text: str) -> datetime.datetime:
        # Zoned times name their zone after the offset; and 3.10 does not know Z.
        text = text.partition("[")[0]
        return datetime.datetime.fromisoformat(f"{text[:-1]}+00:00" if text.endswith("Z") else text)

    return _from_text(value, read, 'date and time such as "2024-03-09T10:30:00Z"')


def _time(value: Any) -> Any:
    if isinstance(value, datetime.time):
        return value
    return _from_text(value, datetime.time.fromisoformat, 'time such as "10:30"')


_DURATION = re.compile(
    r"(?P<sign>-?)P(?:(?P<weeks>\d+)W)?(?:(?P<days>-?\d+)D)?"
    r"(?:T(?:(?P<hours>-?\d+)H)?(?:(?P<minutes>-?\d+)M)?(?:(?P<seconds>-?\d+(?:\.\d+)?)S)?)?"
)


def _timedelta(value: Any) -> Any:
    if isinstance(value, datetime.timedelta):
        return value

    def read(text: str) -> datetime.timedelta:
        found = _DURATION.fullmatch(text)
        if found is None or text[-1] in "PT":
            raise ValueError
        parts = {name: float(part) for name, part in found.groupdict().items() if part and name != "sign"}
        made = datetime.timedelta(**parts)
        return -made if found["sign"] else made

    return _from_text(value, read, 'duration such as "PT1H30M"')


def _uuid(value: Any) -> Any:
    return value if isinstance(value, uuid.UUID) else _from_text(value, uuid.UUID, "UUID")


def _decimal(value: Any) -> Any:
    if isinstance(value, decimal.Decimal):
        return value
    # A float is meant as it is written.
    text = str(value) if type(value) in (int, float) else value
    return _from_text(text, decimal.Decimal, 'number, or text such as "12.30"')


def _path(value: Any) -> Any:
    return value if isinstance(value, pathlib.PurePath) else pathlib.Path(_str(value))


def _from_text(value: Any, read: Callable[[str], Any], wanted: str) -> Any:
    if isinstance(value, str):
        try:
            return read(value)
        except (ValueError, ArithmeticError):
            pass
    raise unfit(wanted, value)


def dict_of(value: Any) -> Any:
    if not isinstance(value, dict):
        raise unfit("map", value)
    return value


def items_of(value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise unfit("list", value)
    return list(value)


def set_of(value: Any) -> set[Any]:
    try:
        return set(items_of(value))
    except TypeError as error:
        raise Unfit("lists and maps cannot be members of a set") from error


@dataclass(frozen=True, slots=True)
class Kind:
    """A type without parts.

    text: as signatures write it.
    read: what turns plain values into it.
    is_result: whether functions may return it.
    """

    text: str
    read: Read
    is_result: bool = True


def kind_of(hint: Any) -> Kind | None:
    """The kind of a hint that is one; None for a hint with parts, or for a class of the user."""
    try:
        return _KINDS.get(hint)
    except TypeError:
        return None


_ITEMS = "[:any]"
_NIL = Kind("#{nil}", _none)

_KINDS: dict[Any, Kind] = {
    bool: Kind(":bool", _bool),
    int: Kind(":int", _int),
    float: Kind(":float", _float),
    str: Kind(":string", _str),
    dict: Kind(":map", dict_of),
    list: Kind(_ITEMS, items_of),
    tuple: Kind(_ITEMS, lambda value: tuple(items_of(value))),
    set: Kind(_ITEMS, set_of),
    frozenset: Kind(_ITEMS, lambda value: frozenset(set_of(value))),
    datetime.date: Kind(":string (date)", _date),
    datetime.datetime: Kind(":string (date-time)", _datetime),
    datetime.time: Kind(":string (time)", _time),
    datetime.timedelta: Kind(":string (duration)", _timedelta),
    uuid.UUID: Kind(":string (uuid)", _uuid),
    decimal.Decimal: Kind(":float | :string (decimal)", _decimal, is_result=False),
    pathlib.Path: Kind(":string (path)", _path, is_result=False),
    pathlib.PurePath: Kind(":string (path)", _path, is_result=False),
    object: Kind(":any", anything),
    Any: Kind(":any", anything),
    None: _NIL,
    type(None): _NIL,
}
