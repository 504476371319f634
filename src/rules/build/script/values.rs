//! The remaining words of a statement: arguments, entries of pipelines.

use super::commands::known;
use super::pass::ScriptPass;
use super::paths::OPTION;
use super::view::ScriptView;
use crate::build::grouped_findings::GroupedFindings;
use torchada_diagnostic::KeptReason;
use torchada_diagnostic::codes::build::{ARGUMENT, COMPARED, PIPELINE, PROGRAM, SOUGHT};
use torchada_mapping::files::BuildLanguage;
use torchada_mapping::{contains_one, has, starts_with_one};
use torchada_syntax::is_identifier_part;
use torchada_syntax::script::{Statement, StatementKind, Word};
use torchada_text::TextRange;

/// What to do where a script compares a value with CUDA's.
const BESIDE: &str = "where the value says which GPU there is, add MUSA's beside it (`musa` for PyTorch's device), and what is to be done there";

/// Values of arguments, and what pipelines say.
pub(super) fn values(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let words = match one.kind {
        StatementKind::Command => one.words.get(1..).unwrap_or_default(),
        StatementKind::Assignment | StatementKind::Default => &one.words,
        StatementKind::Label => {
            labels(pass, one);
            return;
        }
        StatementKind::Entry if view.unit.language == BuildLanguage::Workflow => {
            entry(pass, one);
            return;
        }
        _ => return,
    };
    let arguments = Arguments { view, one, words };
    let searches = arguments.searches();
    // What `find` runs for each file is another command, with words of its own.
    let runs = |word: &&Word| {
        let front = word.plain().map(|text| view.of(text));
        !(searches && matches!(front, Some(b"-exec" | b"-execdir" | b"-ok")))
    };
    let texts = words.iter().enumerate().take_while(|(_, word)| runs(word));
    let texts = texts.flat_map(|(at, word)| word.texts().map(move |text| (at, text)));
    for (at, text) in texts {
        if !pass.findings.is_cudas(text) || pass.findings.is_handled(text) {
            continue;
        }
        if is_in_sentence(view, one, text) {
            pass.findings.keep(text, KeptReason::Prose);
        } else {
            arguments.report(at, text, &mut pass.findings);
        }
    }
}

/// The arguments of a command, or the values of a variable.
struct Arguments<'s, 'v> {
    view: &'s ScriptView<'v>,
    one: &'s Statement,
    words: &'s [Word],
}

impl Arguments<'_, '_> {
    /// Whether they are those of one of some programs.
    fn are_of(&self, known: &[String]) -> bool {
        let first = self.one.words.first();
        first.is_some_and(|word| self.view.runs_one_of(word, known))
    }

    /// Whether a program searches for them.
    fn searches(&self) -> bool {
        self.one.kind == StatementKind::Command && self.are_of(&self.view.knowledge.searchers)
    }

    /// Report a text of CUDA's in the word at a place.
    fn report(&self, at: usize, text: TextRange, findings: &mut GroupedFindings<'_>) {
        let view = self.view;
        let searches = self.searches();
        let loads = self.are_of(&view.knowledge.module_loaders);
        if self.are_of(&view.knowledge.option_parsers) {
            findings.keep(text, KeptReason::ProjectDeclared);
        } else if self.one.kind == StatementKind::Command
            && !searches
            && let Some(command) = known(view, text)
        {
            // `docker exec box nvidia-smi`: what runs it is a program of another's.
            findings.report(PROGRAM, text, &command.advice);
        } else if self.is_compared(at) && (is_bare(view, text) || is_printed(view, text)) {
            // What has a space in it is what a program says, and no name of a file.
            findings.report(COMPARED, text, BESIDE);
        } else if searches && names_cudas(view, self.sought(at, text)) {
            let advice =
                "see what the MUSA SDK has in its place: MCCL is `libmccl.so`, muDNN `libmudnn.so`";
            findings.report(SOUGHT, text, advice);
        } else if loads || is_bare(view, text) {
            let advice = if loads {
                "load the module that brings the MUSA SDK, or set MUSA_HOME and PATH by hand"
            } else if is_torchs(view, text) {
                "where the program hands it to PyTorch, write `musa` and `mccl`, or let it choose by itself"
            } else {
                "see what it is for, and whether the port has something in its place"
            };
            findings.report(ARGUMENT, text, advice);
        } else if self.are_of(&view.knowledge.configurers) && self.turns_on(text) {
            findings.report(ARGUMENT, text, OPTION);
        }
    }

    /// Whether an option turns something on: `--enable-cuda`.
    fn turns_on(&self, option: TextRange) -> bool {
        starts_with_one(self.view.of(option), &self.view.knowledge.turning_on)
    }

    /// The part of a text that a program searches for: in the project's own folders the file alone, `$(DEPDIR)/cuda/lib.so`.
    fn sought(&self, at: usize, text: TextRange) -> TextRange {
        let is_front = self.words.get(at).and_then(Word::front) == Some(text);
        let slash = memchr::memrchr(b'/', self.view.of(text)).filter(|_| !is_front);
        TextRange::new(text.start + slash.map_or(0, |at| at + 1), text.end)
    }

    /// Whether a word is compared with another one: `[ "$device" == "cuda" ]`.
    fn is_compared(&self, at: usize) -> bool {
        let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let mut beside = beside.filter_map(|at| self.words.get(at));
        self.are_of(&self.view.knowledge.comparers)
            && beside.any(|word| self.view.is_comparison(word))
    }
}

/// Whether a text stands in a line of several words, in a quoted value of several lines: `HELP="…` says what options do.
fn is_in_sentence(view: &ScriptView<'_>, one: &Statement, text: TextRange) -> bool {
    let whole = view.unit.text;
    let first = one
        .words
        .first()
        .filter(|_| one.kind == StatementKind::Assignment);
    let Some(start) = first.map(|word| word.range.start) else {
        return false;
    };
    let marks = [start.checked_sub(1), Some(start)];
    let mut marks = marks.into_iter().flatten().filter_map(|at| whole.get(at));
    let Some(mark) = marks.find(|byte| matches!(byte, b'"' | b'\'')) else {
        return false;
    };
    let is_end = |byte: &u8| *byte == b'\n';
    let front = whole.get(start..text.start).unwrap_or_default();
    let behind = whole.get(text.end..).unwrap_or_default();
    let behind = behind.split(|byte| byte == mark).next().unwrap_or_default();
    let from = front.iter().rposition(is_end).map_or(0, |at| at + 1);
    let length = behind.iter().position(is_end).unwrap_or(behind.len());
    let line = TextRange::new(start + from, text.end + length);
    let words = line.of(whole).split(u8::is_ascii_whitespace);
    let is_word = |word: &&[u8]| word.len() > 1 && word.iter().all(u8::is_ascii_alphabetic);
    let is_long = front.iter().chain(behind).any(is_end);
    is_long && words.filter(is_word).count() >= 4
}

/// Values that a script tells apart: `case "$DEVICE" in cuda)`.
fn labels(pass: &mut ScriptPass<'_>, one: &Statement) {
    for text in one.words.iter().flat_map(Word::texts) {
        if pass.findings.is_cudas(text)
            && is_bare(pass.view, text)
            && !pass.findings.is_handled(text)
        {
            pass.findings.report(COMPARED, text, BESIDE);
        }
    }
}

/// Whether what a program searches for is something of CUDA's, and not a name of the project's with a word of CUDA's in it:
/// `libcudart.so*`, `/opt/cuda-12/lib`, `CUDA Version`, but neither `cuda_bench-*.whl` nor `*jax*cuda*`.
fn names_cudas(view: &ScriptView<'_>, text: TextRange) -> bool {
    let stems = view.unit.context.knowledge.builds.words.stems.words();
    let shown = view.of(text);
    let tables = view.unit.context.tables;
    let is_header =
        |name: &[u8]| std::str::from_utf8(name).is_ok_and(|name| tables.header(name).is_some());
    let mut names = shown.split(|&byte| byte == b'/');
    !shown.starts_with(b"-")
        && names.any(|name| {
            let mut words = name
                .split(|&byte| !byte.is_ascii_alphanumeric() && byte != b'_')
                .skip_while(|word| word.is_empty());
            let word = words.next().unwrap_or_default().to_ascii_lowercase();
            let bare = word.strip_prefix(b"lib").unwrap_or(&word);
            let starts = |stem: &String| bare.starts_with(stem.as_bytes());
            let digits = bare
                .iter()
                .rev()
                .take_while(|byte| byte.is_ascii_digit())
                .count();
            let unnumbered = bare.get(..bare.len() - digits).unwrap_or(bare);
            has(stems, unnumbered)
                || bare.len() < word.len() && stems.iter().any(starts)
                || is_header(name)
        })
}

/// `cuda`, `cuda:0`, `--device=cuda`, `--trace=cuda,nvtx`: nothing but words that are CUDA's alone.
fn is_bare(view: &ScriptView<'_>, text: TextRange) -> bool {
    let bytes = view.of(text);
    let value = bytes.rsplit(|&byte| byte == b'=').next().unwrap_or(bytes);
    let stems = view.unit.context.knowledge.builds.words.stems.words();
    let mut parts = value.split(|&byte| byte == b',');
    parts.any(|part| {
        let name = part.split(|&byte| byte == b':').next().unwrap_or(part);
        has(stems, name.to_ascii_lowercase())
    })
}

/// Whether a text of several words has one that is CUDA's alone, as what a program says of CUDA has: `CUDA Version`, but not
/// `#define HAVE_CUDA 1`.
fn is_printed(view: &ScriptView<'_>, text: TextRange) -> bool {
    let stems = view.unit.context.knowledge.builds.words.stems.words();
    let bytes = view.of(text);
    let mut words = bytes.split(|&byte| !is_identifier_part(byte));
    bytes.contains(&b' ') && words.any(|word| has(stems, word.to_ascii_lowercase()))
}

/// Whether a value may be a device or a backend of `PyTorch`'s.
fn is_torchs(view: &ScriptView<'_>, text: TextRange) -> bool {
    let shown = view.unit.shown(text).to_ascii_lowercase();
    let known = view.unit.context.knowledge;
    let devices = known.devices.iter().map(|one| &one.cuda);
    let mut names = devices.chain(&known.python_values.process_groups.cudas);
    names.any(|name| shown.contains(name.as_str()))
}

/// Whether what a step uses of a repository speaks of CUDA by the repository's owner alone: `nvidia-team/tools/lint.yml@v1`.
fn is_cudas_by_owner(
    view: &ScriptView<'_>,
    range: TextRange,
    findings: &GroupedFindings<'_>,
) -> bool {
    let text = view.of(range);
    let slash = memchr::memchr(b'/', text).filter(|_| text.contains(&b'@'));
    slash.is_some_and(|slash| !findings.is_cudas(TextRange::new(range.start + slash, range.end)))
}

/// `cuda: ["12.4", "12.8"]`, `runs-on: gpu-cuda`, `uses: Jimver/cuda-toolkit@v0.2`
fn entry(pass: &mut ScriptPass<'_>, one: &Statement) {
    let view = pass.view;
    let pipelines = &view.knowledge.pipelines;
    let for_people = view.is(one.head, &pipelines.prose);
    let mut ranges: Vec<TextRange> = one.words.iter().map(|word| word.range).collect();
    if !ranges.is_empty() {
        ranges.push(one.head);
    }
    for range in ranges {
        if !pass.findings.is_cudas(range) || pass.findings.is_handled(range) {
            continue;
        }
        let shown = view.unit.shown(range);
        if contains_one(&shown, &pipelines.owners)
            || is_cudas_by_owner(view, range, &pass.findings)
            || (for_people && range != one.head)
        {
            pass.findings.keep_words(range, KeptReason::Prose);
        } else {
            pass.findings
                .report_as(PIPELINE, range, format!("`{shown}`"), &pipelines.advice);
        }
    }
}
