//! Facts of builtins: columns of a row from which the optimizer and the analyses of programs know what a call does.
//!
//! A test runs the examples of each row and compares what they give with what the row says; another one names the rows that
//! take functions and do not say how often they call them.

#[cfg(test)]
mod tests;

/// What is known of the calls of a builtin, besides when they are pure and how much they read.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Facts {
    /// What it does with functions among its arguments; `None` where nobody said.
    pub callback: Option<Callback>,
    pub size: Size,
    pub returns: Returns,
    pub owns: Owns,
    /// Whether it returns a transducer when it gets no collection: with the fewest arguments that it takes.
    pub stage: bool,
    /// Whether it tests that something is there, or that nothing is.
    pub presence: Option<bool>,
    pub uses: Uses,
    /// Whether each of many arguments is like the last one.
    pub alike: bool,
    /// Whether it returns what the host or an earlier program left.
    pub kept: bool,
}

/// What a builtin does with functions among its arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Callback {
    /// It may keep them, or call them as often as it likes: `swap!` calls again when the cell has changed in between.
    Any,
    /// It reads its arguments; it keeps and calls none.
    Never,
    /// It calls the argument of the first index for each element of the collection at the second index; without the
    /// collection it returns a transducer, with more arguments it does something else.
    Each(usize, usize),
    /// It calls its first argument for each row of the other ones, as many times as the shortest has elements. Without
    /// them it returns a transducer.
    Rows,
    /// It calls its first argument for each element of the last one. Without an initial value between them, it calls it
    /// once when there are no elements.
    Fold,
    /// It calls this argument once.
    Once(usize),
    /// It calls its second argument as often as the first says.
    Times,
    /// It calls its first argument once for each of the other arguments.
    PerArgument,
    /// It calls each argument once, concurrently.
    All,
    /// It calls its first argument with the others; the last of them is a collection.
    Apply,
    /// It passes the elements of its last argument through the transducer at the first index; with fewer arguments, or
    /// more than the second number, it does something else.
    Through(usize, usize),
    /// It returns a function of its arguments that calls these at most once each time it is called.
    Makes(Parts),
}

/// Which arguments the returned function calls.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    All,
    /// All; of transducers it creates a single one.
    Chain,
    First,
    None,
    /// Some of them, as often as it likes.
    Often,
}

/// A bound on the result of a builtin.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Any,
    /// A value without elements.
    Scalar,
    /// A marker that is never an element.
    Marker,
    /// As many elements as the argument of this index.
    Same(usize),
    /// One element less than that argument, which becomes empty when this is repeated.
    Shorter(usize),
    /// As many elements as the last argument.
    Last,
    /// As many elements as the shortest argument from this index on.
    Shortest(usize),
    /// As many elements as all arguments together.
    Together,
    /// The same for two arguments; three do something else.
    Both,
    /// As many elements as the first of two arguments says, and no more than the second has.
    Taken,
    /// As many elements as the first of two arguments says.
    Number,
    /// The numbers from a start to an end.
    Range,
    /// One element for each argument.
    Arguments,
    Two,
    /// The elements of the results of all calls.
    Results,
    /// The number of elements of the argument.
    Count,
    /// The second argument.
    Second,
}

/// The kind of the result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Returns {
    Any,
    /// A map or a set, whatever the arguments.
    Table,
    /// A map or a set when the first argument is one.
    TableOfFirst,
    /// A number.
    Number,
    /// Nil or a sequence, to whose front `conj` adds in Clojure.
    Sequence,
}

/// Which argument a call changes in place when nothing else holds it, although no function of the machine does that.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owns {
    None,
    First,
    Last,
}

/// What it does with the values of its arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Uses {
    Any,
    /// Each is computed with: nil is an error, or a wrong result.
    Computes,
    /// They are shown.
    Shows,
}

impl Facts {
    pub const NONE: Facts = Facts {
        callback: None,
        size: Size::Any,
        returns: Returns::Any,
        owns: Owns::None,
        stage: false,
        presence: None,
        uses: Uses::Any,
        alike: false,
        kept: false,
    };
}

/// Set a column from the metadata of a definition in the prelude. `None` for an unknown column or value, which tests refuse.
pub(super) fn describe(facts: &mut Facts, column: &str, words: &[&str]) -> Option<()> {
    let number = |at: usize| words.get(at).and_then(|word| word.parse().ok());
    let first = *words.first()?;
    match column {
        ":callback" => {
            facts.callback = Some(match first {
                ":any" => Callback::Any,
                ":never" => Callback::Never,
                ":each" => Callback::Each(number(1)?, number(2)?),
                ":rows" => Callback::Rows,
                ":fold" => Callback::Fold,
                ":once" => Callback::Once(number(1)?),
                ":times" => Callback::Times,
                ":per-argument" => Callback::PerArgument,
                ":through" => Callback::Through(number(1)?, number(2)?),
                ":makes" => Callback::Makes(match *words.get(1)? {
                    ":all" => Parts::All,
                    ":chain" => Parts::Chain,
                    ":first" => Parts::First,
                    ":none" => Parts::None,
                    ":often" => Parts::Often,
                    _ => return None,
                }),
                _ => return None,
            })
        }
        ":size" => {
            facts.size = match first {
                ":scalar" => Size::Scalar,
                ":same" => Size::Same(number(1)?),
                ":shortest" => Size::Shortest(number(1)?),
                ":number" => Size::Number,
                ":two" => Size::Two,
                ":results" => Size::Results,
                _ => return None,
            }
        }
        ":returns" => {
            facts.returns = match first {
                ":table" => Returns::Table,
                ":table-of-first" => Returns::TableOfFirst,
                ":sequence" => Returns::Sequence,
                _ => return None,
            }
        }
        ":owns" if first == ":first" => facts.owns = Owns::First,
        ":stage" => facts.stage = true,
        ":alike" => facts.alike = true,
        ":computes" => facts.uses = Uses::Computes,
        _ => return None,
    }
    Some(())
}
