//! Evaluation suites: questions with known answers over generated data, asked of a model or of its recorded answers.
//!
//! [`Suite::load`] reads a folder, [`Suite::evaluate`] runs its cases and judges them, [`Report`] has the results.
//! [Evaluation](https://github.com/ptc-runner/ptc-runner/blob/main/docs/guide/evaluation.md) says what is in such a
//! folder. This one has its answers recorded:
//!
//! ```
//! use ptc_eval::{Detail, EvalOptions, Selection, Suite};
//!
//! let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/evaluation");
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! let suite = Suite::load(folder)?;
//! let cases = suite.select(&Selection { levels: vec!["basic".into()], ..Selection::default() })?;
//! let report = suite.evaluate(&cases, &EvalOptions::default()).await?;
//! assert!(report.passed(), "{}", report.to_markdown(Detail::Short));
//! # Ok::<(), Box<dyn std::error::Error>>(()) })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod account;
mod assertion;
mod batch;
mod case;
mod constraint;
mod counted;
mod datasets;
mod documents;
mod error;
mod evaluate;
mod judge;
mod lines;
mod options;
mod report;
mod results;
mod service;
mod statistics;
mod suite;
mod variant;
mod weigh;

pub use assertion::Assertion;
pub use batch::{
    BatchError, BatchMission, BatchOptions, BatchPlace, BatchReport, BatchResults, BatchResultsError, BatchRow,
    BatchStop, ExpensiveRow, FailureGroup, OnRow, OnTrouble, PricesOf, Quantiles, RowEnd, RowModels, RowResult,
    RowState, RunElsewhere, is_rate_of, rows_of, run_batch, table as batch_table,
};
pub use case::{Case, CompiledInput};
pub use constraint::{Constraint, Kind};
pub use datasets::{DataSet, DataSets, Document, Employee, Expense, Order, Product};
pub use documents::document_tools;
pub use error::EvalError;
pub use judge::{Judge, JudgeCheck, Swapped, judges_table};
pub use lines::LinesError;
pub use options::{EvalOptions, OnRun, Selection, TurnFilter};
pub use report::{
    CaseReport, Detail, Difference, Figures, ProgramReport, Report, RunReport, SkipReason, Summary, Unasked,
    comparison, html_page,
};
pub use results::{ResultLine, Results, ResultsError};
pub use statistics::{Estimate, Interval};
pub use suite::{Suite, SuiteMission};
pub use variant::{EvalModel, Mode, Variant};
pub use weigh::{Beginnings, Ways, Weighing};
