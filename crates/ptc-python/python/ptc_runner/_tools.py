"""Python functions as tools."""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import sys
import types
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, Generic, Literal, ParamSpec, TypeVar, overload

from . import _native
from ._docs import described, note_text
from ._given import seconds, text
from ._hints import hints_of
from ._kinds import Read, Unfit, anything
from ._readers import reader_of
from ._signatures import signature_text

#: Texts that tools may be given, as callers write them.
_TEXTS = {
    "name": 'name="look-up"',
    "description": 'description="Price of a stay in euros."',
    "signature": 'signature="(id :int) -> :float"',
}

P = ParamSpec("P")
Q = ParamSpec("Q")
R = TypeVar("R")


class Tool(Generic[P, R]):
    """A function that programs call as `tool/NAME`; made by `tool`.

    It can still be called from Python like the function, and it is a method in
    the body of a class: `tools=[service.look_up]` passes it with its object.
    """

    def __init__(
        self,
        function: Callable[P, R],
        *,
        name: str | None = None,
        description: str | None = None,
        signature: str | None = None,
        effect: Literal["read", "write"] | None = None,
        cache: bool = False,
        idempotent: bool = False,
        approve: bool = False,
        timeout: float | None = None,
    ) -> None:
        """Make a tool of `function`; the arguments are those of `tool`."""
        is_static, self._is_of_class = isinstance(function, staticmethod), isinstance(function, classmethod)
        if is_static or self._is_of_class:
            function = getattr(function, "__func__")
        if not callable(function):
            raise TypeError(f"a tool must be a function, got {type(function).__name__}")
        if effect not in (None, "read", "write"):
            raise ValueError(f'effect must be "read" or "write", got {effect!r}')
        for part, given in (("name", name), ("description", description), ("signature", signature)):
            if given is not None:
                text(part, given, _TEXTS[part])
        seconds("timeout", timeout)
        self.function = function
        self.name = name if name is not None else _name_of(function)
        self.effect = effect
        self.cache = cache
        self.idempotent = idempotent
        self.approve = approve
        self.timeout = timeout
        self._given = (description, signature)
        self._may_be_method = inspect.isfunction(function) and not is_static
        self._is_method = self._is_of_class
        self._describe()
        self.__wrapped__ = function
        for part in ("__module__", "__qualname__", "__name__"):
            setattr(self, part, getattr(function, part, getattr(type(self), part)))

    def _describe(self) -> None:
        """Take what models read from the function; the first parameter of a method is its object."""
        description, signature = self._given
        skips = 1 if self._is_method else 0
        doc, self.parameters = _documentation(self.function, skips)
        self.description = description if description is not None else doc or None
        self.__doc__ = self.description
        self._readers: dict[str, tuple[Read, bool]] = {}
        if signature is not None:
            _native.check_signature(self.name, signature)
        else:
            signature, self._readers = _contract_of(self.function, self.name, skips)
        self.signature = signature

    def __set_name__(self, owner: type, name: str) -> None:
        if self._may_be_method:
            self._is_method = True
            self._describe()

    @overload
    def __get__(self, instance: None, owner: type | None = None, /) -> Tool[P, R]: ...

    @overload
    def __get__(
        self: Tool[Concatenate[Any, Q], R], instance: object, owner: type | None = None, /
    ) -> Tool[Q, R]: ...

    def __get__(self, instance: Any, owner: type | None = None, /) -> Tool[..., R]:
        """The tool of an object, or of a class, for one that is a method."""
        if self._is_of_class:
            return self._bound(owner)
        # `classmethod` around a tool asks so up to Python 3.12; later, it makes a method of it.
        if instance is not None and instance is owner:
            return self._bound(owner)
        if instance is None or not self._is_method:
            return self
        return self._bound(instance)

    def _bound(self, to: Any) -> Tool[..., R]:
        """The tool with its first argument given."""
        bound: Tool[..., R] = object.__new__(type(self))
        bound.__dict__.update(self.__dict__)
        if not self._is_method:
            bound._is_method = True
            bound._describe()
        bound.function = types.MethodType(self.function, to)
        bound._is_method = bound._is_of_class = False
        return bound

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function from Python."""
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.name} {self.signature}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        # Other processes find a decorated function where its module has it, and a method at its object.
        to = getattr(self.function, "__self__", None)
        if to is not None and isinstance(getattr(to, self.function.__name__, None), Tool):
            return getattr, (to, self.function.__name__)
        qualname: str = getattr(self, "__qualname__")
        found: Any = sys.modules.get(self.__module__)
        for part in qualname.split("."):
            found = getattr(found, part, None)
        if found is self:
            return qualname
        description, signature = self._given
        names = ("name", "effect", "cache", "idempotent", "approve", "timeout")
        given = {name: getattr(self, name) for name in names}
        return _made_again, (self.function, {**given, "description": description, "signature": signature})

    def _arguments(self, args: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call as the type hints say; `Unfit` for those that are something else."""
        for name, (read, has_default) in self._readers.items():
            if name not in args:
                continue
            try:
                args[name] = read(args[name])
            except Unfit as problem:
                if args[name] is not None or not has_default:
                    raise problem.below(name) from problem.__cause__
                # Programs leave a parameter out with nil.
                del args[name]
        return args

    def _start(self, args: dict[str, Any]) -> Any:
        """Call the function with what `_arguments` made; an async one gives what can be awaited."""
        return self.function(**args)  # type: ignore[call-arg]

    def _answer(self, args: dict[str, Any]) -> Any:
        """Call the function, and wait for it."""
        return awaited(self._start(args))


def _made_again(function: Callable[..., Any], given: dict[str, Any]) -> Tool[..., Any]:
    """A tool that comes from another process."""
    return Tool(function, **given)


@overload
def tool(function: Callable[P, R], /) -> Tool[P, R]: ...


@overload
def tool(
    function: None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    signature: str | None = None,
    effect: Literal["read", "write"] | None = None,
    cache: bool = False,
    idempotent: bool = False,
    approve: bool = False,
    timeout: float | None = None,
) -> Callable[[Callable[P, R]], Tool[P, R]]: ...


def tool(
    function: Callable[P, R] | None = None,
    /,
    *,
    name: str | None = None,
    description: str | None = None,
    signature: str | None = None,
    effect: Literal["read", "write"] | None = None,
    cache: bool = False,
    idempotent: bool = False,
    approve: bool = False,
    timeout: float | None = None,
) -> Tool[P, R] | Callable[[Callable[P, R]], Tool[P, R]]:
    """Make a tool of a function, as a decorator with or without arguments.

        @ptc.tool(effect="read")
        def price(room: str, nights: int = 1) -> float:
            "Price of a stay in euros."
            return RATES[room] * nights

    A program calls it as `(tool/price {:room "attic" :nights 3})`.

    name: what programs write after `tool/`; the name of the function.
    description: what the model reads; the docstring, whose first sentences stand
        in the list of tools. What it says of parameters (`Args:`, `Parameters`,
        `:param x:`), and texts in `Annotated[T, "…"]`, are in `(doc tool/NAME)`.
    signature: `(room :string, nights :int?) -> :float`; from the type hints,
        with the values of `Literal` and enums, defaults, and limits in `Annotated`.
    effect: "read" if calls change nothing. Their answers are kept when a program
        fails, and the model is not warned of them. "write" if they change
        something, which a tool without it counts as; the model then reads the
        arguments of its calls whole.
    cache: answer equal calls once.
    idempotent: a call may be repeated when its outcome is unknown.
    approve: ask the `approve` function of `Agent.run` before each call. A
        session does not ask.
    timeout: seconds after which an agent stops waiting for a call; 60. A
        session waits.

    An exception in the function is an error of the call: the program may catch
    it, and the model reads its type and message. KeyboardInterrupt and other
    exceptions that are not `Exception` end the run. An async function gets a
    new event loop for each call, so it cannot use what belongs to another
    loop.
    """

    def make(function: Callable[P, R]) -> Tool[P, R]:
        return Tool(
            function,
            name=name,
            description=description,
            signature=signature,
            effect=effect,
            cache=cache,
            idempotent=idempotent,
            approve=approve,
            timeout=timeout,
        )

    return make if function is None else make(function)


def as_tools(tools: Iterable[Callable[..., Any]]) -> list[Tool[..., Any]]:
    """The tools, with those that are plain functions turned into tools."""
    if not isinstance(tools, Iterable):
        raise TypeError("tools must be a list of functions: tools=[…]")
    made = [_as_tool(each) for each in tools]
    for each in made:
        if each._is_method:
            raise TypeError(f"tool {each.name} is a method of a class; pass that of an object: tools=[service.{each.name}]")
    return made


def _as_tool(given: Callable[..., Any]) -> Tool[..., Any]:
    around = getattr(given, "__func__", None)
    if isinstance(around, Tool):
        # A class method around a tool.
        return around._bound(getattr(given, "__self__"))
    return given if isinstance(given, Tool) else Tool(given)


def _name_of(function: Callable[..., Any]) -> str:
    name: str = getattr(function, "__name__", "")
    if not name or name == "<lambda>":
        raise TypeError('a lambda or an object needs a name: ptc.Tool(function, name="…")')
    return name


def _documentation(function: Callable[..., Any], skips: int) -> tuple[str, dict[str, str]]:
    """The description of a function, and those of its parameters: their hints come before its docstring."""
    if isinstance(function, type) or not inspect.isroutine(function):
        return "", {}
    try:
        names = list(inspect.signature(function).parameters)[skips:]
        hints = hints_of(function)
    except (TypeError, ValueError):
        names, hints = [], {}
    doc, told = described(inspect.getdoc(function) or "", names)
    noted = {name: text for name in names if (text := note_text(hints.get(name)))}
    return doc, {**told, **noted}


def _contract_of(function: Callable[..., Any], name: str, skips: int) -> tuple[str, dict[str, tuple[Read, bool]]]:
    """The signature from the type hints; and how arguments are read, and whether they have a default."""
    try:
        parameters = list(inspect.signature(function).parameters.values())[skips:]
    except (TypeError, ValueError) as error:
        raise TypeError(f'tool {name} has no readable parameters; give signature="(…) -> …"') from error
    hinted = function if inspect.isroutine(function) else getattr(function, "__call__", function)
    hints = hints_of(hinted) if hasattr(hinted, "__annotations__") else {}
    text = signature_text(parameters, hints, name)
    readers = {}
    for parameter in parameters:
        read = reader_of(hints.get(parameter.name, Any))
        if read is not anything:
            readers[parameter.name] = (read, parameter.default is not inspect.Parameter.empty)
    return text, readers


def awaited(value: Any) -> Any:
    """The result of an async function, from code that is not async; any other value as it is."""
    if not inspect.isawaitable(value):
        return value

    async def wait() -> Any:
        return await value

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    # A loop runs in this thread, of a notebook for example: another thread has none.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(contextvars.copy_context().run, asyncio.run, wait()).result()
