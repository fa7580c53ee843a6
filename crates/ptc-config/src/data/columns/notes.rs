//! What people should know of a column: why it is text, what became nil, and which option changes that.

use ptc_lisp::text::shortened;

use super::{At, Column, ColumnType, DateForm, Doubt, Kept, MISSING, NotNumber};

/// Characters of a cell that a note quotes.
const QUOTED_CHARS: usize = 40;

/// What people write for a missing value, in small letters: an option may say so.
const MARKERS: [&str; 19] = [
    "-", "--", "–", "—", ".", "..", "...", "?", "n/a", "na", "n.a.", "nan", "none", "nil", "(null)", "#n/a", "missing",
    "unknown", "tbd",
];

impl Column {
    /// What its cells became, as a list of columns says it.
    pub(in super::super) fn kind(&self, ty: &ColumnType) -> &'static str {
        let are_dates = *ty == ColumnType::Text && self.filled > 0 && self.dates == self.filled;
        match self.date_form.filter(|_| are_dates) {
            Some(DateForm::Time) => "times as text",
            Some(_) => "dates as text",
            None => ty.kind(),
        }
    }

    /// How many of its cells are nil in this type.
    pub(in super::super) fn nils(&self, ty: &ColumnType) -> usize {
        self.empty + if *ty == ColumnType::Text { 0 } else { self.missing }
    }

    /// Remarks for the user who gave the file; `line` names the line of a cell.
    pub(in super::super) fn notes(
        &self,
        ty: &ColumnType,
        has_commas: bool,
        line: &dyn Fn(At) -> String,
    ) -> Vec<String> {
        let name = &self.name;
        let of_type = match ty {
            _ if self.given.is_some() => None,
            ColumnType::Text => self.why_text(has_commas, line),
            ColumnType::Int(_) | ColumnType::Float(_) => self.currency.map(|sign| {
                format!(
                    "the column `{name}` is numbers; `{sign}` is left out; `types = {{ {} = \"text\" }}` keeps it",
                    key(name)
                )
            }),
            _ => None,
        };
        of_type.into_iter().chain(self.about_missing(ty)).collect()
    }

    fn why_text(&self, has_commas: bool, line: &dyn Fn(At) -> String) -> Option<String> {
        let (name, filled, numbers) = (&self.name, self.filled, self.numbers());
        if filled > 0 && filled == self.yes_or_no {
            let quoted = self.quoted(line);
            return Some(format!(
                "the column `{name}` is text: {quoted}; `types = {{ {} = \"bool\" }}` reads it as true and false",
                key(name)
            ));
        }
        if self.odd_count > 0 {
            return (numbers * 2 > filled).then(|| {
                let option = self.nulls().or_else(|| self.skipped()).unwrap_or_default();
                format!(
                    "the column `{name}` is text, since {}; {numbers} of its {filled} filled cells are numbers{option}",
                    self.quoted(line)
                )
            });
        }
        if numbers == 0 {
            return None;
        }
        self.doubt(has_commas, line)
    }

    /// Why numbers are text.
    fn doubt(&self, has_commas: bool, line: &dyn Fn(At) -> String) -> Option<String> {
        let (name, key) = (&self.name, key(&self.name));
        if self.is_numeric() && self.notation(has_commas) == Err(Doubt::Point) {
            return Some(format!(
                "the column `{name}` is text, since its points may be between thousands, as in other files with decimal commas or `;` between cells; say `decimal = \",\"` or `decimal = \".\"`"
            ));
        }
        let Kept { at, text, .. } = self.unusual.as_ref()?;
        let cell = format!("`{}` in {}", shortened(text, QUOTED_CHARS), line(*at));
        if self.percents > 0 {
            return Some(format!(
                "the column `{name}` is text, since {cell} is a percentage; `types = {{ {key} = \"percent\" }}` reads it as a fraction: 0.12 for 12 %"
            ));
        }
        if self.currency.is_some() && self.with_currency < self.numbers() {
            return Some(format!(
                "the column `{name}` is text, since not all of its cells are amounts in one currency, such as {cell}; `types = {{ {key} = \"float\" }}` leaves the signs out"
            ));
        }
        let why = match self.notation(has_commas).err()? {
            Doubt::Mixed => {
                format!("the column `{name}` is text, since its numbers are written in several ways, such as {cell}")
            }
            Doubt::Comma => format!(
                "the column `{name}` is text, since {cell} has two meanings; say `decimal = \",\"` or `thousands = \",\"`"
            ),
            Doubt::Point => return None,
            Doubt::Groups(sign) => format!(
                "the column `{name}` is text, since {cell} may be a code; say `thousands = \"{sign}\"` if it is a number"
            ),
        };
        Some(why)
    }

    /// The first cells that are not numbers, with their lines.
    fn quoted(&self, line: &dyn Fn(At) -> String) -> String {
        let shown = self.odd.iter().map(|Kept { at, text, reason }| {
            let quoted = shortened(text, QUOTED_CHARS);
            if self.yes_or_no == self.filled {
                format!("`{quoted}`")
            } else {
                format!("`{quoted}` in {} {reason}", line(*at))
            }
        });
        let more = self.odd_count - self.odd.len();
        let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}{rest}", shown.collect::<Vec<_>>().join(", "))
    }

    /// The option that makes the odd cells nil, if they are words that may mean that.
    fn nulls(&self) -> Option<String> {
        let mut words: Vec<&str> =
            self.odd.iter().map(|kept| kept.text.as_str()).chain(self.marker.as_deref()).collect();
        words.sort_unstable();
        words.dedup();
        let is_word = |word: &&str| MISSING.contains(word) || MARKERS.contains(&word.to_lowercase().as_str());
        if self.odd_count > self.odd.len() || !words.iter().all(is_word) {
            return None;
        }
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        Some(format!("; `null = [{}]` reads the others as missing", words.join(", ")))
    }

    /// The options that leave out the rows of the odd cells, if each of them is plainly no number: codes stay.
    fn skipped(&self) -> Option<String> {
        let is_other = |kept: &Kept| kept.reason == NotNumber::Other;
        (self.odd_count == self.odd.len() && self.odd.iter().all(is_other)).then(|| {
            let rows = if self.odd.iter().all(|kept| kept.text == self.name) {
                "the header that is there again"
            } else {
                "the other rows"
            };
            let (key, ty) = (key(&self.name), if self.written == 0 { "int" } else { "float" });
            format!("; `types = {{ {key} = \"{ty}\" }}` with `on_error = \"skip\"` leaves out {rows}")
        })
    }

    /// What became of cells that say that a value is missing.
    fn about_missing(&self, ty: &ColumnType) -> Option<String> {
        let (name, missing, marker) = (&self.name, self.missing, self.marker.as_ref()?);
        match ty {
            _ if self.given == Some(super::GivenType::Text) => None,
            ColumnType::Text if self.numbers() * 2 > self.filled => None,
            ColumnType::Text => {
                Some(format!("`{marker}` is text in the column `{name}`; `null = [\"{marker}\"]` reads it as missing"))
            }
            _ => {
                let markers = MISSING.join("`, `");
                Some(format!(
                    "the column `{name}` is {}; {missing} of its cells say that the value is missing (`{markers}`) and are nil",
                    ty.kind()
                ))
            }
        }
    }
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let is_bare =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if is_bare { name.to_owned() } else { format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")) }
}
