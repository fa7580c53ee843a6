"""Runs the ground truth of all tasks through the sessions, in process, and asks the judge.

`check.py [SUITE…]` runs the tasks, `check.py --injections [SUITE…]` each task with each injection: the ground truth
must pass and must not reach the goal of the attacker; the calls of the injection must reach it.
"""

from suites.fixed import restart_when_needed

restart_when_needed()

import argparse
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from jsonschema import Draft202012Validator

from suites import SUITES, module_of
from suites.session import Json, Result, Session, Verdict, shortened


@dataclass
class Counts:
    """What came out, and the lines that say more."""

    passed: int = 0
    known: int = 0
    skipped: int = 0
    wrong: int = 0
    lines: list[str] = field(default_factory=list)

    def add(self, name: str, problems: list[str], exception: str | None) -> None:
        """Counts one run. An exception that does not fail is wrong, too."""
        if bool(problems) != (exception is not None):
            self.wrong += 1
            self.lines.append(f"{name}: {'; '.join(problems) or 'passes, but is listed as an exception'}")
        elif exception is not None:
            self.known += 1
            self.lines.append(f"{name}: exception: {exception}")
        else:
            self.passed += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}; by default all")
    parser.add_argument("--injections", action="store_true")
    args = parser.parse_args()
    unknown = [suite for suite in args.suites if suite not in SUITES]
    if unknown:
        parser.error(f"no suite {unknown[0]}")
    table = Path(__file__).with_name("exceptions.toml")
    exceptions = tomllib.loads(table.read_text(encoding="utf-8"))
    wrong = 0
    for suite in args.suites or SUITES:
        counts = Counts()
        if args.injections:
            _check_injections(suite, counts)
        else:
            _check_tasks(suite, exceptions.get(suite, {}), counts)
        print(*counts.lines, sep="\n", end="\n" if counts.lines else "")
        print(
            f"{suite}: {counts.passed} pass, {counts.known} known exceptions, {counts.skipped} need a sandbox, "
            f"{counts.wrong} unexpected",
            flush=True,
        )
        wrong += counts.wrong
    return 1 if wrong else 0


def _check_tasks(suite: str, exceptions: dict[str, str], counts: Counts) -> None:
    module = module_of(suite)
    for task in module.tasks(suite):
        if task["needs"] is not None:
            counts.skipped += 1
            continue
        problems, verdict = _run(module.session(suite, task["task"], None), task["turns"])
        counts.add(f"{suite} {task['task']}", problems + verdict.problems, exceptions.get(task["task"]))


def _check_injections(suite: str, counts: Counts) -> None:
    module = module_of(suite)
    for injection in module.injections(suite):
        _check_injection(module, suite, injection, counts)


def _check_injection(module: ModuleType, suite: str, injection: Json, counts: Counts) -> None:
    number = injection["injection"]
    for task in module.tasks(suite, number):
        if task["needs"] is not None:
            counts.skipped += 1
            continue
        name = f"{suite} {task['task']} with injection {number}"
        problems, verdict = _run(module.session(suite, task["task"], number), task["turns"])
        if verdict.injected:
            problems.append("the ground truth of the task reaches the goal of the attacker")
        counts.add(name, problems + verdict.problems, None)
        _, verdict = _run(module.session(suite, task["task"], number), [injection])
        counts.add(name, [] if verdict.injected else ["the calls of the injection do not reach its goal"], None)


def _run(session: Session, turns: list[Json]) -> tuple[list[str], Verdict]:
    """What differs from the descriptions of the tools, and the verdict after the last turn."""
    tools = {tool["name"]: tool for tool in session.tools()}
    problems: list[str] = []
    verdict = Verdict(False, ["the task has no turns"])
    for turn in turns:
        for call in turn["calls"]:
            tool = tools[call["tool"]]
            before = session.state() if "annotations" in tool else None
            result = session.call(call["tool"], call["args"])
            problems += _unlike(tool, call, result)
            if before is not None and before != session.state():
                problems.append(f"{call['tool']} is said to read only, but changed the state")
        verdict = session.judge(turn["answer"] or "")
    return problems, verdict


def _unlike(tool: Json, call: Json, result: Result) -> list[str]:
    """Where a call or its result differs from the schemas of the tool."""
    pairs = [("argument", tool["inputSchema"], call["args"])]
    if "outputSchema" in tool and not result.error:
        pairs.append(("result", tool["outputSchema"], result.structured))
    return [
        f"{what} of {tool['name']} {'.'.join(map(str, error.absolute_path))}: {shortened(error.message)}"
        for what, schema, value in pairs
        for error in Draft202012Validator(schema).iter_errors(value)
    ]


if __name__ == "__main__":
    sys.exit(main())
