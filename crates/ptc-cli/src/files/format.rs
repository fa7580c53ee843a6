//! How the files of each option begin.

/// What an option writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Format {
    /// The option.
    pub(crate) option: &'static str,
    /// What its files begin with, digits left out; `None` where a file does not identify its writer.
    pub(super) head: Option<&'static str>,
    /// Whether the head is written before the text, because the text alone would not identify it.
    pub(super) is_put_in_front: bool,
}

impl Format {
    pub(crate) const OUT: Format = Format::unmarked("--out");
    pub(crate) const RECORD: Format = Format::unmarked("--record");
    pub(crate) const REQUESTS: Format = Format::known("--requests", "{\"turn\":,\"attempt\":,");
    pub(crate) const CHROME: Format =
        Format::known("--chrome", "{\"traceEvents\":[{\"name\":\"trace\",\"cat\":\"trace\"");
    pub(crate) const HTML: Format = Format::marked("--html", "<!-- ptc show -->\n");
    pub(crate) const SAVED: Format = Format::marked("--save", "# Written by `ptc run --save`.\n");
    pub(crate) const SAVED_DATA: Format = Format::unmarked("--save");
    pub(crate) const SVG: Format = Format::marked("--svg", "<!-- ptc replay -->\n");
    pub(crate) const REPORT: Format = Format::marked("--report", "<!-- ptc eval-suite -->\n");
    pub(crate) const HTML_REPORT: Format = Format::marked("--report", "<!-- ptc eval-suite page -->\n");
    pub(crate) const JSON_REPORT: Format = Format::unmarked("--report");

    /// Whether its files are made to be shown to others: pages, pictures, reports and answers.
    pub(super) fn is_page(self) -> bool {
        matches!(self.option, "--html" | "--svg" | "--report" | "--save" | "--out")
    }

    const fn known(option: &'static str, head: &'static str) -> Format {
        Format { option, head: Some(head), is_put_in_front: false }
    }

    const fn marked(option: &'static str, head: &'static str) -> Format {
        Format { option, head: Some(head), is_put_in_front: true }
    }

    const fn unmarked(option: &'static str) -> Format {
        Format { option, head: None, is_put_in_front: false }
    }
}

/// Enough of a file to recognize its beginning.
pub(super) const HEAD_BYTES: u64 = 256;

/// Whether a file that begins with these bytes begins with `head`, numbers left out.
pub(super) fn begins_with(bytes: &[u8], head: &str) -> bool {
    let mut plain = bytes.iter().filter(|byte| !byte.is_ascii_digit());
    head.bytes().all(|byte| plain.next() == Some(&byte))
}
