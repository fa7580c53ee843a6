//! What is known of prices where costs are shown.

use std::net::IpAddr;

use ptc_chat::Tokens;
use ptc_lisp::text::nearest;

use super::{PriceList, Prices, PricesError};

/// Prices of models by several lists: of those that have a model the first one counts, and the list of this release is the
/// last. Or one price for all models.
///
/// ```
/// use ptc_trace::replay::{PriceBook, PriceList};
///
/// let own = PriceList::parse("[[list]]\nunverified = true\nmodels.own-large = { input = 2, output = 8 }\n")?;
/// let book = PriceBook::default().with_list(own);
/// assert_eq!(book.of_run("https://llm.example/v1#own-large").unwrap().input, 2.0);
/// assert!(book.of_run("openai:gpt-5-mini").is_some(), "of the list of this release");
/// let missing = book.price("https://llm.example/v1#own-small").unwrap_err();
/// assert!(missing.to_string().starts_with("no list price of https://llm.example/v1#own-small is known"));
/// # Ok::<(), ptc_trace::replay::PriceListError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PriceBook {
    /// For all models.
    fixed: Option<Prices>,
    /// In the order in which they are asked.
    lists: Vec<PriceList>,
}

/// What a run cost by list prices.
#[derive(Debug, Clone, PartialEq)]
pub struct RunCost {
    /// In USD.
    pub usd: f64,
    /// The names of the prices, in the order in which models were asked.
    pub prices: Vec<String>,
}

/// A paid model without a price.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no list price of {model} is known: add `--prices input=N,output=N` (USD per million tokens), or `--prices FILE` with a price list"
)]
pub struct NoPrice {
    /// The model.
    pub model: String,
}

impl PriceBook {
    /// The same with another list, asked after those that it has and before that of this release.
    #[must_use]
    pub fn with_list(mut self, list: PriceList) -> PriceBook {
        self.lists.push(list);
        self
    }

    /// The same with these prices for all models.
    #[must_use]
    pub fn with_prices(self, prices: Prices) -> PriceBook {
        PriceBook { fixed: Some(prices), ..self }
    }

    /// The prices that hold for all models, if there are such.
    #[must_use]
    pub fn fixed(&self) -> Option<&Prices> {
        self.fixed.as_ref()
    }

    /// The prices of the model that a run has asked, by its name in records; see [`PriceList::of_run`].
    #[must_use]
    pub fn of_run(&self, model: &str) -> Option<&Prices> {
        self.fixed.as_ref().or_else(|| self.lists().find_map(|list| list.of_run(model)))
    }

    /// The same; none for recorded answers, and for a model of this machine without a price.
    ///
    /// Errors for another model without a price.
    pub fn price(&self, model: &str) -> Result<Option<&Prices>, NoPrice> {
        match self.of_run(model) {
            None if !is_unpaid(model) => Err(NoPrice { model: model.to_owned() }),
            prices => Ok(prices),
        }
    }

    /// What these tokens of models cost; none where no paid model was asked.
    ///
    /// Errors for the first model that has tokens and no price.
    pub fn cost<'m>(&self, used: impl IntoIterator<Item = (&'m str, Tokens)>) -> Result<Option<RunCost>, NoPrice> {
        let mut cost = None;
        for (model, tokens) in used {
            if tokens == Tokens::default() {
                continue;
            }
            if let Some(prices) = self.price(model)? {
                let cost = cost.get_or_insert(RunCost { usd: 0.0, prices: Vec::new() });
                cost.usd += prices.cost(&tokens);
                if !cost.prices.contains(&prices.name) {
                    cost.prices.push(prices.name.clone());
                }
            }
        }
        Ok(cost)
    }

    /// What this text means: a model of a list, or `input=3,cached=0.3,write=3.75,output=15`.
    pub fn prices(&self, text: &str) -> Result<Prices, PricesError> {
        if text.contains('=') {
            return Prices::of_numbers(text);
        }
        let near = || nearest(text, self.lists().flat_map(PriceList::models)).map(str::to_owned);
        let unknown = || PricesError::UnknownModel { name: text.to_owned(), near: near() };
        self.lists().find_map(|list| list.of(text)).cloned().ok_or_else(unknown)
    }

    fn lists(&self) -> impl Iterator<Item = &PriceList> {
        self.lists.iter().chain([PriceList::builtin()])
    }
}

/// Whether it is recorded answers, a model of Ollama, or one of a server on this machine.
fn is_unpaid(model: &str) -> bool {
    let Some((address, _)) = model.split_once('#') else {
        return model.starts_with("ollama:") || model.starts_with("replay:");
    };
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let place = rest.split('/').next().unwrap_or_default();
    let place = place.rsplit('@').next().unwrap_or_default();
    let host = match place.strip_prefix('[') {
        Some(ip) => ip.split(']').next(),
        None => place.split(':').next(),
    };
    let host = host.unwrap_or_default();
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
