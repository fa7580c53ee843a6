//! The whole document.

use ptc_transcript::Step;
use serde::Serialize;

use super::requests::Sent;
use super::run::RunView;
use crate::replay::PriceBook;

/// Version of the format of documents; a page shows documents of the same version.
pub const DOCUMENT_VERSION: u32 = 1;

/// Facts about a run that its step does not have.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct About {
    /// The model, by the name given to the run, where its record does not say it.
    pub model: Option<String>,
    /// What its record says of its requests.
    pub sent: Option<Sent>,
    /// Milliseconds since 1970 when it started.
    pub began_ms: Option<i64>,
    /// Where the run was read from.
    pub source: Option<String>,
    /// Whether it may still be running.
    pub is_live: bool,
    /// Whether its values are only plain JSON.
    pub has_plain_values: bool,
    /// What is wrong with its record after what is shown.
    pub damage: Option<String>,
    /// What its tokens cost.
    pub prices: PriceBook,
}

/// A run with the runs below it, as the page reads it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Document {
    /// Always `ptc-view`.
    pub format: &'static str,
    /// [`DOCUMENT_VERSION`]
    pub version: u32,
    /// Where the run was read from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Whether it may still be running.
    pub live: bool,
    /// Whether its values are only plain JSON.
    pub plain: bool,
    /// What is wrong with its record after what is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
    /// Milliseconds since 1970 when it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub began_ms: Option<i64>,
    /// The run.
    pub run: RunView,
}

impl Document {
    /// The document of a finished run, or of an unfinished one as far as it got.
    ///
    /// Entries under names that begin with `_` are left out; the output of programs is unchanged, hidden values
    /// included. Cost: linear in what the step holds, definitions once per turn, plus one rendering of each request if
    /// the run did not collect them.
    pub fn of(step: &Step, about: &About) -> Document {
        Document {
            format: "ptc-view",
            version: DOCUMENT_VERSION,
            source: about.source.clone(),
            live: about.is_live,
            plain: about.has_plain_values,
            damage: about.damage.clone(),
            began_ms: about.began_ms.or_else(|| first_call(step)),
            run: RunView::of(step, about),
        }
    }
}

/// When the first call was made, which is the earliest time that a step knows.
fn first_call(step: &Step) -> Option<i64> {
    let calls = step.turns().iter().flat_map(|turn| turn.tool_calls());
    calls.map(|call| call.started_micros / 1000).find(|began| *began > 0)
}
