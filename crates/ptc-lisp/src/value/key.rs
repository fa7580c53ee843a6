//! What maps need from their keys.

use crate::error::Fallible;
use crate::limits::meter::Meter;
use crate::value::name::Name;

/// A key of a map; its values are of the same type.
pub(crate) trait Key: Clone + Default {
    /// The hash that agrees with the identity of keys.
    ///
    /// Errors with `nesting_too_deep`; charges one unit per hashed element.
    fn key_hash(&self, meter: &mut Meter) -> Fallible<u64>;

    /// The name of a keyword.
    fn keyword_name(&self) -> Option<&Name>;
}
