"""What is kept of exceptions, of context, and of objects that nothing refers to."""

import asyncio
import contextvars
import gc
import traceback
import weakref
from typing import Any

import pytest

import ptc_runner as ptc

REQUEST = contextvars.ContextVar("REQUEST", default="none")


class AuthError(Exception):
    pass


@ptc.tool
def boom(n: int) -> int:
    """Fails."""
    return {0: 1}[n]


def test_the_exception_of_a_tool_is_the_cause() -> None:
    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session(tools=[boom]).run("(tool/boom {:n 0}) (tool/boom {:n 7})")
    cause = caught.value.__cause__
    assert isinstance(cause, KeyError)
    assert traceback.extract_tb(cause.__traceback__)[-1].name == "boom"
    assert [call.exception for call in caught.value.calls] == [None, cause]
    # An error that the program caught is not what stopped it.
    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session(tools=[boom]).run("(try (tool/boom {:n 7}) (catch Exception e 1)) (+ nil 1)")
    assert caught.value.__cause__ is None and isinstance(caught.value.calls[0].exception, KeyError)


def test_turns_have_the_exceptions_of_their_calls() -> None:
    turns: list[ptc.Turn] = []
    model = ptc.ScriptedModel(["(tool/boom {:n 7})", "(return 1)"])
    step = ptc.Agent("x", tools=[boom]).run(model=model, on_turn=turns.append)
    assert isinstance(step.turns[0].calls[0].exception, KeyError)
    assert turns[0].calls[0].exception is step.turns[0].calls[0].exception
    step = ptc.Agent("x", tools=[boom], max_turns=1, options={"fallback": False}).run(
        model=ptc.ScriptedModel(["(tool/boom {:n 7})"])
    )
    assert not step.ok


def test_the_exception_of_a_model_is_the_cause() -> None:
    def model(messages: list[ptc.Message]) -> str:
        raise AuthError("401")

    step = ptc.Agent("x").run(model=model)
    assert step.failure is not None and isinstance(step.failure.exception, AuthError)
    with pytest.raises(ptc.RunFailed) as caught:
        step.value
    assert isinstance(caught.value.__cause__, AuthError)
    assert traceback.extract_tb(caught.value.__cause__.__traceback__)[-1].name == "model"


@pytest.mark.parametrize("answer", [5, None])
def test_what_approve_raises_ends_the_run(answer: Any) -> None:
    @ptc.tool(approve=True)
    def pay() -> int:
        """Pays."""
        raise NotImplementedError

    def broken(tool: str, args: dict[str, Any]) -> Any:
        return answer if answer else 1 / 0

    agent = ptc.Agent("x", tools=[pay])
    with pytest.raises(TypeError if answer else ZeroDivisionError):
        agent.run(model=ptc.ScriptedModel(["(tool/pay)", "(return 1)"]), approve=broken)


def test_context_variables_are_those_of_the_caller() -> None:
    seen: list[str] = []

    @ptc.tool(approve=True)
    def look() -> int:
        """Looks."""
        seen.append(f"tool {REQUEST.get()}")
        REQUEST.set("changed")
        return 1

    async def later() -> int:
        seen.append(f"async {REQUEST.get()}")
        return 1

    def model(messages: list[ptc.Message]) -> str:
        seen.append(f"model {REQUEST.get()}")
        return "(tool/look) (return (tool/later))"

    def note(name: str) -> Any:
        def noted(*_: Any) -> bool:
            seen.append(f"{name} {REQUEST.get()}")
            return True

        return noted

    token = REQUEST.set("r1")
    try:
        agent = ptc.Agent("x", tools=[look, later], returns=int)
        assert agent.run(model=model, approve=note("approve"), on_turn=note("turn")).value == 1
        assert REQUEST.get() == "r1"
    finally:
        REQUEST.reset(token)
    assert seen == ["model r1", "approve r1", "tool r1", "async r1", "turn r1"]


def test_context_variables_reach_the_tools_of_a_session() -> None:
    def look() -> str:
        return REQUEST.get()

    async def later() -> str:
        return REQUEST.get()

    session = ptc.Session(tools=[look, later])
    token = REQUEST.set("r2")
    try:
        assert session.run("[(tool/look) (tool/later)]").value == ["r2", "r2"]
        assert asyncio.run(asyncio.to_thread(lambda: session.run("(tool/look)").value)) == "r2"
    finally:
        REQUEST.reset(token)


class Service:
    """Owns what has its methods as tools."""

    def __init__(self, kind: str) -> None:
        tools: list[Any] = [self.look, self.decorated]
        rows = {"rows": [{"n": n} for n in range(100)]}
        self.session = ptc.Session(rows, tools=tools) if kind == "session" else None
        self.agent = ptc.Agent("x", tools=tools, model=self.model) if kind != "session" else None
        if kind == "used":
            assert self.agent is not None and self.agent.run().value == 4
        if self.session is not None:
            assert self.session.run("(tool/look {:n 3})").value == 3

    def look(self, n: int) -> int:
        return n

    @ptc.tool
    def decorated(self, n: int) -> int:
        """Decorated."""
        return n + 1

    def model(self, messages: list[ptc.Message]) -> str:
        return "(return (tool/decorated {:n 3}))"


@pytest.mark.parametrize("kind", ["session", "agent", "used"])
def test_cycles_through_sessions_and_agents_are_freed(kind: str) -> None:
    refs = [weakref.ref(Service(kind)) for _ in range(20)]
    gc.collect()
    assert sum(ref() is not None for ref in refs) == 0
    # One that is in use is kept, and works after a collection.
    service = Service(kind)
    gc.collect()
    if service.session is not None:
        assert service.session.run("(tool/decorated {:n 1})").value == 2
    if service.agent is not None:
        assert service.agent.run().value == 4


class Keeper:
    """Keeps all that runs leave: steps, streams, budgets and errors refer to its methods."""

    def __init__(self) -> None:
        self.budget = ptc.Budget(tokens=1_000_000, cost=self.cost)
        agent = ptc.Agent("x", tools=[self.broken], model=self.model)
        self.step = agent.run(budget=self.budget, on_turn=self.note, on_text=self.note)
        self.stream = agent.stream()
        assert list(self.stream)
        try:
            ptc.Session(tools=[self.broken]).run("(tool/broken)")
        except ptc.ProgramError as error:
            self.error = error
        assert isinstance(self.error.__cause__, KeyError)

    def broken(self) -> int:
        raise KeyError(1)

    def model(self, messages: list[ptc.Message]) -> str:
        return "(return (:message data/fail))" if len(messages) > 2 else "(tool/broken)"

    def cost(self, tokens: ptc.Tokens) -> float:
        return 0.0

    def note(self, _: object) -> None: ...


def test_what_runs_leave_is_freed_with_its_owner() -> None:
    refs = [weakref.ref(Keeper()) for _ in range(10)]
    gc.collect()
    assert [ref() for ref in refs] == [None] * 10


def test_representations_are_short() -> None:
    session = ptc.Session({"rows": list(range(1_000))}, tools=[boom])
    outcome = session.run("(def a 1) data/rows")
    assert repr(session) == "<Session tools: boom; definitions: a>"
    assert len(repr(outcome)) < 300
    step = ptc.Agent("Count.", tools=[boom]).run(model=ptc.ScriptedModel(["(return (range 1000))"]))
    assert repr(step).startswith("<Step return after 1 turn: [0, 1, 2") and len(repr(step.turns)) < 500
    assert repr(ptc.Agent("Count.", tools=[boom])) == "<Agent 'Count.', tools: boom>"
    assert step._repr_html_().startswith("<iframe srcdoc=\"&lt;!DOCTYPE html&gt;")


def test_data_is_prepared_once() -> None:
    data = ptc.Data({"rows": [{"n": n} for n in range(1_000)]})
    assert repr(data) == "<Data rows>"
    assert ptc.Session(data).run("(count data/rows)").value == 1_000
    for n in (1, 2):
        step = ptc.Agent("x", returns=int).run(data, model=ptc.ScriptedModel([f"(return (* {n} (count data/rows)))"]))
        assert step.value == n * 1_000
    with pytest.raises(TypeError, match=r"data\['x'\]: an object cannot be a value"):
        ptc.Data({"x": object()})
