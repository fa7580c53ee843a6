"""Answers and arguments: what type hints say, Python gets."""

import collections
import dataclasses
import datetime as dt
import enum
import uuid
from collections.abc import Sequence
from typing import Annotated, Any, Literal, NamedTuple, NewType, Optional, TypedDict, Union

import pytest

import ptc_runner as ptc


@dataclasses.dataclass
class Total:
    country: str
    total: float


@dataclasses.dataclass
class Code:
    country: str
    since: dt.date | None = None

    def __post_init__(self) -> None:
        if len(self.country) != 2:
            raise ValueError("country has two letters, as in FI")


@dataclasses.dataclass
class Node:
    name: str
    kids: list["Node"] = dataclasses.field(default_factory=list)


class Point(NamedTuple):
    x: int
    y: float = 0.0


class Row(TypedDict, total=False):
    at: dt.datetime
    codes: list[Code]


class Mode(enum.Enum):
    FAST = "fast"
    SAFE = "safe"


class Level(enum.IntEnum):
    LOW = 1


class Model:
    """Looks like a model of pydantic."""

    def __init__(self, total: int) -> None:
        self.total = total

    @classmethod
    def model_json_schema(cls) -> dict[str, Any]:
        total = {"type": "integer", "minimum": 0, "description": "In euros"}
        return {"type": "object", "properties": {"total": total}, "required": ["total"]}

    @classmethod
    def model_validate(cls, value: Any) -> "Model":
        if value["total"] > 100:
            raise ModelError("1 validation error for Model\ntotal\n  For further information visit …")
        return cls(value["total"])

    def model_dump(self, *, by_alias: bool) -> dict[str, Any]:
        return {"total": self.total}


class ModelError(ValueError):
    def errors(self) -> list[dict[str, Any]]:
        return [{"loc": ("total", 0), "msg": "Input should be at most 100", "type": "less_than"}]


UserId = NewType("UserId", int)
FI = uuid.UUID("810f5868-02e7-4a33-8e40-dd2247a97486")


def run(returns: Any, *programs: str, **options: Any) -> tuple[ptc.Step[Any], ptc.ScriptedModel]:
    model = ptc.ScriptedModel(programs)
    return ptc.Agent("x", returns=returns, **options).run(model=model), model


@pytest.mark.parametrize(
    ("returns", "program"),
    [
        (int, '(return "zzz")'),
        (int, '(str "zzz")'),
        (Total, "(return {:country 1})"),
        (Total, '(return "zzz")'),
        (tuple[int, str], '(return "zzz")'),
        (Literal["a"], '(return "b")'),
        ("{total :int}", '(return {:total "1"})'),
        (Code, '(return {:country "Finland"})'),
    ],
)
@pytest.mark.parametrize("tools", [[], [len]])
def test_a_named_type_holds_in_a_single_turn(returns: Any, program: str, tools: list[Any]) -> None:
    ready = [ptc.Tool(tool, name="size", signature="(x :any) -> :int") for tool in tools]
    step, _ = run(returns, program, max_turns=1, tools=ready)
    assert not step.ok and step.failure is not None
    # With tools the run would have had a further turn, if it were allowed one.
    assert step.failure.reason == ("max_turns_exceeded" if tools else "validation_error")
    with pytest.raises(ptc.RunFailed):
        step.value


@pytest.mark.parametrize(
    ("returns", "program", "value"),
    [
        (Total, '{:country "FI" :total 3}', Total("FI", 3.0)),
        (float, "3", 3.0),
        (float | None, "nil", None),
        (Optional[float], "3", 3.0),
        (int | str, '"a"', "a"),
        (Union[float, int], "3", 3),
        (Code | Point, "[1 2]", Point(1, 2.0)),
        (Literal["a", 2], "2", 2),
        (Mode, '"safe"', Mode.SAFE),
        (Level, "1", Level.LOW),
        (list[Mode], '["fast"]', [Mode.FAST]),
        (dt.date, '#date "2024-03-09"', dt.date(2024, 3, 9)),
        (dt.date, '"2024-03-09"', dt.date(2024, 3, 9)),
        (dt.datetime, '"2024-03-09T10:30:00Z"', dt.datetime(2024, 3, 9, 10, 30, tzinfo=dt.timezone.utc)),
        (dt.datetime, '#inst "2024-03-09T10:30:00Z"', dt.datetime(2024, 3, 9, 10, 30, tzinfo=dt.timezone.utc)),
        (dt.time, '"10:30"', dt.time(10, 30)),
        (dt.timedelta, '"PT1H30M"', dt.timedelta(minutes=90)),
        (dt.timedelta, '#duration "PT1H30M"', dt.timedelta(minutes=90)),
        (dt.timedelta, '"-P1DT0.5S"', -dt.timedelta(days=1, seconds=0.5)),
        (str, '#date "2024-03-09"', "2024-03-09"),
        (uuid.UUID, f'"{FI}"', FI),
        (tuple[int, str], '[1 "a"]', (1, "a")),
        (tuple[float, ...], "[1 2]", (1.0, 2.0)),
        (set[str], '["a" "a"]', {"a"}),
        (set[str], '#{"a" "b"}', {"a", "b"}),
        (list[list[int]], "[#{1}]", [[1]]),
        (frozenset[int], "[1]", frozenset({1})),
        (Sequence[float], "[1]", [1.0]),
        (collections.deque[int], "[1]", collections.deque([1])),
        (dict[int, float], "{1 2}", {1: 2.0}),
        (dict[dt.date, int], '{"2024-03-09" 2}', {dt.date(2024, 3, 9): 2}),
        (collections.defaultdict[str, int], "{:a 1}", collections.defaultdict(None, {"a": 1})),
        (Point, "[1 2]", Point(1, 2.0)),
        (UserId, "7", 7),
        (Annotated[float, "euros"], "7", 7.0),
        (Node, '{:name "a" :kids [{:name "b"}]}', Node("a", [Node("b")])),
        (
            list[Row],
            '[{:at "2024-03-09T10:00" :codes [{:country "FI" :since "2020-01-01"}] :more 1}]',
            [{"at": dt.datetime(2024, 3, 9, 10), "codes": [Code("FI", dt.date(2020, 1, 1))], "more": 1}],
        ),
    ],
)
def test_an_answer_has_the_type_that_was_named(returns: Any, program: str, value: Any) -> None:
    step, model = run(returns, f"(return {program})")
    assert step.value == value and type(step.value) is type(value), model.requests[-1][-1]["content"]
    if isinstance(value, (tuple, list)):
        assert [type(item) for item in step.value] == [type(item) for item in value]


@pytest.mark.parametrize(
    ("returns", "bad", "good", "text"),
    [
        (dt.date, '"rubbish"', '"2024-03-09"', '- expected date such as "2024-03-09", got string "rubbish"'),
        (tuple[int, str], "[1 2 3]", '[1 "a"]', "- expected 2 items, got 3"),
        (tuple[int, str], '["a" 1]', '[1 "a"]', '- [0]: expected int, got string\n'),
        (int | str, "{}", "1", "- expected int | string, got {}"),
        (list[int | str], '["a" {}]', "[1]", "- [1]: expected int | string, got {}"),
        (Code, '{:country "Finland"}', '{:country "FI"}', "- ValueError: country has two letters, as in FI"),
        (list[Code], '[{:country "FI" :since "x"}]', "[]", '- [0.since]: expected date such as "2024-03-09", got string "x"'),
        (Node, '{:name "a" :kids [{:name "b" :kids [{}]}]}', '{:name "a"}', "- [kids.0.kids.0.name]: required field is missing"),
        (Model, "{:total 101}", "{:total 1}", "- [total.0]: Input should be at most 100"),
        (Model, "{:total -1}", "{:total 1}", "- [total]: expected at least 0, got -1"),
        (dict[int, Point], "{1 [1]}", "{1 [1 2]}", "- [1]: expected 2 items, got 1"),
        (Mode, '"fsat"', '"fast"', 'did you mean "fast"?'),
    ],
)
def test_a_wrong_answer_goes_back_to_the_model(returns: Any, bad: str, good: str, text: str) -> None:
    step, model = run(returns, f"(return {bad})", f"(return {good})")
    assert step.ok, step.failure
    assert text in model.requests[1][-1]["content"]
    assert [turn.ok for turn in step.turns] == [False, True]


def test_an_answer_is_made_once() -> None:
    made: list[str] = []

    @dataclasses.dataclass
    class Counted:
        name: str

        def __post_init__(self) -> None:
            made.append(self.name)
            if self.name == "a":
                raise ValueError("not a")

    step, _ = run(Counted, '(return {:name "a"})', '(return {:name "b"})')
    assert step.value == step.value == Counted("b")
    assert made == ["a", "b", "b"], "the third is that of this test"
    # The value of the last good turn is checked as well.
    step, _ = run(Counted, "(hash-map :name 7)", "(println 1)", max_turns=2)
    assert not step.ok
    step, _ = run(Counted, '(hash-map :name "a")', "(println 1)", max_turns=2)
    assert not step.ok
    step, _ = run(Counted, '(hash-map :name "c")', "(println 1)", max_turns=2)
    assert step.ending == "fallback" and step.value == Counted("c")


def test_models_are_read_by_what_they_can() -> None:
    step, model = run(Model, "(return {:total 7})")
    assert isinstance(step.value, Model) and step.value.total == 7
    assert "total" in model.requests[0][1]["content"]

    def double(model: Model) -> Model:
        return Model(model.total * 2)

    made = ptc.Tool(double)
    assert made.signature == '(model {total :int (at least 0) "In euros"}) -> {total :int (at least 0) "In euros"}'
    session = ptc.Session({"m": Model(3)}, tools=[made])
    assert session.run("(tool/double {:model data/m})").value == {"total": 6}
    with pytest.raises(ptc.ProgramError, match=r"\[model.total.0\]: Input should be at most 100"):
        session.run("(tool/double {:model {:total 200}})")


def test_arguments_have_the_types_that_were_named() -> None:
    seen: list[Any] = []

    def book(
        on: dt.date,
        at: dt.datetime | None,
        names: dict[int, str],
        pair: tuple[int, str],
        tags: set[str],
        root: Node,
        length: dt.timedelta = dt.timedelta(hours=1),
    ) -> dt.date:
        seen.append((on, at, names, pair, tags, root, length))
        return on

    session = ptc.Session(tools=[book])
    value = session.run(
        '(tool/book {:on #date "2024-03-09" :at #inst "2024-03-09T10:00:00Z" :names {1 "a"} :pair [1 "b"] :tags #{"x"}'
        ' :root {:name "r" :kids [{:name "s" :kids []}]}})'
    ).value
    at = dt.datetime(2024, 3, 9, 10, tzinfo=dt.timezone.utc)
    root = Node("r", [Node("s")])
    assert seen == [(dt.date(2024, 3, 9), at, {1: "a"}, (1, "b"), {"x"}, root, dt.timedelta(hours=1))]
    assert value == dt.date(2024, 3, 9)
    with pytest.raises(ptc.ProgramError, match=r"\[on\]: expected date such as .*, got string \"soon\""):
        session.run('(tool/book {:on "soon" :at nil :names {} :pair [1 "b"] :tags [] :root {:name "r"}})')
    assert len(seen) == 1


def test_results_may_be_sets_and_members_of_enums() -> None:
    def modes() -> set[str]:
        return {Mode.FAST.value, Mode.SAFE.value}

    def mode() -> list[Mode]:
        return [Mode.FAST]

    assert ptc.Session(tools=[modes, mode]).run("[(set (tool/modes)) (tool/mode)]").value == [{"fast", "safe"}, ["fast"]]
    assert ptc.Session({"mode": Mode.FAST}).run("data/mode").value == "fast"
