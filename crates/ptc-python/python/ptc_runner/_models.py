"""Models: by name, scripted, or a function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

from . import _native
from ._given import texts


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
        self._native = _native.ScriptedModel(texts("answers", answers, 'ScriptedModel(["(return 1)"])'))

    @property
    def remaining(self) -> int:
        """How many answers are left."""
        return self._native.remaining()

    @property
    def requests(self) -> list[list[Message]]:
        """The messages of each request so far."""
        return self._native.requests()


Answered: TypeAlias = str | Reply

Model: TypeAlias = str | ScriptedModel | Callable[[list[Message]], Answered | Awaitable[Answered]]
"""A name such as "ollama:qwen3" or "URL#MODEL", a function from messages to text, async or not, or a ScriptedModel."""


def native_model(
    model: Model, wait: Callable[[Any], Any] | None = None
) -> str | _native.ScriptedModel | Callable[[list[Message]], Any]:
    """The model as the native half takes it; `wait` gets the result of a function that may be async."""
    if isinstance(model, str):
        return model
    if isinstance(model, ScriptedModel):
        return model._native
    if not callable(model):
        raise TypeError(
            'model must be a name such as "ollama:qwen3", a function from messages to text, or a ScriptedModel, '
            f"got {type(model).__name__}"
        )
    return model if wait is None else lambda messages: wait(model(messages))


def tokens_of(reply: Any) -> tuple[str, int | None, int | None]:
    """The text of a reply with its input and output tokens; the native half asks."""
    if isinstance(reply, Reply):
        return reply.text, reply.input_tokens, reply.output_tokens
    if not isinstance(reply, str):
        raise TypeError(f"a model function returns str or Reply, got {type(reply).__name__}")
    return reply, None, None
