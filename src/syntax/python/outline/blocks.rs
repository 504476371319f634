//! The blocks of a module that are open at a line, and what they say of what stands in them.

use super::{Guard, ModuleOutline};

/// The places in an outline's lists of imports and of stars.
pub(super) type Counts = (usize, usize);

/// The kind of definition that a block belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Holder {
    Class(usize),
    Function,
    /// `if TYPE_CHECKING:`
    Typing,
    /// A `try`, and what was imported before it.
    Try(Counts),
    /// An `except`, with the imports of the `try` before it.
    Handler {
        from: Counts,
        to: Counts,
        catches: bool,
    },
    /// A `with` that catches the failure of an import, and what was imported before it.
    Suppress(Counts),
    /// A block that runs under a condition, by its place in the outline if it is an arm of a chain of `if`.
    Branch(Option<usize>),
    Other,
}

/// What has been read of a module.
#[derive(Default)]
pub(super) struct Reader<'t> {
    pub(super) outline: ModuleOutline<'t>,
    /// The blocks that are open, each with the indentation of the line that opens it.
    pub(super) open: Vec<(usize, Holder)>,
    /// The last names of the decorators right above.
    pub(super) decorators: Vec<&'t str>,
}

impl Reader<'_> {
    /// The innermost arm of a chain of `if` that is open.
    pub(super) fn innermost(&self) -> Option<usize> {
        self.open
            .iter()
            .rev()
            .find_map(|&(_, holder)| match holder {
                Holder::Branch(at) => at,
                _ => None,
            })
    }

    /// End the blocks that are as far in as a line, or further. Returns the outermost of them.
    pub(super) fn close(&mut self, indent: usize) -> Option<Holder> {
        let mut outermost = None;
        while let Some(&(_, holder)) = self.open.last().filter(|(one, _)| *one >= indent) {
            self.open.pop();
            match holder {
                Holder::Handler {
                    from,
                    to,
                    catches: true,
                } => self.catch(from, to),
                Holder::Suppress(from) => self.catch(from, self.counts()),
                _ => {}
            }
            outermost = Some(holder);
        }
        outermost
    }

    /// How much was imported up to here.
    pub(super) fn counts(&self) -> Counts {
        (self.outline.imports.len(), self.outline.stars.len())
    }

    /// Note of the imports between two places that their failure is caught.
    pub(super) fn catch(&mut self, from: Counts, to: Counts) {
        let imports = self.outline.imports.get_mut(from.0..to.0);
        let stars = self.outline.stars.get_mut(from.1..to.1);
        let all = imports.into_iter().chain(stars).flatten();
        for one in all.filter(|one| one.guard < Guard::Caught) {
            one.guard = Guard::Caught;
        }
    }

    /// Whether a line stands at the top of the module, or there in the body of a `try` that imports nothing before it.
    pub(super) fn is_at_top(&self) -> bool {
        let counts = self.counts();
        let mut open = self.open.iter();
        open.all(|&(_, holder)| matches!(holder, Holder::Try(from) if from == counts))
    }

    /// The classes and functions that are open, the innermost first.
    pub(super) fn definitions(&self) -> impl Iterator<Item = Holder> {
        let holders = self.open.iter().rev().map(|&(_, holder)| holder);
        holders.filter(|holder| matches!(holder, Holder::Class(_) | Holder::Function))
    }

    /// What stands between the loading of the module and a line.
    pub(super) fn guard(&self) -> Guard {
        let guards = self.open.iter().map(|(_, holder)| match holder {
            Holder::Function => Guard::Function,
            Holder::Typing => Guard::Typing,
            Holder::Branch(_) | Holder::Handler { .. } => Guard::Branch,
            _ => Guard::Nothing,
        });
        guards.max().unwrap_or_default()
    }

    /// The function at the top of the module in whose body a line stands, in no other block of it.
    pub(super) fn running_function(&self) -> Option<usize> {
        let [(_, Holder::Function)] = self.open.as_slice() else {
            return None;
        };
        let mut heads = self.outline.functions.iter();
        heads.rposition(|one| !one.nested && one.class.is_none())
    }

    /// Whether a line runs when the module is loaded.
    pub(super) fn runs(&self) -> bool {
        self.guard() < Guard::Function
    }
}
