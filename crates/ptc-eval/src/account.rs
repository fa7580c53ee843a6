//! What many runs may cost together, and whether their model answers.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ptc_agent::{Reservation, SharedBudget, TokenCost};
use ptc_chat::{LlmError, LlmErrorKind, Tokens};
use tokio::time::Instant;

use crate::batch::OnTrouble;

/// A budget, and how long its models have been silent.
pub(crate) struct Account {
    pub(crate) budget: SharedBudget,
    contact: Mutex<Contact>,
    on_trouble: Option<OnTrouble>,
}

#[derive(Debug)]
struct Contact {
    /// When the last answer came; before that, when the account was opened.
    answered: Instant,
    /// Whether the model was not reached since then.
    is_away: bool,
}

impl Account {
    pub(crate) fn new(max_usd: Option<f64>, max_tokens: Option<u64>) -> Account {
        let budget = SharedBudget::new();
        let budget = max_usd.into_iter().fold(budget, SharedBudget::max_usd);
        let budget = max_tokens.into_iter().fold(budget, SharedBudget::max_tokens);
        let contact = Contact { answered: Instant::now(), is_away: false };
        Account { budget, contact: Mutex::new(contact), on_trouble: None }
    }

    /// The same, which tells of times when the model is away.
    pub(crate) fn telling(self, on_trouble: Option<OnTrouble>) -> Account {
        Account { on_trouble, ..self }
    }

    /// A request has failed.
    pub(crate) fn failed(&self, error: &LlmError) {
        let is_away = error.kind() == LlmErrorKind::Unreachable;
        if is_away && !std::mem::replace(&mut self.contact().is_away, true) {
            self.tell(Some(&error.message));
        }
    }

    /// A request was answered: what it really used is spent.
    pub(crate) fn answered(&self, reserved: Reservation<'_>, tokens: Option<&Tokens>, cost: Option<&TokenCost>) {
        reserved.answered(tokens, cost);
        let mut contact = self.contact();
        contact.answered = Instant::now();
        let was_away = std::mem::take(&mut contact.is_away);
        drop(contact);
        if was_away {
            self.tell(None);
        }
    }

    /// How long no request has been answered.
    pub(crate) fn silence(&self) -> Duration {
        self.contact().answered.elapsed()
    }

    fn tell(&self, why: Option<&str>) {
        if let Some(tell) = &self.on_trouble {
            tell(why);
        }
    }

    fn contact(&self) -> MutexGuard<'_, Contact> {
        self.contact.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
