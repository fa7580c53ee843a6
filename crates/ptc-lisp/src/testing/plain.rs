//! Differential testing: programs without the shortcuts of the compiler, which must give the same results.

use crate::analyze::Edit;

/// Forbids rewrites, and loops instead of calls.
pub(super) struct Plain;

impl Edit for Plain {
    fn allows_shortcuts(&self) -> bool {
        false
    }
}
