//! Sequences of what a function makes of the elements of others.

use super::steps::{Ask, Cursor, Returned};
use super::{Cells, Generator};
use crate::error::Res;
use crate::stdlib::known::known;
use crate::value::Value;

/// A function over sequences, at least one of them unrealised.
#[derive(Clone, Debug)]
pub(crate) struct Each {
    pub mode: Mode,
    pub f: Value,
    pub sources: Vec<Cursor>,
    /// The index of the next element, where the function takes it.
    pub index: Option<i64>,
    /// The element about which the running call decides; the last element of `reductions`.
    pub current: Value,
    /// Whether the calls have no effects: then some are made ahead.
    pub pure: bool,
}

/// How a returned value is used.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    Map,
    Filter,
    Remove,
    Keep,
    TakeWhile,
    DropWhile,
    /// The elements themselves: `drop-while` after those that it drops.
    Same,
    /// `reductions`: the function takes the last element first.
    Scan,
    /// `for`: the body may return the skip or stop mark.
    For,
}

impl Each {
    /// Look for the next element, and push the arguments of the call that computes it.
    pub(super) fn ask(&mut self, cells: &Cells, args: &mut Vec<Value>) -> Res<Ask> {
        // Ask all sources before any of them moves.
        for source in &self.sources {
            match source.state(cells)? {
                Ok(true) => {}
                Ok(false) => return Ok(Ask::End),
                Err((cell, count)) => return Ok(Ask::First(cell, count)),
            }
        }
        if self.mode == Mode::Same {
            let item = self.sources.first().map(|source| source.peek(cells)).unwrap_or_default();
            self.sources.iter_mut().for_each(Cursor::advance);
            return Ok(Ask::Element(item));
        }
        args.extend(self.index.map(Value::Int));
        args.extend((self.mode == Mode::Scan).then(|| self.current.clone()));
        args.extend(self.sources.iter().map(|source| source.peek(cells)));
        if let (Mode::Filter | Mode::Remove | Mode::TakeWhile | Mode::DropWhile, Some(item)) = (self.mode, args.last())
        {
            self.current = item.clone();
        }
        Ok(Ask::Call)
    }

    /// The next element of a vector; false when there is none, or what was returned says more than that.
    #[inline]
    fn next_quickly(&mut self, next: &Value, made: &mut Generator, count: usize, returned: &mut Value) -> bool {
        let is_element = match self.mode {
            Mode::Map => true,
            Mode::Keep => !returned.is_nil(),
            Mode::Filter => returned.is_truthy(),
            Mode::Remove => !returned.is_truthy(),
            Mode::DropWhile if returned.is_truthy() => false,
            Mode::TakeWhile if returned.is_truthy() => true,
            Mode::Scan if !matches!(returned, Value::Reduced(_)) => true,
            Mode::TakeWhile | Mode::DropWhile | Mode::Same | Mode::Scan | Mode::For => return false,
        };
        if is_element {
            if made.items.len() == made.items.capacity() || made.items.len().saturating_add(1) >= count {
                return false;
            }
            let element = match self.mode {
                Mode::Map | Mode::Keep => std::mem::take(returned),
                Mode::Scan => {
                    self.current.clone_from(returned);
                    std::mem::take(returned)
                }
                _ => std::mem::take(&mut self.current),
            };
            made.items.push(element);
        }
        if !matches!(self.mode, Mode::Map | Mode::Keep | Mode::Scan) {
            self.current.clone_from(next);
        }
        self.sources.iter_mut().for_each(Cursor::advance);
        true
    }

    pub(super) fn take_in(&mut self, returned: Value) -> Returned {
        // Only now: a failed call is repeated when the element is requested again.
        self.sources.iter_mut().for_each(Cursor::advance);
        self.index = self.index.map(|index| index + 1);
        let current = std::mem::take(&mut self.current);
        match self.mode {
            Mode::For if matches!(returned, Value::Builtin(id) if id == known().skip) => Returned::Skip,
            Mode::For if matches!(returned, Value::Builtin(id) if id == known().stop) => Returned::End,
            Mode::Map | Mode::For => Returned::Element(returned),
            Mode::Filter | Mode::Remove if returned.is_truthy() == (self.mode == Mode::Filter) => {
                Returned::Element(current)
            }
            Mode::Keep if returned.is_nil() => Returned::Skip,
            Mode::Filter | Mode::Remove => Returned::Skip,
            Mode::Keep => Returned::Element(returned),
            Mode::TakeWhile if returned.is_truthy() => Returned::Element(current),
            Mode::TakeWhile => Returned::End,
            Mode::DropWhile if returned.is_truthy() => Returned::Skip,
            Mode::DropWhile | Mode::Same => {
                self.mode = Mode::Same;
                Returned::Element(current)
            }
            Mode::Scan => {
                let element = match returned {
                    Value::Reduced(last) => {
                        self.sources = vec![Cursor::Items(Value::Nil, 0)];
                        last.get().clone()
                    }
                    value => value,
                };
                self.current.clone_from(&element);
                Returned::Element(element)
            }
        }
    }
}

impl Cells {
    /// The step of `go_on_quickly` for a function over one sequence.
    #[inline]
    pub(super) fn next_of_each(
        &mut self,
        (cell, count): (u32, usize),
        each: &mut Each,
        returned: &mut Value,
        args: &mut [Value],
    ) -> bool {
        let (None, [source], [first, others @ ..]) = (each.index, each.sources.as_slice(), args) else { return false };
        let next = match source {
            Cursor::Items(Value::Vector(items), at) => items.get(at + 1),
            Cursor::Lazy(view) => self.get(*view, 1),
            Cursor::Items(..) => None,
        };
        let (Some(next), Some(made)) = (next.cloned(), self.of_mut(cell)) else { return false };
        let quick = each.next_quickly(&next, made, count, returned);
        match others.first_mut().filter(|_| quick && each.mode == Mode::Scan) {
            Some(second) => {
                first.set(each.current.clone());
                second.set(next);
            }
            None if quick => first.set(next),
            None => {}
        }
        quick
    }
}
