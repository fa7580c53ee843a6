"""What a docstring and type hints say of parameters."""

from __future__ import annotations

import json
import re
import types
import typing
from collections.abc import Collection, Iterable, Iterator
from typing import Any

#: The first line of a section of parameters in Google's style.
_ARGUMENTS = re.compile(r"(?:args|arguments|attributes|parameters|params|keyword args|keyword arguments|other parameters):", re.I)
#: `name: text`, `name (type): text`
_GOOGLE = re.compile(r"(?P<names>\*{0,2}\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<text>.*)")
#: `name : type`, `x, y : type`
_NUMPY = re.compile(r"(?P<names>\*{0,2}\w+(?:\s*,\s*\*{0,2}\w+)*)\s*(?::.*)?")
#: `:param name: text`, `:param type name: text`
_REST = re.compile(r":(?:param|parameter|arg|argument|key|keyword)\s+(?:[^:]*?\s)?\*{0,2}(?P<name>\w+)\s*:\s*(?P<text>.*)")


def described(doc: str, names: Collection[str]) -> tuple[str, dict[str, str]]:
    """The text of a docstring without what it says of the parameters `names`, and that.

    It reads the styles of Google (`Args:`), NumPy (`Parameters` above a line of
    dashes) and reStructuredText (`:param name: …`).
    """
    kept: list[str] = []
    found: dict[str, list[str]] = {}
    lines = doc.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        marked = _REST.fullmatch(line.strip())
        if marked and marked["name"] in names:
            end = _end_of_block(lines, at + 1, _indent(line))
            found[marked["name"]] = [marked["text"], *lines[at + 1 : end]]
            at = end
            continue
        end, entries = at + 1, dict[str, list[str]]()
        if _ARGUMENTS.fullmatch(line.strip()):
            end = _end_of_block(lines, at + 1, _indent(line))
            entries = _entries(lines[at + 1 : end], _GOOGLE, names)
        elif line.strip().lower() in ("attributes", "parameters", "other parameters") and _is_numpy_header(lines, at):
            end = next((n for n in range(at + 2, len(lines)) if _is_numpy_header(lines, n)), len(lines))
            entries = _entries(lines[at + 2 : end], _NUMPY, names)
        if not entries:
            kept.append(line)
            end = at + 1
        found.update(entries)
        at = end
    texts = {name: " ".join(" ".join(text).split()) for name, text in found.items()}
    return "\n".join(kept).strip(), {name: text for name, text in texts.items() if text}


def _entries(lines: list[str], head: re.Pattern[str], names: Collection[str]) -> dict[str, list[str]]:
    """The lines of each parameter of a section, whose names are indented least."""
    least = min((_indent(line) for line in lines if line.strip()), default=0)
    found: dict[str, list[str]] = {}
    current: list[str] = []
    for line in lines:
        if line.strip() and _indent(line) == least:
            matched = head.fullmatch(line.strip())
            named = [name.strip().lstrip("*") for name in matched["names"].split(",")] if matched else []
            current = [matched["text"]] if matched and "text" in head.groupindex else []
            found.update((name, current) for name in named if name in names)
        else:
            current.append(line)
    return found


def _is_numpy_header(lines: list[str], at: int) -> bool:
    rule = lines[at + 1].strip() if at + 1 < len(lines) else ""
    return bool(lines[at].strip()) and len(rule) >= 3 and set(rule) == {"-"}


def _end_of_block(lines: list[str], start: int, indent: int) -> int:
    """The first line after `start` that is not indented more than `indent`, and not empty."""
    end = start
    for at in range(start, len(lines)):
        if not lines[at].strip():
            continue
        if _indent(lines[at]) <= indent:
            break
        end = at + 1
    return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _notes(hint: Any) -> Iterator[Any]:
    """What `Annotated` adds to a hint, also to the only type of `T | None`."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        yield from args[1:]
        yield from _notes(args[0])
    elif origin in (typing.Union, types.UnionType):
        kinds = [arg for arg in args if arg is not type(None)]
        if len(kinds) == 1:
            yield from _notes(kinds[0])


def note_text(hint: Any) -> str | None:
    """The description in the notes of a hint: a text, or what `Field(description=…)` and `Doc(…)` have."""
    for note in _notes(hint):
        for text in (note, getattr(note, "description", None), getattr(note, "documentation", None)):
            if isinstance(text, str) and text.strip():
                return " ".join(text.split())
    return None


def rules(notes: Iterable[Any], kind: str) -> list[str]:
    """The limits in what `Annotated` adds to a type, as signatures write them: `1 to 50`.

    They are found by their names, so that those of `annotated_types` and of
    pydantic count.
    """
    found: dict[str, Any] = {}
    for note in notes:
        # Fields of pydantic have their limits in a list.
        for part in (note, *(getattr(note, "metadata", None) or ())):
            for name in ("ge", "gt", "le", "lt", "min_length", "max_length", "multiple_of", "pattern"):
                value = getattr(part, name, None)
                if value is not None:
                    found.setdefault(name, value)
    unit = "items" if kind.startswith("[") else "entries" if kind.startswith(("{", ":map")) else "characters"
    made = [
        _limits(_limit(found, "ge", "at least", "gt", "above"), _limit(found, "le", "at most", "lt", "below"), ""),
        _limits(_limit(found, "min_length", "at least"), _limit(found, "max_length", "at most"), f" {unit}"),
    ]
    if _is_number(found.get("multiple_of")):
        made.append(f"a multiple of {found['multiple_of']}")
    if isinstance(found.get("pattern"), str):
        made.append(f"matches {text_literal(found['pattern'])}")
    return [rule for rule in made if rule]


def _limit(found: dict[str, Any], within: str, word: str, outside: str = "", other: str = "") -> tuple[str, str] | None:
    if _is_number(found.get(within)):
        return word, str(found[within])
    return (other, str(found[outside])) if _is_number(found.get(outside)) else None


def _limits(least: tuple[str, str] | None, most: tuple[str, str] | None, unit: str) -> str | None:
    if least and most and (least[0], most[0]) == ("at least", "at most"):
        return f"{least[1]} to {most[1]}{unit}"
    words = [" ".join(limit) for limit in (least, most) if limit]
    return " and ".join(words) + unit if words else None


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value - value == 0


def text_literal(text: str) -> str:
    """A text as signatures write it."""
    return json.dumps(text, ensure_ascii=False)
