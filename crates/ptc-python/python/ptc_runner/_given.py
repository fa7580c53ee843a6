"""Checks of what a caller gave: the errors name the argument, what was found, and what to write."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any


def integer(name: str, value: Any) -> None:
    """TypeError and ValueError for anything but an integer from 0 on; None was not given."""
    if value is None:
        return
    if isinstance(value, bool) or not hasattr(type(value), "__index__"):
        raise TypeError(f"{name} must be an integer from 0 on, got {found(value)}; write {name}=100")
    if value.__index__() < 0:
        raise ValueError(f"{name} must be an integer from 0 on, got {found(value)}; write {name}=100")


def checked_seed(value: Any) -> int:
    """The seed as the native half takes it. TypeError for anything but an integer."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"seed must be an integer, got {found(value)}; write seed=1")
    return value % 2**64


def text(name: str, value: Any, wanted: str) -> None:
    """TypeError for anything but a text; `wanted` says what to write."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a text, got {found(value)}; write {wanted}")


def texts(name: str, value: Any, wanted: str) -> list[str]:
    """A list of texts. TypeError for anything else; one text is not a list of letters."""
    given = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [None]
    made = [each for each in given if isinstance(each, str)]
    if len(made) < len(given):
        raise TypeError(f"{name} must be a list of texts, got {found(value)}; write {wanted}")
    return made


def named_options(value: Any, example: str) -> None:
    """TypeError for what is neither None nor options by name."""
    if value is not None and not isinstance(value, Mapping):
        raise TypeError(f"options must be a dict of names to values, got {found(value)}; write options={example}")


def seconds(name: str, value: Any) -> None:
    """TypeError and ValueError for anything but a number of seconds above 0; None was not given."""
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number of seconds above 0, got {found(value)}; write {name}=30")
    if not math.isfinite(value) or value <= 0:
        raise ValueError(f"{name} must be a number of seconds above 0, got {found(value)}; write {name}=30")


def one_of(name: str, value: Any, kind: type, wanted: str) -> None:
    """TypeError for what is neither None nor of this class; `wanted` says what to write."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name} must be a {kind.__name__}, got {found(value)}; write {name}={wanted}")


def function(name: str, value: Any) -> None:
    """TypeError for what is neither None nor a function."""
    if value is not None and not callable(value):
        raise TypeError(f"{name} must be a function, got {found(value)}; write {name}=print, or a function of yours")


def found(value: Any) -> str:
    """A value as errors show it: short, and with its type where that is not clear."""
    text = repr(value)
    shown = text if len(text) <= 60 else f"{text[:59]}…"
    return shown if isinstance(value, (str, int, float, type(None))) else f"{shown} ({type(value).__name__})"
