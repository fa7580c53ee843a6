//! What people are asked before a call: its arguments are whatever a program made them.

use super::*;
use crate::Gateway;

const TOOLS: &str = r#"
[tools.note]
signature = "(text :any) -> :any"
command = ["cat"]
"#;

/// What people read when a program calls `note` with this text, as a value and as a key; then the call is denied.
async fn shown(gateway: &Gateway, text: &str) -> String {
    let text = json!(text);
    let mut running = begun(gateway, &format!("(tool/note {{:text {{{text} [{text}]}}}})"), None);
    let question = asked(&mut running).await;
    running.answer(&question.waiting.fingerprint, answer(Choice::Deny("no".to_owned()))).await;
    ended(running).await;
    question.waiting.text.clone()
}

#[tokio::test]
async fn no_argument_adds_to_what_people_are_asked() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), TOOLS).await;
    let plain = shown(&gateway, "plain").await;
    assert!(plain.contains("  tool/note {\"text\": {\"plain\":[\"plain\"]}}"), "{plain}");
    let corpus = include_str!("../../../../../tests/attacks/attacks.jsonl");
    for attack in corpus.lines() {
        let attack: Json = serde_json::from_str(attack).unwrap();
        let asked = shown(&gateway, attack["text"].as_str().unwrap()).await;
        assert_eq!(asked.lines().count(), plain.lines().count(), "{attack}: {asked}");
        assert_eq!(ptc_lisp::text::escaped_lines(&asked), asked, "{attack}");
    }
}
