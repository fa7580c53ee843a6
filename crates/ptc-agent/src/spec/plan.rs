//! The steps of a plan.

use indexmap::IndexMap;

use crate::error::AgentError;

/// A step of a plan. Without an id its position, from 1, is the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanStep {
    /// What `(step-done id summary)` names.
    pub id: Option<String>,
    /// What is to be done.
    pub text: String,
}

impl From<&str> for PlanStep {
    fn from(text: &str) -> PlanStep {
        PlanStep { id: None, text: text.to_owned() }
    }
}

impl From<String> for PlanStep {
    fn from(text: String) -> PlanStep {
        PlanStep { id: None, text }
    }
}

impl<I: Into<String>, T: Into<String>> From<(I, T)> for PlanStep {
    fn from((id, text): (I, T)) -> PlanStep {
        PlanStep { id: Some(id.into()), text: text.into() }
    }
}

/// The texts of the steps of a plan by id: each step has a text, and an id that no other one has.
pub fn plan(steps: &[PlanStep]) -> Result<IndexMap<String, String>, AgentError> {
    let mut texts = IndexMap::new();
    let mut twice = Vec::new();
    for (at, PlanStep { id, text }) in steps.iter().enumerate() {
        let id = id.clone().unwrap_or_else(|| (at + 1).to_string());
        if text.trim().is_empty() {
            return Err(AgentError::PlanStep(id));
        }
        if texts.contains_key(&id) && !twice.contains(&id) {
            twice.push(id.clone());
        }
        texts.insert(id, text.clone());
    }
    if twice.is_empty() { Ok(texts) } else { Err(AgentError::PlanIds(twice)) }
}
