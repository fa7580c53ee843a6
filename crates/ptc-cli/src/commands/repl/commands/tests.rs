use super::*;

#[test]
fn an_unknown_command_is_told_the_nearest_one() {
    assert_eq!(
        unknown(":memry"),
        "there is no command :memry; did you mean :memory? A keyword as a value is (identity :memry)"
    );
    assert_eq!(
        unknown(":xyzzy"),
        "there is no command :xyzzy; :help lists them. A keyword as a value is (identity :xyzzy)"
    );
}

#[test]
fn files_are_completed_folder_by_folder() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.clj", "a.json", ".hidden"] {
        std::fs::write(folder.path().join(name), "").unwrap();
    }
    std::fs::create_dir(folder.path().join("alone")).unwrap();
    let base = folder.path().display().to_string();
    let found =
        |word: &str| paths(&format!("{base}/{word}")).iter().map(|path| path.replace(&base, "")).collect::<Vec<_>>();
    assert_eq!(found("a"), ["/a.clj", "/a.json", "/alone/"]);
    assert_eq!(found(""), ["/a.clj", "/a.json", "/alone/"]);
    assert_eq!(found(".h"), ["/.hidden"]);
    assert_eq!(paths(&format!("{base}/nowhere/x")), Vec::<String>::new());
}
