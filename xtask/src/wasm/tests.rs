//! What needs neither a toolchain for browsers nor a browser.

use super::{USAGE, filled, locked, manifest, page, run};
use crate::Workspace;

#[test]
fn the_page_is_whole_and_loads_nothing() {
    let page = page(&Workspace::of_this_run(), "export class Session {}", b"module").unwrap();
    assert!(page.ends_with("</html>\n") && page.contains("export class Session {}") && page.contains("bW9kdWxl"));
    assert!(page.contains("Totals by customer"), "the gallery is in it");
    for left in ["{policy}", "{style}", "{gallery}", "{module}", "{worker}", "{script}"] {
        assert!(!page.contains(left), "{left}");
    }
    for loads in ["src=\"", "href=\"http", "@import", "url("] {
        assert!(!page.contains(loads), "{loads}");
    }
}

#[test]
fn a_part_that_would_end_its_element_is_refused() {
    let with = |text: &str| filled("<script>{a}</script>", &[("{a}", text.to_owned())]);
    assert_eq!(with("1 < 2").unwrap(), "<script>1 < 2</script>");
    assert!(with("'</SCRIPT>'").unwrap_err().contains("two pieces"));
    assert!(filled("", &[("{a}", String::new())]).unwrap_err().contains("lacks {a}"));
}

#[test]
fn the_release_of_the_tool_is_that_of_the_lock_file() {
    let lock = "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.9\"\n";
    assert_eq!(locked(lock, "wasm-bindgen").as_deref(), Some("0.2.9"));
    assert_eq!(locked(lock, "js-sys"), None);
}

#[test]
fn npm_reads_the_version_and_the_types() {
    let manifest = manifest(&Workspace::of_this_run()).unwrap();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["types"], "ptc_wasm.d.ts");
}

#[test]
fn other_words_show_the_usage() {
    assert_eq!(run(&Workspace::of_this_run(), &["--fast"]).unwrap_err().to_string(), USAGE);
}
