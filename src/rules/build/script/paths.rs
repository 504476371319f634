//! Paths into CUDA's toolkit.

use super::pass::ScriptPass;
use super::placed::{LibraryFile, filled, is_asked_for, is_placed, libraries};
use super::releases::{versioned, with_release};
use super::variables::names_for_another_shell;
use super::view::ScriptView;
use crate::build::grouped_findings::GroupedFindings;
use crate::build::toolkit;
use crate::build::toolkit::{ADVICE, OPEN, PLACED, PathRewrite, ToolkitPath};
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{ARGUMENT, PATH, PROGRAM};
use torchada_mapping::{Evidence, Section, contains_one, has, starts_with_one};
use torchada_syntax::script::{Statement, Word, WordPart};
use torchada_text::TextRange;

/// Advice about an option of another program's.
pub(super) const OPTION: &str =
    "the option is another program's: see whether that one has a build for MUSA, or leave it out";

/// The paths in a statement.
pub(super) fn paths(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let stays = is_placed(view, one) || is_asked_for(view, one);
    let filled = filled(view, one);
    for (at, word) in one.words.iter().enumerate() {
        if !option(pass, word) {
            parts(pass, word, stays || filled == Some(at));
        }
    }
}

/// `--with-cuda=/usr/local/cuda`: a program that asks for CUDA by name can't take MUSA's folder for it.
fn option(pass: &mut ScriptPass<'_>, word: &Word) -> bool {
    let view = pass.view;
    let Some(front) = word.front() else {
        return false;
    };
    let bytes = view.of(front);
    let Some(equals) = memchr::memchr(b'=', bytes).filter(|_| bytes.starts_with(b"--")) else {
        return false;
    };
    let key = TextRange::new(front.start, front.start + equals);
    let value = bytes.get(equals..).unwrap_or_default();
    // `--toolkitpath=/usr/local/cuda`: NVIDIA's installer puts CUDA there.
    let is_anothers = pass.findings.is_cudas(key) || view.is(key, &view.knowledge.installing_into);
    let is_one = is_anothers && !toolkit::written(view.unit.context, value, false).is_empty();
    if is_one && !pass.findings.is_handled(front) {
        pass.findings.report(ARGUMENT, front, OPTION);
    }
    is_one
}

fn parts(pass: &mut ScriptPass<'_>, word: &Word, stays: bool) {
    let view = pass.view;
    for (at, part) in word.parts.iter().enumerate() {
        match *part {
            WordPart::Text(text) => {
                nvidias(pass, text);
                versioned(pass, text, word.parts.get(at + 1));
                let last = at + 1 == word.parts.len();
                match with_release(view, text, word, at) {
                    Some(path) => written(pass, path, true, stays),
                    None => written(pass, text, last, stays),
                }
                if let Some(bits) = bits_of_libraries(view, word, at).filter(|_| !stays) {
                    pass.findings.replace(bits, "", Some(Evidence::Confirmed));
                }
                for name in names_for_another_shell(view, text) {
                    let brace = view.unit.text.get(name.end) == Some(&b'}');
                    let start = name.end + usize::from(brace);
                    if is_home(view, name) && start < text.end {
                        inside(pass, name, TextRange::new(start, text.end));
                    }
                }
            }
            WordPart::Variable { name, .. } => {
                if let Some(&WordPart::Text(behind)) = word.parts.get(at + 1)
                    && (is_home(view, name) || is_in_any_home(view, behind) && !stays)
                {
                    inside(pass, name, behind);
                }
            }
            WordPart::Result(_) => {}
        }
    }
}

/// The variable behind the folder of the toolkit's libraries, which MUSA has but once: `/usr/local/cuda/lib$(BITS)`.
fn bits_of_libraries(view: &ScriptView<'_>, word: &Word, at: usize) -> Option<TextRange> {
    let text = word.parts.get(at)?.range();
    let &WordPart::Variable { whole, .. } = word.parts.get(at + 1)? else {
        return None;
    };
    let front = view.of(text).strip_suffix(LIBRARIES)?;
    let before = at.checked_sub(1).and_then(|at| word.parts.get(at));
    let is_behind_home = front.is_empty()
        && matches!(before, Some(WordPart::Variable { name, .. }) if is_home(view, *name));
    let written = toolkit::written(view.unit.context, front, false);
    let is_behind_root = written
        .iter()
        .any(|(range, path)| matches!(path, ToolkitPath::Known(_)) && range.end == front.len());
    // `lib$(ARCH)-static` is another folder.
    let next = view.unit.text.get(whole.end);
    let ends = next.is_none_or(|byte| byte.is_ascii_whitespace() || b"/:;,\"'".contains(byte));
    (ends && whole.start == text.end && (is_behind_home || is_behind_root)).then_some(whole)
}

/// The folder of libraries in a toolkit.
const LIBRARIES: &[u8] = b"/lib";

/// Whether a variable holds the folder of the toolkit.
fn is_home(view: &ScriptView<'_>, name: TextRange) -> bool {
    toolkit::is_home(view.unit.context, view.of(name)) || view.facts.homes.contains(view.of(name))
}

/// Whether only a toolkit's folder has what a path behind a variable names: `$root/include/cuda_runtime.h`,
/// `$root/lib64/libcudart.so`, `$root/targets/x86_64-linux/lib`.
fn is_in_any_home(view: &ScriptView<'_>, behind: TextRange) -> bool {
    let path = view.of(behind);
    let (context, tables) = (view.unit.context, view.unit.context.tables);
    let is_own = |name: &[u8]| {
        let name = std::str::from_utf8(name).unwrap_or_default();
        view.unit.project.places.have(name)
    };
    let is_librarys = |one: LibraryFile| {
        let row = tables.get(Section::LibraryFiles, view.of(one.short));
        row.is_some_and(|row| row.to.is_some())
    };
    toolkit::is_machines(context, path)
        || toolkit::file_below(context, path).is_some_and(|name| {
            toolkit::header(context, name).is_some() && !is_own(name)
                || libraries(view, behind).into_iter().any(is_librarys)
        })
}

/// Whether a word is a path into the toolkit.
pub(super) fn is_in_toolkit(view: &ScriptView<'_>, word: &Word) -> bool {
    word.parts.iter().any(|part| match *part {
        WordPart::Variable { name, .. } => is_home(view, name),
        WordPart::Text(text) => {
            !toolkit::written(view.unit.context, view.of(text), false).is_empty()
        }
        WordPart::Result(_) => false,
    })
}

/// Folders of NVIDIA's: `site-packages/nvidia/nccl/lib`, `Program Files\NVIDIA GPU Computing Toolkit`, `-L/opt/cuda/lib64`.
fn nvidias(pass: &mut ScriptPass<'_>, text: TextRange) {
    let view = pass.view;
    let shown = view.unit.shown(text);
    // `nvcr.io/nvidia/pytorch`
    if !shown.starts_with('/') && contains_one(&shown, &view.knowledge.images.words) {
        return;
    }
    let toolkit = &view.knowledge.toolkit;
    let mut start = text.start;
    for path in view.of(text).split(|&byte| matches!(byte, b':' | b';')) {
        let range = TextRange::new(start, start + path.len());
        start = range.end + 1;
        let mut parts = path.split(|&byte| matches!(byte, b'/' | b'\\')).skip(1);
        let named = parts.any(|part| {
            let part = part.to_ascii_lowercase();
            has(&toolkit.vendor_folders, &part) || starts_with_one(part, &toolkit.vendor_fronts)
        });
        // `ghcr.io/nvidia/app`
        let host = path.split(|&byte| byte == b'/').next().unwrap_or_default();
        let mut labels = host.rsplit(|&byte| byte == b'.');
        let is_top = |label: &[u8]| label.len() > 1 && label.iter().all(u8::is_ascii_alphabetic);
        let has_host = labels.next().is_some_and(is_top)
            && labels.next().is_some_and(|label| !label.is_empty())
            && host.len() < path.len();
        let address = path.starts_with(b"//") || path.contains(&b'@') || has_host;
        if let Some(at) = other_root(view, range).filter(|_| !pass.findings.is_handled(range)) {
            let place = TextRange::new(range.start + at, range.end);
            unknown(pass, place, place);
        } else if named && !address && !pass.findings.is_handled(range) {
            pass.findings.report(PATH, whole_path(view, range), ADVICE);
        }
    }
}

/// Where a path into CUDA's toolkit begins that lies in another place than usual: `-L/opt/cuda-12.4/lib64` and
/// `/apps/gcc-9/cuda-11.1`, but not `/opt/cuda-data`.
fn other_root(view: &ScriptView<'_>, range: TextRange) -> Option<usize> {
    let path = view.of(range);
    let slash = memchr::memchr(b'/', path)?;
    let rest = path.get(slash..)?;
    let mut roots = view.knowledge.toolkit.other_roots.iter();
    let toolkit = &view.knowledge.toolkit;
    let is_toolkits = |folder: &[u8]| {
        let mut fronts = toolkit.versioned_fronts.iter();
        has(&toolkit.folders, folder)
            || fronts.any(|front| {
                let behind = folder.strip_prefix(front.as_bytes());
                behind.is_some_and(|behind| behind.first().is_some_and(u8::is_ascii_digit))
            })
    };
    let is_other = roots.any(|root| match rest.strip_prefix(root.as_bytes()) {
        Some([] | [b'/', ..]) => true,
        Some([b'-', version, ..]) => version.is_ascii_digit(),
        _ => false,
    });
    let root = toolkit.root.as_bytes();
    // An address has two slashes in front, and a path of the project's own begins with a name or with a variable.
    let before = (range.start + slash)
        .checked_sub(1)
        .and_then(|at| view.unit.text.get(at));
    let begins = before.is_none_or(|byte| byte.is_ascii_whitespace() || b"=:;,\"'`".contains(byte));
    // `-L/apps/cuda-11.1/lib64`
    let is_options = path.starts_with(b"-") && slash == 2;
    let is_absolute = path.get(slash + 1) != Some(&b'/') && (begins || is_options);
    let is_elsewhere =
        is_absolute && !rest.starts_with(root) && rest.split(|&byte| byte == b'/').any(is_toolkits);
    (is_other || is_elsewhere).then_some(slash)
}

/// A path with its drive, and with what a blank in it parts from it: `C:\Program Files\NVIDIA GPU Computing Toolkit`.
fn whole_path(view: &ScriptView<'_>, range: TextRange) -> TextRange {
    let text = view.unit.text;
    let mut whole = range;
    for folder in &view.knowledge.toolkit.spaced {
        let Some((front, back)) = folder.rsplit_once(' ') else {
            continue;
        };
        let before = text.get(..range.start).unwrap_or_default();
        let before = before.strip_suffix(b" ").unwrap_or_default();
        // `Program\ Files`
        let before = before.strip_suffix(b"\\").unwrap_or(before);
        if view.of(range).starts_with(back.as_bytes()) && before.ends_with(front.as_bytes()) {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || b"\"'=;".contains(byte);
            let len = before.iter().rev().take_while(|byte| !ends(byte)).count();
            whole.start = before.len() - len;
        }
    }
    if let Some([apart, drive, b':']) = text.get(whole.start.saturating_sub(3)..whole.start)
        && drive.is_ascii_alphabetic()
        && !apart.is_ascii_alphanumeric()
    {
        whole.start -= 2;
    }
    let quote = whole.start.checked_sub(1).and_then(|at| text.get(at));
    if whole.start < range.start
        && let Some(quote) = quote.filter(|byte| matches!(byte, b'"' | b'\''))
    {
        let rest = text.get(whole.end..).unwrap_or_default();
        let close = memchr::memchr2(*quote, b'\n', rest).unwrap_or(0);
        if rest.get(close) == Some(quote) {
            whole.end += close;
        }
    }
    whole
}

/// `/usr/local/cuda-12.1/lib64:/usr/local/cuda/bin`
fn written(pass: &mut ScriptPass<'_>, text: TextRange, last: bool, stays: bool) {
    let view = pass.view;
    for (whole, fate) in toolkit::written(view.unit.context, view.of(text), !last) {
        if pass.findings.is_handled(whole.shifted(text.start)) {
            continue;
        }
        match fate {
            ToolkitPath::Open => pass.findings.report(PATH, text, OPEN),
            ToolkitPath::Unknown(range) => {
                let path = range.shifted(text.start);
                unknown(pass, path, path);
            }
            ToolkitPath::Known(_) if stays => {
                let end = toolkit::end(view.of(text), whole.end);
                pass.findings.report(
                    PATH,
                    TextRange::new(whole.start, end).shifted(text.start),
                    PLACED,
                );
            }
            ToolkitPath::Known(edits) => replace(&edits, text, &mut pass.findings),
        }
    }
}

/// `/lib64` behind `$(CUDA_HOME)`
fn inside(pass: &mut ScriptPass<'_>, home: TextRange, text: TextRange) {
    let view = pass.view;
    match toolkit::below(view.unit.context, view.of(text), 0) {
        PathRewrite::Known(edits) => replace(&edits, text, &mut pass.findings),
        PathRewrite::Unknown(end) => {
            let path = TextRange::new(text.start, text.start + end);
            let before = view.unit.text.get(..home.start).unwrap_or_default();
            let start = memchr::memrchr(b'$', before).unwrap_or(home.start);
            unknown(pass, path, TextRange::new(start, path.end));
        }
    }
}

/// A path that nobody knows: where it ends in a program that was spoken of, there is no more to say.
/// Otherwise it is shown as `whole`.
fn unknown(pass: &mut ScriptPass<'_>, path: TextRange, whole: TextRange) {
    if pass.findings.has(PROGRAM, path) {
        pass.findings.keep_words(path, KeptReason::NamedBeside);
    } else {
        let shown = format!("`{}`", pass.view.unit.shown(whole).trim());
        pass.findings.report_as(PATH, path, shown, ADVICE);
    }
}

fn replace(edits: &[(TextRange, String)], text: TextRange, findings: &mut GroupedFindings<'_>) {
    for (range, to) in edits {
        findings.replace(range.shifted(text.start), to, Some(Evidence::Confirmed));
    }
}
