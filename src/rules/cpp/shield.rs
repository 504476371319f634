//! Whether a CUDA name means the project's own thing at a place.

use super::CppUnit;
use crate::declarations::Namesakes;
use torchada_diagnostic::KeptReason;
use torchada_mapping::{Relation, Row, USER};
use torchada_project::{DeclaredAs, OwnDeclaration};
use torchada_syntax::{DirectiveKind, Scope, ScopeKind};
use torchada_text::TextRange;

/// The library whose names the compiler itself defines: a project that defines one imitates the
/// compiler, and the name changes with the compiler's, where that has another.
const COMPILER: &str = "compiler";

/// Why a name stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shield<'a> {
    /// The name is not CUDA's, or has to stay.
    Kept(KeptReason),
    /// The name is a macro of the project's own where this file includes the unit's, and CUDA's where another does.
    Disputed(&'a str),
}

/// Why the identifier at token `index` is not CUDA's, if it is not. `global` says that it is
/// written `::name`.
pub(super) fn shield<'u>(
    unit: &CppUnit<'u>,
    index: usize,
    row: &Row,
    global: bool,
) -> Option<Shield<'u>> {
    let range = unit.token(index)?.range();
    let name = range.of(unit.text);
    let own = std::str::from_utf8(name).is_ok_and(|name| unit.settings.own_names.contains(name));
    if own {
        return Some(Shield::Kept(KeptReason::ProjectDeclared));
    }
    // The alias header itself is done, and what it says of the compiler's macros, or does not
    // say, is meant.
    let aliased = unit
        .alias_header
        .is_some_and(|header| *header == *unit.file.path || row.library == COMPILER);
    if aliased {
        return Some(Shield::Kept(KeptReason::AliasHeader));
    }
    if row.library == USER {
        return None;
    }
    let declared = unit.declared.get(name);
    if row.library == COMPILER && row.relation == Relation::Renamed {
        return declared
            .into_iter()
            .flat_map(Namesakes::everywhere)
            .any(|one| one.what == DeclaredAs::Alias)
            .then_some(Shield::Kept(KeptReason::AliasHeader));
    }
    let place = NameSite {
        index,
        range,
        global,
    };
    declared
        .and_then(|namesakes| place.meaning(unit, row, namesakes))
        .map(Shield::Kept)
        .or_else(|| under_macro(unit, name))
}

/// The effect on the name of a macro that may be defined or not where the unit's file is included.
fn under_macro<'u>(unit: &CppUnit<'u>, name: &[u8]) -> Option<Shield<'u>> {
    // Code in a string is compiled by itself.
    if unit.fragment.is_some() {
        return None;
    }
    let open = unit.project.open_macro(unit.index, name)?;
    if open.always {
        return Some(Shield::Kept(KeptReason::ProjectDeclared));
    }
    let by = unit.project.files.get(open.by)?;
    Some(Shield::Disputed(&by.path))
}

/// The place of a name.
struct NameSite {
    index: usize,
    range: TextRange,
    /// Whether the name is written `::name`.
    global: bool,
}

impl NameSite {
    /// Why the name is the project's own here, if one of its declarations says so.
    fn meaning(
        &self,
        unit: &CppUnit<'_>,
        row: &Row,
        namesakes: &Namesakes<'_>,
    ) -> Option<KeptReason> {
        // An overload beside CUDA's own function, whose callers may mean either: a name that
        // stays anyway is reported where it is used.
        let overloads = row.relation != Relation::Renamed;
        if let Some(one) = namesakes.at(self.range) {
            match one.what {
                DeclaredAs::VendorAlias => return Some(KeptReason::VendorBranch),
                DeclaredAs::Function | DeclaredAs::Prototype
                    if one.scope.is_empty() && overloads =>
                {
                    return Some(KeptReason::ProjectDeclared);
                }
                DeclaredAs::Type if self.is_described(unit, row) => {
                    return Some(KeptReason::ProjectDeclared);
                }
                _ => {}
            }
        }
        let mut everywhere = namesakes.everywhere();
        let mut macros = namesakes.macros();
        everywhere
            .find_map(|one| means_everywhere(unit, row, one))
            .or_else(|| macros.find_map(|(file, one)| means_from_file(unit, file, one)))
            .or_else(|| {
                let is_own = self.is_macro_or_local(unit, namesakes)
                    || !overloads && namesakes.functions().any(|one| !self.is_in_body_of(one))
                    || !self.global && self.is_in_scope(unit, namesakes);
                is_own.then_some(KeptReason::ProjectDeclared)
            })
    }

    /// Whether an enumeration declares the name for the sake of completeness: MUSA has nothing in its place, or the
    /// enumeration declares that as well.
    fn is_described(&self, unit: &CppUnit<'_>, row: &Row) -> bool {
        let outline = &unit.parsed.outline;
        let scope = outline.scope_of(self.index);
        let scope = scope.and_then(|at| outline.scopes.get(at));
        let is_enum = |scope: &&Scope| matches!(scope.kind, ScopeKind::Enum { .. });
        scope.filter(is_enum).is_some_and(|scope| {
            let to = row.to.as_deref().unwrap_or_default().as_bytes();
            let mut places = unit.parsed.tokens.places(unit.text, to);
            row.relation != Relation::Renamed || places.any(|at| scope.tokens.contains(&at))
        })
    }

    /// Whether the name stands in a definition's own body, where a name means what it means outside.
    fn is_in_body_of(&self, one: &OwnDeclaration) -> bool {
        one.body.is_some_and(|body| body.covers(self.range))
    }

    /// Whether a macro or a local of the unit itself holds here.
    fn is_macro_or_local(&self, unit: &CppUnit<'_>, namesakes: &Namesakes<'_>) -> bool {
        let holds = |one: &OwnDeclaration| match one.what {
            DeclaredAs::Macro => !self.is_in_body_of(one),
            _ => !self.global,
        };
        namesakes.has_own_macro() && asks_for_macro(unit, self.index)
            || namesakes.any_reaching(self.range, holds)
    }

    /// Whether names of one of the scopes are found unqualified here.
    fn is_in_scope(&self, unit: &CppUnit<'_>, namesakes: &Namesakes<'_>) -> bool {
        let files = unit.visible.files.iter();
        let files = files.filter_map(|&file| unit.project.files.get(file));
        let usings = files.flat_map(|file| &file.facts.usings);
        namesakes.is_in_scope(|| unit.parsed.outline.path_of(self.index), usings)
    }
}

/// The meaning that a declaration at file level, or an alias, gives its name wherever it is visible.
fn means_everywhere(unit: &CppUnit<'_>, row: &Row, one: &OwnDeclaration) -> Option<KeptReason> {
    let is_own = match one.what {
        DeclaredAs::Alias => return Some(KeptReason::AliasHeader),
        DeclaredAs::Function => row.relation == Relation::Renamed,
        DeclaredAs::Prototype => {
            row.relation == Relation::Renamed && unit.project.defined_functions.contains(&one.name)
        }
        // A type at file level that has the name of CUDA's own is a redeclaration of it, and
        // is translated with its uses, unless the project says what is in it. A name that counts
        // as CUDA's only behind certain headers is the project's.
        DeclaredAs::Type => !row.needs.is_empty() || one.body.is_some(),
        _ => true,
    };
    is_own.then_some(KeptReason::ProjectDeclared)
}

/// The meaning that a macro of another file gives its name here.
fn means_from_file(unit: &CppUnit<'_>, file: usize, one: &OwnDeclaration) -> Option<KeptReason> {
    // A file that includes this one gives it the macros that are open there.
    let is_in_force = (file == unit.index || !unit.visible.is_above(file))
        && unit.project.outlasts_file(file, one);
    let header = unit.project.files.get(file).map(|file| &*file.path);
    let reason = if unit.alias_header.is_some() && unit.alias_header == header {
        KeptReason::AliasHeader
    } else {
        KeptReason::ProjectDeclared
    };
    is_in_force.then_some(reason)
}

/// Whether the token stands in a directive that tests or ends a macro: in the file that defines
/// one of that name, that one is meant, wherever the directive stands.
fn asks_for_macro(unit: &CppUnit<'_>, index: usize) -> bool {
    let directive = unit.parsed.tokens.directive_of(index);
    directive.is_some_and(|directive| {
        directive.kind == DirectiveKind::Undef || directive.kind.has_condition()
    })
}
