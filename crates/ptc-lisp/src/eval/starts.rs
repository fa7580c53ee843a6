//! How native frames start, by the number of the row.

use std::sync::OnceLock;

use super::native::{Start, force, parallel, sort, swap};
use crate::stdlib::table::table;
use crate::value::BuiltinId;

/// How the frame of this row starts.
#[inline]
pub(super) fn start_of(id: BuiltinId) -> Option<Start> {
    static STARTS: OnceLock<Vec<Option<Start>>> = OnceLock::new();
    let starts = STARTS.get_or_init(|| {
        let all = [force::STARTS, parallel::STARTS, sort::STARTS, swap::STARTS];
        let known: Vec<_> = all.into_iter().flatten().flatten().collect();
        let find = |name| known.iter().find(|(known, _)| *known == name).map(|(_, start)| *start);
        table().iter().map(|(_, entry)| find(entry.row.name)).collect()
    });
    starts.get(usize::from(id.0)).copied().flatten()
}
