//! Judges: tools of servers that say whether an answer is right.

#[cfg(test)]
mod tests;

use ptc_config::MissionFile;
use ptc_lisp::text::shortened;
use serde_json::{Map, Value as Json, json};

use crate::constraint::quoted;

/// Characters of a problem that a judge reports.
const MAX_PROBLEM: usize = 1_000;

/// A tool of a server of the case that judges answers. Models never get it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judge {
    /// The server, by its name in the case.
    pub server: String,
    /// The tool, by the server's name for it.
    pub tool: String,
}

/// What a judge says about an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) passed: bool,
    /// Why not.
    pub(crate) problems: Vec<String>,
}

impl Judge {
    /// The judge that `SERVER.TOOL` names.
    pub(crate) fn parse(text: &str) -> Option<Judge> {
        let (server, tool) = text.split_once('.')?;
        let is_whole = !server.is_empty() && !tool.is_empty();
        is_whole.then(|| Judge { server: server.to_owned(), tool: tool.to_owned() })
    }

    /// Ask about an answer, on the connection that the run uses.
    ///
    /// The error says why there is no verdict.
    pub(crate) async fn ask(&self, mission: &MissionFile, answer: &str) -> Result<Verdict, String> {
        let place = mission.servers.iter().position(|server| server.name == self.server);
        let server = place.and_then(|place| mission.connected().get(place));
        let server = server.ok_or_else(|| format!("{self} cannot be asked: its server is not connected"))?;
        let arguments = Map::from_iter([("answer".to_owned(), Json::from(answer))]);
        let said = server.call(&self.tool, arguments).await;
        let said = said.map_err(|failure| format!("{self} cannot be asked: {}", failure.message))?;
        let said = said.to_json().map_err(|error| format!("{self}: {}", error.message))?;
        Verdict::read(&said).ok_or_else(|| format!("{self} must answer {}, got {}", Verdict::form(), quoted(&said)))
    }
}

impl std::fmt::Display for Judge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the judge `{}.{}`", self.server, self.tool)
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
