//! The special forms and macros: one row each.

use super::ir::{Kind, Node};
use super::repeat::Comprehension;
use super::thread::Side;
use super::{Analyzer, Reason, Span, Tail, nil};
use crate::parse::{Form, FormKind};

/// One use of a special form.
#[derive(Copy, Clone)]
pub(super) struct Use<'f> {
    pub name: &'static str,
    pub template: &'static str,
    /// The forms after the head.
    pub args: &'f [Form],
    /// The whole form.
    pub span: Span,
    pub tail: Tail,
}

/// Returns the resolved form; `None` when a problem was reported.
type Expand = fn(&mut Analyzer<'_>, &Use<'_>) -> Option<Node>;

/// A special form or macro: everything said about it anywhere comes from its row.
pub(crate) struct SpecialForm {
    /// The name that programs use.
    pub name: &'static str,
    /// How it is written: `(if test then else?)`.
    pub template: &'static str,
    /// One line: what it does, in the terms of its template.
    pub doc: &'static str,
    pub(super) strength: Strength,
    /// Fewest and most parts after the head.
    parts: (usize, usize),
    expand: Expand,
}

/// What may take the name of a special form.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Strength {
    /// Nothing.
    Fixed,
    /// A local.
    Macro,
    /// A local or a definition.
    Open,
}

use Strength::{Fixed, Macro, Open};

const MANY: usize = usize::MAX;

impl SpecialForm {
    /// Whether a local may take its name; the names of the other forms are fixed.
    pub fn is_macro(&self) -> bool {
        self.strength != Fixed
    }

    pub(super) fn expand(&self, analyzer: &mut Analyzer<'_>, site: &Use<'_>) -> Node {
        let found = site.args.len();
        let is_possible = found >= self.parts.0 && found <= self.parts.1;
        let node = if is_possible { (self.expand)(analyzer, site) } else { analyzer.wrong_count(site) };
        node.unwrap_or_else(|| nil(site.span))
    }
}

impl Analyzer<'_> {
    /// The special form that this head names, unless a local (or, where allowed, a definition) took its name.
    pub(super) fn special(&self, head: &Form) -> Option<&'static SpecialForm> {
        let FormKind::Symbol(symbol) = &head.kind else { return None };
        let row = find(&symbol.name)?;
        if let Some(namespace) = &symbol.ns {
            let namespace = self.namespace(namespace)?;
            return self.names.builtin(Some(namespace), &symbol.name).is_none().then_some(row);
        }
        let taken = match row.strength {
            Fixed => false,
            Macro => self.is_local(row.name),
            Open => self.is_local(row.name) || self.is_definition(row.name),
        };
        (!taken).then_some(row)
    }

    /// `if: expected (if test then else?), got 1`
    pub(super) fn wrong_count<T>(&mut self, site: &Use<'_>) -> Option<T> {
        let text = format!("{}: expected {}, got {}", site.name, site.template, site.args.len());
        self.refuse(Reason::InvalidArity, text, site.span)
    }

    /// `let: expected (let [name value ...] body...)`
    pub(super) fn wrong_shape<T>(&mut self, site: &Use<'_>, span: Span) -> Option<T> {
        self.refuse(Reason::InvalidForm, format!("{}: expected {}", site.name, site.template), span)
    }
}

/// The special form of this name.
pub(crate) fn find(name: &str) -> Option<&'static SpecialForm> {
    let index = ROWS.binary_search_by(|row| row.name.cmp(name)).ok()?;
    ROWS.get(index)
}

/// All special forms and macros, by name.
pub(crate) fn special_forms() -> &'static [SpecialForm] {
    ROWS
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

macro_rules! rows {
    ($($name:literal $strength:ident $least:tt $most:tt $template:literal $method:ident $(($($arg:expr),*))? $doc:literal;)*) => {
        /// Sorted by name.
        static ROWS: &[SpecialForm] = &[$(SpecialForm {
            name: $name,
            template: $template,
            doc: $doc,
            strength: $strength,
            parts: ($least, $most),
            expand: |analyzer, site| analyzer.$method(site $($(, $arg)*)?).into(),
        }),*];
    };
}

rows! {
    "->" Macro 0 MANY "(-> value step...)" thread(Side::First)
        "The value goes through the steps in order, each time as the first argument.";
    "->>" Macro 0 MANY "(->> value step...)" thread(Side::Last)
        "The value goes through the steps in order, each time as the last argument.";
    "." Open 0 MANY "(.method object args...)" dot
        "Calls one of the Java-flavoured methods, such as `.indexOf`, on an object.";
    ".." Open 2 MANY "(.. object step...)" dot_chain
        "Method calls one after another, each on the result of the one before.";
    "and" Macro 0 MANY "(and test...)" tests(Kind::And)
        "The first value that is nil or false, else the last; true for none.";
    "as->" Macro 2 MANY "(as-> value name step...)" as_thread
        "The value goes through the steps under a name that each of them may use anywhere.";
    "assert" Open 1 2 "(assert test message?)" assert
        "Nil when the test holds, else an `assertion_error` with the message.";
    "call" Open 0 MANY "(tool/name args...)" call_by_name
        "The older way to call a tool; write `(tool/name args)`.";
    "case" Macro 1 MANY "(case value constant result ... default?)" case
        "The result whose constant equals the value, else the default; a list of constants stands for any of them.";
    "comment" Macro 0 MANY "(comment ...)" comment
        "Nil; nothing inside is evaluated.";
    "cond" Macro 0 MANY "(cond test value ...)" cond
        "The value after the first test that holds, nil if none does; `:else` always holds.";
    "cond->" Macro 1 MANY "(cond-> value test step ...)" cond_thread(Side::First)
        "As `->`, with the steps whose tests hold.";
    "cond->>" Macro 1 MANY "(cond->> value test step ...)" cond_thread(Side::Last)
        "As `->>`, with the steps whose tests hold.";
    "condp" Macro 2 MANY "(condp predicate value test result ... default?)" condp
        "The result of the first test for which `(predicate test value)` holds, else the default.";
    "declare" Macro 0 MANY "(declare name...)" declare_names
        "Announces names that are defined further down.";
    "def" Fixed 2 MANY "(def name value) or (def name \"doc\" value)" define_value(false)
        "Binds a name for the rest of the program and for later turns.";
    "defn" Macro 2 MANY "(defn name [params] body...)" defn
        "Defines a function, with one or several parameter lists; a docstring may follow the name.";
    "defn-" Macro 2 MANY "(defn- name [params] body...)" defn
        "The same as `defn`.";
    "defonce" Macro 2 MANY "(defonce name value) or (defonce name \"doc\" value)" define_value(true)
        "As `def`, but an existing definition stays.";
    "delay" Open 0 MANY "(delay body...)" postponed("%delay")
        "The body, run when `force` or `@` first asks for its value.";
    "do" Fixed 0 MANY "(do body...)" do_body
        "Runs the forms in order; the value of the last.";
    "doseq" Macro 1 MANY "(doseq [name coll ...] body...)" comprehension(Comprehension::Doseq)
        "Runs the body for each element, nested like `for`; nil.";
    "dotimes" Macro 1 MANY "(dotimes [name count] body...)" dotimes
        "Runs the body with the name bound to 0, 1 and so on; nil.";
    "doto" Macro 1 MANY "(doto value step...)" doto
        "Runs the steps with the value as first argument; the value itself.";
    "fn" Fixed 1 MANY "(fn [params] body...)" function_form
        "A function; it may name itself, have several parameter lists and take its arguments apart.";
    "for" Macro 2 MANY "(for [name coll ...] body)" comprehension(Comprehension::For)
        "The values of the body for each element, nested from left to right; `:when`, `:while` and `:let` may come between.";
    "if" Fixed 2 3 "(if test then else?)" if_else(true)
        "The second form when the test is neither nil nor false, else the third.";
    "if-let" Macro 2 3 "(if-let [name test] then else?)" if_bound(false)
        "As `if`, with the tested value bound in the second form.";
    "if-not" Macro 2 3 "(if-not test then else?)" if_else(false)
        "As `if`, with the forms swapped.";
    "if-some" Macro 2 3 "(if-some [name value] then else?)" if_bound(true)
        "As `if-let`, with nil as the only value that fails.";
    "import" Open 0 MANY "(import ...)" import
        "Accepted where it brings in nothing; there are no Java classes.";
    "lazy-cat" Macro 0 MANY "(lazy-cat coll...)" lazy_cat
        "The elements of the collections in order, each collection evaluated when it is reached.";
    "lazy-seq" Macro 0 MANY "(lazy-seq body...)" postponed("%lazy")
        "A sequence whose body runs when its elements are asked for.";
    "let" Fixed 1 MANY "(let [name value ...] body...)" let_form
        "Binds names one after another, then runs the body; patterns take values apart.";
    "letfn" Macro 1 MANY "(letfn [(name [params] body...) ...] body...)" letfn
        "Binds functions that may call each other, then runs the body.";
    "loop" Fixed 1 MANY "(loop [name value ...] body...)" loop_form
        "Binds names like `let`; `recur` in the body starts again with new values.";
    "new" Open 1 MANY "(Class. args...)" new_object
        "Makes an exception by class name; `(ex-info message data)` is the usual way.";
    "ns" Open 0 MANY "(ns name ...)" ns
        "Accepted where it only names namespaces of Clojure.";
    "or" Macro 0 MANY "(or test...)" tests(Kind::Or)
        "The first value that is neither nil nor false, else the last; nil for none.";
    "quote" Fixed 1 1 "(quote form)" quote
        "The form itself, not evaluated: names become symbols.";
    "recur" Fixed 0 MANY "(recur value...)" recur
        "Goes back to the innermost `loop` or function with new values; only in tail position.";
    "require" Open 0 MANY "(require ...)" require
        "Gives aliases to namespaces of Clojure, which are there anyway; later programs of the session have them, too.";
    "some->" Macro 1 MANY "(some-> value step...)" some_thread(Side::First)
        "As `->`, ending with nil at the first value that is nil.";
    "some->>" Macro 1 MANY "(some->> value step...)" some_thread(Side::Last)
        "As `->>`, ending with nil at the first value that is nil.";
    "task" Open 2 MANY "(task id body...)" task
        "Runs the body once in a mission and remembers its value under the id.";
    "throw" Fixed 1 1 "(throw exception)" throw
        "Raises an exception made by `ex-info`.";
    "time" Open 1 1 "(time form)" time
        "The value of the form; prints `Elapsed time: 1.5 msecs`.";
    "try" Fixed 0 MANY "(try body... (catch Class name body...) (finally body...))" try_form
        "The value of the body; errors go to the `catch` that names their class, `finally` runs in any case.";
    "use" Open 0 MANY "(use ...)" require
        "As `require`.";
    "var" Macro 1 1 "(var name)" var
        "The definition itself, which calls whatever the name is bound to; `#'name` is the same.";
    "when" Macro 1 MANY "(when test body...)" when(true)
        "The body when the test holds, else nil.";
    "when-first" Macro 1 MANY "(when-first [name coll] body...)" when_first
        "The body with the first element bound, nil for an empty collection.";
    "when-let" Macro 1 MANY "(when-let [name test] body...)" when_bound(false)
        "As `when`, with the tested value bound in the body.";
    "when-not" Macro 1 MANY "(when-not test body...)" when(false)
        "The body when the test does not hold, else nil.";
    "when-some" Macro 1 MANY "(when-some [name value] body...)" when_bound(true)
        "As `when-let`, with nil as the only value that fails.";
    "where" Open 0 MANY "(where field) or (where field op value)" where_predicate
        "A predicate on rows: the field is truthy, or compares with the value by `= not= > < >= <= in includes`.";
    "while" Macro 1 MANY "(while test body...)" while_loop
        "Runs the body as long as the test holds; nil.";
    "with-out-str" Macro 0 MANY "(with-out-str body...)" with_out_str
        "What the body prints, as a string.";
}
