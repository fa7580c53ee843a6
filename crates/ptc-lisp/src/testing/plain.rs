//! Differential testing: programs without the shortcuts of the compiler, which must answer the same.

use crate::analyze::Edit;

/// Forbids rewrites and loops in place of calls.
pub(super) struct Plain;

impl Edit for Plain {
    fn allows_shortcuts(&self) -> bool {
        false
    }
}
