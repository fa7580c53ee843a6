"""The part of MCP that a server on stdio with tools needs. JSON-RPC, one message a line."""

import json
import os
import sys
from typing import Any, BinaryIO

from suites.session import Json, Session, UnknownTool

VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")

JUDGE: Json = {
    "name": "suite_judge",
    "description": "Closes a user turn, whose answer this is, and says whether the suite's checkers pass. For the host.",
    "inputSchema": {
        "type": "object",
        "properties": {"answer": {"type": "string", "description": "What the user was answered in this turn."}},
        "required": ["answer"],
        "additionalProperties": False,
    },
    "outputSchema": {
        "type": "object",
        "properties": {
            "passed": {"type": "boolean"},
            "problems": {"type": "array", "items": {"type": "string"}},
            "injected": {"type": "boolean", "description": "Whether the injection reached its goal."},
        },
        "required": ["passed", "problems"],
    },
}


class RpcError(Exception):
    """An error of the protocol: code and message."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def serve(session: Session, title: str) -> None:
    """Answers what comes on stdin, until it ends."""
    out = os.fdopen(os.dup(1), "wb")
    # What a suite prints must not get between the messages.
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        if line.strip():
            _answer(session, title, line, out)


def _answer(session: Session, title: str, line: bytes, out: BinaryIO) -> None:
    try:
        message = json.loads(line)
    except ValueError as error:
        _write(out, {"id": None, "error": {"code": -32700, "message": f"not JSON: {error}"}})
        return
    if not isinstance(message, dict) or "method" not in message:
        _write(out, {"id": None, "error": {"code": -32600, "message": "not a request"}})
        return
    if "id" not in message:
        return
    reply: Json = {"id": message["id"]}
    try:
        params = message.get("params") or {}
        if not isinstance(params, dict):
            raise RpcError(-32602, "params must be an object")
        reply["result"] = _result(session, title, message["method"], params)
    except RpcError as error:
        reply["error"] = {"code": error.code, "message": str(error)}
    except Exception as error:  # the server stays alive: the host must learn what happened
        reply["error"] = {"code": -32603, "message": f"{type(error).__name__}: {error}"}
    _write(out, reply)


def _write(out: BinaryIO, reply: Json) -> None:
    text = json.dumps({"jsonrpc": "2.0", **reply}, ensure_ascii=False, allow_nan=False)
    # Lone surrogates have no UTF-8.
    out.write(text.encode("utf-8", "replace") + b"\n")
    out.flush()


def _result(session: Session, title: str, method: str, params: Json) -> Json:
    if method == "initialize":
        asked = params.get("protocolVersion")
        return {
            "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": title, "version": "1"},
        }
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [*session.tools(), JUDGE]}
    if method == "tools/call":
        return call(session, params.get("name"), params.get("arguments") or {})
    raise RpcError(-32601, f"no method {method}")


def call(session: Session, name: Any, args: Any) -> Json:
    """The result of `tools/call`."""
    if not isinstance(name, str) or not isinstance(args, dict):
        raise RpcError(-32602, "tools/call needs a name and an object of arguments")
    if name == JUDGE["name"]:
        if not isinstance(args.get("answer"), str):
            raise RpcError(-32602, 'suite_judge needs {"answer": string}')
        verdict = session.judge(args["answer"]).to_json()
        return {"content": [{"type": "text", "text": json.dumps(verdict)}], "structuredContent": verdict}
    try:
        result = session.call(name, args)
    except UnknownTool:
        raise RpcError(-32602, f"no tool {name}") from None
    out: Json = {"content": [{"type": "text", "text": result.text}]}
    if result.structured is not None:
        out["structuredContent"] = result.structured
    if result.error:
        out["isError"] = True
    return out
