"""Budgets that runs share."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import ptc_runner as ptc

FEW = {"model_options": {"max_output_tokens": 100}}


def price(tokens: ptc.Tokens) -> float:
    return (tokens.input * 1 + tokens.output * 2) / 1e6


def replies(*answers: str) -> Any:
    """A model whose answers cost 1,010 tokens each."""
    left = list(answers)
    return lambda messages: ptc.Reply(left.pop(0), input_tokens=1_000, output_tokens=10)


def test_what_was_used_is_counted_over_runs() -> None:
    budget = ptc.Budget(tokens=1_000_000, usd=1.0, cost=price)
    agent = ptc.Agent("x", returns=int)
    for _ in range(2):
        assert agent.run(model=replies("(def a 1)", "(return a)"), budget=budget).value == 1
    assert budget.used.tokens == 4 * 1_010 and not budget.is_used_up
    assert budget.used.usd == pytest.approx(4 * 0.00102)
    budget.add(ptc.BudgetUsage(995_960, 0.0))
    assert budget.is_used_up
    assert repr(budget) == "<Budget tokens=1000000, usd=1.0; used: 1000000 tokens, 0.0041 USD>"


def test_a_request_that_does_not_fit_is_not_sent() -> None:
    asked: list[int] = []

    def model(messages: list[ptc.Message]) -> str:
        asked.append(1)
        return "(return 1)"

    budget = ptc.Budget(tokens=100)
    step = ptc.Agent("x").run(model=model, budget=budget)
    assert step.failure is not None and step.failure.reason == "llm_error"
    assert "100 of 100 tokens are left" in step.failure.message
    assert asked == [] and budget.used == ptc.BudgetUsage(0, 0.0) and budget.is_used_up


def test_runs_at_the_same_time_do_not_exceed_it_together() -> None:
    agent = ptc.Agent("x", returns=int, options=FEW)
    budget = ptc.Budget(tokens=12_000)

    def run(_: int) -> bool:
        return agent.run(model=replies("(return 1)"), budget=budget).ok

    with ThreadPoolExecutor(8) as pool:
        ends = list(pool.map(run, range(24)))
    assert any(ends) and not all(ends)
    assert budget.used.tokens == 1_010 * sum(ends) <= 12_000

    async def main() -> list[bool]:
        async def model(messages: list[ptc.Message]) -> ptc.Reply:
            await asyncio.sleep(0)
            return ptc.Reply("(return 1)", input_tokens=1_000, output_tokens=10)

        shared = ptc.Budget(tokens=12_000)
        steps = await asyncio.gather(*(agent.run_async(model=model, budget=shared) for _ in range(24)))
        assert shared.used.tokens == 1_010 * sum(step.ok for step in steps) <= 12_000
        return [step.ok for step in steps]

    ends = asyncio.run(main())
    assert any(ends) and not all(ends)


def test_a_stream_is_paid_from_it_too() -> None:
    budget = ptc.Budget()
    stream = ptc.Agent("x").stream(model=replies("(return 1)"), budget=budget)
    assert list(stream) and stream.step.value == 1
    assert budget.used == ptc.BudgetUsage(1_010, 0.0) and not budget.is_used_up


def test_models_have_their_own_prices() -> None:
    budget = ptc.Budget(usd=1.0, cost=price)
    free = budget.with_cost(lambda tokens: 0)
    agent = ptc.Agent("x")
    assert agent.run(model=replies("(return 1)"), budget=free).ok
    assert budget.used == free.used == ptc.BudgetUsage(1_010, 0.0)
    assert agent.run(model=replies("(return 1)"), budget=budget).ok
    assert free.used.tokens == 2_020 and free.used.usd == pytest.approx(0.00102)


def test_a_cost_that_is_not_known_is_refused() -> None:
    step = ptc.Agent("x").run(model=replies("(return 1)"), budget=ptc.Budget(usd=1.0))
    assert step.failure is not None and "what this model costs is not known" in step.failure.message


@pytest.mark.parametrize("cost", [-1.0, float("nan"), "1", True, None])
def test_a_cost_that_is_no_number_ends_the_run(cost: Any) -> None:
    budget = ptc.Budget(usd=1.0, cost=lambda tokens: cost)
    with pytest.raises(ValueError, match="the cost of tokens must be a number from 0 on"):
        ptc.Agent("x").run(model=replies("(return 1)"), budget=budget)

    async def main() -> None:
        await ptc.Agent("x").run_async(model=replies("(return 1)"), budget=budget)

    with pytest.raises(ValueError, match="the cost of tokens must be a number from 0 on"):
        asyncio.run(main())


def test_an_exception_of_the_cost_ends_the_run() -> None:
    def broken(tokens: ptc.Tokens) -> float:
        raise LookupError("no price")

    with pytest.raises(LookupError, match="no price"):
        ptc.Agent("x").run(model=replies("(return 1)"), budget=ptc.Budget(cost=broken))


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [({"tokens": -1}, ValueError), ({"tokens": "many"}, TypeError), ({"usd": -0.5}, ValueError), ({"usd": float("nan")}, ValueError)],
)
def test_bad_budgets_are_refused(arguments: Any, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        ptc.Budget(**arguments)
