//! Decisions about calls and programs that needed approval.

use ptc_lisp::Value;

/// Whether a call or a program may run.
///
/// ```
/// use ptc_transcript::Decision;
///
/// assert_eq!(Decision::deny("too expensive").as_str(), "deny");
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Decision {
    /// Yes, unchanged.
    Approve,
    /// No; the model reads the reason, which may be empty.
    Deny(String),
    /// Changed: a call gets other arguments, a map by name; a program gets another text.
    ///
    /// Arguments are validated against the signature of the tool; what does not fit counts as denied, with that as the
    /// reason.
    Edit(Value),
}

impl Decision {
    /// A denial with its reason.
    pub fn deny(reason: impl Into<String>) -> Decision {
        Decision::Deny(reason.into())
    }

    /// The name used in records: `approve`, `deny`, `edit`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Decision::Approve => "approve",
            Decision::Deny(_) => "deny",
            Decision::Edit(_) => "edit",
        }
    }
}
