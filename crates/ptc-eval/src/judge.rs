//! Judges: tools that say whether an answer is right.

mod check;
#[cfg(test)]
mod tests;

use std::fmt;

use ptc_agent::{CancellationToken, Context, LlmRegistry, ProgramSession};
use ptc_config::MissionFile;
use ptc_lisp::signature::Signature;
use ptc_lisp::text::shortened;
use ptc_lisp::values::key_name;
use ptc_lisp::{Value, problems_text};
use ptc_transcript::{ValueForm, json_of};
use serde_json::{Map, Value as Json, json};

use crate::constraint::quoted;

pub(crate) use check::hears_expected;
pub use check::{JudgeCheck, Swapped, judges_table};

/// Characters of a problem that a judge reports.
const MAX_PROBLEM: usize = 1_000;

/// Who judges answers, besides what is expected of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Judge {
    /// A tool of a server of the case, by the names of both. Models never get it.
    Server {
        /// The server, by its name in the case.
        server: String,
        /// The tool, by the server's name for it.
        tool: String,
    },
    /// A tool of the suite's `judging`: a command, a program, or a question to a model.
    Tool(String),
}

/// What a tool of `judging` is told of an answer, as far as its signature takes it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Hearing {
    /// What was asked, as the model saw it.
    pub(crate) question: String,
    /// What was answered: a text as it is, anything else as JSON.
    pub(crate) answer: String,
    /// The right answer in the same form, empty where none is known.
    pub(crate) expected: String,
}

/// The names of its parts.
pub(crate) const HEARD: [&str; 3] = ["question", "answer", "expected"];

impl Hearing {
    fn part(&self, name: &str) -> Option<&str> {
        match name {
            "question" => Some(&self.question),
            "answer" => Some(&self.answer),
            "expected" => Some(&self.expected),
            _ => None,
        }
    }

    /// With both answers in each other's place: who says whether they mean the same says the same.
    pub(crate) fn swapped(&self) -> Hearing {
        Hearing { answer: self.expected.clone(), expected: self.answer.clone(), ..self.clone() }
    }
}

/// What a judge says about an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) passed: bool,
    /// Why not.
    pub(crate) problems: Vec<String>,
}

impl Judge {
    /// The judge that `SERVER.TOOL` names, or a tool of `judging`.
    pub(crate) fn parse(text: &str) -> Option<Judge> {
        match text.split_once('.') {
            _ if text.is_empty() => None,
            None => Some(Judge::Tool(text.to_owned())),
            Some((server, tool)) => {
                let is_whole = !server.is_empty() && !tool.is_empty();
                is_whole.then(|| Judge::Server { server: server.to_owned(), tool: tool.to_owned() })
            }
        }
    }

    /// Ask a server about an answer, on the connection that the run uses. Another judge says nothing here.
    ///
    /// An error is that of the judge: it failed, or gave no verdict.
    pub(crate) async fn ask(&self, mission: &MissionFile, answer: &str) -> Result<Option<Verdict>, String> {
        let Judge::Server { server: name, tool } = self else { return Ok(None) };
        let place = mission.servers.iter().position(|server| server.name == *name);
        let server = place.and_then(|place| mission.connected().get(place));
        let server = server.ok_or_else(|| format!("{self} cannot be asked: its server is not connected"))?;
        let arguments = Map::from_iter([("answer".to_owned(), Json::from(answer))]);
        let said = server.call(tool, arguments).await;
        let said = said.map_err(|failure| format!("{self} cannot be asked: {}", failure.message))?;
        let said = said.to_json().map_err(|error| format!("{self}: {}", error.message))?;
        self.read(&said).map(Some)
    }

    /// Ask a tool of `judging`, whose questions go to these models.
    ///
    /// An error is that of the judge: it failed, or gave no verdict.
    pub(crate) async fn hear(
        &self,
        judging: &MissionFile,
        models: &LlmRegistry,
        hearing: &Hearing,
        cancel: &CancellationToken,
    ) -> Result<Verdict, String> {
        let Judge::Tool(name) = self else { return Err(format!("{self} is not a tool of the suite")) };
        let unusable = |error: &dyn fmt::Display| format!("{self} cannot be asked: {error}");
        let agent = judging.build_agent(&judging.limits()).map_err(|error| unusable(&error))?;
        let tool = judging.tools.iter().find(|tool| tool.spec.name == *name);
        let params = tool.and_then(|tool| tool.spec.signature.as_ref()).map(Signature::params).unwrap_or_default();
        let heard = params.iter().filter_map(|field| Some((field.name.as_str(), hearing.part(&field.name)?)));
        let data = Value::map_from(heard.map(|(name, part)| (Value::keyword(name), Value::string(part))));
        let Value::Map(data) = data else { return Err(unusable(&"it hears nothing")) };
        let args: String =
            data.iter().filter_map(|(key, _)| key_name(key)).map(|key| format!(":{key} data/{key} ")).collect();
        let options = judging.run_options().llm_registry(models.clone());
        let session = ProgramSession::new(&agent, Context::from_map(data), options);
        let mut session = session.map_err(|error| unusable(&error))?;
        let outcome = session.run(&format!("(tool/{name} {{{}}})", args.trim_end()), cancel, &mut |_| {}).await;
        match outcome.value() {
            Some(value) => self.read(&json_of(value, ValueForm::Plain)),
            None => Err(unusable(&problems_text(outcome.problems()))),
        }
    }

    fn read(&self, said: &Json) -> Result<Verdict, String> {
        Verdict::read(said).ok_or_else(|| format!("{self} must answer {}, got {}", Verdict::form(), quoted(said)))
    }
}

impl fmt::Display for Judge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Judge::Server { server, tool } => write!(f, "the judge `{server}.{tool}`"),
            Judge::Tool(name) => write!(f, "the judge `{name}`"),
        }
    }
}

impl Verdict {
    fn form() -> Json {
        json!({"passed": false, "problems": ["why"]})
    }

    /// The verdict in an answer of a judge; without problems a failure has one that says so.
    fn read(said: &Json) -> Option<Verdict> {
        let passed = said.get("passed")?.as_bool()?;
        let problems = match said.get("problems") {
            None | Some(Json::Null) => Vec::new(),
            Some(problems) => problems.as_array()?.iter().map(Json::as_str).collect::<Option<_>>()?,
        };
        let mut problems: Vec<String> =
            problems.into_iter().map(|problem| shortened(problem, MAX_PROBLEM).into_owned()).collect();
        if !passed && problems.is_empty() {
            problems.push("the judge refuses the answer and says no more".to_owned());
        }
        Some(Verdict { passed, problems })
    }
}

/// An answer as judges get it: a text as it is, anything else as JSON.
pub(crate) fn answer_text(answer: &Json) -> String {
    answer.as_str().map_or_else(|| answer.to_string(), str::to_owned)
}
