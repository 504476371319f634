//! Verifies that the edits of a file did what they were meant to do, and nothing else.

mod build;
mod python;
mod reading;
mod sound;
mod words;

pub use crate::diagnostic::codes::cpp::WITHDRAWN;
pub use build::withdraw_broken_build;
pub use python::withdraw_broken_python;

use std::sync::LazyLock;

use rustc_hash::FxHashSet;

use crate::edit::{Applied, Edit, EditKind, EditSet, GroupId};
use crate::syntax::{Token, syntax_errors};
use sound::Sound;
use words::is_word_for_word;

/// Counts the syntax errors of a text; `None` where it can't be parsed.
type CountErrors = fn(&[u8]) -> Option<usize>;

/// An edit group that broke the file and was taken out.
#[derive(Debug)]
pub struct Withdrawn {
    /// The edits of the group.
    pub edits: Vec<Edit>,
    /// The fault that an edit made.
    pub why: &'static str,
}

/// Take the groups out of the edits to a text with the tokens `before` that change more than they should. A name in a
/// name's place leaves the tokens and the tree as they are, so only what else changes is lexed, and
/// only rewrites are parsed, unless `all` asks for more.
pub fn withdraw_broken(
    text: &[u8],
    before: &[Token],
    edits: &mut EditSet,
    template: bool,
    all: bool,
) -> Vec<Withdrawn> {
    let mut withdrawn = Vec::new();
    // Most edits put a name for a name, and leave every token what it was.
    if !all
        && edits
            .iter()
            .all(|edit| is_word_for_word(text, edit, is_fixed))
    {
        return withdrawn;
    }
    let mut applied = edits.apply(text);
    let are_alike = !all && reading::is_alike_around_edits(text, before, edits, &applied, template);
    if !are_alike {
        while let Some(group) = reading::broken_group(text, before, edits, &applied, template) {
            withdrawn.push(Withdrawn {
                edits: edits.withdraw(group),
                why: "the text around it would be read otherwise",
            });
            applied = edits.apply(text);
        }
    }
    withdrawn.extend(withdraw_unparsed(text, before, edits, &applied, all));
    withdrawn
}

/// Words that are no plain names: keywords of C++20 ([lex.key], [lex.name]), CUDA's, and what stands before a
/// string ([lex.string]).
const FIXED: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t \
    char8_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
    decltype default define defined delete do double dynamic_cast elif else endif enum error explicit export extern \
    false final float for friend goto if ifdef ifndef import include inline int line long module mutable namespace \
    new noexcept not not_eq nullptr operator or or_eq override pragma private protected public register \
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch template this \
    thread_local throw true try typedef typeid typename undef union unsigned using virtual void volatile warning \
    wchar_t while xor xor_eq __global__ __device__ __host__ __shared__ __constant__ __forceinline__ __noinline__ \
    __launch_bounds__ __attribute__ __declspec __asm__ L R LR u uR u8 u8R U UR";

fn is_fixed(word: &[u8]) -> bool {
    static WORDS: LazyLock<FxHashSet<&[u8]>> =
        LazyLock::new(|| FIXED.split(' ').map(str::as_bytes).collect());
    WORDS.contains(word)
}

/// Take out the groups of rewrites that bring syntax errors: each that shows its errors by itself,
/// and all that are left where errors hide each other.
fn withdraw_unparsed(
    text: &[u8],
    before: &[Token],
    edits: &mut EditSet,
    applied: &Applied,
    all: bool,
) -> Vec<Withdrawn> {
    // The tree keeps a directive's condition as it is written: there the tokens say enough.
    let in_directive = |edit: &Edit| {
        // What is put in behind a token belongs to the token's line.
        let at = before.partition_point(|token| {
            let end = token.range().end;
            end < edit.range.start || end == edit.range.start && !edit.range.is_empty()
        });
        before.get(at).is_some_and(|token| token.in_directive)
    };
    let rewrites = edits
        .iter()
        .filter(|edit| (all || edit.kind == EditKind::Rewrite) && !in_directive(edit));
    let mut sound = Sound::default();
    let suspects = rewrites.filter(|edit| {
        !sound.is_alone(text, before, edit)
            && (all || !sound.is_in_its_statement(text, before, edit, applied))
    });
    let mut groups: Vec<GroupId> = suspects.map(|edit| edit.group).collect();
    groups.dedup();
    // To parse a file takes longer than all else that is done with it.
    if groups.is_empty() {
        return Vec::new();
    }
    let Some(errors) = errors_in(&applied.text, syntax_errors) else {
        return Vec::new();
    };
    withdraw_errors(text, edits, errors, &groups, syntax_errors)
}

/// The errors of a file after its edits, where it has any. Most files have none, and nothing else need be asked of them.
fn errors_in(after: &[u8], count: CountErrors) -> Option<usize> {
    count(after).filter(|&errors| errors > 0)
}

/// Take out those of the groups that bring errors which `count` counts, of a file with `errors` of them after its edits.
fn withdraw_errors(
    text: &[u8],
    edits: &mut EditSet,
    mut errors: usize,
    groups: &[GroupId],
    count: CountErrors,
) -> Vec<Withdrawn> {
    let mut gone: Vec<Vec<Edit>> = Vec::new();
    if groups.is_empty() {
        return Vec::new();
    }
    // What the other edits make of errors that were there before is not these groups' fault.
    let mut others = edits.clone();
    for &group in groups {
        others.withdraw(group);
    }
    let Some(allowed) = count(&others.apply(text).text) else {
        return Vec::new();
    };
    for &group in groups {
        if errors <= allowed {
            break;
        }
        let mut without = edits.clone();
        let taken = without.withdraw(group);
        match count(&without.apply(text).text) {
            Some(fewer) if fewer < errors && !taken.is_empty() => {
                errors = fewer;
                *edits = without;
                gone.push(taken);
            }
            _ => {}
        }
    }
    if errors > allowed {
        gone.extend(groups.iter().map(|&group| edits.withdraw(group)));
    }
    gone.into_iter()
        .filter(|taken| !taken.is_empty())
        .map(|edits| Withdrawn {
            edits,
            why: "the code around it would no longer parse",
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{LexOptions, lex};
    use crate::text::TextRange;

    fn edit(start: usize, end: usize, to: &str, group: u32) -> Edit {
        let range = TextRange::new(start, end);
        Edit {
            kind: EditKind::Rename,
            ..Edit::rewrite(range, to, "test", None, GroupId(group))
        }
    }

    /// The text with the edits that stay, and the number of groups that were withdrawn.
    fn verified(text: &[u8], edits: &mut EditSet) -> (String, usize) {
        let before = lex(text, LexOptions::default()).tokens;
        let withdrawn = withdraw_broken(text, &before, edits, false, true);
        let applied = edits.apply(text);
        // What stays is read alike, however much of the text is read for that.
        assert!(reading::is_alike_around_edits(
            text, &before, edits, &applied, false
        ));
        let text = edits.apply(text).text;
        (String::from_utf8(text).expect("ASCII"), withdrawn.len())
    }

    #[test]
    fn an_edit_that_swallows_code_is_withdrawn_and_the_others_stay() {
        let text = b"a = cudaX; b = cudaY;";
        let mut edits = EditSet::default();
        edits.insert(edit(4, 9, "musaX", 1)).expect("free");
        edits.insert(edit(15, 20, "/* musaY", 2)).expect("free");
        let expected = ("a = musaX; b = cudaY;".to_owned(), 1);
        assert_eq!(verified(text, &mut edits), expected);
    }

    #[test]
    fn a_condition_that_grows_at_its_end_stays_where_the_code_around_it_is_broken() {
        let text = b"using 0x// c\nn ((m(::\"s\"\n#ifdef USE_ROCM\nab\n#else\n\\\nt";
        let at = |word: &str| {
            text.windows(word.len())
                .position(|here| here == word.as_bytes())
        };
        let (start, end) = (
            at("ifdef").expect("there"),
            at("ROCM\n").expect("there") + 4,
        );
        let mut edits = EditSet::default();
        for (start, end, to) in [
            (start, start + 6, "if defined("),
            (end, end, ") || defined(__MUSACC__)"),
        ] {
            let rewrite = Edit {
                kind: EditKind::Rewrite,
                ..edit(start, end, to, 1)
            };
            edits.insert(rewrite).expect("free");
        }
        assert_eq!(verified(text, &mut edits).1, 0);
    }

    #[test]
    fn a_name_split_in_two_tokens_is_withdrawn() {
        let mut edits = EditSet::default();
        edits.insert(edit(0, 5, "mu sa", 1)).expect("free");
        assert_eq!(
            verified(b"cudaX();", &mut edits),
            ("cudaX();".to_owned(), 1)
        );
    }

    #[test]
    fn every_rewrite_that_no_longer_parses_is_withdrawn_and_the_others_stay() {
        let text = b"a::b f() { return a::c; }\na::b g() { return a::c; }\n";
        let mut edits = EditSet::default();
        for (start, to, group) in [
            (0, "x::y", 1),
            (18, "x)(", 2),
            (26, "x::y", 3),
            (44, "{x", 4),
        ] {
            let kind = EditKind::Rewrite;
            let edit = edit(start, start + 4, to, group);
            edits.insert(Edit { kind, ..edit }).expect("free");
        }
        let expected = "x::y f() { return a::c; }\nx::y g() { return a::c; }\n";
        assert_eq!(verified(text, &mut edits), (expected.to_owned(), 2));
    }
}
