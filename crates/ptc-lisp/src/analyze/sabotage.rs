//! Testing tests: one name answers `:wrong` whatever its arguments, and the cases that are about it must notice.

use super::forms;
use crate::stdlib::table::table;
use crate::stdlib::testing::WRONG;
use crate::value::BuiltinId;

/// The name that is made to fail: as a builtin, as a constant and as a form, wherever a program writes it.
pub(crate) struct Sabotage {
    name: String,
    builtin: Option<BuiltinId>,
    constant: Option<String>,
    form: bool,
}

impl Sabotage {
    /// Sabotage of `name` of a namespace such as `clojure.string`; `None` when there is no such name.
    pub fn of(namespace: &str, name: &str) -> Option<Sabotage> {
        let constant =
            Some(super::namespace::constant_name(namespace, name)).filter(|long| table().constant(long).is_some());
        let builtin = table().resolve(Some(namespace), name);
        let form = namespace == "clojure.core" && (forms::find(name).is_some() || matches!(name, "*1" | "*2" | "*3"));
        (builtin.is_some() || constant.is_some() || form).then(|| Sabotage {
            name: name.to_owned(),
            builtin,
            constant,
            form,
        })
    }

    /// The row that a program gets for `id` written as `name`.
    pub fn builtin(&self, id: BuiltinId, name: &str) -> BuiltinId {
        if self.builtin == Some(id) && self.name == name { table().find(WRONG).unwrap_or(id) } else { id }
    }

    /// Whether the constant of this long name is the one.
    pub fn is_constant(&self, long: &str) -> bool {
        self.constant.as_deref() == Some(long)
    }

    /// Whether the special form or result of an earlier turn is the one.
    pub fn is_form(&self, name: &str) -> bool {
        self.form && self.name == name
    }
}
