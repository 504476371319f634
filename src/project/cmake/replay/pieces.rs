//! A value while it is put together.

use super::cause::Absence;
use super::value::{Item, Origin};

/// The elements of one value while it is put together of pieces.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    most: usize,
    done: Vec<Item>,
    open: String,
    origin: Option<Origin>,
    absence: Absence,
}

impl Pieces {
    /// Room for so many elements; what comes behind is left out.
    pub(super) fn new(most: usize) -> Self {
        Self {
            most,
            done: Vec::new(),
            open: String::new(),
            origin: None,
            absence: None,
        }
    }

    /// Add a text, in which `;` ends an element.
    pub(super) fn text(&mut self, text: &str, origin: Option<Origin>) {
        for (at, part) in text.split(';').enumerate() {
            if at > 0 {
                self.end();
            }
            if !part.is_empty() {
                self.open.push_str(part);
                self.origin = origin;
            }
        }
    }

    /// Add the elements of a list: the first one goes on with what was begun.
    pub(super) fn items(&mut self, items: &[Item]) {
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                self.end();
            }
            self.text(&item.text, item.origin);
            if self.absence.is_none() {
                self.absence.clone_from(&item.absence);
            }
        }
    }

    /// All elements that have a text.
    pub(super) fn finish(mut self) -> Vec<Item> {
        self.end();
        self.done
    }

    fn end(&mut self) {
        if !self.open.is_empty() && self.done.len() < self.most {
            self.done.push(Item {
                text: self.open.as_str().into(),
                origin: self.origin,
                absence: self.absence.clone(),
            });
        }
        self.open.clear();
        self.origin = None;
        self.absence = None;
    }
}
