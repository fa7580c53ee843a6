//! The names of a program without data, tools and earlier turns.

use crate::analyze::Environment;

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
}
