//! Budgets that runs share.

use std::sync::Arc;

use ptc_runner::agent::{BudgetUsage, SharedBudget, TokenCost};
use ptc_runner::chat::Tokens;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::attached::attached;
use crate::host::Host;
use crate::records::dict;

/// The native part of `ptc_runner.Budget`.
#[pyclass(module = "ptc_runner._native", frozen)]
pub(crate) struct Budget(pub(crate) Arc<SharedBudget>);

#[pymethods]
impl Budget {
    /// A budget of tokens, of USD, of both, or of neither, which only adds up.
    #[new]
    #[pyo3(signature = (tokens, usd))]
    fn new(tokens: Option<u64>, usd: Option<f64>) -> PyResult<Budget> {
        let mut budget = SharedBudget::new();
        if let Some(most) = tokens {
            budget = budget.max_tokens(most);
        }
        if let Some(most) = usd {
            if !most.is_finite() || most < 0.0 {
                return Err(PyValueError::new_err(format!("usd must be a number from 0 on, got {most}")));
            }
            budget = budget.max_usd(most);
        }
        Ok(Budget(Arc::new(budget)))
    }

    /// Tokens and USD, without requests that are not answered yet.
    fn used(&self) -> (u64, f64) {
        let BudgetUsage { tokens, usd } = self.0.used();
        (tokens, usd)
    }

    /// Whether a request was refused, or a limit is reached.
    fn is_used_up(&self) -> bool {
        self.0.is_used_up()
    }

    /// Count what was used elsewhere.
    fn add(&self, tokens: u64, usd: f64) {
        self.0.add(BudgetUsage { tokens, usd });
    }
}

/// What a function of the user says that tokens cost. What it raises ends the run.
pub(crate) fn cost_of(function: Py<PyAny>, host: Arc<Host>) -> TokenCost {
    Arc::new(move |tokens| {
        let asked = attached(|py| -> PyResult<f64> {
            let Tokens { input, output, cached, cache_write } = *tokens;
            let counts = dict!(py, { "input": input, "output": output, "cached": cached, "cache_write": cache_write });
            host.call(py, function.bind(py), [counts.into_any()])?.extract()
        });
        match asked {
            Some(Ok(cost)) => cost,
            Some(Err(error)) => {
                host.interruption.raise(error);
                0.0
            }
            None => 0.0,
        }
    })
}
