//! Commands that are proposed to be typed.

#[cfg(test)]
mod tests;

use std::{env, fmt, iter};

use ptc_runner::chat::shown_addresses;

use super::words::shell;

/// A command to be typed. An address with a key is not printed: a variable of the shell stands for the word that has it.
#[derive(Debug, Default)]
pub(crate) struct Proposed {
    words: Vec<String>,
    unset: Vec<Unset>,
}

/// A variable that must be set before.
#[derive(Debug)]
struct Unset {
    variable: String,
    /// Its value, with what is hidden.
    shown: String,
}

impl Proposed {
    /// A command and its arguments.
    pub(crate) fn new(command: &str, arguments: &[&str]) -> Proposed {
        let arguments = arguments.iter().map(|argument| shell(argument));
        Proposed { words: iter::once(command.to_owned()).chain(arguments).collect(), unset: Vec::new() }
    }

    /// The same with an option, once for each value.
    pub(crate) fn option<T: AsRef<str>>(mut self, name: &str, values: impl IntoIterator<Item = T>) -> Proposed {
        for value in values {
            let word = self.word(name, value.as_ref());
            self.words.push(format!("{name} {word}"));
        }
        self
    }

    /// The same with an option that takes no value.
    pub(crate) fn flag(mut self, name: &str, is_set: bool) -> Proposed {
        self.words.extend(is_set.then(|| name.to_owned()));
        self
    }

    /// The value as a word, or the variable that holds it: `PTC_LLM` for `--llm`, which is also the one that the command
    /// reads.
    fn word(&mut self, option: &str, value: &str) -> String {
        let shown = shown_addresses(value);
        if shown == value {
            return shell(value);
        }
        let name = format!("PTC_{}", option.trim_start_matches('-').replace('-', "_").to_uppercase());
        let is_taken = |name: &String| self.unset.iter().any(|unset| unset.variable == *name);
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let variable = iter::once(name.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(name);
        let word = format!("\"${variable}\"");
        if env::var(&variable).ok().as_deref() != Some(value) {
            self.unset.push(Unset { variable, shown });
        }
        word
    }

    /// What to do before the command is typed.
    pub(crate) fn before(&self) -> Option<String> {
        let set = |Unset { variable, shown }: &Unset| format!("{variable} to {shown}");
        let set: Vec<String> = self.unset.iter().map(set).collect();
        (!set.is_empty())
            .then(|| format!("set {} with its key in place of [hidden], which is not printed", set.join(" and ")))
    }
}

impl fmt::Display for Proposed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words.join(" "))
    }
}
