//! What passes on the whole body of a function share.

use crate::analyze::ir::{Arity, Slot};

/// The body of a function.
pub(super) struct Body<'a> {
    pub arity: &'a mut Arity,
    /// Locals whose values a collection holds, too.
    pub shared: Vec<Slot>,
}

/// A pass on such a body.
pub(super) type OnBody = fn(&mut Body<'_>);
