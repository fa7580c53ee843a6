//! Commands that are proposed to be typed.

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

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_an_address_hides_is_a_variable() {
        let servers = ["a=https://h/mcp?key=k1", "b=https://h/mcp", "c=https://me:k2@h/mcp"];
        let command = Proposed::new("ptc run", &["my m.toml"])
            .option("--llm", Some("https://h/v1?key=k0#m"))
            .option("--mcp", servers);
        assert_snapshot!(command, @r#"ptc run 'my m.toml' --llm "$PTC_LLM" --mcp "$PTC_MCP" --mcp b=https://h/mcp --mcp "$PTC_MCP_2""#);
        assert_snapshot!(command.before().unwrap(), @"set PTC_LLM to https://h/v1?[hidden]#m and PTC_MCP to a=https://h/mcp?[hidden] and PTC_MCP_2 to c=https://[hidden]@h/mcp with its key in place of [hidden], which is not printed");
        assert!(Proposed::new("ptc run", &["m.toml"]).option("--llm", Some("https://h/v1#m")).before().is_none());
    }

    proptest! {
        /// A shell that has the variables reads the words as they were given, and no key is in the command or before it.
        #[test]
        fn a_command_says_what_was_given_and_no_key(
            values in proptest::collection::vec("(a=)?https?://(me:KEY@)?h(:80)?/[a-z']{0,4}(\\?api-version=KEY)?(#m 1)?", 0..4),
            about in "[a-z '?]{1,8}",
        ) {
            let command = Proposed::new("ptc run", &[&about]).option("--mcp", &values);
            let printed = format!("{command} {:?}", command.before());
            prop_assert!(!printed.contains("KEY"), "{}", printed);
            let hidden: Vec<&String> = values.iter().filter(|value| value.contains("KEY")).collect();
            let variables: Vec<&str> = command.unset.iter().map(|unset| unset.variable.as_str()).collect();
            prop_assert_eq!(variables.len(), hidden.len());
            let read = shlex::split(&command.to_string()).unwrap().into_iter().map(|word| {
                let at = variables.iter().position(|name| word.strip_prefix('$') == Some(*name));
                at.map_or(word, |at| hidden[at].clone())
            });
            let given = ["ptc", "run", &about].into_iter().chain(values.iter().flat_map(|value| ["--mcp", value]));
            prop_assert_eq!(read.collect::<Vec<_>>(), given.collect::<Vec<_>>());
        }
    }
}
