use std::collections::BTreeSet;

use super::*;
use crate::datasets::DataSets;

fn documents() -> Arc<[Document]> {
    DataSets::generate(2026).documents.into()
}

fn page(query: &str, limit: Option<usize>, cursor: Option<&str>) -> Page {
    search(documents(), Query { query: query.to_owned(), limit, cursor: cursor.map(str::to_owned) }).unwrap()
}

#[test]
fn all_words_must_occur_in_any_case() {
    let one = page("SECURITY", Some(40), None);
    let two = page("security  policy", Some(40), None);
    assert!(0 < two.total && two.total < one.total, "{} and {}", two.total, one.total);
    assert!(one.results.iter().any(|hit| hit.topics.contains(&"security".to_owned())));
    for hit in &two.results {
        assert!(one.results.contains(hit), "{hit:?}");
    }
    assert_eq!(
        page("security submarine", None, None),
        Page { results: Vec::new(), cursor: None, has_more: false, total: 0 }
    );
}

#[test]
fn pages_follow_each_other_until_all_was_seen() {
    let first = page("", None, None);
    assert_eq!((first.results.len(), first.total, first.has_more, first.cursor.as_deref()), (10, 40, true, Some("10")));
    let mut seen = BTreeSet::new();
    let mut cursor = None;
    loop {
        let next = page("", Some(15), cursor.as_deref());
        seen.extend(next.results.into_iter().map(|hit| hit.id));
        assert_eq!(next.has_more, next.cursor.is_some());
        cursor = next.cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert_eq!(seen.len(), 40);
    assert_eq!(page("", None, Some("40")).results, []);
}

#[test]
fn cursors_come_from_pages() {
    let query = Query { query: String::new(), limit: None, cursor: Some("next".to_owned()) };
    let problem = search(documents(), query).unwrap_err();
    assert_eq!(problem.to_string(), "there is no cursor \"next\"; pass that of the last page");
}

#[test]
fn a_document_comes_whole_or_not_at_all() {
    let known = fetch(documents(), Wanted { id: "DOC-007".to_owned() }).unwrap();
    assert_eq!(known.as_ref(), documents().get(6));
    assert_eq!(fetch(documents(), Wanted { id: "DOC-041".to_owned() }).unwrap(), None);
}

#[test]
fn tools_have_the_types_of_their_functions() {
    let lines = document_tools(Vec::new())
        .map(|tool| format!("{}{}", tool.spec().name, tool.spec().signature.as_ref().unwrap()));
    insta::assert_snapshot!(lines.join("\n"), @"
    search(query :string, limit :int? (at least 0), cursor :string?) -> {results [{id :string, title :string, topics [:string], department :string}], cursor :string?, has_more :bool, total :int}
    fetch(id :string) -> {id :string, title :string, topics [:string], department :string, content :string, updated_at :string}?
    ");
}
