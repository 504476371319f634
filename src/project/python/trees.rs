//! The trees of a project's modules, made when somebody asks for one.
//!
//! A tree takes some ten times the memory of its text, and most trees are needed by one translation and
//! a few others soon after. So only the latest are kept. Of older ones a packed form is kept, which is smaller than the
//! text, and what is not even there any more is parsed again.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use elsa::FrozenMap;
use quick_cache::Weighter;
use self_cell::self_cell;

use super::ModuleIndex;
use super::edit_dependence::EditDependence;
use super::packed_trees::PackedTrees;
use super::tree_cache::{TreeCache, tree_cache};
use crate::Project;
use torchada_syntax::python::Module;

/// The bytes of the texts whose trees are kept.
const KEPT: u64 = 1 << 20;

/// About how many modules that are.
const MODULES: usize = 1024;

/// The bytes of the texts whose trees one translation holds before each of its questions holds its own.
const PINNED: usize = 1 << 17;

/// A source of trees.
pub trait TreeSource {
    /// The tree of a file.
    fn module(&self, file: usize) -> Option<&Module<'_>>;

    /// A source for one question, which lets go of the trees that only this question needs; `None` while few trees are held.
    fn for_question(&self) -> Option<Box<dyn TreeSource + '_>>;
}

/// What holds trees for translations.
pub trait PinTrees: Sync {
    /// A source of trees for one translation.
    fn pin(&self) -> Box<dyn TreeSource + '_>;
}

/// The trees of a project's modules.
#[derive(Debug)]
pub struct Trees<'p> {
    project: &'p Project,
    by_grammar: bool,
    importers: &'p [String],
    kept: TreeCache<Arc<OwnedModule<'p>>, BySize>,
    packed: PackedTrees,
}

/// The text of a module, and the functions that give the module whose name they are called with.
#[derive(Debug)]
struct ModuleText<'p> {
    text: Cow<'p, [u8]>,
    importers: &'p [String],
}

/// A module; `None` where its code can't be followed.
type Parsed<'t> = Option<Module<'t>>;

self_cell! {
    /// A module with its text: a text of a large tree is in memory for as long as somebody uses the module.
    struct OwnedModule<'p> {
        owner: ModuleText<'p>,

        #[covariant]
        dependent: Parsed,
    }
}

/// The trees of modules of which one was edited.
#[derive(Debug)]
pub struct EditedTrees<'s, 'e, 'p> {
    saved: &'s Trees<'p>,
    at: usize,
    own: Option<Module<'e>>,
    looks: EditDependence,
}

/// The trees of modules of which one was edited, for one translation.
#[derive(Debug)]
struct EditedPinned<'s, 'e, 'p> {
    saved: PinnedTrees<'s, 'p>,
    at: usize,
    own: Option<&'s Module<'e>>,
    looks: &'s EditDependence,
}

/// The trees that one translation uses, or one of its questions. They stay in memory until that ends.
pub struct PinnedTrees<'c, 'p> {
    trees: &'c Trees<'p>,
    pinned: FrozenMap<usize, Arc<OwnedModule<'p>>>,
    /// The bytes of their texts.
    bytes: Cell<usize>,
    /// The trees that are pinned for the translation which asks.
    around: Option<&'c Self>,
}

impl fmt::Debug for PinnedTrees<'_, '_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "PinnedTrees({} trees)", self.pinned.len())
    }
}

#[derive(Clone, Debug)]
struct BySize;

impl Weighter<usize, Arc<OwnedModule<'_>>> for BySize {
    fn weight(&self, _: &usize, module: &Arc<OwnedModule<'_>>) -> u64 {
        // Nothing is free, or it would be kept for ever. The largest module, which costs most to make again, leaves room
        // for others.
        let size = module.borrow_owner().text.len();
        u64::try_from(size).unwrap_or(u64::MAX).clamp(1, KEPT / 2)
    }
}

impl<'p> Trees<'p> {
    /// Trees for these modules, none of which is parsed yet. `by_grammar` says whether the grammar reads all of them,
    /// and `importers` are the functions that give the module whose name they are called with. `packed` may have trees of
    /// the same modules.
    pub fn new(
        modules: &ModuleIndex<'p>,
        by_grammar: bool,
        importers: &'p [String],
        packed: PackedTrees,
    ) -> Self {
        Self {
            project: modules.project,
            by_grammar,
            importers,
            kept: tree_cache(MODULES, KEPT, BySize),
            packed,
        }
    }

    fn pinned(&self) -> PinnedTrees<'_, 'p> {
        PinnedTrees {
            trees: self,
            pinned: FrozenMap::new(),
            bytes: Cell::new(0),
            around: None,
        }
    }

    fn parsed(&self, at: usize) -> Option<Arc<OwnedModule<'p>>> {
        let file = self.project.files.get(at)?;
        let make = || {
            let owner = ModuleText {
                text: file.python_once().unwrap_or_default(),
                importers: self.importers,
            };
            let module = OwnedModule::new(owner, |owner| {
                let parse = || parse(&owner.text, self.by_grammar);
                let module = self.packed.module(at, &owner.text, parse)?;
                Some(module.with_importers(owner.importers))
            });
            Ok(Arc::new(module))
        };
        let found: Result<_, std::convert::Infallible> = self.kept.get_or_insert_with(&at, make);
        found.ok()
    }
}

impl PinTrees for Trees<'_> {
    fn pin(&self) -> Box<dyn TreeSource + '_> {
        Box::new(self.pinned())
    }
}

impl<'s, 'e, 'p> EditedTrees<'s, 'e, 'p> {
    /// The trees of `modules`, of which the one at `at` has another text than in `saved`.
    pub fn new(saved: &'s Trees<'p>, modules: &ModuleIndex<'e>, at: usize) -> Self
    where
        'p: 'e,
    {
        let text = modules.text(at);
        let own = parse(text, saved.by_grammar);
        let own = own.map(|module| module.with_importers(saved.importers));
        let looks = modules.looks.clone();
        Self {
            saved,
            at,
            own,
            looks,
        }
    }
}

impl PinTrees for EditedTrees<'_, '_, '_> {
    fn pin(&self) -> Box<dyn TreeSource + '_> {
        Box::new(EditedPinned {
            saved: self.saved.pinned(),
            at: self.at,
            own: self.own.as_ref(),
            looks: &self.looks,
        })
    }
}

impl TreeSource for EditedPinned<'_, '_, '_> {
    fn module(&self, file: usize) -> Option<&Module<'_>> {
        self.looks.note(file);
        if file == self.at {
            self.own
        } else {
            self.saved.module(file)
        }
    }

    fn for_question(&self) -> Option<Box<dyn TreeSource + '_>> {
        None
    }
}

fn parse(text: &[u8], by_grammar: bool) -> Option<Module<'_>> {
    if by_grammar {
        Module::by_grammar(text)
    } else {
        Module::new(text)
    }
}

impl<'p> PinnedTrees<'_, 'p> {
    /// The tree of a file that a translation, or the question in it, has asked for before.
    fn known(&self, at: usize) -> Option<&OwnedModule<'p>> {
        let around = || self.around?.known(at);
        self.pinned.get(&at).or_else(around)
    }

    fn parsed(&self, at: usize) -> Option<&OwnedModule<'p>> {
        if let Some(known) = self.known(at) {
            return Some(known);
        }
        let parsed = self.trees.parsed(at)?;
        let length = parsed.borrow_owner().text.len();
        self.bytes.update(|bytes| bytes + length);
        Some(self.pinned.insert(at, parsed))
    }
}

impl TreeSource for PinnedTrees<'_, '_> {
    fn module(&self, file: usize) -> Option<&Module<'_>> {
        self.parsed(file)?.borrow_dependent().as_ref()
    }

    fn for_question(&self) -> Option<Box<dyn TreeSource + '_>> {
        (self.bytes.get() > PINNED).then(|| {
            let around = Some(self);
            let of_question = PinnedTrees {
                around,
                ..self.trees.pinned()
            };
            Box::new(of_question) as Box<dyn TreeSource + '_>
        })
    }
}
