//! Which separator, quotes and header fit the first rows of a text.

use super::super::options::ReadOptions;
use super::super::split::Syntax;
use super::name_of;
use super::sample::{Sample, SampleRow, looked_at};

/// What may separate cells.
pub(super) const SEPARATORS: [u8; 4] = *b",;\t|";
/// Lines above the header that may be titles.
const TITLES: usize = 30;

/// What was chosen.
pub(super) struct Choice {
    pub(super) syntax: Syntax,
    /// Where the header begins.
    pub(super) header: usize,
    pub(super) is_trailing: bool,
    pub(super) notes: Vec<String>,
}

/// A separator with the row that is the header then.
struct Fit {
    sample: Sample,
    header: usize,
    note: Option<String>,
}

impl Choice {
    /// The choice for a text from this byte.
    pub(super) fn of(text: &str, start: usize, separator: Option<u8>, options: &ReadOptions) -> Choice {
        let text = looked_at(text, start);
        let syntax = |separator: u8, quote: u8, has_escapes: bool| Syntax {
            separator,
            quote,
            has_escapes,
            comment: options.comment,
            has_spaces: separator != b' ',
        };
        let separators = separator.map_or(SEPARATORS.to_vec(), |separator| vec![separator]);
        let fit = |quote: u8, has_escapes: bool| {
            let samples =
                separators.iter().map(|it| Sample::of(text, start, syntax(*it, quote, has_escapes))).collect();
            chosen(text, samples, is_header_given(options))
        };
        let (quote, escape) = (options.quote.unwrap_or(b'"'), options.escape.unwrap_or(false));
        let mut found = fit(quote, escape);
        if options.escape.is_none() && !found.sample.is_sound && text.contains("\\\"") {
            let escaped = fit(quote, true);
            found = if escaped.sample.is_sound { escaped } else { found };
        }
        if options.quote.is_none() && !text.contains('"') && text.contains('\'') {
            let other = fit(b'\'', escape);
            found = if is_quoted_so(&other) { other } else { found };
        }
        found.into_choice(text, start)
    }
}

fn is_header_given(options: &ReadOptions) -> bool {
    options.header.is_some()
}

impl Fit {
    fn into_choice(self, text: &str, start: usize) -> Choice {
        let Fit { sample, header, note } = self;
        let tight = Syntax { has_spaces: false, ..sample.syntax };
        let has_spaces = sample.syntax.has_spaces && has_spaces(&Sample::of(text, start, tight), header, tight.quote);
        Choice {
            syntax: Syntax { has_spaces, ..sample.syntax },
            header: sample.header(header).map_or(start, |row| row.start),
            is_trailing: sample.is_trailing(header),
            notes: note.into_iter().collect(),
        }
    }
}

/// Whether separators have a space after them: in front of every filled cell, or in front of a quote.
fn has_spaces(sample: &Sample, header: usize, quote: u8) -> bool {
    let cells = || sample.from(header).iter().flat_map(|row| row.cells.iter().skip(1)).filter(|cell| !cell.is_empty());
    let is_quoted = |cell: &str| cell.trim_start_matches(' ').as_bytes().first() == Some(&quote) && quote != 0;
    let spaced = || cells().filter(|cell| cell.starts_with(' '));
    cells().next().is_some() && cells().all(|cell| cell.starts_with(' ')) || spaced().any(|cell| is_quoted(cell))
}

/// Whether `'` is around cells: in every row of a column, or around one with a separator.
fn is_quoted_so(fit: &Fit) -> bool {
    let Fit { sample, header, .. } = fit;
    let is_quoted = |row: &SampleRow, at: usize| row.quoted.get(at).is_some_and(|quoted| *quoted);
    let rows = sample.from(header + 1);
    let width = sample.width(*header).unwrap_or_default();
    let holds = |row: &SampleRow, at: usize| {
        row.cells.get(at).is_some_and(|cell| cell.contains(char::from(sample.syntax.separator)))
    };
    let is_column = |at: usize| !rows.is_empty() && rows.iter().all(|row| is_quoted(row, at));
    let is_needed = |at: usize| rows.iter().any(|row| is_quoted(row, at) && holds(row, at));
    sample.is_sound && (0..width).any(|at| is_column(at) || is_needed(at))
}

/// The best separator and its header. Where header and rows have the same number of cells with commas as well as with
/// another separator, it is the comma, unless every comma is in a text or a number: before a space, or alone between
/// digits. Where none fits, the first row alone decides.
fn chosen(text: &str, samples: Vec<Sample>, is_header_given: bool) -> Fit {
    let by = |separator: u8| samples.iter().find(|sample| sample.syntax.separator == separator);
    let cells = |sample: &&Sample| sample.header(0).map_or(0, SampleRow::len);
    // The last of equal ones: `;` before the others.
    let most = |sample: &&Sample| (cells(sample), sample.syntax.separator == b';');
    let fits = |sample: &&Sample| sample.width(0).is_some() && !sample.cuts_quotes(&SEPARATORS);
    let (comma, others) = (by(b','), || samples.iter().filter(|sample| sample.syntax.separator != b','));
    let fitting = others().filter(fits).max_by_key(most);
    let with = |sample: &Sample, header: usize, note: Option<String>| Fit { sample: sample.clone(), header, note };
    let alone = |sample: &Sample| with(sample, titled(sample, text, is_header_given), None);
    match (fitting, comma.filter(fits)) {
        (Some(other), Some(comma)) if other.rows.len() < 2 => alone(comma),
        (Some(other), Some(comma)) => {
            let is_prose = is_prose(other);
            let (taken, left) = if is_prose { (other, comma) } else { (comma, other) };
            let header = titled(taken, text, is_header_given);
            with(taken, header, Some(doubt(taken.syntax.separator, left.syntax.separator)))
        }
        (Some(only), None) | (None, Some(only)) => alone(only),
        (None, None) => below_titles(text, &samples, is_header_given).unwrap_or_else(|| {
            let is_there = |sample: &&Sample| cells(sample) > 1;
            let first = comma.filter(is_there).or_else(|| others().filter(is_there).max_by_key(most));
            let sample = first.or(comma).or(samples.first()).cloned();
            Fit { sample: sample.unwrap_or_else(Sample::empty), header: 0, note: None }
        }),
    }
}

fn doubt(taken: u8, left: u8) -> String {
    let value = if left == b'\t' { "tab".to_owned() } else { char::from(left).to_string() };
    let (taken, left) = (name_of(taken), name_of(left));
    format!("{left} would fit as well as {taken}; say `separator = \"{value}\"` if they separate the cells")
}

/// Whether no comma of these rows looks like a separator.
fn is_prose(sample: &Sample) -> bool {
    let cell = |cell: &&String| {
        let bytes = cell.as_bytes();
        let digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
        let is_alone = cell.matches(',').count() == 1;
        cell.match_indices(',').all(|(at, _)| {
            bytes.get(at + 1) == Some(&b' ') || is_alone && digit(at.checked_sub(1)) && digit(Some(at + 1))
        })
    };
    let plain = |row: &'_ SampleRow| row.cells.iter().zip(&row.quoted).filter(|it| !it.1).all(|(text, _)| cell(&text));
    sample.rows.iter().all(plain)
}

/// The header of a text whose rows all have the same number of cells: the first row, or the first one below titles in
/// rows that have otherwise empty cells, or that an empty line follows.
fn titled(sample: &Sample, text: &str, is_header_given: bool) -> usize {
    let Some(first) = sample.header(0).filter(|_| !is_header_given) else { return 0 };
    let width = first.len();
    let is_title = |row: &SampleRow| row.filled() <= 1;
    let full = sample.rows.iter().take(TITLES).position(|row| !is_title(row)).unwrap_or(0);
    let is_full = sample.header(full).is_some_and(|row| row.filled() + usize::from(row.ends_empty()) >= width);
    if full > 0 && width > 1 && is_full && (width > 2 || sample.names_numbers(full)) {
        return full;
    }
    let are_comments = |at: usize| sample.rows.iter().take(at).all(is_comment);
    let parted = (1..sample.rows.len().min(TITLES))
        .find(|at| is_parted(sample, text, *at) || are_comments(*at) && !sample.header(*at).is_some_and(is_comment));
    parted.filter(|at| sample.names_numbers(*at) && !sample.names_numbers(0)).unwrap_or(0)
}

/// Whether an empty line is above this row.
fn is_parted(sample: &Sample, text: &str, at: usize) -> bool {
    let before = sample.header(at).map_or("", |row| text.get(..row.start).unwrap_or_default());
    let before = before.strip_suffix('\n').map_or(before, |rest| rest.strip_suffix('\r').unwrap_or(rest));
    let line = before.rsplit(['\n']).next().unwrap_or_default();
    line.trim_matches(['\r', ' ', '\t', '"', ',', ';', '|']).is_empty() && !before.is_empty()
}

/// A header below lines that have fewer cells: titles, or lines that begin with `#`.
fn below_titles(text: &str, samples: &[Sample], is_header_given: bool) -> Option<Fit> {
    if is_header_given {
        return None;
    }
    let mut found: Vec<(usize, usize, &Sample)> = Vec::new();
    for sample in samples {
        let even = (1..sample.rows.len().min(TITLES)).find(|at| {
            let width = sample.width(*at);
            width.is_some() && is_below_titles(sample, text, *at, width)
        });
        let usual = sample.usual_width();
        let first = || sample.rows.iter().position(|row| Some(row.len()) == usual).filter(|at| *at > 0);
        let uneven = || first().filter(|at| usual.is_some() && is_below_titles(sample, text, *at, usual));
        if let Some(header) = even.or_else(uneven) {
            found.push((usize::from(even.is_some()), header, sample));
        }
    }
    let best = found.into_iter().max_by_key(|(even, header, sample)| {
        (*even, sample.header(*header).map_or(0, SampleRow::len), sample.syntax.separator == b';')
    });
    best.map(|(_, header, sample)| Fit { sample: sample.clone(), header, note: None })
}

fn is_comment(row: &SampleRow) -> bool {
    row.cells.first().is_some_and(|cell| cell.starts_with('#'))
}

/// Whether what is above a row cannot be the header.
fn is_below_titles(sample: &Sample, text: &str, at: usize, width: Option<usize>) -> bool {
    let above = sample.rows.get(..at).unwrap_or_default();
    let is_narrow = above.iter().all(|row| Some(row.filled()) < width && row.filled() <= 2 || is_comment(row));
    let rows = sample.rows.len() - at;
    above.iter().all(is_comment)
        || is_narrow
            && rows > 1
            && (is_parted(sample, text, at) || sample.names_numbers(at) || (width > Some(2) && rows > 2))
}
