//! Asking on the terminal whether calls and programs may run.

#[cfg(test)]
mod tests;

use std::io::{BufRead, IsTerminal, Write};
use std::sync::Arc;

use ptc_runner::agent::{Agent, Approval, Approver, Decision, OnDecision, PendingCall, PendingProgram};
use ptc_runner::config::ApproveSetting;
use ptc_runner::lisp::text::{escaped, escaped_lines};
use ptc_runner::lisp::{BoxFuture, Import, Value};
use serde_json::Value as Json;

use crate::output;

/// Who decides in this run, about its programs or about calls. None when nothing needs approval.
pub(super) fn chosen(
    answer: ApproveSetting,
    are_programs_asked: bool,
    agent: &Agent,
) -> Result<Option<Arc<dyn Approver>>, String> {
    let needed = if are_programs_asked { Some("programs need approval".to_owned()) } else { marked(agent) };
    needed.map_or(Ok(None), |what| who(answer, &what, agent))
}

/// The same for calls of an agent whose programs do not come from a model.
pub(crate) fn answered(answer: ApproveSetting, agent: &Agent) -> Result<Option<Arc<dyn Approver>>, String> {
    marked(agent).map_or(Ok(None), |what| who(answer, &what, agent))
}

/// The same where many runs are in progress at once, and nobody is asked.
pub(crate) fn given(answer: ApproveSetting, agent: &Agent) -> Result<Option<Arc<dyn Approver>>, String> {
    match (marked(agent), answer) {
        (Some(what), ApproveSetting::Ask) => {
            Err(format!("{what}, and a batch does not prompt; give --approve all or --approve none"))
        }
        _ => answered(answer, agent),
    }
}

fn who(answer: ApproveSetting, what: &str, agent: &Agent) -> Result<Option<Arc<dyn Approver>>, String> {
    match answer {
        ApproveSetting::All => Ok(Some(always(Decision::Approve))),
        ApproveSetting::None => Ok(Some(always(Decision::deny("nothing is approved in this run")))),
        ApproveSetting::Ask if std::io::stdin().is_terminal() && output::is_watched() => {
            Ok(Some(Arc::new(Terminal(agent.clone()))))
        }
        ApproveSetting::Ask => {
            Err(format!("{what}, and there is no terminal to ask on; say --approve all or --approve none"))
        }
    }
}

/// `tool 'pay' needs approval`, when there is such a tool, of the agent or of one that it calls.
fn marked(agent: &Agent) -> Option<String> {
    let names: Vec<String> = agent.marked_tools().iter().map(ToString::to_string).collect();
    match names.as_slice() {
        [] => None,
        [only] => Some(format!("tool {only} needs approval")),
        several => Some(format!("tools {} need approval", several.join(", "))),
    }
}

fn always(decision: Decision) -> Arc<dyn Approver> {
    Arc::new(move |waiting: &Approval| vec![decision.clone(); waiting.ids().len()])
}

/// The person at the terminal, about calls of this agent.
struct Terminal(Agent);

impl Approver for Terminal {
    fn decide<'a>(&'a self, waiting: &'a Approval) -> BoxFuture<'a, Vec<Decision>> {
        self.decide_each(waiting, &|_, _| ())
    }

    fn decide_each<'a>(&'a self, waiting: &'a Approval, decided: &'a OnDecision<'a>) -> BoxFuture<'a, Vec<Decision>> {
        let (agent, parts) = (self.0.clone(), waiting.one_by_one());
        let (answer, mut answers) = tokio::sync::mpsc::unbounded_channel();
        // A separate thread: when the run is interrupted, nothing waits for the line that it reads.
        std::thread::spawn(move || {
            for part in parts {
                let decisions = ask(&agent, &part, &mut std::io::stdin().lock(), &mut std::io::stderr());
                // The asker may be gone.
                if decisions.into_iter().any(|decision| answer.send(decision).is_err()) {
                    return;
                }
            }
        });
        Box::pin(async move {
            let mut decisions = Vec::new();
            while let Some(decision) = answers.recv().await {
                decided(decisions.len(), &decision);
                decisions.push(decision);
            }
            decisions
        })
    }
}

/// Ask about everything that waits in a run of this agent; what is not decided is denied.
pub(crate) fn ask(agent: &Agent, waiting: &Approval, input: &mut dyn BufRead, out: &mut dyn Write) -> Vec<Decision> {
    let unanswered = || Decision::deny("there was no answer");
    match waiting {
        Approval::Calls(calls) => {
            calls.iter().map(|call| about_call(agent, call, input, out).unwrap_or_else(|_| unanswered())).collect()
        }
        Approval::Program(program) => vec![about_program(program, input, out).unwrap_or_else(|_| unanswered())],
        _ => vec![unanswered(); waiting.ids().len()],
    }
}

fn about_call(
    agent: &Agent,
    waiting: &PendingCall,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> std::io::Result<Decision> {
    let call = &waiting.call;
    let args = call.args.to_json().map_err(|error| std::io::Error::other(error.message))?;
    writeln!(out, "{}", call_shown(&waiting.id, &waiting.path, &call.name, &args))?;
    loop {
        let line = question("[y]es, [n]o, or [e]dit the arguments? ", input, out)?;
        let text = match (decided(&line), word(&line)) {
            (Some(decision), _) => return Ok(decision),
            (None, ("e" | "edit", "")) => question("arguments as JSON: ", input, out)?,
            (None, ("e" | "edit", text)) => text.to_owned(),
            _ => {
                writeln!(out, "write y, n (a reason may follow), or e")?;
                continue;
            }
        };
        let fitting = arguments(&text)
            .and_then(|args| agent.takes(&waiting.path, &call.name, &args).map(|()| Decision::Edit(args)));
        match fitting {
            Ok(decision) => return Ok(decision),
            Err(problem) => writeln!(out, "{}", escaped(&problem))?,
        }
    }
}

/// A yes or a no, optionally followed by a reason.
fn decided(line: &str) -> Option<Decision> {
    match word(line) {
        ("y" | "yes", _) => Some(Decision::Approve),
        ("n" | "no", reason) => Some(Decision::deny(reason)),
        _ => None,
    }
}

/// The arguments of a call, from JSON.
pub(crate) fn arguments(text: &str) -> Result<Value, String> {
    match Import::counted().text(text) {
        Ok(args) if args.as_map().is_some() => Ok(args),
        Ok(other) => Err(format!("arguments are a map such as {{\"id\": 1}}, not a {}", other.kind())),
        Err(error) => Err(format!("this is not JSON: {error}")),
    }
}

fn about_program(waiting: &PendingProgram, input: &mut dyn BufRead, out: &mut dyn Write) -> std::io::Result<Decision> {
    writeln!(out, "{}", program_shown(&waiting.id, &waiting.path, &waiting.source))?;
    loop {
        match decided(&question("[y]es or [n]o? ", input, out)?) {
            Some(decision) => return Ok(decision),
            None => writeln!(out, "write y, or n (a reason may follow)")?,
        }
    }
}

/// The call with its arguments.
pub(crate) fn call_shown(id: &str, path: &[String], tool: &str, args: &Json) -> String {
    escaped(&format!("call {id}{} needs approval: {tool} {args}", of_agent(path))).into_owned()
}

/// The program whose calls wait, indented, so that no line of it looks like a question.
pub(crate) fn program_shown(id: &str, path: &[String], source: &str) -> String {
    let asked = format!("the program of turn {id}{} needs approval:", of_agent(path));
    let source = escaped_lines(source.trim_end());
    format!("{}\n  {}", escaped(&asked), source.replace('\n', "\n  "))
}

/// Which agent asks, when it is not the agent of the mission.
fn of_agent(path: &[String]) -> String {
    if path.is_empty() { String::new() } else { format!(" of agent '{}'", path.join("/")) }
}

/// One line of answer. Errors when there is none.
fn question(text: &str, input: &mut dyn BufRead, out: &mut dyn Write) -> std::io::Result<String> {
    write!(out, "{text}")?;
    out.flush()?;
    let mut line = String::new();
    match input.read_line(&mut line)? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(line),
    }
}

/// The first word at the start of the rest.
fn word(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (first, rest.trim())
}
