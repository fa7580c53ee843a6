"""Sessions: programs one after another over the same data and tools."""

from __future__ import annotations

import dataclasses
import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any

from . import _native
from ._given import checked_seed, text
from ._tools import Tool, as_tools

#: Shows the beginning of values: results may have a million rows.
SHORT = reprlib.Repr()
SHORT.maxstring = SHORT.maxother = 100


def short_repr(self: Any) -> str:
    """The representation of a dataclass, with the beginning of each field: it is a method of several."""
    shown = [(field.name, getattr(self, field.name)) for field in dataclasses.fields(self) if field.repr]
    return f"{type(self).__name__}({', '.join(f'{name}={SHORT.repr(value)}' for name, value in shown)})"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of each program. No program can catch one.

    fuel: steps: one per call, jump back, and element that a builtin handles.
    memory: bytes of live values made by the program; data is free.
    seconds: time of the interpreter; waiting for tools does not count.
    depth: nested calls.
    source_bytes: bytes of program text.
    print_chars: characters kept of each printed line.
    prints: printed lines kept; the oldest are dropped.

    What is None has the default of the session or the agent, whose `limits` say
    all of them.
    """

    fuel: int | None = None
    memory: int | None = None
    seconds: float | None = None
    depth: int | None = None
    source_bytes: int | None = None
    print_chars: int | None = None
    prints: int | None = None


def checked_limits(limits: Limits | None) -> Limits | None:
    """The limits, if they are some."""
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits must be ptc_runner.Limits(fuel=…), got {type(limits).__name__}")
    return limits


def html_table(rows: Iterable[tuple[str, str]]) -> str:
    """Names with what they are, for notebooks; nothing for no rows."""
    shown = "".join(f"<tr><td><code>{escape(name)}</code></td><td>{escape(text)}</td></tr>" for name, text in rows)
    return f"<table>{shown}</table>" if shown else ""


@dataclass(frozen=True, slots=True, repr=False)
class Call:
    """One call of a tool.

    args: the arguments by name.
    result: what the tool answered; None when it failed.
    error: why it failed; None when it did not.
    seconds: how long it took.
    effect: "read" or "write".
    cached: whether an earlier answer was used.
    exception: what the function raised, with its traceback.
    """

    tool: str
    args: dict[str, Any]
    result: Any
    error: str | None
    seconds: float
    effect: str
    cached: bool
    exception: BaseException | None = field(default=None, compare=False, repr=False)

    __repr__ = short_repr


def call_of(fields: dict[str, Any], raised: Mapping[Any, BaseException]) -> Call:
    """The call that the native half describes; equal errors of one tool share the last exception."""
    return Call(**fields, exception=raised.get((fields["tool"], fields["error"])))


@dataclass(frozen=True, slots=True)
class Frame:
    """A place that was running when an error occurred.

    function: its name; None for an anonymous one, and for the program itself.
    line, column: from 1, in the program that the function is of.
    line_text: that line.
    is_earlier: whether that is an earlier program.
    """

    function: str | None
    line: int
    column: int
    line_text: str
    is_earlier: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """What stopped a program.

    code: the stable reason, such as "type_error" or "fuel_exceeded".
    message: what was found and what to write instead.
    line, column: from 1; None when there is no place.
    tool: the tool that failed, if one did.
    text: the message with its place and the functions that were running.
    frames: the places that were running, innermost first, a few at most; empty
        when nothing ran.
    snippets: what `snippet` gives, without colors and with them.
    """

    code: str
    message: str
    line: int | None
    column: int | None
    tool: str | None
    text: str
    frames: list[Frame] = field(default_factory=list)
    snippets: tuple[str, str] = field(default=("", ""), compare=False, repr=False)

    def snippet(self, colors: bool = False) -> str:
        """The message, and each place with its line and a caret, for people; `colors` are those of terminals."""
        return self.snippets[colors] or f"{self.text}\n"


def problem_of(fields: dict[str, Any]) -> Problem:
    """The problem that the native half describes."""
    return Problem(**{**fields, "frames": [Frame(**frame) for frame in fields["frames"]]})


@dataclass(frozen=True, slots=True)
class ProgramWarning:
    """Legal code that is nearly always a mistake.

    code: the stable kind, such as "keyword-vs-string".
    message: what to write instead.
    line, column: from 1.
    """

    code: str
    message: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class SessionUsage:
    """What a program used: steps, the highest number of bytes, and seconds without waiting for tools."""

    fuel: int
    memory: int
    seconds: float


@dataclass(frozen=True, slots=True, repr=False)
class Outcome:
    """What a program did.

    value: its last value, or what it gave to `(return …)`, as plain Python data.
    prints: printed lines, oldest first.
    calls: calls of tools, in order.
    warnings: code that is probably a mistake.
    usage: what it used.
    returned: whether the value comes from `(return …)`.
    """

    value: Any
    prints: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    warnings: list[ProgramWarning] = field(default_factory=list)
    usage: SessionUsage = field(default_factory=lambda: SessionUsage(0, 0, 0.0))
    returned: bool = False

    __repr__ = short_repr


class ProgramError(Exception):
    """A program that was refused, stopped, or that called `(fail …)`.

    Its `__cause__` is the exception of the tool that stopped it, if one did.

    message: the first problem without its place. `str(error)` has all of them
        with their places.
    code: its stable reason, such as "type_error"; "failed" after `(fail …)`.
    line, column: its place, from 1; None when it has none.
    frames: the places that were running, innermost first; empty when nothing ran.
    problems: all problems: up to five when the program was refused before
        anything ran.
    value: what the program gave to `(fail …)`.
    prints, calls, usage: as in `Outcome`, until it stopped.
    """

    def __init__(
        self,
        text: str,
        *,
        problems: Iterable[Problem] = (),
        value: Any = None,
        prints: Iterable[str] = (),
        calls: Iterable[Call] = (),
        usage: SessionUsage | None = None,
    ) -> None:
        """An error with the text that `str` shows."""
        super().__init__(text)
        self.problems = list(problems)
        first = self.problems[0] if self.problems else None
        self.message = first.message if first else text
        self.code = first.code if first else "failed"
        self.line = first.line if first else None
        self.column = first.column if first else None
        self.frames = list(first.frames) if first else []
        self.value = value
        self.prints = list(prints)
        self.calls = list(calls)
        self.usage = usage if usage is not None else SessionUsage(0, 0, 0.0)

    def snippet(self, colors: bool = False) -> str:
        """The problems with their lines and carets, for people; `colors` are those of terminals."""
        return "\n".join(problem.snippet(colors) for problem in self.problems) or f"{self}\n"


class Data:
    """Input that is converted once, for any number of sessions and runs.

    >>> rows = Data({"rows": [{"n": 1}, {"n": 2}]})
    >>> Session(rows).run("(count data/rows)").value
    2
    """

    def __init__(self, data: Mapping[str, Any]) -> None:
        """Values by name. TypeError and ValueError name the part that cannot be a value."""
        self._native = _native.Data(data)

    def __repr__(self) -> str:
        return f"<Data {', '.join(self._native.names())}>"


class Function:
    """A definition that can be called by `Session.call`, found once by its name.

    It stands for what a session has under the name at the time of the call.
    """

    def __init__(self, native: _native.Function) -> None:
        """Made by `Program.function` and `Session.function`."""
        self._native = native

    @property
    def name(self) -> str:
        """The name of the definition."""
        return self._native.name()

    def __repr__(self) -> str:
        return f"<Function {self.name}>"


def function_of(found: tuple[_native.Function | None, list[dict[str, Any]] | None]) -> Function:
    """The function that the native half has found, or the error."""
    native, problems = found
    if native is None:
        made = [problem_of(problem) for problem in problems or ()]
        raise ProgramError("\n".join(problem.text for problem in made), problems=made)
    return Function(native)


class Session:
    """Programs over one set of data and tools. Definitions stay for the next program.

    A session runs one program at a time. Sessions in different threads run in
    parallel: the interpreter lock is released while a program runs.
    """

    def __init__(
        self,
        data: Mapping[str, Any] | Data | None = None,
        *,
        tools: Iterable[Callable[..., Any]] = (),
        limits: Limits | None = None,
        seed: int = 0,
    ) -> None:
        """A session without definitions.

        data: values by name; programs read `data/name`. They are copied once and
            do not count towards the memory limit. `Data` is copied no further.
        tools: functions, or what `tool` made of them.
        limits: limits of each program.
        seed: of `rand` and the other random functions.

        TypeError and ValueError name the part of the data that cannot be a
        value, the name that programs cannot write, and the tool that cannot be one.
        """
        self._tools = as_tools(tools)
        given = data._native if isinstance(data, Data) else data
        self._native = _native.Session(given, self._tools, checked_limits(limits), checked_seed(seed))

    @classmethod
    def _of(cls, native: _native.Session, tools: list[Tool[..., Any]]) -> Session:
        """The session of a compiled program."""
        session = object.__new__(cls)
        session._native, session._tools = native, tools
        return session

    def __repr__(self) -> str:
        tools, names = ", ".join(tool.name for tool in self._tools), ", ".join(self.definitions)
        return f"<Session tools: {tools or 'none'}; definitions: {names or 'none'}>"

    def _repr_html_(self) -> str:
        tools = [(f"tool/{tool.name}", f"{tool.signature} {tool.description or ''}") for tool in self._tools]
        definitions = [(name, SHORT.repr(value)) for name, value in self.definitions.items()]
        return f"<p><b>Session</b></p>{html_table([*tools, *definitions])}"

    @property
    def limits(self) -> Limits:
        """The limits of each program, with the defaults of sessions: none is None."""
        return Limits(**self._native.limits())

    def run(self, program: str) -> Outcome:
        """Run a program to its end.

        ProgramError when it was refused, stopped by an error or a limit, or
        called `(fail …)`: its definitions are undone, what its tools did is not.
        Ctrl-C ends it with KeyboardInterrupt.
        """
        text("program", program, 'session.run("(+ 1 2)")')
        raised: dict[Any, BaseException] = {}
        return _outcome(self._native.run(program, raised), raised)

    def function(self, name: str) -> Function:
        """A function that programs of this session have defined. ProgramError when there is none."""
        text("name", name, 'session.function("score")')
        return function_of(self._native.function(name))

    def call(self, function: Function | str, *args: Any, limits: Limits | None = None) -> Outcome:
        """Call a function of this session, by its name if you like.

        The outcome is that of a program that consists of the call; the places of
        errors are in the program that defined the function. What the call defines
        stays, unless it fails.

        args: its arguments. They become values as data does, and do not count
            towards the memory limit.
        limits: of this call, instead of those of the session.

        Cheaper than `run`: nothing is read or compiled.
        """
        found = self.function(function) if isinstance(function, str) else function
        if not isinstance(found, Function):
            raise TypeError(f"call takes a Function or its name first, got {type(function).__name__}")
        raised: dict[Any, BaseException] = {}
        return _outcome(self._native.call(found._native, list(args), checked_limits(limits), raised), raised)

    def check(self, program: str) -> list[ProgramWarning]:
        """Look for mistakes without running anything.

        Returns the warnings. ProgramError when the program would be refused.
        """
        text("program", program, 'session.check("(+ 1 2)")')
        checked = self._native.check(program)
        if checked["problems"]:
            raise ProgramError(checked["message"], problems=[problem_of(problem) for problem in checked["problems"]])
        return [ProgramWarning(**warning) for warning in checked["warnings"]]

    @property
    def definitions(self) -> dict[str, Any]:
        """What programs defined, by name; functions as their text."""
        return self._native.definitions()

    def define(self, name: str, value: Any) -> None:
        """Bind a name to a value, as `(def name value)` would."""
        text("name", name, 'session.define("rows", [1, 2])')
        self._native.define(name, value)


def _outcome(outcome: dict[str, Any], raised: Mapping[Any, BaseException]) -> Outcome:
    """What the native half says that a program did; ProgramError when it failed."""
    calls = [call_of(call, raised) for call in outcome["calls"]]
    usage = SessionUsage(outcome["fuel"], outcome["memory"], outcome["seconds"])
    if outcome["kind"] in ("fail", "error"):
        problems = [problem_of(problem) for problem in outcome["problems"]]
        raise ProgramError(
            outcome["message"],
            problems=problems,
            value=outcome["value"],
            prints=outcome["prints"],
            calls=calls,
            usage=usage,
        ) from _cause(problems, calls)
    return Outcome(
        value=outcome["value"],
        prints=outcome["prints"],
        calls=calls,
        warnings=[ProgramWarning(**warning) for warning in outcome["warnings"]],
        usage=usage,
        returned=outcome["kind"] == "return",
    )


def _cause(problems: list[Problem], calls: list[Call]) -> BaseException | None:
    """What the tool raised that stopped a program."""
    tool = problems[0].tool if problems else None
    failed = [call for call in calls if call.tool == tool and call.exception is not None]
    return next((call.exception for call in reversed(failed) if str(call.error) in problems[0].message), None)
