//! Lines and arguments that edits of a `CMake` file take out and put in.

use rustc_hash::FxHashMap;

use super::pass::Pass;
use torchada_mapping::starts_with_one;
use torchada_syntax::cmake::Command;
use torchada_text::TextRange;

/// Lines that read what others put in.
const READERS: [&str; 5] = [
    "string(JOIN",
    "separate_arguments",
    "set_source_files_properties",
    "set_property",
    "if(COMMAND",
];

impl Pass<'_> {
    /// Take out arguments from `first` to `last`, with the white space before them.
    pub(super) fn remove_arguments(
        &mut self,
        command: &Command,
        first: usize,
        last: usize,
    ) -> bool {
        let (Some(from), Some(to)) = (command.arguments.get(first), command.arguments.get(last))
        else {
            return false;
        };
        let before = first
            .checked_sub(1)
            .and_then(|at| command.arguments.get(at));
        let bare = TextRange::new(from.range.start, to.range.end);
        let range = match (before, command.arguments.get(last + 1)) {
            (Some(before), _) => TextRange::new(before.range.end, bare.end),
            (None, Some(next)) => TextRange::new(bare.start, next.range.start),
            (None, None) => bare,
        };
        // A comment or a parenthesis between two arguments is worth more than a tidy line.
        let mut gaps = [(range.start, bare.start), (bare.end, range.end)].into_iter();
        let is_blank = gaps.all(|(start, end)| {
            let gap = TextRange::new(start, end).of(self.unit.text);
            gap.trim_ascii().is_empty()
        });
        let range = if is_blank { range } else { bare };
        self.edit(range, "")
    }

    /// Take out a command, with its line where nothing else stands there. Comments among its arguments stay, each on a line.
    pub(super) fn remove(&mut self, at: usize) -> bool {
        let Some(command) = self.file.commands.get(at) else {
            return false;
        };
        let (start, end) = (command.range.start, command.range.end);
        let text = self.unit.text;
        let line_start = line_start(text, start);
        let alone = text
            .get(line_start..start)
            .is_some_and(|front| front.trim_ascii().is_empty());
        let line_end = line_end(text, end);
        let nothing_behind = text
            .get(end..line_end)
            .is_some_and(|rest| rest.trim_ascii().is_empty());
        let range = if alone && nothing_behind {
            TextRange::new(line_start, line_end)
        } else {
            TextRange::new(start, end)
        };
        let indent = text.get(line_start..start).filter(|_| alone);
        let indent = String::from_utf8_lossy(indent.unwrap_or_default()).into_owned();
        let comments = self.unit.comments;
        let behind = comments.partition_point(|one| one.start < range.start);
        let comments = comments.get(behind..).unwrap_or_default().iter();
        let inside = comments.take_while(|one| range.covers(**one));
        let group = self.out.group();
        let (mut from, mut front) = (range.start, "");
        let mut done = true;
        for comment in inside {
            let before = TextRange::new(from, comment.start);
            done &= self.edit_in(before, &format!("{front}{indent}"), group);
            (from, front) = (comment.end, "\n");
        }
        done &= self.edit_in(TextRange::new(from, range.end), front, group);
        if done {
            self.removed.insert(at);
        }
        done
    }

    /// Put lines in before a command.
    pub(super) fn insert_before(&mut self, at: usize, lines: &[String]) {
        self.put(at, lines, |text, command| line_start(text, command.start));
    }

    /// Put lines in behind the line on which a command ends.
    pub(super) fn insert_behind(&mut self, at: usize, lines: &[String]) {
        self.put(at, lines, |text, command| line_end(text, command.end));
    }

    /// Put lines in at a place by a command, with the command's indent.
    fn put(&mut self, at: usize, lines: &[String], place: fn(&[u8], TextRange) -> usize) {
        let command = self.file.commands.get(at).filter(|_| !lines.is_empty());
        let Some(command) = command else {
            return;
        };
        let (text, block) = (self.unit.text, command.block);
        let place = place(text, command.range);
        let start = line_start(text, command.range.start);
        let front = text.get(start..command.range.start).unwrap_or_default();
        let blank = front
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let indent = String::from_utf8_lossy(front.get(..blank).unwrap_or_default()).into_owned();
        let there = self.lines.entry(place).or_default();
        for line in lines {
            let blocks = self.added.entry(line.trim().to_owned()).or_default();
            blocks.insert(block);
            let line = format!("{indent}{line}");
            if !there.contains(&line) {
                there.push(line);
            }
        }
    }

    /// Whether a line holds for the command at `at`: it stands at the margin, so in every branch, or is to be put into a
    /// block that the command stands in as well.
    pub(super) fn has_line(&self, line: &str, at: usize) -> bool {
        self.adds_line(line, at) || self.lines().get(line.as_bytes()) == Some(&true)
    }

    /// Whether a line stands anywhere in the text.
    pub(super) fn is_written(&self, line: &str) -> bool {
        self.lines().contains_key(line.as_bytes())
    }

    /// The lines of the text, and which of them begin at the margin.
    fn lines(&self) -> &FxHashMap<&[u8], bool> {
        self.facts.lines.get_or_init(|| {
            let mut lines = FxHashMap::default();
            for line in self.unit.text.split(|&byte| byte == b'\n') {
                let is_at_margin = line.trim_ascii_start().len() == line.len();
                *lines.entry(line.trim_ascii()).or_default() |= is_at_margin;
            }
            lines
        })
    }

    /// Whether a line is to be put into a block that the command at `at` stands in.
    pub(super) fn adds_line(&self, line: &str, at: usize) -> bool {
        self.added.get(line).is_some_and(|blocks| {
            let mut around = self.file.blocks(at);
            blocks.contains(&None) || around.any(|block| blocks.contains(&Some(block)))
        })
    }

    /// Make edits of the lines to put in.
    pub(super) fn finish(mut self) {
        let text = self.unit.text;
        let end = if text.windows(2).any(|two| two == b"\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        for (place, mut lines) in std::mem::take(&mut self.lines) {
            // What a source is compiled with is read where it stands, behind all flags.
            lines.sort_by_key(|line| starts_with_one(line.trim_start(), &READERS));
            let mut block = lines.join(end);
            block.push_str(end);
            if place > 0 && text.get(place - 1) != Some(&b'\n') {
                block = format!("{end}{block}");
            }
            // A range that begins here takes the lines along.
            match self.out.edits.take_at(place) {
                Some(edit) => {
                    let to = [block.as_bytes(), &edit.replacement].concat();
                    let to = String::from_utf8_lossy(&to).into_owned();
                    self.edit_in(edit.range, &to, edit.group);
                }
                None => {
                    self.edit(TextRange::new(place, place), &block);
                }
            }
        }
    }
}

fn line_start(text: &[u8], at: usize) -> usize {
    let front = text.get(..at).unwrap_or_default();
    // A mark of the byte order stays in front of everything.
    let first = if text.starts_with(b"\xef\xbb\xbf") {
        3
    } else {
        0
    };
    front
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(first.min(at), |newline| newline + 1)
}

fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    rest.iter()
        .position(|&byte| byte == b'\n')
        .map_or(text.len(), |newline| at + newline + 1)
}
