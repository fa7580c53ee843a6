//! Manual pages.

use std::fs;

use super::shown;

/// Requests of roff that manual pages have.
const REQUESTS: [&str; 13] = ["TH", "SH", "SS", "TP", "PP", "IP", "RS", "RE", "br", "nf", "fi", "ie", "el"];

#[test]
fn every_command_has_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let (told, _) = shown(folder.path(), &["man", "--out", "pages/man1"]);
    let pages = folder.path().join("pages/man1");
    let names: Vec<String> =
        fs::read_dir(&pages).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(told, format!("wrote {} pages into pages/man1\n", names.len()));
    for name in ["ptc.1", "ptc-run.1", "ptc-man.1", "ptc-mcp-approve.1"] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
    for name in names {
        let page = fs::read_to_string(pages.join(&name)).unwrap();
        let title = name.trim_end_matches(".1");
        assert!(page.contains(&format!(".TH {title} 1 ")), "{name}");
        for line in page.lines() {
            let request = line.strip_prefix('.').map(|line| line.split_whitespace().next().unwrap_or_default());
            assert!(request.is_none_or(|request| REQUESTS.contains(&request)), "{name}: {line}");
            assert!(!line.starts_with('\''), "{name}: {line}");
        }
    }
}

#[test]
fn examples_keep_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (page, _) = shown(folder.path(), &["man"]);
    assert!(page.contains(".SH NAME\nptc"), "{page}");
    shown(folder.path(), &["man", "--out", "."]);
    let page = fs::read_to_string(folder.path().join("ptc-init.1")).unwrap();
    assert!(page.contains(".SH EXAMPLES\n.nf\n  ptc init shop "), "{page}");
}
