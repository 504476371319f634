//! A qualified name as it is written, and the names that it can stand for.

use super::visible_namespaces::{STANDARD, VisibleNamespaces};
use crate::cpp::CppUnit;
use torchada_mapping::Section;
use torchada_syntax::{Token, TokenKind};
use torchada_text::TextRange;

/// The folder of libcu++'s headers.
const LIBCUDACXX: &str = "cuda/";

/// `a::b::c` as it is written.
pub(super) struct QualifiedName {
    /// The identifiers.
    pub(super) parts: Vec<Token>,
    /// One past the last token.
    pub(super) end: usize,
    /// The first token.
    start: usize,
}

/// A path that a chain can stand for.
pub(super) struct PossiblePath {
    /// The whole path.
    pub(super) path: Vec<String>,
    /// The number of parts at the front of the path that are not written.
    pub(super) implied: usize,
}

impl QualifiedName {
    /// The name that starts with the identifier at `index`.
    pub(super) fn at(unit: &CppUnit<'_>, index: usize) -> Self {
        let mut parts = Vec::new();
        let mut at = index;
        while let Some(token) = unit.token(at).filter(|t| t.kind == TokenKind::Identifier) {
            parts.push(token);
            // `typename ::cuda::std::…`: the keyword is no part of the name.
            let words = &unit.context.knowledge.shapes.declarations;
            if parts.len() == 1 && words.stands_before_root(token.text(unit.text)) {
                break;
            }
            if unit.word(at + 1) == b"::"
                && unit
                    .token(at + 2)
                    .is_some_and(|t| t.kind == TokenKind::Identifier)
            {
                at += 2;
            } else {
                break;
            }
        }
        Self {
            parts,
            end: at + 1,
            start: index,
        }
    }

    /// The range of the whole name.
    pub(super) fn range(&self) -> TextRange {
        let start = self.parts.first().map_or(0, |token| token.range().start);
        let end = self.parts.last().map_or(start, |token| token.range().end);
        TextRange::new(start, end)
    }

    /// Whether a row of the tables may be about what the name can stand for: some part begins such a name.
    pub(super) fn may_be_known(&self, unit: &CppUnit<'_>, visible: &VisibleNamespaces<'_>) -> bool {
        let tables = unit.context.tables;
        let names = tables.name_parts();
        let Some(root) = self.parts.first().map(|part| part.text(unit.text)) else {
            return false;
        };
        let mut parts = self.parts.iter();
        parts.any(|part| names.is_root(part.text(unit.text)))
            || tables.stem(root).is_some()
            || visible.may_stand_for_more(root)
            || unit
                .parsed
                .outline
                .path_of(self.start)
                .first()
                .is_some_and(|outermost| names.is_root(outermost))
    }

    /// Whether the first part is a namespace of the project's own, inside one around the place: in
    /// `namespace ctranslate2` the name `cuda::minimum` is `ctranslate2::cuda::minimum` where a file in
    /// sight has that namespace.
    pub(super) fn starts_in_own_namespace(
        &self,
        unit: &CppUnit<'_>,
        visible: &VisibleNamespaces<'_>,
    ) -> bool {
        let Some(root) = self.parts.first().map(|part| part.text(unit.text)) else {
            return false;
        };
        let tables = unit.context.tables;
        if unit.word_before(self.start, 1) == b"::"
            || tables.get(Section::Namespaces, root).is_none() && tables.stem(root).is_none()
        {
            return false;
        }
        let around = unit.parsed.outline.path_of(self.start);
        let inside = (1..=around.len()).filter_map(|len| {
            let names: Vec<&[u8]> = around.get(..len)?.iter().copied().chain([root]).collect();
            String::from_utf8(names.join(&b"::"[..])).ok()
        });
        let inside: Vec<String> = inside.collect();
        let is_known = |path: &String| tables.get(Section::Namespaces, path.as_bytes()).is_some();
        // The library's own namespace, which the project adds to, is the library's.
        !inside.is_empty()
            && !inside.iter().any(is_known)
            && inside.iter().any(|path| visible.opens(path))
    }

    /// The paths that the chain can stand for, the likeliest first.
    pub(super) fn readings(
        &self,
        unit: &CppUnit<'_>,
        visible: &VisibleNamespaces<'_>,
    ) -> Vec<PossiblePath> {
        let written: Vec<String> = self
            .parts
            .iter()
            .map(|part| String::from_utf8_lossy(part.text(unit.text)).into_owned())
            .collect();
        let Some((root, rest)) = written.split_first() else {
            return Vec::new();
        };
        let mut readings = Vec::new();
        for target in visible.targets(root) {
            let mut path: Vec<String> = target.split("::").map(str::to_owned).collect();
            let implied = path.len() - 1;
            path.extend(rest.iter().cloned());
            readings.push(PossiblePath { path, implied });
        }
        readings.push(PossiblePath {
            path: written.clone(),
            implied: 0,
        });
        if unit.word_before(self.start, 1) == b"::" {
            return readings;
        }
        let enclosing = unit.parsed.outline.path_of(self.start);
        // All of these begin with one name.
        let tables = unit.context.tables;
        let is_root = |name: &&&[u8]| tables.name_parts().is_root(name);
        let depth = enclosing
            .first()
            .filter(is_root)
            .map_or(0, |_| enclosing.len());
        let outer = (1..=depth).rev().map(|len| {
            let names = enclosing.get(..len).unwrap_or_default();
            String::from_utf8_lossy(&names.join(&b"::"[..])).into_owned()
        });
        // After `using namespace cuda` of CUDA's own, `std` could mean either and would not compile.
        let outer = outer.filter(|_| root != STANDARD || sees_libcudacxx(unit));
        let used: &[&str] = if root == STANDARD {
            &[]
        } else {
            &visible.prefixes
        };
        for prefix in outer.chain(used.iter().map(|&prefix| prefix.to_owned())) {
            let outermost = prefix.split("::").next().unwrap_or_default();
            // No table has a name that begins so.
            if !tables.name_parts().is_root(outermost.as_bytes()) {
                continue;
            }
            let inside = format!("{prefix}::{root}");
            let known = [Section::Namespaces, Section::Qualified]
                .iter()
                .any(|&section| tables.get(section, inside.as_bytes()).is_some());
            // `wmma::load_matrix_sync` after `using namespace nvcuda`. In `at::cuda` the name `cuda` is that namespace.
            let names_known = || {
                !prefix.ends_with(&format!("::{root}"))
                    && rest.iter().any(|name| {
                        let row = tables.get(Section::Names, name.as_bytes());
                        row.is_some_and(|row| !row.std)
                    })
            };
            if known || (is_namespace(unit, &prefix) && names_known()) {
                let mut path: Vec<String> = prefix.split("::").map(str::to_owned).collect();
                let implied = path.len();
                path.extend(written.iter().cloned());
                readings.push(PossiblePath { path, implied });
            }
        }
        readings
    }
}

/// Whether a header of libcu++'s is in sight, which gives `cuda` a `std` of its own.
fn sees_libcudacxx(unit: &CppUnit<'_>) -> bool {
    let files = unit.visible.files.iter();
    let mut includes = files
        .filter_map(|&file| unit.project.files.get(file))
        .flat_map(|file| &file.facts.includes);
    includes.any(|include| include.path.starts_with(LIBCUDACXX))
}

fn is_namespace(unit: &CppUnit<'_>, path: &str) -> bool {
    unit.context
        .row(Section::Namespaces, path.as_bytes())
        .is_some()
}
