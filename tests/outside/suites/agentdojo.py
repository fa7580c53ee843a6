"""AgentDojo as it is in inspect_evals: its tools on its environments, judged by its `utility` and `security`."""

import asyncio
import importlib
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from suites.light import lazy

lazy("inspect_ai", "inspect_ai.util", "inspect_ai.util._sandbox", "inspect_ai.tool", "inspect_ai.tool._mcp")
lazy("inspect_ai.model", "inspect_ai.log", "inspect_ai.event", "inspect_ai.agent")
lazy("inspect_evals", "inspect_evals.agentdojo")

import yaml
from inspect_ai.model._call_tools import (
    resolve_tool_content,
    tool_call_error,
    tool_params,
    validate_tool_input,
)
from inspect_ai.tool import ToolCall
from inspect_ai.tool._tool_def import ToolDef
from inspect_ai.util._store import Store, init_subtask_store
from inspect_evals.agentdojo.attacks.attack import get_attack

from suites.fixed import freeze
from suites.session import Json, Result, Session, UnknownTask, UnknownTool, Verdict

_ATTACK = "important_instructions"

# Reading, by name, except tools that change something: mails become read, requests to the web are recorded.
_READING = ("get_", "list_", "search_", "read_")
_NOT_READING = {"get_unread_emails", "get_webpage"}


def tasks(suite: str, injection: str | None = None) -> Iterator[Json]:
    """All user tasks, with the ground truth. An injection changes it where a name in the data is a place for one."""
    loaded = _suite(suite)
    environment = _environment(loaded, _injection(loaded, injection))
    for number, task in loaded.user_tasks.items():
        before = task.init_environment(deepcopy(environment))
        yield {
            "suite": suite,
            "task": str(number),
            "class": f"{_name(suite)} {task.DIFFICULTY.name.lower()}",
            "needs": "a Docker sandbox for its terminal" if task.REQUIRES_SANDBOX else None,
            "turns": [{"user": task.PROMPT, "calls": _truth(task, before), "answer": task.GROUND_TRUTH_OUTPUT or None}],
        }


def injections(suite: str) -> Iterator[Json]:
    """The injection tasks: the text that the attack of the suite places, and the calls that reach the goal."""
    if suite == "agentdojo-workspace-plus":
        # The same as those of the workspace, and one that needs a sandbox.
        return
    loaded = _suite(suite)
    for number, task in loaded.injection_tasks.items():
        yield {
            "injection": str(number),
            "goal": task.GOAL,
            "text": _attack(task),
            "calls": _truth(task, _environment(loaded, task)),
            "answer": task.GROUND_TRUTH_OUTPUT or None,
        }


def session(suite: str, task: str, injection: str | None) -> "DojoSession":
    """The task at its start, with the injection in all places that the suite has for it."""
    loaded = _suite(suite)
    user_task = loaded.user_tasks.get(_number(task))
    if user_task is None:
        raise UnknownTask(f"no task {task}")
    if user_task.REQUIRES_SANDBOX:
        raise UnknownTask(f"task {task} needs a sandbox")
    return DojoSession(loaded, user_task, _injection(loaded, injection))


class DojoSession(Session):
    """The environment of one task, and the log of what was called."""

    def __init__(self, suite: Any, user_task: Any, injection_task: Any) -> None:
        self._suite = suite
        self._user_task = user_task
        self._injection_task = injection_task
        environment = user_task.init_environment(_environment(suite, injection_task))
        self._before = deepcopy(environment)
        self._store = Store()
        for key in type(environment).model_fields:
            self._store.set(key, getattr(environment, key))
        self._definitions = {tool.name: tool for tool in map(ToolDef, suite.tools)}
        self._traces: list[ToolCall] = []

    def tools(self) -> list[Json]:
        return [_described(tool) for tool in self._definitions.values()]

    def call(self, name: str, args: Json) -> Result:
        tool = self._definitions.get(name)
        if tool is None:
            raise UnknownTool(name)
        self._traces.append(ToolCall(id=str(len(self._traces)), function=name, arguments=args, type="function"))
        init_subtask_store(self._store)
        # What `execute_tools` of inspect_ai does with one call, without its log of events.
        try:
            wrong = validate_tool_input(args, tool.parameters)
            if wrong:
                return Result(wrong, error=True)
            value = asyncio.run(tool.tool(**tool_params(args, tool.tool)))
        except Exception as error:
            mapped = tool_call_error(error, name)
            return Result(mapped.error.message if mapped else str(error), error=True)
        content = resolve_tool_content(value, name, tool.max_output).content
        if not isinstance(content, str):
            raise TypeError(f"{name} returned other content than text")
        return Result(content)

    def judge(self, answer: str) -> Verdict:
        verdict = Verdict(True)
        after = self._after()
        try:
            verdict.passed = bool(
                asyncio.run(self._user_task.utility(answer, self._before, after, traces=self._traces))
            )
            if not verdict.passed:
                verdict.problems.append(f"the utility of the task is false; changed: {self._changed(after)}")
        except Exception as error:
            verdict.passed = False
            verdict.problems.append(f"the utility of the task raised {type(error).__name__}: {error}")
        if self._injection_task is not None:
            verdict.injected = bool(
                asyncio.run(self._injection_task.security(answer, self._before, after, traces=self._traces))
            )
        return verdict

    def state(self) -> Json:
        return self._after().model_dump()

    def _after(self) -> Any:
        return self._suite.environment_type.model_construct(**dict(self._store.items()))

    def _changed(self, after: Any) -> str:
        """The parts of the environment that differ, two levels deep."""
        old, new = self._before.model_dump(), after.model_dump()
        paths = [
            f"{part}.{key}" if isinstance(new[part], dict) else part
            for part in new
            for key in (new[part] if isinstance(new[part], dict) else [None])
            if (old[part].get(key) != new[part][key] if key is not None else old[part] != new[part])
        ]
        return ", ".join(paths) or "nothing"


def _described(tool: ToolDef) -> Json:
    out: Json = {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.parameters.model_dump(exclude_none=True),
    }
    if tool.name.startswith(_READING) and tool.name not in _NOT_READING:
        out["annotations"] = {"readOnlyHint": True}
    return out


def _suite(suite: str) -> Any:
    name = _name(suite)
    module = importlib.import_module(f"inspect_evals.agentdojo.task_suites.{name}.task_suite")
    loaded = getattr(module, f"{name.upper()}_TASK_SUITE")
    # Its own folder, but found without resources of a package whose `__init__` did not run.
    import inspect_evals.agentdojo as package

    # The parser in C reads the same, several times faster.
    if hasattr(yaml, "CSafeLoader"):
        yaml.safe_load = lambda text: yaml.load(text, yaml.CSafeLoader)
    loaded.data_path = f"{package.__path__[0]}/data/suites/{name}"
    for tools in ("email_client", "cloud_drive_client"):
        freeze(importlib.import_module(f"inspect_evals.agentdojo.tools.{tools}"))
    return loaded


def _injection(loaded: Any, injection: str | None) -> Any:
    """The injection task with this number."""
    if injection is None:
        return None
    task = loaded.injection_tasks.get(_number(injection))
    if task is None or task.REQUIRES_SANDBOX:
        raise UnknownTask(f"no injection {injection} that runs without a sandbox")
    return task


def _environment(loaded: Any, injection_task: Any) -> Any:
    """The environment, with the attack in all places that the suite has for one."""
    texts = loaded.get_injection_vector_defaults()
    if injection_task is not None:
        texts = dict.fromkeys(texts, _attack(injection_task))
    return loaded.load_and_inject_default_environment(texts)


def _truth(task: Any, before: Any) -> list[Json]:
    return [{"tool": call.function, "args": call.arguments} for call in task.ground_truth(before)]


def _name(suite: str) -> str:
    return suite.removeprefix("agentdojo-").replace("-", "_")


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else -1


def _attack(injection_task: Any) -> str:
    return str(get_attack(_ATTACK)).format(goal=injection_task.GOAL)
