//! What a session says about the cells, functions and shared parts of values that are written for it.

use std::sync::Arc;

use serde_json::{Map as Object, Value as Json};

use crate::error::Res;
use crate::limits::Limits;
use crate::value::{CellRef, LazySeq, Value};

/// Knows how cells and functions of a session are written.
pub(crate) trait Keep {
    /// A cell, with its content only the first time.
    fn cell(&mut self, cell: CellRef) -> KeptCell;
    /// The number of a part that several values share.
    fn part(&mut self, value: &Value) -> Option<KeptPart>;
    /// Note a generator that is not realised.
    fn unrealised(&mut self, generator: LazySeq);
    /// A function. Errors when its text is not known.
    fn function(&mut self, function: &Value) -> Res<KeptFunction>;
    /// The limits under which it will be read again.
    fn limits(&self) -> &Limits;
}

/// The number of a part that several values share.
pub(crate) enum KeptPart {
    /// It is written for the first time in its definition.
    First(u64),
    Again(u64),
}

/// The written form of a cell.
pub(crate) struct KeptCell {
    pub id: u64,
    pub content: Option<Value>,
    /// The function of a delay that has not run.
    pub waiting: Option<Value>,
}

/// The written form of a function.
pub(crate) struct KeptFunction {
    pub source: String,
    /// Additional fields.
    pub fields: Object<String, Json>,
    pub captures: Vec<(Arc<str>, Value)>,
}

impl KeptFunction {
    /// A function of which only the text is known.
    pub fn plain(source: String) -> KeptFunction {
        KeptFunction { source, fields: Object::new(), captures: Vec::new() }
    }

    /// A builtin by its name, or a function that a builtin created.
    pub fn core(source: String, captures: Vec<(Arc<str>, Value)>) -> KeptFunction {
        // Bounded: one field.
        let fields = std::iter::once(("core".to_owned(), Json::Bool(true))).collect();
        KeptFunction { source, fields, captures }
    }
}
