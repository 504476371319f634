//! Whether a CUDA name means the project's own thing at a place.

use std::cell::LazyCell;

use crate::diagnostic::KeptReason;
use crate::mapping::{Relation, Row, USER};
use crate::project::{Declared, DeclaredAs};
use crate::rules::Unit;
use crate::syntax::DirectiveKind;
use crate::text::TextRange;

/// The library whose names the compiler itself defines: a project that defines one imitates the
/// compiler, and the name changes with the compiler's.
const COMPILER: &str = "compiler";

/// Why a name stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shield<'a> {
    /// It is not CUDA's, or is not to be touched.
    Kept(KeptReason),
    /// It is a macro of the project's own where this file includes the unit's, and CUDA's where
    /// another does.
    Disputed(&'a str),
}

/// Why the identifier at token `index` is not CUDA's, if it is not. `global` says that it is
/// written `::name`.
pub(super) fn shield<'u>(
    unit: &Unit<'u>,
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
        .is_some_and(|header| header == unit.file.path || row.library == COMPILER);
    if aliased {
        return Some(Shield::Kept(KeptReason::AliasHeader));
    }
    if row.library == USER {
        return None;
    }
    let declared = unit.declared.get(name).map_or(&[][..], Vec::as_slice);
    if row.library == COMPILER {
        return declared
            .iter()
            .any(|(_, one)| one.what == DeclaredAs::Alias)
            .then_some(Shield::Kept(KeptReason::AliasHeader));
    }
    let asks = LazyCell::new(|| asks_for_macro(unit, index));
    let place = Place {
        index,
        range,
        global,
        asks: &|| *asks,
    };
    declared
        .iter()
        .find_map(|(file, one)| judge(unit, &place, row, *file, one))
        .map(Shield::Kept)
        .or_else(|| under_macro(unit, name))
}

/// What a macro does to the name that is open where the unit's file is included.
fn under_macro<'u>(unit: &Unit<'u>, name: &[u8]) -> Option<Shield<'u>> {
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

/// Where a name stands.
struct Place<'p> {
    index: usize,
    range: TextRange,
    global: bool,
    /// Whether it stands in a directive that tests or ends a macro, which is looked up once.
    asks: &'p dyn Fn() -> bool,
}

fn judge(
    unit: &Unit<'_>,
    place: &Place<'_>,
    row: &Row,
    file: usize,
    one: &Declared,
) -> Option<KeptReason> {
    let &Place {
        index,
        range,
        global,
        asks,
    } = place;
    // A fragment's offsets are not the file's: only what reaches everywhere counts there.
    let here = file == unit.index && unit.fragment.is_none();
    let inside_body = here && one.body.is_some_and(|body| body.covers(range));
    let own = Some(KeptReason::ProjectDeclared);
    match one.what {
        DeclaredAs::Alias => Some(KeptReason::AliasHeader),
        DeclaredAs::VendorAlias => (here && one.at == range).then_some(KeptReason::VendorBranch),
        DeclaredAs::Macro => {
            let in_force = if file != unit.index {
                // A file that includes this one gives it the macros that are open there.
                !unit.visible.is_above(file) && unit.project.outlasts_file(file, one)
            } else if here {
                one.reach.covers(range) || asks()
            } else {
                unit.project.outlasts_file(file, one)
            };
            let header = unit.project.files.get(file).map(|file| file.path.as_str());
            let reason = if unit.alias_header.is_some() && unit.alias_header == header {
                KeptReason::AliasHeader
            } else {
                KeptReason::ProjectDeclared
            };
            (in_force && !inside_body).then_some(reason)
        }
        // An overload beside CUDA's own function, whose callers may mean either: a name that
        // stays anyway is reported where it is used.
        DeclaredAs::Function | DeclaredAs::Prototype
            if one.scope.is_empty() && row.relation != Relation::Renamed =>
        {
            (here && one.at == range).then_some(KeptReason::ProjectDeclared)
        }
        DeclaredAs::Function if one.scope.is_empty() => {
            (!inside_body).then_some(KeptReason::ProjectDeclared)
        }
        DeclaredAs::Prototype if one.scope.is_empty() => unit
            .project
            .defined_functions
            .contains(&one.name)
            .then_some(KeptReason::ProjectDeclared),
        // A type at file level that has the name of CUDA's own is a redeclaration of it, and
        // is translated with its uses, unless the project says what is in it. A name that counts
        // as CUDA's only behind certain headers is the project's.
        DeclaredAs::Type if one.scope.is_empty() => {
            if row.needs.is_empty() && one.body.is_none() {
                None
            } else {
                own
            }
        }
        DeclaredAs::Variable if one.scope.is_empty() => own,
        DeclaredAs::Function | DeclaredAs::Prototype | DeclaredAs::Type | DeclaredAs::Variable => {
            (!global && in_scope(unit, index, &one.scope)).then_some(KeptReason::ProjectDeclared)
        }
        DeclaredAs::Member => (here && !global && in_scope(unit, index, &one.scope))
            .then_some(KeptReason::ProjectDeclared),
        DeclaredAs::Local => {
            (here && !global && one.reach.covers(range)).then_some(KeptReason::ProjectDeclared)
        }
    }
}

/// Whether the token stands in a directive that tests or ends a macro: in the file that defines
/// one of that name, that one is meant, wherever the directive stands.
fn asks_for_macro(unit: &Unit<'_>, index: usize) -> bool {
    let directive = unit.parsed.tokens.directive_of(index);
    directive.is_some_and(|directive| {
        matches!(
            directive.kind,
            DirectiveKind::Undef
                | DirectiveKind::If
                | DirectiveKind::Ifdef
                | DirectiveKind::Ifndef
                | DirectiveKind::Elif
                | DirectiveKind::Elifdef
                | DirectiveKind::Elifndef
        )
    })
}

/// Whether names of `scope` are found unqualified at the token.
fn in_scope(unit: &Unit<'_>, index: usize, scope: &[Vec<u8>]) -> bool {
    let path = unit.parsed.outline.path_of(index);
    if path.len() >= scope.len() && path.iter().zip(scope).all(|(a, b)| *a == b.as_slice()) {
        return true;
    }
    let joined = String::from_utf8_lossy(&scope.join(&b"::"[..])).into_owned();
    unit.visible
        .files
        .iter()
        .filter_map(|&file| unit.project.files.get(file))
        .any(|file| file.facts.usings.contains(&joined))
}
