//! Going back to earlier definitions.

use std::sync::Arc;

use super::Session;
use crate::error::{Error, Reason};
use crate::eval::globals::Globals;

/// The definitions of a session at one moment. While it is held, what they refer to stays in the session.
pub struct Checkpoint(Arc<Globals>);

impl Session {
    /// The current definitions, for [`Session::restore`]: for hosts that may refuse a turn afterwards.
    #[must_use]
    pub fn checkpoint(&mut self) -> Checkpoint {
        let globals = self.machine.globals.clone();
        Checkpoint(self.machine.hold(globals))
    }

    /// Go back to a checkpoint; atoms keep their contents. A program that waits is abandoned, as by [`Session::start`].
    ///
    /// Errors with `foreign_value` and changes nothing when it is a checkpoint of another session:
    /// [`SessionOptions::definitions`](super::SessionOptions::definitions) carries definitions over.
    ///
    /// ```
    /// use ptc_lisp::{Session, SessionOptions, no_tools};
    ///
    /// let mut session = Session::new(SessionOptions::default());
    /// session.run("(def rate 2)", &mut no_tools);
    /// let before = session.checkpoint();
    /// session.run("(def rate 3)", &mut no_tools);
    /// session.restore(before)?;
    /// assert_eq!(session.run("rate", &mut no_tools).into_result()?.to_string(), "2");
    /// let mut other = Session::new(SessionOptions::default());
    /// assert!(other.restore(session.checkpoint()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn restore(&mut self, checkpoint: Checkpoint) -> Result<(), Error> {
        if !self.machine.holds(&checkpoint.0) {
            return Err(Error::new(
                Reason::ForeignValue,
                "this is a checkpoint of another session: restore it there, or begin this session with the definitions \
                 of that one (`SessionOptions::definitions`)",
            ));
        }
        self.abandon();
        self.machine.globals.go_back(&checkpoint.0);
        self.carried = None;
        Ok(())
    }
}
