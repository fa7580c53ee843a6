"""Budgets that runs share."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from . import _native
from ._given import found, function, integer


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a request and its answer took.

    input: all of them, cached ones included.
    output: reasoning included.
    cached: input tokens that the provider read from its cache.
    cache_write: input tokens that it wrote there.
    """

    input: int
    output: int
    cached: int = 0
    cache_write: int = 0


@dataclass(frozen=True, slots=True)
class BudgetUsage:
    """Tokens, those of requests and answers together, and what they cost."""

    tokens: int
    usd: float


class Budget:
    """A limit on tokens, on cost or on both, for any number of runs together, in any threads.

    >>> budget = Budget(tokens=100_000, usd=0.50, cost=lambda tokens: tokens.input * 0.25e-6 + tokens.output * 2e-6)
    >>> budget.used
    BudgetUsage(tokens=0, usd=0.0)

    A request reserves what it may use at most: its estimated size and
    `max_output_tokens`, 4,096 if the agent does not say less. It waits while
    other requests hold what it needs, and the run ends with the failure
    `llm_error` when it does not fit even without them. So runs that begin at the
    same time cannot exceed the budget together.
    """

    def __init__(
        self,
        *,
        tokens: int | None = None,
        usd: float | None = None,
        cost: Callable[[Tokens], float] | None = None,
    ) -> None:
        """A budget of which nothing is used.

        tokens: of requests and answers together.
        usd: what they may cost. It needs `cost`.
        cost: what tokens of the model cost, in USD; what it raises ends the run.
            `with_cost` is for models with other prices.
        """
        integer("tokens", tokens)
        if usd is not None and (isinstance(usd, bool) or not isinstance(usd, (int, float))):
            raise TypeError(f"usd must be a number from 0 on, got {found(usd)}; write usd=0.50")
        function("cost", cost)
        self._native = _native.Budget(tokens, usd)
        self._limits = (tokens, usd)
        self._cost = cost

    def __repr__(self) -> str:
        limits = zip(("tokens", "usd"), self._limits)
        given = ", ".join(f"{name}={limit}" for name, limit in limits if limit is not None)
        return f"<Budget {given or 'without a limit'}; used: {self.used.tokens} tokens, {self.used.usd:.4f} USD>"

    def with_cost(self, cost: Callable[[Tokens], float]) -> Budget:
        """The same budget, for runs whose model has other prices."""
        other = object.__new__(type(self))
        other._native, other._limits, other._cost = self._native, self._limits, cost
        return other

    @property
    def used(self) -> BudgetUsage:
        """What was used, without requests that are not answered yet.

        What was reserved counts where the use is not known: an answer without
        token counts, and a request whose run was cancelled.
        """
        return BudgetUsage(*self._native.used())

    @property
    def is_used_up(self) -> bool:
        """Whether a request was refused, or a limit is reached: further runs would fail."""
        return self._native.is_used_up()

    def add(self, used: BudgetUsage) -> None:
        """Count what was used before, or elsewhere."""
        self._native.add(used.tokens, used.usd)

    @property
    def _native_cost(self) -> Callable[[dict[str, int]], float] | None:
        cost = self._cost
        return None if cost is None else lambda counts: _checked(cost(Tokens(**counts)))


def _checked(cost: float) -> float:
    """What a function said that tokens cost."""
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not math.isfinite(cost) or cost < 0:
        raise ValueError(f"the cost of tokens must be a number from 0 on, got {cost!r}")
    return float(cost)
