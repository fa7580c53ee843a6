//! Classes of errors: the part of Java's hierarchy that programs name after `catch`, `instance?` and in constructors.

use super::{Error, Reason};

/// A class of errors (L-12, L-67).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum ErrorClass {
    Throwable,
    Error,
    AssertionError,
    Exception,
    RuntimeException,
    ArithmeticException,
    ClassCastException,
    ExceptionInfo,
    IllegalArgumentException,
    ArityException,
    NumberFormatException,
    IllegalStateException,
    IndexOutOfBoundsException,
    NullPointerException,
    UnsupportedOperationException,
}

use ErrorClass::{
    ArithmeticException, ArityException, AssertionError, ClassCastException, ExceptionInfo, IllegalArgumentException,
    IllegalStateException, IndexOutOfBoundsException, NullPointerException, NumberFormatException, RuntimeException,
    Throwable, UnsupportedOperationException,
};

/// Each class with its name and the class above it.
const CLASSES: [(ErrorClass, &str, Option<ErrorClass>); 15] = [
    (Throwable, "Throwable", None),
    (ErrorClass::Error, "Error", Some(Throwable)),
    (AssertionError, "AssertionError", Some(ErrorClass::Error)),
    (ErrorClass::Exception, "Exception", Some(Throwable)),
    (RuntimeException, "RuntimeException", Some(ErrorClass::Exception)),
    (ArithmeticException, "ArithmeticException", Some(RuntimeException)),
    (ClassCastException, "ClassCastException", Some(RuntimeException)),
    (ExceptionInfo, "ExceptionInfo", Some(RuntimeException)),
    (IllegalArgumentException, "IllegalArgumentException", Some(RuntimeException)),
    (ArityException, "ArityException", Some(IllegalArgumentException)),
    (NumberFormatException, "NumberFormatException", Some(IllegalArgumentException)),
    (IllegalStateException, "IllegalStateException", Some(RuntimeException)),
    (IndexOutOfBoundsException, "IndexOutOfBoundsException", Some(RuntimeException)),
    (NullPointerException, "NullPointerException", Some(RuntimeException)),
    (UnsupportedOperationException, "UnsupportedOperationException", Some(RuntimeException)),
];

impl ErrorClass {
    /// The class with this name, written without its package.
    pub fn named(name: &str) -> Option<ErrorClass> {
        CLASSES.iter().find(|(_, known, _)| *known == name).map(|(class, ..)| *class)
    }

    /// The name without its package.
    pub fn name(self) -> &'static str {
        self.row().map_or("", |(_, name, _)| name)
    }

    /// Whether an error of this class is one of class `wanted`.
    pub fn is_a(self, wanted: ErrorClass) -> bool {
        let above = |class: &ErrorClass| class.row().and_then(|(.., above)| *above);
        std::iter::successors(Some(self), above).any(|class| class == wanted)
    }

    /// Whether `error` is of this class. One reason of the language can cover several classes of Java, and then is of
    /// each of them.
    pub fn takes(self, error: &Error) -> bool {
        match &error.class {
            Some(thrown) => thrown.is_a(self),
            None => of_reason(error.reason).iter().any(|class| class.is_a(self)),
        }
    }

    fn row(self) -> Option<&'static (ErrorClass, &'static str, Option<ErrorClass>)> {
        CLASSES.iter().find(|(class, ..)| *class == self)
    }
}

/// The classes of an error that the program did not create of a class itself.
fn of_reason(reason: Reason) -> &'static [ErrorClass] {
    match reason {
        Reason::ArithmeticError => &[ArithmeticException],
        Reason::TypeError | Reason::NotCallable | Reason::InvalidKeywordCall | Reason::DestructureError => {
            &[ClassCastException, NullPointerException]
        }
        Reason::ArityError => &[ArityException, IndexOutOfBoundsException, NumberFormatException],
        Reason::ArgumentError | Reason::InvalidToolArgs => {
            &[IllegalArgumentException, IndexOutOfBoundsException, NumberFormatException]
        }
        Reason::AssertionError => &[AssertionError],
        // `ex-info`, failures of tools, and what Java has no class for.
        _ => &[ExceptionInfo],
    }
}
