//! The bodies of functions where they are called, also where they call themselves.

use std::sync::Arc;

use super::value::{Arguments, Frame, Known, Lambda};
use super::walk::{MOST_ROUNDS, Walk};
use crate::analyze::ir::{Arity, Slot};

/// A body that is being walked.
pub(super) struct Open {
    arity: *const Arity,
    lambda: Arc<Lambda>,
    /// With what it calls itself.
    calls: Calls,
    /// What these calls give.
    gives: Known,
}

/// How a body calls itself.
enum Calls {
    None,
    With(Arguments),
    /// With other captured values, or with an unknown number of arguments.
    Other,
}

impl Walk<'_> {
    /// Walk the body of a function with these arguments.
    pub fn inline(&mut self, lambda: &Arc<Lambda>, args: &Arguments) -> Known {
        let text = std::mem::replace(&mut self.text, lambda.text);
        let mut value = Known::nothing();
        for arity in lambda.function.taking(args.known.len(), args.more.is_some()) {
            value = value.or(self.arity_once(arity, lambda, args));
        }
        self.text = text;
        value
    }

    /// The same for one arity. One that calls itself is walked with all that it is called with; what it gives is what it
    /// gives where such calls may give anything, and once more where they give that.
    fn arity_once(&mut self, arity: &Arity, lambda: &Arc<Lambda>, args: &Arguments) -> Known {
        if let Some(open) = self.open.iter_mut().find(|open| std::ptr::eq(open.arity, arity)) {
            open.call(lambda, args);
            let gives = open.gives.clone();
            self.escape_all(&args.known);
            return gives;
        }
        let mut args = args.clone();
        for _ in 0..MOST_ROUNDS {
            let (value, calls) = self.opened(arity, lambda, &args, Known::any());
            let joined = match calls {
                Calls::None => return value,
                Calls::With(further) => args.clone().or(further),
                Calls::Other => None,
            };
            match joined {
                Some(joined) if joined == args => return self.opened(arity, lambda, &args, value).0,
                Some(joined) => args = joined,
                None => {
                    self.opened(arity, lambda, &Arguments::any(), Known::any());
                    return Known::any();
                }
            }
        }
        self.opened(arity, lambda, &Arguments::any(), Known::any()).0
    }

    /// What a body gives where its calls of itself give this, and what these are.
    fn opened(&mut self, arity: &Arity, lambda: &Arc<Lambda>, args: &Arguments, gives: Known) -> (Known, Calls) {
        self.open.push(Open { arity, lambda: lambda.clone(), calls: Calls::None, gives });
        let value = self.arity(arity, lambda, args);
        (value, self.open.pop().map_or(Calls::None, |open| open.calls))
    }

    fn arity(&mut self, arity: &Arity, lambda: &Arc<Lambda>, args: &Arguments) -> Known {
        let mut frame = Frame::of(lambda);
        let fixed = arity.fixed as usize;
        let mut state: Vec<Known> = (0..fixed).map(|at| args.get(at)).collect();
        if arity.rest {
            state.push(args.from(fixed));
        }
        let slots: Vec<Slot> = (0..state.len() as Slot).collect();
        self.rounds(&slots, state, &arity.body, &mut frame)
    }
}

impl Open {
    /// Note a call of itself.
    fn call(&mut self, lambda: &Arc<Lambda>, args: &Arguments) {
        let is_same = Arc::ptr_eq(lambda, &self.lambda) || lambda.captures == self.lambda.captures;
        let joined = match std::mem::replace(&mut self.calls, Calls::Other) {
            Calls::None if is_same => Some(args.clone()),
            Calls::With(known) if is_same => known.or(args.clone()),
            _ => None,
        };
        self.calls = joined.map_or(Calls::Other, Calls::With);
    }
}
