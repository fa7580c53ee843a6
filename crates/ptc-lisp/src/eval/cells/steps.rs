//! Sequences that are computed element by element: what is called for the next element, and how its result is used.

use super::{Cells, Each, Reach};
use crate::error::{Reason, Res, Signal, err, type_error};
use crate::limits::meter::{Meter, PACE};
use crate::value::{LazySeq, Value, Vector, reserve};

/// How the elements after the realised ones are computed.
#[derive(Clone, Debug)]
pub(crate) enum Steps {
    /// The natural numbers from this one on.
    Naturals(i64),
    /// The same element over and over.
    Repeat(Value),
    /// The elements of a vector over and over, from this index on.
    Cycle(Vector, usize),
    /// `(step state)` returns nil at the end, else `[element next-state]`.
    Unfold { step: Value, state: Value },
    /// `(step state)` returns nil at the end, else `[elements next-state]`. `made` holds the elements of the last
    /// result, `at` the index of the next one.
    Batches { step: Value, state: Value, made: Vector, at: usize },
    /// `x`, `(f x)`, `(f (f x))` and so on; `x` is the last element once there is one.
    Iterate { f: Value, x: Value, begun: bool },
    /// The elements of a sequence from here on. What computes others from them is pure.
    Items(Cursor),
    /// The results of a function for the elements of other sequences.
    Each(Each),
}

/// A position in a sequence.
#[derive(Clone, Debug)]
pub(crate) enum Cursor {
    /// A value with elements, and the index of the next one.
    Items(Value, usize),
    Lazy(LazySeq),
}

/// What the next element needs.
pub(super) enum Ask {
    /// Call the function with the arguments that were pushed.
    Call,
    /// Nothing: this is the element.
    Element(Value),
    /// Realise this cell first, to this many elements.
    First(u32, usize),
    /// There is no next element.
    End,
}

/// What a returned value means.
pub(super) enum Returned {
    Element(Value),
    /// No element: continue.
    Skip,
    End,
}

/// What realising a sequence needs next.
pub(crate) enum Need {
    /// Nothing: there are as many elements as were asked for.
    Nothing,
    /// Call [`Steps::function`] with the arguments that were pushed.
    Call,
    /// Realise this cell first, to this many elements.
    First(u32, usize),
    /// Nothing: the sequence has ended.
    End,
}

/// The elements of an endless sequence that calls nothing.
pub(crate) struct Direct(pub(super) Steps);

impl Direct {
    /// The next `count` elements.
    pub fn take(mut self, count: usize) -> impl ExactSizeIterator<Item = Value> {
        (0..count).map(move |_| self.0.direct().unwrap_or_default())
    }
}

impl Cursor {
    /// Whether there is a next element, or what must be realised before that is known.
    pub(super) fn state(&self, cells: &Cells) -> Res<Result<bool, (u32, usize)>> {
        match self {
            Cursor::Items(items, at) => match items.size() {
                Some(size) => Ok(Ok(*at < size)),
                None => Err(type_error(format!("seq: expected a collection, got {}", items.kind())).about_value(items)),
            },
            Cursor::Lazy(view) => Ok(match cells.reach(*view, 1) {
                Reach::Enough => Ok(true),
                Reach::Ended => Ok(false),
                Reach::Unknown => Err((view.cell, (view.offset as usize).saturating_add(1))),
            }),
        }
    }

    /// The next element, which is known to exist.
    pub(super) fn peek(&self, cells: &Cells) -> Value {
        match self {
            Cursor::Items(items, at) => items.element_at(*at).unwrap_or_default(),
            Cursor::Lazy(view) => cells.get(*view, 0).cloned().unwrap_or_default(),
        }
    }

    pub(super) fn advance(&mut self) {
        match self {
            Cursor::Items(_, at) => *at += 1,
            Cursor::Lazy(view) => view.offset = view.offset.saturating_add(1),
        }
    }

    fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        match self {
            Cursor::Items(items, _) => visit(items),
            Cursor::Lazy(view) => visit(&Value::LazySeq(*view)),
        }
    }
}

impl Steps {
    /// The function that is called for each element; nil when there is none.
    pub fn function(&self) -> Value {
        match self {
            Steps::Unfold { step: f, .. }
            | Steps::Batches { step: f, .. }
            | Steps::Iterate { f, .. }
            | Steps::Each(Each { f, .. }) => f.clone(),
            Steps::Naturals(_) | Steps::Repeat(_) | Steps::Cycle(..) | Steps::Items(..) => Value::Nil,
        }
    }

    /// Whether it is an endless sequence that needs no calls.
    pub fn is_direct(&self) -> bool {
        matches!(self, Steps::Naturals(_) | Steps::Repeat(_) | Steps::Cycle(..))
    }

    /// The next element of a sequence that calls nothing.
    pub(super) fn direct(&mut self) -> Option<Value> {
        match self {
            Steps::Naturals(next) => {
                *next = next.wrapping_add(1);
                Some(Value::Int(next.wrapping_sub(1)))
            }
            Steps::Repeat(item) => Some(item.clone()),
            Steps::Cycle(items, at) => {
                let at = std::mem::replace(at, if *at + 1 < items.len() { *at + 1 } else { 0 });
                Some(items.get(at).cloned().unwrap_or_default())
            }
            Steps::Unfold { .. }
            | Steps::Batches { .. }
            | Steps::Iterate { .. }
            | Steps::Items(..)
            | Steps::Each(_) => None,
        }
    }

    /// Move forward or back by this many elements, in a sequence that calls nothing.
    pub(super) fn move_by(&mut self, count: i64) {
        match self {
            Steps::Naturals(next) => *next = next.saturating_add(count),
            Steps::Cycle(items, at) => {
                let size = items.len().max(1) as i64;
                *at = (*at as i64 + count.rem_euclid(size)).rem_euclid(size) as usize;
            }
            _ => {}
        }
    }

    /// Look for the next element, and push the arguments of the call that computes it.
    pub(super) fn ask(&mut self, cells: &Cells, args: &mut Vec<Value>) -> Res<Ask> {
        match self {
            Steps::Naturals(_) | Steps::Repeat(_) | Steps::Cycle(..) => {
                Ok(self.direct().map_or(Ask::End, Ask::Element))
            }
            Steps::Items(source) => Ok(match source.state(cells)? {
                Ok(true) => {
                    let item = source.peek(cells);
                    source.advance();
                    Ask::Element(item)
                }
                Ok(false) => Ask::End,
                Err((cell, count)) => Ask::First(cell, count),
            }),
            Steps::Batches { made, at, .. } if *at < made.len() => {
                *at += 1;
                Ok(Ask::Element(made.get(*at - 1).cloned().unwrap_or_default()))
            }
            Steps::Unfold { state, .. } | Steps::Batches { state, .. } => {
                args.push(state.clone());
                Ok(Ask::Call)
            }
            Steps::Iterate { x, begun: begun @ false, .. } => {
                *begun = true;
                Ok(Ask::Element(x.clone()))
            }
            Steps::Iterate { x, .. } => {
                args.push(x.clone());
                Ok(Ask::Call)
            }
            Steps::Each(each) => each.ask(cells, args),
        }
    }

    /// Use what the call returned.
    pub(super) fn take_in(&mut self, returned: Value) -> Res<Returned> {
        Ok(match self {
            Steps::Unfold { state, .. } => match &returned {
                made if !made.is_truthy() => Returned::End,
                Value::Vector(made) => {
                    *state = made.get(1).cloned().unwrap_or_default();
                    Returned::Element(made.get(0).cloned().unwrap_or_default())
                }
                other => return Err(unexpected(other)),
            },
            Steps::Batches { state, made, at, .. } => match returned.as_vector().and_then(Vector::pair) {
                Some((Value::Vector(items), next)) => {
                    (*made, *at) = (items.clone(), 0);
                    state.clone_from(next);
                    Returned::Skip
                }
                None if returned.is_nil() => Returned::End,
                _ => return Err(unexpected(&returned)),
            },
            Steps::Iterate { x, .. } => {
                x.clone_from(&returned);
                Returned::Element(returned)
            }
            Steps::Each(each) => each.take_in(returned),
            Steps::Naturals(_) | Steps::Repeat(_) | Steps::Cycle(..) | Steps::Items(..) => Returned::Element(returned),
        })
    }

    /// Everything that it refers to.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        match self {
            Steps::Naturals(_) => {}
            Steps::Repeat(item) => visit(item),
            Steps::Items(source) => source.visit(visit),
            Steps::Cycle(items, _) => visit(&Value::Vector(items.clone())),
            Steps::Unfold { step: f, state: x } | Steps::Iterate { f, x, .. } => {
                visit(f);
                visit(x);
            }
            Steps::Batches { step, state, made, .. } => {
                visit(step);
                visit(state);
                visit(&Value::Vector(made.clone()));
            }
            Steps::Each(each) => {
                visit(&each.f);
                visit(&each.current);
                each.sources.iter().for_each(|source| source.visit(visit));
            }
        }
    }

    /// The values that it holds.
    pub(super) fn into_values(self) -> Vec<Value> {
        match self {
            Steps::Naturals(_) => Vec::new(),
            Steps::Repeat(item) | Steps::Items(Cursor::Items(item, _)) => vec![item],
            Steps::Items(Cursor::Lazy(_)) => Vec::new(),
            Steps::Cycle(items, _) => vec![Value::Vector(items)],
            Steps::Unfold { step: f, state: x } | Steps::Iterate { f, x, .. } => vec![f, x],
            Steps::Batches { step, state, made, .. } => vec![step, state, Value::Vector(made)],
            Steps::Each(Each { f, sources, current, .. }) => {
                let items = sources
                    .into_iter()
                    .filter_map(|source| if let Cursor::Items(items, _) = source { Some(items) } else { None });
                items.chain([f, current]).collect()
            }
        }
    }

    /// Its size in bytes, without its values.
    pub fn bytes(&self) -> usize {
        let sources = if let Steps::Each(each) = self { each.sources.capacity() } else { 0 };
        size_of::<Steps>() + sources * size_of::<Cursor>()
    }
}

#[cold]
fn unexpected(returned: &Value) -> Box<Signal> {
    err(Reason::InternalError, format!("a step returned a {}", returned.kind()))
}

impl Cells {
    /// Work towards `count` elements of `cell`, whose steps are running: use what the last call `returned`, or continue
    /// where it stopped. If it fails for lack of memory, nothing is consumed.
    pub fn go_on(
        &mut self,
        (cell, count): (u32, usize),
        steps: &mut Steps,
        returned: &mut Option<Value>,
        args: &mut Vec<Value>,
        meter: &mut Meter,
    ) -> Res<Need> {
        self.reserve_for(cell, 1, meter)?;
        if let Some(value) = returned.take() {
            match steps.take_in(value)? {
                Returned::Element(item) => self.add(cell, item),
                Returned::Skip => {}
                Returned::End => return Ok(Need::End),
            }
        }
        loop {
            if self.of(cell).is_none_or(|generator| generator.items.len() >= count) {
                return Ok(Need::Nothing);
            }
            self.reserve_for(cell, 1, meter)?;
            match steps.ask(self, args)? {
                Ask::Call => return Ok(Need::Call),
                Ask::First(cell, count) => return Ok(Need::First(cell, count)),
                Ask::End => return Ok(Need::End),
                Ask::Element(item) => {
                    self.add(cell, item);
                    meter.charge(1)?;
                }
            }
        }
    }

    /// Move from one call of a function of the program to the next, when that needs nothing else: use what the call
    /// returned, and put the argument of the next call into its register.
    #[inline]
    pub fn go_on_quickly(
        &mut self,
        (cell, count): (u32, usize),
        steps: &mut Steps,
        returned: &mut Value,
        args: &mut [Value],
    ) -> bool {
        if let Steps::Each(each) = steps {
            return self.next_of_each((cell, count), each, returned, args);
        }
        let (Some(generator), [argument, ..]) = (self.of_mut(cell), args) else { return false };
        if generator.items.len() == generator.items.capacity() || generator.items.len().saturating_add(1) >= count {
            return false;
        }
        match steps {
            Steps::Iterate { x, .. } => {
                x.clone_from(returned);
                generator.items.push(std::mem::take(returned));
                argument.set(x.clone());
            }
            Steps::Unfold { state, .. } => {
                let Value::Vector(made) = returned else { return false };
                let (Some(item), Some(next)) = (made.get(0), made.get(1)) else { return false };
                generator.items.push(item.clone());
                state.clone_from(next);
                argument.set(state.clone());
            }
            _ => return false,
        }
        true
    }

    /// Compute elements of `cell` that need no calls, up to `count`.
    pub(super) fn make_direct(&mut self, cell: u32, steps: &mut Steps, count: usize, meter: &mut Meter) -> Res<()> {
        loop {
            let made = self.of(cell).map_or(count, |generator| generator.items.len());
            let block = count.saturating_sub(made).min(PACE);
            if block == 0 {
                return Ok(());
            }
            meter.charge(block.div_ceil(4))?;
            meter.look_at_clock()?;
            self.reserve_for(cell, block, meter)?;
            if let Some(generator) = self.of_mut(cell) {
                generator.items.extend((0..block).map_while(|_| steps.direct()));
            }
        }
    }

    fn reserve_for(&mut self, cell: u32, more: usize, meter: &mut Meter) -> Res<()> {
        match self.of_mut(cell) {
            Some(generator) => Ok(reserve(&mut generator.items, more, meter)?),
            None => Ok(()),
        }
    }

    fn add(&mut self, cell: u32, item: Value) {
        if let Some(generator) = self.of_mut(cell) {
            generator.items.push(item);
        }
    }
}
