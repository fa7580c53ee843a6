//! Why a run could not start.

use std::path::PathBuf;

use ptc_runner::config::{MissingInput, UnknownInput};

/// Wrong usage of `ptc run`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RunFailure {
    #[error("--set {given}: {problem}")]
    Set { given: String, problem: String },
    #[error("{given}: the mission has no input `{}`{}", .unknown.name, instead(.unknown))]
    UnknownInput { given: String, unknown: UnknownInput },
    #[error("{}: {missing}", .mission.display())]
    Missing { mission: PathBuf, missing: MissingInput },
    #[error("{}: nothing fills {{{{{}}}}} in the mission{}", .mission.display(), .unknown.name, meant(.unknown))]
    Unfilled { mission: PathBuf, unknown: UnknownInput },
}

/// Inputs that an error lists.
const MAX_LISTED: usize = 12;

fn instead(unknown: &UnknownInput) -> String {
    match &unknown.nearest {
        Some(nearest) => format!("; did you mean `{nearest}`?"),
        None => {
            let listed: Vec<&str> = unknown.known.iter().take(MAX_LISTED).map(String::as_str).collect();
            let more = if unknown.known.len() > MAX_LISTED { ", …" } else { "" };
            format!("; it has {}{more}", listed.join(", "))
        }
    }
}

fn meant(unknown: &UnknownInput) -> String {
    match &unknown.nearest {
        Some(nearest) => format!("; did you mean {{{{{nearest}}}}}?"),
        None => format!("; give it a value under [data] or with --set {}=…", unknown.name),
    }
}
