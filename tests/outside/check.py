"""Runs the ground truth of all tasks through the sessions, in process, and asks the judge: `check.py [SUITE…]`."""

from suites.fixed import restart_when_needed

restart_when_needed()

import argparse
import sys
import tomllib
from pathlib import Path

from jsonschema import Draft202012Validator

from suites import SUITES, module_of
from suites.session import Json, Result, Session, shortened


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}; by default all")
    suites = parser.parse_args().suites or list(SUITES)
    unknown = [suite for suite in suites if suite not in SUITES]
    if unknown:
        parser.error(f"no suite {unknown[0]}")
    wrong = sum(_check(suite, _exceptions(suite)) for suite in suites)
    return 1 if wrong else 0


def _exceptions(suite: str) -> dict[str, str]:
    """The tasks whose ground truth is known to fail, with the reason."""
    table = Path(__file__).with_name("exceptions.toml")
    return tomllib.loads(table.read_text(encoding="utf-8")).get(suite, {})


def _check(suite: str, exceptions: dict[str, str]) -> int:
    """Prints the counts of a suite; returns how many tasks differ from what is expected."""
    module = module_of(suite)
    passed, skipped, known, wrong = 0, 0, 0, 0
    for task in module.tasks(suite):
        if task["needs"] is not None:
            skipped += 1
            continue
        problems = _run(module.session(suite, task["task"], None), task)
        expected = task["task"] in exceptions
        if not problems:
            passed += 1
        if bool(problems) != expected:
            wrong += 1
            print(f"{suite} {task['task']}: {'; '.join(problems) or 'passes, but is listed as an exception'}")
        elif expected:
            known += 1
            print(f"{suite} {task['task']}: exception: {exceptions[task['task']]}")
    print(f"{suite}: {passed} pass, {known} known exceptions, {skipped} need a sandbox, {wrong} unexpected", flush=True)
    return wrong


def _run(session: Session, task: Json) -> list[str]:
    """The problems after the last turn, and those that readers must not cause."""
    tools = {tool["name"]: tool for tool in session.tools()}
    problems: list[str] = []
    for turn in task["turns"]:
        for call in turn["calls"]:
            tool = tools[call["tool"]]
            before = session.state() if "annotations" in tool else None
            result = session.call(call["tool"], call["args"])
            problems += _unlike(tool, call, result)
            if before is not None and before != session.state():
                problems.append(f"{call['tool']} is said to read only, but changed the state")
        verdict = session.judge(turn["answer"] or "")
    return problems + ([] if verdict.passed else verdict.problems)


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
