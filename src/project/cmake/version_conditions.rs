//! Conditions of `CMake`'s on CUDA's version, and the releases that they ask for.

use std::sync::Arc;

use torchada_mapping::builds::CMakeTable;
use torchada_mapping::has;
use torchada_syntax::cmake::{Argument, Cmake};
use torchada_syntax::cmake_references::read_variable;
use torchada_text::{TextRange, contains};

/// A condition on CUDA's version.
pub(crate) struct VersionCondition {
    /// The release that it asks for, major and minor.
    pub(crate) release: (u32, u32),
    /// The variable with the version.
    pub(crate) range: TextRange,
    /// Whether the build stops with an older release.
    pub(crate) is_required: bool,
}

/// What makes `message` stop a build.
const STOPS: &[u8] = b"FATAL_ERROR";

/// The conditions of a file, but for those that refuse the release which they name and newer ones. `read` gives its
/// commands, where they are needed.
pub(crate) fn version_conditions(
    text: &[u8],
    table: &CMakeTable,
    read: &dyn Fn() -> Arc<Cmake>,
) -> Vec<VersionCondition> {
    let mut names = table.versions.iter();
    if !names.any(|name| contains(text, name)) {
        return Vec::new();
    }
    let file = read();
    let stops = |opener: usize| {
        let inside = file.inside(opener).filter(|one| one.block == Some(opener));
        let mut words = inside.flat_map(|one| &one.arguments);
        words.any(|word| word.inner.of(text) == STOPS)
    };
    let mut found = Vec::new();
    for command in &file.commands {
        let at = command.at;
        if !matches!(command.lower_name(), "if" | "elseif") {
            continue;
        }
        let comparisons = comparisons(text, &command.arguments, table);
        if comparisons.is_empty() {
            continue;
        }
        let mut behind = (at + 1..file.commands.len()).take_while(|&inner| {
            let one = file.commands.get(inner);
            one.is_some_and(|one| one.block == command.block || file.is_inside(inner, at))
        });
        let otherwise = behind.find(|&inner| {
            let one = file.commands.get(inner);
            one.is_some_and(|one| one.lower_name() == "else" && one.before == Some(at))
        });
        let stops_here = stops(at);
        let stops_otherwise = otherwise.is_some_and(stops);
        // What comes before the last branch of a chain goes on with older releases.
        let is_only_branch = command.lower_name() == "if";
        for one in comparisons {
            let (wants_older, wants_newer) = match one.of {
                Some(Side::Older) => (stops_otherwise, stops_here),
                Some(Side::Newer) => (stops_here, stops_otherwise && is_only_branch),
                None => (stops_here, false),
            };
            if !wants_older {
                found.push(VersionCondition {
                    release: if wants_newer { one.from } else { one.named },
                    range: one.range,
                    is_required: wants_newer,
                });
            }
        }
    }
    found
}

/// The releases for which a comparison holds.
#[derive(Clone, Copy)]
enum Side {
    /// The releases before the one that is compared with.
    Older,
    /// The one that is compared with, and later ones.
    Newer,
}

/// One comparison in a condition.
struct Comparison {
    /// The variable.
    range: TextRange,
    /// The release that it is compared with.
    named: (u32, u32),
    /// The release from which on the answer is another one.
    from: (u32, u32),
    /// For which releases it holds, unless for one alone.
    of: Option<Side>,
}

fn comparisons(text: &[u8], words: &[Argument], table: &CMakeTable) -> Vec<Comparison> {
    let word = |at: usize| words.get(at).map_or(&b""[..], |word| word.inner.of(text));
    let read = |at: usize| {
        let name = read_variable(std::str::from_utf8(word(at)).ok()?);
        let parts = &table.version_parts;
        if !has(&table.versions, name) || name.ends_with(&parts.minor) {
            return None;
        }
        let number = std::str::from_utf8(word(at + 2)).ok()?;
        let mut numbers = number.split('.').map(str::parse);
        let major: u32 = numbers.next()?.ok()?;
        let minor: u32 = numbers.next().map_or(Some(0), Result::ok)?;
        let named = (major, minor);
        let next = if name.ends_with(&parts.major) {
            (major.checked_add(1)?, 0)
        } else {
            (major, minor.checked_add(1)?)
        };
        let is_denied = at.checked_sub(1).map(word) == Some(b"NOT");
        let sign = word(at + 1);
        let (side, from) = match sign.strip_prefix(b"VERSION_").unwrap_or(sign) {
            b"LESS" => (Some(Side::Older), named),
            b"LESS_EQUAL" => (Some(Side::Older), next),
            b"GREATER" => (Some(Side::Newer), next),
            b"GREATER_EQUAL" => (Some(Side::Newer), named),
            b"EQUAL" => (None, named),
            _ => return None,
        };
        let of = match side {
            Some(Side::Older) if is_denied => Some(Side::Newer),
            Some(Side::Newer) if is_denied => Some(Side::Older),
            other => other,
        };
        Some(Comparison {
            range: words.get(at)?.range,
            named,
            from,
            of,
        })
    };
    (0..words.len()).filter_map(read).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::version_conditions;
    use torchada_mapping::knowledge::Knowledge;
    use torchada_syntax::cmake::Cmake;

    #[test]
    fn a_condition_asks_for_a_release_or_needs_it() {
        let table = &Knowledge::builtin().builds.cmake;
        let found = |text: &str| {
            let read = || Arc::new(Cmake::read(text.as_bytes()));
            let found = version_conditions(text.as_bytes(), table, &read).into_iter();
            found
                .map(|one| (one.release, one.is_required))
                .collect::<Vec<_>>()
        };
        let stop = "message(FATAL_ERROR \"no\")";
        let needs = |condition: &str| found(&format!("if({condition})\n{stop}\nendif()\n"));
        assert_eq!(
            needs("CUDA_VERSION VERSION_LESS \"11.2\""),
            [((11, 2), true)]
        );
        assert_eq!(
            needs("A AND NOT CUDA_VERSION VERSION_GREATER 11"),
            [((11, 1), true)]
        );
        let chain = "if(CUDA_VERSION VERSION_LESS 12)\nelseif(CUDA_VERSION VERSION_GREATER_EQUAL 12.7)\nelse()\n";
        assert_eq!(
            found(&format!("{chain}{stop}\nendif()\n")),
            [((12, 0), false), ((12, 7), false)]
        );
        assert_eq!(
            needs("CUDAToolkit_VERSION_MAJOR LESS_EQUAL 11"),
            [((12, 0), true)]
        );
        assert_eq!(needs("CUDA_VERSION VERSION_GREATER 12.4"), []);
        assert_eq!(needs("CUDA_VERSION VERSION_EQUAL 12.4"), []);
        assert_eq!(needs("CMAKE_VERSION VERSION_LESS 3.18"), []);
        let otherwise = |condition: &str| {
            found(&format!(
                "if({condition})\nset(A B)\nelse()\n{stop}\nendif()\n"
            ))
        };
        assert_eq!(
            otherwise("${CUDAToolkit_VERSION_MAJOR} GREATER_EQUAL 12"),
            [((12, 0), true)]
        );
        assert_eq!(otherwise("CUDA_VERSION VERSION_LESS 12"), []);
        assert_eq!(
            found("if(CUDA_VERSION VERSION_LESS 11.0)\nset(A B)\nendif()\n"),
            [((11, 0), false)]
        );
    }
}
