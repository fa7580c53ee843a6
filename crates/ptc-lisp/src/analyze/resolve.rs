//! What a name means: local, definition, tool or data, builtin.

use super::ir::{Kind, Node, call};
use super::short_function::is_placeholder;
use super::{Analyzer, Name, Reason, Span, Value, WarningCode, hint, namespace, nil};
use crate::parse::Symbol;
use crate::stdlib::is_class;
use crate::stdlib::look_up::looks_up;
use crate::stdlib::table;

impl Analyzer<'_> {
    /// A name as a value.
    pub(super) fn symbol(&mut self, symbol: &Symbol, span: Span) -> Node {
        self.find(symbol, span).unwrap_or_else(|| nil(span))
    }

    /// What a name means; `None` when a problem was reported.
    pub(super) fn find(&mut self, symbol: &Symbol, span: Span) -> Option<Node> {
        let name = symbol.name.as_str();
        let kind = match symbol.ns.as_deref() {
            None => self.find_bare(symbol, span),
            Some("data") => self.find_data(name, span),
            Some("tool") => self.find_tool(name, span),
            Some("user") => self.find_user(name, span),
            Some("budget") => self.find_budget(name, span),
            Some(namespace) => self.find_in(namespace, name, span),
        };
        kind.map(|kind| Node { kind, span })
    }

    fn find_bare(&mut self, symbol: &Symbol, span: Span) -> Option<Kind> {
        let name = symbol.name.as_str();
        if let Some(kind) = self.lookup(name) {
            return Some(kind);
        }
        if self.captures_too_much() {
            // Reported once, where it starts.
            if self.is_news(Reason::InvalidForm, "captures") {
                self.problem(Reason::InvalidForm, Self::too_many_captures(), span);
            }
            return None;
        }
        if is_placeholder(symbol) {
            return self.refuse(Reason::InvalidPlaceholder, format!("{name} has no meaning outside #()"), span);
        }
        if self.is_definition(name) {
            return Some(self.definition(name));
        }
        let (tool, data, builtin) =
            (self.names.tool(name).is_some(), self.names.has_data(name), self.names.builtin(None, name));
        match (tool, data, builtin) {
            (true, true, None) if !self.is_news(Reason::AmbiguousReference, name) => None,
            (true, true, None) => {
                let text =
                    format!("Symbol '{name}' exists in both tool/ and data/ namespaces. Use explicit namespace.");
                self.refuse(Reason::AmbiguousReference, text, span)
            }
            (true, ..) => Some(Kind::Tool(Name::new(name))),
            // Data often has keys such as `source`; the function is not meant then.
            (false, true, Some((_, row))) if looks_up(row.name) => Some(Kind::Data(Name::new(name))),
            (false, data, Some((id, _))) => {
                if data {
                    let text = format!("{name} is the builtin function here; write data/{name} for the input");
                    self.warn(WarningCode::BuiltinOverData, text, span);
                }
                Some(Kind::Const(Value::Builtin(id)))
            }
            (false, true, None) => Some(Kind::Data(Name::new(name))),
            (false, false, None) => self.find_referred(name, span),
        }
    }

    /// A name that a `require` brought in, or a class name, which stands for itself.
    fn find_referred(&mut self, name: &str, span: Span) -> Option<Kind> {
        if let Some(namespace) = self.required.referred.get(name).cloned() {
            return self.find_in(&namespace, name, span);
        }
        // The last resort, because data has such keys.
        if name == "class" {
            return self.names.builtin(None, "type").map(|(id, _)| Kind::Const(Value::Builtin(id)));
        }
        let class = || is_class(name).then(|| Value::Symbol(Name::new(name)));
        let known = self.named_time(&Symbol::new(name)).or_else(class);
        if known.is_none() {
            self.undefined(name, span);
        }
        known.map(Kind::Const)
    }

    /// The weekday, month or unit that a name means: `DayOfWeek/MONDAY`, and `MONDAY` as it prints.
    pub(super) fn named_time(&self, symbol: &Symbol) -> Option<Value> {
        let name = symbol.name.as_str();
        let found = match symbol.ns.as_deref() {
            Some(namespace) => self.names.constant(&namespace::constant_name(self.namespace(namespace)?, name)),
            None => ["DayOfWeek", "Month"].iter().find_map(|class| self.names.constant(&format!("{class}/{name}"))),
        };
        found.filter(|value| matches!(value, Value::Temporal(_)))
    }

    pub(super) fn is_definition(&self, name: &str) -> bool {
        self.survey.definitions.contains_key(name) || self.names.is_defined(name)
    }

    fn definition(&mut self, name: &str) -> Kind {
        self.referred_to.insert(name.to_owned());
        Kind::Global(self.names.global(name))
    }

    fn find_data(&mut self, name: &str, span: Span) -> Option<Kind> {
        if name == "fail" || self.names.has_data(name) {
            return Some(Kind::Data(Name::new(name)));
        }
        let mut known = self.names.data_names();
        known.retain(|name| name != "fail");
        self.missing_in(("data", "data", "there is no input data"), Reason::DataNotFound, name, known, span)
    }

    fn find_tool(&mut self, name: &str, span: Span) -> Option<Kind> {
        if self.done_task || self.names.tool(name).is_some() {
            return Some(Kind::Tool(Name::new(name)));
        }
        let known = self.names.tools();
        self.missing_in(("tool", "tools", "no tools are registered"), Reason::ToolNotFound, name, known, span)
    }

    /// Report a name that a namespace of the host does not have, with the `known` ones.
    fn missing_in(
        &mut self,
        (namespace, many, none): (&str, &str, &str),
        reason: Reason,
        name: &str,
        known: Vec<String>,
        span: Span,
    ) -> Option<Kind> {
        if !self.is_news(reason, name) {
            return None;
        }
        let near = self.nearest_in(namespace, name, &known);
        let text = match hint::listed(known) {
            Some(list) => format!("{namespace} '{name}' not found; available {many}: {list}{near}"),
            None => format!("{namespace} '{name}' not found; {none}"),
        };
        self.refuse(reason, text, span)
    }

    fn find_user(&mut self, name: &str, span: Span) -> Option<Kind> {
        if self.is_definition(name) {
            return Some(self.definition(name));
        }
        self.refuse(Reason::UndefinedSymbol, format!("undefined symbol 'user/{name}'"), span)
    }

    /// The bare name is the same as the call.
    fn find_budget(&mut self, name: &str, span: Span) -> Option<Kind> {
        match self.names.builtin(Some("budget"), name) {
            Some((id, _)) => Some(call(id, Vec::new(), span).kind),
            None => {
                let text = format!("no budget function named {name}; write (budget/remaining)");
                self.refuse(Reason::InvalidForm, text, span)
            }
        }
    }

    /// The namespace that a prefix stands for: an alias of this program, or a known name.
    pub(super) fn namespace(&self, prefix: &str) -> Option<&'static str> {
        let prefix = self.required.aliases.get(prefix).map_or(prefix, String::as_str);
        table::namespace(prefix).map(|namespace| namespace.prefix)
    }

    fn find_in(&mut self, prefix: &str, name: &str, span: Span) -> Option<Kind> {
        let Some(known) = self.namespace(prefix) else {
            let text = self.unknown_namespace(prefix, name);
            return self.refuse(Reason::InvalidForm, text, span);
        };
        let builtin = || self.names.builtin(Some(known), name).map(|(id, _)| Value::Builtin(id));
        if let Some(value) = self.names.constant(&namespace::constant_name(known, name)).or_else(builtin) {
            return Some(Kind::Const(value));
        }
        if !self.is_news(Reason::InvalidForm, &format!("{prefix}/{name}")) {
            return None;
        }
        let text = self.unknown_member(known, name);
        self.refuse(Reason::InvalidForm, text, span)
    }

    /// The hint for an unknown prefix.
    fn unknown_namespace(&self, prefix: &str, name: &str) -> String {
        let missing = self.missing.get(prefix).map(String::as_str);
        let instead =
            self.instead_of_member(missing.unwrap_or(prefix), name).or_else(|| self.instead_of_member(prefix, name));
        let rest = instead.unwrap_or_else(|| {
            let near = self.nearest_namespace(prefix, name);
            format!("tools live in tool/, input in data/{near}")
        });
        match missing {
            Some(namespace) => format!("{prefix}/{name}: the namespace {namespace} does not exist here; {rest}"),
            None => format!("unknown namespace {prefix}/; {rest}"),
        }
    }
}
