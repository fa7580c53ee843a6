"""What a caller gives: class methods, arguments of a wrong type, and pickling."""

import pickle
from typing import Any

import pytest

import ptc_runner as ptc

MODEL = ptc.ScriptedModel(["(return 1)"])

#: For calls that a type checker would refuse.
untyped: Any = ptc
untyped_list: Any = list


class Rates:
    base = 2

    def __init__(self, factor: int = 3) -> None:
        self.factor = factor

    @ptc.tool
    @classmethod
    def inner(cls, n: int) -> int:
        """A class method inside."""
        return n * cls.base

    @classmethod
    @ptc.tool(name="outside")
    def outer(cls, n: int) -> int:
        """A class method around."""
        return n * cls.base

    @ptc.tool
    def scaled(self, n: int) -> int:
        """A method."""
        return n * self.factor


    def power(self, n: int) -> int:
        return n * self.factor


class Doubled(Rates):
    base = 4


@ptc.tool
def plain(n: int) -> int:
    """A function."""
    return n


@pytest.mark.parametrize("owner", [Rates, Doubled, Rates(), Doubled()])
def test_class_methods_are_tools_of_their_class(owner: Any) -> None:
    made = ptc.Session(tools=[owner.inner, owner.outer])
    assert made.run("[(tool/inner {:n 5}) (tool/outside {:n 5})]").value == [5 * owner.base] * 2
    assert owner.inner.signature == "(n :int) -> :int" and owner.inner(7) == owner.outer(7) == 7 * owner.base
    step = ptc.Agent("x", tools=[owner.outer]).run(model=ptc.ScriptedModel(["(return (tool/outside {:n 1}))"]))
    assert step.value == owner.base
    asked = ptc.Agent("x", tools=[owner.inner, owner.outer]).preview()[1]["content"]
    assert "tool/inner(n int) -> int" in asked and "tool/outside(n int) -> int" in asked


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: untyped.Agent("x").run(model=MODEL, budget=5), TypeError, "budget must be a Budget, got 5; write budget=ptc_runner.Budget"),
        (lambda: untyped.Agent("x").run(model=MODEL, seed="a"), TypeError, "seed must be an integer, got 'a'; write seed=1"),
        (lambda: untyped.Agent("x").run(model=MODEL, token_limit=-1), ValueError, "token_limit must be an integer from 0 on, got -1"),
        (lambda: untyped.Agent("x").run(model=MODEL, token_limit="1"), TypeError, "token_limit must be an integer from 0 on, got '1'"),
        (lambda: untyped.Agent("x").run(model=MODEL, after=3), TypeError, "after must be a Step, got 3; write after=the step that"),
        (lambda: untyped.Agent("x").run(model=MODEL, on_turn=[]), TypeError, r"on_turn must be a function, got \[\] \(list\); write on_turn=print"),
        (lambda: untyped.Agent("x").stream(model=MODEL, budget=5), TypeError, "budget must be a Budget, got 5"),
        (lambda: untyped.Budget(tokens=-1), ValueError, "tokens must be an integer from 0 on, got -1; write tokens=100"),
        (lambda: untyped.Budget(tokens=1.5), TypeError, "tokens must be an integer from 0 on, got 1.5"),
        (lambda: untyped.Budget(usd="1"), TypeError, "usd must be a number from 0 on, got '1'; write usd=0.50"),
        (lambda: untyped.Budget(usd=-1.0), ValueError, "usd must be a number from 0 on, got -1"),
        (lambda: untyped.Budget(usd=1, cost=3), TypeError, "cost must be a function, got 3"),
        (lambda: untyped.Agent("x", returns=5), TypeError, r"returns must be a type such as float, list\[str\] or a dataclass, got 5"),
        (lambda: untyped.Agent("x", returns=untyped_list[5]), TypeError, "returns must be a type such as float"),
        (lambda: untyped.Agent("x", returns=complex), TypeError, r"returns has the type complex, .*type as text: returns=\"{name :string}\"$"),
        (lambda: untyped.Agent("x", max_turns="3"), TypeError, "max_turns must be an integer above 0, got '3'"),
        (lambda: untyped.Agent("x", max_turns=True), TypeError, "max_turns must be an integer above 0, got True"),
        (lambda: untyped.Agent("x", max_turns=2**32), ValueError, "max_turns must be at most 4294967295, got 4294967296"),
        (lambda: untyped.Agent("x", max_turns=10**30), ValueError, "max_turns must be at most 4294967295, got 1000"),
        (lambda: untyped.Agent("x", retry_turns=-1), ValueError, "retry_turns must be an integer, 0 or more, got -1"),
        (lambda: untyped.Agent("x", options={"thinking": 1}), TypeError, "thinking must be a boolean, got 1"),
        (lambda: untyped.Agent("x", options={"llm_retry": {"max_attempts": "3"}}), TypeError, "max_attempts must be an integer above 0, got '3'"),
        (lambda: untyped.Agent("x", options=[5]), TypeError, r"options must be a dict of names to values, got \[5\] \(list\)"),
        (lambda: untyped.Agent("x").run(model=MODEL, options=5), TypeError, "options must be a dict of names to values, got 5"),
        (lambda: untyped.Agent("x").run(model=MODEL, options={"max_parallel": 5}), TypeError, "unknown option of runs `max_parallel`; did you mean `max_parallel_calls`"),
        (lambda: untyped.Agent("x").run(model=MODEL, options={"cache": "no"}), TypeError, "cache must be a boolean, got 'no'"),
        (lambda: untyped.Agent(5), TypeError, "mission must be a text, got 5; write ptc_runner.Agent"),
        (lambda: untyped.Agent("x", inputs=5), TypeError, r"inputs must be a text, got 5; write inputs=\"\(year :int\)\""),
        (lambda: untyped.ScriptedModel("(return 1)"), TypeError, r"answers must be a list of texts, got '\(return 1\)'; write ScriptedModel\(\["),
        (lambda: untyped.ScriptedModel([5]), TypeError, r"answers must be a list of texts, got \[5\] \(list\)"),
        (lambda: untyped.ScriptedModel(5), TypeError, "answers must be a list of texts, got 5"),
        (lambda: untyped.Session(seed="a"), TypeError, "seed must be an integer, got 'a'; write seed=1"),
        (lambda: untyped.compile("1", seed=1.5), TypeError, "seed must be an integer, got 1.5"),
        (lambda: untyped.Session(limits=ptc.Limits(fuel=10**30)), ValueError, r"limit fuel must be below 2\*\*64, got 1000"),
        (lambda: untyped.Session().run(5), TypeError, r"program must be a text, got 5; write session.run\("),
        (lambda: untyped.Session().check(None), TypeError, r"program must be a text, got None; write session.check\("),
        (lambda: untyped.Session().define(5, 1), TypeError, "name must be a text, got 5; write session.define"),
        (lambda: untyped.Session().function(5), TypeError, "name must be a text, got 5; write session.function"),
        (lambda: untyped.compile(5), TypeError, r"program must be a text, got 5; write ptc_runner.compile\("),
        (lambda: untyped.compile("1").function(5), TypeError, "name must be a text, got 5; write program.function"),
        (lambda: untyped.tool(effect="none")(len), ValueError, 'effect must be "read" or "write", got \'none\''),
        (lambda: untyped.tool(signature="(a :number)")(plain.function), ValueError, "tool 'plain': signature, line 1, column 4"),
        (lambda: untyped.tool(signature=5)(len), TypeError, "signature must be a text, got 5; write signature="),
        (lambda: untyped.tool(name=5)(len), TypeError, "name must be a text, got 5; write name="),
        (lambda: untyped.tool(description=5)(len), TypeError, "description must be a text, got 5; write description="),
        (lambda: untyped.tool(timeout="x")(len), TypeError, "timeout must be a number of seconds above 0, got 'x'; write timeout=30"),
        (lambda: untyped.tool(timeout=0)(len), ValueError, "timeout must be a number of seconds above 0, got 0"),
    ],
)
def test_an_error_names_the_argument_and_what_to_write(call: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind, match=f"^{text}"):
        call()


def test_tools_and_agents_pickle() -> None:
    def same(it: Any) -> Any:
        return pickle.loads(pickle.dumps(it))

    assert same(plain) is plain
    assert same(Rates(5).scaled)(2) == 10 and same(Doubled.inner)(2) == same(Doubled.outer)(2) == 8
    other = same(ptc.Tool(Rates(7).power, name="squared", timeout=3.0))
    assert (other.name, other.timeout, other(2)) == ("squared", 3.0, 14)
    agent = same(ptc.Agent("Rate it.", tools=[plain, Rates(5).scaled], returns=list[int], max_turns=2, options={"thinking": True}))
    step = agent.run(model=ptc.ScriptedModel(["(return [(tool/plain {:n 1}) (tool/scaled {:n 1})])"]))
    assert step.value == [1, 5] and repr(agent) == "<Agent 'Rate it.', tools: plain, scaled>"
    assert agent.preview() == same(agent).preview()


def test_what_cannot_be_pickled_says_what_to_do() -> None:
    step = ptc.Agent("x", max_turns=1).run(model=ptc.ScriptedModel(["(fail :no)"]))
    with pytest.raises(TypeError, match=r"a Step .* cannot be pickled; pass on step.value, .* step.save\(path\)"):
        pickle.dumps(step)
    with pytest.raises(ptc.RunFailed) as failed:
        step.value
    with pytest.raises(TypeError, match=r"a RunFailed has a step, which cannot be pickled; .* which is 'failed: "):
        pickle.dumps(failed.value)
