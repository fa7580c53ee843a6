//! Steps that were written for people, read back as far as possible.

use indexmap::IndexMap;
use ptc_lisp::Value;
use serde_json::Value as Json;

use super::record::{MemoryJson, ToolRecordJson};
use super::step::StepJson;
use super::value::{ValueForm, json_of};

impl StepJson {
    /// The same step with typed values, so that it can be read back.
    ///
    /// Plain values are read as plain JSON: keywords, dates and labels stay texts, sets stay lists, and the input data
    /// is missing. A step with typed values stays as it is.
    #[must_use]
    pub fn into_typed(mut self) -> StepJson {
        if self.values == ValueForm::Typed {
            return self;
        }
        self.values = ValueForm::Typed;
        self.return_value = self.return_value.map(typed);
        if let Some(fail) = &mut self.fail {
            fail.details = fail.details.take().map(typed);
        }
        for turn in self.turns.iter_mut().flatten() {
            turn.values = ValueForm::Typed;
            turn.result = typed(turn.result.take());
            turn.tool_calls.iter_mut().for_each(retype_call);
            retype_memory(&mut turn.memory);
        }
        self.tool_calls.iter_mut().for_each(retype_call);
        retype_memory(&mut self.memory);
        retype(&mut self.tasks);
        for call in &mut self.tool_cache {
            (call.args, call.result) = (typed(call.args.take()), typed(call.result.take()));
        }
        self.child_steps = self.child_steps.into_iter().map(StepJson::into_typed).collect();
        self
    }
}

fn typed(plain: Json) -> Json {
    json_of(&Value::from_json(plain), ValueForm::Typed)
}

fn retype_call(call: &mut ToolRecordJson) {
    call.args = typed(call.args.take());
    call.result = typed(call.result.take());
}

fn retype_memory(memory: &mut MemoryJson) {
    memory.values_mut().for_each(|entry| entry.value = typed(entry.value.take()));
}

fn retype(values: &mut IndexMap<String, Json>) {
    values.values_mut().for_each(|value| *value = typed(value.take()));
}
