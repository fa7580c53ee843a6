use super::*;

fn workspace(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "").unwrap();
    }
    folder
}

#[test]
fn links_out_of_the_book_lead_into_the_repository() {
    let folder = workspace(&["docs/guide/tools.md", "docs/examples/suite/a.toml", "crates/a/src/lib.rs"]);
    let text = "[a](tools.md#x) and [`b`](../../crates/a/src/lib.rs), [c](../examples/suite)\n\
                [r](../examples/README.md#top) [d](https://a.example) [e](#here) `](../../crates/a/src/lib.rs)`\n```text\n[f](../../crates)\n```\n";
    let mut book = serde_json::json!({"items": [
        {"Chapter": {"source_path": "guide/debugging.md", "content": text, "sub_items": []}}, "Separator",
    ]});
    rewrite(&Workspace::at(folder.path()), &mut book);
    let wanted = text
        .replace("README.md", "index.md")
        .replacen("../../crates", "https://github.com/ptc-runner/ptc-runner/blob/main/crates", 1)
        .replace("(../examples/suite)", "(https://github.com/ptc-runner/ptc-runner/tree/main/docs/examples/suite)");
    assert_eq!(book["items"][0]["Chapter"]["content"], wanted);
}

#[test]
fn every_page_is_in_the_book() {
    let workspace = Workspace::of_this_run();
    let summary = workspace.read("docs/SUMMARY.md").unwrap();
    let pages = workspace.files_ending("docs", "md").unwrap().into_iter();
    let names = pages.map(|page| page.strip_prefix(DOCS).unwrap().to_str().unwrap().replace('\\', "/"));
    let missing: Vec<String> = names
        .filter(|name| {
            name != "SUMMARY.md" && !name.starts_with("ISSUE_TEMPLATE/") && !summary.contains(&format!("]({name})"))
        })
        .collect();
    assert_eq!(missing, Vec::<String>::new(), "add these pages to docs/SUMMARY.md");
}
