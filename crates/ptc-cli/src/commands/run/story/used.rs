//! What a run used: tokens by model, and what they cost.

use indexmap::IndexMap;
use ptc_runner::chat::Tokens;
use ptc_runner::compression::words::grouped;
use ptc_runner::trace::replay::PriceBook;

use crate::prices;

/// Tokens of the mission and of all agents below it, by the model that was asked.
#[derive(Default)]
pub(super) struct Used {
    tokens: IndexMap<String, Tokens>,
    prices: PriceBook,
}

impl Used {
    /// Nothing yet, at these prices.
    pub(super) fn new(prices: PriceBook) -> Used {
        Used { prices, ..Used::default() }
    }

    /// The model was asked; `tokens` are those that the provider counted.
    pub(super) fn add(&mut self, model: String, tokens: Option<&Tokens>) {
        let used = self.tokens.entry(model).or_default();
        if let Some(tokens) = tokens {
            used.add(tokens);
        }
    }

    /// `20,214 tokens in (1,024 cached), 676 out`, when they were counted.
    pub(super) fn tokens(&self) -> Option<String> {
        let mut sum = Tokens::default();
        for tokens in self.tokens.values() {
            sum.add(&Tokens { cache_write: 0, ..*tokens });
        }
        let cached = if sum.cached > 0 { format!(" ({} cached)", grouped(sum.cached)) } else { String::new() };
        let is_known = sum != Tokens::default();
        is_known.then(|| format!("{} tokens in{cached}, {} out", grouped(sum.input), grouped(sum.output)))
    }

    /// What all of it cost by list prices, when the prices of all models are known.
    pub(super) fn cost(&self) -> String {
        if self.tokens.values().all(|tokens| *tokens == Tokens::default()) {
            return "the provider counted no tokens".to_owned();
        }
        prices::shown(&self.prices, self.tokens.iter().map(|(model, tokens)| (model.as_str(), *tokens)))
    }
}
