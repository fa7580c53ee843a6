"""A suite as a folder for `ptc eval-suite`: `evaluation.py SUITE DIR` writes suite.toml and tasks.toml."""

from suites.fixed import restart_when_needed

restart_when_needed()

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from suites import SUITES, module_of

SERVER = "env"
TURNS = 30


def toml(value: Any) -> str:
    """Texts and lists of them as TOML: strings of JSON are strings of TOML, except for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def case(suite: str, task: dict[str, Any]) -> str:
    """A task as a case."""
    server = Path(__file__).resolve().with_name("server.py")
    texts = [turn["user"] for turn in task["turns"]]
    lines = [
        f"[cases.{toml(task['task'])}]",
        f"description = {toml(task['class'])}",
        f"mission = {toml(texts[0])}",
        f"max_turns = {TURNS}",
        f'judge = "{SERVER}.suite_judge"',
    ]
    if texts[1:]:
        lines.append(f"then = {toml(texts[1:])}")
    lines.append(f"[cases.{toml(task['task'])}.mcp.{SERVER}]")
    lines.append(f"command = {toml([sys.executable, str(server), suite, '--task', task['task']])}")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("folder", type=Path)
    args = parser.parse_args()
    tasks = [task for task in module_of(args.suite).tasks(args.suite, None) if task["needs"] is None]
    args.folder.mkdir(parents=True, exist_ok=True)
    head = f'title = {toml(f"Tasks of {args.suite}")}\nlevels = ["tasks"]\n'
    (args.folder / "suite.toml").write_text(head, encoding="utf-8")
    cases = "\n".join(case(args.suite, task) for task in tasks)
    (args.folder / "tasks.toml").write_text(cases, encoding="utf-8")
    print(f"{len(tasks)} tasks in {args.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
