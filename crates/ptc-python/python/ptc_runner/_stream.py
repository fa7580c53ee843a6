"""Runs as streams of their events."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from . import _native
from ._running import RunRequest, BlockingRun, LoopRun
from ._step import Step

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a run; the names are those of `ptc show --events`.

    event: such as "run.start", "turn.start", "llm.start", "llm.chunk",
        "llm.stop", "tool.start", "tool.stop", "turn.stop" and "run.stop". A
        "llm.chunk" is a piece of what the model writes: `metadata["text"]`.
    trace_id: the id of the run.
    timestamp: ISO 8601, UTC.
    at_ms: milliseconds since the run started.
    duration_ms: of what ends here.
    span_id, parent_span_id: what starts or ends, and what it is part of.
    measurements: counts, such as tokens.
    metadata: everything else.
    """

    event: str
    trace_id: str
    timestamp: str
    at_ms: float
    duration_ms: float | None = None
    span_id: str
    parent_span_id: str | None
    measurements: dict[str, Any]
    metadata: dict[str, Any]


class Stream(Generic[T]):
    """The events of a run, as they happen: `async for`, or `for` in code that is not async.

    The run starts with the loop and does not wait for its reader. Leaving the
    loop cancels it.
    """

    def __init__(self, request: RunRequest) -> None:
        """Made by `Agent.stream`."""
        self._request = request
        self._started = False
        self._step: Step[T] | None = None

    def __repr__(self) -> str:
        state = "has ended" if self._step is not None else "runs" if self._started else "has not started"
        return f"<Stream of a run that {state}>"

    @property
    def step(self) -> Step[T]:
        """The finished run; of one that was cancelled, what was done until then."""
        if self._step is None:
            raise RuntimeError("the run has not ended: read its events first, `async for event in stream`")
        return self._step

    def _start(self) -> None:
        if self._started:
            raise RuntimeError("a stream is read once; agent.stream(…) makes another one")
        self._started = True

    async def __aiter__(self) -> AsyncGenerator[Event, None]:
        self._start()
        events = asyncio.Queue[Event | None]()
        run = LoopRun(self._request, lambda entry: events.put_nowait(_event_of(entry)))
        run.ended.add_done_callback(lambda _: events.put_nowait(None))
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            # Without an effect on a run that has ended.
            run.cancel()
            await run.over()
            if run.failure is None:
                self._step = run.step()
        if run.failure is not None:
            raise run.failure

    def __iter__(self) -> Iterator[Event]:
        self._start()
        events = SimpleQueue[Event | None]()
        ends: list[tuple[_native.Step | None, BaseException | None]] = []

        def done(step: _native.Step | None, error: BaseException | None) -> None:
            ends.append((step, error))
            events.put(None)

        run = BlockingRun(self._request, lambda entry: events.put(_event_of(entry)))
        running = run.start(done)
        try:
            while (event := events.get()) is not None:
                yield event
        finally:
            running.cancel()
            while not ends:
                events.get()
            step, error = ends[0]
            if step is not None:
                self._step = run.step(step)
        if error is not None:
            raise error


def _event_of(entry: str) -> Event:
    return Event(**json.loads(entry))
