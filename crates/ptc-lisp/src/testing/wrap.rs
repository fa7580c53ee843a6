//! Metamorphic testing: every literal of a program becomes a call of an identity tool, and the result must stay the
//! same.

use std::sync::Arc;

use crate::analyze::Edit;
use crate::analyze::ir::{Function, Kind, Node};
use crate::stdlib::table::table;
use crate::value::{Name, Value};

/// The tool that returns its only argument unchanged: `(same value) -> :any`.
pub const IDENTITY_TOOL: &str = "same";

/// Wraps every constant that is evaluated, except inside comparators, which may not call tools.
pub(super) struct Wrap;

impl Edit for Wrap {
    fn rewrite(&self, main: &mut Function) {
        wrap_literals(main);
    }
}

fn wrap_literals(function: &mut Function) {
    for arity in &mut function.arities {
        wrap(&mut arity.body);
    }
}

fn wrap_all(nodes: &mut [Node]) {
    nodes.iter_mut().for_each(wrap);
}

fn wrap(node: &mut Node) {
    let span = node.span;
    match &mut node.kind {
        Kind::Const(value) => {
            if matches!(value, Value::Nil | Value::Bool(_)) || holds_function(value) {
                return;
            }
            let literal = Node { kind: Kind::Const(value.clone()), span };
            let tool = Node { kind: Kind::Tool(Name::new(IDENTITY_TOOL)), span };
            let name = Node { kind: Kind::Const(Value::keyword("value")), span };
            let args = Node { kind: Kind::Map(vec![name, literal]), span };
            node.kind = Kind::Call { callee: Box::new(tool), args: vec![args] };
        }
        Kind::Call { callee, args } => wrap_call(callee, args),
        Kind::Fn(function) => wrap_literals(Arc::make_mut(function)),
        Kind::LetFn { functions, body, .. } => {
            functions.iter_mut().for_each(|function| wrap_literals(Arc::make_mut(function)));
            wrap(body);
        }
        _ => node.for_each_part(&mut wrap),
    }
}

/// Whether a constant holds a function, which no tool is given.
fn holds_function(value: &Value) -> bool {
    matches!(value, Value::Builtin(_) | Value::Function(_) | Value::Var(_)) || value.parts().any(holds_function)
}

fn wrap_call(callee: &mut Node, args: &mut [Node]) {
    let Kind::Const(Value::Builtin(id)) = callee.kind else {
        if !matches!(callee.kind, Kind::Const(_)) {
            wrap(callee);
        }
        wrap_all(args);
        return;
    };
    let name = table().entry(id).row.name;
    let comparator = match (name, args.len()) {
        ("sort", 2) | ("sorted-map-by" | "sorted-set-by", _) => Some(0),
        ("sort-by", 3) => Some(1),
        _ => None,
    };
    for (at, arg) in args.iter_mut().enumerate() {
        if Some(at) != comparator {
            wrap(arg);
        }
    }
}
