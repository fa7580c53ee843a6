"""BFCL v4, multi-turn: its own executor runs the calls, its own checkers judge them."""

import ast
import importlib
import importlib.util
import inspect
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bfcl_eval.constants.executable_backend_config import (
    CLASS_FILE_PATH_MAPPING,
    MULTI_TURN_FUNC_DOC_FILE_MAPPING,
)
from bfcl_eval.eval_checker.multi_turn_eval.multi_turn_checker import (
    multi_turn_checker,
    response_checker,
    state_checker,
)
from bfcl_eval.eval_checker.multi_turn_eval.multi_turn_utils import execute_multi_turn_func_call

from suites.bfcl_docs import described
from suites.fixed import freeze
from suites.session import Json, Result, Session, UnknownTask, UnknownTool, Verdict, shortened

_CATEGORIES = {"bfcl-base": "multi_turn_base", "bfcl-long": "multi_turn_long_context"}


def tasks(suite: str, injection: str | None = None) -> Iterator[Json]:
    """All tasks, with the ground truth as calls with named arguments."""
    _refuse_injection(injection)
    truths = {row["id"]: row["ground_truth"] for row in _rows(_truth_file(suite))}
    for entry in _rows(_task_file(suite)):
        yield {
            "suite": suite,
            "task": entry["id"],
            "class": " + ".join(entry["involved_classes"]),
            "needs": None,
            "turns": [
                {"user": "\n".join(m["content"] for m in messages), "calls": _calls(entry, truth), "answer": None}
                for messages, truth in zip(entry["question"], truths[entry["id"]], strict=True)
            ],
        }


def injections(suite: str) -> Iterator[Json]:
    """None: the suite has no injections."""
    return iter(())


def session(suite: str, task: str, injection: str | None) -> "BfclSession":
    """The task at its start."""
    _refuse_injection(injection)
    entry = _row(_task_file(suite), task)
    truth = _row(_truth_file(suite), task)
    if entry is None or truth is None:
        raise UnknownTask(f"no task {task}")
    return BfclSession(suite, entry, truth["ground_truth"])


def _refuse_injection(injection: str | None) -> None:
    if injection is not None:
        raise UnknownTask("the suite has no injections")


class BfclSession(Session):
    """Instances of the classes of one task, and the log of what was called."""

    def __init__(self, suite: str, entry: Json, truth: list[list[str]]) -> None:
        self._entry = entry
        self._truth = truth
        self._long = suite == "bfcl-long"
        # The classes, before anything reads the clock through them.
        self._classes = {name: _class(name) for name in entry["involved_classes"]}
        self._names = {doc["name"] for name in self._classes for doc in _docs(name)}
        self._turns: list[list[str]] = [[]]
        self._results: list[str] = []
        self._failed: list[str] = []
        _, self._instances = self._execute([], "live")

    def tools(self) -> list[Json]:
        return [described(doc, class_) for name, class_ in self._classes.items() for doc in _docs(name)]

    def call(self, name: str, args: Json) -> Result:
        if name not in self._names:
            raise UnknownTool(name)
        # The suite evaluates the call as Python: a name must be a name.
        strange = [key for key in args if not key.isidentifier()]
        if strange:
            return Result(f"Error during execution: {strange[0]!r} is not the name of an argument", error=True)
        source = f"{name}({','.join(f'{key}={value!r}' for key, value in args.items())})"
        (text,), _ = self._execute([source], "live")
        self._turns[-1].append(source)
        self._results.append(text)
        return Result(text, _object(text), text.startswith("Error during execution:"))

    def judge(self, answer: str) -> Verdict:
        turn = len(self._turns) - 1
        if turn >= len(self._truth):
            return Verdict(False, [f"the task has {len(self._truth)} turns only"])
        problem = self._turn_problem(turn)
        # As in the suite: the first turn that fails decides.
        if problem is not None and not self._failed:
            self._failed = [f"turn {turn + 1}: {problem}"]
        if turn + 1 == len(self._truth):
            again = self._check_again()
            if again is not None and not self._failed:
                self._failed = [f"the suite's checker on the logged calls: {again}"]
        self._turns.append([])
        return Verdict(not self._failed, list(self._failed))

    def state(self) -> Json:
        return {
            name: {key: repr(value) for key, value in vars(instance).items() if not key.startswith("_")}
            for name, instance in self._instances.items()
        }

    def _turn_problem(self, turn: int) -> str | None:
        """What the checkers of the suite say after this turn, in the order in which it asks them."""
        truth = self._truth[turn]
        expected, instances = self._execute(truth, "truth")
        if not truth:
            return None
        if not self._turns[turn]:
            return "no call was made, the ground truth has some"
        state = state_checker(self._instances, instances)
        if not state["valid"]:
            return _problem(state)
        response = response_checker(self._results, expected, turn)
        return None if response["valid"] else _problem(response)

    def _check_again(self) -> str | None:
        """The verdict of the suite when it executes the logged calls itself."""
        steps = [[[source] for source in turn] for turn in self._turns]
        verdict = multi_turn_checker(steps, self._truth, self._entry, self._category(), "again")
        return None if verdict["valid"] else _problem(verdict)

    def _category(self) -> str:
        return self._entry["id"].rsplit("_", 1)[0]

    def _execute(self, calls: list[str], who: str) -> tuple[list[str], Json]:
        return execute_multi_turn_func_call(
            func_call_list=calls,
            initial_config=self._entry["initial_config"],
            involved_classes=self._entry["involved_classes"],
            model_name=who,
            test_entry_id=self._entry["id"],
            long_context=self._long,
        )


def _problem(verdict: Json) -> str:
    details = verdict.get("details", {})
    shown = details.get("differences") or details.get("missing_items")
    return shortened(f"{verdict['error_message']} {shown}" if shown else verdict["error_message"])


def _object(text: str) -> Json | None:
    """`text` as a JSON object, where it is one."""
    if not text.startswith("{"):
        return None
    try:
        # Infinity and NaN are not JSON, though Python writes them.
        value = json.loads(text, parse_constant=_refuse)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _refuse(name: str) -> None:
    raise ValueError(name)


def _calls(entry: Json, truth: list[str]) -> list[Json]:
    owners = {doc["name"]: name for name in entry["involved_classes"] for doc in _docs(name)}
    return [_parsed(source, owners) for source in truth]


def _parsed(source: str, owners: dict[str, str]) -> Json:
    """A call of the ground truth; positional arguments get the names of the signature."""
    call = ast.parse(source.strip(), mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise ValueError(f"not a call: {source}")
    method = getattr(_class(owners[call.func.id]), call.func.id)
    args = [ast.literal_eval(arg) for arg in call.args]
    named = {word.arg: ast.literal_eval(word.value) for word in call.keywords if word.arg is not None}
    bound = inspect.signature(method).bind(None, *args, **named)
    return {"tool": call.func.id, "args": {key: value for key, value in bound.arguments.items() if key != "self"}}


@cache
def _class(name: str) -> Any:
    module = importlib.import_module(CLASS_FILE_PATH_MAPPING[name])
    freeze(module)
    return getattr(module, name)


@cache
def _docs(name: str) -> list[Json]:
    return list(_rows(_data() / "multi_turn_func_doc" / MULTI_TURN_FUNC_DOC_FILE_MAPPING[name]))


@cache
def _data() -> Path:
    spec = importlib.util.find_spec("bfcl_eval")
    if spec is None or spec.origin is None:
        raise ImportError("bfcl_eval is not installed: run tests/outside/install")
    return Path(spec.origin).parent / "data"


def _task_file(suite: str) -> Path:
    return _data() / f"BFCL_v4_{_CATEGORIES[suite]}.json"


def _truth_file(suite: str) -> Path:
    return _data() / "possible_answer" / f"BFCL_v4_{_CATEGORIES[suite]}.json"


def _rows(path: Path) -> Iterator[Json]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)


def _row(path: Path, task: str) -> Json | None:
    """The row with this id. Other lines are not parsed: a server starts for one task."""
    mark = f'"{task}"'
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            if mark in line[:100]:
                row = json.loads(line)
                if row["id"] == task:
                    return row
    return None
