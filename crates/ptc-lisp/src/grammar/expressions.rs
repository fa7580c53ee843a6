//! The rules of expressions: one of each kind for each depth that is left and each number of locals that are known.

use std::collections::{HashMap, HashSet};

use crate::signature::{Field, Type};

use super::names::{Calls, MOST, Names, is_optional};
use super::{GrammarOptions, Part, Rule, Sequence};

/// Locals that are known at one place, at most.
const LOCALS: usize = 5;
/// Definitions of one program, which are known after them as locals are.
const DEFINITIONS: usize = 2;
/// Elements of a vector, and steps of a threading macro.
const ELEMENTS: usize = 4;
/// Depth of the arguments of tools.
const ARGUMENT: usize = 1;

/// What a name or a keyword may have after its first letter, and where first letters lie: keys of one map are in this
/// order, so that none comes twice.
const KEYS: [&[(&str, usize, usize)]; 4] = [
    &[("a-f", 1, 1), ("a-z0-9_-", 0, 19)],
    &[("g-m", 1, 1), ("a-z0-9_-", 0, 19)],
    &[("n-s", 1, 1), ("a-z0-9_-", 0, 19)],
    &[("t-z", 1, 1), ("a-z0-9_-", 0, 19)],
];
const KEYWORD: &[(&str, usize, usize)] = &[("a-z", 1, 1), ("a-z0-9_-", 0, 19)];
const DIGITS: &[(&str, usize, usize)] = &[("1-9", 1, 1), ("0-9", 0, 8)];
const DECIMALS: &[(&str, usize, usize)] = &[("0-9", 1, 4)];
/// Of a text. It may be read as a regular expression, which cannot begin with a repetition.
const CHARACTERS: &[(&str, usize, usize)] = &[("a-zA-Z0-9 .,:;!%_/@-", 1, 1), ("a-zA-Z0-9 .,:;!%_/@?+*-", 0, 39)];

/// Rules that are being made.
pub(super) struct Expressions<'n> {
    names: &'n Names,
    depth: usize,
    locals: usize,
    rules: Vec<Rule>,
    /// Rules for literals of a type, by type and number of locals.
    typed: HashMap<(Type, usize), String>,
}

fn text(text: impl Into<String>) -> Part {
    Part::Text(text.into())
}

fn rule(name: impl Into<String>) -> Part {
    Part::Rule(name.into())
}

/// Any expression, a call or something else that is computed, what is known without a call, a function.
fn any(depth: usize, locals: usize) -> Part {
    rule(format!("e{depth}s{locals}"))
}

fn call(depth: usize, locals: usize) -> Part {
    rule(format!("c{depth}s{locals}"))
}

fn known(locals: usize) -> Part {
    rule(format!("v{locals}"))
}

fn function(depth: usize, locals: usize) -> Part {
    rule(format!("g{depth}s{locals}"))
}

/// Functions that are called with so many arguments.
fn called_with(count: usize, takes_function: bool) -> String {
    format!("{}{count}", if takes_function { 'h' } else { 'f' })
}

impl<'n> Expressions<'n> {
    /// Rules with these names, for expressions of at most this depth.
    pub fn new(names: &'n Names, depth: usize) -> Expressions<'n> {
        let locals = names.locals.len().min(LOCALS);
        Expressions { names, depth, locals, rules: Vec::new(), typed: HashMap::new() }
    }

    /// The rules of programs.
    pub fn program(mut self, options: &GrammarOptions<'_>) -> Vec<Rule> {
        let definitions = self.locals.min(DEFINITIONS);
        self.add("root", vec![vec![rule("p0")]]);
        for defined in 0..=definitions {
            let mut choices = vec![vec![
                Part::Optional(vec![text("(println "), any(self.depth - 1, defined), text(")\n")]),
                rule(format!("last{defined}")),
            ]];
            if let Some(name) = self.names.locals.get(defined).filter(|_| defined < definitions) {
                let (value, rest) = (any(self.depth, defined), rule(format!("p{}", defined + 1)));
                choices.push(vec![text(format!("(def {name} ")), value, text(")\n"), rest]);
            }
            self.add(format!("p{defined}"), choices);
            let returned = match options.returns {
                Some(ty) => self.of_type(ty, defined, self.depth),
                None => any(self.depth, defined),
            };
            let mut last =
                vec![vec![text("(return "), returned, text(")")], vec![text("(fail "), any(1, defined), text(")")]];
            last.extend((!options.ends).then(|| vec![any(self.depth, defined)]));
            self.add(format!("last{defined}"), last);
        }
        for locals in 0..=self.locals {
            self.known(locals);
            self.tools(locals);
            for depth in 0..=self.depth {
                self.expressions(depth, locals);
            }
        }
        self.words();
        reachable(self.rules)
    }

    fn add(&mut self, name: impl Into<String>, choices: Vec<Sequence>) {
        let choices = choices.into_iter().map(joined).collect();
        self.rules.push(Rule { name: name.into(), choices });
    }

    /// What needs no call and is not a literal.
    fn known(&mut self, locals: usize) {
        let names = self.names.locals.iter().take(locals).map(|name| vec![text(*name)]);
        let mut choices: Vec<Sequence> = names.collect();
        if !self.names.values.is_empty() {
            choices.push(vec![rule("value")]);
        }
        if choices.is_empty() {
            choices.push(vec![text("*1")]);
        }
        self.add(format!("v{locals}"), choices);
    }

    fn expressions(&mut self, depth: usize, locals: usize) {
        if depth == 0 {
            self.add(format!("e0s{locals}"), vec![vec![known(locals)], vec![rule("literal")]]);
            self.add(format!("g0s{locals}"), vec![vec![rule("fname")], vec![text(":"), rule("keyword")]]);
            return;
        }
        let inner = any(depth - 1, locals);
        self.calls(depth, locals);
        self.add(
            format!("e{depth}s{locals}"),
            vec![
                vec![known(locals)],
                vec![call(depth, locals)],
                vec![rule("literal")],
                vec![text("["), rule(format!("i{depth}s{locals}")), text("]")],
                vec![text("{"), rule(format!("m{depth}s{locals}")), text("}")],
            ],
        );
        self.add(format!("i{depth}s{locals}"), vec![list(&inner, ELEMENTS)]);
        let entry = |key| (vec![text(":"), Part::Characters(key), text(" "), inner.clone()], true);
        self.add(format!("m{depth}s{locals}"), entries(KEYS.into_iter().map(entry).collect()));
        let mut functions = vec![vec![function(0, locals)]];
        for params in 1..=2 {
            functions.extend(self.function_of(params, depth, locals));
        }
        self.add(format!("g{depth}s{locals}"), functions);
    }

    /// `(fn [x] …)` whose body knows as many locals more.
    fn function_of(&self, params: usize, depth: usize, locals: usize) -> Option<Sequence> {
        let names = self.names.locals.get(locals..locals + params).filter(|_| locals + params <= self.locals)?;
        Some(vec![text(format!("(fn [{}] ", names.join(" "))), any(depth - 1, locals + params), text(")")])
    }

    fn calls(&mut self, depth: usize, locals: usize) {
        let inner = any(depth - 1, locals);
        let args = |count: usize| std::iter::repeat_n([text(" "), inner.clone()], count).flatten();
        let mut choices: Vec<Sequence> = Vec::new();
        for count in 1..=MOST {
            if self.has_functions(count, false) {
                choices.push([text("("), rule(called_with(count, false))].into_iter().chain(args(count)).collect());
            }
            if self.has_functions(count, true) {
                let head = [text("("), rule(called_with(count, true)), text(" "), function(depth - 1, locals)];
                choices.push(head.into_iter().chain(args(count - 1)).collect());
            }
        }
        choices.push([text("(:"), rule("keyword")].into_iter().chain(args(1)).collect());
        for (form, count) in [("if", 3), ("when", 2), ("and", 2), ("or", 2)] {
            choices.push([text(format!("({form}"))].into_iter().chain(args(count)).collect());
        }
        choices.iter_mut().for_each(|choice| choice.push(text(")")));
        if let Some(name) = self.names.locals.get(locals).filter(|_| locals < self.locals) {
            let body = any(depth - 1, locals + 1);
            choices.push(vec![text(format!("(let [{name} ")), inner.clone(), text("] "), body, text(")")]);
        }
        if depth > 1 {
            for (arrow, step) in [("->>", 't'), ("->", 'u')] {
                let steps = rule(format!("{step}{depth}s{locals}n{ELEMENTS}"));
                choices.push(vec![text(format!("({arrow} ")), any(1, locals), steps, text(")")]);
                self.steps(step, depth, locals);
            }
            if !self.names.tools.is_empty() {
                choices.push(vec![rule(format!("tool{locals}"))]);
            }
        }
        self.add(format!("c{depth}s{locals}"), choices);
    }

    /// The steps of a threading macro: `t` are calls without their last argument, `u` without the first.
    fn steps(&mut self, kind: char, depth: usize, locals: usize) {
        let arg = any(depth - 2, locals);
        let mut choices = vec![vec![rule(called_with(1, false))], vec![text(":"), rule("keyword")]];
        for count in 2..=MOST {
            let args = std::iter::repeat_n([text(" "), arg.clone()], count - 1).flatten();
            if self.has_functions(count, false) {
                let head = [text("("), rule(called_with(count, false))];
                choices.push(head.into_iter().chain(args.clone()).chain([text(")")]).collect());
            }
            // The collection goes last where a function goes first.
            if kind == 't' && self.has_functions(count, true) {
                let head = [text("("), rule(called_with(count, true)), text(" "), function(depth - 1, locals)];
                choices.push(head.into_iter().chain(args.skip(2)).chain([text(")")]).collect());
            }
        }
        self.add(format!("{kind}{depth}s{locals}"), choices);
        let step = rule(format!("{kind}{depth}s{locals}"));
        for left in 1..=ELEMENTS {
            let more = (left > 1).then(|| Part::Optional(vec![rule(format!("{kind}{depth}s{locals}n{}", left - 1))]));
            let parts = [text(" "), step.clone()].into_iter().chain(more).collect();
            self.add(format!("{kind}{depth}s{locals}n{left}"), vec![parts]);
        }
    }

    /// Calls of tools with the arguments that they declare.
    fn tools(&mut self, locals: usize) {
        let names = self.names;
        let choices: Vec<Sequence> = names
            .tools
            .iter()
            .map(|(name, params)| {
                let mut call = vec![text(format!("(tool/{name} {{"))];
                call.push(match params {
                    Some(params) => self.fields(params, locals),
                    None => rule(format!("m{ARGUMENT}s{locals}")),
                });
                call.push(text("})"));
                call
            })
            .collect();
        if !choices.is_empty() {
            self.add(format!("tool{locals}"), choices);
        }
    }

    /// The entries of a map with these keys.
    fn fields(&mut self, fields: &[Field], locals: usize) -> Part {
        let fields = fields.iter().map(|field| {
            let entry = vec![text(format!(":{} ", field.name)), self.of_type(&field.ty, locals, ARGUMENT)];
            (entry, is_optional(field))
        });
        let choices = entries(fields.collect());
        // After the rules of its fields, so that no two have one name.
        let name = format!("k{}s{locals}", self.rules.len());
        self.add(name.clone(), choices);
        rule(name)
    }

    /// What may be a value of this type: a literal of it, or something that is computed.
    fn of_type(&mut self, ty: &Type, locals: usize, depth: usize) -> Part {
        if let Type::Any | Type::JsonOrText = ty {
            return any(depth, locals);
        }
        if let Some(name) = self.typed.get(&(ty.clone(), locals)) {
            return rule(name);
        }
        let name = format!("y{}s{locals}", self.typed.len());
        self.typed.insert((ty.clone(), locals), name.clone());
        let mut choices = vec![vec![known(locals)], vec![call(depth.max(1), locals)]];
        choices.extend(match ty {
            Type::Int => vec![vec![rule("int")]],
            Type::Float => vec![vec![rule("int")], vec![rule("float")]],
            Type::String => vec![vec![rule("string")]],
            Type::Bool => vec![vec![rule("bool")]],
            Type::Keyword => vec![vec![text(":"), rule("keyword")]],
            Type::OneOf(values) => values.iter().map(|value| vec![text(value.to_string())]).collect(),
            Type::Optional(inner) => vec![vec![text("nil")], vec![self.of_type(inner, locals, depth)]],
            Type::List(item) => {
                let item = self.of_type(item, locals, depth);
                vec![[text("[")].into_iter().chain(list(&item, ELEMENTS)).chain([text("]")]).collect()]
            }
            Type::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.of_type(part, locals, depth));
                let parts: Vec<Part> = parts.flat_map(|part| [text(" "), part]).skip(1).collect();
                vec![[text("[")].into_iter().chain(parts).chain([text("]")]).collect()]
            }
            Type::Ruled(inner, _) => vec![vec![self.of_type(inner, locals, depth)]],
            Type::Record(fields) => {
                let fields = self.fields(fields, locals);
                vec![vec![text("{"), fields, text("}")]]
            }
            Type::Union(types) => types.iter().map(|ty| vec![self.of_type(ty, locals, depth)]).collect(),
            _ => Vec::new(),
        });
        self.add(name.clone(), choices);
        rule(name)
    }

    fn has_functions(&self, count: usize, takes_function: bool) -> bool {
        let mut families = self.names.functions.keys();
        families.any(|calls| calls.takes_function == takes_function && calls.counts.get(count) == Some(&true))
    }

    /// Names and literals, which are the same everywhere.
    fn words(&mut self) {
        let names = self.names;
        let families: Vec<(&Calls, &Vec<String>)> = names.functions.iter().collect();
        for (number, (_, members)) in families.iter().enumerate() {
            self.add(format!("n{number}"), members.iter().map(|name| vec![text(name)]).collect());
        }
        let numbered = |keep: &dyn Fn(&Calls) -> bool| -> Vec<Sequence> {
            let kept = families.iter().enumerate().filter(|(_, (calls, _))| keep(calls));
            kept.map(|(number, _)| vec![rule(format!("n{number}"))]).collect()
        };
        for (count, takes_function) in (1..=MOST).flat_map(|count| [(count, false), (count, true)]) {
            let choices =
                numbered(&|calls| calls.takes_function == takes_function && calls.counts.get(count) == Some(&true));
            if !choices.is_empty() {
                self.add(called_with(count, takes_function), choices);
            }
        }
        let mut functions = numbered(&|calls| !calls.takes_function);
        functions.extend(names.tools.iter().map(|(name, _)| vec![text(format!("tool/{name}"))]));
        self.add("fname", functions);
        if !names.values.is_empty() {
            self.add("value", names.values.iter().map(|name| vec![text(name)]).collect());
        }
        let of = |names: &[&str]| names.iter().map(|name| vec![rule(*name)]).collect::<Vec<Sequence>>();
        let mut literals = of(&["int", "float", "string", "bool"]);
        literals.extend([vec![text(":"), rule("keyword")], vec![text("nil")]]);
        self.add("literal", literals);
        let sign = Part::Optional(vec![text("-")]);
        self.add("int", vec![vec![sign.clone(), Part::Characters(DIGITS)], vec![text("0")]]);
        self.add(
            "float",
            vec![
                vec![sign.clone(), Part::Characters(DIGITS), text("."), Part::Characters(DECIMALS)],
                vec![sign, text("0."), Part::Characters(DECIMALS)],
            ],
        );
        self.add("string", vec![vec![text("\""), Part::Optional(vec![Part::Characters(CHARACTERS)]), text("\"")]]);
        self.add("bool", vec![vec![text("true")], vec![text("false")]]);
        self.add("keyword", vec![vec![Part::Characters(KEYWORD)]]);
    }
}

/// The parts with neighbouring texts as one.
fn joined(parts: Sequence) -> Sequence {
    let mut joined = Sequence::with_capacity(parts.len());
    for part in parts {
        match (joined.last_mut(), part) {
            (Some(Part::Text(before)), Part::Text(text)) => before.push_str(&text),
            (_, Part::Optional(inner)) => joined.push(Part::Optional(self::joined(inner))),
            (_, part) => joined.push(part),
        }
    }
    joined
}

/// The rules that the first one leads to.
fn reachable(rules: Vec<Rule>) -> Vec<Rule> {
    let by_name: HashMap<&str, &Rule> = rules.iter().map(|rule| (rule.name.as_str(), rule)).collect();
    let mut open: Vec<&Rule> = rules.first().into_iter().collect();
    let mut found: HashSet<String> = open.iter().map(|rule| rule.name.clone()).collect();
    while let Some(rule) = open.pop() {
        let mut parts: Vec<&Part> = rule.choices.iter().flatten().collect();
        while let Some(part) = parts.pop() {
            match part {
                Part::Rule(name) if !found.contains(name) => {
                    found.insert(name.clone());
                    open.extend(by_name.get(name.as_str()));
                }
                Part::Optional(inner) => parts.extend(inner),
                Part::Rule(_) | Part::Text(_) | Part::Characters(_) => {}
            }
        }
    }
    rules.into_iter().filter(|rule| found.contains(&rule.name)).collect()
}

/// The entries of a map in their order, with blanks between them; those that are optional come last.
fn entries(mut entries: Vec<(Sequence, bool)>) -> Vec<Sequence> {
    entries.sort_by_key(|(_, is_optional)| *is_optional);
    let after = |entry: &Sequence| [text(" ")].into_iter().chain(entry.iter().cloned()).collect::<Sequence>();
    let rest = |from: usize| {
        entries.iter().skip(from).flat_map(|(entry, is_optional)| match is_optional {
            true => vec![Part::Optional(after(entry))],
            false => after(entry),
        })
    };
    let first = |at: usize| entries.get(at).into_iter().flat_map(|(entry, _)| entry.iter().cloned());
    let from = |at: usize| first(at).chain(rest(at + 1)).collect::<Sequence>();
    match entries.first() {
        None => vec![Vec::new()],
        Some((_, false)) => vec![from(0)],
        Some((_, true)) => [Vec::new()].into_iter().chain((0..entries.len()).map(from)).collect(),
    }
}

/// Up to so many of these, with blanks between them.
fn list(item: &Part, most: usize) -> Sequence {
    let nested = (1..most).fold(Vec::new(), |inner: Sequence, _| {
        let optional = (!inner.is_empty()).then_some(Part::Optional(inner));
        [text(" "), item.clone()].into_iter().chain(optional).collect()
    });
    vec![Part::Optional([item.clone()].into_iter().chain([Part::Optional(nested)]).collect())]
}
