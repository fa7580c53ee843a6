//! Answers by shape: what is read of each.

use ptc_chat::{Reply, StopReason, ToolUse};

use super::super::{ExtractError, program_of};

const ANSWERS: &str = include_str!("answers.txt");

/// An entry: its name, the reply, and what is expected of it.
struct Entry<'a> {
    name: &'a str,
    reply: Reply,
    program: Option<&'a str>,
    error: Option<&'a str>,
}

fn entry(text: &str) -> Entry<'_> {
    let (name, rest) = text.split_once('\n').unwrap();
    let mut parts = rest.split("\n--- ");
    let mut entry = Entry { name, reply: Reply::text(parts.next().unwrap()), program: None, error: None };
    for part in parts {
        let (key, value) = part.split_once('\n').unwrap();
        match key {
            "program" => entry.program = Some(value.trim_end()),
            "error" => entry.error = Some(value.trim_end()),
            "reasoning" => entry.reply.reasoning = Some(value.to_owned()),
            "stop" => entry.reply.stop = StopReason::from(value.to_owned()),
            "call" => {
                let (tool, args) = value.split_once(' ').unwrap();
                let id = format!("c{}", entry.reply.tool_calls.len());
                entry.reply.tool_calls.push(ToolUse::new(&id, tool, serde_json::from_str(args).unwrap()));
            }
            other => unreachable!("{name}: {other}"),
        }
    }
    entry
}

/// An error in the words of the file.
fn shown(error: &ExtractError) -> String {
    match error {
        ExtractError::NoCode => "NOCODE".to_owned(),
        ExtractError::Empty => "EMPTY".to_owned(),
        ExtractError::OnlyThoughts => "ONLY".to_owned(),
        ExtractError::Undecoded(place) => format!("LOST {place}"),
        ExtractError::Multiple(count) => format!("MULTI {count}"),
        ExtractError::OtherLanguage(language) => format!("LANG {language}"),
        ExtractError::ProgramInCall(tool) => format!("INCALL {tool}"),
        ExtractError::NativeCalls { tools, programs } => format!("CALLS {} {}", tools.join(","), programs.join(" ")),
    }
}

#[test]
fn every_shape_of_an_answer_is_read() {
    let entries: Vec<Entry<'_>> = ANSWERS.split("\n=== ").skip(1).map(entry).collect();
    assert!(entries.len() >= 200, "{} entries", entries.len());
    let mut wrong = Vec::new();
    for entry in &entries {
        let expected = entry.program.or(entry.error).unwrap();
        let got = program_of(&entry.reply);
        let got = match (&got, entry.program) {
            (Ok(program), Some(_)) => program.clone(),
            (Err(error), None) => shown(error),
            (Ok(program), None) => format!("the program {program}"),
            (Err(error), Some(_)) => format!("the error {}", shown(error)),
        };
        if got != expected {
            wrong.push(format!("{}: expected {expected:?}, got {got:?}", entry.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), entries.len(), wrong.join("\n"));
}

/// Line ends of other systems change nothing.
#[test]
fn line_ends_do_not_matter() {
    for entry in ANSWERS.split("\n=== ").skip(1).map(entry) {
        let other = Reply { content: entry.reply.content.replace('\n', "\r\n"), ..entry.reply.clone() };
        assert_eq!(program_of(&other), program_of(&entry.reply), "{}", entry.name);
    }
}
