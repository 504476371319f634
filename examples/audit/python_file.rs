//! One file of Python, before and after.

use crate::measure::{Example, Measure, Tally};
use crate::prose::is_sentence;
use crate::python::changes::Changes;
use crate::python::lines::Lines;
use crate::python::token::{Kind, Token, with_comments};
use crate::trees::{Pair, Report, span};
use torchada::syntax::python_errors;

/// Whether a file is Python's, by its ending.
pub(crate) fn is_python(path: &str) -> bool {
    is_module(path) || ends(path, &["pyi", "ipynb"])
}

/// Whether Python's compiler may read a file.
pub(crate) fn is_module(path: &str) -> bool {
    ends(path, &["py"])
}

fn ends(path: &str, endings: &[&str]) -> bool {
    let ending = path.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| endings.contains(&ending))
}

/// Audit a file.
pub(crate) fn audit_python(report: &Report, pair: &Pair, before: &[u8], after: &[u8]) -> Tally {
    let mut tally = Tally::default();
    let path = &pair.source;
    let changes = Changes::new(path, before.to_vec(), after.to_vec());
    let comments = (comments(path, before), comments(path, after));
    let (Ok(changes), (Some(old), Some(new))) = (changes, comments) else {
        tally.count_file(Measure::PythonBroken, path, "can't be parsed");
        return tally;
    };
    if old != new {
        let first = old.iter().zip(&new).find(|(old, new)| old != new);
        let text = first.map_or("another number", |(old, _)| old.as_str());
        tally.count_file(Measure::PythonComments, path, text);
    }
    let lines = Lines::new(before);
    let example = |token: &Token| {
        let (line, column) = lines.at(token.word.unwrap_or(token.at.start));
        Example {
            path: path.clone(),
            line,
            column,
            text: token.text.chars().take(80).collect(),
        }
    };
    for (at, token) in changes.before.iter().enumerate() {
        let prose = match token.kind {
            Kind::Doc => true,
            Kind::Text => is_sentence(&token.text),
            _ => false,
        };
        if prose && changes.is_replaced(at) {
            tally.count(Measure::PythonProse, example(token));
        }
        if !is_reference(token) || prose || changes.is_touched(at) {
            continue;
        }
        let span = span(&lines, token.around.start, token.around.end);
        let measure = if report.reports_near(path, span) {
            Measure::PythonReported
        } else {
            Measure::PythonLeft
        };
        tally.count(measure, example(token));
    }
    // Of text that is no Python, what a string is is chance.
    if before != after && is_module(path) && python_errors(before) == Some(0) {
        for token in changes.moved(before, after) {
            tally.count(Measure::PythonOutside, example(&token));
        }
    }
    tally
}

impl Changes {
    /// Whether a token is not in the output.
    fn is_replaced(&self, at: usize) -> bool {
        self.hunks.iter().any(|(old, _)| old.contains(&at))
    }

    /// The tokens that stayed, as did the one behind, but not the white space between the two.
    fn moved(&self, before: &[u8], after: &[u8]) -> Vec<Token> {
        let gap = |text: &'_ [u8], one: &Token, two: &Token| -> Option<Vec<u8>> {
            Some(text.get(one.at.end..two.at.start)?.to_vec())
        };
        let mut found = Vec::new();
        for (at, pair) in self.before.windows(2).enumerate() {
            let ends = |at: usize| self.now.get(at).copied().flatten();
            let (Some(one), Some(two)) = (ends(at), ends(at + 1)) else {
                continue;
            };
            let (Some(first), Some(second)) = (self.after.get(one), self.after.get(two)) else {
                continue;
            };
            let new = gap(after, first, second).map(|text| without_line(&text));
            if two == one + 1 && gap(before, &pair[0], &pair[1]) != new {
                found.push(pair[0].clone());
            }
        }
        found
    }
}

/// What stands between two tokens without the line that a port adds there.
fn without_line(text: &[u8]) -> Vec<u8> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let kept = lines.filter(|line| line.trim_ascii() != b"import torchada");
    kept.flatten().copied().collect()
}

fn comments(path: &str, text: &[u8]) -> Option<Vec<String>> {
    let all = with_comments(path, text.to_vec()).ok()?;
    let comments = all.into_iter().filter(|token| token.kind == Kind::Comment);
    Some(comments.map(|token| token.text).collect())
}

/// Whether a token is most likely no name of the project's own: a name that is such a word and
/// nothing else, a member named after it, a device, an environment variable or a library.
fn is_reference(token: &Token) -> bool {
    const NAMES: [&str; 8] = [
        "cuda",
        "is_cuda",
        "cudnn",
        "cuda_stream",
        "CUDAGraph",
        "cudart",
        "nccl",
        "nvtx",
    ];
    const STRINGS: [&str; 4] = ["cuda", "nccl", "nvcc", "nvidia-smi"];
    const STARTS: [&str; 6] = ["cuda:", "CUDA_", "NCCL_", "libcud", "libnccl", "torch.cuda"];
    match token.kind {
        _ if !token.is_cuda() => false,
        Kind::Name => NAMES.contains(&token.text.as_str()),
        Kind::Text => {
            let text = token
                .text
                .trim_start_matches(|sign: char| sign.is_alphabetic());
            let text = if text.is_empty() { &token.text } else { text };
            let text = text.trim_matches(['"', '\'']);
            STRINGS.contains(&text) || STARTS.iter().any(|start| text.starts_with(start))
        }
        _ => false,
    }
}
