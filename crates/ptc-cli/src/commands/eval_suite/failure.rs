//! Why an evaluation could not start.

use ptc_runner::eval::EvalError;

/// Wrong usage of `ptc eval-suite`.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SuiteFailure {
    #[error(transparent)]
    Eval(#[from] EvalError),
    #[error("--record keeps the answers to one way of asking; name at most one --compression and one --language-spec")]
    RecordManyWays,
    #[error(
        "--price {given}: write the price of a million input and of a million output tokens, for example --price 3,15"
    )]
    Price { given: String },
    #[error("the report is no JSON: {problem}")]
    NoJson { problem: String },
}
