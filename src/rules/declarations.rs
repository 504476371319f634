//! What a translation unit sees declared, by name, so that a name which is declared many times is looked up as fast as
//! any other.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};

use torchada_project::{DeclaredAs, OwnDeclaration};
use torchada_text::{Cover, TextRange};

/// The declarations that a unit sees.
#[derive(Default, Debug)]
pub struct Declarations<'a> {
    by_name: FxHashMap<&'a [u8], Namesakes<'a>>,
}

/// All declarations of one name.
#[derive(Default, Debug)]
pub struct Namesakes<'a> {
    /// In the order in which the files are seen, each with the index of its file.
    all: Vec<(usize, &'a OwnDeclaration)>,
    /// The file of the unit: the places of its declarations are places in the unit's text.
    own: usize,
    index: OnceCell<DeclarationIndex>,
}

/// The declarations of a name, as places in the list of all, by what has to be known of them.
#[derive(Default, Debug)]
struct DeclarationIndex {
    everywhere: Vec<usize>,
    functions: Vec<usize>,
    macros: Vec<usize>,
    has_own_macro: bool,
    is_more_than_macro: bool,
    /// Each written `a::b`.
    scopes: FxHashSet<Vec<u8>>,
    owners: FxHashSet<Vec<u8>>,
    /// Whether a `using` directive that the unit sees opens one of the scopes, computed on first use.
    is_opened: OnceCell<bool>,
    /// Where the unit's own macros and locals hold.
    reaches: Cover,
    /// The unit's own declarations, by the places of the name.
    places: FxHashMap<TextRange, usize>,
}

impl<'a> Declarations<'a> {
    /// Declarations, each with the index of its file, in the order in which the files are seen. `own` is the file of the
    /// unit; of code in a string, whose places are its own, these are what the code itself declares.
    pub fn new(all: impl Iterator<Item = (usize, &'a OwnDeclaration)>, own: usize) -> Self {
        let mut by_name: FxHashMap<&[u8], Namesakes<'a>> = FxHashMap::default();
        for (file, one) in all {
            let namesakes = by_name.entry(one.name.as_slice()).or_default();
            namesakes.own = own;
            namesakes.all.push((file, one));
        }
        Self { by_name }
    }

    /// The declarations of a name.
    pub fn get(&self, name: &[u8]) -> Option<&Namesakes<'a>> {
        self.by_name.get(name)
    }

    /// Whether anything is declared by a name.
    pub fn contains(&self, name: &[u8]) -> bool {
        self.by_name.contains_key(name)
    }
}

impl<'a> Namesakes<'a> {
    /// One of each kind whose meaning is the same at all places that see it: what stands at file level, but for macros
    /// and the unit's own functions.
    pub fn everywhere(&self) -> impl Iterator<Item = &'a OwnDeclaration> {
        self.numbered(&self.index().everywhere).map(|(_, one)| one)
    }

    /// The unit's own functions at file level.
    pub fn functions(&self) -> impl Iterator<Item = &'a OwnDeclaration> {
        self.numbered(&self.index().functions).map(|(_, one)| one)
    }

    /// The macros of other files, by the index of each.
    pub fn macros(&self) -> impl Iterator<Item = (usize, &'a OwnDeclaration)> {
        self.numbered(&self.index().macros)
    }

    /// Whether the unit itself defines a macro of this name.
    pub fn has_own_macro(&self) -> bool {
        self.index().has_own_macro
    }

    /// Whether the name is declared as anything but a macro.
    pub fn is_more_than_macro(&self) -> bool {
        self.index().is_more_than_macro
    }

    /// Whether a class or an enumeration has a member of this name.
    pub fn is_member_of(&self, owner: &[u8]) -> bool {
        self.index().owners.contains(owner)
    }

    /// Whether the name is declared in one of the namespaces and classes that stand around a place, outermost first, or
    /// in one that is opened by one of some `using` directives. A member counts for the unit that declares it alone.
    pub fn is_in_scope<'u>(
        &self,
        around: impl Fn() -> Vec<&'u [u8]>,
        usings: impl Iterator<Item = &'u String>,
    ) -> bool {
        let index = self.index();
        if index.scopes.is_empty() {
            return false;
        }
        let around = around();
        let mut around = (0..=around.len()).filter_map(|depth| around.get(..depth));
        around.any(|path| index.scopes.contains(&path.join(&b"::"[..])))
            || *index.is_opened.get_or_init(|| {
                let mut usings = usings.map(String::as_bytes);
                usings.any(|path| index.scopes.contains(path))
            })
    }

    /// The unit's own declaration whose name stands at a place.
    pub fn at(&self, place: TextRange) -> Option<&'a OwnDeclaration> {
        let number = self.index().places.get(&place)?;
        self.all.get(*number).map(|&(_, one)| one)
    }

    /// Whether `is_it` accepts one of the unit's own macros and locals that hold at a place.
    pub fn any_reaching(&self, place: TextRange, is_it: impl Fn(&OwnDeclaration) -> bool) -> bool {
        let is_it = |number: usize| self.all.get(number).is_some_and(|(_, one)| is_it(one));
        self.index().reaches.any(place, is_it)
    }

    fn numbered<'s>(
        &'s self,
        numbers: &'s [usize],
    ) -> impl Iterator<Item = (usize, &'a OwnDeclaration)> {
        let numbers = numbers.iter();
        numbers.filter_map(|&number| self.all.get(number).copied())
    }

    fn index(&self) -> &DeclarationIndex {
        self.index.get_or_init(|| {
            let mut index = DeclarationIndex::default();
            let mut kinds = FxHashSet::default();
            let mut reaches = Vec::new();
            for (number, &(file, one)) in self.all.iter().enumerate() {
                let is_own = self.own == file;
                index.add(number, one, is_own);
                let is_part = matches!(one.what, DeclaredAs::Macro | DeclaredAs::Local);
                let is_outer = one.scope.is_empty()
                    && !(is_part
                        || matches!(one.what, DeclaredAs::Member | DeclaredAs::VendorAlias));
                if is_part && is_own {
                    reaches.push((one.reach, number));
                } else if is_own && is_outer && one.what == DeclaredAs::Function {
                    index.functions.push(number);
                } else if (is_outer || one.what == DeclaredAs::Alias)
                    && kinds.insert((one.what, one.body.is_some()))
                {
                    index.everywhere.push(number);
                }
            }
            index.reaches = Cover::new(reaches);
            index
        })
    }
}

impl DeclarationIndex {
    fn add(&mut self, number: usize, one: &OwnDeclaration, is_own: bool) {
        let is_macro = one.what == DeclaredAs::Macro;
        self.is_more_than_macro |= !is_macro;
        self.has_own_macro |= is_macro && is_own;
        if is_own {
            self.places.entry(one.at).or_insert(number);
        } else if is_macro {
            self.macros.push(number);
        }
        let is_member = one.what == DeclaredAs::Member;
        if is_member {
            self.owners.extend(one.scope.last().cloned());
        }
        let is_inner = matches!(
            one.what,
            DeclaredAs::Function | DeclaredAs::Prototype | DeclaredAs::Type | DeclaredAs::Variable
        );
        if is_member && is_own || is_inner && !one.scope.is_empty() {
            self.scopes.insert(one.scope.join(&b"::"[..]));
        }
    }
}
