//! What an evaluation costs while it runs.

use std::sync::{Mutex, MutexGuard, PoisonError};

use ptc_chat::Tokens;
use ptc_trace::replay::Prices;

use crate::error::EvalError;
use crate::options::EvalOptions;

/// The cost of all replies so far, in USD, and the limit.
pub(super) struct Account {
    prices: Option<Prices>,
    limit: Option<f64>,
    spent: Mutex<f64>,
}

impl Account {
    /// An account with what earlier runs of the same evaluation cost.
    ///
    /// Errors when there is a limit and nothing says what tokens cost.
    pub(super) fn new(options: &EvalOptions) -> Result<Account, EvalError> {
        let prices = options.known_prices();
        if options.max_usd.is_some() && prices.is_none() {
            return Err(EvalError::NoPrices { model: options.model_name() });
        }
        let before = options.results.as_ref().zip(prices.as_ref()).map(|(results, prices)| results.cost(prices));
        Ok(Account { prices, limit: options.max_usd, spent: Mutex::new(before.unwrap_or_default()) })
    }

    /// Count the tokens of a reply.
    pub(super) fn add(&self, tokens: &Tokens) {
        if let Some(prices) = &self.prices {
            *self.spent() += prices.cost(tokens);
        }
    }

    /// Whether there is a limit.
    pub(super) fn is_limited(&self) -> bool {
        self.limit.is_some()
    }

    /// Whether nothing is left.
    pub(super) fn is_used_up(&self) -> bool {
        self.limit.is_some_and(|limit| *self.spent() >= limit)
    }

    fn spent(&self) -> MutexGuard<'_, f64> {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
