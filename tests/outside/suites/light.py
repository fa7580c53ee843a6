"""Imports parts of large packages without the rest."""

import importlib.machinery
import importlib.util
import sys
from pathlib import Path


def bare(*names: str) -> None:
    """Declares packages whose `__init__` is not run.

    `inspect_ai/__init__.py` and those of inspect_evals load servers, terminals and log formats, which takes two
    seconds. The modules that the tools need do not depend on them.
    """
    for name in names:
        folder = _folder(name)
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        sys.modules[name] = importlib.util.module_from_spec(spec)


def _folder(name: str) -> Path:
    parent, _, last = name.rpartition(".")
    roots = sys.modules[parent].__path__ if parent else sys.path
    for root in roots:
        folder = Path(root) / last
        if (folder / "__init__.py").is_file():
            return folder
    raise ImportError(f"{name} is not installed: run tests/outside/install")
