//! The special forms and macros: one row each.

use super::ir::Node;
use super::{Analyzer, Reason, Span, Tail};
use crate::parse::{Form, FormKind};

/// One use of a special form.
#[derive(Copy, Clone)]
pub(super) struct Use<'f> {
    pub name: &'static str,
    pub template: &'static str,
    /// The forms behind the head.
    pub args: &'f [Form],
    /// The whole form.
    pub span: Span,
    pub tail: Tail,
}

type Expand = fn(&mut Analyzer<'_>, &Use<'_>) -> Node;

/// What a special form is.
pub(super) struct Row {
    pub name: &'static str,
    /// How it is written, for messages.
    pub template: &'static str,
    pub strength: Strength,
    /// Fewest and most parts behind the head.
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

impl Row {
    pub fn expand(&self, analyzer: &mut Analyzer<'_>, site: &Use<'_>) -> Node {
        let found = site.args.len();
        if found < self.parts.0 || found > self.parts.1 {
            return analyzer.wrong_count(site);
        }
        (self.expand)(analyzer, site)
    }
}

impl Analyzer<'_> {
    /// The special form that this head names, unless a local (or, where allowed, a definition) took its name.
    pub(super) fn special(&self, head: &Form) -> Option<&'static Row> {
        let FormKind::Symbol(symbol) = &head.kind else {
            return None;
        };
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
    pub(super) fn wrong_count(&mut self, site: &Use<'_>) -> Node {
        let text = format!("{}: expected {}, got {}", site.name, site.template, site.args.len());
        self.problem(Reason::InvalidArity, text, site.span)
    }

    /// `let: expected (let [name value ...] body...)`
    pub(super) fn wrong_shape(&mut self, site: &Use<'_>, span: Span) -> Node {
        self.problem(Reason::InvalidForm, format!("{}: expected {}", site.name, site.template), span)
    }
}

/// The special form of this name.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    let index = ROWS.binary_search_by(|row| row.name.cmp(name)).ok()?;
    ROWS.get(index)
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ROWS.iter().map(|row| row.name)
}

macro_rules! rows {
    ($($name:literal $strength:ident $least:tt $most:tt $template:literal $method:ident;)*) => {
        /// Sorted by name.
        static ROWS: &[Row] = &[$(Row {
            name: $name,
            template: $template,
            strength: $strength,
            parts: ($least, $most),
            expand: |analyzer, site| analyzer.$method(site),
        }),*];
    };
}

rows! {
    "->" Macro 0 MANY "(-> value step...)" thread_first;
    "->>" Macro 0 MANY "(->> value step...)" thread_last;
    "." Open 0 MANY "(.method object args...)" dot;
    ".." Open 2 MANY "(.. object step...)" dot_chain;
    "and" Macro 0 MANY "(and test...)" and;
    "as->" Macro 2 MANY "(as-> value name step...)" as_thread;
    "assert" Open 1 2 "(assert test message?)" assert;
    "call" Open 0 MANY "(tool/name args...)" call_by_name;
    "case" Macro 1 MANY "(case value constant result ... default?)" case;
    "comment" Macro 0 MANY "(comment ...)" comment;
    "cond" Macro 0 MANY "(cond test value ...)" cond;
    "cond->" Macro 1 MANY "(cond-> value test step ...)" cond_first;
    "cond->>" Macro 1 MANY "(cond->> value test step ...)" cond_last;
    "condp" Macro 2 MANY "(condp predicate value test result ... default?)" condp;
    "declare" Macro 0 MANY "(declare name...)" declare_names;
    "def" Fixed 2 MANY "(def name value) or (def name \"doc\" value)" def;
    "defn" Macro 2 MANY "(defn name [params] body...)" defn;
    "defn-" Macro 2 MANY "(defn- name [params] body...)" defn;
    "defonce" Macro 2 MANY "(defonce name value) or (defonce name \"doc\" value)" defonce;
    "delay" Open 0 MANY "(delay body...)" delay;
    "do" Fixed 0 MANY "(do body...)" do_body;
    "doseq" Macro 1 MANY "(doseq [name coll ...] body...)" doseq;
    "dotimes" Macro 1 MANY "(dotimes [name count] body...)" dotimes;
    "doto" Macro 1 MANY "(doto value step...)" doto;
    "fn" Fixed 1 MANY "(fn [params] body...)" function_form;
    "for" Macro 2 MANY "(for [name coll ...] body)" for_each;
    "if" Fixed 2 3 "(if test then else?)" if_else;
    "if-let" Macro 2 3 "(if-let [name test] then else?)" if_let;
    "if-not" Macro 2 3 "(if-not test then else?)" if_not;
    "if-some" Macro 2 3 "(if-some [name value] then else?)" if_some;
    "import" Open 0 MANY "(import ...)" import;
    "lazy-cat" Macro 0 MANY "(lazy-cat coll...)" lazy_cat;
    "lazy-seq" Macro 0 MANY "(lazy-seq body...)" lazy_seq;
    "let" Fixed 1 MANY "(let [name value ...] body...)" let_form;
    "letfn" Macro 1 MANY "(letfn [(name [params] body...) ...] body...)" letfn;
    "loop" Fixed 1 MANY "(loop [name value ...] body...)" loop_form;
    "new" Open 1 MANY "(Class. args...)" new_object;
    "ns" Open 0 MANY "(ns name ...)" ns;
    "or" Macro 0 MANY "(or test...)" or;
    "quote" Fixed 1 1 "(quote form)" quote;
    "recur" Fixed 0 MANY "(recur value...)" recur;
    "require" Open 0 MANY "(require ...)" require;
    "some->" Macro 1 MANY "(some-> value step...)" some_first;
    "some->>" Macro 1 MANY "(some->> value step...)" some_last;
    "task" Open 2 MANY "(task id body...)" task;
    "throw" Fixed 1 1 "(throw exception)" throw;
    "time" Open 1 1 "(time form)" time;
    "try" Fixed 0 MANY "(try body... (catch Class name body...) (finally body...))" try_form;
    "use" Open 0 MANY "(use ...)" require;
    "var" Macro 1 1 "(var name)" var;
    "when" Macro 1 MANY "(when test body...)" when;
    "when-first" Macro 1 MANY "(when-first [name coll] body...)" when_first;
    "when-let" Macro 1 MANY "(when-let [name test] body...)" when_let;
    "when-not" Macro 1 MANY "(when-not test body...)" when_not;
    "when-some" Macro 1 MANY "(when-some [name value] body...)" when_some;
    "where" Open 0 MANY "(where field) or (where field op value)" where_predicate;
    "while" Macro 1 MANY "(while test body...)" while_loop;
    "with-out-str" Macro 0 MANY "(with-out-str body...)" with_out_str;
}
