//! What programs read of earlier turns: the answers of `tool/history`.

use std::sync::LazyLock;

use ptc_lisp::{ToolCall, ToolError, ToolRecord, ToolResult, Value};
use ptc_transcript::Turn;

use super::state::Run;
use crate::agent::Callable;
use crate::agent::builtin::HISTORY_TURN;

/// The keys of a turn.
static TURN: LazyLock<[Value; 6]> =
    LazyLock::new(|| ["turn", "program", "result", "prints", "tool-calls", "error"].map(Value::keyword));

/// The keys of a call.
static CALL: LazyLock<[Value; 4]> = LazyLock::new(|| ["name", "args", "result", "error"].map(Value::keyword));

impl Run {
    /// The answer to a call of `tool/history`, which is a function of the turns; `None` for other tools.
    pub(crate) fn recalled(&self, call: &ToolCall) -> Option<ToolResult> {
        let asks = |name: &str| self.definition().tools.get(name).is_some_and(Callable::is_history);
        if !asks(&call.name) {
            return None;
        }
        let wanted = call.args.as_map().and_then(|args| args.get_named(HISTORY_TURN));
        let shown = |turn: &Turn| shown(turn, asks);
        Some(match wanted {
            None | Some(Value::Nil) => Ok(Value::vector(self.turns.iter().map(shown).collect())),
            Some(number) => {
                let is_wanted = |turn: &&Turn| match number {
                    Value::Int(wanted) => usize::try_from(*wanted) == Ok(turn.number()),
                    _ => false,
                };
                self.turns.iter().find(is_wanted).map(shown).ok_or_else(|| no_such_turn(number, self.turns.len()))
            }
        })
    }
}

fn no_such_turn(wanted: &Value, turns: usize) -> ToolError {
    let wanted = ptc_lisp::text::display_text(wanted);
    ToolError::new(match turns {
        0 => format!("there is no turn {wanted}: this is the first one"),
        1 => format!("there is no turn {wanted} before this one: there is only turn 1"),
        _ => format!("there is no turn {wanted} before this one: there are turns 1 to {turns}"),
    })
}

/// A turn as data. Calls of the history are left out: their results are already here, and would double with each call.
fn shown(turn: &Turn, is_history: impl Fn(&str) -> bool) -> Value {
    let calls = turn.tool_calls().iter().filter(|call| !is_history(&call.name)).map(shown_call).collect();
    let (result, error) =
        if turn.is_success() { (turn.result().clone(), Value::Nil) } else { (Value::Nil, turn.result().clone()) };
    let program = turn.program().map_or(Value::Nil, Value::string);
    let prints = turn.prints().iter().map(|line| Value::string(line.as_str())).collect();
    map(&TURN, [whole(turn.number()), program, result, Value::vector(prints), Value::vector(calls), error])
}

fn shown_call(call: &ToolRecord) -> Value {
    let error = call.error.as_deref().map_or(Value::Nil, Value::string);
    map(&CALL, [Value::string(&*call.name), call.surface.clone(), call.result.clone(), error])
}

fn whole(number: usize) -> Value {
    Value::Int(i64::try_from(number).unwrap_or(i64::MAX))
}

fn map<const N: usize>(keys: &[Value; N], values: [Value; N]) -> Value {
    Value::map_from(keys.iter().cloned().zip(values))
}
