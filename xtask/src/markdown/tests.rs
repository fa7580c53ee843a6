use super::{cells, filled, head, lines, local, prose, row, section, with_targets};

#[test]
fn targets_change_outside_of_code() {
    let upper = |line: &str| with_targets(line, |target| target.starts_with('a').then(|| target.to_uppercase()));
    assert_eq!(upper("[`x`](a) `[y](a)` [z](b) [w](a"), "[`x`](A) `[y](a)` [z](b) [w](A");
    assert_eq!(upper("no links"), "no links");
}

#[test]
fn fences_and_what_is_in_them_are_code() {
    let text = "a\n```sh\nb\n```\nc";
    assert_eq!(lines(text).map(|(_, _, is_code)| is_code).collect::<Vec<_>>(), [false, true, true, true, false]);
    assert_eq!(prose(text).collect::<Vec<_>>(), [(1, "a"), (5, "c")]);
}

#[test]
fn addresses_are_not_local() {
    assert_eq!(local("a.md#b"), Some(("a.md", "#b")));
    assert_eq!(local("a.md"), Some(("a.md", "")));
    assert_eq!((local("https://a.example#b"), local("mailto:a@b.example")), (None, None));
}

#[test]
fn tables_are_written_as_they_are_read() {
    let table = head("", ["a", "b"]) + &row(["x", "1", "2"]);
    assert_eq!(table, "| | a | b |\n|---|--:|--:|\n| x | 1 | 2 |\n");
    let page = format!("# P\n\n## T\n\n{table}\n## U\n");
    let rows = section(&page, "## T").filter_map(|(line, text)| Some((line, cells::<3>(text)?)));
    assert_eq!(rows.last(), Some((7, ["x", "1", "2"])));
}

#[test]
fn gaps_are_filled_by_name() {
    assert_eq!(filled("{a} is {b c}, {a} {d}", [("a", "1"), ("b c", "2")]), "1 is 2, 1 {d}");
}
