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

impl PossiblePath {
    /// The path of what is written behind a front that is not.
    fn behind(front: &str, written: &[String]) -> Self {
        let mut path: Vec<String> = front.split("::").map(str::to_owned).collect();
        let implied = path.len();
        path.extend_from_slice(written);
        Self { path, implied }
    }
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
            let mut reading = PossiblePath::behind(target, rest);
            // Its last part is what the first one that is written means.
            reading.implied -= 1;
            readings.push(reading);
        }
        readings.push(PossiblePath {
            path: written.clone(),
            implied: 0,
        });
        if unit.word_before(self.start, 1) == b"::" {
            return readings;
        }
        // After `using namespace cuda` of CUDA's own, `std` could mean either and would not compile.
        let may_be_outer = root != STANDARD || sees_libcudacxx(unit);
        let outer = may_be_outer.then(|| self.enclosing(unit));
        let outer = outer.into_iter().flatten();
        let used: &[&str] = if root == STANDARD {
            &[]
        } else {
            &visible.prefixes
        };
        let tables = unit.context.tables;
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
                readings.push(PossiblePath::behind(&prefix, &written));
            }
        }
        readings
    }

    /// The namespaces around the chain, the innermost first, where a name of the tables may begin with the outermost.
    fn enclosing(&self, unit: &CppUnit<'_>) -> Vec<String> {
        let names = unit.parsed.outline.path_of(self.start);
        let parts = unit.context.tables.name_parts();
        if !names.first().is_some_and(|name| parts.is_root(name)) {
            return Vec::new();
        }
        let paths = (1..=names.len()).rev().filter_map(|len| names.get(..len));
        let paths = paths.map(|path| String::from_utf8_lossy(&path.join(&b"::"[..])).into_owned());
        paths.collect()
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
