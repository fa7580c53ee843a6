//! The answer of a run in another format, on standard output or in a file.

use std::io::{self, Write};
use std::path::Path;

use ptc_runner::config::{RecordError, RecordFormat, named};
use ptc_runner::lisp::Value;
use ptc_runner::transcript::Step;

use crate::failure::{Exit, Failure};
use crate::files::{Format, WholeFile};
use crate::{ended, output};

/// Where an answer is written besides standard output.
pub(crate) struct Target {
    format: RecordFormat,
    file: WholeFile,
}

impl Target {
    /// Errors when the name of the file does not say a format, and when it may not be replaced.
    pub(crate) fn new(path: &Path, force: bool) -> Result<Target, Failure> {
        let format = RecordFormat::of_file(path).ok_or_else(|| {
            let endings: Vec<String> = RecordFormat::ENDINGS.iter().map(|(ending, _)| format!(".{ending}")).collect();
            format!("--out {}: its ending says the format; use one of {}", named(path), endings.join(", "))
        })?;
        format.check_build()?;
        Ok(Target { format, file: WholeFile::at(path, Format::OUT, force)? })
    }

    /// Write the answer, if there is one.
    pub(super) fn write(&self, step: &Step) -> Result<(), Failure> {
        returned(step).map_or(Ok(()), |value| self.write_value(value))
    }

    /// Write a value.
    pub(crate) fn write_value(&self, value: &Value) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        let remarks = self.format.write(value, &mut bytes).map_err(|error| format!("--out: {error}"))?;
        output::notes(&remarks);
        Ok(self.file.write_bytes(&bytes)?)
    }
}

/// Print the answer, if there is one. One that the format does not take is printed as programs write it.
pub(super) fn print(format: RecordFormat, step: &Step, out: &mut dyn Write) -> io::Result<()> {
    let Some(value) = returned(step) else { return Ok(()) };
    let mut bytes = Vec::new();
    match format.write(value, &mut bytes) {
        Ok(remarks) => {
            output::notes(&remarks);
            out.write_all(&bytes)
        }
        Err(RecordError::Io(error)) => Err(error),
        Err(error) => {
            output::remarks(&[format!("--output: {error}; it is printed as it is")]);
            ended::answer(step, out)
        }
    }
}

fn returned(step: &Step) -> Option<&Value> {
    (ended::exit(step, None) == Exit::Ok).then(|| step.return_value().unwrap_or(&Value::Nil))
}
