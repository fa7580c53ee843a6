//! How times, arguments of calls and words of proposed commands are written for people.

use std::fmt::Write as _;
use std::time::Duration;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use ptc_runner::lisp::Value;
use ptc_runner::lisp::text::{escaped, nearest};

/// `0.3 ms`, `80 ms`, `1.2 s`, `2 min 5 s`
pub(crate) fn duration(time: Duration) -> String {
    match (time.as_secs(), time.as_millis()) {
        (0, ms @ 0..10) => format!("{ms}.{} ms", time.as_micros() % 1_000 / 100),
        (0, ms) => format!("{ms} ms"),
        (seconds @ 1..60, _) => format!("{seconds}.{} s", time.subsec_millis() / 100),
        (seconds, _) => format!("{} min {} s", seconds / 60, seconds % 60),
    }
}

/// Arguments as programs write them: `{:nights 2}`.
pub(crate) fn named(args: &Value) -> Value {
    let Some(map) = args.as_map() else { return args.clone() };
    let keyword = |key: &Value| key.as_str().map_or_else(|| key.clone(), Value::keyword);
    Value::map_from(map.iter().map(|(key, value)| (keyword(key), value.clone())))
}

/// The text as one word of a shell. Unprintable characters are written as bash and zsh read them: `$'a\nb'`.
pub(crate) fn shell(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@+%#".contains(c);
    if !text.is_empty() && !text.starts_with('#') && text.chars().all(is_plain) {
        return text.to_owned();
    }
    if escaped(text) == text {
        return format!("'{}'", text.replace('\'', r"'\''"));
    }
    let mut word = String::from("$'");
    for c in text.chars() {
        match c {
            '\'' | '\\' => word.extend(['\\', c]),
            '\n' => word.push_str("\\n"),
            c if escaped(c.encode_utf8(&mut [0; 4])) != *c.encode_utf8(&mut [0; 4]) => {
                // Writing to a string cannot fail.
                let _ = write!(word, "\\U{:08x}", u32::from(c));
            }
            c => word.push(c),
        }
    }
    word + "'"
}

/// Options that other programs have, by command, and what says the same here.
const ELSEWHERE: [(&str, &str, &str); 26] = [
    ("run", "--journal", "the record of a run is its journal: `--record FILE`"),
    ("run", "--trace", "the record of a run has what happened: `--record FILE`, then `ptc show FILE --events`"),
    ("run", "--typed", "the record of a run has all its values: `--record FILE`, then `ptc show FILE`"),
    ("mission", "--trace", "the record of a run has what happened: `--record FILE`, then `ptc show FILE --events`"),
    ("mission", "--typed", "the record of a run has all its values: `--record FILE`, then `ptc show FILE`"),
    ("run", "--model", "the model is named with `--llm PROVIDER:MODEL`"),
    ("run", "--provider", "the model is named with `--llm PROVIDER:MODEL`"),
    ("run", "--temperature", "write `model_options = { temperature = 0 }` in the mission file"),
    ("run", "--max-tokens", "write `model_options = { max_output_tokens = N }` in the mission file"),
    ("run", "--system", "write `system_prompt = { prefix = \"…\" }` in the mission file"),
    ("run", "--system-prompt", "write `system_prompt = { prefix = \"…\" }` in the mission file"),
    ("run", "--api-key", "keys of models are variables of the environment, such as OPENAI_API_KEY"),
    ("run", "--config", "the variable PTC_CONFIG names a file of settings; `ptc config` shows those that hold"),
    ("run", "--dry-run", "`--preview` shows the first request and asks no model"),
    ("run", "--format", "`--output FORMAT` prints the answer as CSV, JSON or Markdown, `--out FILE` writes it"),
    ("replay", "--price-list", "`--prices FILE` names a list; `--prices FILE --prices NAME` also a model of it"),
    ("run", "--verbose", "`--stream` shows what the model writes, `ptc show` the run afterwards"),
    ("run", "--input", "`--set KEY=VALUE` gives one entry of the data"),
    ("run", "--each", "`ptc batch MISSION --each FILE` runs a mission for each row of a file"),
    ("run", "--jobs", "`ptc batch MISSION --each FILE --jobs N` runs a mission for each row of a file"),
    ("batch", "--budget", "`--max-usd USD` and `--max-tokens N` are its limits"),
    ("batch", "--max-cost", "`--max-usd USD` and `--max-tokens N` are its limits"),
    ("batch", "--csv", "`--out FILE.csv` writes the results as a table"),
    ("batch", "--input", "`--each FILE` names the rows"),
    ("eval", "--set", "`--data NAME=FILE` gives data to a program"),
    ("check", "--llm", "a check asks no model; `ptc run MISSION --preview` shows the first request"),
];

/// Commands of other tools, and what does it here.
const COMMANDS: [(&str, &str); 8] = [
    ("format", "`ptc fmt` formats programs"),
    ("lint", "`ptc check` finds mistakes in programs and missions"),
    ("list", "`ptc runs` lists the runs of this folder, `ptc mcp list` the servers of a gateway"),
    ("logs", "`ptc show` shows a run"),
    ("new", "`ptc init NAME` writes a mission"),
    ("serve", "`ptc mcp FILE` serves programs over the tools of MCP servers, `ptc view` shows runs in a browser"),
    ("trace", "`ptc show` shows runs"),
    ("version", "`ptc --version` prints it"),
];

/// Commands that a build may leave out, the feature that has them, and whether this build has it.
const PARTS: [(&str, &str, bool); 9] = [
    ("batch", "evaluation", cfg!(feature = "evaluation")),
    ("compare", "evaluation", cfg!(feature = "evaluation")),
    ("eval-suite", "evaluation", cfg!(feature = "evaluation")),
    ("mcp", "gateway", cfg!(feature = "gateway")),
    ("mission", "engine", cfg!(feature = "engine")),
    ("repl", "repl", cfg!(feature = "repl")),
    ("replay", "tokens", cfg!(feature = "tokens")),
    ("view", "view", cfg!(feature = "view")),
    ("worker", "engine", cfg!(feature = "engine")),
];

/// The feature of a command that this build has left out.
fn part_left_out(command: &str) -> Option<&'static str> {
    let (_, part, _) = PARTS.iter().find(|(name, _, is_there)| !is_there && *name == command)?;
    Some(part)
}

/// Say what to write instead of an option, or of a command that is not one of `all`. Only what is known is proposed: an option
/// with similar letters may do something else.
pub(crate) fn advise(error: &mut clap::Error, all: &clap::Command) {
    let text = |error: &clap::Error, kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    };
    let left_out = text(error, ContextKind::InvalidSubcommand).and_then(|command| part_left_out(&command));
    let given: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let instead = match error.kind() {
        ErrorKind::UnknownArgument => {
            error.remove(ContextKind::Suggested);
            let option = text(error, ContextKind::InvalidArg).unwrap_or_default();
            let option = option.split(['=', ' ']).next().unwrap_or_default().to_owned();
            let is_known =
                |row: &&(&str, &str, &str)| given.first().is_some_and(|given| given == row.0) && row.1 == option;
            let known = ELSEWHERE.iter().find(is_known).map(|(.., instead)| (*instead).to_owned());
            if known.is_some() || text(error, ContextKind::SuggestedArg).is_some_and(|near| near == "--force") {
                error.remove(ContextKind::SuggestedArg);
            }
            known
        }
        ErrorKind::InvalidSubcommand if left_out.is_some() => {
            error.remove(ContextKind::SuggestedSubcommand);
            let part = left_out.unwrap_or_default();
            Some(format!("this `ptc` was built without it: `--features {part}` has it, `--features full` everything"))
        }
        ErrorKind::InvalidSubcommand => {
            let wanted = text(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            let has_it = |command: &&clap::Command| command.get_subcommands().any(|part| part.get_name() == wanted);
            let parts =
                all.get_subcommands().filter(has_it).map(|command| format!("`ptc {} {wanted}`", command.get_name()));
            let parts: Vec<String> = parts.collect();
            if let Some((_, instead)) = COMMANDS.iter().find(|(command, _)| *command == wanted) {
                error.remove(ContextKind::SuggestedSubcommand);
                Some((*instead).to_owned())
            } else if parts.is_empty() && error.get(ContextKind::SuggestedSubcommand).is_some() {
                None
            } else if parts.is_empty() {
                let near = nearest(&wanted, all.get_subcommands().map(clap::Command::get_name));
                near.map(|near| format!("a similar command is `{near}`"))
            } else {
                error.remove(ContextKind::SuggestedSubcommand);
                Some(format!("write {}", parts.join(" or ")))
            }
        }
        _ => None,
    };
    if let Some(instead) = instead {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![instead.into()]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Proposed commands are pasted: bash must read each word as what it was.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_shell_reads_a_word_as_it_was() {
        let attacks = crate::output::tests::attacks();
        let plain =
            ["m.toml", "", "#1", "it's", "a b", "~/x", "$HOME", "*", "a\\nb", "--set=x", "http://127.0.0.1:1/v1#q"];
        for text in attacks.iter().map(String::as_str).chain(plain) {
            let text = text.replace('\0', "");
            let word = shell(&text);
            assert!(escaped(&word) == word, "{word:?}");
            let script = format!("printf %s {word}");
            let output =
                std::process::Command::new("bash").env("LC_ALL", "C.UTF-8").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), text, "{word}");
        }
    }

    #[test]
    fn durations_are_short() {
        let all = [0.31, 8.0, 80.7, 999.0, 1_250.0, 59_990.0, 125_000.0]
            .map(|ms| duration(Duration::from_secs_f64(ms / 1_000.0)));
        assert_eq!(all, ["0.3 ms", "8.0 ms", "80 ms", "999 ms", "1.2 s", "59.9 s", "2 min 5 s"]);
    }
}
