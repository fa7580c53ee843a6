use super::*;

/// What is reported about a file with this content.
fn check(format: Format, content: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, content).unwrap();
    match look(&path, format, false) {
        Ok(found) => format!("{found:?}"),
        Err(error) => error.to_string().replace(&folder.path().display().to_string(), "F"),
    }
}

#[test]
fn files_are_known_by_how_they_begin() {
    let chrome = "{\"traceEvents\":[{\"name\":\"trace\",\"cat\":\"trace\"";
    assert_eq!(check(Format::CHROME, &format!("{chrome},\"ph\":\"X\"}}]}}")), "Free");
    assert_eq!(check(Format::REQUESTS, "{\"turn\":12,\"attempt\":1,\"system\":\"\"}\n"), "Free");
    assert_eq!(check(Format::RECORD, ""), "Free");
    insta::assert_snapshot!(check(Format::CHROME, &chrome[..30]), @"--chrome F/f: there is a file that --chrome did not write; name another one, or add --force to replace it");
    insta::assert_snapshot!(check(Format::REQUESTS, "{\"turn\":1}\n"), @"--requests F/f: there is a file that --requests did not write; name another one, or add --force to replace it");
    insta::assert_snapshot!(check(Format::RECORD, "{\"agent\":null,\"content\":\"\"}\n"), @"--record F/f: there is a file already; name another one, or add --force to replace it");
}

#[cfg(unix)]
#[test]
fn what_runs_hold_is_for_their_owner_and_pages_are_as_usual() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().permissions().mode() & 0o777;
    WholeFile::at(&at("requests"), Format::REQUESTS, false).unwrap().write("{}").unwrap();
    WholeFile::at(&at("record"), Format::RECORD, false).unwrap().write("{}").unwrap();
    WholeFile::at(&at("page"), Format::HTML, false).unwrap().write("<p>").unwrap();
    replace(&at("memory"), b"{}", Readers::Owner).unwrap();
    fs::write(at("usual"), "").unwrap();
    assert_eq!(["requests", "record", "memory"].map(mode), [0o600; 3]);
    assert_eq!(mode("page"), mode("usual"));
    // The mode of a file that exists is a choice of its owner.
    fs::set_permissions(at("memory"), fs::Permissions::from_mode(0o640)).unwrap();
    replace(&at("memory"), b"{}", Readers::Owner).unwrap();
    assert_eq!(mode("memory"), 0o640);
}
