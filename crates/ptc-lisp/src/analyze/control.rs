//! The other special forms: bodies, lazy values, tasks, output, namespaces.

use super::ir::{Kind, Node};
use super::{
    Analyzer, Form, FormKind, Reason, Span, Tail, Use, Value, WarningCode, choice, constant, local, nil, quote,
};
use crate::parse::{Symbol, pairs};

impl Analyzer<'_> {
    pub(super) fn do_body(&mut self, site: &Use<'_>) -> Node {
        self.body(site.args, site.span, site.tail)
    }

    /// Its contents are ignored.
    pub(super) fn comment(&mut self, site: &Use<'_>) -> Node {
        nil(site.span)
    }

    pub(super) fn quote(&mut self, site: &Use<'_>) -> Option<Node> {
        Some(self.quoted(site.args.first()?, site.span))
    }

    pub(super) fn var(&mut self, site: &Use<'_>) -> Option<Node> {
        let form = site.args.first()?;
        match &form.kind {
            FormKind::Symbol(symbol) => Some(constant(Value::Var(super::Name::new(&symbol.name)), site.span)),
            _ => self.wrong_shape(site, form.span),
        }
    }

    /// `(lazy-cat a b)` is `(lazy-seq (concat (lazy-seq a) (lazy-seq b)))`.
    pub(super) fn lazy_cat(&mut self, site: &Use<'_>) -> Node {
        self.lazy(site.span, |analyzer| {
            let part = |form| {
                analyzer.lazy(site.span, |analyzer| {
                    let coll = analyzer.expr(form, Tail::No);
                    analyzer.collection(site, coll)
                })
            };
            let parts = site.args.iter().map(part).collect();
            analyzer.apply("concat", parts, site.span)
        })
    }

    /// `(lazy-seq …)` around `body`.
    fn lazy(&mut self, span: Span, body: impl FnOnce(&mut Self) -> Node) -> Node {
        let function = self.made_function(None, span, None, body);
        self.apply("%lazy", vec![function], span)
    }

    /// The call of `name` with a function that evaluates the body.
    pub(super) fn postponed(&mut self, site: &Use<'_>, name: &str) -> Node {
        let function = self.postponed_body(site.args, site.span);
        self.apply(name, vec![function], site.span)
    }

    pub(super) fn with_out_str(&mut self, site: &Use<'_>) -> Node {
        let span = site.span;
        self.within(|analyzer, bindings| {
            let push = analyzer.apply("%out-push", Vec::new(), span);
            let depth = analyzer.hold(push, bindings);
            let steps = vec![analyzer.body(site.args, span, Tail::No), analyzer.apply("%out-pop", Vec::new(), span)];
            let body = Box::new(Node { kind: Kind::Do(steps), span });
            // An error leaves the collection open: it is dropped on the way out.
            let finally = Some(Box::new(analyzer.apply("%out-drop", vec![local(depth, span)], span)));
            Node { kind: Kind::Try { body, catches: Vec::new(), finally }, span }
        })
    }

    /// The value; prints how long it took.
    pub(super) fn time(&mut self, site: &Use<'_>) -> Node {
        let started = self.apply("%clock", Vec::new(), site.span);
        let value = self.body(site.args, site.span, Tail::No);
        self.apply("%elapsed", vec![started, value], site.span)
    }

    /// `(assert test message?)`
    pub(super) fn assert(&mut self, site: &Use<'_>) -> Option<Node> {
        let [test, message] = site.args else { return Some(self.condition(site.args.first()?)) };
        let text = constant(Value::string(quote::text(test, 200)), test.span);
        let test = self.expr(test, Tail::No);
        let message = self.expr(message, Tail::No);
        let failed = self.apply("%assert", vec![text, message], site.span);
        Some(choice(test, nil(site.span), failed, site.span))
    }

    /// `(task id body…)`: a finished task does not run again.
    pub(super) fn task(&mut self, site: &Use<'_>) -> Option<Node> {
        let (id, body) = site.args.split_first()?;
        let span = site.span;
        let done = matches!(&id.kind, FormKind::Str(text) if self.names.has_task(text));
        let id = self.expr(id, Tail::No);
        let id = self.apply("%task-id", vec![id], span);
        Some(self.within(|analyzer, bindings| {
            let id = local(analyzer.hold(id, bindings), span);
            let was_done = std::mem::replace(&mut analyzer.done_task, done);
            let value = analyzer.body(body, span, Tail::No);
            analyzer.done_task = was_done;
            let test = analyzer.apply("%task-done?", vec![id.clone()], span);
            let known = analyzer.apply("%task-get", vec![id.clone()], span);
            let stored = analyzer.apply("%task-store", vec![id, value], span);
            choice(test, known, stored, span)
        }))
    }

    /// `(new Class args…)` is `(Class. args…)`.
    pub(super) fn new_object(&mut self, site: &Use<'_>) -> Option<Node> {
        match site.args.split_first() {
            Some((Form { kind: FormKind::Symbol(class), span }, args)) => {
                let name = Symbol { ns: None, name: format!("{}.", class.name) };
                let head = Form { kind: FormKind::Symbol(name), span: *span };
                Some(self.call_forms(&head, args, site.span))
            }
            _ => self.wrong_shape(site, site.span),
        }
    }

    pub(super) fn dot(&mut self, site: &Use<'_>) -> Node {
        let method = match site.args.get(1) {
            Some(Form { kind: FormKind::Symbol(symbol), .. }) => symbol.name.trim_start_matches('-'),
            _ => "method",
        };
        let text = format!("(. object method) is not supported; use (.{method} object)");
        self.problem(Reason::InvalidForm, text, site.span)
    }

    pub(super) fn call_by_name(&mut self, site: &Use<'_>) -> Node {
        let tool = match site.args.first() {
            Some(Form { kind: FormKind::Str(name), .. }) if name.len() <= 60 => name.as_str(),
            _ => "name",
        };
        let text = format!("tools are functions; use (tool/{tool} args...)");
        self.problem(Reason::InvalidForm, text, site.span)
    }

    /// `(ns name (:require …) …)`: only the namespaces that it requires matter.
    pub(super) fn ns(&mut self, site: &Use<'_>) -> Node {
        for clause in site.args {
            if let Some([head, required @ ..]) = clause.list()
                && (head.is_keyword("require") || head.is_keyword("use"))
            {
                required.iter().for_each(|form| self.require_one(form));
            }
        }
        nil(site.span)
    }

    /// `(require '[clojure.string :as str])`
    pub(super) fn require(&mut self, site: &Use<'_>) -> Node {
        site.args.iter().for_each(|form| self.require_one(form));
        nil(site.span)
    }

    /// `name`, `[name :as alias :refer [a b]]` or `(quote …)` of one.
    fn require_one(&mut self, form: &Form) {
        let items: &[Form] = match &form.kind {
            FormKind::Quote(inner) => return self.require_one(inner),
            FormKind::Symbol(_) => std::slice::from_ref(form),
            FormKind::Vector(items) | FormKind::List(items) => match items.as_slice() {
                [head, inner] if head.plain() == Some("quote") => return self.require_one(inner),
                items => items,
            },
            _ => return,
        };
        if let (FormKind::List(_), Some((prefix, members @ [_, ..]))) = (&form.kind, items.split_first())
            && let Some(prefix) = prefix.plain()
            && members.iter().all(|member| matches!(member.kind, FormKind::Symbol(_) | FormKind::Vector(_)))
        {
            return members.iter().for_each(|member| self.require_one(&within(prefix, member)));
        }
        let Some((name, options)) = items.split_first().and_then(|(name, options)| Some((name.plain()?, options)))
        else {
            return;
        };
        let option = |word| pairs(options).iter().find(|[key, _]| key.is_keyword(word)).map(|[_, value]| value);
        let named = |form: &str| (form.to_owned(), name.to_owned());
        let alias = option("as").and_then(Form::plain).map(named);
        if self.namespace(name).is_none() {
            let instead = Self::instead_of_library(name).map(|instead| format!("; {instead}")).unwrap_or_default();
            let text = format!("the namespace {name} does not exist here and is ignored{instead}");
            self.warn(WarningCode::IgnoredNamespace, text, form.span);
            // For errors about names under the alias.
            self.missing.extend(alias);
            return;
        }
        self.required.aliases.extend(alias);
        let referred = option("refer").and_then(Form::vector).unwrap_or_default();
        self.required.referred.extend(referred.iter().filter_map(Form::plain).map(named));
    }

    /// Classes need no import: the few that exist are available by name.
    pub(super) fn import(&mut self, site: &Use<'_>) -> Node {
        self.warn(WarningCode::IgnoredNamespace, "import is ignored: there are no Java classes to import", site.span);
        nil(site.span)
    }
}

/// `[clojure.string :as st]` for the member `[string :as st]` of the prefix `clojure`.
fn within(prefix: &str, member: &Form) -> Form {
    let mut whole = member.clone();
    let name = match &mut whole.kind {
        FormKind::Vector(items) => items.first_mut().map(|name| &mut name.kind),
        kind => Some(kind),
    };
    if let Some(FormKind::Symbol(symbol)) = name {
        symbol.name = format!("{prefix}.{}", symbol.name);
    }
    whole
}
