"""Runs that are awaited."""

import asyncio
import contextvars
import inspect
import threading
from collections.abc import Coroutine
from typing import Any

import pytest

import ptc_runner as ptc

REQUEST = contextvars.ContextVar("REQUEST", default="none")


def test_all_that_is_async_runs_on_the_loop_of_the_caller() -> None:
    threads: list[tuple[str, bool]] = []
    here = threading.get_ident()

    def note(name: str) -> None:
        threads.append((name, threading.get_ident() == here))

    async def main() -> ptc.Step[int]:
        # Belongs to this loop: with a loop for each call, it would hang.
        gate = asyncio.Semaphore(1)
        REQUEST.set("r1")

        @ptc.tool(approve=True)
        async def shared(n: int) -> int:
            """Shares."""
            async with gate:
                await asyncio.sleep(0)
                note("async tool")
                assert REQUEST.get() == "r1"
                return n

        def plain(n: int) -> int:
            note("tool")
            assert REQUEST.get() == "r1"
            return n

        async def model(messages: list[ptc.Message]) -> ptc.Reply:
            async with gate:
                note("model")
                assert REQUEST.get() == "r1"
                return ptc.Reply("(return (reduce + (pmap #(+ (tool/shared {:n %}) (tool/plain {:n %})) [1 2 3])))", 5, 2)

        async def approve(tool: str, args: dict[str, Any]) -> bool:
            async with gate:
                note("approve")
            return True

        agent = ptc.Agent("x", tools=[shared, plain], returns=int)
        return await agent.run_async(
            model=model, approve=approve, on_turn=lambda turn: note("turn"), on_text=lambda text: note("text")
        )

    step = asyncio.run(main())
    assert step.value == 12 and step.usage.input_tokens == 5
    assert {name for name, is_here in threads if is_here} == {"async tool", "model", "approve", "turn", "text"}
    assert {name for name, is_here in threads if not is_here} == {"tool"}


def test_many_runs_wait_at_once() -> None:
    async def main() -> list[int]:
        waiting = 0
        together = asyncio.Event()

        async def model(messages: list[ptc.Message]) -> str:
            nonlocal waiting
            waiting += 1
            if waiting == 50:
                together.set()
            # Only if all of them wait at the same time, this ends.
            await together.wait()
            return "(return data/n)"

        agent = ptc.Agent("x", returns=int, model=model)
        steps = await asyncio.gather(*(agent.run_async({"n": n}) for n in range(50)))
        return [step.value for step in steps]

    assert asyncio.run(main()) == list(range(50))


@pytest.mark.parametrize("place", ["model", "tool", "program"])
def test_cancelling_ends_the_run(place: str) -> None:
    turns: list[int] = []

    async def main() -> None:
        reached, ended = asyncio.Event(), asyncio.Event()

        async def hold() -> None:
            reached.set()
            try:
                await asyncio.sleep(3600)
            finally:
                ended.set()

        async def wait() -> int:
            """Waits."""
            await hold()
            return 1

        async def model(messages: list[ptc.Message]) -> str:
            turns.append(len(messages))
            if place == "model":
                await hold()
            if place == "program":
                reached.set()
            return "(tool/wait)" if place == "tool" else "(loop [] (recur))"

        agent = ptc.Agent("x", tools=[wait], options={"timeout": 3600})
        task = asyncio.create_task(agent.run_async(model=model))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        # When the run has ended, so has all that it awaited.
        assert ended.is_set() or place == "program"
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert len(turns) == 1


def test_a_tool_that_is_given_up_is_cancelled() -> None:
    async def main() -> None:
        given_up = asyncio.Event()

        @ptc.tool(timeout=0.05)
        async def slow() -> int:
            """Slow."""
            try:
                await asyncio.sleep(3600)
            except asyncio.CancelledError:
                given_up.set()
                raise
            return 1

        async def model(messages: list[ptc.Message]) -> str:
            if len(messages) > 2:
                await given_up.wait()
                return "(return (:message data/fail))"
            return "(tool/slow)"

        step = await ptc.Agent("x", tools=[slow]).run_async(model=model)
        assert "no answer within 50 ms" in step.value

    asyncio.run(main())


def test_what_comes_after_the_end_is_closed() -> None:
    async def main() -> None:
        reached, made, release = asyncio.Event(), asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()
        late: list[Coroutine[Any, Any, int]] = []

        async def answer() -> int:
            raise NotImplementedError

        def slow() -> Any:
            loop.call_soon_threadsafe(reached.set)
            assert release.wait(60)
            late.append(answer())
            loop.call_soon_threadsafe(made.set)
            return late[0]

        agent = ptc.Agent("x", tools=[slow], model=ptc.ScriptedModel(["(tool/slow)"]))
        task = asyncio.create_task(agent.run_async())
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        release.set()
        await made.wait()
        # The thread is in Python until it has handed over what it made; then it is closed on this loop.
        while inspect.getcoroutinestate(late[0]) != inspect.CORO_CLOSED:
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(main(), 60))


@pytest.mark.parametrize("place", ["model", "tool", "approve", "on_turn", "on_text", "exit"])
def test_exceptions_are_where_they_belong(place: str) -> None:
    async def fail(name: str) -> None:
        if place == name:
            raise ZeroDivisionError(name)

    @ptc.tool(approve=True)
    async def pay() -> int:
        """Pays."""
        await fail("tool")
        if place == "exit":
            raise SystemExit(3)
        return 1

    async def model(messages: list[ptc.Message]) -> str:
        await fail("model")
        return "(return (tool/pay))" if len(messages) == 2 else "(return (:message data/fail))"

    async def approve(tool: str, args: dict[str, Any]) -> bool:
        await fail("approve")
        return True

    def tell(name: str) -> Any:
        return lambda _: 1 / 0 if place == name else None

    agent = ptc.Agent("x", tools=[pay], model=model)
    run = agent.run_async(approve=approve, on_turn=tell("on_turn"), on_text=tell("on_text"))
    if place == "model":
        step = asyncio.run(run)
        assert step.failure is not None and isinstance(step.failure.exception, ZeroDivisionError)
    elif place == "tool":
        step = asyncio.run(run)
        assert "ZeroDivisionError: tool" in step.value
        assert isinstance(step.turns[0].calls[0].exception, ZeroDivisionError)
    else:
        with pytest.raises(SystemExit if place == "exit" else ZeroDivisionError):
            asyncio.run(run)


def test_async_functions_work_in_runs_that_block() -> None:
    async def model(messages: list[ptc.Message]) -> str:
        await asyncio.sleep(0)
        return "(return (tool/pay))"

    async def approve(tool: str, args: dict[str, Any]) -> str:
        await asyncio.sleep(0)
        return "not today"

    @ptc.tool(approve=True)
    def pay() -> int:
        """Pays."""
        raise NotImplementedError

    step = ptc.Agent("x", tools=[pay], max_turns=1).run(model=model, approve=approve)
    assert "not today" in step.trace


def test_wrong_arguments_are_errors_of_the_call() -> None:
    with pytest.raises(ValueError, match="a run needs a model"):
        asyncio.run(ptc.Agent("x").run_async())
    with pytest.raises(TypeError, match="data must be a dict"):
        asyncio.run(ptc.Agent("x").run_async([1], model=ptc.ScriptedModel([])))  # type: ignore[arg-type]
