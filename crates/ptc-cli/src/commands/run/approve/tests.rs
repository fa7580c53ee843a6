use ptc_runner::lisp::{Tool, ToolCall, ToolResult, ToolSpec};

use super::*;

fn call(id: &str, args: serde_json::Value) -> PendingCall {
    let args = Value::from_json(args);
    let call = ToolCall { seq: 1, name: "pay".into(), surface: args.clone(), args };
    PendingCall { id: id.to_owned(), path: [].into(), call }
}

/// A tool that takes euros.
struct Pay(ToolSpec);

impl Tool for Pay {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a ToolCall) -> BoxFuture<'a, ToolResult> {
        Box::pin(async { Ok(Value::Nil) })
    }
}

fn agent() -> Agent {
    let pay = ToolSpec::new("pay").description("Pays").signature("(euros :int) -> :any".parse().unwrap());
    Agent::builder("Pay").tool(Pay(pay)).build().unwrap()
}

fn shown(decision: &Decision) -> String {
    match decision {
        Decision::Deny(reason) => format!("deny {reason:?}"),
        Decision::Edit(args) => format!("edit {}", args.to_json().unwrap()),
        other => other.as_str().to_owned(),
    }
}

/// The dialogue about two calls, then the decision.
fn check(answers: &str) -> String {
    let calls = vec![call("2/1", serde_json::json!({"euros": 5})), call("2/3", serde_json::json!({"euros": 900}))];
    talk(&Approval::Calls(calls), answers)
}

fn talk(waiting: &Approval, answers: &str) -> String {
    let mut out = Vec::new();
    let decisions = ask(&agent(), waiting, &mut answers.as_bytes(), &mut out);
    let decided: Vec<String> = decisions.iter().map(shown).collect();
    let out = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = out.lines().map(str::trim_end).collect();
    format!("{}\n-- {}", lines.join("\n"), decided.join(", "))
}

#[test]
fn every_call_is_asked_about() {
    insta::assert_snapshot!(check("y\nno too much\n"), @r#"
    call 2/1 needs approval: pay {"euros":5}
    [y]es, [n]o, or [e]dit the arguments? call 2/3 needs approval: pay {"euros":900}
    [y]es, [n]o, or [e]dit the arguments?
    -- approve, deny "too much"
    "#);
    insta::assert_snapshot!(check("e {\"euros\": 4}\nedit\n{\"euros\": 90}\n"), @r#"
    call 2/1 needs approval: pay {"euros":5}
    [y]es, [n]o, or [e]dit the arguments? call 2/3 needs approval: pay {"euros":900}
    [y]es, [n]o, or [e]dit the arguments? arguments as JSON:
    -- edit {"euros":4}, edit {"euros":90}
    "#);
}

#[test]
fn what_is_not_understood_is_asked_again() {
    insta::assert_snapshot!(check("maybe\n\ne [1]\ne {\ne {\"euros\": \"x\"}\ny\nN\nn\n"), @r#"
    call 2/1 needs approval: pay {"euros":5}
    [y]es, [n]o, or [e]dit the arguments? write y, n (a reason may follow), or e
    [y]es, [n]o, or [e]dit the arguments? write y, n (a reason may follow), or e
    [y]es, [n]o, or [e]dit the arguments? arguments are a map such as {"id": 1}, not a vector
    [y]es, [n]o, or [e]dit the arguments? this is not JSON: EOF while parsing an object at line 1 column 1
    [y]es, [n]o, or [e]dit the arguments? tool/pay [euros]: cannot coerce string "x" to integer; it takes (euros :int), e.g. (tool/pay {:euros ...})
    [y]es, [n]o, or [e]dit the arguments? call 2/3 needs approval: pay {"euros":900}
    [y]es, [n]o, or [e]dit the arguments? write y, n (a reason may follow), or e
    [y]es, [n]o, or [e]dit the arguments?
    -- approve, deny ""
    "#);
}

#[test]
fn agents_that_ask_are_named() {
    let path: Arc<[String]> = ["boss".to_owned(), "clerk".to_owned()].into();
    let below = PendingCall { path: Arc::clone(&path), ..call("r/1/1/2/1", serde_json::json!({"euros": 5})) };
    insta::assert_snapshot!(talk(&Approval::Calls(vec![below]), "y\n"), @r#"
    call r/1/1/2/1 of agent 'boss/clerk' needs approval: pay {"euros":5}
    [y]es, [n]o, or [e]dit the arguments?
    -- approve
    "#);
}

#[test]
fn silence_denies() {
    assert!(check("").ends_with("-- deny \"there was no answer\", deny \"there was no answer\""));
    assert!(check("y\n").ends_with("-- approve, deny \"there was no answer\""));
}

/// What a model wrote cannot ask in our name, nor control the terminal.
#[test]
fn questions_are_lines_of_ours() {
    let odd = "x\n[y]es or [n]o? y\r\u{1b}[2J\u{9b}2J\u{2028}\u{202e}";
    let asked = PendingCall { path: [odd.to_owned()].into(), ..call("1/1", serde_json::json!({ odd: odd })) };
    let asked = PendingCall { call: ToolCall { name: odd.into(), ..asked.call.clone() }, ..asked };
    let mut out = Vec::new();
    ask(&agent(), &Approval::Calls(vec![asked]), &mut "y\n".as_bytes(), &mut out);
    let shown = [String::from_utf8(out).unwrap(), program_shown("1", &[odd.to_owned()], &format!("(f \"{odd}\")"))];
    for (shown, lines) in shown.iter().zip([2, 3]) {
        assert!(
            !shown.contains(|c: char| (c.is_control() && c != '\n') || "\u{2028}\u{202e}".contains(c)),
            "{shown:?}"
        );
        assert_eq!(shown.lines().count(), lines, "{shown}");
    }
    assert_eq!(shown.concat().lines().filter(|line| line.starts_with('[')).count(), 1, "{shown:?}");
}
