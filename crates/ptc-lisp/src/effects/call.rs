//! Calls: of tools, of functions whose bodies are known, and of builtins by their rules.

use std::sync::Arc;

use super::bound::CallBound;
use super::cost::Cost;
use super::rules::{Calls, Gives, Parts, rule};
use super::value::{Abstract, Arguments, Callee};
use super::walk::Walk;
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
        let (calls, gives) = rule(id);
        let Arguments { known: args, more } = args;
        if more {
            // The number of arguments decides what it does.
            self.escape_all(&args);
            return Abstract::any();
        }
        self.kept(id);
        let results = match calls {
            Calls::Never => None,
            Calls::Each(f, coll) if args.len() == f.max(coll) + 1 => self.each(f, size(&args, coll), &args, false),
            Calls::Rows if args.len() > 1 => self.each(0, shortest(&args, 1), &args, false),
            Calls::Fold if matches!(args.len(), 2 | 3) => {
                self.each(0, size(&args, args.len() - 1), &args, args.len() == 2)
            }
            Calls::Once(f) if args.len() > f => self.each(f, Some(CallBound::of(1)), &args, false),
            Calls::Times if args.len() == 2 => {
                let times = args.first().and_then(|count| count.number.clone());
                self.each(1, times, &args, false)
            }
            Calls::Beside if args.len() > 1 => self.each(0, Some(CallBound::of(args.len() as u64 - 1)), &args, false),
            Calls::All => {
                for part in &args {
                    let value = self.call(part, Arguments { known: Vec::new(), more: false });
                    self.escape(&value);
                }
                None
            }
            Calls::Each(0, 1) | Calls::Rows if args.len() == 1 && gives != Gives::Results => {
                return Abstract::function(Callee::Transducer(args.into()));
            }
            Calls::Through(at, most) if (at + 2..=most).contains(&args.len()) => self.through(at, &args),
            Calls::Apply => return self.apply(&args),
            Calls::Makes(parts) => return self.made(parts, args),
            _ => {
                self.escape_all(&args);
                None
            }
        };
        self.given(gives, &args, results)
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
    fn given(&self, gives: Gives, args: &[Abstract], results: Option<CallBound>) -> Abstract {
        let number = |at: usize| args.get(at).and_then(|arg| arg.number.clone());
        let last = args.len().saturating_sub(1);
        Abstract::sized(match gives {
            Gives::Anything => None,
            Gives::Nothing => return Abstract::nothing(),
            Gives::Scalar => return Abstract::number(None),
            Gives::Count => return Abstract::number(size(args, 0)),
            Gives::Value => return Abstract::number(number(1)),
            Gives::Same(at) => size(args, at),
            Gives::Last => size(args, last),
            Gives::Shortest(from) => shortest(args, from),
            Gives::Together => together(args),
            Gives::Both => Some(args).filter(|args| args.len() == 2).and_then(together),
            Gives::Number => Some(args).filter(|args| args.len() == 2).and_then(|_| number(0)),
            Gives::Taken if args.len() == 2 => match (number(0), size(args, 1)) {
                (Some(count), Some(size)) => Some(count.least(size)),
                (count, size) => count.or(size),
            },
            Gives::Taken => None,
            Gives::Range => Some(args).filter(|args| args.len() == 1).and_then(|_| number(0)),
            Gives::Arguments => Some(CallBound::of(args.len() as u64)),
            Gives::Two => Some(CallBound::of(2)),
            Gives::Results => results,
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

fn together(args: &[Abstract]) -> Option<CallBound> {
    args.iter().try_fold(CallBound::of(0), |sum, arg| Some(sum.plus(arg.size.as_ref()?)))
}
