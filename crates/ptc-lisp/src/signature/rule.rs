//! What else holds for the values of a parameter or field, besides their type: `1 to 50`, `at most 3 items`.

use std::fmt;

use serde_json::{Map, Number, Value as Json, json};

use crate::signature::{Type, kind_of};

/// Something that holds for values, written in brackets after a type: `limit :int (1 to 50)`.
///
/// What is shown and what is checked is this one thing. A rule concerns values of one kind, as in JSON Schema: `1 to 50`
/// says nothing about a text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// `1 to 50`, `above 0`, `at least 1 item`, `at most 20 characters`
    Within(Limits),
    /// `a multiple of 5`
    MultipleOf(Number),
    /// `distinct items`
    Distinct,
    /// `matches "^[0-9]{5}$"`: a regular expression that matches some part of a text, in the dialect of JSON Schema.
    Matches(String),
    /// Any other text, such as `date-time`: for readers. Nothing checks it.
    Hint(String),
}

/// The least and the most that a value, or a part of it, may be; at least one of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Limits {
    /// What is limited.
    pub of: Measure,
    /// The lower limit.
    pub least: Option<Limit>,
    /// The upper limit.
    pub most: Option<Limit>,
}

/// One limit.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Limit {
    /// The limit.
    pub number: Number,
    /// Whether the limit itself is outside.
    pub is_excluded: bool,
}

/// What of a value is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Measure {
    /// A number.
    Number,
    /// The characters of a text.
    Characters,
    /// The elements of a list.
    Items,
    /// The entries of a map.
    Entries,
}

impl Measure {
    const ALL: [Measure; 4] = [Measure::Number, Measure::Characters, Measure::Items, Measure::Entries];

    fn is_about(self, ty: &Type) -> bool {
        match self {
            Measure::Number => matches!(ty, Type::Int | Type::Float),
            Measure::Characters => *ty == Type::String,
            Measure::Items => matches!(ty, Type::List(_)),
            Measure::Entries => matches!(ty, Type::Map | Type::MapOf(..) | Type::Record(_)),
        }
    }

    /// The unit for one, and for others.
    fn units(self) -> [&'static str; 2] {
        match self {
            Measure::Number => ["", ""],
            Measure::Characters => ["character", "characters"],
            Measure::Items => ["item", "items"],
            Measure::Entries => ["entry", "entries"],
        }
    }

    /// The keys of JSON Schema: the lower limit, and the upper one.
    fn keys(self) -> [&'static str; 2] {
        match self {
            Measure::Number => ["minimum", "maximum"],
            Measure::Characters => ["minLength", "maxLength"],
            Measure::Items => ["minItems", "maxItems"],
            Measure::Entries => ["minProperties", "maxProperties"],
        }
    }
}

/// The keys of JSON Schema for limits that are outside.
const EXCLUSIVE: [&str; 2] = ["exclusiveMinimum", "exclusiveMaximum"];

/// Bytes of a pattern that is a rule.
const MAX_PATTERN: usize = 4_096;

/// Characters of a text in a rule that lines show.
const MAX_SHOWN: usize = 40;

/// The largest integer that JavaScript counts with: a limit that large means that there is none.
const LARGEST: f64 = 9_007_199_254_740_991.0;

impl Rule {
    /// Reads the words of one rule, all but `matches`; what is none of ours is a hint.
    pub(super) fn of_words(text: &str) -> Rule {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            ["a", "multiple", "of", step] => number(step).map(Rule::MultipleOf),
            ["distinct", "items"] => Some(Rule::Distinct),
            words => Limits::of_words(words).map(Rule::Within),
        }
        .unwrap_or_else(|| Rule::Hint(words.join(" ")))
    }

    /// The rules of one schema, without those of its parts.
    pub(super) fn of_schema(schema: &Map<String, Json>) -> Vec<Rule> {
        let limits = Measure::ALL.into_iter().filter_map(|of| Limits::of_schema(of, schema)).map(Rule::Within);
        let text = |key: &str| schema.get(key).and_then(Json::as_str);
        let step = schema.get("multipleOf").and_then(Json::as_number).filter(|step| step.as_f64() > Some(0.0));
        let distinct = (schema.get("uniqueItems") == Some(&Json::Bool(true))).then_some(Rule::Distinct);
        let pattern = text("pattern").filter(|pattern| pattern.len() <= MAX_PATTERN);
        // Numbers of Rust have formats that are only their sizes.
        let is_text = |kind: &Json| kind == "string" || kind.as_array().is_some_and(|kinds| is_text_or_null(kinds));
        let format = text("format").filter(|_| schema.get("type").is_some_and(is_text));
        let format = format.filter(|text| is_format(text)).map(Rule::of_words);
        limits
            .chain(step.cloned().map(Rule::MultipleOf))
            .chain(distinct)
            .chain(pattern.map(|pattern| Rule::Matches(pattern.to_owned())))
            .chain(format)
            .collect()
    }

    /// Add what the rule says to the schema of the values.
    pub(super) fn write_schema(&self, schema: &mut Map<String, Json>) {
        match self {
            Rule::Within(limits) => limits.write_schema(schema),
            Rule::MultipleOf(step) => drop(schema.insert("multipleOf".to_owned(), json!(step))),
            Rule::Distinct => drop(schema.insert("uniqueItems".to_owned(), json!(true))),
            Rule::Matches(pattern) => drop(schema.insert("pattern".to_owned(), json!(pattern))),
            Rule::Hint(text) if is_format(text) && !schema.contains_key("format") => {
                drop(schema.insert("format".to_owned(), json!(text)));
            }
            Rule::Hint(text) => {
                let known = schema.get("description").and_then(Json::as_str);
                let all = known.map_or_else(|| text.clone(), |known| format!("{known}; {text}"));
                drop(schema.insert("description".to_owned(), json!(all)));
            }
        }
    }

    /// A list of this length.
    pub(super) fn items(count: usize) -> Rule {
        let limit = Some(Limit { number: count.into(), is_excluded: false });
        Rule::Within(Limits { of: Measure::Items, least: limit.clone(), most: limit })
    }

    /// Whether it says something about values of this type, which has no `?`, rules and alternatives.
    pub(super) fn is_about(&self, ty: &Type) -> bool {
        match (self, ty) {
            (Rule::Hint(_), _) | (_, Type::Any | Type::JsonOrText) => true,
            (rule, Type::OneOf(values)) if !values.is_empty() => match kind_of(values) {
                Type::OneOf(_) => false,
                kind => rule.is_about(&kind),
            },
            (Rule::Within(limits), ty) => limits.of.is_about(ty),
            (Rule::MultipleOf(_), ty) => Measure::Number.is_about(ty),
            (Rule::Distinct, ty) => matches!(ty, Type::List(_) | Type::Tuple(_)),
            (Rule::Matches(_), ty) => *ty == Type::String,
        }
    }

    /// Whether lines of tools leave it out: it says what a caller expects anyway, or is too long for a line.
    pub(super) fn is_unlisted(&self) -> bool {
        match self {
            Rule::Within(limits) => limits.is_expected(),
            Rule::Matches(pattern) => pattern.chars().count() > MAX_SHOWN,
            Rule::MultipleOf(_) | Rule::Distinct | Rule::Hint(_) => false,
        }
    }
}

impl Limits {
    /// Limits of numbers.
    fn of_words(words: &[&str]) -> Option<Limits> {
        let (words, of) = match words {
            [before @ .., unit] => {
                let of = Measure::ALL.into_iter().find(|of| of.units().contains(unit));
                of.map_or((words, Measure::Number), |of| (before, of))
            }
            [] => return None,
        };
        let limit = |text: &str, is_excluded| Some(Limit { number: number(text)?, is_excluded });
        let one = |words: &[&str]| match words {
            ["at", "least", least] => Some([Some(limit(least, false)?), None]),
            ["above", least] => Some([Some(limit(least, true)?), None]),
            ["at", "most", most] => Some([None, Some(limit(most, false)?)]),
            ["below", most] => Some([None, Some(limit(most, true)?)]),
            [size] if of != Measure::Number => Some([Some(limit(size, false)?), Some(limit(size, false)?)]),
            [least, "to", most] => Some([Some(limit(least, false)?), Some(limit(most, false)?)]),
            _ => None,
        };
        let both = words.split(|word| *word == "and").map(one).collect::<Option<Vec<_>>>()?;
        let [least, most] = match both.as_slice() {
            [only] => only.clone(),
            [[Some(least), None], [None, Some(most)]] => [Some(least.clone()), Some(most.clone())],
            _ => return None,
        };
        Some(Limits { of, least, most })
    }

    fn of_schema(of: Measure, schema: &Map<String, Json>) -> Option<Limits> {
        let limit = |at: usize| {
            let key = |keys: [&'static str; 2]| keys.get(at).and_then(|key| schema.get(*key));
            let excluded = key(EXCLUSIVE).filter(|_| of == Measure::Number);
            // In older dialects the key says whether the other limit is outside.
            let is_outside = excluded == Some(&Json::Bool(true));
            let other = excluded.and_then(Json::as_number).map(|number| (number, true));
            let (number, is_excluded) = other.or_else(|| Some((key(of.keys())?.as_number()?, is_outside)))?;
            Some(Limit { number: number.clone(), is_excluded })
        };
        let (least, most) = (limit(0), limit(1));
        (least.is_some() || most.is_some()).then_some(Limits { of, least, most })
    }

    fn write_schema(&self, schema: &mut Map<String, Json>) {
        let keys = self.of.keys().into_iter().zip(EXCLUSIVE);
        for (limit, (within, outside)) in [&self.least, &self.most].into_iter().zip(keys) {
            let Some(Limit { number, is_excluded }) = limit else { continue };
            schema.insert(if *is_excluded { outside } else { within }.to_owned(), json!(number));
        }
    }

    /// Nobody tries a negative size or an empty text, or counts further than JavaScript can.
    fn is_expected(&self) -> bool {
        let is = |limit: &Option<Limit>, expected: &dyn Fn(f64) -> bool| {
            limit.as_ref().is_none_or(|limit| !limit.is_excluded && limit.number.as_f64().is_some_and(expected))
        };
        let least: &dyn Fn(f64) -> bool = match self.of {
            Measure::Number => &|least| least == 0.0 || least <= -LARGEST,
            _ => &|least| least <= 1.0,
        };
        is(&self.least, least) && is(&self.most, &|most| most >= LARGEST)
    }
}

fn is_text_or_null(kinds: &[Json]) -> bool {
    kinds.iter().any(|kind| kind == "string") && kinds.iter().all(|kind| kind == "string" || kind == "null")
}

/// Whether a text can be the name of a format, and is not a remark.
fn is_format(text: &str) -> bool {
    (1..=30).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn number(text: &str) -> Option<Number> {
    serde_json::from_str(text).ok()
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rule::Within(limits) => limits.fmt(f),
            Rule::MultipleOf(step) => write!(f, "a multiple of {step}"),
            Rule::Distinct => f.write_str("distinct items"),
            Rule::Matches(pattern) => write!(f, "matches {}", Json::from(pattern.as_str())),
            Rule::Hint(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lower =
            |limit: &Limit| format!("{} {}", if limit.is_excluded { "above" } else { "at least" }, limit.number);
        let upper = |limit: &Limit| format!("{} {}", if limit.is_excluded { "below" } else { "at most" }, limit.number);
        let last = match (&self.least, &self.most) {
            (Some(least), Some(most)) if least == most && !most.is_excluded && self.of != Measure::Number => {
                write!(f, "{}", most.number)?;
                most
            }
            (Some(least), Some(most)) if !least.is_excluded && !most.is_excluded => {
                write!(f, "{} to {}", least.number, most.number)?;
                most
            }
            (Some(least), Some(most)) => {
                write!(f, "{} and {}", lower(least), upper(most))?;
                most
            }
            (Some(least), None) => {
                f.write_str(&lower(least))?;
                least
            }
            (None, Some(most)) => {
                f.write_str(&upper(most))?;
                most
            }
            (None, None) => return f.write_str("any"),
        };
        let [one, many] = self.of.units();
        match self.of {
            Measure::Number => Ok(()),
            _ => write!(f, " {}", if last.number.as_u64() == Some(1) { one } else { many }),
        }
    }
}
