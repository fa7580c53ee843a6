//! What a description says of how a value is written: the pattern of a date, a standard, a unit.

/// Standards that descriptions name.
const STANDARDS: [&str; 4] = ["ISO 8601", "ISO-8601", "RFC 3339", "RFC-3339"];

/// Units, as they follow `in`.
const UNITS: &str = "milliseconds ms seconds minutes hours days weeks months years bytes kilobytes megabytes pixels meters metres \
    kilometers kilometres miles feet percent degrees radians Celsius Fahrenheit kilograms grams pounds psi cents euros dollars \
    USD EUR";

/// The pattern, standard or unit that a description names: `YYYY-MM-DD HH:MM`, `ISO 8601`, `in seconds`.
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
    pattern.or_else(standard).or_else(unit)
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
