"""The same bytes in every run: hash seed, time zone, clock and random numbers are fixed."""

import datetime as real
import os
import random
import sys
import types

# After all dates in the data of the suites, as the true clock is.
NOW = real.datetime(2026, 1, 1, 12, 0, 0)

_ENVIRONMENT = {"PYTHONHASHSEED": "0", "TZ": "UTC"}


def restart_when_needed() -> None:
    """Starts this program again with a fixed hash seed and time zone. To be called before anything slow is imported."""
    if any(os.environ.get(key) != value for key, value in _ENVIRONMENT.items()):
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **_ENVIRONMENT})
    random.seed(0)


class Frozen(real.datetime):
    """`datetime` whose clock is always at `NOW`. What it makes are plain datetimes, which pydantic and YAML know."""

    def __new__(cls, *args: object, **kwargs: object) -> "Frozen":
        return real.datetime(*args, **kwargs)  # type: ignore[arg-type,return-value]

    @classmethod
    def now(cls, tz: real.tzinfo | None = None) -> "Frozen":
        return NOW if tz is None else NOW.replace(tzinfo=real.UTC).astimezone(tz)  # type: ignore[return-value]

    @classmethod
    def today(cls) -> "Frozen":
        return NOW  # type: ignore[return-value]

    @classmethod
    def utcnow(cls) -> "Frozen":
        return NOW  # type: ignore[return-value]


def freeze(*modules: types.ModuleType) -> None:
    """Replaces the clock that these modules read, after `import datetime` or `from datetime import datetime`."""
    clock = types.ModuleType("datetime")
    clock.__dict__.update(real.__dict__)
    clock.datetime = Frozen  # type: ignore[attr-defined]
    for module in modules:
        name = getattr(module, "datetime", None)
        if name is real:
            module.datetime = clock  # type: ignore[attr-defined]
        elif name is real.datetime:
            module.datetime = Frozen  # type: ignore[attr-defined]
