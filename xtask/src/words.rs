//! The options after the name of a command.

use std::str::FromStr;

use crate::Failure;

/// Words from which options are taken one after another.
pub(crate) struct Words<'w> {
    rest: Vec<&'w str>,
    /// What is printed when a word is wrong.
    usage: &'static str,
}

impl<'w> Words<'w> {
    pub(crate) fn of(words: &[&'w str], usage: &'static str) -> Self {
        Words { rest: words.to_vec(), usage }
    }

    /// Takes an option without a value: whether it was there.
    pub(crate) fn flag(&mut self, name: &str) -> bool {
        let count = self.rest.len();
        self.rest.retain(|word| *word != name);
        self.rest.len() < count
    }

    /// Takes an option with its value.
    pub(crate) fn value<T: FromStr>(&mut self, name: &str) -> Result<Option<T>, Failure> {
        let Some(at) = self.rest.iter().position(|word| *word == name) else { return Ok(None) };
        let value = self.rest.drain(at..self.rest.len().min(at + 2)).nth(1);
        value.and_then(|value| value.parse().ok()).map(Some).ok_or(Failure::Usage(self.usage))
    }

    /// Errors when a word is left.
    pub(crate) fn end(self) -> Result<(), Failure> {
        if self.rest.is_empty() { Ok(()) } else { Err(Failure::Usage(self.usage)) }
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    #[test]
    fn options_are_taken_in_any_order() {
        let mut words = Words::of(&["--all", "--most", "3", "--list", "--list"], "usage");
        assert_eq!(words.value::<u64>("--most").unwrap(), Some(3));
        assert_eq!(words.value::<u64>("--most").unwrap(), None);
        assert!(words.flag("--list") && !words.flag("--list") && words.flag("--all"));
        words.end().unwrap();
    }

    #[test]
    fn what_is_wrong_is_answered_with_the_usage() {
        let refused = |words: &[&str]| {
            let mut words = Words::of(words, "usage");
            words.value::<u64>("--most").and_then(|_| words.end()).unwrap_err().to_string()
        };
        for words in [&["--most"][..], &["--most", "x"], &["--most", "3", "more"], &["--least"]] {
            assert_eq!(refused(words), "usage", "{words:?}");
        }
    }
}
