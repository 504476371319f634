//! Code in the strings of Python programs: `mappings/embedded.toml`.

use serde::{Deserialize, Serialize};

use crate::word_list::{WordList, ends_with_one};

/// A call that takes source at a place.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceCall {
    /// A dotted name.
    pub callee: String,
    /// 0-based.
    pub argument: usize,
    /// The name of the parameter that takes the source.
    pub keyword: String,
    /// What the callee includes for the source.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Where this comes from.
    pub source: String,
}

/// Words and marks of texts for people or for a shell.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prose {
    /// Words of English in lower case.
    pub words: Vec<String>,
    /// Words of C++ that have a blank before their bracket.
    pub controls: Vec<String>,
    /// What begins a variable of a shell's.
    pub shell: Vec<String>,
}

/// Calls and keywords by which programs write files.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FileWriting {
    /// Methods of paths.
    pub methods: Vec<String>,
    /// Functions that open files.
    pub openers: Vec<String>,
    /// Methods of files that open them.
    pub opener_methods: Vec<String>,
    /// The keyword of the mode.
    pub mode_keyword: String,
    /// Letters in the mode that say that the file is written.
    pub modes: Vec<char>,
    /// What prints to a file.
    pub printer: Printer,
}

/// A function that prints to a screen, or to a file that is one of its arguments.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Printer {
    /// Its name.
    pub callee: String,
    /// The keyword for the file.
    pub keyword: String,
    /// How the names of screens start.
    pub screens: String,
}

/// Lines of notebooks that are not Python.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Notebooks {
    /// Endings of their files.
    pub endings: Vec<String>,
    /// The languages that are translated, as notebooks name them.
    pub languages: Vec<String>,
    /// Magics of a line whose rest is Python.
    pub line_magics: Vec<String>,
    /// Magics of a cell whose rest is Python.
    pub cell_magics: Vec<String>,
    /// Magics that run a command of the shell's.
    pub command_magics: Vec<String>,
    /// Magics of a cell that is a script of the shell's.
    pub shells: Vec<String>,
    /// Magics of a cell that write the rest to the file that they name.
    pub writing_magics: Vec<String>,
    /// How names of files end that hold Python.
    pub written_endings: Vec<String>,
    /// What compiles CUDA's sources.
    pub compilers: Vec<String>,
    /// How the names of such sources end.
    pub source_endings: Vec<String>,
    /// What makes another line worth a finding.
    pub words: WordList,
}

/// Cython's files.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CythonFiles {
    /// Endings of those with code.
    pub endings: Vec<String>,
    /// Endings of those that declare for others.
    pub declarations: Vec<String>,
}

impl CythonFiles {
    /// Whether a file is Cython.
    pub fn has(&self, path: &str) -> bool {
        let mut endings = self.endings.iter().chain(&self.declarations);
        endings.any(|ending| path.ends_with(ending))
    }
}

/// Encodings of Python's sources.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encodings {
    /// Letters of two bytes, the second of which may be one of ASCII.
    pub double: Vec<String>,
    /// Encodings as in `double` that have letters of one byte, too.
    pub kana: Vec<String>,
    /// ASCII may mean something else.
    pub stateful: Vec<String>,
}

impl Encodings {
    /// The encoding that the first two lines name, where the text can't be read without it.
    pub fn unsafe_one(&self, text: &[u8]) -> Option<String> {
        let mut lines = text.splitn(3, |&byte| byte == b'\n').take(2);
        let name = lines.find_map(|line| {
            let line = String::from_utf8_lossy(line.trim_ascii());
            let (_, rest) = line.strip_prefix('#')?.split_once("coding")?;
            let rest = rest.strip_prefix([':', '='])?.trim_start();
            let part = |one: char| one.is_alphanumeric() || matches!(one, '-' | '_' | '.');
            let name: String = rest.chars().take_while(|&one| part(one)).collect();
            Some(name.to_ascii_lowercase().replace('_', "-"))
        })?;
        let kana = self.kana.contains(&name);
        let double = self.double.contains(&name) || kana;
        let needed = self.stateful.contains(&name) || (double && hides_ascii(text, kana));
        needed.then_some(name)
    }
}

/// Whether the second byte of a letter is one that strings take for their own.
fn hides_ascii(text: &[u8], kana: bool) -> bool {
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        let alone = byte < 0x81 || (kana && (0xa1..0xe0).contains(&byte));
        if !alone && matches!(bytes.next(), Some(b'\\' | b'{' | b'}')) {
            return true;
        }
    }
    false
}

/// The table `mappings/embedded.toml`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Embedded {
    /// A string without any of these is not looked at.
    pub words: WordList,
    /// Text that only C++ for CUDA has.
    pub markers: WordList,
    /// Keywords that take C++ in any call.
    pub keywords: Vec<String>,
    /// Methods that look for a text in another.
    pub searches: Vec<String>,
    /// Marks by which a string is recognised as no source.
    pub prose: Prose,
    /// Calls that take source.
    #[serde(rename = "call")]
    pub calls: Vec<SourceCall>,
    /// Calls and keywords by which programs write files.
    pub written: FileWriting,
    /// Notebooks.
    pub notebook: Notebooks,
    /// Cython.
    pub cython: CythonFiles,
    /// Encodings.
    pub encodings: Encodings,
}

impl Notebooks {
    /// Whether a file is a notebook.
    pub fn has(&self, path: &str) -> bool {
        ends_with_one(path, &self.endings)
    }

    /// Whether a line that is no Python is about CUDA.
    pub fn mentions_cuda(&self, line: &[u8]) -> bool {
        self.words.is_in(line)
    }
}

impl Embedded {
    /// Whether a string may name anything of CUDA's C++.
    pub fn may_matter(&self, text: &[u8]) -> bool {
        self.words.is_in(text)
    }

    /// Whether a string can be nothing but C++ for CUDA.
    pub fn is_marked(&self, text: &[u8]) -> bool {
        self.markers.is_in(text)
    }
}
