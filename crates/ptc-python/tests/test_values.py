"""Values of programs and of Python, both ways."""

import collections
import dataclasses
import datetime as dt
import decimal
import math
import types
import uuid
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ptc_runner as ptc


def through(value: Any) -> Any:
    """The value after a program returned it."""
    return ptc.Session({"x": value}).run("data/x").value


def printed(value: Any) -> str:
    """What the program sees."""
    outcome = ptc.Session({"x": value}).run("(pr-str data/x)")
    assert isinstance(outcome.value, str)
    return outcome.value


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(10**60), max_value=10**60)
    | st.floats(allow_nan=False)
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.dates()
    | st.datetimes()
    | st.datetimes(timezones=st.just(dt.timezone.utc))
    | st.times()
    | st.timedeltas(min_value=dt.timedelta(days=-100_000_000), max_value=dt.timedelta(days=100_000_000))
    | st.uuids()
)
KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.integers() | st.tuples(st.integers(), st.text("ab"))
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=6)
    | st.dictionaries(KEYS, inner, max_size=6)
    | st.sets(st.integers() | st.text("abc") | st.tuples(st.integers(), st.integers()), max_size=6),
    max_leaves=30,
)


@settings(max_examples=400, deadline=None)
@given(VALUES)
def test_values_come_back_as_they_were(value: Any) -> None:
    assert through(value) == value
    # Also through the copy that a program makes, instead of the data itself.
    assert ptc.Session({"x": [value]}).run("(mapv identity data/x)").value == [value]


@settings(max_examples=400, deadline=None)
@given(VALUES)
def test_tools_get_and_give_the_same(value: Any) -> None:
    received = []

    def echo(x: Any) -> Any:
        received.append(x)
        return x

    session = ptc.Session({"x": value}, tools=[echo])
    # Arguments are JSON-like: sets and calendar values become lists and texts there.
    session.run("(tool/echo {:x data/x})")
    assert len(received) == 1
    again = ptc.Session({"x": received[0]}, tools=[echo]).run("(tool/echo {:x data/x})")
    assert again.value == received[0] == received[1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "nil"),
        (True, "true"),
        (2**80, str(2**80)),
        (1.0, "1.0"),
        ({"open": 1, "a b": 2, 3: 4}, '{:open 1 "a b" 2 3 4}'),
        ((1, [2]), "[1 [2]]"),
        ({3, 1, 2}, "#{1 2 3}"),
        ({"b", "a"}, '#{"a" "b"}'),
        (ptc.Keyword("open"), ":open"),
        (dt.date(2024, 3, 1), '#date "2024-03-01"'),
        (dt.datetime(2024, 3, 1, 10, tzinfo=dt.timezone(dt.timedelta(hours=1))), '#inst "2024-03-01T09:00:00Z"'),
        (dt.datetime(2024, 3, 1, 10, 30), '#local-datetime "2024-03-01T10:30"'),
        (dt.time(10, 30), '#local-time "10:30"'),
        (dt.timedelta(minutes=90), '#duration "PT1H30M"'),
        (types.MappingProxyType({"a": 1}), "{:a 1}"),
    ],
)
def test_what_programs_see(value: Any, text: str) -> None:
    assert printed(value) == text


@pytest.mark.parametrize(
    ("program", "value"),
    [
        (":open", "open"),
        ("'sym", "sym"),
        ("{:a 1 \"b\" 2 [1 :x] 3}", {"a": 1, "b": 2, (1, "x"): 3}),
        ("{\"a\" 1 :a 2}", {"a": 2}),
        ("#{1 [2 3]}", {1, (2, 3)}),
        ("#{{:a 1}}", [{"a": 1}]),
        ("#{#{1}}", {frozenset({1})}),
        ("(map inc [1 2])", [2, 3]),
        ("(range 3)", [0, 1, 2]),
        ("(atom 5)", 5),
        ("#\"a+\"", '#"a+"'),
        ("(* 99999999999 99999999999)", 99999999999**2),
        ("#inst \"2024-03-09T10:00:00Z\"", dt.datetime(2024, 3, 9, 10, tzinfo=dt.timezone.utc)),
        ("#date \"-000100-01-01\"", "-000100-01-01"),
        ("#year-month \"2024-03\"", "2024-03"),
        ("(parse-uuid \"810f5868-02e7-4a33-8e40-dd2247a97486\")", uuid.UUID("810f5868-02e7-4a33-8e40-dd2247a97486")),
    ],
)
def test_what_python_gets(program: str, value: Any) -> None:
    got = ptc.Session().run(program).value
    assert got == value
    assert type(got) is type(value)


def test_odd_floats() -> None:
    assert math.isnan(through(float("nan")))
    assert through([float("inf"), -float("inf")]) == [float("inf"), -float("inf")]


def test_functions_become_text() -> None:
    assert ptc.Session().run("(fn [a] a)").value == "#fn[a]"


def test_dataclasses_and_arrays_become_plain() -> None:
    @dataclasses.dataclass
    class Stay:
        room: str
        nights: int = 1

    class Array:
        def tolist(self) -> list[int]:
            return [1, 2]

    class Index:
        def __index__(self) -> int:
            return 7

    class Missing(dt.datetime):
        """As NaT of pandas."""

        def __ne__(self, other: object) -> bool:
            return True

    values = [Stay("attic"), Array(), Index(), range(3), Missing(1, 1, 1)]
    assert through(values) == [{"room": "attic", "nights": 1}, [1, 2], 7, [0, 1, 2], None]


class Odd:
    pass


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (object(), TypeError, "data['x']: an object cannot be a value of a program"),
        ([1, {"y": Odd()}], TypeError, "data['x'][1]['y']: an Odd cannot"),
        (decimal.Decimal("1.5"), TypeError, "pass float(value), or str(value)"),
        (b"abc", TypeError, "decode them"),
        (bytearray(b"abc"), TypeError, "decode them"),
        (collections.deque([1]), TypeError, "pass list(value)"),
        ((x for x in [1]), TypeError, "pass list(value)"),
        (len, TypeError, "pass it in tools=[…]"),
        (Odd, TypeError, "a class"),
        ("\ud800", ValueError, "lone surrogate"),
        ({"\ud800": 1}, ValueError, "lone surrogate"),
        (ptc.Keyword("a b"), ValueError, "cannot be written as a keyword"),
        (dt.time(1, tzinfo=dt.timezone.utc), TypeError, "pass a datetime"),
    ],
)
def test_what_cannot_be_a_value_is_named(value: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        ptc.Session({"x": value})
    assert text in str(caught.value)


def test_what_contains_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ValueError, match=r"data\['x'\]\[0\].*contains itself"):
        ptc.Session({"x": loop})
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(ValueError, match="deeper than 512 levels"):
        ptc.Session({"x": deep})
    # Unlink it one by one.
    while isinstance(deep, list):
        deep = deep.pop()


def test_an_element_that_changes_its_collection_is_harmless() -> None:
    items: dict[str, Any] = {}

    class Busy:
        def tolist(self) -> int:
            items.clear()
            items["new"] = 1
            return 5

    items.update(a=Busy(), b=2)
    assert through(items) == {"a": 5, "b": 2}


def test_an_error_inside_an_element_is_passed_on() -> None:
    class Broken:
        def tolist(self) -> None:
            raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError, match="broken"):
        ptc.Session({"x": Broken()})


def test_a_value_that_explodes_is_refused() -> None:
    session = ptc.Session(limits=ptc.Limits(memory=1_000_000))
    with pytest.raises(ptc.ProgramError) as caught:
        session.run("(reduce (fn [a _] [a a]) [] (range 60))")
    assert caught.value.code == "memory_exceeded"
    # Data of the host raises the limit, since it does not count there.
    rows = [{"n": n, "text": "x" * 20} for n in range(50_000)]
    assert ptc.Session({"rows": rows}, limits=ptc.Limits(memory=1_000_000)).run("data/rows").value == rows
