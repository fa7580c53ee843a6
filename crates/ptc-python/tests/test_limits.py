"""Limits of sessions, calls and agents."""

from dataclasses import astuple, replace
from typing import Any

import pytest

import ptc_runner as ptc

NESTED = "((fn down [n] (if (= n 0) 0 (inc (down (dec n))))) 100)"


def code_of(program: str, **arguments: Any) -> str | None:
    """Why the only program of an agent stopped; None when it did not."""
    step = ptc.Agent("x", max_turns=1, **arguments).run(model=lambda messages: program)
    return None if step.failure is None else step.failure.reason


@pytest.mark.parametrize(
    ("program", "limits", "code"),
    [
        ("(loop [] (recur))", ptc.Limits(fuel=1_000), "fuel_exceeded"),
        ("(loop [] (recur))", ptc.Limits(seconds=0.01, fuel=10**15), "timeout"),
        ("(count (vec (range 1000000)))", ptc.Limits(memory=1_000_000), "memory_exceeded"),
        (NESTED, ptc.Limits(depth=50), "recursion_limit_exceeded"),
        ("(return (+ 1 2 3 4 5 6))", ptc.Limits(source_bytes=10), "parse_error"),
    ],
)
def test_limits_hold_for_the_programs_of_an_agent(program: str, limits: ptc.Limits, code: str) -> None:
    assert code_of(program, limits=limits) == code
    caught = f"(try {program} (catch Exception e 1))"
    assert code_of(caught, limits=limits) == code


def test_what_is_not_given_has_the_default_of_the_owner() -> None:
    assert code_of(NESTED, limits=ptc.Limits(fuel=10_000)) is None
    session, agent = ptc.Session(limits=ptc.Limits(fuel=7)).limits, ptc.Agent("x", limits=ptc.Limits(fuel=7)).limits
    assert None not in astuple(session) + astuple(agent)
    assert session.fuel == agent.fuel == 7
    assert session.depth == agent.depth == 10_000 and session.seconds == agent.seconds == 5
    assert (session.memory, agent.memory) == (64 * 2**20, 256 * 2**20)
    assert ptc.Session().limits == ptc.Session(limits=ptc.Limits()).limits == replace(session, fuel=100_000_000)
    everything = ptc.Limits(1, 2, 3.0, 4, 5, 6, 7)
    assert ptc.Session(limits=everything).limits == everything == ptc.Agent("x", limits=everything).limits


def test_prints_are_limited() -> None:
    agent = ptc.Agent("x", limits=ptc.Limits(print_chars=4, prints=2))
    step = agent.run(model=ptc.ScriptedModel(['(println "abcdef") (println 1) (println "uvwxyz")', "(return 1)"]))
    assert step.turns[0].prints == ["(1 earlier line is not kept)", "1", "uvwx..."]


def test_limits_win_over_options() -> None:
    agent = ptc.Agent("x", options={"fuel": 5, "timeout": 9.0, "max_heap": 2**20}, limits=ptc.Limits(fuel=6))
    assert (agent.limits.fuel, agent.limits.seconds, agent.limits.memory) == (6, 9.0, 2**20)


@pytest.mark.parametrize(
    ("limits", "kind", "text"),
    [
        ({"fuel": 10}, TypeError, "limits must be ptc_runner.Limits(fuel=…), got dict"),
        (ptc.Limits(fuel=-1), ValueError, "limit fuel must be an integer from 0 on, got -1"),
        (ptc.Limits(depth=0), ValueError, "limit depth of an agent must be an integer above 0, got 0"),
        (ptc.Limits(memory=0), ValueError, "limit memory of an agent must be an integer above 0, got 0"),
        (ptc.Limits(seconds=0), ValueError, "limit seconds must be a number of seconds above 0"),
    ],
)
def test_bad_limits_are_named(limits: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        ptc.Agent("x", limits=limits)
    assert text in str(caught.value)
