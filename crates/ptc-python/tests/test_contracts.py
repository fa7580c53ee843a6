"""What a model is shown of an answer: a type that says all rules, and an example that is taken."""

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import pathlib
import re
import types
import uuid
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict, Union

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ptc_runner as ptc
from ptc_runner._kinds import _KINDS


@dataclasses.dataclass(frozen=True)
class Limits:
    """What `annotated_types` and `Field` of pydantic have."""

    ge: float | None = None
    le: float | None = None
    gt: float | None = None
    multiple_of: float | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


class Mode(enum.Enum):
    FAST = "fast"
    SAFE = "safe"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Point(NamedTuple):
    x: int
    on: dt.date


class Row(TypedDict, total=False):
    at: dt.datetime
    mode: Mode


@dataclasses.dataclass
class Node:
    name: str
    next: Optional["Node"] = None
    kids: list["Node"] = dataclasses.field(default_factory=list)
    by_name: dict[str, "Node"] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Stay:
    """A stay.

    Attributes:
        on: The first night.
    """

    on: dt.date
    stars: Annotated[int, Limits(ge=1, le=5), "How good it was"]
    rates: list[Annotated[float, Limits(gt=0)]]
    point: Point | None = None


UserId = NewType("UserId", int)

#: Hints, and what the text of their type must say.
LEAVES: list[tuple[Any, str]] = [
    (bool, ":bool"),
    (int, ":int"),
    (float, ":float"),
    (str, ":string"),
    (dict, ":map"),
    (list, "[:any]"),
    (tuple, "[:any]"),
    (set, "[:any]"),
    (frozenset, "[:any]"),
    (dt.date, ":string (date)"),
    (dt.datetime, ":string (date-time)"),
    (dt.time, ":string (time)"),
    (dt.timedelta, ":string (duration)"),
    (uuid.UUID, ":string (uuid)"),
    (decimal.Decimal, ":float | :string (decimal)"),
    (pathlib.Path, ":string (path)"),
    (pathlib.PurePath, ":string (path)"),
    (object, ":any"),
    (Any, ":any"),
    (None, "#{nil}"),
    (type(None), "#{nil}"),
    (Mode, '#{"fast" "safe"}'),
    (Level, "#{1 2}"),
    (UserId, ":int"),
    (Literal["a", 2, True], '#{"a" 2 true}'),
    (Literal["x" * 300], "x" * 300),
    (Annotated[int, Limits(ge=1, le=5)], ":int (1 to 5)"),
    (Annotated[float, Limits(gt=0.5, multiple_of=0.25)], "(above 0.5; a multiple of 0.25)"),
    (Annotated[str, Limits(pattern="^[A-Z]{2}$")], '(matches "^[A-Z]{2}$")'),
    (Annotated[str, Limits(min_length=3, max_length=4)], "(3 to 4 characters)"),
    (Annotated[list[int], Limits(min_length=2)], "[:int] (at least 2 items)"),
    (Annotated[dict[str, int], Limits(max_length=3, min_length=2)], "{:string -> :int} (2 to 3 entries)"),
    (Annotated[int | str, Limits(ge=50)], ":int (at least 50) | :string"),
    (tuple[()], "[:any] (0 items)"),
    (Point, "[:int, :string (date)] (x, then on)"),
    (Row, '{at :string? (date-time), mode #{"fast" "safe"}?}'),
    (Node, "{name :string, next :map?, kids [:map]?, by_name :map?}"),
    (
        Stay,
        '{on :string (date) "The first night.", stars :int (1 to 5) "How good it was", rates [:float (above 0)], '
        "point [:int, :string (date)]? (x, then on)}",
    ),
]


def shown_and_answered(hint: Any) -> tuple[str, ptc.Step[Any]]:
    """The type that a model is shown, and what comes of it when it returns the example that it is shown."""
    seen: list[str] = []

    def obedient(messages: list[ptc.Message]) -> str:
        assert not seen, f"the example was refused: {messages[-1]['content']}"
        seen.append(messages[-1]["content"])
        example = re.search(r"Finish with `(\(return .*\))`\.", seen[0], re.DOTALL)
        assert example is not None, seen[0]
        return example[1]

    step = ptc.Agent("x", returns=hint, max_turns=3).run(model=obedient)
    assert step.ok, step.failure
    shown = re.search(r"The answer must have the type `(.*)`\.\n", seen[0])
    assert shown is not None
    return shown[1], step


@pytest.mark.parametrize(("hint", "text"), LEAVES, ids=lambda part: str(part)[:40])
def test_the_example_of_each_type_is_an_answer(hint: Any, text: str) -> None:
    if hint is None:
        hint = Optional[type(None)]
    shown, _ = shown_and_answered(hint)
    assert text in shown


def test_every_type_without_parts_is_here() -> None:
    assert {kind for kind in _KINDS} <= {hint for hint, _ in LEAVES if isinstance(hint, type) or hint in (None, Any)}


#: What makes hints of others; mypy takes only types that it knows.
OF: Any = types.SimpleNamespace(
    **{"list": list, "tuple": tuple, "dict": dict, "deque": collections.deque, "default": collections.defaultdict},
    **{"sequence": Sequence, "optional": Optional, "union": Union, "annotated": Annotated, "fields": TypedDict, "row": NamedTuple},
)

#: Makes a hint of two others.
PARTS: dict[str, Callable[[Any, Any], Any]] = {
    "list": lambda one, two: OF.list[one],
    "sequence": lambda one, two: OF.sequence[one],
    "deque": lambda one, two: OF.deque[one],
    "endless tuple": lambda one, two: OF.tuple[one, ...],
    "empty": lambda one, two: OF.dict[str, tuple[()]],
    "single": lambda one, two: OF.tuple[one],
    "pair": lambda one, two: OF.tuple[one, two],
    "map": lambda one, two: OF.dict[str, one],
    "by date": lambda one, two: OF.dict[dt.date, one],
    "by mode": lambda one, two: OF.dict[Mode, one],
    "by number": lambda one, two: OF.default[int, one],
    "optional": lambda one, two: OF.optional[one],
    "union": lambda one, two: OF.union[one, two],
    "bounded": lambda one, two: OF.annotated[OF.list[one], Limits(min_length=2, max_length=3)],
    "dataclass": lambda one, two: dataclasses.make_dataclass("Made", [("one", one), ("two", two)]),
    "typed dict": lambda one, two: OF.fields("Typed", {"one": one, "two": two}),
    "named tuple": lambda one, two: OF.row("Named", [("one", one), ("two", two)]),
}


@st.composite
def hints(draw: st.DrawFn, depth: int = 2) -> tuple[Any, list[str]]:
    """A hint, and what its type must say."""
    if depth == 0 or draw(st.integers(0, 4)) == 0:
        hint, text = draw(st.sampled_from([leaf for leaf in LEAVES if leaf[0] is not None]))
        return hint, [text]
    one, texts = draw(hints(depth - 1))
    two, more = draw(hints(depth - 1))
    name = draw(st.sampled_from(sorted(PARTS)))
    used = texts + more if name in ("pair", "dataclass", "typed dict", "named tuple") else texts
    # A union with anything is anything; and parts of alternatives are joined.
    return PARTS[name](one, two), [] if name in ("union", "optional", "empty") else used


@given(hints())
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_example_of_what_is_shown_is_an_answer(made: tuple[Any, list[str]]) -> None:
    hint, texts = made
    shown, _ = shown_and_answered(hint)
    for text in texts:
        assert text in shown, f"{text} in {shown}"


def test_choices_may_be_keywords_in_answers_and_arguments() -> None:
    def asked(level: Literal["low", "high"], modes: list[Mode]) -> str:
        return f"{level} {modes[0].name}"

    session = ptc.Session(tools=[asked])
    assert session.run("(tool/asked {:level :low :modes #{:fast}})").value == "low FAST"
    for hint, program, value in [
        (Literal["low", "high"], ":low", "low"),
        (list[Mode], "#{:fast}", [Mode.FAST]),
        (dict[Mode, str], "{:fast :x}", {Mode.FAST: "x"}),
        (Literal["low"] | int, ":low", "low"),
        (Row, "{:mode :safe}", {"mode": Mode.SAFE}),
    ]:
        step = ptc.Agent("x", returns=hint, max_turns=1).run(model=ptc.ScriptedModel([f"(return {program})"]))
        assert step.ok and step.value == value, step.failure


def test_decimals_and_paths_are_read() -> None:
    def read(hint: Any, program: str) -> Any:
        return ptc.Agent("x", returns=hint).run(model=ptc.ScriptedModel([f"(return {program})"])).value

    assert read(decimal.Decimal, '"12.30"') == decimal.Decimal("12.30")
    assert read(decimal.Decimal, "0.1") == decimal.Decimal("0.1")
    assert read(pathlib.Path, '"a/b.txt"') == pathlib.Path("a/b.txt")

    def pay(amount: decimal.Decimal, to: pathlib.Path) -> str:
        return f"{amount + 1} {to.suffix}"

    assert ptc.Session(tools=[pay]).run('(tool/pay {:amount "0.10" :to "x.pdf"})').value == "1.10 .pdf"

    def total() -> decimal.Decimal:
        return decimal.Decimal(1)

    with pytest.raises(TypeError, match="its result has the type Decimal, which signatures do not have"):
        ptc.Tool(total)


def test_json_mode_says_all_rules() -> None:
    model = ptc.ScriptedModel(['{"on": "2024-03-09", "stars": 9, "rates": [1]}', '{"on": "2024-03-09", "stars": 5, "rates": [1]}'])
    step = ptc.Agent("x", returns=Stay, output="json").run(model=model)
    assert step.value == Stay(dt.date(2024, 3, 9), 5, [1.0])
    asked = model.requests[0][1]["content"]
    for line in (
        "- `on` (string (date)) - The first night.",
        "- `stars` (integer (1 to 5)) - How good it was",
        "- `rates` (array of number (above 0))",
        "- `point` (array of 2 items: integer, then string (date) (x, then on), optional)",
    ):
        assert line in asked, asked
    assert "[stars]: expected 1 to 5, got 9" in model.requests[1][-1]["content"]
