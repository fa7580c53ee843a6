"""Runs of agents, as the native half takes them: here, or on the event loop of the caller."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from . import _native
from ._budget import Budget
from ._given import checked_seed, function, integer, named_options, one_of
from ._loop import Desk
from ._models import Model, native_model
from ._session import Data
from ._step import Made, Step, Turn, turn_of
from ._tools import awaited

T = TypeVar("T")

Decided: TypeAlias = bool | str | dict[str, Any]

Approve: TypeAlias = Callable[[str, dict[str, Any]], Decided | Awaitable[Decided]]
"""A function that decides about a call, from the name of the tool and its arguments."""


@dataclass(frozen=True, slots=True)
class Caller:
    """What a run needs of its caller; the native half reads it."""

    on_turn: Callable[[dict[str, Any]], object] | None
    on_text: Callable[[str], object] | None
    on_event: Callable[[str], object] | None
    approve: Approve | None
    names_type: bool
    check: Callable[[Any], object] | None
    budget: _native.Budget | None
    cost: Callable[[dict[str, int]], float] | None
    context: contextvars.Context
    raised: dict[Any, BaseException]
    on_loop: Callable[[Any, _native.Answer], Callable[[], None] | None] | None


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What one run needs: an agent, and the arguments of `Agent.run`."""

    native: _native.Agent
    read: Callable[[Any], Any] | None
    model: Model
    data: Mapping[str, Any] | Data | None
    on_turn: Callable[[Turn], object] | None = None
    on_text: Callable[[str], object] | None = None
    approve: Approve | None = None
    after: Step[Any] | None = None
    budget: Budget | None = None
    token_limit: int | None = None
    seed: int = 0
    options: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """TypeError and ValueError for arguments that are something else."""
        one_of("budget", self.budget, Budget, "ptc_runner.Budget(tokens=100_000)")
        one_of("after", self.after, Step, "the step that `run` returned")
        integer("token_limit", self.token_limit)
        checked_seed(self.seed)
        named_options(self.options, '{"max_parallel_calls": 4}')
        for name in ("on_turn", "on_text", "approve"):
            function(name, getattr(self, name))

    @property
    def native_data(self) -> Mapping[str, Any] | _native.Data | None:
        """The data as the native half takes it."""
        return self.data._native if isinstance(self.data, Data) else self.data

    @property
    def given(self) -> _native.Given:
        """The arguments that the native half takes by name."""
        limit = {} if self.token_limit is None else {"token_limit": self.token_limit}
        return {
            "options": {**(self.options or {}), **limit},
            "after": None if self.after is None else self.after._native,
            "seed": checked_seed(self.seed),
        }


class BlockingRun:
    """A run that does not know an event loop: async functions get one for each call."""

    def __init__(self, request: RunRequest, on_event: Callable[[str], object] | None = None) -> None:
        """A run that can start."""
        on_turn, approve, budget = request.on_turn, request.approve, request.budget
        self.request = request
        # Callbacks refer to it and not to this object, which has them: no cycle keeps data and steps.
        raised: dict[Any, BaseException] = {}
        self.made, self.raised = Made(request.read), raised
        self.model = native_model(request.model, awaited)
        self.caller = Caller(
            on_turn=None if on_turn is None else lambda fields: on_turn(turn_of(fields, raised)),
            on_text=request.on_text,
            on_event=on_event,
            approve=None if approve is None else lambda tool, args: awaited(approve(tool, args)),
            names_type=request.read is not None,
            check=self.made.check,
            budget=None if budget is None else budget._native,
            cost=None if budget is None else budget._native_cost,
            context=contextvars.copy_context(),
            raised=raised,
            on_loop=None,
        )

    def run(self) -> Step[Any]:
        """Run it, and wait for the end."""
        native = self.request.native.run(self.model, self.request.native_data, caller=self.caller, **self.request.given)
        return self.step(native)

    def start(self, done: Callable[[_native.Step | None, BaseException | None], object]) -> _native.Running:
        """Start it; `done` is called from another thread."""
        return self.request.native.start(
            self.model, self.request.native_data, caller=self.caller, done=done, **self.request.given
        )

    def step(self, native: _native.Step) -> Step[Any]:
        """The step of the run that ended so."""
        return Step(native, self.made, self.raised)


class LoopRun:
    """A run whose async functions are awaited on the loop of its caller."""

    def __init__(self, request: RunRequest, on_event: Callable[[str], object] | None = None) -> None:
        """Start it."""
        self._desk, self._made, self._raised = Desk(), Made(request.read), dict[Any, BaseException]()
        self._failures: list[BaseException] = []
        self.ended: asyncio.Future[_native.Step] = asyncio.get_running_loop().create_future()
        budget = request.budget
        caller = Caller(
            on_turn=self._telling(request.on_turn, lambda fields: turn_of(fields, self._raised)),
            on_text=self._telling(request.on_text),
            on_event=self._telling(on_event),
            approve=request.approve,
            names_type=request.read is not None,
            check=self._made.check,
            budget=None if budget is None else budget._native,
            cost=None if budget is None else budget._native_cost,
            context=self._desk.context,
            raised=self._raised,
            on_loop=self._desk.post,
        )
        self._running = request.native.start(
            native_model(request.model),
            request.native_data,
            caller=caller,
            done=lambda step, error: self._desk.tell(self._finish, step, error),
            **request.given,
        )

    def _telling(
        self, function: Callable[[Any], object] | None, read: Callable[[Any], Any] = lambda value: value
    ) -> Callable[[Any], None] | None:
        """A callback that has the loop call the function. What that raises ends the run."""
        if function is None:
            return None

        def told(value: Any) -> None:
            try:
                function(value)
            except BaseException as error:
                self._failures.append(error)
                self.cancel()

        return lambda value: self._desk.tell(told, read(value))

    def _finish(self, step: _native.Step | None, error: BaseException | None) -> None:
        if step is not None:
            self.ended.set_result(step)
        elif error is not None:
            self._failures.append(error)
            self.ended.cancel()

    def cancel(self) -> None:
        """End the run."""
        self._running.cancel()

    async def over(self) -> None:
        """Wait until it has ended, and all that it awaits; when that is cancelled, end the run."""
        cancelled: asyncio.CancelledError | None = None
        try:
            while not self.ended.done():
                try:
                    # Unlike `await self.ended`, it does not cancel the future.
                    await asyncio.wait([self.ended])
                except asyncio.CancelledError as error:
                    cancelled = error
                    self.cancel()
        finally:
            await self._desk.end()
        if cancelled is not None:
            raise cancelled

    @property
    def failure(self) -> BaseException | None:
        """What ended the run, or what a callback raised."""
        return self._failures[0] if self._failures else None

    def step(self) -> Step[Any]:
        """The step of the run that has ended, or what ended it."""
        if self.failure is not None:
            raise self.failure
        return Step(self.ended.result(), self._made, self._raised)
