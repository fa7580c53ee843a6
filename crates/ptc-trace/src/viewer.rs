//! A run as data for a page, and the page that shows it.
//!
//! [`Document`] is one versioned JSON value with everything the page shows. The request of a turn is written as the
//! difference from the previous turn, so that a document of an append-only dialogue grows with its turns, not with
//! their square. [`page`] puts a document into one HTML file with its script and style. The script builds the page from
//! text nodes alone, and a policy in the page forbids everything that is not in it: no text of a run is ever markup.
//! [`RunDiff`] compares two runs.
//!
//! ```
//! use ptc_lisp::Value;
//! use ptc_trace::viewer::{About, Document, page};
//! use ptc_transcript::{EndingKind, Step};
//!
//! let step = Step::returned(EndingKind::Return, Value::string("</script>"));
//! let document = Document::of(&step, &About::default());
//! assert!(!page(&document).contains("\"</script>"));
//! ```

mod calls;
mod definitions;
mod diff;
mod document;
mod page;
mod requests;
mod run;
mod shown;
mod turns;

pub use calls::CallView;
pub use definitions::{DefinitionView, DefinitionsView};
pub use diff::{DIFF_VERSION, RunDiff, RunFacts, TextDiff, TurnDiff, TurnFacts};
pub use document::{About, DOCUMENT_VERSION, Document};
pub use page::{Asset, page, served_page, still_page};
pub use requests::{MessageView, RequestView, Sent};
pub use run::{FailView, RunView, ToolView, TotalsView};
pub use shown::{Table, ValueView};
pub use turns::{TimesView, TokensView, TurnStatus, TurnView};

#[cfg(test)]
mod tests;
