"""The suites by name: each module has `tasks(suite, injection)`, `injections(suite)` and `session(suite, task, injection)`."""

import importlib
from types import ModuleType

SUITES: dict[str, str] = {
    "bfcl-base": "bfcl",
    "bfcl-long": "bfcl",
    "agentdojo-banking": "agentdojo",
    "agentdojo-slack": "agentdojo",
    "agentdojo-travel": "agentdojo",
    "agentdojo-workspace": "agentdojo",
    "agentdojo-workspace-plus": "agentdojo",
}


def module_of(suite: str) -> ModuleType:
    """The module that runs `suite`. Imported here, so that a server loads one suite only."""
    return importlib.import_module(f"suites.{SUITES[suite]}")
