use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;

/// The message about the command `./NAME` with this file, or `fine`.
fn check(name: &str, bytes: &[u8], mode: u32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, bytes).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    let told = find_executable(&format!("./{name}"), folder.path()).err().unwrap_or_else(|| "fine".to_owned());
    told.replace(&folder.path().display().to_string(), "FOLDER")
}

#[test]
fn what_cannot_be_started_says_what_to_do() {
    let begins = |first: &str| check("a.py", format!("{first}\nprint(5)\n").as_bytes(), 0o755);
    insta::assert_snapshot!(check("a.py", b"#!/bin/sh\n", 0o644), @r#"`./a.py` is not executable: run `chmod +x FOLDER/a.py`, or write command = ["python3", "./a.py"]"#);
    insta::assert_snapshot!(begins("#!/usr/bin/pythn"), @"the first line of `./a.py` names `/usr/bin/pythn`, which is not there: install it, or name another one");
    insta::assert_snapshot!(begins("#!/usr/bin/env -S pythn -u"), @"the first line of `./a.py` names `pythn`, which is not there: install it, or name another one");
    insta::assert_snapshot!(begins("#!/bin/sh\r"), @"`./a.py` has Windows line endings, so its interpreter is not found: save it with those of Unix");
    insta::assert_snapshot!(begins("import json"), @r#"`./a.py` is a text that does not say what runs it: begin the file with a line such as `#!/usr/bin/env python3`, or write command = ["python3", "./a.py"]"#);
    insta::assert_snapshot!(check("tool", b"", 0o755), @"`./tool` is a text that does not say what runs it: begin the file with a line such as `#!/bin/sh`");
    assert_eq!(begins("#!/bin/sh -e"), "fine");
    assert_eq!(begins("#! /usr/bin/env -S A=1 sh"), "fine");
    assert_eq!(check("tool", b"\x7fELF\x02\x01\x01\0", 0o755), "fine");
}

#[test]
fn a_file_beside_the_mission_needs_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a-course.py"), "#!/bin/sh\n").unwrap();
    let told = find_executable("a-course.py", folder.path()).unwrap_err();
    insta::assert_snapshot!(told, @"there is no command `a-course.py` on the search path; write `./a-course.py` for the file next to the mission");
}
