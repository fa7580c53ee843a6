//! Builtins that the compiler and the machine treat specially, by number.

use std::sync::OnceLock;

use super::table::table;
use crate::value::BuiltinId;

/// Numbers of rows that have instructions or meanings of their own.
pub(crate) struct Known {
    pub add: BuiltinId,
    pub sub: BuiltinId,
    pub mul: BuiltinId,
    pub div: BuiltinId,
    pub inc: BuiltinId,
    pub dec: BuiltinId,
    pub lt: BuiltinId,
    pub le: BuiltinId,
    pub gt: BuiltinId,
    pub ge: BuiltinId,
    pub eq: BuiltinId,
    pub not: BuiltinId,
    pub compare: BuiltinId,
    pub get: BuiltinId,
    pub first: BuiltinId,
    pub seq: BuiltinId,
    pub not_empty: BuiltinId,
    pub is_empty: BuiltinId,
    pub count: BuiltinId,
    pub update: BuiltinId,
    /// `update` of the prelude, with the name for errors.
    pub update_at: BuiltinId,
    pub update_in: BuiltinId,
    /// `update-in` of what is on the way.
    pub inner_update_in: BuiltinId,
    /// `assoc` at the end of a path.
    pub inner_assoc: BuiltinId,
    pub assoc_in: BuiltinId,
    pub assoc: BuiltinId,
    pub associative: BuiltinId,
    pub map: BuiltinId,
    pub mapv: BuiltinId,
    pub filter: BuiltinId,
    pub filterv: BuiltinId,
    pub remove: BuiltinId,
    pub keep: BuiltinId,
    pub reduce: BuiltinId,
    pub some: BuiltinId,
    pub every: BuiltinId,
    pub concat: BuiltinId,
    /// `concat` of the elements of one sequence.
    pub joined: BuiltinId,
    pub map_indexed: BuiltinId,
    pub keep_indexed: BuiltinId,
    pub reduce_kv: BuiltinId,
    /// What the pattern of a vector begins with, and what it asks for each part.
    pub seq_pattern: BuiltinId,
    pub nth_part: BuiltinId,
    pub mapcat: BuiltinId,
    pub group_by: BuiltinId,
    pub range: BuiltinId,
    /// The innermost loop of a `for`, the loops around it, and that of a `doseq`.
    pub each: BuiltinId,
    pub each_concat: BuiltinId,
    pub each_effect: BuiltinId,
    /// What a `for` body answers to leave an element out.
    pub skip: BuiltinId,
    /// What a `for` or `doseq` body answers to end its level.
    pub stop: BuiltinId,
}

/// The special rows.
pub(crate) fn known() -> &'static Known {
    static KNOWN: OnceLock<Known> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let id = |name: &str| table().find(name).unwrap_or(BuiltinId(u16::MAX));
        Known {
            add: id("+"),
            sub: id("-"),
            mul: id("*"),
            div: id("/"),
            inc: id("inc"),
            dec: id("dec"),
            lt: id("<"),
            le: id("<="),
            gt: id(">"),
            ge: id(">="),
            eq: id("="),
            not: id("not"),
            compare: id("compare"),
            get: id("get"),
            first: id("first"),
            seq: id("seq"),
            not_empty: id("not-empty"),
            is_empty: id("empty?"),
            count: id("count"),
            update: id("update"),
            update_at: id("%update-at"),
            update_in: id("update-in"),
            inner_update_in: id("%update-in"),
            inner_assoc: id("%assoc"),
            assoc_in: id("assoc-in"),
            assoc: id("assoc"),
            associative: id("associative?"),
            map: id("map"),
            mapv: id("mapv"),
            filter: id("filter"),
            filterv: id("filterv"),
            remove: id("remove"),
            keep: id("keep"),
            reduce: id("reduce"),
            some: id("some"),
            every: id("every?"),
            concat: id("concat"),
            joined: id("%joined"),
            map_indexed: id("map-indexed"),
            keep_indexed: id("keep-indexed"),
            reduce_kv: id("reduce-kv"),
            seq_pattern: id("%seq-pattern"),
            nth_part: id("%nth"),
            mapcat: id("mapcat"),
            group_by: id("group-by"),
            range: id("range"),
            each: id("%for"),
            each_concat: id("%for-cat"),
            each_effect: id("%doseq"),
            skip: id("%skip"),
            stop: id("%stop"),
        }
    })
}
