//! What the test programs may refer to: a few builtins, tools, data keys and earlier definitions.

use std::collections::HashMap;

use crate::signature::Signature;

use crate::analyze::Environment;
use crate::analyze::print::Names;
use crate::stdlib::Builtin;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// The builtins that programs may name, by their numbers in the table: calls are checked against its rows.
const BUILTINS: &[&str] = &[
    "%assert",
    "%case-miss",
    "%clock",
    "%coll",
    "%condp-miss",
    "%delay",
    "%doseq",
    "%elapsed",
    "%for",
    "%for-cat",
    "%get",
    "%has",
    "%index-pattern",
    "%key-args",
    "%lazy",
    "%map-pattern",
    "%nth",
    "%number",
    "%out-pop",
    "%out-push",
    "%out-drop",
    "%rest",
    "%seq-pattern",
    "%skip",
    "%stop",
    "%task-done?",
    "%task-get",
    "%task-id",
    "%task-store",
    "%throw",
    "%where",
    "*",
    "+",
    "-",
    "<",
    "=",
    ".indexOf",
    ".trim",
    "all-of",
    "assoc",
    "budget/remaining",
    "concat",
    "conj",
    "cons",
    "count",
    "deref",
    "fail",
    "filter",
    "first",
    "inc",
    "instance?",
    "java.util.Date.",
    "list",
    "map",
    "name",
    "nil?",
    "odd?",
    "println",
    "range",
    "re-pattern",
    "return",
    "seq",
    "str",
    "str/join",
    "str/reverse",
    "str/trim",
];

/// The number of a name, which the table may have without its namespace.
fn number(name: &str) -> Option<BuiltinId> {
    table().find(name).or_else(|| table().find(name.strip_prefix("str/")?))
}

/// The environment of the test programs: user definitions get numbers on demand.
pub(super) struct World {
    earlier: Vec<&'static str>,
    tools: Vec<&'static str>,
    data: Vec<&'static str>,
    globals: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl World {
    pub fn new() -> World {
        World {
            earlier: vec!["old-total", "user-count"],
            tools: vec!["search", "fetch-users", "status"],
            data: vec!["items", "status", "count", "order_id"],
            globals: Vec::new(),
            numbers: HashMap::new(),
        }
    }

    /// Nothing but builtins.
    pub fn empty() -> World {
        World { earlier: Vec::new(), tools: Vec::new(), data: Vec::new(), ..World::new() }
    }
}

impl Names for World {
    fn global(&self, number: u32) -> String {
        self.globals[number as usize].clone()
    }
}

impl Environment for World {
    fn global(&mut self, name: &str) -> u32 {
        let next = self.globals.len() as u32;
        let globals = &mut self.globals;
        *self.numbers.entry(name.to_owned()).or_insert_with(|| {
            globals.push(name.to_owned());
            next
        })
    }

    fn is_defined(&self, name: &str) -> bool {
        self.earlier.contains(&name)
    }

    fn definitions(&self) -> Vec<String> {
        self.earlier.iter().map(ToString::to_string).collect()
    }

    fn tool(&self, name: &str) -> Option<Option<&Signature>> {
        self.tools.contains(&name).then_some(None)
    }

    fn tools(&self) -> Vec<String> {
        self.tools.iter().map(ToString::to_string).collect()
    }

    fn has_data(&self, name: &str) -> bool {
        self.data.contains(&name)
    }

    fn data_names(&self) -> Vec<String> {
        self.data.iter().map(ToString::to_string).collect()
    }

    fn builtin(&self, namespace: Option<&str>, name: &str) -> Option<(BuiltinId, &'static Builtin)> {
        let find = |name: &str| BUILTINS.contains(&name).then(|| number(name)).flatten();
        let short = match namespace {
            Some("clojure.string" | "string" | "str") => Some("str"),
            other => other,
        };
        let id = match short {
            Some(short) => find(&format!("{short}/{name}")).or_else(|| find(name).filter(|_| short != "budget")),
            None => find(name).filter(|_| !name.contains('/')),
        }?;
        Some((id, table().entry(id).row))
    }

    fn builtin_names(&self) -> Vec<&'static str> {
        BUILTINS.iter().copied().filter(|name| !name.starts_with('%')).collect()
    }

    fn constant(&self, name: &str) -> Option<Value> {
        (name == "math/PI").then_some(Value::Float(3.5))
    }

    fn has_task(&self, id: &str) -> bool {
        id == "done"
    }
}
