"""The event loop of a run that is awaited."""

from __future__ import annotations

import asyncio
import atexit
import contextvars
import inspect
from collections.abc import Callable
from typing import Any

from . import _native

atexit.register(_native.close)


class _Owned:
    """What may be awaited. A coroutine that nobody awaits, since its loop has ended, is closed without a warning."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __del__(self) -> None:
        if inspect.iscoroutine(self.value):
            self.value.close()


class Desk:
    """Does on the loop of the caller what a run asks for from its threads."""

    def __init__(self) -> None:
        """The desk of the running loop, with the context of the caller."""
        self._loop = asyncio.get_running_loop()
        self.context = contextvars.copy_context()
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_ended = False

    def post(self, value: Any, answer: _native.Answer) -> Callable[[], None] | None:
        """Await `value`, and tell `answer`; returns what cancels that. None for what cannot be awaited."""
        if not inspect.isawaitable(value):
            return None
        owned, started = _Owned(value), list[asyncio.Task[None]]()
        del value

        async def wait() -> None:
            try:
                answer.set(await owned.value)
            except BaseException as error:
                # The run decides what it means: a text for the model, or the end.
                answer.fail(error)

        def start() -> None:
            # A thread may be late: the run was cancelled while the function was called.
            if self._has_ended:
                return
            task = self._loop.create_task(wait())
            started.append(task)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        def cancel() -> None:
            # `start` was posted before.
            self.tell(lambda: [task.cancel() for task in started])

        self.tell(start)
        return cancel

    def tell(self, function: Callable[..., object], *args: Any) -> None:
        """Call a function on the loop, after all that was told before."""
        self._loop.call_soon_threadsafe(function, *args, context=self.context.copy())

    async def end(self) -> None:
        """Cancel what nobody waits for any more, and wait until it has ended."""
        self._has_ended = True
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)
