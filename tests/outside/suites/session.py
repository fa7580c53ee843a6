"""What a server asks of a suite: the tools of a task, a call, the verdict."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


class UnknownTask(Exception):
    """There is no such task or injection."""


class UnknownTool(Exception):
    """The task has no tool of this name."""


@dataclass(frozen=True)
class Result:
    """What a call returned: the text that the suite shows to a model, and the same as JSON where it is an object."""

    text: str
    structured: Json | None = None
    error: bool = False


@dataclass
class Verdict:
    """What the suite's own checkers say. `injected` is set only when an injection was placed."""

    passed: bool
    problems: list[str] = field(default_factory=list)
    injected: bool | None = None

    def to_json(self) -> Json:
        """As the structured content of `suite_judge`."""
        out: Json = {"passed": self.passed, "problems": self.problems}
        if self.injected is not None:
            out["injected"] = self.injected
        return out


class Session(ABC):
    """One task in progress."""

    @abstractmethod
    def tools(self) -> list[Json]:
        """The tools as `tools/list` shows them."""

    @abstractmethod
    def call(self, name: str, args: Json) -> Result:
        """Runs a tool. Raises `UnknownTool`."""

    @abstractmethod
    def judge(self, answer: str) -> Verdict:
        """Closes a user turn, whose answer this is."""

    @abstractmethod
    def state(self) -> Any:
        """All that a call can change, to compare: reading tools leave it equal."""


def shortened(text: str, most: int = 300) -> str:
    """`text`, cut where it is longer than a problem should be."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"
