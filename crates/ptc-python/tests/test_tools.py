"""Functions as tools: signatures from type hints."""

import dataclasses
import datetime as dt
import functools
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

import ptc_runner as ptc


class Identified(TypedDict):
    id: int


class Row(Identified, total=False):
    note: str


@dataclasses.dataclass
class Stay:
    room: str
    nights: int = 1


@dataclasses.dataclass
class Trip:
    stays: list[Stay]
    first: Stay | None = None


def plain(a, b=1):  # type: ignore[no-untyped-def]  # noqa
    """Without hints."""
    return [a, b]


def scalars(a: int, b: float, c: str, d: bool, e: Any) -> None:
    raise NotImplementedError


def optionals(a: Optional[int], b: str | None = None, c: int = 3) -> float | None:
    raise NotImplementedError


def lists(a: list[int], b: Sequence[str], c: tuple[int, ...], d: list[list[float]], e: set[str]) -> list[Any]:
    raise NotImplementedError


def maps(a: dict, b: dict[str, int], c: Mapping[str, Any], d: dict[int, float]) -> dict[str, list[int]]:  # type: ignore[type-arg]
    raise NotImplementedError


def records(row: Row, stay: Stay) -> list[Row]:
    raise NotImplementedError


def unions(a: Union[int, float], b: Union[int, str], c: Literal["x", "y"], d: Annotated[int, "small"]) -> object:
    raise NotImplementedError


def times(a: dt.date, b: dt.datetime) -> dt.timedelta:
    raise NotImplementedError



@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (plain, "(a :any, b :any?) -> :any"),
        (scalars, "(a :int, b :float, c :string, d :bool, e :any) -> :any"),
        (optionals, "(a :int?, b :string?, c :int?) -> :float?"),
        (lists, "(a [:int], b [:string], c [:int], d [[:float]], e [:string]) -> [:any]"),
        (maps, "(a :map, b {:string -> :int}, c {:string -> :any}, d {:int -> :float}) -> {:string -> [:int]}"),
        (records, "(row {id :int, note :string?}, stay {room :string, nights :int?}) -> [{id :int, note :string?}]"),
        (unions, "(a :float, b :any, c :string, d :int) -> :any"),
        (times, "(a :any, b :any) -> :any"),
    ],
)
def test_signatures_come_from_hints(function: Any, signature: str) -> None:
    made = ptc.Tool(function)
    assert made.signature == signature
    # The interpreter reads it.
    ptc.Session(tools=[made])


def test_a_decorated_function_is_still_a_function() -> None:
    @ptc.tool
    def add(a: int, b: int = 2) -> int:
        """Adds two

        numbers.
        """
        return a + b

    assert add(1) == 3 and add(a=1, b=1) == 2
    assert (add.name, add.description, add.effect) == ("add", "Adds two", "write")

    @ptc.tool(name="plus", description="Sum", signature="(a :int) -> :int", effect="read", timeout=2.5)
    def other(a: int) -> int:
        return a

    assert repr(other) == "<tool plus (a :int) -> :int>"
    assert ptc.Session(tools=[add, other]).run("(+ (tool/add {:a 1}) (tool/plus {:a 1}))").value == 4


def test_arguments_become_dataclasses() -> None:
    seen: list[Any] = []

    def book(stay: Stay, trip: Trip, names: set[str]) -> Stay:
        seen.extend([stay, trip, names])
        return stay

    session = ptc.Session(tools=[book])
    value = session.run(
        '(tool/book {:stay {:room "attic"} :trip {:stays [{:room "a" :nights 2}] :first {:room "b"}} :names ["x" "x"]})'
    ).value
    assert seen == [Stay("attic"), Trip([Stay("a", 2)], Stay("b")), {"x"}]
    assert value == {"room": "attic", "nights": 1}


def test_methods_partials_and_objects_are_tools() -> None:
    class Shop:
        rate = 3

        def price(self, n: int) -> int:
            """Price."""
            return self.rate * n

        def __call__(self, n: int) -> int:
            return n

    shop = Shop()
    tools: list[Any] = [shop.price, ptc.Tool(functools.partial(plain, b=5), name="part"), ptc.Tool(shop, name="shop")]
    session = ptc.Session(tools=tools)
    assert session.run("[(tool/price {:n 2}) (tool/part {:a 1}) (tool/shop {:n 9})]").value == [6, [1, 5], 9]


def starred(*args: int) -> None:
    raise NotImplementedError


def keywords(**kwargs: int) -> None:
    raise NotImplementedError


def positional(a: int, /) -> None:
    raise NotImplementedError


def odd_hint(a: complex) -> None:
    raise NotImplementedError


def odd_result() -> complex:
    raise NotImplementedError



@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: ptc.Tool(starred), TypeError, "parameter *args: int cannot be passed by name"),
        (lambda: ptc.Tool(keywords), TypeError, "cannot be passed by name"),
        (lambda: ptc.Tool(positional), TypeError, "cannot be passed by name"),
        (lambda: ptc.Tool(odd_hint), TypeError, "tool odd_hint: parameter a has the type complex"),
        (lambda: ptc.Tool(odd_result), TypeError, "tool odd_result: its result has the type complex"),
        (lambda: ptc.Tool(lambda a: a), TypeError, "needs a name"),
        (lambda: ptc.Session(tools=[plain, plain]), ValueError, "two tools are named 'plain'"),
        (lambda: ptc.Session(tools=[ptc.Tool(plain, name="a b")]), ValueError, "invalid tool name 'a b'"),
        (lambda: ptc.Session(tools=[ptc.Tool(plain, signature="(a :number)")]), ValueError, "tool 'plain': signature, line 1"),
        (lambda: ptc.Session(tools=[ptc.Tool(plain, timeout=-1)]), ValueError, "timeout must be a number of seconds"),
        (lambda: ptc.Session(tools=[ptc.Tool(plain, effect="none")]), ValueError, "effect must be"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_a_tool_is_named(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert text in str(caught.value)


def test_wrong_arguments_are_refused_before_the_call() -> None:
    called: list[int] = []

    def count(n: int) -> int:
        called.append(n)
        return n

    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session(tools=[count]).run("(tool/count {:n []})")
    assert caught.value.code == "invalid_tool_args"
    assert called == []
