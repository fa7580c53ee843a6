"""Agents: models, tools, callbacks, endings."""

import asyncio
import dataclasses
import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any, TypedDict

import pytest

import ptc_runner as ptc


@ptc.tool(effect="read")
def price(room: str, nights: int) -> float:
    """Price of a stay."""
    return {"attic": 60.0, "sea-view": 120.0}[room] * nights


@dataclasses.dataclass
class Cheapest:
    guest: str
    total: float


BOOKINGS = {"bookings": [{"guest": "Ines", "room": "sea-view", "nights": 2}, {"guest": "Oto", "room": "attic", "nights": 3}]}
ANSWERS = [
    "(def priced (map #(assoc % :total (tool/price (select-keys % [:room :nights]))) data/bookings))\n(println (count priced))",
    "(return (select-keys (apply min-key :total priced) [:guest :total]))",
]


@pytest.mark.parametrize("compression", [None, True, False, "rolling-window", {"strategy": "rolling-window", "window": 2}])
def test_a_run_has_everything(compression: Any) -> None:
    turns: list[ptc.Turn] = []
    pieces: list[str] = []
    agent = ptc.Agent("Which is the cheapest?", tools=[price], returns=Cheapest, compression=compression)
    model = ptc.ScriptedModel(ANSWERS)
    step = agent.run(BOOKINGS, model=model, on_turn=turns.append, on_text=pieces.append)
    assert step.ok and step.ending == "return" and step.failure is None
    assert step.value == Cheapest("Oto", 180.0)
    assert turns == step.turns and len(turns) == 2
    assert turns[0].program == ANSWERS[0] and turns[0].prints == ["2"]
    assert [(call.tool, call.args["room"], call.result) for call in turns[0].calls] == [
        ("price", "sea-view", 240.0),
        ("price", "attic", 180.0),
    ]
    assert "".join(pieces) == "".join(ANSWERS)
    assert step.definitions["priced"][1]["total"] == 180.0
    assert (step.usage.turns, step.usage.requests, step.usage.input_tokens) == (2, 2, None)
    assert "Turn 2" in step.trace
    assert model.remaining == 0 and model.requests[0][0]["role"] == "system"
    assert "tool/price(room string, nights int)" in model.requests[0][1]["content"]


def test_a_function_is_a_model() -> None:
    asked: list[list[ptc.Message]] = []

    def model(messages: list[ptc.Message]) -> ptc.Reply:
        asked.append(messages)
        return ptc.Reply("(return (count data/rows))" if len(asked) > 1 else "(cnt 1)", 100, 10)

    step = ptc.Agent("Count.", returns=int, model=model).run({"rows": [1, 2]})
    assert step.value == 2
    assert (step.usage.input_tokens, step.usage.output_tokens) == (200, 20)
    assert not step.turns[0].ok and "undefined symbol 'cnt'" in str(step.turns[0].error)
    assert [message["role"] for message in asked[1]] == ["system", "user", "assistant", "user"]


def test_a_model_that_fails_ends_the_run() -> None:
    def model(messages: list[ptc.Message]) -> str:
        raise ConnectionError("no route")

    step = ptc.Agent("x").run(model=model)
    assert not step.ok and step.ending == "error"
    assert step.failure is not None and step.failure.reason == "llm_error"
    with pytest.raises(ptc.RunFailed, match="ConnectionError: no route") as caught:
        step.value
    assert caught.value.step is step and caught.value.reason == "llm_error"
    step = ptc.Agent("x").run(model=lambda messages: 5)  # type: ignore[arg-type, return-value]
    assert step.failure is not None and "returns str or Reply, got int" in step.failure.message


def test_an_answer_that_does_not_fit_is_refused() -> None:
    class Total(TypedDict):
        total: float

    step = ptc.Agent("x", returns=Total).run(model=ptc.ScriptedModel(["(return {:total :a})", "(return {:total 2})"]))
    assert step.value == {"total": 2.0} and len(step.turns) == 2
    agent = ptc.Agent("x", returns=int, max_turns=1, retry_turns=1)
    failed = agent.run(model=ptc.ScriptedModel(['(return "a")'] * 2))
    assert failed.failure is not None and failed.failure.reason == "budget_exhausted"


def test_a_tool_that_fails_is_read_by_the_model() -> None:
    model = ptc.ScriptedModel(['(tool/price {:room "cellar" :nights 1})', "(return (:message data/fail))"])
    step = ptc.Agent("x", tools=[price]).run(model=model)
    assert "KeyError: 'cellar'" in step.value
    assert "KeyError: 'cellar'" in model.requests[1][-1]["content"]


def test_calls_run_at_once() -> None:
    together = threading.Barrier(3, timeout=30)

    async def meet(n: int) -> int:
        await asyncio.to_thread(together.wait)
        return n

    def join(n: int) -> int:
        together.wait()
        return n

    answers = ["(return (pmap (fn [n] (if (odd? n) (tool/meet {:n n}) (tool/join {:n n}))) [1 2 3]))"]
    assert ptc.Agent("x", tools=[meet, join]).run(model=ptc.ScriptedModel(answers)).value == [1, 2, 3]


def test_approval() -> None:
    paid: list[int] = []

    @ptc.tool(approve=True)
    def pay(euros: int) -> int:
        """Pays."""
        paid.append(euros)
        return euros

    agent = ptc.Agent("Pay.", tools=[pay])

    def run(approve: Any) -> Any:
        model = ptc.ScriptedModel(["(return (tool/pay {:euros 5}))", "(return (:message data/fail))"])
        return agent.run(model=model, approve=approve).value

    asked: list[Any] = []

    def allow(tool: str, args: dict[str, Any]) -> bool:
        asked.append((tool, args))
        return True

    assert run(allow) == 5 and asked == [("pay", {"euros": 5})]
    assert run(lambda tool, args: {"euros": 1}) == 1
    assert "too expensive" in run(lambda tool, args: "too expensive")
    assert paid == [5, 1]
    with pytest.raises(ValueError, match="calls of 'pay' need approval.*set `approve`"):
        agent.run(model=ptc.ScriptedModel([]))


def test_a_run_continues_another() -> None:
    agent = ptc.Agent("x")
    first = agent.run(model=ptc.ScriptedModel(["(def a 5) (return 1)"]))
    assert agent.run(model=ptc.ScriptedModel(["(return (* a 2))"]), after=first).value == 10


def test_a_run_is_saved(tmp_path: Path) -> None:
    step = ptc.Agent("x").run(model=ptc.ScriptedModel(["(return {:a 1})"]))
    step.save(tmp_path / "run.html")
    step.save(str(tmp_path / "run.json"))
    with pytest.raises(ValueError, match=r"path must end in .html, .*, or in .json, .*run.txt'; step.trace is the run as text"):
        step.save(tmp_path / "run.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.html", "run.json"]
    assert (tmp_path / "run.html").read_text().lstrip().lower().startswith("<!doctype html>")
    assert json.loads((tmp_path / "run.json").read_text())["ending"] == "return"


def test_a_preview_asks_nobody() -> None:
    system, first = ptc.Agent("Count {{n}}.", tools=[price], inputs="(n :int)").preview({"n": 3})
    assert system["role"] == "system" and "Count 3." in first["content"]


@pytest.mark.parametrize("callback", ["on_turn", "on_text"])
def test_an_exception_in_a_callback_ends_the_run(callback: str) -> None:
    def broken(_: Any) -> None:
        raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError):
        ptc.Agent("x").run(model=ptc.ScriptedModel(["1", "2"]), **{callback: broken})  # type: ignore[arg-type]


def test_a_run_inside_a_callback_works() -> None:
    inner: list[Any] = []

    def run_inside(_: ptc.Turn) -> None:
        inner.append(ptc.Agent("y").run(model=ptc.ScriptedModel(["(return 7)"])).value)

    def ask(n: int) -> int:
        value = ptc.Agent("z").run(model=ptc.ScriptedModel([f"(return {n})"])).value
        assert isinstance(value, int)
        return value

    outer = ptc.Agent("x", tools=[ask]).run(model=ptc.ScriptedModel(["(return (tool/ask {:n 3}))"]), on_turn=run_inside)
    assert outer.value == 3 and inner == [7]


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("place", ["model", "tool", "program"])
def test_ctrl_c_ends_a_run(place: str) -> None:
    ended = threading.Event()

    def model(messages: list[ptc.Message]) -> str:
        if place == "model":
            ended.wait(60)
        return "(tool/wait)" if place == "tool" else "(loop [] (recur))"

    def wait() -> None:
        ended.wait(60)

    agent = ptc.Agent("x", tools=[wait], options={"timeout": 60})
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    began = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            agent.run(model=model)
        assert time.monotonic() - began < 30
    finally:
        ended.set()


def test_a_deadline_ends_a_run() -> None:
    ended = threading.Event()
    agent = ptc.Agent("x", options={"mission_timeout": 0.2})
    step = agent.run(model=lambda messages: str(ended.wait(60)))
    ended.set()
    assert step.failure is not None and step.failure.reason == "mission_timeout"


def test_a_limit_of_tokens_ends_a_run() -> None:
    agent = ptc.Agent("x", returns=int)
    answers = ["(def a 1)", "(def b 1)", "(return 1)"]
    step = agent.run(model=lambda messages: ptc.Reply(answers.pop(0), 1_000, 10), token_limit=1_500)
    assert step.failure is not None and "2020 tokens used, token_limit is 1500" in step.failure.message
    assert answers == ["(return 1)"]


def test_a_script_that_is_too_short_says_so() -> None:
    step = ptc.Agent("x", returns=int).run(model=ptc.ScriptedModel(['(return "a")']))
    assert step.failure is not None and step.failure.reason == "llm_error"
    assert "the script has no answer left for turn 2, 1 were used" in step.failure.message


def test_runs_work_from_threads_and_loops() -> None:
    agent = ptc.Agent("x", returns=int)
    values: list[Any] = []

    def run(n: int) -> None:
        values.append(agent.run(model=ptc.ScriptedModel([f"(return {n})"])).value)

    threads = [threading.Thread(target=run, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(values) == list(range(8))

    async def several() -> list[Any]:
        models = [ptc.ScriptedModel([f"(return {n})"]) for n in range(3)]
        steps = await asyncio.gather(*(asyncio.to_thread(agent.run, model=model) for model in models))
        return [step.value for step in steps]

    assert asyncio.run(several()) == [0, 1, 2]


def test_options_have_the_forms_of_mission_files() -> None:
    options = {
        "system_prompt": {"prefix": "You are a clerk.", "language_spec": "full"},
        "plan": ["Look", ("add", "Add up")],
        "llm_retry": {"max_attempts": 2, "base_delay": 0.01},
        "model_options": {"temperature": 0.2},
        "mission_timeout": 30,
        "thinking": True,
    }
    system, first = ptc.Agent("x", options=options).preview()
    assert system["content"].startswith("You are a clerk.") and "## Frequent mistakes" in system["content"]
    assert "Look" in first["content"] and "**add.** Add up" in first["content"]
    assert ptc.Agent("x", options={"system_prompt": "Only this."}).preview()[0]["content"] == "Only this."


MODEL = ptc.ScriptedModel([])


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: ptc.Agent("x", options={"max_turn": 3}), TypeError, "did you mean `max_turns`?"),
        (lambda: ptc.Agent("x", options={"llm_retry": {"max": 3}}), TypeError, "unknown option of llm_retry `max`; "),
        (lambda: ptc.Agent("x", options={"system_prompt": {"prefx": "a"}}), TypeError, "did you mean `prefix`?"),
        (lambda: ptc.Agent("x", options={"plan": [1]}), TypeError, "plan must be a list of texts"),
        (lambda: ptc.Agent("x", max_turns=0), ValueError, "max_turns must be an integer above 0"),
        (lambda: ptc.Agent("x", returns="{a :number}"), ValueError, "write `:float` instead of `:number`"),
        (lambda: ptc.Agent("x", returns=complex), TypeError, "returns has the type complex"),
        (lambda: ptc.Agent("x", compression="odd"), ValueError, "compression: the strategy `odd`"),
        (lambda: ptc.Agent("x", options={"mission_timeout": "abc"}), TypeError, "must be a number of seconds"),
        (lambda: ptc.Agent("x {{y}}", inputs="(z :int)"), ValueError, "{{y}}"),
        (lambda: ptc.Agent("x").run(), ValueError, "a run needs a model"),
        (lambda: ptc.Agent("x").run(model="nope"), ValueError, "does not name a model"),
        (lambda: ptc.Agent("x").run(model=5), TypeError, "got int"),  # type: ignore[arg-type]
        (lambda: ptc.Agent("x").run({"fail": 1}, model=MODEL), ValueError, "data key 'fail' is reserved"),
        (lambda: ptc.Agent("x").run([1], model=MODEL), TypeError, "data must be a dict"),  # type: ignore[arg-type]
        (lambda: ptc.Agent("x").run(model=MODEL, token_limit=-1), ValueError, "token_limit"),
    ],
)
def test_bad_arguments_are_named(make: Any, kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        make()
    assert text in str(caught.value)


def test_one_question_is_one_line() -> None:
    model = ptc.ScriptedModel(["(return (count data/rows))", "(fail :no)"])
    count: int = ptc.run("How many?", {"rows": [1, 2]}, model=model, returns=int)
    assert count == 2
    with pytest.raises(ptc.RunFailed) as caught:
        ptc.run("How many?", model=model)
    assert caught.value.step.turns[0].program == "(fail :no)"
