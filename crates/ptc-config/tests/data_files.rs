//! The page on data files agrees with the tables of formats and options.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails where it stands")]

use std::path::Path;

use ptc_config::{data_formats, mission_schema};

const PAGE: &str = "../../docs/reference/data-files.md";

const TEXT: &str = include_str!("data_files/page.md");

/// Set to write the page instead of comparing it.
const WRITE: &str = "PTC_WRITE_PAGES";

#[test]
fn the_page_on_data_files_is_that_of_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let page = TEXT.replace("<!-- formats -->\n", &formats()).replace("<!-- options -->\n", &options());
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == page, "run `{WRITE}=1 cargo test -p ptc-config --test data_files` and commit {PAGE}");
}

fn formats() -> String {
    let row = |format: &ptc_config::DataFormat| {
        let extensions: Vec<String> = format.extensions.iter().map(|extension| format!("`.{extension}`")).collect();
        format!("| {} | `{}` | {} |\n", extensions.join(", "), format.name, format.doc)
    };
    format!(
        "| file | `format` | what programs see |\n|---|---|---|\n{}",
        data_formats().iter().map(row).collect::<String>()
    )
}

fn options() -> String {
    let schema = mission_schema();
    let file = &schema["properties"]["data"]["additionalProperties"]["anyOf"][0]["properties"];
    let row = |(key, value): (&String, &serde_json::Value)| {
        format!("| `{key}` | {} |\n", value["description"].as_str().unwrap().replace('|', "\\|"))
    };
    let rows: String = file.as_object().unwrap().iter().filter(|(key, _)| *key != "file").map(row).collect();
    format!("| key | what it says |\n|---|---|\n{rows}")
}
