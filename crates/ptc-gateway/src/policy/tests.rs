// Their roots are those of Unix.
#[cfg(unix)]
mod guide;
#[cfg(unix)]
mod spellings;

use proptest::prelude::*;
use ptc_config::Document;
use ptc_lisp::ToolSpec;
use ptc_mcp::ServerTool;
use serde_json::json;

use super::*;

fn policy(text: &str) -> Policy {
    let document = Document::new("g.toml", text);
    let parsed = document.parse().unwrap();
    document.section(&parsed).get("policy").map_or_else(Policy::default, |item| Policy::read(item).unwrap())
}

fn refused(text: &str) -> String {
    let document = Document::new("g.toml", text);
    let parsed = document.parse().unwrap();
    Policy::read(document.section(&parsed).get("policy").unwrap()).unwrap_err().to_string()
}

fn offer(server: &str, tool: &str, read_only: bool) -> OfferedTool {
    let spec = ToolSpec::new(format!("{server}-{tool}"));
    let mut offer = OfferedTool::new(ServerTool::without_server(&spec), &spec);
    (offer.said.server, offer.said.tool) = (server.to_owned(), tool.to_owned());
    (offer.said.read_only, offer.said.destructive) = (read_only, !read_only);
    offer
}

#[test]
fn mistakes_say_where_and_what_instead() {
    assert_eq!(
        refused("[policy.a]\ntool = \"x\"\n"),
        "g.toml:1:1: a rule needs `decide`: \"allow\", \"ask\" or \"deny\""
    );
    assert_eq!(refused("[policy.a]\ndecide = \"forbid\"\n"), "g.toml:2:10: unknown decision forbid (allow, ask, deny)");
    assert_eq!(
        refused("[policy.a]\ndecide = \"ask\"\ntools = \"x\"\n"),
        "g.toml:3:1: unknown key `tools` in policy `a`; use `tool`"
    );
    assert_eq!(
        refused("[policy.a]\ndecide = \"ask\"\nannotation = \"safe\"\n"),
        "g.toml:3:14: unknown annotation safe (read_only, destructive, idempotent, open_world)"
    );
    assert_eq!(
        refused("[policy.a]\ndecide = \"ask\"\nargs = { n = 3 }\n"),
        "g.toml:3:14: the pattern of an argument must be text; `*` stands for anything (got 3)"
    );
}

#[test]
fn the_first_rule_that_fits_decides() {
    let policy = policy(
        "[policy.private]\ndecide = \"deny\"\nargs = { path = \"/srv/private/*\" }\n\
         [policy.files]\ndecide = \"allow\"\nserver = \"files\"\n\
         [policy.destroys]\ndecide = \"deny\"\nannotation = \"destructive\"\n",
    );
    let verdict = |offer: &OfferedTool, args: Json| policy.verdict(offer, &args).ruling;
    let (read, write) = (offer("files", "read", true), offer("files", "write", false));
    assert_eq!(verdict(&read, json!({"path": "/srv/private/a\nb"})), PolicyAction::Deny);
    assert_eq!(verdict(&write, json!({"path": "/srv/public"})), PolicyAction::Allow);
    assert_eq!(verdict(&offer("mail", "send", false), json!({})), PolicyAction::Deny);
    assert_eq!(verdict(&offer("mail", "list", true), json!({})), PolicyAction::Allow);
    assert_eq!(
        policy.standing(&write),
        PolicyRange { least: PolicyAction::Allow, most: PolicyAction::Deny, by_client: false }
    );
    assert_eq!(
        policy.standing(&offer("mail", "send", false)),
        PolicyRange { least: PolicyAction::Deny, most: PolicyAction::Deny, by_client: false }
    );
    // Without a matching rule: what reads is allowed, what writes is asked about.
    assert_eq!(Policy::default().verdict(&write, &json!({})), PolicyDecision { ruling: PolicyAction::Ask, rule: None });
}

/// What is left of a policy for a client.
fn of(policy: &Policy, client: Option<&str>) -> Policy {
    policy.holding(client).map_or_else(|| policy.clone(), |holding| policy.of(&holding))
}

fn rules() -> impl Strategy<Value = String> {
    let form = || prop::sample::select(vec!["", "a", "b", "*", "a*", "*b"]);
    let decide = prop::sample::select(vec!["allow", "ask", "deny"]);
    let annotation = prop::sample::select(vec!["", "read_only", "destructive"]);
    let rule = (decide, form(), form(), form(), annotation, form());
    let rule = rule.prop_map(|(decide, client, server, tool, annotation, arg)| {
        let mut text = format!("decide = \"{decide}\"\n");
        for (key, value) in [("client", client), ("server", server), ("tool", tool), ("annotation", annotation)] {
            if !value.is_empty() {
                text.push_str(&format!("{key} = \"{value}\"\n"));
            }
        }
        if !arg.is_empty() {
            text.push_str(&format!("args = {{ x = \"{arg}\" }}\n"));
        }
        text
    });
    prop::collection::vec(rule, 0..5)
        .prop_map(|rules| rules.iter().enumerate().map(|(at, rule)| format!("[policy.r{at}]\n{rule}")).collect())
}

proptest! {
    /// What is shown before anything runs holds for every call.
    #[test]
    fn a_verdict_is_within_the_standing(
        text in rules(), server in "[ab]{1,2}", tool in "[ab]{1,2}", reads: bool, asks: bool,
        client in prop::option::of("[ab]"), arg in prop::option::of("[ab]{0,3}"),
    ) {
        let (all, mut offer) = (policy(&text), offer(&server, &tool, reads));
        offer.spec.approve = asks;
        let args = arg.map_or_else(|| json!({}), |arg| json!({"x": arg}));
        let policy = of(&all, client.as_deref());
        let (standing, verdict) = (policy.standing(&offer), policy.verdict(&offer, &args));
        prop_assert!((standing.least..=standing.most).contains(&verdict.ruling), "{text}: {standing:?} {verdict:?}");
        prop_assert!(!asks || standing.least >= PolicyAction::Ask, "{text}: {standing:?}");
        // The owner sees what any client may have.
        let any = all.standing(&offer);
        prop_assert!(any.least <= standing.least && standing.most <= any.most, "{text}: {any:?} {standing:?}");
        prop_assert!(any.by_client || !text.contains("client") || (any.least, any.most) == (standing.least, standing.most));
        prop_assert!(!standing.by_client);
    }

    /// One that could be any client has at most what each of them has.
    #[test]
    fn a_client_without_a_name_has_no_more_than_any_other(
        text in rules(), reads: bool, name in "[abc]", arg in prop::option::of("[ab]{0,3}"),
    ) {
        let (all, offer) = (policy(&text), offer("a", "b", reads));
        let args = arg.map_or_else(|| json!({}), |arg| json!({"x": arg}));
        let (unknown, known) = (of(&all, None), of(&all, Some(&name)));
        let verdict = |policy: &Policy| policy.verdict(&offer, &args).ruling;
        prop_assert!(verdict(&unknown) >= verdict(&known), "{text}");
        prop_assert!(verdict(&all) >= verdict(&known), "{text}");
    }
}
