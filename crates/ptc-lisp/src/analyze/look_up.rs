//! `(doc name)`, `(source name)`, `(dir namespace)`: the argument is a name, quoted or not, instead of its value. The text
//! is written here, where definitions, tools and data are known, and printed when the call runs.
//!
//! `(apropos text)` searches when it runs; it gets the tools and data here.

use super::ir::Node;
use super::{Analyzer, Form, FormKind, Span, Tail, Value, constant};
use crate::escape::{one_line, shortened};
use crate::parse::Symbol;
use crate::reference::look_up;
use crate::stdlib::look_up::{
    Provided, built_in_text, call_texts, entry_text, looks_up, members_text, no_namespace_text, unknown_text,
};
use crate::stdlib::table::{short_alias, table};

/// Characters of the signature and of the description of a tool in a line of `apropos`.
const MAX_FOUND: usize = 200;
/// Characters of what is known of a tool that `apropos` searches.
const MAX_SEARCHED: usize = 4_000;

/// What is known about a definition.
#[derive(Debug, Default)]
pub(crate) struct Described {
    /// The parameter lists of a function, without their brackets.
    pub params: Option<Vec<String>>,
    pub doc: Option<String>,
    /// The kind of its value, when it has one.
    pub label: Option<String>,
    /// The definition as a form, when it is kept.
    pub source: Option<String>,
}

impl Analyzer<'_> {
    /// The call that prints what was looked up; `None` when it is an ordinary call on a value.
    pub(super) fn looked_up(&mut self, callee: &Node, args: &[Form], span: Span) -> Option<Node> {
        let (Some(id), [form]) = (callee.builtin(), args) else { return None };
        let row = table().entry(id).row;
        if row.name == "apropos" {
            return self.searched(form, span);
        }
        let symbol = Some(row.name).filter(|name| looks_up(name)).and_then(|_| symbol_in(form))?;
        let is_quoted = !matches!(form.kind, FormKind::Symbol(_));
        let text = match row.name {
            "dir" => self.dir_text(&symbol.to_string()),
            _ if symbol.ns.is_none() && self.is_local(&symbol.name) && !is_quoted => return None,
            "doc" => self.doc_text(&symbol),
            "source" => self.source_text(&symbol),
            _ => return None,
        };
        let text = constant(Value::string(text), form.span);
        Some(self.apply("println", vec![text], span))
    }

    /// The call that searches what the host provides, too; `None` when that is nothing.
    fn searched(&mut self, form: &Form, span: Span) -> Option<Node> {
        let tools = self.names.tools().into_iter().map(|name| self.tool_found(&name));
        let data = self.names.data_names().into_iter().map(|name| self.data_found(&name));
        let provided: Vec<Value> = tools.chain(data).map(Value::from).collect();
        if provided.is_empty() {
            return None;
        }
        let text = self.expr(form, Tail::No);
        Some(self.apply("%apropos", vec![text, constant(Value::vector(provided), span)], span))
    }

    /// What `apropos` searches and prints of a tool.
    fn tool_found(&self, name: &str) -> Provided {
        let signature = self.names.tool(name).flatten().map(|signature| signature.plain().to_string());
        let signature = signature.map(|text| shortened(&text, MAX_FOUND).into_owned()).unwrap_or_default();
        let about = one_line(self.names.tool_description(name).unwrap_or_default());
        let about = if about.is_empty() { about } else { format!(": {}", shortened(&about, MAX_FOUND)) };
        Provided {
            name: format!("tool/{name}"),
            line: format!("tool/{name}{signature}  a tool{about}"),
            text: shortened(&self.names.tool_details(name), MAX_SEARCHED).into_owned(),
        }
    }

    /// What `apropos` searches and prints of an entry of the input.
    fn data_found(&self, name: &str) -> Provided {
        let label = self.names.data_label(name).unwrap_or_default();
        Provided { name: format!("data/{name}"), line: format!("data/{name}  input: {label}"), text: String::new() }
    }

    fn doc_text(&self, symbol: &Symbol) -> String {
        let name = symbol.name.as_str();
        if let Some(described) = self.described(symbol) {
            return definition_text(name, &described);
        }
        if matches!(symbol.ns.as_deref(), None | Some("tool"))
            && let Some(signature) = self.names.tool(name)
        {
            let signature = signature.map(|signature| format!(" {signature}")).unwrap_or_default();
            let details = self.names.tool_details(name);
            let gap = if details.is_empty() { "" } else { "\n" };
            return format!("tool/{name}{signature}{gap}{details}");
        }
        let input = || format!("data/{name} is input: {}", self.names.data_label(name).unwrap_or_default());
        if symbol.ns.as_deref() == Some("data") && self.names.has_data(name) {
            return input();
        }
        let full = self.full_name(symbol);
        match look_up(&full) {
            Ok(entry) => entry_text(&entry),
            Err(_) if symbol.ns.is_none() && self.names.has_data(name) => input(),
            Err(unknown) => unknown_text(&full, &self.near(symbol, unknown.nearest)),
        }
    }

    fn source_text(&self, symbol: &Symbol) -> String {
        let name = symbol.name.as_str();
        if let Some(described) = self.described(symbol) {
            let label = described.label.as_deref().unwrap_or("unknown");
            let missing = || format!("the source of {name} is not kept; its value: {label}");
            return described.source.clone().unwrap_or_else(missing);
        }
        if matches!(symbol.ns.as_deref(), None | Some("tool")) && self.names.tool(name).is_some() {
            return format!("tool/{name} is a tool of the host; (doc tool/{name}) prints its signature");
        }
        let full = self.full_name(symbol);
        match look_up(&full) {
            Ok(entry) => built_in_text(entry.name),
            Err(unknown) => unknown_text(&full, &self.near(symbol, unknown.nearest)),
        }
    }

    fn dir_text(&self, namespace: &str) -> String {
        let listed = |what: &str, mut names: Vec<String>| {
            names.sort_unstable();
            names.dedup();
            if names.is_empty() { format!("{what}/: nothing") } else { format!("{what}/: {}", names.join(" ")) }
        };
        match namespace {
            "user" => listed("user", self.defined_names().collect()),
            "tool" => listed("tool", self.names.tools()),
            "data" => listed("data", self.names.data_names()),
            other => match self.namespace(other).and_then(short_alias) {
                Some(alias) => members_text(table(), alias),
                None => no_namespace_text(other),
            },
        }
    }

    /// The definition of this name in this program, else in an earlier one.
    fn described(&self, symbol: &Symbol) -> Option<Described> {
        let name = symbol.name.as_str();
        if !matches!(symbol.ns.as_deref(), None | Some("user")) {
            return None;
        }
        let own = self.survey.definitions.get(name).and_then(|definition| definition.written.as_ref());
        let Some(written) = own else { return self.names.definition(name) };
        let text = |span: &Span| self.names.text(*span).unwrap_or_default().to_owned();
        let lists: Vec<String> = written.params.iter().map(|span| without_brackets(text(span))).collect();
        Some(Described {
            params: (!lists.is_empty()).then_some(lists),
            doc: written.doc.clone(),
            label: None,
            source: Some(text(&written.form)),
        })
    }

    /// The name with its namespace as the reference knows it.
    fn full_name(&self, symbol: &Symbol) -> String {
        match &symbol.ns {
            Some(prefix) => format!("{}/{}", self.namespace(prefix).unwrap_or(prefix), symbol.name),
            None => symbol.name.clone(),
        }
    }

    /// `; Did you mean 'x'?`, with definitions, tools and data among the candidates for a bare name.
    fn near(&self, symbol: &Symbol, nearest: Option<String>) -> String {
        let hint = if symbol.ns.is_none() {
            self.hint(&symbol.name)
        } else {
            nearest.map(|name| format!("Did you mean '{name}'?"))
        };
        hint.map(|hint| format!(". {}", hint.trim_end_matches('.'))).unwrap_or_default()
    }
}

/// A name: as it is, quoted, or as a string.
fn symbol_in(form: &Form) -> Option<Symbol> {
    match &form.kind {
        FormKind::Symbol(symbol) => Some(symbol.clone()),
        FormKind::Quote(inner) => symbol_in(inner),
        FormKind::Str(text) => Some(Symbol::new(text)),
        _ => None,
    }
}

fn without_brackets(list: String) -> String {
    list.strip_prefix('[').and_then(|list| list.strip_suffix(']')).map_or_else(|| list.clone(), str::to_owned)
}

/// `(area w h)` and the docstring; the kind of a value.
fn definition_text(name: &str, described: &Described) -> String {
    let head = match (&described.params, &described.label) {
        (Some(params), _) => call_texts(name, params),
        (None, Some(label)) => format!("{name} is a definition: {label}"),
        (None, None) => format!("{name} is a definition of this program"),
    };
    match &described.doc {
        Some(doc) => format!("{head}\n{doc}"),
        None => head,
    }
}
