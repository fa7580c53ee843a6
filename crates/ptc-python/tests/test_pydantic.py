"""Models of pydantic itself: as parameters, results, answers and data."""

import dataclasses
import datetime as dt
import decimal
import enum
from typing import Annotated, Any, Generic, Literal, TypeVar

import pydantic
import pydantic.dataclasses
import pytest
from pydantic import BaseModel, Field

import ptc_runner as ptc

T = TypeVar("T")


class Board(enum.Enum):
    NONE = "none"
    FULL = "full"


class Guest(BaseModel):
    name: str = Field(min_length=2)
    born: dt.date | None = None


class Stay(BaseModel):
    """A stay."""

    room: str = Field(description="A room, not a number.")
    nights: int = Field(default=1, ge=1, le=30)
    board: Board = Board.NONE
    guests: list[Guest] = []

    @pydantic.field_validator("room")
    @classmethod
    def not_the_cellar(cls, room: str) -> str:
        if room == "cellar":
            raise ValueError("the cellar is not let")
        return room


class Span(BaseModel):
    first: int
    last: int

    @pydantic.model_validator(mode="after")
    def in_order(self) -> "Span":
        if self.first > self.last:
            raise ValueError("first must not exceed last")
        return self


class Renamed(BaseModel):
    from_: str = Field(alias="from")


class Node(BaseModel):
    name: str
    kids: list["Node"] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Owner(BaseModel):
    pet: Cat | Dog = Field(discriminator="kind")


class Page(BaseModel, Generic[T]):
    items: list[T]


class Numbers(pydantic.RootModel[list[int]]):
    pass


@pydantic.dataclasses.dataclass
class Positive:
    n: Annotated[int, Field(ge=1)]


SEEN: list[Any] = []


@ptc.tool
def book(stay: Stay, times: Annotated[int, Field(ge=2, description="How often.")] = 3) -> Stay:
    """Book."""
    SEEN.append((stay, times))
    return stay


STAY = (
    '{room :string "A room, not a number.", nights :int = 1 (1 to 30), board #{"none" "full"} = "none", '
    "guests [{name :string (at least 2 characters), born :string? (date)}] = []}"
)


def test_a_contract_says_what_the_model_says() -> None:
    assert book.signature == f"(stay {STAY}, times :int = 3 (at least 2)) -> {STAY}"
    assert book.parameters == {"times": "How often."}
    step, model = answered(Stay, '(return {:room "attic"})')
    assert step.value == Stay(room="attic")
    assert f"The answer must have the type `{STAY}`." in model.requests[0][1]["content"]


def test_functions_get_instances_and_may_return_them() -> None:
    SEEN.clear()
    call = '(tool/book {:stay {:room "attic" :board :full :guests [{:name "Ines" :born #date "2000-01-02"}]}})'
    value = ptc.Session(tools=[book]).run(call).value
    guest = Guest(name="Ines", born=dt.date(2000, 1, 2))
    assert SEEN == [(Stay(room="attic", board=Board.FULL, guests=[guest]), 3)]
    assert value["board"] == "full" and value["guests"] == [{"name": "Ines", "born": dt.date(2000, 1, 2)}]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{:stay {:room "cellar"}}', "[stay.room]: Value error, the cellar is not let"),
        ('{:stay {:room "attic" :nights 99}}', "[stay.nights]: expected 1 to 30, got 99"),
        ('{:stay {:room "attic" :board "ful"}}', 'did you mean "full"?'),
        ('{:stay {:room "attic" :guests [{:name "I"}]}}', "expected at least 2 characters"),
        ('{:stay {:room "attic"} :times 1}', "[times]: expected at least 2, got 1"),
        ("{:stay {}}", 'missing required field "room"'),
    ],
)
def test_what_the_model_refuses_is_not_passed(arguments: str, text: str) -> None:
    SEEN.clear()
    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session(tools=[book]).run(f"(tool/book {arguments})")
    assert text in str(caught.value) and SEEN == []


def answered(returns: Any, *programs: str, **options: Any) -> tuple[ptc.Step[Any], ptc.ScriptedModel]:
    model = ptc.ScriptedModel(programs)
    return ptc.Agent("x", returns=returns, **options).run(model=model), model


@pytest.mark.parametrize(
    ("returns", "bad", "good", "text", "value"),
    [
        (Stay, '{:room "cellar"}', '{:room "a"}', "- [room]: Value error, the cellar is not let", Stay(room="a")),
        (Span, "{:first 2 :last 1}", "{:first 1 :last 2}", "- Value error, first must not exceed last", Span(first=1, last=2)),
        (Owner, '{:pet {:kind "cat"}}', '{:pet {:kind "cat" :lives 9}}', "- [pet.lives]: required", Owner(pet=Cat(kind="cat", lives=9))),
        (Cat | Dog, '{:kind "cow"}', '{:kind "dog" :name "x"}', "- ", Dog(kind="dog", name="x")),
        (list[Span], "[{:first 2 :last 1}]", "[]", "- [0]: Value error, first must not exceed last", []),
        (Page[Cat], "{:items [{}]}", "{:items []}", "- [items.0.kind]: required", Page[Cat](items=[])),
        (Numbers, '["a"]', "[1]", "- [0]: expected int, got string", Numbers([1])),
        (Positive, "{:n 0}", "{:n 1}", "- [n]: expected at least 1, got 0", Positive(1)),
    ],
)
def test_what_the_model_refuses_is_asked_again(returns: Any, bad: str, good: str, text: str, value: Any) -> None:
    step, model = answered(returns, f"(return {bad})", f"(return {good})")
    assert step.ok, step.failure
    assert step.value == value and type(step.value) is type(value)
    assert text in model.requests[1][-1]["content"]
    step, _ = answered(returns, f"(return {bad})", max_turns=1)
    assert step.failure is not None and step.failure.reason == "validation_error"


def test_aliases_are_the_names_of_fields() -> None:
    def turn(it: Renamed) -> Renamed:
        return Renamed.model_validate({"from": it.from_[::-1]})

    made = ptc.Tool(turn)
    assert made.signature == "(it {from :string}) -> {from :string}"
    session = ptc.Session({"it": Renamed.model_validate({"from": "ab"})}, tools=[made])
    assert session.run("(:from (tool/turn {:it data/it}))").value == "ba"
    step, _ = answered(Renamed, '(return {:from "a"})')
    assert step.value.from_ == "a"


def test_a_model_may_contain_itself() -> None:
    def names(root: Node) -> list[str]:
        return [root.name, *(name for kid in root.kids for name in names(kid))]

    tree = '{:name "a" :kids [{:name "b" :kids [{:name "c"}]}]}'
    assert ptc.Session(tools=[names]).run(f"(tool/names {{:root {tree}}})").value == ["a", "b", "c"]
    step, _ = answered(Node, f"(return {tree})")
    assert names(step.value) == ["a", "b", "c"]


def test_models_are_data() -> None:
    @dataclasses.dataclass
    class Order:
        stay: Stay

    session = ptc.Session({"stays": [Stay(room="a", nights=2), Stay(room="b")], "order": Order(Stay(room="c"))})
    assert session.run("(reduce + (map :nights data/stays))").value == 3
    assert session.run("(:board (:stay data/order))").value == "none"


def test_what_json_has_no_kind_for_is_refused_with_its_place() -> None:
    class Priced(BaseModel):
        price: decimal.Decimal

    def price(it: Priced) -> str:
        return f"{it.price + 1}"

    assert ptc.Session(tools=[price]).run('(tool/price {:it {:price "0.10"}})').value == "1.10"
    with pytest.raises(TypeError, match=r"data\['x'\].*: a Decimal cannot be a value of a program; .*str\(value\)"):
        ptc.Session({"x": Priced(price=decimal.Decimal("0.10"))})
