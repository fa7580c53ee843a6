//! What a run does when an answer ended in its thoughts.

use ptc_chat::{ModelOptions, ReasoningEffort};

/// What the requests of a run change of the agent's model options. It is changed once: a model that thinks too long
/// even so needs other options or another mission.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Relief {
    /// Nothing.
    #[default]
    None,
    /// The limit of output tokens is this one.
    Limit(u32),
    /// The model thinks this much.
    Effort(ReasoningEffort),
    /// Nothing, because the provider did not accept the change.
    Refused,
}

impl Relief {
    /// The change after an answer that ended in its thoughts; `None` when there was one.
    pub fn next(self, options: &ModelOptions) -> Option<Relief> {
        use ReasoningEffort::{High, Max, Medium};
        match (self, options.reasoning_effort) {
            (Relief::None, Some(High | Max | Medium)) => Some(Relief::Effort(ReasoningEffort::Low)),
            (Relief::None, _) => Some(Relief::Limit(options.max_output_tokens.saturating_mul(2))),
            _ => None,
        }
    }

    /// Whether requests have other options than the agent.
    pub fn changes_options(self) -> bool {
        matches!(self, Relief::Limit(_) | Relief::Effort(_))
    }

    /// The options of a request.
    pub fn options(self, options: &ModelOptions) -> ModelOptions {
        let options = options.clone();
        match self {
            Relief::Limit(max_output_tokens) => ModelOptions { max_output_tokens, ..options },
            Relief::Effort(effort) => ModelOptions { reasoning_effort: Some(effort), ..options },
            Relief::None | Relief::Refused => options,
        }
    }
}
