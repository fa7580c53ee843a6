//! What a run inherits from the run that called it. All bounds apply downwards: a child may be given less, never more.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ptc_transcript::Spent;

/// The place of a run in the tree of agents. The default is that of a run that was started from outside.
#[derive(Clone, Default)]
pub(crate) struct Lineage {
    /// Runs above this one.
    pub depth: usize,
    /// The lowest `max_depth` above.
    pub max_depth: Option<usize>,
    /// What the caller has left of its turns.
    pub turns: Option<TurnBudget>,
    /// What the caller has left of its time.
    pub time: Option<Duration>,
    /// The lowest `max_heap` above.
    pub max_heap: Option<u64>,
    /// Where the run counts what it asks of models.
    pub spending: Spending,
    /// The agents from the started run down to this one, by the names that their callers use; this one is the last.
    pub path: Arc<[String]>,
}

/// Turns that a run may still start.
#[derive(Clone, Debug)]
pub(crate) enum TurnBudget {
    /// Counted by this run alone: turns of its children do not count.
    Own(usize),
    /// One counter for all runs of the tree.
    Shared(Arc<AtomicUsize>),
}

impl TurnBudget {
    pub fn new(turns: usize, shared: bool) -> TurnBudget {
        if shared { TurnBudget::Shared(Arc::new(AtomicUsize::new(turns))) } else { TurnBudget::Own(turns) }
    }

    /// Take one turn; false when none is left.
    pub fn take(&mut self) -> bool {
        match self {
            TurnBudget::Own(left) => {
                let taken = left.checked_sub(1);
                *left = taken.unwrap_or(0);
                taken.is_some()
            }
            TurnBudget::Shared(left) => {
                left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
            }
        }
    }

    /// Turns that may still start.
    pub fn left(&self) -> usize {
        match self {
            TurnBudget::Own(left) => *left,
            TurnBudget::Shared(left) => left.load(Ordering::Relaxed),
        }
    }

    /// What a child may use when it is called in a turn already taken: by value, the turn counts as not yet used.
    pub fn for_child(&self) -> TurnBudget {
        match self {
            TurnBudget::Own(left) => TurnBudget::Own(left + 1),
            shared @ TurnBudget::Shared(_) => shared.clone(),
        }
    }

    /// The same, with at most `turns`; a shared counter stays as it is.
    pub fn at_most(self, turns: Option<usize>) -> TurnBudget {
        match (self, turns) {
            (TurnBudget::Own(left), Some(turns)) => TurnBudget::Own(left.min(turns)),
            (other, _) => other,
        }
    }
}

/// What a run and all runs below it asked of models. The runs above count it, too.
#[derive(Clone, Default)]
pub(crate) struct Spending(Arc<Count>);

#[derive(Default)]
struct Count {
    spent: Mutex<Spent>,
    above: Option<Spending>,
}

impl Spending {
    /// The count of a run that this one calls.
    pub fn below(&self) -> Spending {
        Spending(Arc::new(Count { spent: Mutex::default(), above: Some(self.clone()) }))
    }

    pub fn add(&self, more: &Spent) {
        let mut count = Some(self);
        while let Some(Spending(here)) = count {
            here.spent.lock().unwrap_or_else(PoisonError::into_inner).add(more);
            count = here.above.as_ref();
        }
    }

    pub fn spent(&self) -> Spent {
        *self.0.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the whole tree of runs asked for.
    pub fn of_all(&self) -> Spent {
        let mut top = self;
        while let Some(above) = &top.0.above {
            top = above;
        }
        top.spent()
    }
}

/// The lower of two bounds, each of which may be absent.
pub(crate) fn lower<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}
