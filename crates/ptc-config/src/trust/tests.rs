use super::*;

#[test]
fn a_file_is_trusted_at_its_place_as_long_as_it_does_not_change() {
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("mcp.json"), folder.path().join("copy.json"));
    std::fs::write(&file, "{}").unwrap();
    std::fs::write(&other, "{}").unwrap();
    let trusted = TrustedFiles::listed_in(folder.path().join("state").join("trusted"));
    assert!(!trusted.knows(&file, "{}"));
    trusted.add(&file, "{}").unwrap();
    trusted.add(&file, "{}").unwrap();
    assert!(trusted.knows(&file, "{}"));
    // The same place by another name.
    assert!(trusted.knows(folder.path().join("state").join("..").join("mcp.json"), "{}"));
    assert!(!trusted.knows(&file, "{} "), "another text");
    assert!(!trusted.knows(&other, "{}"), "another place");
    assert!(!trusted.knows(folder.path().join("gone.json"), "{}"));
    let list = std::fs::read_to_string(folder.path().join("state").join("trusted")).unwrap();
    assert_eq!((list.lines().count(), list.trim_end().ends_with("mcp.json")), (1, true), "{list}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = folder.path().join("state").join("trusted").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}
