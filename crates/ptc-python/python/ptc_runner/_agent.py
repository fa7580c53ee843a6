"""Agents: a model writes programs until it has an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any, Generic, Literal, TypeVar, overload

from . import _native
from ._budget import Budget
from ._models import Message, Model
from ._given import named_options, text
from ._kinds import anything
from ._readers import reader_of
from ._running import Approve, RunRequest, BlockingRun, LoopRun
from ._session import Data, Limits, checked_limits, html_table
from ._signatures import signature_type
from ._step import Step, Turn
from ._stream import Stream
from ._tools import as_tools

T = TypeVar("T")


class Agent(Generic[T]):
    """A mission for a model, with tools and limits. It can run any number of times, in several threads."""

    @overload
    def __init__(
        self: Agent[T],
        mission: str,
        *,
        tools: Iterable[Callable[..., Any]] = (),
        returns: type[T],
        inputs: str | None = None,
        model: Model | None = None,
        max_turns: int | None = None,
        retry_turns: int | None = None,
        limits: Limits | None = None,
        compression: bool | str | Mapping[str, Any] | None = None,
        output: Literal["ptc_lisp", "json", "text"] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None: ...

    @overload
    def __init__(
        self: Agent[Any],
        mission: str,
        *,
        tools: Iterable[Callable[..., Any]] = (),
        returns: Any = None,
        inputs: str | None = None,
        model: Model | None = None,
        max_turns: int | None = None,
        retry_turns: int | None = None,
        limits: Limits | None = None,
        compression: bool | str | Mapping[str, Any] | None = None,
        output: Literal["ptc_lisp", "json", "text"] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None: ...

    def __init__(
        self,
        mission: str,
        *,
        tools: Iterable[Callable[..., Any]] = (),
        returns: Any = None,
        inputs: str | None = None,
        model: Model | None = None,
        max_turns: int | None = None,
        retry_turns: int | None = None,
        limits: Limits | None = None,
        compression: bool | str | Mapping[str, Any] | None = None,
        output: Literal["ptc_lisp", "json", "text"] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """An agent, checked as a whole; ValueError and TypeError say what does not fit.

        mission: the task; `{{name}}` stands for input data.
        tools: functions, or what `tool` made of them.
        returns: the type of the answer: a type hint such as `float`,
            `list[str]`, a TypedDict, a dataclass or a model of pydantic, or the
            text of a signature type such as "{guest :string, total :float}". An
            answer that does not fit, or that a `__post_init__` refuses, goes back
            to the model with the reason, and the model tries again while it has
            turns.
        inputs: the declared data, "(year :int, rows [:map])"; not needed.
        model: the model of runs that name none.
        max_turns: answers of the model before it must have returned; 5.
        retry_turns: further turns to correct an answer that does not fit; 0.
        limits: limits of each program.
        compression: how history is shown: True, the name of a strategy, or a
            dict of its options. Without it, as a dialogue.
        output: what the model writes: programs, JSON of the type of the
            answer, or text.
        options: any other option of mission files by its name, such as
            {"mission_timeout": 60, "thinking": True}; times in seconds. They are
            listed in docs/reference/mission-files.md.
        """
        # What makes it again in another process.
        self._given = {name: value for name, value in locals().items() if name not in ("self", "mission")}
        text("mission", mission, 'ptc_runner.Agent("How many orders are open?")')
        named_options(options, '{"mission_timeout": 60}')
        signature, self._read = None, None
        if returns is not None:
            signature = signature_type(returns, "returns")
            # A type that was named holds: with one turn, too, where signatures alone are not checked.
            self._read = anything if isinstance(returns, str) else reader_of(returns)
        if inputs is not None:
            text("inputs", inputs, 'inputs="(year :int)"')
            signature = f"{inputs} -> {signature or ':any'}"
        given = {
            "max_turns": max_turns,
            "retry_turns": retry_turns,
            "compression": compression,
            "output": output,
        }
        chosen = {**(options or {}), **{name: value for name, value in given.items() if value is not None}}
        self._model = model
        self._mission = mission
        self._tools = as_tools(tools)
        self._native = _native.Agent(mission, signature, self._tools, chosen, checked_limits(limits))
        self._given["tools"] = self._tools

    def __reduce__(self) -> tuple[Any, ...]:
        return _made_again, (type(self), self._mission, self._given)

    def __repr__(self) -> str:
        names = ", ".join(tool.name for tool in self._tools)
        mission = self._mission if len(self._mission) <= 60 else f"{self._mission[:59]}…"
        return f"<Agent {mission!r}{f', tools: {names}' if names else ''}>"

    def _repr_html_(self) -> str:
        tools = [(f"tool/{tool.name}", f"{tool.signature} {tool.description or ''}") for tool in self._tools]
        return f"<p><b>Agent</b>: {escape(self._mission)}</p>{html_table(tools)}"

    @property
    def limits(self) -> Limits:
        """The limits of each program, with the defaults of agents: none is None."""
        return Limits(**self._native.limits())

    def run(
        self,
        data: Mapping[str, Any] | Data | None = None,
        *,
        model: Model | None = None,
        on_turn: Callable[[Turn], object] | None = None,
        on_text: Callable[[str], object] | None = None,
        approve: Approve | None = None,
        after: Step[Any] | None = None,
        budget: Budget | None = None,
        token_limit: int | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> Step[T]:
        """Run it, and wait for the end.

        data: values by name; programs read `data/name`. `Data` for one that
            several runs share.
        model: instead of the model of the agent.
        on_turn: called after each turn, from another thread.
        on_text: called with each piece that the model writes, as it arrives.
        approve: decides about calls of tools with `approve=True`. It gets the
            name and the arguments, and returns True, False, a reason for the
            denial, or other arguments.
        after: an earlier run, whose definitions this one starts with.
        budget: pays for the requests, together with other runs that have it.
        token_limit: input and output tokens of the run.
        seed: of the random functions.
        options: other options of runs: max_parallel_calls, cache,
            on_budget_exceeded.

        The step says how it ended; errors of the model and of programs are part
        of it. ValueError and TypeError for what is wrong before the first
        request. Ctrl-C, and an exception in `on_turn`, `on_text` or `approve`,
        end the run and are raised. Tools and model functions run in other
        threads, several calls at once, with the context variables of the
        caller. From async code, use `run_async`.
        """
        request = RunRequest(
            self._native,
            self._read,
            self._chosen(model),
            data,
            on_turn=on_turn,
            on_text=on_text,
            approve=approve,
            after=after,
            budget=budget,
            token_limit=token_limit,
            seed=seed,
            options=options,
        )
        return BlockingRun(request).run()

    async def run_async(
        self,
        data: Mapping[str, Any] | Data | None = None,
        *,
        model: Model | None = None,
        on_turn: Callable[[Turn], object] | None = None,
        on_text: Callable[[str], object] | None = None,
        approve: Approve | None = None,
        after: Step[Any] | None = None,
        budget: Budget | None = None,
        token_limit: int | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> Step[T]:
        """Run it without blocking the event loop. The arguments are those of `run`.

        Async tools, model functions and `approve` run on this loop, so that they
        may use what belongs to it, such as an HTTP client; functions that are not
        async run in other threads. `on_turn` and `on_text` are called on the loop.

        Cancelling ends the run: no further program or request starts, what is
        awaited on the loop is cancelled, and CancelledError is raised when all
        of that has ended. Functions that are not async are no longer waited for.
        """
        request = RunRequest(
            self._native,
            self._read,
            self._chosen(model),
            data,
            on_turn=on_turn,
            on_text=on_text,
            approve=approve,
            after=after,
            budget=budget,
            token_limit=token_limit,
            seed=seed,
            options=options,
        )
        run = LoopRun(request)
        await run.over()
        return run.step()

    def stream(
        self,
        data: Mapping[str, Any] | Data | None = None,
        *,
        model: Model | None = None,
        approve: Approve | None = None,
        after: Step[Any] | None = None,
        budget: Budget | None = None,
        token_limit: int | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> Stream[T]:
        """Its events, as they happen; the run starts when they are first asked for.

            stream = agent.stream(data, model="ollama:qwen3")
            async for event in stream:
                if event.event == "llm.chunk":
                    print(event.metadata["text"], end="")
            print(stream.step.value)

        The arguments are those of `run`. With `async for` it is a run as that of
        `run_async`, with `for` one as that of `run`. Leaving the loop cancels it.
        An exception that would end `run` is raised by the loop.
        """
        request = RunRequest(
            self._native,
            self._read,
            self._chosen(model),
            data,
            approve=approve,
            after=after,
            budget=budget,
            token_limit=token_limit,
            seed=seed,
            options=options,
        )
        return Stream(request)

    def preview(self, data: Mapping[str, Any] | Data | None = None) -> list[Message]:
        """The messages of the first request, the system text first; no model is asked."""
        system, messages = self._native.preview(data._native if isinstance(data, Data) else data)
        return [{"role": "system", "content": system}, *messages]

    def _chosen(self, model: Model | None) -> Model:
        chosen = model if model is not None else self._model
        if chosen is None:
            raise ValueError('a run needs a model: agent.run(…, model="ollama:qwen3")')
        return chosen


def _made_again(kind: type[Agent[Any]], mission: str, given: dict[str, Any]) -> Agent[Any]:
    """An agent that comes from another process."""
    return kind(mission, **given)


@overload
def run(
    mission: str,
    data: Mapping[str, Any] | Data | None = None,
    *,
    model: Model,
    returns: type[T],
    tools: Iterable[Callable[..., Any]] = (),
    max_turns: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> T: ...


@overload
def run(
    mission: str,
    data: Mapping[str, Any] | Data | None = None,
    *,
    model: Model,
    returns: Any = None,
    tools: Iterable[Callable[..., Any]] = (),
    max_turns: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any: ...


def run(
    mission: str,
    data: Mapping[str, Any] | Data | None = None,
    *,
    model: Model,
    returns: Any = None,
    tools: Iterable[Callable[..., Any]] = (),
    max_turns: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Any:
    """The answer to one question: an agent that runs once.

        ptc.run("How many orders are open?", {"orders": orders}, model="ollama:qwen3", returns=int)

    The arguments are those of `Agent` and `Agent.run`. RunFailed when there is no
    answer; its `step` has the turns.
    """
    agent = Agent(mission, tools=tools, returns=returns, max_turns=max_turns, options=options)
    return agent.run(data, model=model).value
