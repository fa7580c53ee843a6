//! Sets in insertion order, and sorted sets.

use std::fmt;

use super::{Map, Order, Value};
use crate::error::Res;
use crate::limits::meter::Meter;

/// An immutable set in insertion order, with members distinguished by key identity; or sorted, with members
/// distinguished by a comparator.
#[derive(Clone, Default)]
pub struct Set(Map);

impl Set {
    /// The empty set.
    #[must_use]
    pub fn new() -> Set {
        Set::default()
    }

    /// A set of these members.
    pub(crate) fn from_values(values: impl IntoIterator<Item = Value>, meter: &mut Meter) -> Res<Set> {
        let mut set = Set::new();
        for value in values {
            set.insert(value, meter)?;
        }
        Ok(set)
    }

    /// The set of the keys of this map, whose values are nil.
    pub(crate) fn of_keys(map: Map) -> Set {
        Set(map)
    }

    /// The empty set in this order.
    pub(crate) fn sorted(order: Order) -> Set {
        Set(Map::sorted(order))
    }

    /// The table of a sorted set.
    pub(crate) fn as_sorted(&self) -> Option<&super::sorted::Sorted> {
        self.0.as_sorted()
    }

    /// The empty set of the same kind: a sorted set keeps its order.
    pub(crate) fn emptied(&self) -> Set {
        Set(self.0.emptied())
    }

    /// A set of the same kind with these members, which are in the order of this set: nothing is compared.
    pub(crate) fn rebuilt(&self, members: impl IntoIterator<Item = Value>, meter: &mut Meter) -> Res<Set> {
        self.0.rebuilt(members.into_iter().map(|member| (member, Value::Nil)), meter).map(Set)
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Members in the order of the set.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Value> + '_ {
        self.0.iter().map(|(member, _)| member)
    }

    /// Member number `index` in the order of the set.
    #[must_use]
    pub fn member_at(&self, index: usize) -> Option<&Value> {
        self.0.entry_at(index).map(|(member, _)| member)
    }

    /// The member identical to `value`; in a sorted set, the one that compares equal.
    pub(crate) fn get(&self, value: &Value, meter: &mut Meter) -> Res<Option<&Value>> {
        Ok(self.0.find(value, meter)?.map(|(_, member, _)| member))
    }

    /// Whether `value` is a member.
    pub(crate) fn contains(&self, value: &Value, meter: &mut Meter) -> Res<bool> {
        Ok(self.0.find(value, meter)?.is_some())
    }

    /// Add a member; an existing one stays unchanged. Returns whether it was new.
    pub(crate) fn insert(&mut self, value: Value, meter: &mut Meter) -> Res<bool> {
        // A sorted set copies only what changes, so one search suffices; the search may run a function.
        if self.0.as_sorted().is_some() {
            return Ok(self.0.insert(value, Value::Nil, meter)?.is_none());
        }
        Ok(!self.contains(&value, meter)? && self.0.add(value, Value::Nil, meter).map(|()| true)?)
    }

    /// Remove a member. O(n).
    pub(crate) fn remove(&mut self, value: &Value, meter: &mut Meter) -> Res<bool> {
        Ok(self.0.remove_exact(value, meter)?.is_some())
    }

    /// The same set marked as host data, which does not count towards the memory limit.
    pub(crate) fn into_external(self) -> Set {
        Set(self.0.into_external())
    }

    /// The members as the keys of a map.
    pub(crate) fn as_map(&self) -> &Map {
        &self.0
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&Value::Set(self.clone()), f)
    }
}
