//! Ground truth as programs, by a fixed rule.
//!
//! Each result gets a name, that of its tool and the number of the call. A value of an argument is written as a literal
//! when the model has read it, or when neither a text nor a result has it: then the model knows it. A value that an
//! earlier call returned is taken from that result by its place, if the tool declares what it returns. A value that is
//! only part of a text in a result, or in a result that no schema describes, must be read first: the program ends before
//! that call and shows its results. A program that waits for nothing does everything that the user asked.

use std::sync::{Mutex, PoisonError};

use ptc_runner::chat::{LlmError, Reply, Request};
use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::{FormatOptions, format};
use ptc_runner::trace::replay::{Place, Source, Sources};
use serde_json::Value as Json;

use crate::task::{Call, Turn};

/// What a program does about values that it cannot take from a result by their place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// It ends, so that the model reads the result.
    ReadFirst,
    /// It has them as literals, as if the model had known them: a lower bound.
    NothingRead,
    /// Every value is a literal, and nothing is taken from results.
    Literals,
}

/// How results are named: a hidden name starts with `_`, and its value is shown nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    Shown,
    Hidden,
}

/// The calls of a task with what they return, one program after another.
pub(crate) struct Plan {
    rule: Rule,
    names: Names,
    /// Prefix of the tools: the name of their server.
    server: &'static str,
    /// Tools that declare what they return.
    declared: Vec<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    turns: Vec<Turn>,
    /// The turn that is being done, and the next call of it.
    turn: usize,
    next: usize,
    /// Calls made before this turn.
    before: usize,
    sources: Sources,
    /// Where the program that is being written begins.
    first: usize,
    /// Results that were shown because a value had to be read, by their numbers.
    looked: Vec<usize>,
    counts: Counts,
}

/// Where the values of arguments came from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    /// Read in a result first.
    pub(crate) read: usize,
    /// Of these, in what the model was not shown, although it looked twice: then it is a literal nevertheless.
    pub(crate) unseen: usize,
    /// Taken from a result by their place.
    pub(crate) taken: usize,
}

/// A value as a program has it, or the number of the result that must be read before.
type Written = Result<String, usize>;

impl Plan {
    /// `turns` have results where the rule looks at them.
    pub(crate) fn new(rule: Rule, names: Names, server: &'static str, declared: Vec<String>, turns: Vec<Turn>) -> Plan {
        let state = State { turns, ..State::default() };
        Plan { rule, names, server, declared, state: Mutex::new(state) }
    }

    /// Begin with what the user says next.
    pub(crate) fn turn(&self, turn: usize) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.before = state.turns.iter().take(turn).map(|turn| turn.calls.len()).sum();
        (state.turn, state.next) = (turn, 0);
    }

    pub(crate) fn counts(&self) -> Counts {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).counts
    }

    /// The next program: the scripted model.
    pub(crate) fn reply(&self, request: &Request) -> Result<Reply, LlmError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        // What it has read is what this request shows.
        let mut sources = Sources::default();
        request.messages.iter().for_each(|message| sources.read(&message.content()));
        let made = state.before + state.next;
        let results = state.turns.iter().flat_map(|turn| &turn.calls).take(made);
        results.for_each(|call| sources.returned(call.result.clone().unwrap_or(Json::Null)));
        state.sources = sources;
        Ok(Reply::text(format!("```clojure\n{}\n```", self.program(&mut state))))
    }

    fn program(&self, state: &mut State) -> String {
        let Some(turn) = state.turns.get(state.turn).cloned() else { return "(fail \"nothing is left\")".to_owned() };
        let first = state.next;
        state.first = first;
        let mut lines = Vec::new();
        while let Some(call) = turn.calls.get(state.next) {
            match self.call(state, call) {
                Ok(line) => lines.push(line),
                // What an earlier program has returned is in no message whole: look at it once.
                Err(number) if state.next == first => return format!("(println {})", self.name(state, number)),
                Err(_) => {
                    lines.push(self.shown(state, first));
                    return lines.join("\n");
                }
            }
            state.next += 1;
            let result = call.result.clone().unwrap_or(Json::Null);
            state.sources.returned(result);
        }
        let made = state.next > first;
        match &turn.answer {
            Some(_) if made => lines.push(self.shown(state, first)),
            Some(answer) => lines.push(format!("(return {})", literal(&Json::from(answer.as_str())))),
            None if turn.calls.is_empty() => lines.push("(return nil)".to_owned()),
            None => lines.push(format!("(return {})", self.name(state, state.before + turn.calls.len() - 1))),
        }
        lines.join("\n")
    }

    /// The line of a call.
    fn call(&self, state: &mut State, call: &Call) -> Written {
        let taken = state.counts.taken;
        let args = self.argument(state, &call.args).inspect_err(|_| state.counts.taken = taken);
        let name = self.name(state, state.before + state.next);
        Ok(format!("(def {name} (tool/{}-{} {}))", self.server, call.tool, args?))
    }

    fn argument(&self, state: &mut State, value: &Json) -> Written {
        let mut texts = Vec::new();
        match value {
            Json::Array(items) => {
                for item in items {
                    texts.push(self.argument(state, item)?);
                }
                Ok(format!("[{}]", texts.join(" ")))
            }
            Json::Object(entries) => {
                for (key, item) in entries {
                    texts.push(format!("{} {}", key_text(key), self.argument(state, item)?));
                }
                Ok(format!("{{{}}}", texts.join(" ")))
            }
            leaf => self.leaf(state, leaf),
        }
    }

    fn leaf(&self, state: &mut State, leaf: &Json) -> Written {
        let source = if self.rule == Rule::Literals { Source::Own } else { state.sources.of(leaf) };
        match source {
            Source::Read | Source::Own => Ok(literal(leaf)),
            Source::Value { call, path } if self.declares(state, call) => {
                state.counts.taken += 1;
                Ok(taken(&self.name(state, call), &path))
            }
            Source::Value { call, .. } | Source::Within { call } => self.unread(state, call).map(|()| literal(leaf)),
        }
    }

    /// A value of this result is not read yet: whether it is written nevertheless.
    fn unread(&self, state: &mut State, call: usize) -> Result<(), usize> {
        let looks = state.looked.iter().filter(|looked| **looked == call).count();
        state.counts.read += usize::from(looks == 0);
        if self.rule == Rule::NothingRead {
            return Ok(());
        }
        if looks == 2 {
            state.counts.unseen += 1;
            return Ok(());
        }
        // This program prints it; one of an earlier program is printed now, and then all of it was shown.
        let is_of_this_program = call >= state.before + state.first;
        state.looked.extend(std::iter::repeat_n(call, if is_of_this_program || looks == 1 { 1 } else { 2 }));
        Err(call)
    }

    fn declares(&self, state: &State, number: usize) -> bool {
        let call = state.turns.iter().flat_map(|turn| &turn.calls).nth(number);
        call.is_some_and(|call| self.declared.contains(&call.tool))
    }

    /// Lines that show the results of this program.
    fn shown(&self, state: &State, first: usize) -> String {
        let line = |place| format!("(println {})", self.name(state, state.before + place));
        (first..state.next).map(line).collect::<Vec<_>>().join("\n")
    }

    fn name(&self, state: &State, number: usize) -> String {
        let tool = state.turns.iter().flat_map(|turn| &turn.calls).nth(number).map_or("", |call| call.tool.as_str());
        let hidden = if self.names == Names::Hidden { "_" } else { "" };
        format!("{hidden}{tool}-{}", number + 1)
    }
}

/// A value at its place in a result.
fn taken(name: &str, path: &[Place]) -> String {
    let place = |place: &Place| match place {
        Place::Key(key) => key_text(key),
        Place::Index(index) => index.to_string(),
    };
    match path {
        [] => name.to_owned(),
        [Place::Key(key)] if is_keyword(key) => format!("(:{key} {name})"),
        path => format!("(get-in {name} [{}])", path.iter().map(place).collect::<Vec<_>>().join(" ")),
    }
}

fn key_text(key: &str) -> String {
    if is_keyword(key) { format!(":{key}") } else { literal(&Json::from(key)) }
}

fn is_keyword(key: &str) -> bool {
    key.starts_with(|char: char| char.is_ascii_alphabetic())
        && key.chars().all(|char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-'))
}

fn literal(leaf: &Json) -> String {
    format(&Value::from_json(leaf.clone()), &FormatOptions::full()).text
}
