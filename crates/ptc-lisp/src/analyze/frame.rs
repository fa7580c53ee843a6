//! What a function sees while its body is walked, whatever a walk knows of values.

use std::sync::Arc;

use crate::analyze::ir::{CaptureSource, Function, Slot};

/// What is known of a value.
pub(crate) trait Walked: Clone {
    /// Any value.
    fn any() -> Self;
    /// This function.
    fn lambda(lambda: Arc<Lambda<Self>>) -> Self;
}

/// A function of a text, with its captured values.
#[derive(Debug)]
pub(crate) struct Lambda<V> {
    pub function: Arc<Function>,
    pub captures: Arc<[V]>,
    /// The `letfn` it belongs to.
    pub group: Option<Arc<Group<V>>>,
    /// The number of the text it is in, for walks that number them; 0 is the program.
    pub text: u32,
}

/// The functions of a `letfn`, which share their captured values.
#[derive(Debug)]
pub(crate) struct Group<V> {
    pub functions: Vec<Arc<Function>>,
    pub captures: Arc<[V]>,
    pub text: u32,
}

impl<V: Walked> Group<V> {
    /// The member of this index.
    pub fn lambda(self: &Arc<Group<V>>, index: usize) -> Option<Arc<Lambda<V>>> {
        let function = self.functions.get(index)?.clone();
        let (captures, text) = (self.captures.clone(), self.text);
        Some(Arc::new(Lambda { function, captures, group: Some(self.clone()), text }))
    }

    /// The same as a value.
    pub fn member(self: &Arc<Group<V>>, index: usize) -> V {
        self.lambda(index).map_or_else(V::any, V::lambda)
    }
}

/// What a running function sees.
#[derive(Clone)]
pub(crate) struct Frame<V> {
    slots: Vec<V>,
    captures: Arc<[V]>,
    own: Option<Arc<Lambda<V>>>,
}

impl<V> Default for Frame<V> {
    fn default() -> Frame<V> {
        Frame { slots: Vec::new(), captures: Arc::default(), own: None }
    }
}

impl<V: Walked> Frame<V> {
    /// That of a function which begins.
    pub fn of(lambda: &Arc<Lambda<V>>) -> Frame<V> {
        Frame { slots: Vec::new(), captures: lambda.captures.clone(), own: Some(lambda.clone()) }
    }

    pub fn get(&self, slot: Slot) -> V {
        self.slots.get(slot as usize).cloned().unwrap_or_else(V::any)
    }

    pub fn set(&mut self, slot: Slot, value: V) {
        let at = slot as usize;
        if self.slots.len() <= at {
            self.slots.resize_with(at + 1, V::any);
        }
        if let Some(place) = self.slots.get_mut(at) {
            *place = value;
        }
    }

    /// What a function captures; `None` outside of one, which the analyzer rules out.
    pub fn source(&self, source: CaptureSource) -> Option<V> {
        match source {
            CaptureSource::Local(slot) => Some(self.get(slot)),
            CaptureSource::Capture(at) => Some(self.captures.get(at as usize).cloned().unwrap_or_else(V::any)),
            CaptureSource::SelfFn => self.own.clone().map(V::lambda),
            CaptureSource::Sibling(at) => Some(self.own.as_ref()?.group.as_ref()?.member(at as usize)),
        }
    }
}
