//! What the test programs may refer to: a few builtins, tools, data keys and earlier definitions.

use std::collections::HashMap;

use ptc_signature::Signature;

use crate::analyze::Environment;
use crate::stdlib::Builtin;
use crate::value::{BuiltinId, Value};

macro_rules! builtins {
    ($($name:literal $params:expr;)*) => {
        static BUILTINS: &[Builtin] = &[$(Builtin { name: $name, params: &$params, ..Builtin::ROW }),*];
    };
}

builtins! {
    "%assert" ["[text]", "[text message]"];
    "%case-miss" ["[v]"];
    "%clock" ["[]"];
    "%coll" ["[name v]"];
    "%condp-miss" ["[v]"];
    "%delay" ["[f]"];
    "%doseq" ["[coll f]"];
    "%elapsed" ["[started v]"];
    "%for" ["[coll f]"];
    "%for-cat" ["[coll f]"];
    "%get" ["[m k]"];
    "%has" ["[m k]"];
    "%key-args" ["[v]"];
    "%lazy" ["[f]"];
    "%map-pattern" ["[v]"];
    "%nth" ["[s i]"];
    "%number" ["[name v]"];
    "%out-pop" ["[]"];
    "%out-push" ["[]"]; "%out-drop" ["[depth]"];
    "%rest" ["[s i]"];
    "%seq-pattern" ["[v]"];
    "%skip" ["[]"];
    "%stop" ["[]"];
    "%task-done?" ["[id]"];
    "%task-get" ["[id]"];
    "%task-id" ["[v]"];
    "%task-store" ["[id v]"];
    "%throw" ["[v]"];
    "%where" ["[path]", "[path op v]"];
    "*" ["[& xs]"];
    "+" ["[& xs]"];
    "-" ["[x & xs]"];
    "<" ["[x & xs]"];
    "=" ["[x & xs]"];
    ".indexOf" ["[s x]", "[s x from]"];
    ".trim" ["[s]"];
    "all-of" ["[& ps]"];
    "assoc" ["[m k v & kvs]"];
    "budget/remaining" ["[]"];
    "concat" ["[& colls]"];
    "conj" ["[coll & xs]"];
    "cons" ["[x coll]"];
    "count" ["[coll]"];
    "deref" ["[x]"];
    "fail" ["[v]"];
    "filter" ["[f]", "[f coll]"];
    "first" ["[coll]"];
    "inc" ["[x]"];
    "instance?" ["[c x]"];
    "java.util.Date." ["[]", "[x]"];
    "list" ["[& xs]"];
    "map" ["[f]", "[f coll & colls]"];
    "name" ["[x]"];
    "nil?" ["[x]"];
    "odd?" ["[x]"];
    "println" ["[& xs]"];
    "range" ["[]", "[end]", "[start end]", "[start end step]"];
    "re-pattern" ["[s]"];
    "return" ["[v]"];
    "seq" ["[coll]"];
    "str" ["[& xs]"];
    "str/join" ["[coll]", "[separator coll]"];
    "str/reverse" ["[s]"];
    "str/trim" ["[s]"];
}

/// The environment of the test programs: user definitions get numbers as they are asked for.
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

    pub fn global_name(&self, number: u32) -> &str {
        &self.globals[number as usize]
    }

    pub fn builtin_name(id: BuiltinId) -> &'static str {
        BUILTINS[usize::from(id.0)].name
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
        let find = |name: &str| BUILTINS.iter().position(|row| row.name == name);
        let short = match namespace {
            Some("clojure.string" | "string" | "str") => Some("str"),
            other => other,
        };
        let index = match short {
            Some(short) => find(&format!("{short}/{name}")).or_else(|| find(name).filter(|_| short != "budget")),
            None => find(name).filter(|_| !name.contains('/')),
        }?;
        Some((BuiltinId(index as u16), &BUILTINS[index]))
    }

    fn builtin_names(&self) -> Vec<&'static str> {
        BUILTINS.iter().map(|row| row.name).filter(|name| !name.starts_with('%')).collect()
    }

    fn constant(&self, name: &str) -> Option<Value> {
        (name == "math/PI").then_some(Value::Float(3.5))
    }

    fn has_task(&self, id: &str) -> bool {
        id == "done"
    }
}
