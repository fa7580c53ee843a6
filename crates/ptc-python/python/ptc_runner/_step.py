"""Finished runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, Generic, TypeVar

from . import _native
from ._given import found
from ._kinds import anything
from ._session import SHORT, Call, call_of, short_repr

T = TypeVar("T")


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


@dataclass(frozen=True, slots=True, repr=False)
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

    __repr__ = short_repr


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a run has no answer.

    reason: a stable name, such as "max_turns_exceeded" or "llm_error".
    message: one text for people.
    details: further facts, such as what was given to `(fail …)`.
    exception: what the model function or the tool raised, if that is the reason.
    """

    reason: str
    message: str
    details: Any
    exception: BaseException | None = field(default=None, compare=False)


class RunFailed(Exception):
    """A run without an answer; raised by `Step.value`. Its `__cause__` is the exception that was the reason, if one was.

    step: the run.
    reason: a stable name, such as "max_turns_exceeded".
    """

    def __init__(self, step: Step[Any], failure: Failure) -> None:
        """The error of a step and its failure."""
        super().__init__(f"{failure.reason}: {failure.message}")
        self.step = step
        self.reason = failure.reason

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a RunFailed has a step, which cannot be pickled; catch it and raise an exception of yours with "
            f"str(error) instead, which is {str(self)!r}"
        )


class Made:
    """What a reader makes of the answer: in the run, whose check it is, and once for `Step.value`."""

    def __init__(self, read: Callable[[Any], Any] | None) -> None:
        """Of the reader of the type that `returns` names, if it names one."""
        self._read = read or anything
        self._values: list[Any] = []

    @property
    def check(self) -> Callable[[Any], object] | None:
        """Takes an answer, or raises; None when anything is an answer."""
        return None if self._read is anything else self._keep

    def _keep(self, value: Any) -> None:
        # A run ends with the first answer that is not refused.
        self._values = [self._read(value)]

    def of(self, native: _native.Step) -> Any:
        """The answer of a run."""
        return self._values[0] if self._values else self._read(native.value())


class Step(Generic[T]):
    """A finished run. Values become Python objects when they are first read."""

    def __init__(
        self,
        native: _native.Step,
        made: Made | None = None,
        raised: Mapping[Any, BaseException] | None = None,
    ) -> None:
        """Made by `Agent.run`."""
        self._native = native
        self._made = made if made is not None else Made(None)
        self._raised = raised if raised is not None else {}

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError(
            "a Step has the values of its run and cannot be pickled; pass on step.value, step.usage and step.trace, or "
            "keep the run in a file with step.save(path)"
        )

    def __repr__(self) -> str:
        turns = self.usage.turns
        end = f"{self.failure.reason}" if self.failure is not None else SHORT.repr(self.value)
        return f"<Step {self.ending} after {turns} {'turn' if turns == 1 else 'turns'}: {end}>"

    def _repr_html_(self) -> str:
        """The page of the run, in a frame: its styles are not those of the notebook."""
        return f'<iframe srcdoc="{escape(self._native.html())}" style="width: 100%; height: 40em; border: 0"></iframe>'

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
    def value(self) -> T:
        """The answer, as plain data or of the type that `returns` names; RunFailed without one."""
        if self.failure is not None:
            raise RunFailed(self, self.failure) from self.failure.exception
        value: T = self._made.of(self._native)
        return value

    @cached_property
    def failure(self) -> Failure | None:
        """Why there is no answer; None with one."""
        failure = self._native.failure()
        return None if failure is None else Failure(**failure, exception=self._reason_raised(failure["reason"]))

    @cached_property
    def usage(self) -> Usage:
        """Time, turns and tokens."""
        return Usage(**self._native.usage())

    @cached_property
    def turns(self) -> list[Turn]:
        """All turns, in order."""
        return [turn_of(fields, self._raised) for fields in self._native.turns()]

    @cached_property
    def definitions(self) -> dict[str, Any]:
        """What programs defined, by name; functions as their text."""
        return self._native.definitions()

    @property
    def trace(self) -> str:
        """The run as text: each turn with its program, calls, output and result."""
        return self._native.text()

    def _reason_raised(self, reason: str) -> BaseException | None:
        if reason == "llm_error":
            return self._raised.get(None)
        if reason == "tool_error" and self.turns:
            return next((call.exception for call in reversed(self.turns[-1].calls) if call.exception is not None), None)
        return None

    def save(self, path: str | PathLike[str]) -> None:
        """Write the run to a file.

        A name that ends in .html: one page for browsers. In .json: for the
        commands `ptc show` and `ptc view`. ValueError for any other name.
        """
        writers = {".html": self._native.html, ".json": self._native.to_json}
        write = writers.get(Path(path).suffix)
        if write is None:
            raise ValueError(
                f"path must end in .html, a page for browsers, or in .json, for `ptc show`, got {found(str(path))}; "
                "step.trace is the run as text"
            )
        Path(path).write_text(write(), encoding="utf-8")


def turn_of(fields: dict[str, Any], raised: Mapping[Any, BaseException]) -> Turn:
    """The turn that the native half describes, with the exceptions of its calls."""
    return Turn(**{**fields, "calls": [call_of(call, raised) for call in fields["calls"]]})
