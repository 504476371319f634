//! The marks of places that both sides changed: how they are written, read and decided.

/// The side that is taken if both changed the same lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::emit) enum Sides {
    /// Both sides stay, between marks.
    Both,
    /// The person's.
    Yours,
    /// The port's.
    Port,
}

const YOURS: &[u8] = b"<<<<<<< yours";
const BASE: &[u8] = b"||||||| last port";
const MIDDLE: &[u8] = b"=======";
const PORT: &[u8] = b">>>>>>> new port";
/// The end of a text whose last lines are marked.
pub(super) const LAST: &[u8] = b">>>>>>> new port\n";

/// A stretch of a merged text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum MergePiece<'a> {
    /// A stretch in which nothing has to be decided.
    Clean(&'a [u8]),
    /// A stretch that both sides changed.
    Conflict {
        yours: &'a [u8],
        base: &'a [u8],
        port: &'a [u8],
    },
}

impl MergePiece<'_> {
    /// Write the piece. Returns whether it is marked.
    pub(super) fn write(&self, sides: Sides, out: &mut Vec<u8>) -> bool {
        match (self, sides) {
            (Self::Clean(text), _)
            | (Self::Conflict { yours: text, .. }, Sides::Yours)
            | (Self::Conflict { port: text, .. }, Sides::Port) => {
                out.extend_from_slice(text);
                false
            }
            (Self::Conflict { yours, base, port }, Sides::Both) => {
                for (mark, side) in [(YOURS, yours), (BASE, base), (MIDDLE, port)] {
                    out.extend_from_slice(mark);
                    out.push(b'\n');
                    out.extend_from_slice(side);
                }
                out.extend_from_slice(LAST);
                true
            }
        }
    }
}

/// A length of marks that no line of the texts starts with.
pub(super) fn unused_length(texts: &[&[u8]]) -> usize {
    let run = |line: &[u8]| {
        let first = line.first().filter(|byte| b"<|=>".contains(byte));
        first.map_or(0, |first| {
            line.iter().take_while(|byte| *byte == first).count()
        })
    };
    let lines = texts.iter().flat_map(|text| text.split(|&b| b == b'\n'));
    lines.map(run).max().unwrap_or(0).max(6) + 1
}

/// Take a merged text apart whose marks have this length and no line of its own starts with such.
pub(super) fn pieces(text: &[u8], length: usize) -> Vec<MergePiece<'_>> {
    let is_mark =
        |line: &[u8], of: u8| line.iter().take_while(|&&byte| byte == of).count() >= length;
    parse(text, |line| {
        [b'<', b'|', b'=', b'>']
            .iter()
            .position(|&of| is_mark(line, of))
    })
    .unwrap_or_else(|| vec![MergePiece::Clean(text)])
}

/// Take a text apart by its marks, which `mark` numbers in their order. `None` where they don't
/// follow each other as they should.
fn parse(text: &[u8], mark: impl Fn(&[u8]) -> Option<usize>) -> Option<Vec<MergePiece<'_>>> {
    let mut pieces = Vec::new();
    let mut stretches: Vec<&[u8]> = Vec::new();
    let mut state = 0;
    let (mut from, mut at) = (0, 0);
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let end = at + line.len();
        if let Some(number) = mark(line) {
            if number != state {
                return None;
            }
            stretches.push(text.get(from..at)?);
            (from, state) = (end, (state + 1) % 4);
            if state == 0
                && let [clean, yours, base, port] = *stretches
            {
                pieces.push(MergePiece::Clean(clean));
                pieces.push(MergePiece::Conflict { yours, base, port });
                stretches.clear();
            }
        }
        at = end;
    }
    pieces.push(MergePiece::Clean(text.get(from..)?));
    (state == 0).then_some(pieces)
}

fn bare(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Whether a text has marks that a port wrote and nobody has dealt with.
pub(in crate::emit) fn has_marks(text: &[u8]) -> bool {
    let mut lines = text.split_inclusive(|&byte| byte == b'\n').map(bare);
    lines.any(|line| line == YOURS || line == PORT)
}

/// Where the marked places of a text begin, in bytes.
pub(in crate::emit) fn places(text: &[u8]) -> Vec<usize> {
    let mut at = 0;
    let mut places = Vec::new();
    let mut last = None;
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match bare(line) {
            YOURS => places.push(at),
            // Half of a place that somebody has begun to deal with.
            PORT if last.is_none() => places.push(at),
            _ => {}
        }
        last = match bare(line) {
            YOURS => Some(at),
            PORT => None,
            _ => last,
        };
        at += line.len();
    }
    places
}

/// Decide the marked places of a text. `None` where the marks are no longer as a port wrote them.
pub(in crate::emit) fn resolve_conflicts(text: &[u8], sides: Sides) -> Option<Vec<u8>> {
    let marks = [YOURS, BASE, MIDDLE, PORT];
    // Three of the four can't be anything else; lines of `=` are all over the world.
    let inside = std::cell::Cell::new(0);
    let pieces = parse(text, |line| {
        let found = marks.iter().position(|mark| *mark == bare(line));
        let found = found.filter(|&number| number != 2 || inside.get() == 2);
        if let Some(number) = found {
            inside.set((number + 1) % 4);
        }
        found
    })?;
    let mut out = Vec::new();
    for piece in &pieces {
        piece.write(sides, &mut out);
    }
    Some(out)
}
