//! From forms to a resolved program: macros rewritten, names turned into slots, all static errors found at once.

mod binding;
pub(crate) mod bound_once;
mod branch;
mod call;
mod control;
mod definition;
mod exception;
mod filter;
pub(crate) mod forms;
pub(crate) mod frame;
mod function;
mod hint;
mod instance;
pub(crate) mod ir;
mod list_order;
mod look_up;
pub(crate) mod namespace;
pub(crate) mod print;
mod quote;
mod repeat;
mod resolve;
mod scope;
mod short_function;
mod statement;
mod survey;
#[cfg(test)]
mod tests;
mod thread;
mod tool_call;

use std::collections::{HashMap, HashSet};

use crate::error::warning::{Warning, WarningCode};
use crate::error::{Error, Reason};
use crate::parse::program_text::Required;
use crate::parse::span::Span;
use crate::parse::{Form, FormKind, Parsed};
use crate::signature::contract::InputChecks;
use crate::stdlib::table::table;
use crate::stdlib::{Builtin, regex_problem};
use crate::value::{BuiltinId, Name, Value};

pub(crate) use definition::docstring;
pub(crate) use forms::{SpecialForm, special_forms};
pub(crate) use look_up::Described;
pub(crate) use survey::HISTORY;

use forms::Use;
use ir::{Analyzed, Function, Kind, Node, bound, call_of, choice, constant, local, nil};
use scope::Scope;
use survey::Survey;

/// What a program may refer to.
///
/// By default there is nothing but the builtins: no earlier turns, no tools, no data.
pub(crate) trait Environment {
    /// The number of a user definition in the session's table; a new name gets a new number.
    fn global(&mut self, name: &str) -> u32;
    /// Whether an earlier turn defined this name.
    fn is_defined(&self, _name: &str) -> bool {
        false
    }
    /// The names that earlier turns defined.
    fn definitions(&self) -> Vec<String> {
        Vec::new()
    }
    /// The names of captured values, when the text is that of one function: the first locals. A program sees the
    /// results of earlier turns instead.
    fn captured(&self) -> Option<&[&str]> {
        None
    }
    /// The namespaces that earlier turns required.
    fn required(&self) -> Required {
        Required::default()
    }
    /// A tool: `Some(None)` when it has no signature.
    fn tool(&self, _name: &str) -> Option<Option<&crate::signature::Signature>> {
        None
    }
    /// The names of all tools.
    fn tools(&self) -> Vec<String> {
        Vec::new()
    }
    /// Whether the input has this key, as a keyword or as a string.
    fn has_data(&self, _name: &str) -> bool {
        false
    }
    /// Everything that is known of a tool beside its signature.
    fn tool_details(&self, _name: &str) -> String {
        String::new()
    }
    /// What a tool does, as its host says it.
    fn tool_description(&self, _name: &str) -> Option<&str> {
        None
    }
    /// What an earlier turn defined under this name.
    fn definition(&self, _name: &str) -> Option<Described> {
        None
    }
    /// The kind of an entry of the input.
    fn data_label(&self, _name: &str) -> Option<String> {
        None
    }
    /// A part of the program.
    fn text(&self, _span: Span) -> Option<&str> {
        None
    }
    /// How arguments of tools are checked against signatures.
    fn tool_checks(&self) -> InputChecks {
        InputChecks::default()
    }
    /// The keys of the input.
    fn data_names(&self) -> Vec<String> {
        Vec::new()
    }
    /// The builtin of a bare name, or of a name in one of its namespaces.
    fn builtin(&self, namespace: Option<&str>, name: &str) -> Option<(BuiltinId, &'static Builtin)> {
        let id = table().resolve(namespace, name)?;
        let id = self.edits().iter().fold(id, |id, edit| edit.builtin(id, name));
        Some((id, table().entry(id).row))
    }
    /// The names of all builtins that programs may write bare.
    fn builtin_names(&self) -> Vec<&'static str> {
        table().iter().map(|(_, entry)| entry.row.name).filter(|name| !name.starts_with('%')).collect()
    }
    /// The value of a constant by its short name: `Double/NaN`, `math/PI`.
    fn constant(&self, name: &str) -> Option<Value> {
        let edited = self.edits().iter().find_map(|edit| edit.value(name));
        edited.or_else(|| table().constant(name).cloned())
    }
    /// Whether a `task` with this id is already done.
    fn has_task(&self, _id: &str) -> bool {
        false
    }
    /// Changes that tests make to the language.
    fn edits(&self) -> &[Box<dyn Edit>] {
        &[]
    }
}

/// A change to the language that a program sees; only tests make one.
pub(crate) trait Edit: Send + Sync {
    /// The builtin that replaces this one where a program writes `name`.
    fn builtin(&self, id: BuiltinId, _name: &str) -> BuiltinId {
        id
    }
    /// The value that replaces a constant, a special form or the result of an earlier turn.
    fn value(&self, _name: &str) -> Option<Value> {
        None
    }
    /// Change a program that was analyzed.
    fn rewrite(&self, _main: &mut Function) {}
}

/// What the analyzer accepts.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Options {
    /// Distinct names in a program, core vocabulary not counted.
    pub max_symbols: usize,
}

/// Problems reported for one program.
pub(crate) const MAX_PROBLEMS: usize = 5;
/// Problems collected before the first ones by position are selected.
const MAX_COLLECTED: usize = 32;
/// Warnings of one program.
pub(crate) const MAX_WARNINGS: usize = 5;
/// Nesting of the resolved program, so that code that walks it may recurse: half of the stack that threads have, without optimisation.
const MAX_DEPTH: usize = 400;
/// Nesting of forms while they are rewritten: this guards the native stack.
const MAX_NESTING: usize = 280;

/// Whether `recur` is allowed here.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Tail {
    No,
    Yes,
    /// It would be a tail position without the `try` around it.
    AcrossTry,
}

struct Analyzer<'a> {
    names: &'a mut dyn Environment,
    survey: Survey,
    /// The functions around the current form, innermost last; the program itself is the first.
    scopes: Vec<Scope>,
    /// `:as` and `:refer` names of required namespaces.
    required: Required,
    /// `:as` names of required namespaces that do not exist.
    missing: HashMap<String, String>,
    /// Names of `let` whose values are being resolved.
    bindings_under_way: Vec<String>,
    /// Definitions that start as empty lists, with the places of these lists.
    lists: HashMap<String, Span>,
    /// Definitions that repeat input data: name, key and place.
    copies: Vec<(String, String, Span)>,
    /// Definitions that the program mentions.
    referred_to: HashSet<String>,
    problems: Vec<Error>,
    /// Names already reported: each is reported once.
    reported: HashSet<(Reason, String)>,
    warnings: Vec<Warning>,
    depth: usize,
    nesting: usize,
    /// Number of forms copied by threading macros.
    copied: usize,
    /// Number of generated locals so far.
    made_up: u32,
    /// Number of values that the functions so far close over.
    captures: usize,
    /// Inside a `task` that is already done, where unknown tools do not matter.
    done_task: bool,
}

/// Resolve a program.
///
/// Errors: up to five independent problems, by position.
pub(crate) fn analyze(parsed: &Parsed, names: &mut dyn Environment, options: &Options) -> Result<Analyzed, Vec<Error>> {
    let mut analyzer = begin(parsed, names, options)?;
    if let Some(surplus) = &parsed.surplus {
        analyzer.warn(WarningCode::SurplusDelimiter, surplus.warning(), surplus.first);
    }
    for span in &parsed.decimals {
        let text = "a decimal literal such as 1.5M is a float here; write it without M";
        analyzer.warn(WarningCode::DecimalAsFloat, text, *span);
    }
    let main = analyzer.main(&parsed.forms);
    analyzer.finish(main)
}

fn begin<'a>(parsed: &Parsed, names: &'a mut dyn Environment, options: &Options) -> Result<Analyzer<'a>, Vec<Error>> {
    let survey = Survey::of(&parsed.forms);
    if survey.words.len() > options.max_symbols {
        let message = format!("{} distinct names used, the limit is {}", survey.words.len(), options.max_symbols);
        return Err(vec![Error::new(Reason::SymbolLimitExceeded, message)]);
    }
    let required = names.required();
    Ok(Analyzer {
        names,
        survey,
        scopes: Vec::new(),
        required,
        missing: HashMap::new(),
        bindings_under_way: Vec::new(),
        lists: HashMap::new(),
        copies: Vec::new(),
        referred_to: HashSet::new(),
        problems: Vec::new(),
        reported: HashSet::new(),
        warnings: Vec::new(),
        depth: 0,
        nesting: 0,
        copied: 0,
        made_up: 0,
        captures: 0,
        done_task: false,
    })
}

impl Analyzer<'_> {
    /// The whole program as a function without parameters.
    fn main(&mut self, forms: &[Form]) -> Function {
        let span = match (forms.first(), forms.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        };
        self.scopes.push(Scope::default());
        let captured: Option<Vec<String>> =
            self.names.captured().map(|names| names.iter().map(|name| (*name).to_owned()).collect());
        let history = if captured.is_none() { self.history(span) } else { Vec::new() };
        for name in captured.iter().flatten() {
            self.fresh_named(name, span);
        }
        let body = self.body(forms, span, Tail::No);
        let body = bound(history, body);
        let scope = self.scopes.pop().unwrap_or_default();
        scope.into_function((0, false), body, String::new(), None, span)
    }

    /// Earlier results, or the last error, that the program mentions, as locals, so closures capture their values.
    fn history(&mut self, span: Span) -> Vec<(ir::Slot, Node)> {
        let names = (0..).zip(HISTORY).zip(self.survey.history);
        let result = |((number, name), _)| {
            let slot = self.fresh_named(name, span);
            (slot, self.edited(name, span).unwrap_or(Node { kind: Kind::History(number), span }))
        };
        names.filter(|(_, used)| *used).map(result).collect()
    }

    fn finish(mut self, main: Function) -> Result<Analyzed, Vec<Error>> {
        if self.problems.is_empty() {
            self.check_copies();
            self.warnings.sort_by_key(|warning| warning.span.start);
            return Ok(Analyzed { main, warnings: self.warnings, required: self.required });
        }
        self.problems.sort_by_key(|problem| problem.span.map_or(0, |span| span.start));
        self.problems.truncate(MAX_PROBLEMS);
        Err(self.problems)
    }

    /// Resolve one form.
    fn expr(&mut self, form: &Form, tail: Tail) -> Node {
        self.nested(form.span, |analyzer| analyzer.form(form, tail))
    }

    fn form(&mut self, form: &Form, tail: Tail) -> Node {
        let span = form.span;
        match &form.kind {
            FormKind::List(items) => self.list(items, span, tail),
            FormKind::Symbol(symbol) => self.symbol(symbol, span),
            FormKind::Vector(items) => self.items(items, span, |values| Some(Value::vector(values)), Kind::Vector),
            FormKind::Map(items) => self.items(items, span, quote::map_of, Kind::Map),
            FormKind::Set(items) => self.items(items, span, quote::set_of, Kind::Set),
            FormKind::ShortFn(items) => self.short_fn(items, span),
            FormKind::Quote(inner) => self.quoted(inner, span),
            FormKind::Deref(inner) => {
                let cell = self.expr(inner, Tail::No);
                self.apply("deref", vec![cell], span)
            }
            FormKind::Regex(pattern) => self.regex(pattern, span),
            _ => match quote::literal(form) {
                Some(value) => constant(value, span),
                None => self.problem(Reason::InvalidForm, "this form has no value here", span),
            },
        }
    }

    fn list(&mut self, items: &[Form], span: Span, tail: Tail) -> Node {
        let Some((head, args)) = items.split_first() else { return constant(Value::vector(Vec::new()), span) };
        match self.special(head) {
            Some(row) => self
                .edited(row.name, span)
                .unwrap_or_else(|| row.expand(self, &Use { name: row.name, template: row.template, args, span, tail })),
            None => self.call_forms(head, args, span),
        }
    }

    /// Each form as a value, in order.
    fn exprs<'f>(&mut self, forms: impl IntoIterator<Item = &'f Form>) -> Vec<Node> {
        forms.into_iter().map(|form| self.expr(form, Tail::No)).collect()
    }

    /// A collection: `whole` of its items if all are constants that may be combined, else `kind` constructs it at run
    /// time.
    fn items(
        &mut self,
        items: &[Form],
        span: Span,
        whole: fn(Vec<Value>) -> Option<Value>,
        kind: fn(Vec<Node>) -> Kind,
    ) -> Node {
        let nodes = self.exprs(items);
        let constants: Option<Vec<Value>> = nodes.iter().map(Node::literal).collect();
        match constants.and_then(whole) {
            Some(value) => constant(value, span),
            None => Node { kind: kind(nodes), span },
        }
    }

    fn regex(&mut self, pattern: &str, span: Span) -> Node {
        if let Some(problem) = regex_problem(pattern) {
            return self.problem(Reason::ArgumentError, problem, span);
        }
        self.apply("re-pattern", vec![constant(Value::string(pattern), span)], span)
    }

    fn quoted(&mut self, form: &Form, span: Span) -> Node {
        let text = "a quoted form may hold literals, names and collections only";
        quote::value(form).map_or_else(|| self.problem(Reason::InvalidForm, text, span), |value| constant(value, span))
    }

    /// Forms in order, the value of the last; nil when there are none.
    fn body(&mut self, forms: &[Form], span: Span, tail: Tail) -> Node {
        let Some((last, before)) = forms.split_last() else { return nil(span) };
        if before.is_empty() {
            return self.expr(last, tail);
        }
        let mut nodes = self.statements(before);
        nodes.push(self.expr(last, tail));
        Node { kind: Kind::Do(nodes), span }
    }

    /// The result of `build` one level deeper; a problem where that would be too deep.
    fn nested(&mut self, span: Span, build: impl FnOnce(&mut Self) -> Node) -> Node {
        if self.depth >= MAX_DEPTH || self.nesting >= MAX_NESTING {
            let text = "the program is nested too deep here; name parts of it with let or defn";
            return self.problem(Reason::InvalidForm, text, span);
        }
        self.depth += 1;
        self.nesting += 1;
        let node = build(self);
        self.depth -= 1;
        self.nesting -= 1;
        node
    }

    /// Record a static error, once per place. The returned node replaces the broken form.
    fn problem(&mut self, reason: Reason, message: impl Into<String>, span: Span) -> Node {
        let known = self.problems.iter().any(|problem| problem.reason == reason && problem.span == Some(span));
        if self.problems.len() < MAX_COLLECTED && !known {
            self.problems.push(Error::new(reason, message).at(span));
        }
        nil(span)
    }

    /// Like [`Analyzer::problem`], where nothing can replace the broken form.
    fn refuse<T>(&mut self, reason: Reason, message: impl Into<String>, span: Span) -> Option<T> {
        self.problem(reason, message, span);
        None
    }

    /// Whether a name was not reported yet and still can be; looking for hints is expensive.
    fn is_news(&mut self, reason: Reason, name: &str) -> bool {
        self.problems.len() < MAX_COLLECTED && self.reported.insert((reason, name.to_owned()))
    }

    /// Record a warning, once per place and text.
    fn warn(&mut self, code: WarningCode, message: impl Into<String>, span: Span) {
        let message = message.into();
        let known = self
            .warnings
            .iter()
            .any(|warning| warning.code == code && (warning.span == span || warning.message == message));
        if self.warnings.len() < MAX_WARNINGS && !known {
            self.warnings.push(Warning::new(code, message, span));
        }
    }

    /// The replacement that tests have for this form.
    fn edited(&self, name: &str, span: Span) -> Option<Node> {
        self.names.edits().iter().find_map(|edit| edit.value(name)).map(|value| constant(value, span))
    }

    /// The builtin `name` as a value, whatever the program defines under that name.
    fn builtin(&mut self, name: &str, span: Span) -> Node {
        match self.names.builtin(None, name) {
            Some((id, _)) => constant(Value::Builtin(id), span),
            None => self.problem(Reason::InternalError, format!("the builtin '{name}' is missing"), span),
        }
    }

    /// A call of the builtin `name`.
    fn apply(&mut self, name: &str, args: Vec<Node>, span: Span) -> Node {
        call_of(self.builtin(name, span), args, span)
    }
}
