//! A resolved program as text, for people who look at what the optimizer does, and for tests: `$0` is a local (`$0!` is its
//! last read, which moves the value), `^0` a captured value, `@x` a definition.

use super::HISTORY;
use super::ir::{Arity, Catch, Function, Kind, Node, Slot};
use crate::optimize::tree::{Each, LoopKind, LoopSource, Made, Update};
use crate::stdlib::table::table;
use crate::value::Value;

/// The most characters of a line, where it can be broken.
const WIDTH: usize = 100;

/// The names that a tree has as numbers.
pub(crate) trait Names {
    /// A definition.
    fn global(&self, number: u32) -> String;
    /// A local that has a name in the text.
    fn local(&self, _slot: Slot) -> Option<&str> {
        None
    }
}

/// The body of a program in one line.
#[cfg(test)]
pub(crate) fn program(function: &Function, names: &dyn Names) -> String {
    let bodies = function.arities.iter().map(|arity| Printer { names }.node(&arity.body).in_one_line());
    bodies.collect::<Vec<_>>().join(" ")
}

/// The same over several lines, each at most as long as people read.
pub(crate) fn program_in_lines(function: &Function, names: &dyn Names) -> String {
    let mut out = String::new();
    for arity in &function.arities {
        Printer { names }.node(&arity.body).lay_out(&mut out, 0);
        out.push('\n');
    }
    out
}

/// A text with parts.
enum Text {
    Word(String),
    /// The parts between two brackets.
    Group(&'static str, Vec<Text>, &'static str),
}

impl Text {
    fn in_one_line(&self) -> String {
        match self {
            Text::Word(word) => word.clone(),
            Text::Group(open, parts, close) => {
                let parts: Vec<String> = parts.iter().map(Text::in_one_line).collect();
                format!("{open}{}{close}", parts.join(" "))
            }
        }
    }

    /// Add it to `out`, which has `indent` characters in its last line.
    fn lay_out(&self, out: &mut String, indent: usize) {
        let line = self.in_one_line();
        let Text::Group(open, parts, close) = self else { return out.push_str(&line) };
        if indent + line.chars().count() <= WIDTH {
            return out.push_str(&line);
        }
        out.push_str(open);
        let inner = indent + if *open == "(" { 2 } else { open.chars().count() };
        // The words at the beginning say what it does: they share a line.
        let head = if *open == "(" { parts.iter().take_while(|part| matches!(part, Text::Word(_))).count() } else { 1 };
        for (at, part) in parts.iter().enumerate() {
            if at >= head.max(1) {
                out.push('\n');
                out.push_str(&" ".repeat(inner));
                part.lay_out(out, inner);
            } else {
                out.push_str(if at > 0 { " " } else { "" });
                let used = out.chars().rev().take_while(|c| *c != '\n').count();
                part.lay_out(out, used);
            }
        }
        out.push_str(close);
    }
}

fn word(text: impl Into<String>) -> Text {
    Text::Word(text.into())
}

fn call(head: &str, parts: impl IntoIterator<Item = Text>) -> Text {
    Text::Group("(", std::iter::once(word(head)).chain(parts).collect(), ")")
}

fn vector(parts: impl IntoIterator<Item = Text>) -> Text {
    Text::Group("[", parts.into_iter().collect(), "]")
}

struct Printer<'a> {
    names: &'a dyn Names,
}

impl Printer<'_> {
    fn node(&self, node: &Node) -> Text {
        match &node.kind {
            Kind::Const(value) => word(constant(value)),
            Kind::Local { slot, last } => word(format!("{}{}", self.slot(*slot), if *last { "!" } else { "" })),
            Kind::Capture(number) => word(format!("^{number}")),
            Kind::SelfFn => word("self"),
            Kind::Sibling(number) => word(format!("sibling-{number}")),
            Kind::Global(number) => word(format!("@{}", self.names.global(*number))),
            Kind::Data(name) => word(format!("data/{name}")),
            Kind::Tool(name) => word(format!("tool/{name}")),
            Kind::History(number) => word(HISTORY.get(usize::from(*number)).copied().unwrap_or_default().to_owned()),
            Kind::Cond { clauses, default } => self.choice(clauses, default),
            Kind::Do(nodes) => call("do", self.nodes(nodes)),
            Kind::And(nodes) => call("and", self.nodes(nodes)),
            Kind::Or(nodes) => call("or", self.nodes(nodes)),
            Kind::Let { bindings, body } => call("let", [self.bindings(bindings), self.node(body)]),
            Kind::Loop { bindings, body } => call("loop", [self.bindings(bindings), self.node(body)]),
            Kind::Recur(nodes) => call("recur", self.nodes(nodes)),
            Kind::Call { callee, args } => {
                Text::Group("(", std::iter::once(self.node(callee)).chain(self.nodes(args)).collect(), ")")
            }
            Kind::Fn(function) => self.function(function),
            Kind::LetFn { slots, functions, captures, body } => {
                let functions = functions.iter().map(|function| self.function(function));
                let names = [word(format!("{slots:?}")), word(format!("{captures:?}"))];
                call("letfn", names.into_iter().chain(functions).chain([self.node(body)]))
            }
            Kind::Vector(nodes) => vector(self.nodes(nodes)),
            Kind::Map(nodes) => Text::Group("{", self.nodes(nodes), "}"),
            Kind::Set(nodes) => Text::Group("#{", self.nodes(nodes), "}"),
            Kind::Def { name, value, doc, once, .. } => {
                let head = if *once { "defonce" } else { "def" };
                let doc = doc.as_ref().map(|doc| word(format!("{doc:?}")));
                call(head, std::iter::once(word(name.to_string())).chain(doc).chain([self.node(value)]))
            }
            Kind::Try { body, catches, finally } => {
                let catches = catches.iter().map(|clause| self.catch(clause));
                let finally = finally.iter().map(|finally| call("finally", [self.node(finally)]));
                call("try", std::iter::once(self.node(body)).chain(catches).chain(finally))
            }
            Kind::Made(made) => self.made(made),
        }
    }

    fn made(&self, made: &Made) -> Text {
        match made {
            Made::Each(each) => self.each(each),
            Made::Update(update) => self.update(update),
            Made::Replace { map, keys, lets_go, call: replaced } => {
                let head = if *lets_go { "release" } else { "keep" };
                call(head, [word(self.slot(*map)), vector(self.nodes(keys)), self.node(replaced)])
            }
            Made::Clear { slots, then } => {
                call("clear", [vector(slots.iter().map(|slot| word(self.slot(*slot)))), self.node(then)])
            }
            Made::Lazily { source, functions, globals, .. } => {
                let globals = globals.iter().map(|global| word(format!("@{}", self.names.global(*global))));
                call("lazily", [self.node(source), vector(self.nodes(functions).into_iter().chain(globals))])
            }
            Made::InPart { call: read, .. } => call("in-part", [self.node(read)]),
            Made::Leave => word("leave"),
            Made::Skip => word("skip"),
            Made::Stop => word("stop"),
        }
    }

    fn slot(&self, slot: Slot) -> String {
        self.names.local(slot).map_or_else(|| format!("${slot}"), ToOwned::to_owned)
    }

    fn nodes(&self, nodes: &[Node]) -> Vec<Text> {
        nodes.iter().map(|node| self.node(node)).collect()
    }

    fn choice(&self, clauses: &[(Node, Node)], default: &Node) -> Text {
        if let [(test, then)] = clauses {
            return call("if", [self.node(test), self.node(then), self.node(default)]);
        }
        let last = clauses.len().saturating_sub(1);
        let clauses = clauses.iter().enumerate().flat_map(|(at, (test, then))| {
            let comma = if at < last { "," } else { "" };
            [self.node(test), word("=>"), Text::Group("", vec![self.node(then)], comma)]
        });
        call("cond", clauses.chain([word("else"), self.node(default)]))
    }

    fn bindings(&self, bindings: &[(Slot, Node)]) -> Text {
        vector(bindings.iter().flat_map(|(slot, value)| [word(self.slot(*slot)), self.node(value)]))
    }

    fn catch(&self, clause: &Catch) -> Text {
        let Catch { class, slot, body } = clause;
        call("catch", [word(format!("{class:?}")), word(self.slot(*slot)), self.node(body)])
    }

    fn function(&self, function: &Function) -> Text {
        let name = function.name.iter().map(|name| word(name.to_string()));
        let params = word(format!("#[{}]", function.params_text.replace('\n', "] [")));
        let captures = (!function.captures.is_empty()).then(|| word(format!("{:?}", function.captures)));
        let inner = Printer { names: &Inside(self.names) };
        let arities = function.arities.iter().enumerate().flat_map(|(at, arity)| {
            let bar = (at > 0).then(|| word("|"));
            bar.into_iter().chain(inner.arity(arity))
        });
        call("fn", name.chain([params]).chain(captures).chain(arities))
    }

    fn arity(&self, arity: &Arity) -> [Text; 2] {
        let rest = if arity.rest { "&" } else { "" };
        [word(format!("{}{rest}/{}", arity.fixed, arity.slots)), self.node(&arity.body)]
    }

    /// `(each kind [accumulator initial] [element collection] body)`. The slow path is not shown.
    fn each(&self, each: &Each) -> Text {
        let (head, folds) = match each.does {
            LoopKind::Map => ("map", false),
            LoopKind::Keep => ("keep", false),
            LoopKind::Filter { truthy: true } => ("filter", false),
            LoopKind::Filter { truthy: false } => ("remove", false),
            LoopKind::Concat => ("concat", false),
            LoopKind::Nest => ("nest", false),
            LoopKind::Group => ("group", false),
            LoopKind::Fold { .. } => ("fold", true),
            LoopKind::Sum { product: false, .. } => ("sum", false),
            LoopKind::Sum { product: true, .. } => ("product", false),
            LoopKind::First => ("first", false),
            LoopKind::Search { truthy: true } => ("some", false),
            LoopKind::Search { truthy: false } => ("every", false),
            LoopKind::Effects => ("effects", false),
        };
        let accumulator = folds.then(|| word(self.slot(each.first)));
        let initial = accumulator.into_iter().chain(each.init.iter().map(|init| self.node(init)));
        let initial: Vec<Text> = initial.collect();
        let index = each.indexed.then(|| word(self.slot(each.element().saturating_sub(1))));
        let element = match each.parts {
            Some(parts) => vector((parts.first..parts.first + parts.count).map(|slot| word(self.slot(slot)))),
            None => word(self.slot(each.element())),
        };
        let over = match &each.over {
            LoopSource::Items(items) => self.node(items),
            LoopSource::Range(ends) => call("range", self.nodes(ends)),
        };
        let second = each.beside.iter().flat_map(|beside| [word(self.slot(each.element() + 1)), self.node(beside)]);
        let elements = vector(index.into_iter().chain([element, over]).chain(second));
        let sets = (!each.sets.is_empty()).then(|| vector(each.sets.iter().map(|slot| word(self.slot(*slot)))));
        let initial = (!initial.is_empty()).then(|| vector(initial));
        call("each", [word(head)].into_iter().chain(sets).chain(initial).chain([elements, self.node(&each.body)]))
    }

    /// `(update collection key [old] new)`. The slow path is not shown.
    fn update(&self, update: &Update) -> Text {
        let [collection, key] = &update.args;
        let old = vector([word(self.slot(update.first))]);
        call("update!", [self.node(collection), self.node(key), old, self.node(&update.body)])
    }
}

/// The names in a function inside another: its locals have others.
struct Inside<'a>(&'a dyn Names);

impl Names for Inside<'_> {
    fn global(&self, number: u32) -> String {
        self.0.global(number)
    }
}

fn constant(value: &Value) -> String {
    let all = |items: &mut dyn Iterator<Item = &Value>| items.map(constant).collect::<Vec<_>>().join(" ");
    match value {
        Value::Nil => "nil".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("{number:?}"),
        Value::Keyword(name) => format!(":{name}"),
        Value::Symbol(name) => format!("'{name}"),
        Value::Var(name) => format!("#'{name}"),
        Value::Builtin(id) => table().entry(*id).row.name.to_owned(),
        Value::Str(text) => format!("{:?}", text.as_str()),
        Value::Vector(items) => format!("'[{}]", all(&mut items.iter())),
        Value::Set(items) => format!("'#{{{}}}", all(&mut items.iter())),
        Value::Map(entries) => {
            let mut parts = entries.iter().flat_map(|(key, item)| [key, item]);
            format!("'{{{}}}", all(&mut parts))
        }
        other => format!("<{}>", other.kind()),
    }
}
