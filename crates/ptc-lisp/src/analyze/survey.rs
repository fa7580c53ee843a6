//! A first pass over the whole program: what it defines, which names it uses.

use std::collections::HashMap;

use super::binding::is_rest_mark;
use super::forms;
use crate::error::advice::Counts;
use crate::parse::span::Span;
use crate::parse::{Form, FormKind, Symbol};
use crate::value::hash::text_hash;
use crate::value::name::NameHashes;

/// The names of what earlier programs left: the last error, and the last results, at their numbers.
pub(crate) const HISTORY: [&str; 4] = ["*e", "*1", "*2", "*3"];

/// What a program says about names, anywhere in it.
#[derive(Default)]
pub(super) struct Survey {
    pub definitions: HashMap<String, Definition>,
    /// Distinct names by their hashes, core vocabulary not counted.
    pub words: NameHashes,
    /// Which of [`HISTORY`] occur.
    pub history: [bool; HISTORY.len()],
}

/// What the program says about one name that it defines.
#[derive(Default)]
pub(super) struct Definition {
    /// The arguments it takes, when its only definition is a function at top level.
    pub counts: Option<Counts>,
    /// Where that definition ends.
    pub end: u32,
    /// The latest one, unless it is only declared.
    pub written: Option<Written>,
    times: usize,
}

/// A definition as the program writes it.
pub(super) struct Written {
    pub form: Span,
    pub doc: Option<String>,
    /// The parameter lists of a function, brackets included.
    pub params: Vec<Span>,
}

impl Survey {
    pub fn of(program: &[Form]) -> Survey {
        let mut survey = Survey::default();
        program.iter().for_each(|form| survey.visit(form, false));
        program.iter().for_each(|form| survey.note_arity(form));
        survey
    }

    /// Names inside quoted forms count, but define nothing.
    fn visit(&mut self, form: &Form, quoted: bool) {
        match &form.kind {
            FormKind::Symbol(symbol) => self.note_word(symbol, quoted),
            FormKind::Keyword(name) if name != "else" => _ = self.words.insert(text_hash(name)),
            FormKind::List(items) if !quoted => {
                if let Some(name) = defined_name(items) {
                    let definition = self.definitions.entry(name.to_owned()).or_default();
                    definition.times += 1;
                    definition.written = Some(written(items, form.span));
                }
                if head_name(items) == Some("declare") {
                    for name in items.iter().skip(1).filter_map(Form::plain) {
                        self.definitions.entry(name.to_owned()).or_default();
                    }
                }
            }
            _ => {}
        }
        let quoted = quoted || matches!(form.kind, FormKind::Quote(_));
        form.parts().iter().for_each(|part| self.visit(part, quoted));
    }

    fn note_word(&mut self, symbol: &Symbol, quoted: bool) {
        let number = HISTORY.iter().position(|name| *name == symbol.name && symbol.ns.is_none() && !quoted);
        match number.and_then(|number| self.history.get_mut(number)) {
            Some(used) => *used = true,
            None if is_core_word(&symbol.name) => {}
            None => _ = self.words.insert(text_hash(&symbol.name)),
        }
    }

    /// Note the arity of a top-level definition, if it is the only one of its name.
    fn note_arity(&mut self, form: &Form) {
        let FormKind::List(items) = &form.kind else { return };
        let Some(definition) = defined_name(items).and_then(|name| self.definitions.get_mut(name)) else { return };
        if definition.times == 1 {
            definition.counts = function_counts(items);
            definition.end = form.span.end;
        }
    }
}

fn is_core_word(name: &str) -> bool {
    matches!(name, "=" | "not=" | "<" | ">" | "<=" | ">=" | "not" | "data" | "tool") || forms::find(name).is_some()
}

fn head_name(items: &[Form]) -> Option<&str> {
    items.first()?.name()
}

/// The name that a `def`, `defn`, `defn-` or `defonce` binds.
fn defined_name(items: &[Form]) -> Option<&str> {
    matches!(head_name(items)?, "def" | "defn" | "defn-" | "defonce").then_some(())?;
    items.get(1)?.plain()
}

/// What a definition says about itself.
fn written(items: &[Form], form: Span) -> Written {
    let doc = match items {
        [_, _, Form { kind: FormKind::Str(text), .. }, _, ..] => Some(text.clone()),
        _ => None,
    };
    Written { form, doc, params: parameters(items).into_iter().map(|(form, _)| form.span).collect() }
}

/// Argument counts of a definition that is a function.
fn function_counts(items: &[Form]) -> Option<Counts> {
    let parameters = parameters(items);
    let arities = parameters.iter().map(|(_, params)| match params.iter().position(is_rest_mark) {
        Some(fixed) => (fixed, true),
        None => (params.len(), false),
    });
    (!parameters.is_empty()).then(|| Counts::new(arities))
}

/// The parameter lists of `(defn name …)` or `(def name (fn …))`: the first vector, or those of all `([params] body…)`.
fn parameters(items: &[Form]) -> Vec<(&Form, &[Form])> {
    let parts = match items {
        [_, _, parts @ ..] if matches!(head_name(items), Some("defn" | "defn-")) => parts,
        [_, _, .., function] if matches!(function.call(), Some(("fn", _))) => function.parts(),
        _ => &[],
    };
    let vector = |form| Form::vector(form).map(|params| (form, params));
    let lists = parts.iter().filter(|part| matches!(part.kind, FormKind::List(_)));
    let several = || lists.filter_map(|arity| arity.parts().first().and_then(vector)).collect();
    parts.iter().find_map(vector).map_or_else(several, |one| vec![one])
}
