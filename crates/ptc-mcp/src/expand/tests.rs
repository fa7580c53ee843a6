use std::ffi::OsString;
use std::path::Path;

use proptest::prelude::*;
use ptc_chat::AddressSecrets;

use super::*;

/// Two variables are set, one of them to nothing.
fn variable(name: &str) -> Option<OsString> {
    match name {
        "KEY" => Some("s3cret-value".into()),
        "EMPTY" => Some("".into()),
        "HOME" | "USERPROFILE" => Some("/users/ada".into()),
        "DB" => Some("postgres://me:hidden-password@db/x".into()),
        _ => None,
    }
}

fn expander(folder: &Path) -> Expander<'_> {
    Expander { folder, variable: &variable, secrets: AddressSecrets::default() }
}

fn expanded(text: &str) -> String {
    let folder = Path::new(if cfg!(windows) { r"C:\srv\shop" } else { "/srv/shop" });
    expander(folder).text(text).unwrap_or_else(|error| error.to_string())
}

#[test]
fn references_are_those_of_the_clients() {
    assert_eq!(expanded("Bearer ${KEY}"), "Bearer s3cret-value");
    assert_eq!(expanded("${env:KEY}/${KEY}"), "s3cret-value/s3cret-value");
    assert_eq!(expanded("${NONE:-http://h}${EMPTY:-x}${EMPTY}${NONE:-}"), "http://hx");
    assert_eq!(expanded("$KEY $ {KEY} $$ 5$"), "$KEY $ {KEY} $$ 5$");
    assert_eq!(expanded("$${KEY} $$${KEY}"), "${KEY} $${KEY}");
    assert_eq!(expanded("${userHome}/${workspaceFolderBasename}"), "/users/ada/shop");
    assert!(expanded("${workspaceFolder}").ends_with("shop"));
    assert_eq!(
        expanded("${NONE}"),
        "`${NONE}` is not set: set the environment variable `NONE`, or write a default, `${NONE:-…}`"
    );
    assert_eq!(expanded("a ${KEY"), "a `${` is not closed by `}`; write `$${` for the text `${`");
    for odd in ["", "1A", "A B", "A:-${B", "A:+b", "A%b", "A:b", "config:x", "file:"] {
        assert!(expanded(&format!("${{{odd}}}")).starts_with(&format!("`${{{odd}}}` is not known; write")), "{odd}");
    }
}

#[test]
fn files_are_parts_of_texts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("token"), "word of the day\n").unwrap();
    std::fs::write(folder.path().join("binary"), [0xff, 0xfe]).unwrap();
    std::fs::write(folder.path().join("large"), vec![b'x'; MAX_SECRET as usize + 1]).unwrap();
    let mut reader = expander(folder.path());
    assert_eq!(reader.text("<${file:token}>").unwrap(), "<word of the day>");
    assert_eq!(reader.secrets.hidden_in("it said: word of the day"), "it said: [hidden]");
    for name in ["binary", "large", "missing"] {
        let error = reader.text(&format!("${{file:{name}}}")).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the file `{name}` cannot be read: ")), "{error}");
    }
}

#[test]
fn what_was_read_is_hidden_unless_it_is_known_to_be_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let mut reader = expander(folder.path());
    reader.text("${KEY} ${DB} ${HOME}").unwrap();
    reader.keep(&folder.path().display().to_string());
    let told = format!("s3cret-value hidden-password /users/ada {}", folder.path().display());
    assert_eq!(reader.secrets.hidden_in(&told), format!("[hidden] [hidden] /users/ada {}", folder.path().display()));
}

/// A piece of a text, what it becomes, and the secret in it.
fn piece() -> impl Strategy<Value = (String, String)> {
    prop_oneof![
        "[a-z $}:-]{0,6}".prop_map(|text| {
            // What ends in `$` would escape a reference after it.
            let text = text.trim_end_matches('$').to_owned();
            (text.clone(), text)
        }),
        Just(("${KEY}".to_owned(), "s3cret-value".to_owned())),
        Just(("${env:KEY:-x}".to_owned(), "s3cret-value".to_owned())),
        Just(("$${".to_owned(), "${".to_owned())),
        "[a-z ]{0,6}".prop_map(|default| (format!("${{NONE:-{default}}}"), default)),
    ]
}

proptest! {
    /// Each reference is replaced where it is, whatever is around it; and no text shows what it stands for.
    #[test]
    fn a_text_is_the_sum_of_its_pieces(pieces in prop::collection::vec(piece(), 0..8)) {
        let written: String = pieces.iter().map(|(written, _)| written.as_str()).collect();
        let meant: String = pieces.iter().map(|(_, meant)| meant.as_str()).collect();
        prop_assert!(check_references(&written).is_ok());
        let mut reader = expander(Path::new("."));
        prop_assert_eq!(reader.text(&written).unwrap(), meant.clone());
        prop_assert!(!reader.secrets.hidden_in(&meant).contains("s3cret"));
    }

    /// Any text can be written so that it is meant as it is.
    #[test]
    fn any_text_can_be_escaped(text in "[a$\\{}:-]{0,12}") {
        prop_assert_eq!(expander(Path::new(".")).text(&text.replace("${", "$${")).unwrap(), text);
    }
}
