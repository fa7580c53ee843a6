//! What a description says of how a value is written: the pattern of a date, a standard, a list of values, a range, a unit.

/// Standards that descriptions name.
const STANDARDS: [&str; 4] = ["ISO 8601", "ISO-8601", "RFC 3339", "RFC-3339"];

/// Units, as they follow `in`.
const UNITS: &str = "milliseconds ms seconds minutes hours days weeks months years bytes kilobytes megabytes pixels meters metres \
    kilometers kilometres miles feet percent degrees radians Celsius Fahrenheit kilograms grams pounds psi cents euros dollars \
    USD EUR";

/// What precedes a list of all values, in lower case; after these words values need no quotes.
const BEFORE_VALUES: [&str; 8] =
    ["enum:", "[enum]:", "options are", "options:", "values:", "values are", "one of:", "either:"];

/// What precedes quoted values, in lower case.
const BEFORE_QUOTED: [&str; 2] = ["one of", "either"];

/// What precedes values that are only examples, in lower case.
const BEFORE_EXAMPLES: [&str; 5] = ["e.g", "such as", "example", "like", "i.e"];

/// Characters of a list of values; what is longer ends with `...`.
const MOST_OF_VALUES: usize = 100;

/// The pattern, standard, values, range or unit that a description names: `YYYY-MM-DD HH:MM`, `ISO 8601`, `"r", "rw"`,
/// `from 0 to 100`, `in seconds`.
pub(in crate::signature) fn written_as(description: &str) -> Option<String> {
    let is_sign = |c: char| !c.is_alphanumeric() && c != '%';
    let words: Vec<&str> = description.split_whitespace().map(|word| word.trim_matches(is_sign)).collect();
    let runs = words.split(|word| !is_pattern(word)).filter(|run| run.iter().any(|word| has_year_or_hour(word)));
    let pattern = runs.map(|run| run.join(" ")).next();
    let standard = || STANDARDS.into_iter().find(|name| description.contains(name)).map(str::to_owned);
    let unit = || {
        let pairs = words.iter().zip(words.iter().skip(1));
        let mut units =
            pairs.filter(|(before, unit)| **before == "in" && UNITS.split_whitespace().any(|known| known == **unit));
        units.next().map(|(_, unit)| format!("in {unit}"))
    };
    pattern.or_else(standard).or_else(|| values(description)).or_else(|| range(description)).or_else(unit)
}

/// The values of a closed list: `Options are: economy, business`, `either "r" for reading or "rw"`, `'on' or 'off'`.
fn values(description: &str) -> Option<String> {
    let lower = description.to_ascii_lowercase();
    let after = |leads: &[&str]| leads.iter().filter_map(|lead| Some(lower.find(lead)? + lead.len())).min();
    let listed = after(&BEFORE_VALUES).and_then(|at| description.get(at..)).map(sentence);
    let named = after(&BEFORE_QUOTED).and_then(|at| description.get(at..)).map(sentence);
    let values = listed
        .or(named)
        .filter(|text| !are_examples(text.split(['"', '\'', '`']).next().unwrap_or_default()))
        .and_then(|text| several(quoted(text).map(|(value, _)| value).collect()))
        .or_else(|| several(listed.map(unquoted).unwrap_or_default()))
        .or_else(|| several(alternatives(description)))?;
    let mut shown = String::new();
    for value in values {
        let separator = if shown.is_empty() { "" } else { ", " };
        if shown.len() + value.len() > MOST_OF_VALUES {
            return Some(shown + separator + "...");
        }
        shown += &format!("{separator}\"{value}\"");
    }
    Some(shown)
}

/// Whether this introduces examples.
fn are_examples(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    BEFORE_EXAMPLES.iter().any(|word| text.contains(word))
}

/// Two values at least.
fn several(values: Vec<&str>) -> Option<Vec<&str>> {
    (values.len() > 1).then_some(values)
}

/// The text up to the end of a sentence, line or bracket.
fn sentence(text: &str) -> &str {
    let text = text.trim_start_matches([':', ' ', '[', '(']);
    let ends = [". ", "\n", ")", "]", ";"].into_iter().filter_map(|end| text.find(end));
    text.get(..ends.min().unwrap_or(text.len())).unwrap_or(text).trim_end_matches('.')
}

/// Words in quotes, each with the place where its quote begins; the sign within `user's` is none.
fn quoted(text: &str) -> impl Iterator<Item = (&str, usize)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let opens = rest + text.get(rest..)?.find(['"', '\'', '`'])?;
            let (before, from) = text.split_at_checked(opens)?;
            let mark = from.chars().next()?;
            rest = opens + 1;
            let value = text.get(rest..)?.split_once(mark).map(|(value, _)| value);
            let Some(value) = value.filter(|value| !value.is_empty() && !before.ends_with(char::is_alphanumeric))
            else {
                continue;
            };
            rest += value.len() + 1;
            return Some((value, opens));
        }
    })
}

/// Items between commas, `or` and `and`, if they are as short as names are.
fn unquoted(text: &str) -> Vec<&str> {
    let items = text.split([',', '|']).flat_map(|item| item.split(" or ")).flat_map(|item| item.split(" and "));
    let items = items.map(|item| item.trim().trim_start_matches("or ").trim_start_matches("and "));
    // Bounded: by the words of a description.
    let items: Vec<&str> = items.filter(|item| !item.is_empty()).collect();
    if items.iter().all(|item| item.split(' ').count() <= 2) { items } else { Vec::new() }
}

/// Quoted words with nothing between them but commas and at least one `or`; examples are not all that may be given.
fn alternatives(text: &str) -> Vec<&str> {
    let (mut found, mut ends, mut has_or) = (Vec::new(), 0, false);
    for (value, opens) in quoted(text) {
        let between = text.get(ends..opens).unwrap_or_default();
        let is_first = found.is_empty();
        if is_first && are_examples(between) {
            return Vec::new();
        }
        if !is_first && !matches!(between.trim(), "," | "or" | ", or" | "|" | "/") {
            return Vec::new();
        }
        has_or |= !is_first && between.trim() != ",";
        ends = opens + value.len() + 2;
        found.push(value);
    }
    if has_or { found } else { Vec::new() }
}

/// Two numbers after `from` or `between`, whatever brackets say of the first one: `from 0 to 100`.
fn range(description: &str) -> Option<String> {
    let parts = description.split('(').enumerate();
    let outside =
        parts.filter_map(|(at, part)| if at == 0 { Some(part) } else { part.split_once(')').map(|(_, rest)| rest) });
    let text = outside.collect::<String>();
    let is_number =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || c == '-') && word.parse::<f64>().is_ok();
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_end_matches(['.', ',', ';', ':'])).collect();
    words.windows(4).find_map(|words| match words {
        ["from" | "between", first, "to" | "and", last] if is_number(first) && is_number(last) => {
            Some(format!("from {first} to {last}"))
        }
        _ => None,
    })
}

/// Whether a word has the letters and signs of patterns only, such as `HH:MM` or `%Y-%m-%d`.
fn is_pattern(word: &str) -> bool {
    let is_known = |c: char| "YMDHSTZymdhsB:/-.%".contains(c);
    let doubled = ["YY", "MM", "DD", "HH", "SS", "yy", "mm", "dd", "hh", "ss", "%"];
    word.chars().all(is_known) && doubled.iter().any(|letters| word.contains(letters))
}

fn has_year_or_hour(word: &str) -> bool {
    ["YY", "yy", "HH", "hh:", "%Y", "%y", "%H"].iter().any(|letters| word.contains(letters))
}
