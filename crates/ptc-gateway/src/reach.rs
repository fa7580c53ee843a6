//! What a program can call, as it is shown before it runs.

use std::fmt;

use crate::offer::OfferedTool;
use crate::pins::Unreviewed;
use crate::policy::{PolicyAction, PolicyRange};

/// A tool that a program can reach.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reach {
    /// The tool, by its name after `tool/`.
    pub tool: String,
    /// Maximum number of calls, in words: `1`, `≤ count(data/orders)`, `unbounded`.
    pub at_most: String,
    /// The same as a number; `None` when it is unknown.
    pub limit: Option<u64>,
    /// Whether it may delete or overwrite, as its server says.
    pub destructive: bool,
    /// Whether it changes nothing, as its server says.
    pub read_only: bool,
    /// The policy's rulings on its calls.
    pub standing: PolicyRange,
    /// How it differs from what was reviewed, if its server is pinned.
    pub unreviewed: Option<Unreviewed>,
}

impl Reach {
    /// The tool, called at most this often.
    pub(crate) fn new(offer: &OfferedTool, standing: PolicyRange, at_most: String, limit: Option<u64>) -> Reach {
        let (destructive, read_only) = (offer.said.destructive, offer.said.read_only);
        let unreviewed = offer.unreviewed;
        Reach { tool: offer.name().to_owned(), at_most, limit, destructive, read_only, standing, unreviewed }
    }

    /// `only reads`, `may destroy` or `writes`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match (self.read_only, self.destructive) {
            (true, _) => "only reads",
            (false, true) => "may destroy",
            (false, false) => "writes",
        }
    }

    /// `allow`, `ask`, or `ask or deny` where arguments or clients decide.
    #[must_use]
    pub fn ruling(&self) -> String {
        let PolicyRange { least, most, by_client } = self.standing;
        if least == most {
            least.as_str().to_owned()
        } else {
            let by = if by_client { "client" } else { "arguments" };
            format!("{} or {}, by {by}", least.as_str(), most.as_str())
        }
    }

    /// Whether a call may need approval.
    #[must_use]
    pub fn may_ask(&self) -> bool {
        self.standing.least <= PolicyAction::Ask && self.standing.most >= PolicyAction::Ask
    }
}

impl fmt::Display for Reach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tool/{}  {}  {}  {}", self.tool, self.at_most, self.kind(), self.ruling())?;
        self.unreviewed.map_or(Ok(()), |unreviewed| write!(f, "  {}", unreviewed.as_str()))
    }
}
