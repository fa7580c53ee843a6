//! The namespaces of builtins as programs write them.

use crate::stdlib::table::{namespace, table};

/// The title of a prefix's functions in messages.
pub(super) fn title(prefix: &str) -> &'static str {
    namespace(prefix).map_or("core", |namespace| namespace.title)
}

/// The functions and constants with a prefix, sorted, for messages; empty for the core, which is too large to list.
pub(super) fn members(prefix: &str) -> Vec<&'static str> {
    match alias(prefix) {
        "core" => Vec::new(),
        alias => table().members(alias),
    }
}

/// The short name of a constant: `math/PI` for `Math/PI`.
pub(crate) fn constant_name(prefix: &str, name: &str) -> String {
    format!("{}/{name}", alias(prefix))
}

/// The alias under which the table has a namespace: `math` for both `Math` and `math`.
fn alias(prefix: &str) -> &'static str {
    match namespace(prefix).map_or("core", |namespace| namespace.alias) {
        "Math" => "math",
        alias => alias,
    }
}
