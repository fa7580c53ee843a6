//! Answers of cacheable tools, found by name and arguments.

use std::sync::Arc;

use indexmap::IndexMap;

use crate::error::Res;
use crate::limits::meter::Meter;
use crate::session::host::{CachedCall, ToolCall};
use crate::value::{Map, Value};

/// For each tool a map from arguments to results: equal arguments are found by their hash.
#[derive(Default)]
pub(super) struct AnswerCache(IndexMap<Arc<str>, Map, foldhash::fast::RandomState>);

impl AnswerCache {
    /// The result of an equal call. Charges for the size of the arguments.
    pub fn get(&self, call: &ToolCall, meter: &mut Meter) -> Res<Option<&Value>> {
        match self.0.get(&call.name) {
            Some(answers) => answers.get(&call.args, meter),
            None => Ok(None),
        }
    }

    /// Keep a result; a later one replaces an earlier one. Arguments that cannot be hashed are not kept.
    pub fn insert(&mut self, name: Arc<str>, args: Value, result: Value) {
        // The lookup before the call already charged the program for the same arguments.
        let _ = self.0.entry(name).or_default().insert(args, result, &mut Meter::host());
    }

    /// Everything kept, tool by tool.
    pub fn iter(&self) -> impl Iterator<Item = CachedCall> {
        self.0.iter().flat_map(|(name, answers)| {
            answers.iter().map(|(args, result)| CachedCall {
                name: name.clone(),
                args: args.clone(),
                result: result.clone(),
            })
        })
    }

    /// The values that only the cache holds.
    pub fn visit(&self, visit: &mut dyn FnMut(&Value)) {
        for answers in self.0.values() {
            visit(&Value::Map(answers.clone()));
        }
    }
}

impl FromIterator<CachedCall> for AnswerCache {
    fn from_iter<I: IntoIterator<Item = CachedCall>>(calls: I) -> AnswerCache {
        let mut cache = AnswerCache::default();
        for CachedCall { name, args, result } in calls {
            cache.insert(name, args, result);
        }
        cache
    }
}
