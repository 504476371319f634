//! What a preprocessor printed of the project's own files, and what else it read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::World;
use super::files::normal;
use super::trees::shown;
use super::views::Side;

/// A line of a file of the tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot {
    /// The file, in its own tree.
    pub file: String,
    /// Its 1-based line.
    pub line: usize,
}

/// The project's own code in what a preprocessor printed.
#[derive(Clone, Debug, Default)]
pub struct Owned {
    /// The code.
    pub text: Vec<u8>,
    /// Where each line of it comes from: its first byte, its file's number, its line.
    lines: Vec<(usize, usize, usize)>,
    /// The project's files.
    pub files: Vec<String>,
    /// CUDA's headers that were read, by the path in their include folder, each with the line of
    /// the project that first led there.
    pub headers: BTreeMap<String, Option<Spot>>,
    /// CUDA's headers that the project's own lines include, and those lines.
    pub direct: BTreeSet<(String, Spot)>,
    /// CUDA's headers that the header of translated PTX leads to.
    pub through_ptx: BTreeSet<String>,
    /// Lines of the project of which something was read.
    pub seen: BTreeSet<(usize, usize)>,
}

/// Whose a file is.
#[derive(Clone)]
enum Whose {
    /// The project's, with its number.
    Own(usize),
    /// The port's, for C++ in place of inline PTX.
    Ptx,
    /// CUDA's, with its path in the include folder.
    Cuda(String),
    /// The shim's, the system's, nobody's.
    Other,
}

impl Owned {
    /// Take the output of a preprocessor apart.
    pub fn read(output: &[u8], world: &World<'_>, side: Side) -> Self {
        let mut reader = Reader {
            out: Self::default(),
            known: HashMap::new(),
            root: world.trees.root(side),
            world,
        };
        reader.read(output);
        reader.out
    }

    /// Where a byte of the code comes from.
    pub fn spot(&self, offset: usize) -> Option<Spot> {
        let (file, line) = self.number(offset)?;
        Some(Spot {
            file: self.files.get(file)?.clone(),
            line,
        })
    }

    /// The same, with the file's number.
    pub fn number(&self, offset: usize) -> Option<(usize, usize)> {
        let at = self.lines.partition_point(|(start, ..)| *start <= offset);
        let (_, file, line) = self.lines.get(at.checked_sub(1)?)?;
        Some((*file, *line))
    }
}

struct Reader<'a> {
    out: Owned,
    known: HashMap<Vec<u8>, Whose>,
    root: &'a Path,
    world: &'a World<'a>,
}

impl Reader<'_> {
    fn read(&mut self, output: &[u8]) {
        let mut whose = Whose::Other;
        let mut line = 0;
        // The lines of the project from which headers were entered, innermost last.
        let mut entered: Vec<Option<(usize, usize)>> = Vec::new();
        let mut ptx = None;
        for text in output.split(|&byte| byte == b'\n') {
            if let Some((number, name, flags)) = marker(text) {
                let next = self.whose(name);
                if flags.contains(&b'1') {
                    let from = match whose {
                        Whose::Own(file) => Some((file, line)),
                        _ => entered.last().copied().flatten(),
                    };
                    if let Whose::Own(file) = whose {
                        self.out.seen.insert((file, line));
                    }
                    entered.push(from);
                    if matches!(next, Whose::Ptx) {
                        ptx.get_or_insert(entered.len());
                    }
                    if let Whose::Cuda(header) = &next {
                        let spot = from.and_then(|(file, line)| {
                            let file = self.out.files.get(file)?.clone();
                            Some(Spot { file, line })
                        });
                        if let (Whose::Own(_), Some(spot)) = (&whose, &spot) {
                            self.out.direct.insert((header.clone(), spot.clone()));
                        }
                        if ptx.is_some() {
                            self.out.through_ptx.insert(header.clone());
                        }
                        self.out.headers.entry(header.clone()).or_insert(spot);
                    }
                } else if flags.contains(&b'2') {
                    entered.pop();
                    ptx = ptx.filter(|depth| *depth <= entered.len());
                }
                whose = next;
                line = number;
                continue;
            }
            if let Whose::Own(file) = whose
                && !text.trim_ascii().is_empty()
            {
                self.out.lines.push((self.out.text.len(), file, line));
                self.out.seen.insert((file, line));
                self.out.text.extend(text);
                self.out.text.push(b'\n');
            }
            line += 1;
        }
    }

    fn whose(&mut self, name: &[u8]) -> Whose {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let text = String::from_utf8_lossy(name).into_owned();
        let path = normal(Path::new(&text));
        let whose = if let Ok(below) = path.strip_prefix(self.root)
            && path.is_file()
        {
            if below == Path::new(torchada::ptx::FILE) {
                return Whose::Ptx;
            }
            self.out.files.push(shown(below));
            Whose::Own(self.out.files.len() - 1)
        } else if let Some(header) = self.world.tools.build.sysroot.header(&path) {
            Whose::Cuda(header)
        } else {
            Whose::Other
        };
        self.known.insert(name.to_owned(), whose.clone());
        whose
    }
}

/// `# 12 "path" 1 3`: the line, the path, the flags.
fn marker(text: &[u8]) -> Option<(usize, &[u8], &[u8])> {
    let rest = text.strip_prefix(b"# ")?;
    let space = rest.iter().position(|&byte| byte == b' ')?;
    let number = std::str::from_utf8(rest.get(..space)?).ok()?.parse().ok()?;
    let rest = rest.get(space + 1..)?.strip_prefix(b"\"")?;
    let close = rest.iter().rposition(|&byte| byte == b'"')?;
    Some((number, rest.get(..close)?, rest.get(close + 1..)?))
}
