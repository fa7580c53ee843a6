//! Calls: of tools, of functions whose bodies are known, and of builtins by the facts of their rows.

use std::sync::Arc;

use super::bound::CallBound;
use super::cost::Cost;
use super::value::{Abstract, Arguments, Callee};
use super::walk::Walk;
use crate::stdlib::facts::{Callback, Parts, Size};
use crate::stdlib::table::table;
use crate::value::BuiltinId;

impl Walk<'_> {
    /// A call of any function that the value may be.
    pub fn call(&mut self, callee: &Abstract, args: Arguments) -> Abstract {
        let mut value = if callee.others { Abstract::any() } else { Abstract::nothing() };
        if callee.others {
            self.escape_all(&args.known);
        }
        let mut chosen = Cost::default();
        for function in &callee.functions {
            let (one, cost) = self.apart(|walk| walk.deeper(|walk| walk.call_function(function, args.clone())));
            chosen.or(cost);
            value = self.either(value, one);
        }
        self.cost.then(&chosen);
        value
    }

    fn call_function(&mut self, callee: &Callee, args: Arguments) -> Abstract {
        match callee {
            Callee::Tool(name) => self.tool(name, &args),
            Callee::Builtin(id) => self.builtin(*id, args),
            Callee::Lambda(lambda) => self.inline(lambda, args),
            Callee::Global(global) => {
                let value = self.global(*global);
                self.call(&value, args)
            }
            Callee::Stored(closure) => match self.stored(closure) {
                Some(lambda) => self.inline(&lambda, args),
                None => {
                    self.escape(&Abstract::function(callee.clone()));
                    self.escape_all(&args.known);
                    Abstract::any()
                }
            },
            Callee::Transducer(_) => {
                self.escape(&Abstract::function(callee.clone()));
                self.escape_all(&args.known);
                Abstract::any()
            }
            Callee::Once(parts) => {
                self.escape_all(&args.known);
                for part in parts.iter() {
                    let value = self.call(part, Arguments::any());
                    self.escape(&value);
                }
                Abstract::any()
            }
        }
    }

    fn builtin(&mut self, id: BuiltinId, args: Arguments) -> Abstract {
        let facts = &table().entry(id).row.facts;
        let Arguments { known: args, more } = args;
        if more {
            // The number of arguments decides what it does.
            self.escape_all(&args);
            return Abstract::any();
        }
        self.kept(id);
        let results = match facts.callback.unwrap_or(Callback::Any) {
            Callback::Never => None,
            Callback::Each(f, coll) if args.len() == f.max(coll) + 1 => self.each(f, size(&args, coll), &args, false),
            Callback::Rows if args.len() > 1 => self.each(0, shortest(&args, 1), &args, false),
            Callback::Fold if matches!(args.len(), 2 | 3) => {
                self.each(0, size(&args, args.len() - 1), &args, args.len() == 2)
            }
            Callback::Once(f) if args.len() > f => self.each(f, Some(CallBound::of(1)), &args, false),
            Callback::Times if args.len() == 2 => {
                let times = args.first().and_then(|count| count.number.clone());
                self.each(1, times, &args, false)
            }
            Callback::PerArgument if args.len() > 1 => {
                self.each(0, Some(CallBound::of(args.len() as u64 - 1)), &args, false)
            }
            Callback::All => {
                for part in &args {
                    let value = self.call(part, Arguments { known: Vec::new(), more: false });
                    self.escape(&value);
                }
                None
            }
            Callback::Each(0, 1) | Callback::Rows if args.len() == 1 && facts.size != Size::Results => {
                return Abstract::function(Callee::Transducer(args.into()));
            }
            Callback::Through(at, most) if (at + 2..=most).contains(&args.len()) => self.through(at, &args),
            Callback::Apply => return self.apply(&args),
            Callback::Makes(parts) if parts != Parts::Often => return self.made(parts, args),
            _ => {
                self.escape_all(&args);
                None
            }
        };
        self.given(facts.size, &args, results)
    }

    /// The function at `f` is called `count` times; returns the size of its results.
    fn each(
        &mut self,
        f: usize,
        count: Option<CallBound>,
        args: &[Abstract],
        at_least_once: bool,
    ) -> Option<CallBound> {
        for (at, arg) in args.iter().enumerate() {
            if at != f {
                self.escape(arg);
            }
        }
        let function = args.get(f)?;
        let Some(mut count) = count else {
            self.escape(function);
            return None;
        };
        if at_least_once && count.limit() == Some(0) {
            count = CallBound::of(1);
        }
        let result = self.often(&count, |walk| {
            let result = walk.call(function, Arguments::any());
            walk.escape(&result);
            result
        });
        Some(result.size?.times(&count))
    }

    /// The last argument goes through the transducer at this index.
    fn through(&mut self, at: usize, args: &[Abstract]) -> Option<CallBound> {
        let count = args.len().checked_sub(1).and_then(|last| size(args, last));
        let (Some(count), Some([Callee::Transducer(parts)])) = (count, args.get(at).and_then(exactly)) else {
            self.escape_all(args);
            return None;
        };
        self.escape_all(args.iter().enumerate().filter(|(place, _)| *place != at).map(|(_, arg)| arg));
        for part in parts.iter() {
            self.often(&count, |walk| {
                let result = walk.call(part, Arguments::any());
                walk.escape(&result);
            });
        }
        None
    }

    fn apply(&mut self, args: &[Abstract]) -> Abstract {
        let Some((function, rest)) = args.split_first() else { return Abstract::nothing() };
        let Some((last, known)) = rest.split_last() else {
            self.escape(function);
            return Abstract::any();
        };
        self.escape(last);
        self.call(function, Arguments { known: known.to_vec(), more: true })
    }

    /// A function that a builtin creates and that calls some of the arguments.
    fn made(&mut self, parts: Parts, args: Vec<Abstract>) -> Abstract {
        let called = match parts {
            Parts::All | Parts::Chain => args.len(),
            Parts::First => 1,
            Parts::None | Parts::Often => 0,
        };
        self.escape_all(args.iter().skip(called));
        let steps: Option<Vec<&Arc<[Abstract]>>> = args
            .iter()
            .map(|arg| match exactly(arg) {
                Some([Callee::Transducer(parts)]) => Some(parts),
                _ => None,
            })
            .collect();
        if let (Parts::Chain, Some(steps)) = (parts, steps) {
            return Abstract::function(Callee::Transducer(
                steps.into_iter().flat_map(|parts| parts.iter().cloned()).collect(),
            ));
        }
        let parts: Arc<[Abstract]> = args.into_iter().take(called).collect();
        Abstract::function(Callee::Once(parts))
    }

    /// The result of a builtin.
    fn given(&self, size_of: Size, args: &[Abstract], results: Option<CallBound>) -> Abstract {
        let number = |at: usize| args.get(at).and_then(|arg| arg.number.clone());
        let last = args.len().saturating_sub(1);
        Abstract::sized(match size_of {
            Size::Any => None,
            Size::Marker => return Abstract::nothing(),
            Size::Scalar => return Abstract::number(None),
            Size::Count => return Abstract::number(size(args, 0)),
            Size::Second => return Abstract::number(number(1)),
            Size::Same(at) | Size::Shorter(at) => size(args, at),
            Size::Last => size(args, last),
            Size::Shortest(from) => shortest(args, from),
            Size::Together => together(args),
            Size::Both => Some(args).filter(|args| args.len() == 2).and_then(together),
            Size::Number => Some(args).filter(|args| args.len() == 2).and_then(|_| number(0)),
            Size::Taken if args.len() == 2 => match (number(0), size(args, 1)) {
                (Some(count), Some(size)) => Some(count.least(size)),
                (count, size) => count.or(size),
            },
            Size::Taken => None,
            Size::Range => range(args),
            Size::Arguments => Some(CallBound::of(args.len() as u64)),
            Size::Two => Some(CallBound::of(2)),
            Size::Results => results,
        })
    }
}

/// The functions that a value may be, when it can be nothing else.
fn exactly(value: &Abstract) -> Option<&[Callee]> {
    (!value.others).then_some(&value.functions)
}

fn size(args: &[Abstract], at: usize) -> Option<CallBound> {
    args.get(at)?.size.clone()
}

/// The size of the shortest collection from an index on, when all sizes are known.
fn shortest(args: &[Abstract], from: usize) -> Option<CallBound> {
    let sizes: Option<Vec<CallBound>> = args.iter().skip(from).map(|arg| arg.size.clone()).collect();
    sizes?.into_iter().reduce(CallBound::least)
}

/// How many numbers a range has that goes up.
fn range(args: &[Abstract]) -> Option<CallBound> {
    let (start, end, step) = match args {
        [end] => (0, end, 1),
        [start, end] => (start.least?, end, 1),
        [start, end, step] => (start.least?, end, step.least?),
        _ => return None,
    };
    let step = u64::try_from(step).ok().filter(|step| *step > 0)?;
    let end = end.number.clone()?;
    Some(match (u64::try_from(start), end.constant()) {
        (Ok(start), Some(end)) => CallBound::of(end.saturating_sub(start).div_ceil(step)),
        (Ok(_), None) => end,
        (Err(_), _) => end.plus(&CallBound::of(start.unsigned_abs())),
    })
}

fn together(args: &[Abstract]) -> Option<CallBound> {
    args.iter().try_fold(CallBound::of(0), |sum, arg| Some(sum.plus(arg.size.as_ref()?)))
}
