//! Testing tests: one name returns `:wrong` whatever its arguments, and the cases about it must notice.

use crate::analyze::{Edit, HISTORY, forms, namespace};
use crate::stdlib::table::table;
use crate::stdlib::testing::{WRONG, answer};
use crate::value::{BuiltinId, Value};

/// The name that is made to fail: as a builtin, as a constant and as a form, wherever a program uses it.
pub(crate) struct Sabotage {
    name: String,
    builtin: Option<BuiltinId>,
    constant: Option<String>,
    form: bool,
}

impl Sabotage {
    /// Sabotage of `name` of a namespace such as `clojure.string`; `None` when there is no such name.
    pub fn of(namespace: &str, name: &str) -> Option<Sabotage> {
        let constant = Some(namespace::constant_name(namespace, name)).filter(|long| table().constant(long).is_some());
        let builtin = table().resolve(Some(namespace), name);
        let form = namespace == "clojure.core" && (forms::find(name).is_some() || HISTORY.contains(&name));
        (builtin.is_some() || constant.is_some() || form).then(|| Sabotage {
            name: name.to_owned(),
            builtin,
            constant,
            form,
        })
    }
}

impl Edit for Sabotage {
    fn builtin(&self, id: BuiltinId, name: &str) -> BuiltinId {
        if self.builtin == Some(id) && self.name == name { table().find(WRONG).unwrap_or(id) } else { id }
    }

    fn value(&self, name: &str) -> Option<Value> {
        let is_meant = self.constant.as_deref() == Some(name) || (self.form && self.name == name);
        is_meant.then(answer)
    }
}
