//! The rows of the page: `| ID | sentence | proof |`.

/// One requirement as the page has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    /// Line of the page, from 1.
    pub(super) line: usize,
    /// Such as `ARC-001`.
    pub(super) id: String,
    /// The requirement in our words.
    pub(super) sentence: String,
    /// Its proof.
    pub(super) proof: Proof,
}

/// The third column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Proof {
    /// Names of tests, at least one.
    Tests(Vec<String>),
    /// `process note`: nothing that a program could do or not do.
    Note,
    /// Something else, unchanged.
    Nothing(String),
}

/// All rows whose first column looks like an ID.
pub(super) fn rows(page: &str) -> Vec<Row> {
    page.lines().enumerate().filter_map(|(index, line)| row(index + 1, line)).collect()
}

fn row(line: usize, text: &str) -> Option<Row> {
    let cells: Vec<&str> = text.strip_prefix('|')?.trim_end().strip_suffix('|')?.split('|').map(str::trim).collect();
    let (id, rest) = cells.split_first().filter(|(id, _)| is_id(id))?;
    let (sentence, proof) = match rest {
        [sentence, proof] => (*sentence, self::proof(proof)),
        other => ("", Proof::Nothing(other.join(" | "))),
    };
    Some(Row { line, id: (*id).to_owned(), sentence: sentence.to_owned(), proof })
}

/// Two or three capitals, a dash, three figures.
fn is_id(text: &str) -> bool {
    let Some((group, number)) = text.split_once('-') else { return false };
    let capitals = (2..=3).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_uppercase());
    capitals && number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit())
}

fn proof(cell: &str) -> Proof {
    if cell == "process note" {
        return Proof::Note;
    }
    let names: Option<Vec<String>> = cell.split(", ").map(name).collect();
    names.map_or_else(|| Proof::Nothing(cell.to_owned()), Proof::Tests)
}

/// A name in backticks.
fn name(text: &str) -> Option<String> {
    let name = text.strip_prefix('`')?.strip_suffix('`')?;
    (name.contains("::") && !name.contains(['`', ' '])).then(|| name.to_owned())
}
