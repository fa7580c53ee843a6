//! `--prices`: what tokens cost, wherever a command shows or limits it.

use std::path::{Path, PathBuf};

use clap::Args;
use ptc_runner::chat::Tokens;
use ptc_runner::config::{ConfigError, Place, Settings, named, read_text};
use ptc_runner::trace::replay::{PriceBook, PriceList, PriceListError, Prices, PricesError};

/// What the command line says about prices.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PricesArgs {
    /// What tokens cost: a file with a price list, which overrides the built-in one. Or prices for all models: the name
    /// of a model on a list, or USD per million tokens, `input=3,cached=0.3,write=3.75,output=15`. A file and a name
    /// can be combined. By default the `prices` of `ptc config`.
    #[arg(long, value_name = "FILE|NAME|NUMBERS")]
    prices: Vec<String>,
}

/// Prices that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PricesFailure {
    #[error(transparent)]
    File(#[from] ConfigError),
    #[error("{}: {source}", named(.path))]
    List { path: PathBuf, r#source: PriceListError },
    #[error("--prices: {0}")]
    Given(PricesError),
    #[error("{place}: prices: {source}")]
    Settings { place: Box<Place>, r#source: PricesError },
    #[error("--prices: `{first}` and `{second}` are both for all models; give one of them, with files next to it")]
    Twice { first: String, second: String },
}

impl PricesArgs {
    /// The files among them.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.prices.iter().map(Path::new).filter(|path| is_file(path))
    }

    /// What the command line says.
    pub(crate) fn given(&self) -> &[String] {
        &self.prices
    }

    /// The prices that hold: what the command line says comes before the settings, and these before the built-in list.
    pub(crate) fn book(&self, settings: &Settings) -> Result<PriceBook, PricesFailure> {
        let mut book = PriceBook::default();
        for path in self.files() {
            book = book.with_list(list(path)?);
        }
        let own = settings.prices.as_ref().map(|own| (own, own.place.folder().join(&own.value)));
        let is_own_file = own.as_ref().is_some_and(|(_, path)| is_file(path));
        if let Some((_, path)) = own.as_ref().filter(|_| is_own_file) {
            book = book.with_list(list(path)?);
        }
        let mut names = self.prices.iter().filter(|text| !is_file(Path::new(text)));
        if let (Some(name), another) = (names.next(), names.next()) {
            if let Some(another) = another {
                return Err(PricesFailure::Twice { first: name.clone(), second: another.clone() });
            }
            let prices = book.prices(name).map_err(PricesFailure::Given)?;
            return Ok(book.with_prices(prices));
        }
        match own.filter(|_| !is_own_file && self.prices.is_empty()) {
            None => Ok(book),
            Some((own, _)) => {
                let refused = |source| PricesFailure::Settings { place: own.place.clone(), source };
                let prices = book.prices(&own.value).map_err(refused)?;
                Ok(book.with_prices(prices))
            }
        }
    }

    /// The same for a command without a mission: the settings are those of the current folder.
    pub(crate) fn book_here(&self) -> Result<PriceBook, crate::failure::Failure> {
        Ok(self.book(&Settings::load("")?)?)
    }
}

/// What these tokens of models cost, for people: `USD 0.0123 (gpt-5-mini, list of 2026-07-09)`, or why that is not known.
pub(crate) fn shown<'m>(book: &PriceBook, used: impl IntoIterator<Item = (&'m str, Tokens)>) -> String {
    match book.cost(used) {
        Ok(Some(cost)) => format!("USD {:.4} ({})", cost.usd, cost.prices.join("; ")),
        Ok(None) => "no paid model was asked".to_owned(),
        Err(missing) => missing.to_string(),
    }
}

/// The prices of a model by their name, with the list of this release.
pub(crate) fn of_model(book: &PriceBook, name: &str) -> Result<Prices, PricesFailure> {
    book.prices(name).map_err(PricesFailure::Given)
}

/// Whether a text means a file: one that is there, or that ends as these files do.
fn is_file(path: &Path) -> bool {
    path.is_file() || path.extension().is_some_and(|ending| ending == "toml")
}

fn list(path: &Path) -> Result<PriceList, PricesFailure> {
    PriceList::parse(&read_text(path)?).map_err(|source| PricesFailure::List { path: path.to_owned(), source })
}
