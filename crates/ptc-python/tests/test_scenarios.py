"""Programs as a Python developer writes them first, each for one purpose."""

import asyncio
import contextvars
import logging
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Annotated, Any, Literal, TypedDict

import pytest
from typing_extensions import assert_type

import ptc_runner as ptc

REQUEST = contextvars.ContextVar("REQUEST", default="none")
LOG = logging.getLogger("shop")


async def convert(
    amount: Annotated[float, "In euros."], to: Literal["USD", "SEK"] = "USD", on: Literal["today", "last year"] = "today"
) -> float:
    """Convert an amount.

    By the rates of the bank.

    Args:
        to: The currency to have.
    """
    return amount * {"USD": 1.25, "SEK": 11.5}[to]


def test_a_converter_of_currencies() -> None:
    """Types, choices, defaults and descriptions reach the model; a wrong choice does not reach the function."""
    agent = ptc.Agent("Convert 10 euros.", tools=[convert], returns=float)
    programs = [
        '(tool/convert {:amount 10 :to "SKE"})',
        "(println (map #(tool/convert {:amount 10 :to %}) [:USD :SEK]))\n(doc tool/convert)",
        "(return (tool/convert {:amount 10}))",
    ]
    model = ptc.ScriptedModel(programs)
    step = agent.run(model=model)
    assert step.value == 12.5
    listed = 'tool/convert(amount float, to #{"USD" "SEK"} = "USD", on #{"today" "last year"} = "today") -> float'
    assert f"{listed}  ; Convert an amount. ..." in model.requests[0][1]["content"]
    told = model.requests[1][-1]["content"]
    assert '[to]: expected one of "USD", "SEK", got "SKE"' in told and 'did you mean "SEK"?' in told
    shown = "\n".join(step.turns[1].prints)
    assert "[12.5 115.0]" in shown and "By the rates of the bank." in shown
    assert '"In euros."' in shown and 'one of "USD", "SEK"; default "USD"; The currency to have.' in shown
    assert [[call.args for call in turn.calls] for turn in step.turns] == [
        [],
        [{"amount": 10, "to": "USD"}, {"amount": 10, "to": "SEK"}],
        [{"amount": 10}],
    ]


@dataclass
class Line:
    article: str
    count: int = 1


@dataclass
class Order:
    """An order.

    Attributes:
        customer: The number on the invoice.
    """

    customer: int
    lines: list[Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not self.lines:
            raise ValueError("an order has lines")


class Shop:
    """Each request has its own agent, with methods as tools."""

    def __init__(self, stock: dict[str, int]) -> None:
        self.stock = stock
        self.log: list[str] = []
        self.agent = ptc.Agent("Take the order.", tools=[self.in_stock, self.ship], returns=Order, limits=ptc.Limits(fuel=10_000))

    @ptc.tool(effect="read")
    def in_stock(self, article: str) -> int:
        """How many there are."""
        self.log.append(f"{REQUEST.get()} in_stock {article}")
        return self.stock[article]

    @ptc.tool(approve=True)
    def ship(self, order: Order) -> Order:
        """Ship it."""
        self.log.append(f"{REQUEST.get()} ship to {order.customer}")
        return order

    def approve(self, tool: str, args: dict[str, Any]) -> bool | str:
        return all(line.get("count", 1) < 100 for line in args["order"].get("lines", [])) or "at most 99 of each"


def test_a_shop_that_takes_orders(caplog: pytest.LogCaptureFixture) -> None:
    """Nested classes arrive as instances, exceptions are found again, and a person may refuse."""
    order = '{:customer 7 :lines [{:article "cup" :count %} {:article "plate"}]}'
    programs = [
        '(tool/in_stock {:article "cop"})',
        "(return (tool/ship {:order {:customer 7}}))",
        f"(return (tool/ship {{:order {order.replace('%', '100')}}}))",
        f"(println (tool/in_stock {{:article :cup}}))\n(return (tool/ship {{:order {order.replace('%', '2')}}}))",
    ]
    shop, model = Shop({"cup": 3}), ptc.ScriptedModel(programs)

    def note(turn: ptc.Turn) -> None:
        for call in turn.calls:
            if call.exception is not None:
                LOG.warning("%s failed", call.tool, exc_info=call.exception)

    token = REQUEST.set("request 1")
    try:
        step = shop.agent.run(model=model, approve=shop.approve, on_turn=note)
    finally:
        REQUEST.reset(token)
    assert step.value == Order(7, [Line("cup", 2), Line("plate")])
    assert shop.log == ["request 1 in_stock cop", "request 1 in_stock cup", "request 1 ship to 7"]
    told = [request[-1]["content"] for request in model.requests]
    assert "KeyError: 'cop'" in told[1] and "ValueError: an order has lines" in told[2] and "at most 99 of each" in told[3]
    assert "in in_stock\n    return self.stock[article]" in caplog.text and "KeyError: 'cop'" in caplog.text
    with pytest.raises(LookupError, match="broken"):
        shop.agent.run(model=ptc.ScriptedModel(programs[2:]), approve=broken)


def broken(tool: str, args: dict[str, Any]) -> bool:
    raise LookupError("broken")


def test_a_service_with_one_client_for_all_requests() -> None:
    """Async functions share what belongs to the loop; one request is cancelled, the others are answered."""

    async def main() -> None:
        client, holding = asyncio.Semaphore(3), asyncio.Event()
        told: dict[int, list[str]] = {n: [] for n in range(6)}

        async def rate(n: int) -> float:
            """The rate."""
            async with client:
                told[n].append(REQUEST.get())
                if n == 5:
                    holding.set()
                    await asyncio.Event().wait()
                await asyncio.sleep(0)
                return n / 2

        async def model(messages: list[ptc.Message]) -> str:
            async with client:
                return "(return (tool/rate {:n data/n}))"

        agent = ptc.Agent("Look it up.", tools=[rate], returns=float, model=model)

        async def answer(n: int) -> float:
            REQUEST.set(f"request {n}")
            return (await agent.run_async({"n": n}, on_text=told[n].append)).value

        tasks = [asyncio.create_task(answer(n)) for n in range(6)]
        await holding.wait()
        tasks[5].cancel()
        values = await asyncio.gather(*tasks, return_exceptions=True)
        assert values[:5] == [0.0, 0.5, 1.0, 1.5, 2.0] and isinstance(values[5], asyncio.CancelledError)
        assert all(each == ["(return (tool/rate {:n data/n}))", f"request {n}"] for n, each in told.items())
        # What the cancelled request held is free again.
        assert not client.locked() and asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


class Report(TypedDict):
    country: str
    total: float


def test_reports_over_many_rows() -> None:
    """Rows are converted once, for a session that explores them and for agents."""
    rows = [{"n": n, "country": ["FI", "SE", "DK"][n % 3], "total": n / 4} for n in range(30_000)]
    data = ptc.Data({"rows": rows})
    session = ptc.Session(data)
    session.run("(def by-country (update-vals (group-by :country data/rows) #(reduce + (map :total %))))")
    totals = {each: sum(row["total"] for row in rows if row["country"] == each) for each in ("FI", "SE", "DK")}  # type: ignore[misc]
    assert session.definitions == {"by-country": totals}
    assert session.run("(count (sort-by (comp - :total) data/rows))").value == 30_000
    assert session.run("data/rows").value == rows
    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session(data, limits=ptc.Limits(memory=2**20)).run("(mapv #(assoc % :vat (* 0.2 (:total %))) data/rows)")
    assert caught.value.code == "memory_exceeded"
    program = """(let [[country total] (apply max-key val (update-vals (group-by :country data/rows) #(reduce + (map :total %))))]
      (return {:country country :total total}))"""
    for _ in range(2):
        step = ptc.Agent("The highest total.", returns=Report).run(data, model=ptc.ScriptedModel([program]))
        assert step.value == {"country": "DK", "total": totals["DK"]}


@ptc.tool
def doubled(n: int) -> int:
    """Twice."""
    return 2 * n


def in_another_process(agent: ptc.Agent[int]) -> tuple[int, Any]:
    session = ptc.Session({"n": 4}, tools=[doubled])
    return agent.run(model=ptc.ScriptedModel(["(return (tool/doubled {:n 3}))"])).value, session.run("(tool/doubled {:n data/n})")


def test_work_that_is_spread_over_processes() -> None:
    """Tools, agents and outcomes go from one process to another."""
    agent = ptc.Agent("Double it.", tools=[doubled], returns=int)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(doubled, [1, 2])) == [2, 4]
        value, outcome = pool.submit(in_another_process, agent).result()
    assert value == 6 and outcome.value == 8 and outcome.calls[0].tool == "doubled"


def test_rules_that_are_called_for_each_row() -> None:
    """A program is compiled once; a call defines nothing for the next one, and an error has its place."""
    rules = ptc.compile("(defn price [{:keys [count each]}]\n  (if (> count 10)\n    (* 0.5 count each)\n    (* count each)))")
    price, local = rules.function("price"), threading.local()
    local.session = rules.session()
    rows = [{"count": n, "each": 2} for n in (1, 11)]
    assert [local.session.call(price, row).value for row in rows] == [2, 11.0]
    with pytest.raises(ptc.ProgramError) as caught:
        local.session.call(price, {"count": 1})
    assert [(frame.function, frame.line) for frame in caught.value.frames] == [("price", 4)]
    assert "    (* count each)))\n  |     ^" in caught.value.snippet()


def test_type_checkers_know_answers_and_arguments() -> None:
    """What is asserted here is checked by mypy, too."""
    model = ptc.ScriptedModel(['(return {:country "FI" :total 3})', "(return 3)", "(return 3)", "(return 3)"])
    step = ptc.Agent("x", returns=Report).run(model=model)
    assert_type(step, ptc.Step[Report])
    assert_type(step.value["total"], float)
    assert step.value == {"country": "FI", "total": 3.0}
    assert_type(ptc.run("x", model=model, returns=int), int)
    assert_type(ptc.Agent("x").run(model=model).value, Any)
    assert_type(asyncio.run(ptc.Agent("x", returns=float).run_async(model=model)).value, float)
    assert_type(doubled(3), int)
    with pytest.raises(TypeError):
        doubled(m=3)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="effect must be"):
        ptc.tool(effect="none")(convert)  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="limit fuel must be"):
        ptc.Session(limits=ptc.Limits(fuel="1"))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="model must be"):
        ptc.Agent("x").run(model=5)  # type: ignore[arg-type]
