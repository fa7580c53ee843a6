"""The function docs of BFCL as tools of MCP: their own names of types become JSON Schema."""

from typing import Any

from suites.session import Json

_TYPES = {"dict": "object", "float": "number", "tuple": "array"}

# Reading, by name: functions with these prefixes look something up. `check.py` tests that they leave the state equal.
_READING = ("get_", "list_", "search_", "view_")

# Some or all results are lists, None, or Python that is not JSON: these have no schema of results.
_TEXT = frozenset({
    "echo", "mkdir", "touch", "get_order_history", "get_transaction_history", "get_watchlist", "list_all_airports",
    "get_tweet_comments", "get_user_tickets", "get_user_tweets", "search_tweets", "logarithm", "square_root", "power",
})  # fmt: skip

# The docs put the fields into one object which the results do not have.
_FLAT = {"check_tire_pressure": "tirePressure", "displayCarStatus": "status"}

_STRING, _NUMBER, _INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
_AVERAGE = {"type": ["number", "array"], "items": _NUMBER, "description": "A moving average, or a list of them."}

# Fields of results that the docs lack or show with another type; None removes a field.
_FIELDS: dict[str, dict[str, Json | None]] = {
    "activateParkingBrake": {"parkingBrakeInstruction": _STRING},
    "adjustClimateControl": {"currentTemperature": None, "currentACTemperature": _NUMBER},
    "check_tire_pressure": {"car_info": {"description": "What is known of the car."}},
    "create_ticket": {"created_by": _STRING},
    "get_order_details": {"num_shares": _INTEGER, "metadata": {"type": "object"}},
    "get_outside_temperature_from_weather_com": {"outsideTemperature": None, "error": _INTEGER},
    "get_stock_info": {"MA(5)": _AVERAGE, "MA(20)": _AVERAGE},
    "get_ticket": {"resolution": _STRING},
    "send_message": {"message_id": {"type": "object", "properties": {"new_id": _INTEGER}}},
}


def described(doc: Json, class_: type) -> Json:
    """The tool of a function doc."""
    name = doc["name"]
    tool: Json = {
        "name": name,
        "description": doc["description"],
        "inputSchema": {**schema(doc["parameters"]), "additionalProperties": False},
    }
    if name not in _TEXT:
        tool["outputSchema"] = results(doc, class_)
    if name.startswith(_READING):
        tool["annotations"] = {"readOnlyHint": True}
    return tool


def results(doc: Json, class_: type) -> Json:
    """The schema of what a function returns. Nothing is required: an error has only the field `error`."""
    name = doc["name"]
    properties: Json = dict(schema(doc["response"]).get("properties", {}))
    if name in _FLAT:
        properties = properties[_FLAT[name]]["properties"]
    if _mentions(getattr(class_, name).__code__.co_consts, "error"):
        properties.setdefault("error", _STRING)
    for field, kind in _FIELDS.get(name, {}).items():
        if kind is None:
            properties.pop(field)
        else:
            properties[field] = kind
    return {"type": "object", "properties": properties}


def schema(doc: Json) -> Json:
    """JSON Schema of a type of the docs."""
    out: Json = {}
    for key, value in doc.items():
        if key == "type":
            out[key] = _TYPES.get(value, value)
        elif key == "properties":
            out[key] = {name: schema(inner) for name, inner in value.items()}
        elif key == "items":
            out[key] = schema(value)
        elif key != "default" or value != "None":
            out[key] = value
    return out


def _mentions(constants: tuple[Any, ...], text: str) -> bool:
    """Whether code has this text as a constant, for example as the key of a dictionary."""
    return any(one == text or (isinstance(one, tuple) and _mentions(one, text)) for one in constants)
