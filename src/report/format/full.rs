//! A message with the source that it is about.

use std::io::{self, Write};
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet};
use rustc_hash::FxHashMap;

use super::plain::{lines as plain_lines, one_line};
use crate::diagnostic::{Finding, Severity};
use crate::parallel;
use crate::text::and_more;

/// How many lines of a long stretch of source are shown.
const LINES: usize = 4;

/// How many bytes of a line are shown before and behind what is meant: a terminal shows less of them.
const BESIDE: usize = 1024;

/// How many further places of a finding are shown.
const PLACES: usize = 8;

/// One message and the text that it points into.
#[derive(Clone, Debug)]
pub struct Excerpt<'a> {
    /// The severity of the finding.
    pub severity: Severity,
    /// The code of a finding.
    pub code: Option<&'a str>,
    /// The finding's message.
    pub message: &'a str,
    /// The file, as messages name it.
    pub path: &'a str,
    /// The source; `None` where the message is about the file as a whole.
    pub source: Option<SourceLines<'a>>,
    /// What to do about it.
    pub help: Option<&'a str>,
    /// A further line about the finding.
    pub note: Option<String>,
}

/// Source that a message points into.
#[derive(Clone, Debug)]
pub struct SourceLines<'a> {
    /// Whole lines, those that are meant among them.
    pub text: &'a str,
    /// The 1-based number of the first of them.
    pub first_line: usize,
    /// The bytes of the text that are meant.
    pub span: Range<usize>,
    /// The 1-based column of the first of them, in characters, where the text lacks the front of its first line.
    pub column: Option<usize>,
}

/// Write a message with the lines that it points at.
///
/// # Errors
/// When `out` can't take it.
pub fn full(excerpt: &Excerpt<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", rendered(excerpt))
}

fn rendered(excerpt: &Excerpt<'_>) -> String {
    let level = match excerpt.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut title = level.primary_title(excerpt.message);
    if let Some(code) = excerpt.code {
        title = title.id(code);
    }
    let mut group = match &excerpt.source {
        None => title.element(Origin::path(excerpt.path)),
        Some(shown) => {
            let end = shown.text.len();
            let start = boundary(shown.text, shown.span.start.min(end));
            let end = boundary(shown.text, shown.span.end.clamp(start, end));
            let (before, rest) = shown.text.split_at(start);
            let (meant, after) = rest.split_at(end - start);
            let [before, meant, after] = [before, meant, after].map(visible);
            let span = before.len()..before.len() + meant.len();
            title.element(
                Snippet::source([before, meant, after].concat())
                    .line_start(shown.first_line)
                    .path(excerpt.path)
                    .annotation(AnnotationKind::Primary.span(span)),
            )
        }
    };
    if let Some(help) = excerpt.help {
        group = group.element(Level::HELP.message(help));
    }
    if let Some(note) = &excerpt.note {
        group = group.element(Level::NOTE.message(note));
    }
    let rendered = Renderer::styled().render(&[group]);
    with_column(excerpt, rendered)
}

/// A message whose place has the column of the whole line, where the source lacks the front of the line.
fn with_column(excerpt: &Excerpt<'_>, rendered: String) -> String {
    let cut = excerpt.source.as_ref();
    let Some((source, column)) = cut.and_then(|one| Some((one, one.column?))) else {
        return rendered;
    };
    let front = boundary(source.text, source.span.start);
    let (front, _) = source.text.split_at(front);
    let place = |column: usize| format!("{}:{}:{column}", excerpt.path, source.first_line);
    // The first line is the message.
    let (message, rest) = rendered.split_once('\n').unwrap_or((&rendered, ""));
    let rest = rest.replacen(&place(front.chars().count() + 1), &place(column), 1);
    format!("{message}\n{rest}")
}

/// Source without the letters that the renderer shows as they are and that act on a terminal all the same: control
/// characters behind ASCII, and line ends that are none in a source.
fn visible(text: &str) -> String {
    text.replace(['\u{2028}', '\u{2029}'], "\u{fffd}")
        .replace(|letter| matches!(letter, '\u{80}'..='\u{9f}'), "\u{fffd}")
}

/// The nearest offset at or before `at` that does not split a character.
fn boundary(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

/// Findings with their source, each to be followed by an empty line. `text_of` gives the text of a
/// file by the path that findings name it with. A finding that is the same at many places of a file is printed
/// once, with the other places behind it.
pub fn findings<'t>(
    findings: &[Finding],
    text_of: &(dyn Fn(&str) -> Option<&'t [u8]> + Sync),
) -> Vec<String> {
    let mut alike: FxHashMap<FindingKey<'_>, Vec<&Finding>> = FxHashMap::default();
    for finding in findings {
        alike.entry(finding_key(finding)).or_default().push(finding);
    }
    // The first of its like takes the others out.
    let first = findings
        .iter()
        .filter_map(|one| alike.remove(&finding_key(one)));
    parallel::flat_map(first, |alike: Vec<&Finding>| {
        let (finding, others) = alike.split_first()?;
        Some(with_source(finding, others, text_of))
    })
}

fn with_source<'t>(
    finding: &Finding,
    others: &[&Finding],
    text_of: &(dyn Fn(&str) -> Option<&'t [u8]> + Sync),
) -> String {
    let lines = match &finding.cell {
        Some(cell) => Some(lines_around(&cell.source, cell.range.into())),
        None => text_of(&finding.path)
            .filter(|_| !finding.is_whole())
            .map(|text| lines_around(text, finding.range.into())),
    };
    let source = lines.as_ref().map(|lines| SourceLines {
        text: &lines.text,
        first_line: finding.start.line,
        span: lines.meant.clone(),
        column: lines.is_cut.then_some(finding.start.column),
    });
    let help = finding.help.as_deref().map(plain_lines);
    rendered(&Excerpt {
        severity: finding.code.severity,
        code: Some(finding.code.id),
        message: &one_line(&finding.message),
        path: &one_line(&finding.place()),
        source,
        help: help.as_deref(),
        note: also_at(others),
    })
}

/// What makes two findings the same but for their place.
type FindingKey<'f> = (&'f str, &'f str, &'f str, Option<&'f str>);

fn finding_key(finding: &Finding) -> FindingKey<'_> {
    let help = finding.help.as_deref();
    (&finding.path, finding.code.id, &finding.message, help)
}

/// The further places of a finding; `None` where there are none.
fn also_at(others: &[&Finding]) -> Option<String> {
    let places = others.iter().map(|finding| {
        let start = finding.start;
        match finding.cell_number() {
            0 => format!("{}:{}", start.line, start.column),
            cell => format!("cell {cell}:{}:{}", start.line, start.column),
        }
    });
    let places: Vec<String> = places.take(PLACES).collect();
    let more = and_more(others.len().saturating_sub(PLACES));
    (!places.is_empty()).then(|| format!("the same at {}{more}", places.join(", ")))
}

/// Lines of a text around a stretch of it.
#[derive(PartialEq, Eq, Debug)]
struct LinesAround {
    text: String,
    /// Where the stretch lies in them.
    meant: Range<usize>,
    /// Whether they lack the front of the first line.
    is_cut: bool,
}

/// The lines of `text` that hold `range`, as far as they are shown. Undecodable bytes are replaced.
fn lines_around(text: &[u8], range: Range<usize>) -> LinesAround {
    let is_end = |byte: &u8| *byte == b'\n';
    let (before, rest) = text.split_at(range.start.min(text.len()));
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    let wanted = range.end.saturating_sub(range.start).min(rest.len());
    let mut end = 0;
    for line in rest.split_inclusive(is_end).take(LINES) {
        end += line.len();
        if end >= wanted.max(1) {
            break;
        }
    }
    let shown = rest.get(..end).unwrap_or_default();
    let shown = shown.strip_suffix(b"\n").unwrap_or(shown);
    let shown = shown.strip_suffix(b"\r").unwrap_or(shown);
    let (meant, after) = shown.split_at(wanted.min(shown.len()));
    let front = before.len() - start;
    let is_cut = front > BESIDE;
    let start = if is_cut { before.len() - BESIDE } else { start };
    let after = after.get(..BESIDE).unwrap_or(after);
    let mut text = String::from_utf8_lossy(before.get(start..).unwrap_or_default()).into_owned();
    let from = text.len();
    text.push_str(&String::from_utf8_lossy(meant));
    let to = text.len();
    text.push_str(&String::from_utf8_lossy(after));
    LinesAround {
        text,
        meant: from..to,
        is_cut,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_source_line_is_shown_with_a_mark() {
        let excerpt = Excerpt {
            severity: Severity::Error,
            code: None,
            message: "unknown key `renmae`",
            path: "torchada.toml",
            source: Some(SourceLines {
                text: "exclude = []\nrenmae = \"never\"\n",
                first_line: 1,
                span: 13..19,
                column: None,
            }),
            help: Some("did you mean `rename`?"),
            note: None,
        };
        let mut out = anstream::StripStream::new(Vec::new());
        full(&excerpt, &mut out).expect("written");
        let text = String::from_utf8(out.into_inner()).expect("UTF-8");
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines[0], "error: unknown key `renmae`");
        assert!(lines[1].ends_with("torchada.toml:2:1"), "{text}");
        assert!(text.contains("renmae = \"never\""), "{text}");
        assert!(text.contains("^^^^^^"), "{text}");
        assert!(text.contains("help: did you mean `rename`?"), "{text}");
    }

    #[test]
    fn the_lines_of_a_range_are_cut_out_whatever_their_bytes() {
        let around = |text: &[u8], range| {
            let found = lines_around(text, range);
            (found.text, found.meant)
        };
        let text = b"one\r\n\xfftwo three\r\nfour";
        assert_eq!(
            around(text, 10..15),
            ("\u{fffd}two three".to_owned(), 7..12)
        );
        assert_eq!(around(text, 17..21), ("four".to_owned(), 0..4));
        assert_eq!(around(text, 21..21), ("four".to_owned(), 4..4));
        let long = b"a\nb\nc\nd\ne\nf";
        assert_eq!(around(long, 0..11), ("a\nb\nc\nd".to_owned(), 0..7));
    }

    #[test]
    fn a_long_line_is_cut_around_what_is_meant() {
        let text = [vec![b'a'; 3000], b"meant".to_vec(), vec![b'z'; 3000]].concat();
        let found = lines_around(&text, 3000..3005);
        assert_eq!(
            (found.meant, found.text.len()),
            (BESIDE..BESIDE + 5, 2 * BESIDE + 5)
        );
        assert!(found.is_cut);
        let excerpt = Excerpt {
            severity: Severity::Note,
            code: None,
            message: "long",
            path: "k.cu",
            source: Some(SourceLines {
                text: &found.text,
                first_line: 7,
                span: BESIDE..BESIDE + 5,
                column: Some(3001),
            }),
            help: None,
            note: None,
        };
        let mut out = anstream::StripStream::new(Vec::new());
        full(&excerpt, &mut out).expect("written");
        let shown = String::from_utf8(out.into_inner()).expect("UTF-8");
        let place = shown.lines().nth(1).map(str::trim);
        assert_eq!(place, Some("--> k.cu:7:3001"));
    }
}
