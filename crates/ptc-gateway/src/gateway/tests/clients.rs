//! What clients have where rules name them.

use super::*;
use crate::{Client, Gateway};

/// `look` is for `ci` and for editors, `pay` for editors only.
const RULES: &str = r#"
[policy.ci-looks]
decide = "allow"
client = "ci"
tool = "look"

[policy.ci-no-more]
decide = "deny"
client = "ci"

[policy.editors-pay]
decide = "allow"
client = "*-editor"
tool = "pay"
"#;

fn tools_of(gateway: &Gateway, client: &Client) -> Vec<String> {
    gateway.tools_of(client).unwrap().iter().map(|reach| format!("{} {}", reach.tool, reach.ruling())).collect()
}

#[tokio::test]
async fn clients_have_the_tools_that_rules_leave_them() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), RULES).await;
    let (ci, editor, anyone) = (Client::named("ci"), Client::named("an-editor"), Client::unchecked("an-editor"));
    assert_eq!(tools_of(&gateway, &ci), ["look allow", "pay deny", "wait deny", "wipe deny"]);
    assert_eq!(tools_of(&gateway, &editor), ["look allow", "pay allow", "wait allow", "wipe deny"]);
    // One that only says its name gets what is denied to any client, and nothing that is allowed to some.
    assert_eq!(tools_of(&gateway, &anyone), ["look deny", "pay deny", "wait deny", "wipe deny"]);
    let of_all: Vec<String> =
        gateway.tools().iter().map(|reach| format!("{} {}", reach.tool, reach.ruling())).collect();
    assert_eq!(
        of_all,
        ["look allow or deny, by client", "pay allow or deny, by client", "wait allow or deny, by client", "wipe deny"]
    );

    // What is denied is not in lists, is not found, and is unknown in programs.
    let has = |client: &Client| {
        let live = gateway.live_for(client).unwrap();
        let found = gateway.search(&live, "pay look");
        (
            gateway.tools_text(&live).contains("tool/pay"),
            found.to_string().contains("tool/pay"),
            gateway.describe(&live, &["pay".to_owned()]),
        )
    };
    let (listed, found, described) = has(&ci);
    assert!(!listed && !found && described["tools"][0]["error"] == "policy `ci-no-more` denies it", "{described}");
    let (listed, found, described) = has(&editor);
    assert!(listed && found && described["tools"][0]["policy"] == "allow", "{described}");

    let pay = |client: &Client, session: Option<&str>| {
        request("(defn buy [] (tool/pay {:n 1})) (buy)", session).client(client.clone())
    };
    let said = ended(gateway.run(&pay(&editor, None)).unwrap()).await;
    assert_eq!((said["value"].as_u64(), paid(folder.path()).len()), (Some(1), 1), "{said}");
    for request in [pay(&ci, None), pay(&anyone, None)] {
        let refusal = gateway.run(&request).map(drop).unwrap_err().0.to_string();
        assert!(refusal.contains(" denies tool/pay"), "{refusal}");
        assert_eq!(gateway.check(&request).unwrap_err().0.to_string(), refusal);
    }
    // A function that another client defined has no more rights than the client that calls it.
    let session = said["session"].as_str().unwrap();
    let again = request("(buy)", Some(session)).client(ci).again();
    let refusal = gateway.run(&again).map(drop).unwrap_err().0.to_string();
    assert!(refusal.contains("definition `buy` cannot be used now"), "{refusal}");
    assert_eq!(paid(folder.path()).len(), 1);
    // What was tried is on record.
    let denied = |line: &&Json| line["event"] == "rejected" && line["denied"] == json!(["pay"]);
    assert_eq!(audit(folder.path()).iter().filter(denied).count(), 2);
}

#[test]
fn another_client_does_not_resume_with_tools_that_it_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let session = interrupted(folder.path(), "[(tool/pay {:n 1}) (tool/pay {:n 2})]");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let rule = "[policy.ci]\ndecide = \"deny\"\nclient = \"ci\"\ntool = \"pay\"\n";
        let gateway = gateway(folder.path(), rule).await;
        let resume = |client: &str| gateway.run(&Request::go_on(&session).client(Client::named(client)));
        let refusal = resume("ci").map(drop).unwrap_err().0.to_string();
        assert!(refusal.contains(" denies tool/pay"), "{refusal}");
        let mut running = resume("ann").unwrap();
        let question = asked(&mut running).await;
        running.answer(&question.waiting.fingerprint, answer(Choice::Approve)).await;
        assert_eq!(ended(running).await["value"], json!([1, 1]));
        assert_eq!(paid(folder.path()).len(), 2);
    });
}

#[tokio::test]
async fn rules_about_clients_that_nobody_is_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path(), RULES).await;
    assert_eq!(gateway.rules_about_none_of(&["ci", "my-editor"]), Vec::<String>::new());
    assert_eq!(gateway.rules_about_none_of(&["cl"]), ["ci-looks", "ci-no-more", "editors-pay"]);
}
