"""Runs as streams of their events."""

import asyncio
import threading
from contextlib import aclosing
from dataclasses import asdict
from typing import Any

import pytest

import ptc_runner as ptc

PROGRAMS = ["(def a (tool/double {:n 2}))", "(return a)"]
NAMES = [
    *("run.start", "turn.start", "llm.start", "llm.chunk", "llm.stop", "tool.start", "tool.stop", "turn.stop"),
    *("turn.start", "llm.start", "llm.chunk", "llm.stop", "turn.stop", "run.stop"),
]


async def double(n: int) -> int:
    """Twice."""
    await asyncio.sleep(0)
    return 2 * n


AGENT = ptc.Agent("Double two.", tools=[double], returns=int)


def test_events_come_as_they_happen_and_the_step_last() -> None:
    seen: list[ptc.Event] = []

    async def main() -> int:
        stream = AGENT.stream(model=ptc.ScriptedModel(PROGRAMS))
        with pytest.raises(RuntimeError, match="the run has not ended"):
            stream.step
        async for event in stream:
            seen.append(event)
        with pytest.raises(RuntimeError, match="a stream is read once"):
            async for event in stream:
                seen.append(event)
        assert repr(stream) == "<Stream of a run that has ended>"
        return stream.step.value

    assert asyncio.run(main()) == 4
    check(seen)


def test_code_that_is_not_async_reads_them_too() -> None:
    stream = AGENT.stream(model=ptc.ScriptedModel(PROGRAMS))
    check(list(stream))
    assert stream.step.value == 4 and stream.step.usage.turns == 2
    with pytest.raises(RuntimeError, match="a stream is read once"):
        list(stream)


def check(events: list[ptc.Event]) -> None:
    """Whether these are the events of the run."""
    assert [event.event for event in events] == NAMES
    assert len({event.trace_id for event in events}) == 1
    chunks = [event.metadata["text"] for event in events if event.event == "llm.chunk"]
    assert "".join(chunks) == "".join(PROGRAMS)
    started, stopped = events[0], events[-1]
    assert started.span_id == stopped.span_id and started.parent_span_id is None
    assert started.duration_ms is None and stopped.duration_ms is not None
    assert events[1].parent_span_id == started.span_id
    assert [event.at_ms for event in events] == sorted(event.at_ms for event in events)
    (call,) = (event for event in events if event.event == "tool.stop")
    assert call.metadata["tool_name"] == "double"
    assert {"event", "trace_id", "timestamp", "measurements"} < asdict(call).keys()


def test_leaving_the_loop_cancels_the_run() -> None:
    async def main() -> list[str]:
        asked = asyncio.Event()
        ends: list[str] = []

        async def model(messages: list[ptc.Message]) -> str:
            asked.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                ends.append("cancelled")
                raise
            return "(return 1)"

        stream = AGENT.stream(model=model)
        async with aclosing(aiter(stream)) as events:
            async for event in events:
                if event.event == "llm.start":
                    await asked.wait()
                    break
        assert stream.step.failure is not None
        ends.append(stream.step.failure.reason)

        # The same without waiting for the end of the run.
        asked.clear()
        stream = AGENT.stream(model=model)
        async for event in stream:
            if event.event == "llm.start":
                await asked.wait()
                break
        while len(ends) < 3:
            await asyncio.sleep(0)
        return ends

    assert asyncio.run(main()) == ["cancelled", "cancelled", "cancelled"]


def test_leaving_a_loop_that_is_not_async_cancels_the_run() -> None:
    asked, go = threading.Event(), threading.Event()

    def model(messages: list[ptc.Message]) -> str:
        asked.set()
        go.wait()
        return "(return 1)"

    stream = AGENT.stream(model=model)
    for event in stream:
        if event.event == "llm.start":
            assert asked.wait(60)
            break
    go.set()
    assert stream.step.failure is not None and stream.step.failure.reason == "cancelled"


def test_an_exception_in_the_loop_cancels_the_run_and_is_raised() -> None:
    requests = 0

    def model(messages: list[ptc.Message]) -> str:
        nonlocal requests
        requests += 1
        return "(+ 1 2)"

    async def main() -> None:
        async for event in ptc.Agent("x", max_turns=50).stream(model=model):
            if event.event == "turn.stop":
                raise LookupError("seen enough")

    with pytest.raises(LookupError, match="seen enough"):
        asyncio.run(main())
    assert requests < 50


def test_a_task_that_is_cancelled_cancels_its_stream() -> None:
    async def main() -> None:
        async def model(messages: list[ptc.Message]) -> str:
            asked.set()
            await asyncio.Event().wait()
            return ""

        async def read() -> None:
            async for _ in AGENT.stream(model=model):
                pass

        asked = asyncio.Event()
        task = asyncio.create_task(read())
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def test_what_would_end_a_run_is_raised_by_the_loop() -> None:
    @ptc.tool(approve=True)
    def pay(n: int) -> int:
        return n

    def approve(tool: str, args: dict[str, Any]) -> bool:
        raise ZeroDivisionError("broken approver")

    agent = ptc.Agent("x", tools=[pay], model=lambda messages: "(return (tool/pay {:n 1}))")
    with pytest.raises(ZeroDivisionError, match="broken approver"):
        list(agent.stream(approve=approve))

    async def main() -> None:
        async for _ in agent.stream(approve=approve):
            pass

    with pytest.raises(ZeroDivisionError, match="broken approver"):
        asyncio.run(main())
    with pytest.raises(ValueError, match="calls of 'pay' need approval"):
        list(agent.stream())
    with pytest.raises(TypeError, match="data must be a dict"):
        list(agent.stream([1], approve=approve))  # type: ignore[arg-type]
