"""Run untrusted programs over Python data, and agents that write such programs.

Programs are in PTC-Lisp: Clojure over immutable data. They see the data and the
tools that you give them and nothing else: no file, no network, no import.

    >>> import ptc_runner as ptc
    >>> session = ptc.Session(data={"orders": [{"open": True, "total": 12.5}, {"open": False, "total": 3.0}]})
    >>> session.run("(->> data/orders (filter :open) (map :total) (reduce +))").value
    12.5

`Session` runs programs, `compile` makes functions of one that Python calls,
`tool` makes a tool of a function, `Agent` lets a model solve a task by writing
programs. The guide is docs/guide/python.md of
https://github.com/ptc-runner/ptc-runner.
"""

from importlib.metadata import version as _version

from ._agent import Agent, run
from ._budget import Budget, BudgetUsage, Tokens
from ._models import Message, Model, Reply, ScriptedModel
from ._program import Program, compile
from ._session import (
    Call,
    Data,
    Frame,
    Function,
    Limits,
    Outcome,
    Problem,
    ProgramError,
    ProgramWarning,
    Session,
    SessionUsage,
)
from ._step import Failure, RunFailed, Step, Turn, Usage
from ._stream import Event, Stream
from ._tools import Tool, tool
from ._values import Keyword

__version__ = _version("ptc-runner")

__all__ = [
    "Agent",
    "Budget",
    "BudgetUsage",
    "Call",
    "Data",
    "Event",
    "Failure",
    "Frame",
    "Function",
    "Keyword",
    "Limits",
    "Message",
    "Model",
    "Outcome",
    "Problem",
    "Program",
    "ProgramError",
    "ProgramWarning",
    "Reply",
    "RunFailed",
    "ScriptedModel",
    "Session",
    "SessionUsage",
    "Step",
    "Stream",
    "Tokens",
    "Tool",
    "Turn",
    "Usage",
    "compile",
    "run",
    "tool",
]

# Where users find them: for help and tracebacks.
for _public in (globals()[_name] for _name in __all__):
    if hasattr(_public, "__qualname__"):
        _public.__module__ = __name__
del _public
