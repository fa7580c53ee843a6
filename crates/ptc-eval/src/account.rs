//! What many runs may cost together: each request reserves what it may cost before it is sent.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ptc_chat::{LlmError, LlmErrorKind, Request, Tokens};
use ptc_trace::replay::Prices;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::batch::OnTrouble;

/// What all runs together may use.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Bounds {
    /// USD.
    pub(crate) usd: Option<f64>,
    /// Tokens of requests and answers.
    pub(crate) tokens: Option<u64>,
}

/// What was spent and what requests in progress may still cost, under bounds.
pub(crate) struct Account {
    bounds: Bounds,
    books: Mutex<Books>,
    /// A request has ended, so that there may be room for another one.
    settled: Notify,
    on_trouble: Option<OnTrouble>,
}

#[derive(Debug)]
struct Books {
    spent: Amount,
    reserved: Amount,
    /// When the last answer came; before that, when the account was opened.
    answered: Instant,
    /// Whether the model was not reached since then.
    is_away: bool,
    /// Whether a request was refused.
    is_used_up: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Amount {
    usd: f64,
    tokens: u64,
}

impl Amount {
    fn of(tokens: &Tokens, prices: Option<&Prices>) -> Amount {
        Amount { usd: prices.map_or(0.0, |prices| prices.cost(tokens)), tokens: tokens.total() }
    }

    fn plus(self, other: Amount) -> Amount {
        Amount { usd: self.usd + other.usd, tokens: self.tokens.saturating_add(other.tokens) }
    }

    fn minus(self, other: Amount) -> Amount {
        Amount { usd: self.usd - other.usd, tokens: self.tokens.saturating_sub(other.tokens) }
    }
}

/// What a request may cost, taken out of the account until it is dropped.
pub(crate) struct Reservation<'a> {
    account: &'a Account,
    amount: Amount,
}

impl Account {
    pub(crate) fn new(bounds: Bounds) -> Account {
        let books = Books {
            spent: Amount::default(),
            reserved: Amount::default(),
            answered: Instant::now(),
            is_away: false,
            is_used_up: false,
        };
        Account { bounds, books: Mutex::new(books), settled: Notify::new(), on_trouble: None }
    }

    /// The same, which tells of times when the model is away.
    pub(crate) fn telling(self, on_trouble: Option<OnTrouble>) -> Account {
        Account { on_trouble, ..self }
    }

    /// A request has failed.
    pub(crate) fn failed(&self, error: &LlmError) {
        let is_away = error.kind() == LlmErrorKind::Unreachable;
        if is_away && !std::mem::replace(&mut self.books().is_away, true) {
            self.tell(Some(&error.message));
        }
    }

    fn tell(&self, why: Option<&str>) {
        if let Some(tell) = &self.on_trouble {
            tell(why);
        }
    }

    /// Count what earlier runs have used.
    pub(crate) fn add(&self, usd: f64, tokens: u64) {
        let mut books = self.books();
        books.spent = books.spent.plus(Amount { usd, tokens });
    }

    /// Set aside what a request may cost. While others in progress could leave room for it, it waits for them.
    ///
    /// Errors when it does not fit, even though no other is in progress.
    pub(crate) async fn reserve(
        &self,
        request: &Request,
        prices: Option<&Prices>,
    ) -> Result<Reservation<'_>, LlmError> {
        loop {
            // Before the books are read: what is settled after that is not missed.
            let settled = self.settled.notified();
            let mut pinned = std::pin::pin!(settled);
            pinned.as_mut().enable();
            match self.try_reserve(request, prices) {
                Ok(Some(amount)) => return Ok(Reservation { account: self, amount }),
                Ok(None) => pinned.await,
                Err(refused) => return Err(refused),
            }
        }
    }

    /// The amount set aside, `None` where it may fit later.
    fn try_reserve(&self, request: &Request, prices: Option<&Prices>) -> Result<Option<Amount>, LlmError> {
        let mut books = self.books();
        let amount = Amount::of(&at_most(request), prices);
        let all = books.spent.plus(books.reserved).plus(amount);
        let Some(bound) = self.bounds.broken_by(all) else {
            books.reserved = books.reserved.plus(amount);
            return Ok(Some(amount));
        };
        if books.reserved != Amount::default() {
            return Ok(None);
        }
        books.is_used_up = true;
        let told = bound.told(self.bounds, books.spent, amount);
        Err(LlmError::new(LlmErrorKind::NoCredit, told))
    }

    /// Whether a request was refused, or the bounds are reached: no run need begin.
    pub(crate) fn is_used_up(&self) -> bool {
        let books = self.books();
        let is_reached = |spent: f64, bound: Option<f64>| bound.is_some_and(|bound| spent >= bound);
        books.is_used_up
            || is_reached(books.spent.usd, self.bounds.usd)
            || self.bounds.tokens.is_some_and(|most| books.spent.tokens >= most)
    }

    /// How long no request has been answered.
    pub(crate) fn silence(&self) -> Duration {
        self.books().answered.elapsed()
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    /// The request was answered: what it really used is spent.
    pub(crate) fn answered(self, tokens: Option<&Tokens>, prices: Option<&Prices>) {
        let mut books = self.account.books();
        books.answered = Instant::now();
        if let Some(tokens) = tokens {
            books.spent = books.spent.plus(Amount::of(tokens, prices));
        }
        let was_away = std::mem::take(&mut books.is_away);
        drop(books);
        if was_away {
            self.account.tell(None);
        }
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut books = self.account.books();
        books.reserved = books.reserved.minus(self.amount);
        // Sums of floating numbers leave dust.
        if books.reserved.tokens == 0 {
            books.reserved = Amount::default();
        }
        drop(books);
        self.account.settled.notify_waiters();
    }
}

/// What makes better use of what is left.
const LESS: &str = "; with a smaller `max_output_tokens` a request needs less of it";

/// A bound that a sum breaks.
#[derive(Debug, Clone, Copy)]
enum Bound {
    Usd,
    Tokens,
}

impl Bounds {
    fn broken_by(self, all: Amount) -> Option<Bound> {
        match self {
            Bounds { usd: Some(most), .. } if all.usd > most => Some(Bound::Usd),
            Bounds { tokens: Some(most), .. } if all.tokens > most => Some(Bound::Tokens),
            _ => None,
        }
    }
}

impl Bound {
    fn told(self, bounds: Bounds, spent: Amount, next: Amount) -> String {
        match self {
            Bound::Usd => {
                let most = bounds.usd.unwrap_or_default();
                let left = (most - spent.usd).max(0.0);
                format!("USD {left:.4} of USD {most} are left, and the next request may cost USD {:.4}{LESS}", next.usd)
            }
            Bound::Tokens => {
                let most = bounds.tokens.unwrap_or_default();
                let left = most.saturating_sub(spent.tokens);
                format!("{left} of {most} tokens are left, and the next request may use {}{LESS}", next.tokens)
            }
        }
    }
}

/// The most tokens that a request is taken to use: three bytes a token, and an answer as long as it may be.
fn at_most(request: &Request) -> Tokens {
    let input = request.estimated_tokens().saturating_mul(4) / 3 + 1;
    Tokens { input, output: u64::from(request.options.max_output_tokens), ..Tokens::default() }
}
