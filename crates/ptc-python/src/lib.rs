//! Run untrusted PTC-Lisp programs over Python data, with Python functions as tools, and agents that write such programs.
//!
//! This crate is the native half of the Python package `ptc-runner`; `python/ptc_runner` is the other half, and the one
//! that users see. Rust converts values, releases the interpreter lock while programs run and agents wait, and looks for
//! signals meanwhile. Python has the classes, their types and their documentation.

#![forbid(unsafe_code)]

mod agent;
mod approval;
mod attached;
mod budget;
mod calls;
mod from_python;
mod host;
mod limits;
mod model;
mod observing;
mod options;
mod program;
mod records;
mod schema;
mod session;
mod step;
mod to_python;
mod workers;

/// The native half of the package `ptc_runner`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use crate::agent::{Agent, Running};
    #[pymodule_export]
    use crate::attached::close;
    #[pymodule_export]
    use crate::budget::Budget;
    #[pymodule_export]
    use crate::host::Answer;
    #[pymodule_export]
    use crate::model::ScriptedModel;
    #[pymodule_export]
    use crate::program::{Function, Program, compile};
    #[pymodule_export]
    use crate::schema::check_signature;
    #[pymodule_export]
    use crate::schema::schema_type;
    #[pymodule_export]
    use crate::session::{Data, Session};
    #[pymodule_export]
    use crate::step::Step;
}
