//! The strategies of this crate by their names.

use std::sync::Arc;

use ptc_transcript::{CompressionOptions, CompressionRecord};
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::aggressive::Aggressive;
use crate::append::AppendOnly;
use crate::coalesced::SingleUserCoalesced;
use crate::compression::Compression;
use crate::digest::Digest;
use crate::rolling::RollingWindow;
use crate::summary::PerTurnSummary;
use crate::tokens::usual_counter;

/// One row per strategy, the default one first. Nothing else lists them.
macro_rules! strategies {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {
        /// A strategy of this crate with its options.
        #[non_exhaustive]
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Strategy {
            $($(#[$doc])* $name($name),)+
        }

        impl Strategy {
            /// The names of all strategies, the default one first.
            pub const NAMES: &'static [&'static str] = &[$($name::NAME),+];

            /// All strategies with their default options, in the order of their names.
            #[must_use]
            pub fn all() -> Vec<Strategy> {
                vec![$(Strategy::$name($name::default())),+]
            }

            /// The name in mission files and records.
            #[must_use]
            pub fn name(&self) -> &'static str {
                match self {
                    $(Strategy::$name(_) => $name::NAME,)+
                }
            }

            /// In the form for agents.
            #[must_use]
            pub fn to_compression(&self) -> Arc<dyn Compression> {
                match self {
                    $(Strategy::$name(strategy) => Arc::new(strategy.clone()),)+
                }
            }

            /// The strategy of this name with these options; missing ones have their defaults.
            fn read(name: &str, options: &CompressionOptions) -> Result<Strategy, UnknownStrategy> {
                match name {
                    $($name::NAME => options_read(name, options).map(Strategy::$name),)+
                    _ => Err(UnknownStrategy::Name { name: name.to_owned() }),
                }
            }
        }
    };
}

strategies! {
    /// All turns in one user message, merged.
    SingleUserCoalesced,
    /// Merged occasionally, and a report for each turn since.
    Digest,
    /// The newest turns as a dialogue, the older ones merged.
    RollingWindow,
    /// Each turn as a short program and a short report.
    PerTurnSummary,
    /// Names and types, counts and the end of the output.
    Aggressive,
    /// The dialogue as it grows, merged occasionally.
    AppendOnly,
}

impl Strategy {
    /// The strategy of this name with its default options.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Strategy> {
        Strategy::all().into_iter().find(|strategy| strategy.name() == name)
    }

    /// The strategy of a record: its name, and options as [`Compression::options`] writes them.
    ///
    /// Errors when the name is not in [`Strategy::NAMES`], or when an option is unknown to this release.
    ///
    /// ```
    /// use ptc_compression::{Compression, Digest, Strategy};
    ///
    /// let strategy = Digest::new().println_limit(3);
    /// assert_eq!(Strategy::from_record("digest", &strategy.options())?, Strategy::Digest(strategy));
    /// # Ok::<(), ptc_compression::UnknownStrategy>(())
    /// ```
    pub fn from_record(name: &str, options: &CompressionOptions) -> Result<Strategy, UnknownStrategy> {
        let strategy = Strategy::read(name, options)?;
        let known = strategy.to_compression().options();
        match options.keys().find(|option| !known.contains_key(*option)) {
            Some(option) => Err(UnknownStrategy::Option { name: name.to_owned(), option: option.clone() }),
            None => Ok(strategy),
        }
    }
}

impl Default for Strategy {
    fn default() -> Self {
        Strategy::SingleUserCoalesced(SingleUserCoalesced::default())
    }
}

/// A strategy of the host with these options.
pub(crate) fn strategy_with(
    own: &Arc<dyn Compression>,
    options: &CompressionOptions,
) -> Result<Arc<dyn Compression>, UnknownStrategy> {
    if own.options() == *options {
        return Ok(Arc::clone(own));
    }
    let fixed = || Err("they are those of the registered value: implement `with_options`".to_owned());
    own.with_options(options)
        .unwrap_or_else(fixed)
        .map_err(|problem| UnknownStrategy::Value { name: own.name().to_owned(), problem })
}

/// A record in one line, as `--compression` accepts it: `rolling-window,window=2`. Options that have their defaults are
/// left out.
///
/// ```
/// use ptc_compression::{CompressionConfig, Digest, one_line};
///
/// assert_eq!(one_line(&CompressionConfig::from(Digest::new().println_limit(4)).to_record()), "digest,println_limit=4");
/// assert_eq!(one_line(&CompressionConfig::default().to_record()), "none");
/// ```
#[must_use]
pub fn one_line(record: &CompressionRecord) -> String {
    let default =
        record.strategy.as_deref().and_then(Strategy::from_name).map(|strategy| strategy.to_compression().options());
    let is_default = |name: &str, value: &Json| default.as_ref().and_then(|default| default.get(name)) == Some(value);
    let mut text = record.strategy.as_deref().unwrap_or("none").to_owned();
    for (name, value) in record.options.iter().filter(|(name, value)| !is_default(name, value)) {
        text += &format!(",{name}={value}");
    }
    if let Some(max_tokens) = record.max_tokens {
        text += &format!(",max_tokens={max_tokens}");
        let counter = record.token_counter.as_deref().filter(|counter| Some(*counter) != usual_counter());
        counter.into_iter().for_each(|counter| text += &format!(",token_counter={counter}"));
    }
    text
}

/// A recorded strategy that this release does not know.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownStrategy {
    /// It is a custom one, or one of a newer release.
    #[error("the strategy `{name}` is not one of this release ({}): it is a custom one or newer", Strategy::NAMES.join(", "))]
    Name {
        /// Its name.
        name: String,
    },
    /// One of its options is newer.
    #[error("the option `{option}` of the strategy `{name}` is not one of this release")]
    Option {
        /// The strategy.
        name: String,
        /// The option.
        option: String,
    },
    /// An option has a value of the wrong type.
    #[error("the options of the strategy `{name}` cannot be read: {problem}")]
    Value {
        /// The strategy.
        name: String,
        /// The error of serde.
        problem: String,
    },
    /// This build cannot count tokens in this way.
    #[error("requests were counted in `{counter}`, which this build does not know ({})", known.join(", "))]
    Counter {
        /// The way to count.
        counter: String,
        /// The ways of this build.
        known: Vec<&'static str>,
    },
}

fn options_read<S: DeserializeOwned>(name: &str, options: &CompressionOptions) -> Result<S, UnknownStrategy> {
    let unreadable =
        |error: serde_json::Error| UnknownStrategy::Value { name: name.to_owned(), problem: error.to_string() };
    serde_json::from_value(Json::Object(options.clone())).map_err(unreadable)
}

#[cfg(test)]
mod tests;
