//! The tools `search` and `fetch`, which give programs access to documents.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use ptc_agent::{FnTool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::datasets::Document;

/// Default number of results of a search.
const DEFAULT_LIMIT: usize = 10;

#[derive(Deserialize, JsonSchema)]
struct Query {
    query: String,
    limit: Option<usize>,
    cursor: Option<String>,
}

/// One page of what a search found.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct Page {
    results: Vec<Hit>,
    cursor: Option<String>,
    has_more: bool,
    total: usize,
}

/// A document without its text.
#[derive(Debug, PartialEq, Serialize, JsonSchema)]
struct Hit {
    id: String,
    title: String,
    topics: Vec<String>,
    department: String,
}

#[derive(Deserialize, JsonSchema)]
struct Wanted {
    id: String,
}

/// `search` and `fetch` over these documents.
#[must_use]
pub fn document_tools(documents: Vec<Document>) -> [FnTool; 2] {
    let documents: Arc<[Document]> = documents.into();
    let search_doc = "Documents that hold all words of `query`, in pages of `limit` (10); pass the `cursor` of a page to get the next";
    [
        FnTool::with_state("search", search_doc, Arc::clone(&documents), search),
        FnTool::with_state("fetch", "The whole document of an id, nil if there is none", documents, fetch),
    ]
}

fn search(documents: Arc<[Document]>, query: Query) -> Result<Page, ToolError> {
    let start: usize = match query.cursor.as_deref() {
        None => 0,
        Some(cursor) => cursor
            .parse()
            .map_err(|_| ToolError::new(format!("there is no cursor {cursor:?}; pass that of the last page")))?,
    };
    let limit = query.limit.unwrap_or(DEFAULT_LIMIT).max(1);
    let words: Vec<String> = query.query.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let found: Vec<&Document> = documents.iter().filter(|document| holds_all(document, &words)).collect();
    let end = start.saturating_add(limit);
    let has_more = end < found.len();
    Ok(Page {
        results: found.iter().skip(start).take(limit).map(|document| hit(document)).collect(),
        cursor: has_more.then(|| end.to_string()),
        has_more,
        total: found.len(),
    })
}

fn fetch(documents: Arc<[Document]>, wanted: Wanted) -> Result<Option<Document>, ToolError> {
    Ok(documents.iter().find(|document| document.id == wanted.id).cloned())
}

/// Whether each word occurs in title, topics, content or department.
fn holds_all(document: &Document, words: &[String]) -> bool {
    let text =
        format!("{}\n{}\n{}\n{}", document.title, document.topics.join("\n"), document.content, document.department);
    let text = text.to_lowercase();
    words.iter().all(|word| text.contains(word))
}

fn hit(document: &Document) -> Hit {
    Hit {
        id: document.id.clone(),
        title: document.title.clone(),
        topics: document.topics.clone(),
        department: document.department.clone(),
    }
}
