"""Python functions as tools."""

from __future__ import annotations

import asyncio
import dataclasses
import enum
import inspect
import json
import threading
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Literal, ParamSpec, TypeVar, overload

from ._docs import described, note_text, rules

P = ParamSpec("P")
R = TypeVar("R")

#: Python types without parts, and how signatures name them.
_SIMPLE: dict[Any, str] = {
    bool: ":bool",
    int: ":int",
    float: ":float",
    str: ":string",
    dict: ":map",
    list: "[:any]",
    tuple: "[:any]",
    set: "[:any]",
    frozenset: "[:any]",
    object: ":any",
    Any: ":any",
    None: ":any",
    type(None): ":any",
}

#: Characters of a default that a signature shows.
_LONGEST_DEFAULT = 200


class Tool(Generic[P, R]):
    """A function that programs call as `tool/NAME`; made by `tool`.

    It can still be called from Python like the function.
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
        if not callable(function):
            raise TypeError(f"a tool must be a function, got {type(function).__name__}")
        self.function = function
        self.name = name if name is not None else _name_of(function)
        doc, told = _documentation(function)
        self.description = description if description is not None else doc or None
        self.parameters = told
        self._readers: dict[str, Callable[[Any], Any]] = {}
        if signature is None:
            signature, self._readers = _signature_of(function, self.name)
        self.signature = signature
        self.effect = effect
        self.cache = cache
        self.idempotent = idempotent
        self.approve = approve
        self.timeout = timeout
        self.__doc__ = self.description

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function from Python."""
        return self.function(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<tool {self.name} {self.signature}>"

    def _invoke(self, args: dict[str, Any]) -> Any:
        """Answer a call of a program."""
        for name, read in self._readers.items():
            if args.get(name) is not None:
                args[name] = read(args[name])
        result: Any = self.function(**args)  # type: ignore[call-arg]
        return _awaited(result) if inspect.isawaitable(result) else result


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
    return [each if isinstance(each, Tool) else Tool(each) for each in tools]


def signature_type(hint: Any, where: str) -> str:
    """The type of a type hint in the language of signatures.

    TypeError names `where`, for a hint that has none.
    """
    if isinstance(hint, str):
        return hint
    try:
        if hint in _SIMPLE:
            return _SIMPLE[hint]
    except TypeError:
        pass
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated or _is_marker(origin):
        return signature_type(args[0], where)
    if origin in (typing.Union, types.UnionType):
        return _union(args, hint, where)
    if origin is Literal:
        return _one_of(args, where)
    if _is_a(origin, Mapping):
        key, value = args
        kinds = {"str": ":string", "int": ":int", "bool": ":bool", "float": ":float"}
        if getattr(key, "__name__", "") not in kinds:
            return ":map"
        return f"{{{kinds[key.__name__]} -> {signature_type(value, where)}}}"
    if origin is tuple and args[-1:] != (...,):
        return "[:any]"
    if _is_a(origin, Iterable) and args:
        return f"[{signature_type(args[0], where)}]"
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        hints = _hints(hint)
        parts = [_field(f.name, hints[f.name], _default_of(f), where) for f in dataclasses.fields(hint)]
        return "{" + ", ".join(parts) + "}"
    if typing.is_typeddict(hint):
        absent = {name: inspect.Parameter.empty if name in hint.__required_keys__ else None for name in _hints(hint)}
        return "{" + ", ".join(_field(name, kind, absent[name], where) for name, kind in _hints(hint).items()) + "}"
    if isinstance(hint, typing.NewType):
        return signature_type(hint.__supertype__, where)
    if isinstance(hint, TypeVar):
        return ":any"
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _one_of(tuple(hint), where)
    if isinstance(hint, type):
        for base in (bool, int, float, str, Mapping, list, tuple, set, frozenset):
            if issubclass(hint, base):
                return _SIMPLE[dict if base is Mapping else base]
        if hint.__module__ in ("datetime", "uuid"):
            return ":any"
    shown = getattr(hint, "__name__", None) or str(hint)
    raise TypeError(
        f"{where} has the type {shown}, which signatures do not have. Use bool, int, float, str, list[…], dict, "
        "a TypedDict, a dataclass, … | None or Any, or give the signature as text: "
        '@ptc.tool(signature="(name :string) -> :any")'
    )


def _union(args: tuple[Any, ...], hint: Any, where: str) -> str:
    """`T | None` is optional; a union of numbers is a float; another one is any."""
    kinds = [arg for arg in args if arg is not type(None)]
    if len(kinds) == 1:
        kind = signature_type(kinds[0], where)
    elif set(kinds) <= {int, float}:
        kind = ":float"
    else:
        kind = ":any"
    return f"{kind.removesuffix('?')}?" if len(kinds) < len(args) else kind


def _one_of(values: tuple[Any, ...], where: str) -> str:
    """A closed set of values; `None` among them makes it optional."""
    plain = [_plain(value) for value in values]
    texts = [_json(value) for value in plain if value is not None]
    if not texts or any(not isinstance(value, (str, int, float, bool, type(None))) for value in plain):
        raise TypeError(
            f"{where} has values that signatures do not have: {', '.join(map(repr, values)) or 'none'}; use str, int, "
            "float or bool"
        )
    known = ":any" if None in texts else "#{" + " ".join(str(text) for text in dict.fromkeys(texts)) + "}"
    return known if None not in plain else known + "?"


def _plain(value: Any) -> Any:
    """The value of a member of an enum, and any other value as it is."""
    return value.value if isinstance(value, enum.Enum) else value


def _json(value: Any) -> str | None:
    """A value as signatures write it; None if they cannot, or if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain_or_refused)
    except (TypeError, ValueError):
        return None
    return text if len(text) <= _LONGEST_DEFAULT else None


def _plain_or_refused(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return value.value
    raise TypeError


def _field(name: str, hint: Any, default: Any, where: str) -> str:
    """`limit :int = 10 (1 to 50)`; without a default when that is `inspect.Parameter.empty`."""
    kind = signature_type(hint, f"{where}, field {name},")
    return f"{name} {_with_default(kind, default)}{_in_brackets(rules(hint, kind))}"


def _with_default(kind: str, default: Any) -> str:
    if default is inspect.Parameter.empty:
        return kind
    required = kind.removesuffix("?")
    text = None if default is None else _json(default)
    return f"{required}?" if text is None else f"{required} = {text}"


def _in_brackets(rules: list[str]) -> str:
    return f" ({'; '.join(rules)})" if rules else ""


def _default_of(field: dataclasses.Field[Any]) -> Any:
    """The default of a field; None for one that a function makes."""
    if field.default is not dataclasses.MISSING:
        return field.default
    return inspect.Parameter.empty if field.default_factory is dataclasses.MISSING else None


def _is_marker(origin: Any) -> bool:
    """Whether it is `Required`, `NotRequired` or `ReadOnly`, which a TypedDict has looked at."""
    return getattr(origin, "_name", None) in ("Required", "NotRequired", "ReadOnly")


def _is_a(origin: Any, base: type) -> bool:
    return isinstance(origin, type) and issubclass(origin, base)


def _hints(of: Any) -> dict[str, Any]:
    try:
        return typing.get_type_hints(of, include_extras=True)
    except NameError as error:
        shown = getattr(of, "__name__", str(of))
        raise TypeError(f"a type hint of {shown} cannot be read: {error}; define the name at the top level") from error


def _name_of(function: Callable[..., Any]) -> str:
    name: str = getattr(function, "__name__", "")
    if not name or name == "<lambda>":
        raise TypeError('a lambda or an object needs a name: ptc.Tool(function, name="…")')
    return name


def _documentation(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """The description of a function, and those of its parameters: their hints come before its docstring."""
    if isinstance(function, type) or not inspect.isroutine(function):
        return "", {}
    try:
        names = list(inspect.signature(function).parameters)
        hints = _hints(function)
    except (TypeError, ValueError):
        names, hints = [], {}
    doc, told = described(inspect.getdoc(function) or "", names)
    noted = {name: text for name in names if (text := note_text(hints.get(name)))}
    return doc, {**told, **noted}


def _signature_of(function: Callable[..., Any], name: str) -> tuple[str, dict[str, Callable[[Any], Any]]]:
    """The signature from the type hints, and how arguments become dataclasses."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError) as error:
        raise TypeError(f'tool {name} has no readable parameters; give signature="(…) -> …"') from error
    hinted = function if inspect.isroutine(function) else getattr(function, "__call__", function)
    hints = _hints(hinted) if hasattr(hinted, "__annotations__") else {}
    parts, readers = [], {}
    for parameter in parameters:
        if parameter.kind not in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY):
            raise TypeError(
                f"tool {name}: parameter {parameter} cannot be passed by name, which is how programs pass arguments; "
                "name each parameter"
            )
        hint = hints.get(parameter.name, Any)
        kind = signature_type(hint, f"tool {name}: parameter {parameter.name}")
        parts.append(f"{parameter.name} {_with_default(kind, parameter.default)}{_in_brackets(rules(hint, kind))}")
        read = reader_of(hint)
        if read is not None:
            readers[parameter.name] = read
    result = hints.get("return", Any)
    return f"({', '.join(parts)}) -> {signature_type(result, f'tool {name}: its result')}", readers


def reader_of(hint: Any) -> Callable[[Any], Any] | None:
    """How a plain value becomes what the hint says; None if it already is."""
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated or _is_marker(origin):
        return reader_of(args[0])
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint
    if origin is Literal:
        members = {arg.value: arg for arg in args if isinstance(arg, enum.Enum)}
        return (lambda value: members.get(value, value)) if members else None
    if origin in (typing.Union, types.UnionType):
        readers = [read for read in map(reader_of, args) if read is not None]
        return readers[0] if len(readers) == 1 else None
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        inner = {name: read for name, kind in _hints(hint).items() if (read := reader_of(kind)) is not None}
        names = {field.name for field in dataclasses.fields(hint) if field.init}

        def made(value: Any) -> Any:
            given = {key: item for key, item in value.items() if key in names}
            for key in inner.keys() & given.keys():
                given[key] = None if given[key] is None else inner[key](given[key])
            return hint(**given)

        return made
    if origin in (set, frozenset) or hint in (set, frozenset):
        return frozenset if (origin or hint) is frozenset else set
    if origin in (list, tuple) and args:
        read = reader_of(args[0])
        if origin is tuple:
            return tuple if read is None else lambda items: tuple(read(item) for item in items)
        return None if read is None else lambda items: [read(item) for item in items]
    return None


def _awaited(awaitable: Any) -> Any:
    """The result of an async function, from code that is not async."""

    async def wait() -> Any:
        return await awaitable

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(wait())
    # A loop runs in this thread, of a notebook for example: another thread has none.
    result: list[Any] = []
    failure: list[BaseException] = []

    def run() -> None:
        try:
            result.append(asyncio.run(wait()))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return result[0]
