//! The row of a builtin, and the macro in which families write theirs.

use super::argument::{Arithmetic, Relation, Test};
use super::call::{Begin, Call};
use super::facts::{Callback, Facts, Owns, Returns, Size, Uses};
use super::quick::calls::Quick;
use crate::error::Res;
use crate::value::Value;

/// One builtin function: everything said about it anywhere comes from this row.
pub struct Builtin {
    /// The name that programs use. A name that is reachable only through its namespace is written with the short alias:
    /// `str/reverse`.
    pub name: &'static str,
    /// Namespaces, by short alias, that have a bare name too: `blank?` is also `str/blank?`.
    pub namespaces: &'static [&'static str],
    /// Parameter lists, one per arity: `"[f coll]"`, `"[f & colls]"`. A list with `&` takes any number from there on.
    pub params: &'static [&'static str],
    /// One line: what it returns, in the terms of its parameters.
    pub doc: &'static str,
    /// Programs and the text of their values.
    pub examples: &'static [(&'static str, &'static str)],
    /// What must be realised before the call.
    pub force: Force,
    /// When a call has no effect besides its value or an error.
    pub(crate) purity: Purity,
    /// How much of the sequences among its arguments it reads.
    pub(crate) demand: Demand,
    /// What it does with its first argument, when that may be changed in place.
    pub(crate) in_place: Option<InPlace>,
    /// What else the optimizer and the analyses of programs know of its calls.
    pub(crate) facts: Facts,
    /// How calls are made without its function, for most arguments.
    pub(crate) quick: Option<Quick>,
    /// How it runs.
    pub(crate) run: Run,
}

impl Builtin {
    pub(super) const fn new(name: &'static str, force: Force, run: Run) -> Builtin {
        Builtin {
            name,
            namespaces: &[],
            params: &[],
            doc: "",
            examples: &[],
            force,
            purity: Purity::Unknown,
            demand: Demand::Whole,
            in_place: None,
            facts: Facts::NONE,
            quick: None,
            run,
        }
    }

    /// A row whose function never gets a generator as an argument.
    pub(crate) const fn shallow(name: &'static str, run: Plain) -> Builtin {
        Builtin { purity: Purity::Pure, ..Builtin::new(name, Force::Shallow, Run::Plain(run)) }
    }

    /// A row whose function looks at everything in its arguments.
    pub(crate) const fn deep(name: &'static str, run: Plain) -> Builtin {
        Builtin { purity: Purity::Pure, ..Builtin::new(name, Force::Deep, Run::Plain(run)) }
    }

    /// A row whose function handles generators itself, or takes its arguments unchanged.
    pub(crate) const fn lazy(name: &'static str, run: Plain) -> Builtin {
        Builtin { purity: Purity::Pure, ..Builtin::new(name, Force::Lazy, Run::Plain(run)) }
    }

    /// A row whose function may delegate the call to another one.
    pub(crate) const fn native(name: &'static str, start: Start) -> Builtin {
        Builtin::new(name, Force::Lazy, Run::Native(start))
    }

    /// A row that starts a frame of the machine; only the machine knows how.
    pub(crate) const fn frame<F: Copy>(name: &'static str, _start: F) -> Builtin {
        Builtin::new(name, Force::Lazy, Run::Frame)
    }

    /// The namespaces, by short alias, that have this name too.
    pub(crate) const fn within(self, namespaces: &'static [&'static str]) -> Builtin {
        Builtin { namespaces, ..self }
    }

    /// Mark a row whose calls have no effect besides their value, as those of most Rust functions, which need no mark.
    pub(crate) const fn pure(self) -> Builtin {
        Builtin { purity: Purity::Pure, ..self }
    }

    /// Mark a row of a Rust function whose calls have an effect, or depend on more than their arguments.
    pub(crate) const fn effect(self) -> Builtin {
        Builtin { purity: Purity::Unknown, ..self }
    }

    /// Mark a row whose calls are pure if the argument at this index is a pure function.
    pub(crate) const fn carries(self, function: usize) -> Builtin {
        Builtin { purity: Purity::Carries(function), ..self }
    }

    /// Mark a row whose calls are pure if all arguments but the last are pure functions.
    pub(crate) const fn carries_all_but_last(self) -> Builtin {
        Builtin { purity: Purity::CarriesAllButLast, ..self }
    }

    /// Mark a row that reads only the first elements of these sequences.
    pub(crate) const fn prefix(self, of: Sequences) -> Builtin {
        Builtin { demand: Demand::Prefix(of), ..self }
    }

    /// Mark a row that reads as much of these sequences as is read of its value.
    pub(crate) const fn passes(self, of: Sequences) -> Builtin {
        Builtin { demand: Demand::Same(of), ..self }
    }

    /// Mark a row that computes its value from these sequences element by element.
    pub(crate) const fn steps(self, over: Sequences) -> Builtin {
        Builtin { demand: Demand::Steps { over, function: None, stops: false }, ..self }
    }

    /// Give the row a quick call.
    pub(crate) const fn quick(self, quick: Quick) -> Builtin {
        Builtin { quick: Some(quick), ..self }
    }

    /// Give the row an instruction for two numbers.
    pub(crate) const fn arithmetic(self, function: Arithmetic) -> Builtin {
        self.quick(Quick::Arithmetic(function))
    }

    /// Give the row an instruction that compares two numbers.
    pub(crate) const fn compares(self, relation: Relation) -> Builtin {
        self.quick(Quick::Compare(relation))
    }

    /// Give the row an instruction that tests one value.
    pub(crate) const fn test(self, test: Test) -> Builtin {
        self.quick(Quick::Test(test))
    }

    /// Mark a row that may change its first argument in place.
    pub(crate) const fn in_place(self, how: InPlace) -> Builtin {
        Builtin { in_place: Some(how), ..self }
    }
}

/// The columns, as flags of a row.
macro_rules! columns {
    ($($(#[$doc:meta])* $column:ident: $kind:ty),*) => {
        impl Builtin {
            $($(#[$doc])*
            pub(crate) const fn $column(self, $column: $kind) -> Builtin {
                Builtin { facts: Facts { $column, ..self.facts }, ..self }
            })*
        }
    };
}

columns! {
    /// See [`Size`].
    size: Size,
    /// See [`Returns`].
    returns: Returns,
    /// See [`Owns`].
    owns: Owns,
    /// See [`Uses`].
    uses: Uses
}

impl Builtin {
    /// See [`Callback`].
    pub(crate) const fn callback(self, callback: Callback) -> Builtin {
        Builtin { facts: Facts { callback: Some(callback), ..self.facts }, ..self }
    }

    /// Without a collection it returns a transducer.
    pub(crate) const fn stage(self) -> Builtin {
        Builtin { facts: Facts { stage: true, ..self.facts }, ..self }
    }

    /// It tests whether something is there.
    pub(crate) const fn presence(self, is_there: bool) -> Builtin {
        Builtin { facts: Facts { presence: Some(is_there), ..self.facts }, ..self }
    }

    /// Each of many arguments is like the last one.
    pub(crate) const fn alike(self) -> Builtin {
        Builtin { facts: Facts { alike: true, ..self.facts }, ..self }
    }

    /// It returns what the host or an earlier program left.
    pub(crate) const fn kept(self) -> Builtin {
        Builtin { facts: Facts { kept: true, ..self.facts }, ..self }
    }

    /// How it compares numbers.
    pub(crate) fn relation(&self) -> Option<Relation> {
        if let Some(Quick::Compare(relation)) = self.quick { Some(relation) } else { None }
    }

    /// Whether a call changes its first argument in place when nothing else holds it.
    pub(crate) fn changes_first(&self) -> bool {
        self.facts.owns == Owns::First || self.in_place.is_some_and(|how| how != InPlace::Compute)
    }

    /// Whether it returns a transducer for this many arguments.
    pub(crate) fn is_stage(&self, arguments: usize) -> bool {
        let fewest =
            self.params.iter().map(|params| params.split_whitespace().filter(|name| *name != "[]").count()).min();
        self.facts.stage && fewest == Some(arguments)
    }

    /// Whether it makes a function of functions, and a pure one of pure ones.
    pub(crate) fn is_combinator(&self) -> bool {
        matches!(self.facts.callback, Some(Callback::Makes(_))) && self.purity == Purity::Pure
    }
}

/// A family: its title, then for each builtin
///
/// ```text
/// "name" "[parameter list]"… kind flag… = function,
///     "What it gives." "(program)" => "value", …;
/// ```
///
/// where the kind is `shallow`, `deep`, `lazy` or `native`, and each flag a method of [`Builtin`]. Only a hidden row has
/// no description.
macro_rules! rows {
    ($title:literal; $(
        $name:literal $($params:literal)+ $kind:ident $($flag:ident $(($($arg:expr),+))?)* = $run:expr
        $(, $doc:literal $($program:literal => $value:literal),*)?;
    )*) => {
        {
            #[allow(unused_imports, reason = "few families need all kinds of facts")]
            use $crate::stdlib::facts::{Callback, Owns, Parts, Returns, Size, Uses};
            $crate::stdlib::Family {
                title: $title,
                rows: &[$($crate::stdlib::Builtin {
                    params: &[$($params),+],
                    $(doc: $doc, examples: &[$(($program, $value)),*],)?
                    ..$crate::stdlib::Builtin::$kind($name, $run)$(.$flag($($($arg),+)?))*
                }),*],
            }
        }
    };
}
pub(crate) use rows;

/// A Rust function that never calls back into the machine, except where keys of a sorted collection are compared.
pub(crate) type Plain = fn(&mut Call<'_>) -> Res;

/// How a call starts that may be delegated to another function.
pub(crate) type Start = fn(&mut Call<'_>) -> Res<Begin>;

/// How much of its arguments a builtin needs realised.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Force {
    /// Every generator argument becomes a vector first: the function never gets a generator as an argument.
    Shallow,
    /// Generators inside the arguments become vectors, too: for printing, hashing, comparing, JSON.
    Deep,
    /// The function handles generators itself. One that surely ends becomes a vector first unless the row's demand says
    /// that it reads a prefix: then nothing tells both apart.
    Lazy,
}

/// When calls of a builtin have no effect besides their value or an error.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Purity {
    Unknown,
    Pure,
    /// When the function at this argument is pure.
    Carries(usize),
    /// When the functions at all arguments but the last are pure.
    CarriesAllButLast,
}

impl Purity {
    /// The arguments that are called: without effects where those have none. `None` where the call itself may have one.
    pub(crate) fn called<T>(self, args: &[T]) -> Option<&[T]> {
        match self {
            Purity::Unknown => None,
            Purity::Pure => Some(&[]),
            Purity::Carries(at) => args.get(at..=at),
            Purity::CarriesAllButLast => Some(args.split_last()?.1),
        }
    }
}

/// How much of the sequences among its arguments a builtin reads.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Demand {
    /// All of them.
    Whole,
    /// Their first elements: `first`, `take`, `some`.
    Prefix(Sequences),
    /// As much as is read of its value, which is one of them or a part of it: `rest`, `seq`.
    Same(Sequences),
    /// As much as its value needs, which is computed element by element, by the function at this argument if there is
    /// one: `map`. With `stops`, perhaps only a prefix even where its whole value is read: `take-while`.
    Steps { over: Sequences, function: Option<usize>, stops: bool },
}

/// Which arguments of a builtin are sequences.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sequences {
    First,
    /// From this one on. Numbers among them do not count.
    From(usize),
}

/// What a builtin does with its first argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum InPlace {
    Conj,
    Into,
    Assoc,
    Put,
    Dissoc,
    Disj,
    Merge,
    Union,
    Append,
    Shorten,
    Compute,
}

/// How a builtin runs.
pub(crate) enum Run {
    /// A Rust function that requests no call of a function.
    Plain(Plain),
    /// A Rust function that returns a value, or says what to call instead.
    Native(Start),
    /// A frame of the machine, because it calls functions.
    Frame,
    /// A definition in `prelude.clj`.
    Prelude(&'static str),
}

/// A group of rows with a heading in the reference.
#[derive(Copy, Clone)]
pub struct Family {
    /// The heading.
    pub title: &'static str,
    /// The rows.
    pub rows: &'static [Builtin],
}

/// A name that is a value.
pub(crate) type Constant = (&'static str, Value);
