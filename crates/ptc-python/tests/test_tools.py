"""Functions as tools: signatures from type hints."""

import dataclasses
import datetime as dt
import enum
import functools
import pickle
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Optional, TypedDict, Union

import pytest

import ptc_runner as ptc


class Identified(TypedDict):
    id: int


class Row(Identified, total=False):
    note: str


class Field:
    """Stands for those of pydantic and annotated_types, which are read by the names of their attributes."""

    def __init__(self, **given: Any) -> None:
        self.__dict__.update(given)


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


class Mode(enum.Enum):
    FAST = "fast"
    SAFE = "safe"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def closed(a: Literal["x", 1, None], mode: Mode = Mode.FAST, *, level: Level, odd: object = object()) -> Mode:
    return mode


def limited(
    a: Annotated[int, Field(ge=1, le=50)] = 3,
    b: Annotated[float, Field(metadata=[Field(gt=0), Field(lt=1.5)])] | None = None,
    *,
    c: Annotated[str, Field(max_length=9, pattern=r"^a\d")],
    d: Annotated[Sequence[int], Field(min_length=2, max_length=5)] = (),
) -> None:
    raise NotImplementedError


def times(a: dt.date, b: Annotated[dt.datetime, "when"] | None) -> dt.timedelta:
    raise NotImplementedError


@dataclasses.dataclass
class Node:
    name: str
    kids: list["Node"]


def recursive(root: Node) -> Node:
    raise NotImplementedError


@dataclasses.dataclass
class Journey:
    """A trip.

    Attributes:
        city: A zip code,
            not a name.
    """

    city: str
    nights: Annotated[int, Field(ge=1), "At least one"] = 1


def explained(trip: Journey) -> None:
    raise NotImplementedError


@pytest.mark.parametrize(
    ("function", "signature"),
    [
        (plain, "(a :any, b :any = 1) -> :any"),
        (scalars, "(a :int, b :float, c :string, d :bool, e :any) -> :any"),
        (optionals, "(a :int?, b :string?, c :int = 3) -> :float?"),
        (lists, "(a [:int], b [:string], c [:int], d [[:float]], e [:string]) -> [:any]"),
        (maps, "(a :map, b {:string -> :int}, c {:string -> :any}, d {:int -> :float}) -> {:string -> [:int]}"),
        (records, "(row {id :int, note :string?}, stay {room :string, nights :int = 1}) -> [{id :int, note :string?}]"),
        (unions, '(a :int | :float, b :int | :string, c #{"x" "y"}, d :int) -> :any'),
        (times, "(a :string (date), b :string? (date-time)) -> :string (duration)"),
        (
            explained,
            '(trip {city :string "A zip code, not a name.", nights :int = 1 (at least 1) "At least one"}) -> :any',
        ),
        (recursive, "(root {name :string, kids [:map]}) -> {name :string, kids [:map]}"),
        (closed, '(a #{"x" 1}?, mode #{"fast" "safe"} = "fast", level #{1 2}, odd :any?) -> #{"fast" "safe"}'),
        (
            limited,
            '(a :int = 3 (1 to 50), b :float? (above 0 and below 1.5), c :string (at most 9 characters; '
            'matches "^a\\\\d"), d [:int] = [] (2 to 5 items)) -> :any',
        ),
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
    assert (add.name, add.description, add.effect) == ("add", "Adds two\n\nnumbers.", None)

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


def google(city: str, days: Annotated[int, "How many, at most 7"] = 1, unit: str = "c") -> None:
    """Weather of the next days.

    From one station.

    Args:
        city (str): A zip code,
            not a name.
        days: Not this.
        unit: `c` or `f`.

    Returns:
        Nothing.
    """


def numpy(city: str, days: int, unit: str) -> None:
    """Weather of the next days.

    Parameters
    ----------
    city : str
        A zip code,

        not a name.
    days, unit : optional
        Both at once.

    Returns
    -------
    None
    """


def sphinx(city: str, days: int, unit: Annotated[str, Field(description="`c` or `f`.")]) -> None:
    """Weather of the next days.

    :param city: A zip code,
        not a name.
    :param int days: How many.
    :param other: Nothing of ours.
    :return: Nothing.
    """


def prose(city: str) -> None:
    """Weather.

    Args: none of note.
    city: is not described here.
    """


@pytest.mark.parametrize(
    ("function", "told", "kept"),
    [
        (google, {"city": "A zip code, not a name.", "days": "How many, at most 7", "unit": "`c` or `f`."}, "Returns:"),
        (numpy, {"city": "A zip code, not a name.", "days": "Both at once.", "unit": "Both at once."}, "Returns\n---"),
        (sphinx, {"city": "A zip code, not a name.", "days": "How many.", "unit": "`c` or `f`."}, ":param other:"),
        (prose, {}, "city: is not described here."),
        (plain, {}, "Without hints."),
    ],
)
def test_parameters_are_described_by_docstrings_and_hints(function: Any, told: dict[str, str], kept: str) -> None:
    made = ptc.Tool(function)
    assert made.parameters == told
    assert made.description is not None and kept in made.description and "zip" not in made.description
    doc = "\n".join(ptc.Session(tools=[made]).run(f"(doc tool/{made.name})").prints)
    assert all(text in doc for text in told.values())
    # Without the parameters of a signature that was given as text, there is nothing to describe.
    ptc.Session(tools=[ptc.Tool(function, signature="(other :int) -> :any")])


def test_arguments_become_members_of_enums() -> None:
    seen: list[Any] = []

    def pick(mode: Mode, level: Level = Level.LOW, other: Literal[Mode.SAFE] | None = None) -> None:
        seen.extend([mode, level, other])

    session = ptc.Session(tools=[pick])
    session.run('(tool/pick {:mode "safe" :level 2 :other "safe"})')
    assert seen == [Mode.SAFE, Level.HIGH, Mode.SAFE] and isinstance(seen[1], Level)
    with pytest.raises(ptc.ProgramError) as caught:
        session.run('(tool/pick {:mode "sfae"})')
    assert 'expected one of "fast", "safe", got "sfae"; did you mean "safe"?' in caught.value.message
    assert len(seen) == 3


class Desk:
    """Has tools in its body."""

    rate = 3

    @ptc.tool(effect="read")
    def price(self, n: int, unit: Literal["c", "f"] = "c") -> int:
        """Price.

        Args:
            n: How many.
        """
        return self.rate * n

    @staticmethod
    @ptc.tool
    def fixed(n: int) -> int:
        """Fixed."""
        return n

    @ptc.tool
    @staticmethod
    def other(n: int) -> int:
        """Other."""
        return n

    @ptc.tool(signature="(n :int) -> :int")
    def told(self, n: Any) -> Any:
        """Told."""
        return self.rate + n


def test_tools_in_the_body_of_a_class_are_methods() -> None:
    desk, other = Desk(), Desk()
    other.rate = 5
    assert desk.price.signature == '(n :int, unit #{"c" "f"} = "c") -> :int'
    assert desk.price.parameters == {"n": "How many."} and desk.price.effect == "read"
    assert (desk.price(2), other.price(2), desk.told(n=1), Desk.fixed(4), Desk.other(4)) == (6, 10, 4, 4, 4)
    session = ptc.Session(tools=[desk.price, Desk.fixed, desk.other, other.told])
    assert session.run("[(tool/price {:n 2}) (tool/fixed {:n 9}) (tool/told {:n 1})]").value == [6, 9, 6]
    with pytest.raises(TypeError, match="tool price is a method of a class; pass that of an object"):
        ptc.Session(tools=[Desk.price])


@ptc.tool
def pickled(n: int) -> int:
    """Pickled."""
    return n + 1


def test_tools_go_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(pickled)) is pickled
    made = pickle.loads(pickle.dumps(ptc.Tool(plain, name="other")))
    assert made(1) == [1, 1] and made.name == "other"


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


def raw(a: bytes) -> None:
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
        (lambda: ptc.Tool(raw), TypeError, "tool raw: parameter a has the type bytes, which signatures do not have"),
        (lambda: ptc.Tool(odd_result), TypeError, "tool odd_result: its result has the type complex"),
        (lambda: ptc.Tool(lambda a: a), TypeError, "needs a name"),
        (lambda: ptc.Session(tools=[plain, plain]), ValueError, "two tools are named 'plain'"),
        (lambda: ptc.Session(tools=[ptc.Tool(plain, name="a b")]), ValueError, "invalid tool name 'a b'"),
        (lambda: ptc.Tool(plain, signature="(a :number)"), ValueError, "tool 'plain': signature, line 1"),
        (lambda: ptc.Session(tools=[ptc.Tool(plain, timeout=-1)]), ValueError, "timeout must be a number of seconds"),
        (lambda: ptc.Tool(plain, effect="none"), ValueError, "effect must be"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_a_tool_is_named(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert text in str(caught.value)


@dataclasses.dataclass
class Code:
    letters: str

    def __post_init__(self) -> None:
        if len(self.letters) != 2:
            raise ValueError(f"a country has two letters, not {self.letters!r}")


def test_wrong_arguments_are_refused_before_the_call() -> None:
    called: list[Any] = []

    def send(code: Code) -> str:
        called.append(code)
        return code.letters

    def count(n: int) -> int:
        called.append(n)
        return n

    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session(tools=[count]).run("(tool/count {:n []})")
    assert caught.value.code == "invalid_tool_args"
    with pytest.raises(ptc.ProgramError, match=r"\[code\]: ValueError: a country has two letters, not 'Finland'"):
        ptc.Session(tools=[send]).run('(tool/send {:code {:letters "Finland"}})')
    assert called == []
    assert ptc.Session(tools=[send]).run('(tool/send {:code {:letters "FI"}})').value == "FI"
