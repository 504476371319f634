//! What a file is, by its name and, where the name leaves it open, by what it holds.

use std::path::Path;

use memchr::memmem;
use torchada_mapping::files::{BuildLanguage, FileTable};
use torchada_mapping::{ends_with_one, has, starts_with_one};

/// The kinds of files that a port distinguishes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FileKind {
    /// CUDA source that the device compiler builds.
    Cuda,
    /// A CUDA header.
    CudaHeader,
    /// C or C++ that may hold CUDA names.
    Cpp,
    /// Already MUSA: never touched.
    Musa,
    /// Python, notebooks included.
    Python,
    /// Names sources, flags and libraries for a build.
    Build,
    /// May name source files.
    Text,
    /// Never decides what a build takes.
    Prose,
    /// Any other file.
    Other,
}

impl FileKind {
    /// Whether the file is translated as C++.
    pub fn is_cpp(self) -> bool {
        matches!(self, Self::Cuda | Self::CudaHeader | Self::Cpp)
    }

    /// Whether a name of a source file in it can decide what a build takes.
    pub fn names_sources(self) -> bool {
        matches!(self, Self::Python | Self::Build | Self::Text)
    }

    fn by_name(name: &str) -> Option<Self> {
        Some(match name {
            "cuda" => Self::Cuda,
            "cuda-header" => Self::CudaHeader,
            "cpp" => Self::Cpp,
            "musa" => Self::Musa,
            "python" => Self::Python,
            "build" => Self::Build,
            "text" => Self::Text,
            "prose" => Self::Prose,
            _ => return None,
        })
    }
}

/// A file's kind, and whether it is a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FileClass {
    /// What the file is, or what it makes where it is a template.
    pub kind: FileKind,
    /// Whether placeholders stand in it.
    pub template: bool,
    /// The language of a [`FileKind::Build`], where it is one that is translated.
    pub language: Option<BuildLanguage>,
}

/// Classify a file by its path and its content.
pub fn classify(path: &Path, content: &[u8], table: &FileTable) -> FileClass {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy())
        .unwrap_or_default();
    let whole = path.to_string_lossy().replace('\\', "/");
    let configured = header_of_cmake(&name, table);
    let contents = &table.contents;
    let by_content = || {
        let is_make = contents.may_be_make(&name) && contents.is_make(content);
        let make = is_make.then_some(BuildLanguage::Make);
        make.or_else(|| contents.language(&name, content))
    };
    if configured.is_none()
        && let Some(language) = table.language(&whole).or_else(by_content)
    {
        return FileClass {
            kind: FileKind::Build,
            template: false,
            language: Some(language),
        };
    }
    let mut stem: &str = configured.unwrap_or(&name);
    let mut template = configured.is_some();
    while let Some(shorter) = table
        .templates
        .endings
        .iter()
        .find_map(|ending| stem.strip_suffix(ending.as_str()))
        .filter(|shorter| !shorter.is_empty())
    {
        stem = shorter;
        template = true;
    }
    let kind = whole_name(&name, table)
        .or_else(|| by_ending(stem, table))
        .or_else(|| template_kind(template, content, table))
        .or_else(|| shebang(content))
        .or_else(|| header_of_no_known_ending(&name, content, table))
        .or_else(|| is_script(&name, content, table).then_some(FileKind::Build));
    if kind.is_none() && contents.is_make(content) {
        return FileClass {
            kind: FileKind::Build,
            template,
            language: Some(BuildLanguage::Make),
        };
    }
    let kind = kind.unwrap_or(FileKind::Other);
    FileClass {
        kind,
        template: template && whole_name(&name, table).is_none(),
        language: (kind == FileKind::Build)
            .then(|| is_script(&name, content, table) && !table.made_scripts.has(content))
            .filter(|&is_script| is_script)
            .map(|_| BuildLanguage::Shell),
    }
}

/// The name of the header that `CMake` makes of a file: `config.h.cmake.in`.
fn header_of_cmake<'n>(name: &'n str, table: &FileTable) -> Option<&'n str> {
    let mut endings = table.templates.configured.iter();
    let stem = endings.find_map(|ending| name.strip_suffix(ending.as_str()))?;
    by_ending(stem, table)?.is_cpp().then_some(stem)
}

fn whole_name(name: &str, table: &FileTable) -> Option<FileKind> {
    table
        .names
        .iter()
        .find(|(_, names)| has(names, name))
        .and_then(|(kind, _)| FileKind::by_name(kind))
}

fn by_ending(name: &str, table: &FileTable) -> Option<FileKind> {
    table
        .kinds
        .iter()
        .flat_map(|(kind, endings)| endings.iter().map(move |ending| (kind, ending)))
        .filter(|(_, ending)| name.ends_with(ending.as_str()) && name.len() > ending.len())
        .max_by_key(|(_, ending)| ending.len())
        .and_then(|(kind, _)| FileKind::by_name(kind))
}

fn template_kind(template: bool, content: &[u8], table: &FileTable) -> Option<FileKind> {
    let text = || String::from_utf8_lossy(content);
    let is_cpp = template
        && table
            .templates
            .markers
            .iter()
            .any(|marker| text().contains(marker.as_str()));
    is_cpp.then_some(FileKind::Cpp)
}

/// A header of C++'s whose name has no ending, as those of the standard library, or one that nobody else has: behind its
/// comments it begins with a directive of the preprocessor's, or is a list for a macro.
fn header_of_no_known_ending(name: &str, content: &[u8], table: &FileTable) -> Option<FileKind> {
    if ends_with_one(name, &table.directives.others) || table.unexamined.language(name).is_some() {
        return None;
    }
    let code = behind_comments(content)?;
    let is_header = starts_with_one(code, &table.directives.header);
    (is_header || is_list_for_macro(code)).then_some(FileKind::Cpp)
}

/// Whether code begins as a list does that files include for a macro of theirs: `DEFINE(cuInit, (unsigned flags))`.
fn is_list_for_macro(code: &[u8]) -> bool {
    let line = code.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = line.trim_ascii_end();
    let line = line.strip_suffix(b";").unwrap_or(line);
    let Some((name, arguments)) = memchr::memchr(b'(', line).map(|open| line.split_at(open)) else {
        return false;
    };
    let is_upper = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
    !name.is_empty()
        && name.iter().all(is_upper)
        && arguments.contains(&b',')
        && arguments.ends_with(b")")
}

/// A text without the comments of C++'s that it begins with.
fn behind_comments(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text.trim_ascii_start();
    while let Some(comment) = rest.strip_prefix(b"/") {
        let end: &[u8] = match comment.first()? {
            b'/' => b"\n",
            b'*' => b"*/",
            _ => return None,
        };
        let at = memmem::find(comment.get(1..)?, end)?;
        rest = comment.get(1 + at + end.len()..)?.trim_ascii_start();
    }
    Some(rest)
}

fn shebang(content: &[u8]) -> Option<FileKind> {
    if is_shell(content) {
        return Some(FileKind::Build);
    }
    let is_python = interpreter(content).is_some_and(|line| line.contains("python"));
    is_python.then_some(FileKind::Python)
}

fn is_shell(content: &[u8]) -> bool {
    interpreter(content).is_some_and(|line| line.contains("sh") && !line.contains("python"))
}

/// Whether a file is a script of a shell, by its first line or its first command.
fn is_script(name: &str, content: &[u8], table: &FileTable) -> bool {
    is_shell(content) || table.contents.is_script(name, content)
}

/// The first line of a script.
fn interpreter(content: &[u8]) -> Option<String> {
    let line = content.strip_prefix(b"#!")?;
    let line = line.split(|&byte| byte == b'\n').next()?;
    Some(String::from_utf8_lossy(line).into_owned())
}

/// Whether the bytes are no text: a NUL in the first 8 KiB, as git decides it.
pub fn is_binary(content: &[u8]) -> bool {
    content.get(..8192).unwrap_or(content).contains(&0)
}

#[cfg(test)]
mod tests;
