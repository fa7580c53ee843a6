"""Programs that are compiled once, and functions that are called."""

import copy
import gc
import pickle
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest

import ptc_runner as ptc

RULES = """(def base 10)

(defn score [{:keys [country total]}]
  (+ base
     (if (> total 1000) 50 0)
     (if (= country "Atlantis") 40 0)))

(defn both [a b] (+ (score a) (score b)))"""


@dataclass
class Order:
    country: str
    total: float


def test_a_function_is_called_with_python_values() -> None:
    program = ptc.compile(RULES)
    score = program.function("score")
    assert score.name == "score" and repr(program) == "<Program definitions: base, score, both>"
    session = program.session()
    assert session.call(score, {"country": "Atlantis", "total": 20.0}).value == 50
    assert session.call(score, Order("Atlantis", 2_000)).value == 100
    outcome = session.call("both", Order("Atlantis", 2_000), {"total": 1})
    assert outcome.value == 110 and outcome.usage.fuel > 0 and not outcome.returned
    assert session.definitions["base"] == 10


def test_an_error_has_its_places() -> None:
    session = ptc.compile(RULES).session()
    with pytest.raises(ptc.ProgramError) as caught:
        session.call("both", {"total": 1}, {"total": "20"})
    error = caught.value
    assert error.code == "type_error"
    first = ptc.Frame("score", 5, 10, "     (if (> total 1000) 50 0)", False)
    assert [frame.function for frame in error.frames] == ["score", "both"] and error.frames[0] == first
    assert error.snippet().startswith(
        ">: expected numbers, got string\n"
        "at line 5, column 10, in score\n"
        "  |\n"
        "5 |      (if (> total 1000) 50 0)\n"
        "  |          ^\n"
        "called at line 8, column"
    )
    assert "\x1b[1;31m^" in error.snippet(colors=True)
    assert error.problems[0].snippet() == error.snippet()
    for same in (pickle.loads(pickle.dumps(error.problems[0])), copy.deepcopy(error.problems[0])):
        assert same == error.problems[0] and same.snippet() == error.snippet()


def test_frames_reach_into_earlier_programs() -> None:
    session = ptc.Session()
    session.run("(defn half [n]\n  (/ n 2))")
    with pytest.raises(ptc.ProgramError) as caught:
        session.run('(half "4")')
    places = [(frame.function, frame.line, frame.is_earlier) for frame in caught.value.frames]
    assert places == [("half", 2, True), (None, 1, False)]


def test_what_has_no_place_has_a_snippet() -> None:
    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session().run("(fail {:why 1})")
    assert caught.value.frames == [] and caught.value.snippet() == "the program failed with {:why 1}\n"
    with pytest.raises(ptc.ProgramError) as caught:
        ptc.Session().check("(a) (b)")
    assert caught.value.snippet().count("^") == 2
    assert ptc.Problem("x", "m", 1, 1, None, "m at line 1").snippet() == "m at line 1\n"


def test_what_is_no_function_is_refused() -> None:
    program = ptc.compile(RULES)
    for find in (program.function, program.session().function, program.session().call):
        with pytest.raises(ptc.ProgramError) as caught:
            find("scor")
        assert str(caught.value) == "undefined symbol 'scor'. Did you mean 'score'?"
        assert caught.value.code == "undefined_symbol" and caught.value.line is None
        with pytest.raises(ptc.ProgramError, match="base is a number, not a function"):
            find("base")
    wrong: Any = 5
    with pytest.raises(TypeError, match="call takes a Function or its name first, got int"):
        program.session().call(wrong)


@pytest.mark.parametrize(
    ("text", "code", "value"),
    [("(def a (", "parse_error", None), ("(foo) (bar)", "undefined_symbol", None), ("(fail 3)", "failed", 3), ("(/ 1 0)", "arithmetic_error", None)],
)
def test_a_program_that_fails_is_not_compiled(text: str, code: str, value: Any) -> None:
    with pytest.raises(ptc.ProgramError) as caught:
        ptc.compile(text)
    assert (caught.value.code, caught.value.value) == (code, value)


def test_arguments_are_values() -> None:
    session = ptc.compile("(defn same [x] x) (defn total [xs] (reduce + xs))").session()
    for value in (None, 2**70, [1, {"a": {2}}], "text"):
        assert session.call("same", value).value == value
    with pytest.raises(TypeError, match="argument 2 of same: a complex cannot be a value"):
        session.call("same", 1, 2j)
    with pytest.raises(ptc.ProgramError, match="same: expected 1 argument, got 2"):
        session.call("same", 1, 2)
    # They are free, as data is, also when they come back.
    rows = [{"n": n, "text": f"row {n}"} for n in range(20_000)]
    small = ptc.Limits(memory=200_000)
    assert session.call("same", rows, limits=small).value == rows


def test_limits_are_those_of_the_call() -> None:
    program = ptc.compile("(defn run [n] (loop [i 0] (if (< i n) (recur (inc i)) i)))", limits=ptc.Limits(fuel=1_000_000))
    session, run = program.session(), program.function("run")
    assert program.limits.fuel == session.limits.fuel == 1_000_000
    with pytest.raises(ptc.ProgramError) as caught:
        session.call(run, 100_000, limits=ptc.Limits(fuel=1_000))
    assert caught.value.code == "fuel_exceeded"
    assert session.call(run, 100_000).value == 100_000
    with pytest.raises(TypeError, match="limits must be"):
        session.call(run, 1, limits={"fuel": 1})  # type: ignore[arg-type]


def test_tools_and_data_are_those_of_the_program() -> None:
    def rate(room: str) -> int:
        return {"attic": 60}[room]

    program = ptc.compile(
        "(defn bill [room] (println room) (+ data/fee (tool/rate {:room room})))", {"fee": 5}, tools=[rate]
    )
    outcome = program.session().call("bill", "attic")
    assert outcome.value == 65 and outcome.prints == ["attic"]
    assert [(call.tool, call.result) for call in outcome.calls] == [("rate", 60)]
    with pytest.raises(ptc.ProgramError) as caught:
        program.session().call("bill", "cellar")
    assert isinstance(caught.value.__cause__, KeyError) and caught.value.calls[0].error == "KeyError: 'cellar'"
    with pytest.raises(ptc.ProgramError, match="tool/rate cannot be called while a program is compiled"):
        ptc.compile('(tool/rate {:room "attic"})', tools=[rate])


def test_sessions_of_a_program_do_not_see_each_other() -> None:
    program = ptc.compile("(def count (atom 0)) (defn next! [] (swap! count inc))")
    first, second = program.session(), program.session()
    assert [first.call("next!").value for _ in range(3)] == [1, 2, 3]
    assert second.call("next!").value == 1
    first.run("(defn extra [] 1)")
    with pytest.raises(ptc.ProgramError, match="undefined symbol 'extra'"):
        second.call(first.function("extra"))


def test_threads_share_a_program() -> None:
    program = ptc.compile("(defn price [n] (reduce + (range n)))")
    price, sessions = program.function("price"), threading.local()

    def of(n: int) -> Any:
        if not hasattr(sessions, "session"):
            sessions.session = program.session()
        return sessions.session.call(price, n).value

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(of, range(200))) == [n * (n - 1) // 2 for n in range(200)]


def test_a_program_whose_tools_are_methods_of_its_owner_is_freed() -> None:
    class Service:
        def __init__(self) -> None:
            self.program = ptc.compile("(defn look [n] (tool/look-up {:n n}))", tools=[ptc.tool(name="look-up")(self.look)])
            self.session = self.program.session()

        def look(self, n: int) -> int:
            return n

    services = [weakref.ref(Service()) for _ in range(5)]
    gc.collect()
    assert [service() for service in services] == [None] * 5


def test_notebooks_show_what_there_is() -> None:
    def rate(room: str) -> int:
        """Euros for a <night>."""
        return 60

    session = ptc.Session(tools=[rate])
    session.run('(def rooms ["<b>" "attic"])')
    shown = session._repr_html_()
    assert "<code>tool/rate</code>" in shown and "Euros for a &lt;night&gt;." in shown
    assert "<code>rooms</code>" in shown and "&lt;b&gt;" in shown and "<b>\"" not in shown
    agent = ptc.Agent("Rooms > 2 & < 4?", tools=[rate])
    assert "Rooms &gt; 2 &amp; &lt; 4?" in agent._repr_html_() and "tool/rate" in agent._repr_html_()
    assert "<table>" not in ptc.Agent("x")._repr_html_()
