"""Agents: a model writes programs until it has an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict

from . import _native
from ._session import Call
from ._tools import as_tools, reader_of, signature_type


class Message(TypedDict):
    """One message of a request: role "system", "user" or "assistant", and its text."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model function returns when it also knows how many tokens it took."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None


class ScriptedModel:
    """A model that gives prepared answers, in order: for tests and examples."""

    def __init__(self, answers: Iterable[str]) -> None:
        """A model that gives these answers; after the last one, runs end with an error."""
        self._native = _native.ScriptedModel(list(answers))

    @property
    def remaining(self) -> int:
        """How many answers are left."""
        return self._native.remaining()

    @property
    def requests(self) -> list[list[Message]]:
        """The messages of each request so far."""
        return self._native.requests()


Model: TypeAlias = str | ScriptedModel | Callable[[list[Message]], str | Reply]
"""A name such as "ollama:qwen3" or "URL#MODEL", a function from messages to text, or a ScriptedModel."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run used. Token counts are None when no reply had any.

    seconds: from start to end.
    turns: answers of the model.
    requests: requests to the model, retried ones included.
    input_tokens: all of them, cached ones included.
    output_tokens: reasoning included.
    cached_tokens: input tokens that the provider read from its cache.
    """

    seconds: float
    turns: int
    requests: int
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None


@dataclass(frozen=True, slots=True)
class Turn:
    """One answer of the model and what its program did.

    number: from 1.
    ok: whether the program ran to its end.
    program: the program in the answer; None when there is none.
    response: the whole answer.
    result: the value of the program; after an error a dict that says why.
    error: why it failed; None when it did not.
    prints, calls: of the program.
    seconds: from the request to the end.
    input_tokens, output_tokens: None when the model did not say.
    """

    number: int
    ok: bool
    program: str | None
    response: str
    result: Any
    error: str | None
    prints: list[str]
    calls: list[Call]
    seconds: float
    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run has no answer.

    reason: a stable name, such as "max_turns_exceeded" or "llm_error".
    message: one text for people.
    details: further facts, such as what was given to `(fail …)`.
    """

    reason: str
    message: str
    details: Any


class RunFailed(Exception):
    """A run without an answer; raised by `Step.value`.

    step: the run.
    reason: a stable name, such as "max_turns_exceeded".
    """

    def __init__(self, step: Step, failure: Failure) -> None:
        """The error of a step and its failure."""
        super().__init__(f"{failure.reason}: {failure.message}")
        self.step = step
        self.reason = failure.reason


class Step:
    """A finished run. Values become Python objects when they are first read."""

    def __init__(self, native: _native.Step, read: Callable[[Any], Any] | None = None) -> None:
        """Made by `Agent.run`."""
        self._native = native
        self._read = read

    def __repr__(self) -> str:
        return f"<Step {self.ending}, {self.usage.turns} turns>"

    @property
    def ok(self) -> bool:
        """Whether there is an answer."""
        return self.failure is None

    @property
    def ending(self) -> str:
        """How the run ended.

        With an answer: "return", "value" (of a single program) or "fallback"
        (the value of the last good turn). Without: "fail", "limit" or "error".
        """
        return self._native.ending()

    @cached_property
    def value(self) -> Any:
        """The answer, as plain data or of the type that `returns` names; RunFailed without one."""
        if self.failure is not None:
            raise RunFailed(self, self.failure)
        value = self._native.value()
        return value if self._read is None or value is None else self._read(value)

    @cached_property
    def failure(self) -> Failure | None:
        """Why there is no answer; None with one."""
        failure = self._native.failure()
        return None if failure is None else Failure(**failure)

    @cached_property
    def usage(self) -> Usage:
        """Time, turns and tokens."""
        return Usage(**self._native.usage())

    @cached_property
    def turns(self) -> list[Turn]:
        """All turns, in order."""
        return [_turn(fields) for fields in self._native.turns()]

    @cached_property
    def definitions(self) -> dict[str, Any]:
        """What programs defined, by name; functions as their text."""
        return self._native.definitions()

    @property
    def trace(self) -> str:
        """The run as text: each turn with its program, calls, output and result."""
        return self._native.text()

    def save(self, path: str | PathLike[str]) -> None:
        """Write the run to a file.

        A name that ends in .html: one page for browsers. Any other name: JSON,
        for the commands `ptc show` and `ptc view`.
        """
        text = self._native.html() if Path(path).suffix == ".html" else self._native.to_json()
        Path(path).write_text(text, encoding="utf-8")


class Agent:
    """A mission for a model, with tools and limits. It can run any number of times, in several threads."""

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
        compression: bool | str | Mapping[str, Any] | None = None,
        output: Literal["ptc_lisp", "json", "text"] | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        """An agent, checked as a whole; ValueError and TypeError say what does not fit.

        mission: the task; `{{name}}` stands for input data.
        tools: functions, or what `tool` made of them.
        returns: the type of the answer: a type hint such as `float`,
            `list[str]`, a TypedDict or a dataclass, or the text of a signature
            type such as "{guest :string, total :float}". An answer that does not
            fit is refused, and the model tries again.
        inputs: the declared data, "(year :int, rows [:map])"; not needed.
        model: the model of runs that name none.
        max_turns: answers of the model before it must have returned; 5.
        retry_turns: further turns to correct an answer that does not fit; 0.
        compression: how history is shown: True, the name of a strategy, or a
            dict of its options. Without it, as a dialogue.
        output: what the model writes: programs, JSON of the type of the
            answer, or text.
        options: any other option of mission files by its name, such as
            {"mission_timeout": 60, "thinking": True}; times in seconds. They are
            listed in docs/reference/mission-files.md.
        """
        signature, self._read = None, None
        if returns is not None:
            signature = signature_type(returns, "returns")
            self._read = None if isinstance(returns, str) else reader_of(returns)
        if inputs is not None:
            signature = f"{inputs} -> {signature or ':any'}"
        given = {
            "max_turns": max_turns,
            "retry_turns": retry_turns,
            "compression": compression,
            "output": output,
        }
        chosen = {**(options or {}), **{name: value for name, value in given.items() if value is not None}}
        self._model = model
        self._native = _native.Agent(mission, signature, as_tools(tools), chosen)

    def run(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        model: Model | None = None,
        on_turn: Callable[[Turn], object] | None = None,
        on_text: Callable[[str], object] | None = None,
        approve: Callable[[str, dict[str, Any]], bool | str | dict[str, Any]] | None = None,
        after: Step | None = None,
        token_limit: int | None = None,
        seed: int = 0,
        options: Mapping[str, Any] | None = None,
    ) -> Step:
        """Run it, and wait for the end.

        data: values by name; programs read `data/name`.
        model: instead of the model of the agent.
        on_turn: called after each turn, from another thread.
        on_text: called with each piece that the model writes, as it arrives.
        approve: decides about calls of tools with `approve=True`. It gets the
            name and the arguments, and returns True, False, a reason for the
            denial, or other arguments.
        after: an earlier run, whose definitions this one starts with.
        token_limit: input and output tokens of the run.
        seed: of the random functions.
        options: other options of runs: max_parallel_calls, cache,
            on_budget_exceeded.

        The step says how it ended; errors of the model and of programs are part
        of it. ValueError and TypeError for what is wrong before the first
        request. Ctrl-C, and an exception in `on_turn` or `on_text`, end the run
        and are raised. Tools and model functions run in other threads, several
        calls at once; from async code, use `await asyncio.to_thread(agent.run, …)`.
        """
        chosen = model if model is not None else self._model
        if chosen is None:
            raise ValueError('a run needs a model: agent.run(…, model="ollama:qwen3")')
        run_options = dict(options or {})
        if token_limit is not None:
            run_options["token_limit"] = token_limit
        tell = None if on_turn is None else lambda fields: on_turn(_turn(fields))
        native = self._native.run(
            _native_model(chosen),
            data,
            options=run_options,
            on_turn=tell,
            on_text=on_text,
            approve=approve,
            after=None if after is None else after._native,
            seed=seed % 2**64,
        )
        return Step(native, self._read)

    def preview(self, data: Mapping[str, Any] | None = None) -> list[Message]:
        """The messages of the first request, the system text first; no model is asked."""
        system, messages = self._native.preview(data)
        return [{"role": "system", "content": system}, *messages]


def _turn(fields: dict[str, Any]) -> Turn:
    return Turn(**{**fields, "calls": [Call(**call) for call in fields["calls"]]})


def _native_model(
    model: Model,
) -> str | _native.ScriptedModel | Callable[[list[Message]], tuple[str, int | None, int | None]]:
    if isinstance(model, str):
        return model
    if isinstance(model, ScriptedModel):
        return model._native
    if not callable(model):
        raise TypeError(
            'model must be a name such as "ollama:qwen3", a function from messages to text, or a ScriptedModel, '
            f"got {type(model).__name__}"
        )

    def ask(messages: list[Message]) -> tuple[str, int | None, int | None]:
        reply = model(messages)
        if isinstance(reply, Reply):
            return reply.text, reply.input_tokens, reply.output_tokens
        if not isinstance(reply, str):
            raise TypeError(f"a model function returns str or Reply, got {type(reply).__name__}")
        return reply, None, None

    return ask
