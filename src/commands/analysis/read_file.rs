//! Reads one file of a tree as far as the project needs it, and decides what kind of file it is.

use std::path::Path;
use std::sync::Arc;

use super::copied::not_translated;
use super::limits::{exceeds, too_much};
use super::overlay::FileOverlay;
use super::texts::TreeTexts;
use crate::classify::{FileClass, FileKind, classify, is_binary};
use crate::config::{Settings, display_path};
use crate::diagnostic::Finding;
use crate::diagnostic::codes::project::NOT_TEXT;
use crate::files::{self, Stamp};
use crate::mapping::{Dialect, safety};
use crate::project::{Context, FileText, Input, mentions_sources, paths};
use crate::walk::{Entry, EntryKind};
use crate::{ptx, stub};

/// A file whose text is needed and could not be read. A port goes on to copy it, and says why it
/// failed when that fails; a check has to say it itself.
#[derive(Debug)]
pub struct UnreadableFile {
    /// Path relative to the root.
    pub path: String,
    /// What the system says.
    pub message: String,
}

/// A file of the listing, read.
pub(super) struct ReadFile {
    /// The project's input.
    pub(super) input: Input,
    /// Findings about the reading.
    pub(super) findings: Vec<Finding>,
    /// Why the text could not be read.
    pub(super) unread: Option<UnreadableFile>,
}

impl ReadFile {
    /// The file without its text, which nobody needs or nobody may translate.
    fn without_text(mut self) -> Self {
        self.input.class.kind = FileKind::Other;
        self.input.class.language = None;
        self
    }
}

/// The settings and tables that the reading of a tree's files needs.
pub(super) struct FileReader<'a> {
    pub(super) root: &'a Path,
    pub(super) settings: &'a Settings,
    pub(super) context: Context<'a>,
    pub(super) overlay: &'a FileOverlay,
    pub(super) texts: Arc<TreeTexts>,
    /// Whether the tree has the package for run time.
    pub(super) stubbed: bool,
}

impl FileReader<'_> {
    /// Whether the run translates this file.
    fn is_selected(&self, path: &Path) -> bool {
        // The package for run time speaks of CUDA's names because that is its work.
        self.settings.mode.takes(path) && !self.is_package(path)
    }

    /// Whether a file is of the package for run time.
    pub(super) fn is_package(&self, path: &Path) -> bool {
        self.stubbed && path.starts_with(stub::FOLDER) || path == Path::new(ptx::FILE)
    }

    /// The file of one entry.
    pub(super) fn read(&self, entry: &Entry) -> ReadFile {
        let table = &self.context.knowledge.files;
        let mut file = self.listed(entry);
        let input = &mut file.input;
        if let EntryKind::Link(target) = &entry.kind {
            input.leads_to = paths::link_target(&input.path, target);
            return file;
        }
        input.class = classify(&entry.path, b"", table);
        let kind = input.class.kind;
        let contents = &table.contents;
        let by_content = input.class.template
            || entry.path.extension().is_none()
            || contents.may_decide(&input.path)
            || contents.may_be_make(&input.path)
            || kind == FileKind::Other && contents.may_be_code(&input.path, entry.size);
        let is_read = kind.is_cpp()
            || kind.names_sources()
            || kind == FileKind::Musa
            || (kind == FileKind::Other && by_content)
            || table.unexamined.language(&input.path).is_some();
        if !is_read {
            return file;
        }
        if entry.size > safety::BYTES_SOURCE {
            if input.selected {
                let (size, most) = (entry.size, safety::BYTES_SOURCE);
                let why = format!("it has {size} bytes, more than {most}");
                file.findings.push(too_much(&input.path, &why));
            }
            return file.without_text();
        }
        self.with_contents(entry, file, by_content)
    }

    /// The file with what its bytes say, by which its kind is decided, too, where the name leaves that open.
    fn with_contents(&self, entry: &Entry, mut file: ReadFile, by_content: bool) -> ReadFile {
        let table = &self.context.knowledge.files;
        let input = &mut file.input;
        let (text, stamp) = match self.bytes(entry, input) {
            Ok(read) => read,
            Err(unread) => {
                file.unread = Some(unread);
                return file;
            }
        };
        // A name that leaves nothing open is not asked again.
        if by_content || input.class.kind == FileKind::Build {
            input.class = classify(&entry.path, &text, table);
        }
        if let Some(why) = no_text(input.class.kind, &text, self.context) {
            let is_source = input.class.kind.is_cpp()
                || input.class.kind == FileKind::Python
                || input.class.language.is_some();
            if is_source && input.selected {
                file.findings.push(not_text(&input.path, &why));
            }
            input.class.kind = FileKind::Other;
            return file;
        }
        if let Some(why) = exceeds(input.class, &input.path, &text, &table.limits) {
            if input.selected {
                file.findings.push(too_much(&input.path, &why));
            }
            // The sources that it names have to keep their names.
            if !matches!(input.class.kind, FileKind::Python | FileKind::Build) {
                return file.without_text();
            }
            input.class.kind = FileKind::Text;
            input.class.language = None;
            input.text = Some(self.text(entry, input, text, stamp));
            return file;
        }
        let uses = self.uses(input, &text);
        if input.selected && !uses.is_translated {
            let left = not_translated(input, &text, table);
            file.findings.extend(left);
        }
        input.has_ending_of_source = uses.names_sources;
        if uses.is_asked {
            input.text = Some(self.text(entry, input, text, stamp));
        }
        file
    }

    /// The file of an entry, before anything was looked up.
    fn listed(&self, entry: &Entry) -> ReadFile {
        let moved = self.settings.mode.moved(&entry.path);
        let class = FileClass {
            kind: FileKind::Other,
            template: false,
            language: None,
        };
        let input = Input {
            selected: self.is_selected(&entry.path),
            moved: moved.map(|path| display_path(&path)),
            ..Input::new(display_path(&entry.path), class)
        };
        ReadFile {
            input,
            findings: Vec::new(),
            unread: None,
        }
    }

    /// The bytes of a file, with the stamp of the file that they are of: the overlay's before the disk's.
    fn bytes(
        &self,
        entry: &Entry,
        input: &Input,
    ) -> Result<(Vec<u8>, Option<Stamp>), UnreadableFile> {
        if let Some(Some(text)) = self.overlay.texts.get(&*input.path) {
            return Ok((text.clone(), None));
        }
        let read = files::read_stamped(&self.root.join(&entry.path), safety::BYTES_SOURCE);
        read.map_err(|error| UnreadableFile {
            path: input.path.to_string(),
            message: error.to_string(),
        })
    }

    /// The text of a file, as the stages of the run ask for it.
    fn text(&self, entry: &Entry, input: &Input, text: Vec<u8>, stamp: Option<Stamp>) -> FileText {
        // What is not on the disk, or under a name that is no text, is not read again.
        let is_its_name = Path::new(&*input.path) == entry.path;
        if self.overlay.texts.contains_key(&*input.path) || !is_its_name {
            return text.into();
        }
        self.texts.take(&input.path, text, stamp)
    }

    /// What the run does with a text.
    fn uses(&self, input: &Input, text: &[u8]) -> TextUses {
        let knowledge = self.context.knowledge;
        let kind = input.class.kind;
        // A module that says nothing of CUDA may define what one that does calls.
        let is_module = kind == FileKind::Python
            && !input.class.template
            && knowledge.python_values.translates(&input.path);
        let is_portable = self.settings.dialect.value == Dialect::Portable;
        // What builds C++ stays in the portable dialect; packages are needed in both.
        let is_build = input
            .class
            .language
            .is_some_and(|language| !is_portable || language.lists_packages());
        let endings: Vec<&str> = knowledge.files.rename.keys().map(String::as_str).collect();
        let names_sources = kind.names_sources() && mentions_sources(text, &endings);
        let values = &knowledge.settings;
        let has_values = input.selected && values.has(&input.path) && values.may_matter(text);
        TextUses {
            is_translated: is_module || is_build,
            names_sources,
            is_asked: kind.is_cpp()
                || kind == FileKind::Musa
                || names_sources
                || is_module
                || has_values
                || is_build,
        }
    }
}

/// What a run does with the text of a file.
struct TextUses {
    /// The rules of Python or of builds translate it.
    is_translated: bool,
    /// The ending of a source stands in the text, where its kind is one that names sources.
    names_sources: bool,
    /// Some stage asks for it.
    is_asked: bool,
}

/// Why bytes are no text that can be translated.
fn no_text(kind: FileKind, text: &[u8], context: Context<'_>) -> Option<String> {
    let encodings = &context.knowledge.embedded.encodings;
    let is_python = kind == FileKind::Python;
    let encoding = is_python.then(|| encodings.unsafe_one(text)).flatten();
    if let Some(name) = encoding {
        let why = "a letter may hold a quote or a backslash";
        return Some(format!("in its encoding, {name}, {why}"));
    }
    // What stands at the beginning of a text in UTF-16.
    let is_wide = [b"\xff\xfe", b"\xfe\xff"]
        .iter()
        .any(|mark| text.starts_with(*mark));
    let why = if is_wide {
        "it is in UTF-16"
    } else {
        "it holds NUL bytes"
    };
    is_binary(text).then(|| why.to_owned())
}

/// The finding about a source that was named by itself and is not translated.
pub(super) fn left_alone(
    path: &str,
    class: FileClass,
    text: &[u8],
    context: Context<'_>,
) -> Option<Finding> {
    if let Some(why) = no_text(class.kind, text, context) {
        return Some(not_text(path, &why));
    }
    let why = exceeds(class, path, text, &context.knowledge.files.limits)?;
    Some(too_much(path, &why))
}

fn not_text(path: &str, why: &str) -> Finding {
    let message = format!("`{path}` was copied as it is: {why}");
    Finding::whole(NOT_TEXT, path, message).help("convert it to UTF-8 if it is source code")
}
