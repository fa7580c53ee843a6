"""Programs that are compiled once, for any number of sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import _native
from ._given import checked_seed, text
from ._session import Data, Function, Limits, ProgramError, Session, checked_limits, function_of, problem_of
from ._tools import Tool, as_tools


class Program:
    """A program that was read, checked, compiled and run once: its definitions are there. Threads share it.

    >>> rules = compile("(def base 10) (defn price [n] (+ base (* 3 n)))")
    >>> rules.session().call(rules.function("price"), 4).value
    22
    """

    def __init__(self, native: _native.Program, tools: list[Tool[..., Any]]) -> None:
        """Made by `compile`."""
        self._native = native
        self._tools = tools

    def __repr__(self) -> str:
        return f"<Program definitions: {', '.join(self._native.names()) or 'none'}>"

    @property
    def limits(self) -> Limits:
        """The limits of its sessions, with the defaults of sessions: none is None."""
        return Limits(**self._native.limits())

    def function(self, name: str) -> Function:
        """A function that it defines, for `Session.call` in any of its sessions. ProgramError when there is none."""
        text("name", name, 'program.function("score")')
        return function_of(self._native.function(name))

    def session(self) -> Session:
        """A new session with its definitions, data, tools and limits. What it defines, no other session sees.

        It costs some microseconds: nothing is compiled or copied.
        """
        return Session._of(self._native.session(), self._tools)


def compile(
    program: str,
    data: Mapping[str, Any] | Data | None = None,
    *,
    tools: Iterable[Callable[..., Any]] = (),
    limits: Limits | None = None,
    seed: int = 0,
) -> Program:
    """Compile a program and run it once, so that its definitions are there.

    The arguments are those of `Session`, and hold for the sessions of the
    program, too. Only its functions can call tools: compiling calls none.

    ProgramError as that of `Session.run`.
    """
    text("program", program, 'ptc_runner.compile("(defn twice [n] (* 2 n))")')
    made = as_tools(tools)
    given = data._native if isinstance(data, Data) else data
    native, refused = _native.compile(program, given, made, checked_limits(limits), checked_seed(seed))
    if native is None:
        fields = refused or {}
        problems = [problem_of(problem) for problem in fields["problems"]]
        raise ProgramError(fields["message"], problems=problems, value=fields["value"])
    return Program(native, made)
