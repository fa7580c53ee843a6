//! Functions: `fn`, `letfn`, and the closures that other forms turn into.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use super::binding::{Bindings, is_rest_mark};
use super::ir::{Arity, Function, Kind, Node};
use super::scope::{Captured, Scope};
use super::{Analyzer, Form, FormKind, Reason, Span, Tail, Use, Value, bound, choice, constant, local, nil, quote};
use crate::parse::pairs;
use crate::value::{ARITIES, Origin, quoted};

/// The place of the mistake when `part` is not `([params] body…)`: a first clause without a body shows that `[params]`
/// was meant.
fn no_clause(first: &Form, part: &Form) -> Span {
    match &first.kind {
        FormKind::List(items) if items.len() == 1 => first.span,
        _ => part.span,
    }
}

/// A parameter list without the `&`.
#[derive(Clone, Default)]
struct Params<'f> {
    fixed: &'f [Form],
    rest: Option<&'f Form>,
}

/// One `[params] body…`.
struct Branch<'f> {
    params: Params<'f>,
    body: &'f [Form],
    span: Span,
}

impl Analyzer<'_> {
    /// `(fn name? [params] body…)`, `(fn name? ([params] body…) …)`
    pub(super) fn function_form(&mut self, site: &Use<'_>) -> Option<Node> {
        self.function_named(site, None)
    }

    /// Like [`Analyzer::function_form`]; an anonymous function gets the name `given`.
    pub(super) fn function_named(&mut self, site: &Use<'_>, given: Option<&str>) -> Option<Node> {
        let (own, parts) = match site.args.split_first() {
            Some((first, rest)) if first.plain().is_some() => (first.plain(), rest),
            _ => (None, site.args),
        };
        self.closure(own.or(given), own, parts, site)
    }

    /// A closure from `[params] body…` or `([params] body…) …`. `own` is the name by which it may call itself.
    pub(super) fn closure(
        &mut self,
        name: Option<&str>,
        own: Option<&str>,
        parts: &[Form],
        site: &Use<'_>,
    ) -> Option<Node> {
        let branches = self.branches(parts, site)?;
        self.scopes.push(Scope::named(own));
        let mut function = self.arities(name, &branches, site.span);
        let captured = self.scopes.pop().unwrap_or_default().captured;
        (function.captures, function.capture_names) = (captured.sources, captured.names);
        function.origin = in_one_piece(parts, site.span).map(|parts| Origin::Parts { parts, own: own.map(Into::into) });
        Some(Node { kind: Kind::Fn(Arc::new(function)), span: site.span })
    }

    /// The arities of the function whose scope is innermost.
    fn arities(&mut self, name: Option<&str>, branches: &[Branch<'_>], span: Span) -> Function {
        let mut arities = Vec::with_capacity(branches.len());
        for branch in branches {
            arities.push(self.arity(branch));
            if let Some(scope) = self.scopes.last_mut() {
                scope.next_arity();
            }
        }
        let lists: Vec<String> = branches.iter().map(|branch| params_text(&branch.params)).collect();
        Function {
            name: name.map(Into::into),
            arities,
            captures: Vec::new(),
            capture_names: Vec::new(),
            origin: None,
            params_text: lists.join(ARITIES).into(),
            calls: None,
            span,
        }
    }

    fn arity(&mut self, branch: &Branch<'_>) -> Arity {
        let Params { fixed, rest } = &branch.params;
        let slots: Vec<_> = fixed.iter().chain(*rest).map(|form| self.fresh(form.span)).collect();
        if let Some(scope) = self.scopes.last_mut() {
            scope.targets.push(slots.len());
        }
        let mut bindings = Bindings::new();
        for (form, slot) in fixed.iter().zip(&slots) {
            self.take_apart(form, *slot, &mut bindings);
        }
        if let (Some(form), Some(slot)) = (rest, slots.last()) {
            match form.plain() {
                Some(name) => self.declare(name, *slot),
                None => self.bind_rest(form, local(*slot, form.span), &mut bindings),
            }
        }
        let body = self.checked_body(branch.body, branch.span);
        Arity {
            reads: Vec::new(),
            fixed: u32::try_from(fixed.len()).unwrap_or(u32::MAX),
            rest: rest.is_some(),
            slots: self.scopes.last().map_or(0, |scope| scope.slots),
            body: bound(bindings, body),
        }
    }

    fn branches<'f>(&mut self, parts: &'f [Form], site: &Use<'_>) -> Option<Vec<Branch<'f>>> {
        let Some((first, body)) = parts.split_first() else { return self.wrong_count(site) };
        if let Some(params) = first.vector() {
            let params = self.params(params)?;
            return Some(vec![Branch { params, body, span: site.span }]);
        }
        let mut branches = Vec::new();
        for part in parts {
            let written = part.list().and_then(|items| items.split_first());
            let Some((Some(params), body)) = written.map(|(params, body)| (params.vector(), body)) else {
                return self.wrong_shape(site, no_clause(first, part));
            };
            let params = self.params(params)?;
            branches.push(Branch { params, body, span: part.span });
        }
        let mut seen = HashSet::new();
        for Branch { params, span, .. } in &branches {
            let length = params.rest.is_none().then_some(params.fixed.len());
            if !seen.insert(length) {
                let which = length.map_or("with &".to_owned(), |length| format!("of length {length}"));
                let text = format!("{}: two parameter lists {which}", site.name);
                return self.refuse(Reason::InvalidForm, text, *span);
            }
        }
        Some(branches)
    }

    fn params<'f>(&mut self, forms: &'f [Form]) -> Option<Params<'f>> {
        let (fixed, rest) = forms.split_at(forms.iter().position(is_rest_mark).unwrap_or(forms.len()));
        match rest {
            [] => Some(Params { fixed, rest: None }),
            [_, pattern] if !is_rest_mark(pattern) => Some(Params { fixed, rest: Some(pattern) }),
            [mark, ..] => {
                let text = "& in a parameter list needs exactly one name or pattern after it";
                self.refuse(Reason::UnsupportedPattern, text, mark.span)
            }
        }
    }

    /// A function body, with the checks of a leading `{:pre […] :post […]}`.
    fn checked_body(&mut self, body: &[Form], span: Span) -> Node {
        if let [Form { kind: FormKind::Map(entries), .. }, rest @ ..] = body
            && !rest.is_empty()
        {
            let (pre, post) = (conditions(entries, "pre"), conditions(entries, "post"));
            if pre.is_some() || post.is_some() {
                return self.conditional_body(pre.unwrap_or(&[]), post.unwrap_or(&[]), rest, span);
            }
        }
        self.body(body, span, Tail::Yes)
    }

    fn conditional_body(&mut self, pre: &[Form], post: &[Form], body: &[Form], span: Span) -> Node {
        let mut steps: Vec<Node> = pre.iter().map(|form| self.condition(form)).collect();
        let checked = |analyzer: &mut Self, bindings: &mut Bindings| {
            let value = analyzer.body(body, span, Tail::No);
            let slot = analyzer.hold(value, bindings);
            analyzer.declare("%", slot);
            let mut checks: Vec<Node> = post.iter().map(|form| analyzer.condition(form)).collect();
            checks.push(local(slot, span));
            Node { kind: Kind::Do(checks), span }
        };
        steps.push(if post.is_empty() { self.body(body, span, Tail::Yes) } else { self.within(checked) });
        Node { kind: Kind::Do(steps), span }
    }

    /// Nil when `form` holds, else an `assertion_error` that quotes it.
    pub(super) fn condition(&mut self, form: &Form) -> Node {
        let test = self.expr(form, Tail::No);
        let text = constant(Value::string(quote::text(form, 200)), form.span);
        let failed = self.apply("%assert", vec![text], form.span);
        choice(test, nil(form.span), failed, form.span)
    }

    /// A function without parameters that runs `forms`, parts of the form at `span`.
    pub(super) fn postponed_body(&mut self, forms: &[Form], span: Span) -> Node {
        let text = if forms.is_empty() { Some(None) } else { in_one_piece(forms, span).map(Some) };
        self.made_function(None, span, text.map(Origin::Body), |analyzer| analyzer.body(forms, span, Tail::No))
    }

    /// A function of one argument, destructured by `pattern`, or of none; `body` is not in tail position.
    pub(super) fn made_function(
        &mut self,
        pattern: Option<&Form>,
        span: Span,
        origin: Option<Origin>,
        body: impl FnOnce(&mut Self) -> Node,
    ) -> Node {
        self.scopes.push(Scope::default());
        let mut bindings = Bindings::new();
        if let Some(pattern) = pattern {
            let slot = self.fresh(span);
            self.take_apart(pattern, slot, &mut bindings);
        }
        // Macros put several functions around one form.
        self.depth += 1;
        let body = bound(bindings, body(self));
        self.depth -= 1;
        let scope = self.scopes.pop().unwrap_or_default();
        let params_text = pattern.map(param_text).unwrap_or_default();
        let function = scope.into_function((u32::from(pattern.is_some()), false), body, params_text, origin, span);
        Node { kind: Kind::Fn(Arc::new(function)), span }
    }

    /// `(letfn [(name [params] body…) …] body…)`
    pub(super) fn letfn(&mut self, site: &Use<'_>) -> Option<Node> {
        let (first, body) = site.args.split_first()?;
        let Some(items) = first.vector() else { return self.wrong_shape(site, first.span) };
        let mut members = Vec::with_capacity(items.len());
        for item in items {
            let written = item.list().and_then(|parts| parts.split_first());
            let Some((Some(name), parts)) = written.map(|(name, parts)| (name.plain(), parts)) else {
                return self.wrong_shape(site, item.span);
            };
            members.push((name, self.branches(parts, site)?, item.span));
        }
        let names = Rc::new(members.iter().map(|(name, ..)| (*name).to_owned()).collect::<Vec<_>>());
        let mut captured = Captured::default();
        let origin = in_one_piece(std::slice::from_ref(first), site.span);
        let mut functions = Vec::with_capacity(members.len());
        for (name, branches, span) in &members {
            self.scopes.push(Scope::member(names.clone(), captured));
            let mut function = self.arities(Some(name), branches, *span);
            function.origin = origin.map(Origin::Group);
            functions.push(function);
            captured = self.scopes.pop().unwrap_or_default().captured;
        }
        for function in &mut functions {
            function.capture_names.clone_from(&captured.names);
        }
        let functions = functions.into_iter().map(Arc::new).collect();
        let mark = self.mark();
        let slots: Vec<_> = names.iter().map(|name| self.fresh_named(name, site.span)).collect();
        let body = Box::new(self.body(body, site.span, site.tail));
        self.forget(mark);
        Some(Node { kind: Kind::LetFn { slots, functions, captures: captured.sources, body }, span: site.span })
    }
}

/// The span of `parts` when they follow one another within `whole`, as the program wrote them. A threading macro may
/// have put something between them.
fn in_one_piece(parts: &[Form], whole: Span) -> Option<Span> {
    let (first, last) = (parts.first()?, parts.last()?);
    let written = |form: &Form| !form.plain().is_some_and(|name| name.starts_with('\u{0}'));
    let ordered = parts.windows(2).all(|pair| matches!(pair, [one, other] if one.span.end <= other.span.start));
    let within = whole.start < first.span.start && last.span.end < whole.end;
    (ordered && within && parts.iter().all(written)).then(|| first.span.to(last.span))
}

/// The forms under `:pre` or `:post`.
fn conditions<'f>(entries: &'f [Form], word: &str) -> Option<&'f [Form]> {
    pairs(entries).iter().find_map(|[key, value]| value.vector().filter(|_| key.is_keyword(word)))
}

/// `x [k v] & more`
fn params_text(params: &Params<'_>) -> String {
    let mut names: Vec<String> = params.fixed.iter().map(param_text).collect();
    names.extend(params.rest.map(|form| format!("& {}", param_text(form))));
    names.join(" ")
}

/// A parameter as the program writes it, without the defaults of `:or`; `_` for a name that the compiler generated.
fn param_text(form: &Form) -> String {
    match &form.kind {
        FormKind::Vector(items) => format!("[{}]", items.iter().map(param_text).collect::<Vec<_>>().join(" ")),
        FormKind::Map(entries) => {
            let entries = pairs(entries).iter().filter(|[key, _]| !key.is_keyword("or"));
            format!("{{{}}}", entries.flatten().map(param_text).collect::<Vec<_>>().join(" "))
        }
        FormKind::Keyword(name) => format!(":{name}"),
        FormKind::Str(text) => quoted(text, None),
        _ => form.plain().filter(|name| !name.starts_with('\u{0}')).unwrap_or("_").to_owned(),
    }
}
