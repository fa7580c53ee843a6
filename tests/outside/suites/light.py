"""Imports parts of large packages without the rest."""

import ast
import importlib
import importlib.machinery
import importlib.util
import sys
from pathlib import Path
from typing import Any


def lazy(*names: str) -> None:
    """Declares packages whose `__init__` is not run: what it would import is imported at its first use.

    `inspect_ai/__init__.py` and those of its parts load servers, terminals and log formats, which takes two
    seconds. The tools need little of it. Parents must be named before their parts.
    """
    for name in names:
        folder = _folder(name)
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        spec.submodule_search_locations = [str(folder)]
        package = importlib.util.module_from_spec(spec)
        package.__dict__["__getattr__"] = _getter(name, _imports(name, folder / "__init__.py"))
        sys.modules[name] = package


def _folder(name: str) -> Path:
    parent, _, last = name.rpartition(".")
    for root in sys.modules[parent].__path__ if parent else sys.path:
        folder = Path(root) / last
        if (folder / "__init__.py").is_file():
            return folder
    raise ImportError(f"{name} is not installed: run tests/outside/install")


def _imports(package: str, file: Path) -> dict[str, tuple[str, str]]:
    """The names that a package takes from modules: module and name there."""
    found: dict[str, tuple[str, str]] = {}
    for node in ast.parse(file.read_bytes()).body:
        if isinstance(node, ast.ImportFrom):
            module = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
            for alias in node.names:
                found[alias.asname or alias.name] = (module, alias.name)
    return found


def _getter(package: str, names: dict[str, tuple[str, str]]) -> Any:
    def getter(name: str) -> Any:
        if name not in names:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, original = names[name]
        value = getattr(importlib.import_module(module), original)
        setattr(sys.modules[package], name, value)
        return value

    return getter
