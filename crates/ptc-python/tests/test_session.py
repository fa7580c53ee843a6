"""Sessions: programs, tools, limits, threads, signals."""

import asyncio
import os
import signal
import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ptc_runner as ptc


def test_an_outcome_has_everything() -> None:
    @ptc.tool(effect="read", cache=True)
    def double(n: int) -> int:
        """Twice the number."""
        return 2 * n

    session = ptc.Session({"n": 4}, tools=[double])
    outcome = session.run("(println :start) (def d (tool/double {:n data/n})) (return [d (tool/double {:n 4})])")
    assert outcome.value == [8, 8]
    assert outcome.returned
    assert outcome.prints == [":start"]
    assert [(call.tool, call.args, call.result, call.error, call.effect, call.cached) for call in outcome.calls] == [
        ("double", {"n": 4}, 8, None, "read", False),
        ("double", {"n": 4}, 8, None, "read", True),
    ]
    assert outcome.usage.fuel > 0 and outcome.usage.seconds >= 0
    assert session.definitions == {"d": 8}
    session.define("e", {"a": 1})
    assert session.run("(:a e)").value == 1


def test_problems_have_places() -> None:
    session = ptc.Session()
    with pytest.raises(ptc.ProgramError) as caught:
        session.run("(def x 1)\n(println x)\n(+ x nil)")
    error = caught.value
    assert (error.code, error.line, error.column) == ("type_error", 3, 1)
    assert error.message.startswith("+: expected numbers")
    assert "at line 3, column 1" in str(error)
    assert error.prints == ["1"]
    assert session.definitions == {}
    with pytest.raises(ptc.ProgramError) as caught:
        session.run("(filtr 1)\n(mapp 2)")
    assert [problem.line for problem in caught.value.problems] == [1, 2]
    with pytest.raises(ptc.ProgramError) as caught:
        session.run('(fail {:why "no data"})')
    assert (caught.value.code, caught.value.value) == ("failed", {"why": "no data"})


def test_check_runs_nothing() -> None:
    called: list[str] = []

    def note(text: str) -> None:
        called.append(text)

    session = ptc.Session(tools=[note])
    assert session.check('(tool/note {:text "a"})') == []
    (warning,) = session.check("(inc 1) 2")
    assert (warning.code, warning.line) == ("dropped-result", 1)
    with pytest.raises(ptc.ProgramError, match="undefined symbol"):
        session.check("(foo)")
    assert called == []


@pytest.mark.parametrize(
    ("program", "limits", "code"),
    [
        ("(loop [] (recur))", ptc.Limits(fuel=10_000), "fuel_exceeded"),
        ("(loop [] (recur))", ptc.Limits(seconds=0.05, fuel=10**12), "timeout"),
        ("(vec (range 10000000))", ptc.Limits(memory=1_000_000), "memory_exceeded"),
        ("(defn f [] (inc (f))) (f)", ptc.Limits(depth=100), "recursion_limit_exceeded"),
    ],
)
def test_limits_hold_and_are_not_caught(program: str, limits: ptc.Limits, code: str) -> None:
    for text in (program, f"(try {program} (catch Exception e 1))" if "defn" not in program else program):
        with pytest.raises(ptc.ProgramError) as caught:
            ptc.Session(limits=limits).run(text)
        assert caught.value.code == code


@settings(max_examples=500, deadline=None)
@given(st.text() | st.text("()[]{}#'\"`~^@:;\\ abc019.-+/%&", max_size=40))
def test_no_text_makes_more_than_an_error(text: str) -> None:
    session = ptc.Session({"a": [1, 2]}, limits=ptc.Limits(fuel=10_000))
    try:
        session.run(text)
    except ptc.ProgramError as error:
        assert error.code and str(error)
    except UnicodeEncodeError:
        assert any("\ud800" <= char <= "\udfff" for char in text)


def test_an_exception_is_an_error_of_the_call() -> None:
    def look_up(room: str) -> float:
        """Look up."""
        raise ValueError(f"no room {room}")

    session = ptc.Session(tools=[look_up])
    with pytest.raises(ptc.ProgramError) as caught:
        session.run('(tool/look_up {:room "x"})')
    error = caught.value
    assert (error.code, error.problems[0].tool) == ("tool_error", "look_up")
    assert "ValueError: no room x" in error.message
    assert error.calls[0].error == "ValueError: no room x"
    caught_text = session.run('(try (tool/look_up {:room "x"}) (catch Exception e (ex-message e)))').value
    assert "no room x" in caught_text


def test_results_must_fit() -> None:
    def wrong() -> int:
        return "x"  # type: ignore[return-value]

    def odd() -> Any:
        return [object()]

    session = ptc.Session(tools=[wrong, odd])
    with pytest.raises(ptc.ProgramError, match="its result does not fit: .*expected int, got string"):
        session.run("(tool/wrong)")
    with pytest.raises(ptc.ProgramError, match=r"its result\[0\]: an object cannot be a value"):
        session.run("(tool/odd)")


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_is_no_exception_ends_the_run(kind: type[BaseException]) -> None:
    def stop() -> None:
        raise kind("stop")

    session = ptc.Session(tools=[stop])
    with pytest.raises(kind):
        session.run("(def a 1) (try (tool/stop) (catch Exception e 1))")
    # The session can be used again, and what the program did is undone.
    assert session.definitions == {}
    assert session.run("1").value == 1


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_ends_a_program() -> None:
    session = ptc.Session(limits=ptc.Limits(fuel=10**15, seconds=60))
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        session.run("(loop [] (recur))")
    assert session.run("(+ 1 1)").value == 2


def test_the_interpreter_lock_is_released() -> None:
    session = ptc.Session(limits=ptc.Limits(fuel=10**15, seconds=1.0))
    codes = []

    def run() -> None:
        with pytest.raises(ptc.ProgramError) as caught:
            session.run("(loop [] (recur))")
        codes.append(caught.value.code)

    thread = threading.Thread(target=run)
    thread.start()
    turns = 0
    while thread.is_alive():
        turns += 1
        thread.join(0.001)
    assert codes == ["timeout"]
    # With the lock held, this thread would have waited for the whole second.
    assert turns > 10


def test_sessions_run_in_threads() -> None:
    together = threading.Barrier(4, timeout=30)

    def meet(n: int) -> int:
        """Answers when all threads have called."""
        together.wait()
        return n

    totals: dict[int, Any] = {}

    def work(n: int) -> None:
        session = ptc.Session({"rows": [{"n": n * i} for i in range(1_000)]}, tools=[meet])
        totals[n] = session.run(f"(+ (tool/meet {{:n {n}}}) (reduce + (map :n data/rows)))").value

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert totals == {n: n + n * 499_500 for n in range(4)}


def test_a_session_in_use_says_so() -> None:
    def inside() -> Any:
        return session.run("1").value

    session = ptc.Session(tools=[inside])
    with pytest.raises(ptc.ProgramError, match="RuntimeError: the session is running a program"):
        session.run("(tool/inside)")
    assert session.run("2").value == 2


def test_async_functions_are_tools() -> None:
    async def slow(n: int) -> int:
        await asyncio.sleep(0)
        return n + 1

    session = ptc.Session(tools=[slow])
    assert session.run("(tool/slow {:n 1})").value == 2

    async def inside_a_loop() -> Any:
        return session.run("(tool/slow {:n 2})").value

    assert asyncio.run(inside_a_loop()) == 3


def test_large_data_is_shared_by_programs() -> None:
    session = ptc.Session({"rows": [{"n": n} for n in range(100_000)]}, limits=ptc.Limits(memory=10_000_000))
    assert session.run("(count data/rows)").usage.memory < 1_000_000
    assert session.run("(reduce + (map :n data/rows))").value == 4_999_950_000


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"data": [1]}, TypeError, "data must be a dict"),
        ({"data": {1: [1]}}, TypeError, "data has the key 1, which is not a name; pass {"),
        ({"data": {(1, 2): 3}}, TypeError, "data has the key [1 2], which is not a name"),
        ({"data": {"my orders": [1]}}, ValueError, "programs cannot write data/my orders; give the data a name without"),
        ({"data": ptc.Data({"a(b": 1})}, ValueError, "programs cannot write data/a(b;"),
        ({"data": {"": 1}}, ValueError, "programs cannot write data/;"),
        ({"data": {"@a": 1}}, ValueError, "programs cannot write data/@a;"),
        ({"data": {"a\n": 1}}, ValueError, "programs cannot write data/a"),
        ({"tools": len}, TypeError, "tools must be a list"),
        ({"tools": [5]}, TypeError, "a tool must be a function, got int"),
        ({"limits": {"fuel": 10}}, TypeError, "limits must be ptc_runner.Limits(fuel=…), got dict"),
        ({"limits": ptc.Limits(fuel=-1)}, ValueError, "limit fuel must be an integer from 0 on, got -1"),
        ({"limits": ptc.Limits(seconds=0)}, ValueError, "limit seconds must be a number of seconds above 0"),
    ],
)
def test_bad_arguments_are_named(arguments: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        ptc.Session(**arguments)
    assert text in str(caught.value)


@pytest.mark.parametrize("name", ["rows", "my-orders", "ä", "日本", "1", "a/b", "a.b", "nil", "x'", "#a", "+1"])
def test_what_programs_can_write_is_a_name_of_data(name: str) -> None:
    assert ptc.Session({name: 7}).run(f"data/{name}").value == 7
    assert ptc.compile(f"(defn f [] data/{name})", {name: 7}).session().call("f").value == 7
    with pytest.raises(ValueError, match="programs cannot write"):
        ptc.compile("1", {f"{name} ": 7})


def test_a_seed_gives_the_same_numbers() -> None:
    program = "(repeatedly 5 #(rand-int 1000))"
    assert ptc.Session(seed=7).run(program).value == ptc.Session(seed=7).run(program).value
    assert ptc.Session(seed=-1).run(program).value != ptc.Session(seed=7).run(program).value
