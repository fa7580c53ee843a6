"""Frames and columns of pandas, arrays and scalars of NumPy."""

import datetime as dt
import math
from typing import Any

import pytest

import ptc_runner as ptc

# Their releases of today need Python 3.11.
np: Any = pytest.importorskip("numpy")
pd: Any = pytest.importorskip("pandas")

AT = dt.datetime(2024, 1, 3, 10, 30)


def frame() -> Any:
    """Each usual kind of column, with something missing in each."""
    made = pd.DataFrame({"text": ["a", None, "b"], "number": [1, 2, None], "at": [AT, None, AT]})
    made["count"] = pd.array([1, None, 3], dtype="Int64")
    made["kind"] = pd.Categorical(["x", "y", None])
    return made


def printed(value: Any) -> Any:
    return ptc.Session({"x": value}).run("(pr-str data/x)").value


def test_records_of_a_frame_are_rows() -> None:
    rows = frame()[["text", "number", "at"]].to_dict("records")
    session = ptc.Session({"rows": rows})
    assert session.run("(mapv :at data/rows)").value == [AT, None, AT]
    # NaN is a number, also where a text is missing.
    assert session.run("(mapv :number (remove #(NaN? (:number %)) data/rows))").value == [1.0, 2.0]
    assert math.isnan(session.run("(:text (second data/rows))").value)
    back = pd.DataFrame(session.run("(mapv #(assoc % :twice (* 2 (:number %))) data/rows)").value)
    assert list(back["twice"][:2]) == [2.0, 4.0] and list(back["at"]) == list(frame()["at"])


def test_a_frame_and_what_it_misses_are_refused_with_a_remedy() -> None:
    with pytest.raises(TypeError, match=r"data\['f'\]: a DataFrame cannot be a value .*pass frame.to_dict\(\"records\"\)"):
        ptc.Session({"f": frame()})
    with pytest.raises(TypeError, match=r"data\['f'\]\[1\]: .*frame.astype\(object\).where\(frame.notna\(\), None\)"):
        ptc.Session({"f": frame()["count"]})
    made = frame()
    rows = made.astype(object).where(made.notna(), None).to_dict("records")
    assert ptc.Session({"rows": rows}).run("(second data/rows)").value == {
        **{"text": None, "number": 2.0, "at": None, "count": None, "kind": "y"}
    }


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("text", '["a" ##NaN "b"]'),
        ("number", "[1.0 2.0 ##NaN]"),
        ("at", '[#local-datetime "2024-01-03T10:30" nil #local-datetime "2024-01-03T10:30"]'),
        ("kind", '["x" "y" ##NaN]'),
    ],
)
def test_columns_are_lists(name: str, text: str) -> None:
    assert printed(frame()[name]) == text


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_times_of_any_unit_are_times(unit: str) -> None:
    column = frame()["at"].astype(f"datetime64[{unit}]")
    times = [AT, None, AT]
    for same in (column, column.values, pd.Index(column), list(column), list(column.values)):
        assert ptc.Session({"x": same}).run("data/x").value == times
    aware = column.dt.tz_localize("Europe/Helsinki")
    in_utc = dt.datetime(2024, 1, 3, 8, 30, tzinfo=dt.timezone.utc)
    assert ptc.Session({"x": aware}).run("data/x").value == [in_utc, None, in_utc]
    lengths = (column - column.min()).values + np.timedelta64(90, "s").astype(f"timedelta64[{unit}]")
    assert ptc.Session({"x": lengths}).run("data/x").value == [dt.timedelta(seconds=90), None, dt.timedelta(seconds=90)]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: [np.int64(3), np.float32(1.5), np.bool_(True), np.str_("a")], '[3 1.5 true "a"]'),
        (lambda: np.array([[1, 2], [3, 4]]), "[[1 2] [3 4]]"),
        (lambda: np.array(["a", "b"]), '["a" "b"]'),
        (lambda: np.array(["2024-01-01"], dtype="datetime64[D]"), '[#date "2024-01-01"]'),
        (lambda: np.datetime64("2024-01-01T00:00:00.123456789"), '#local-datetime "2024-01-01T00:00:00.123456"'),
        (lambda: [pd.NaT, pd.Timestamp(AT), pd.Timedelta("1h")], '[nil #local-datetime "2024-01-03T10:30" #duration "PT1H"]'),
    ],
)
def test_arrays_and_scalars_are_plain_values(make: Any, text: str) -> None:
    assert printed(make()) == text


def test_tools_may_take_and_give_arrays() -> None:
    def scaled(numbers: list[float], by: float) -> list[float]:
        made: list[float] = np.asarray(numbers) * by
        return made

    assert ptc.Session({"x": np.arange(3)}, tools=[scaled]).run("(tool/scaled {:numbers data/x :by 2})").value == [0, 2, 4]
    limit = ptc.Agent("x", max_turns=np.int64(2), tools=[scaled])
    assert len(limit.run(model=ptc.ScriptedModel(["1", "2"])).turns) == 2
