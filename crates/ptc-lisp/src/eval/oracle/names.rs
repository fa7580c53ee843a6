//! The names of a program without data, tools and earlier turns.

use crate::analyze::Environment;
use crate::stdlib::Builtin;
use crate::stdlib::table::table;
use crate::value::{BuiltinId, Value};

/// Builtins and the definitions of one program.
#[derive(Default)]
pub(super) struct Names {
    pub globals: Vec<String>,
}

impl Environment for Names {
    fn global(&mut self, name: &str) -> u32 {
        let known = self.globals.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.globals.push(name.to_owned());
            self.globals.len() - 1
        }) as u32
    }
    fn is_defined(&self, _name: &str) -> bool {
        false
    }
    fn definitions(&self) -> Vec<String> {
        Vec::new()
    }
    fn tool(&self, _name: &str) -> Option<Option<&ptc_signature::Signature>> {
        None
    }
    fn tools(&self) -> Vec<String> {
        Vec::new()
    }
    fn has_data(&self, _name: &str) -> bool {
        false
    }
    fn data_names(&self) -> Vec<String> {
        Vec::new()
    }
    fn builtin(&self, namespace: Option<&str>, name: &str) -> Option<(BuiltinId, &'static Builtin)> {
        let id = table().resolve(namespace, name)?;
        Some((id, table().entry(id).row))
    }
    fn builtin_names(&self) -> Vec<&'static str> {
        Vec::new()
    }
    fn constant(&self, name: &str) -> Option<Value> {
        table().constant(name).cloned()
    }
}
