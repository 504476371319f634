//! From the listing of a tree to the project: reads the files, and decides which of them are translated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use rayon::prelude::*;

use super::copied::left_for_later;
use super::limits::{exceeds, too_much};
use super::listing_digest::ListingDigest;
use super::overlay::FileOverlay;
use super::texts::TreeTexts;
use super::{earlier, pull};
use crate::classify::{FileClass, FileKind, classify, is_binary};
use crate::config::{Settings, VendoredPolicy, display_path};
use crate::diagnostic::{Code, Finding, Severity};
use crate::mapping::safety;
use crate::parallel::{AT_ONCE, largest_first};
use crate::progress::{Phase, Progress};
use crate::project::{
    Carry, Context, Disposition, FileText, Input, PROPOSED, Policy, Project, ProjectOptions,
    Scanned, Source, paths, speaks_of_sources, unresolved, with_cuda_version,
};
use crate::rules::suppression;
use crate::walk::{Entry, EntryKind, Walk, WalkOptions, walk};
use crate::{files, ptx, stub};

/// A C++ file that is no text.
pub const NOT_TEXT: Code = Code {
    id: "PRJ006",
    severity: Severity::Warning,
    title: "source is not in an encoding that keeps ASCII; left as it is",
};

/// How often files that others name are looked for among those that ignore rules left out.
const PULL_ROUNDS: usize = 4;

/// The input of a run.
pub struct Gathered<'a> {
    /// The listing.
    pub walk: Walk,
    /// The digest of everything that decided which files these are.
    pub digest: ListingDigest,
    /// All its files and what they say to each other; in the order of the listing.
    pub project: Project,
    /// The context that the files are translated in: the one of the run, with the CUDA release that the project names.
    pub context: Context<'a>,
    /// Findings about reading.
    pub findings: Vec<Finding>,
    /// Files that matter and could not be read.
    pub unread: Vec<Unread>,
    /// The reader of the texts that are not held.
    pub texts: Arc<TreeTexts>,
}

/// A file whose text is needed and could not be read. A port goes on to copy it, and says why it
/// failed when that fails; a check has to say it itself.
#[derive(Debug)]
pub struct Unread {
    /// Path relative to the root.
    pub path: String,
    /// What the system says.
    pub message: String,
}

/// List, read and take apart the input. `overlay` gives texts that count in place of what the disk
/// has. Of a tree with more than `held` bytes of text the texts are read again whenever they are asked for.
///
/// # Errors
/// When the root can't be listed.
pub fn gather<'a>(
    settings: &Settings,
    root: &Path,
    context: Context<'a>,
    overlay: &FileOverlay,
    held: u64,
    progress: &dyn Progress,
) -> Result<Gathered<'a>> {
    progress.begin(Phase::Walk, None);
    let mut walk = listing(settings, root)?;
    let mut digest = ListingDigest::new(&walk, root);
    overlay.lay(&mut walk);
    let options = options(settings, &walk.root);
    let mut reader = Reader {
        root: &walk.root.clone(),
        settings,
        context,
        overlay,
        texts: TreeTexts::new(walk.root.clone(), held),
        stubbed: digest.stubbed,
        progress,
    };
    let mut read = reader.read(&walk.files);
    let mut inputs: Vec<&mut Input> = read.iter_mut().map(|(input, ..)| input).collect();
    let (context, proposed) = with_cuda_version(context, &mut inputs);
    reader.context = context;
    let mut taken = reader.scan(read);
    for _ in 0..PULL_ROUNDS {
        if !pull::is_possible(&walk) {
            break;
        }
        let files: Vec<&Scanned> = taken.iter().map(|one| &one.scanned).collect();
        let missing = unresolved(&files, &options);
        let (pulled, absent) = pull::pull_back(&mut walk, &missing);
        digest.absent.extend(absent);
        if pulled.is_empty() {
            break;
        }
        taken = reader.with(taken, &walk, &pulled);
    }
    let mut files = Vec::with_capacity(taken.len());
    let mut findings: Vec<Finding> = proposed.into_iter().collect();
    let mut unread = Vec::new();
    for one in taken {
        files.push(one.scanned);
        findings.extend(one.findings);
        unread.extend(one.unread);
    }
    progress.begin(Phase::Model, None);
    let mut project = Project::new(files, &options, context);
    if reader.texts.are_forgotten() {
        project.forget_texts();
    }
    // Where nothing of C++ is translated, no condition was decided.
    let translates =
        |file: &Source| file.class.kind.is_cpp() && file.disposition == Disposition::Ported;
    if !project.files.iter().any(translates) {
        findings.retain(|finding| finding.code != PROPOSED);
    }
    Ok(Gathered {
        walk,
        digest,
        project,
        context,
        findings,
        unread,
        texts: reader.texts,
    })
}

/// List the input, as far as that goes without looking into a file.
///
/// # Errors
/// When the root can't be listed.
pub fn listing(settings: &Settings, root: &Path) -> Result<Walk> {
    let mut walk = walk(&WalkOptions::of(settings, root))?;
    earlier::leave_out(&mut walk, settings);
    Ok(walk)
}

/// The project's part of the settings, for the tree at `root`.
pub(super) fn options(settings: &Settings, root: &Path) -> ProjectOptions {
    use crate::cli::Rename;
    let portable = settings.dialect.value == crate::cli::Dialect::Portable;
    ProjectOptions {
        folder: root
            .file_name()
            .map(|name| display_path(Path::new(name)))
            .unwrap_or_default(),
        translate_cpp: !portable,
        ports_musa_builds: settings.even_so.value,
        rename: match settings.rename.value {
            Rename::Auto => Policy::Auto,
            Rename::Always => Policy::Always,
            Rename::Never => Policy::Never,
        },
        include_roots: settings
            .include_roots
            .value
            .iter()
            .map(|root| display_path(root))
            .collect(),
        carried: match settings.vendored.value {
            VendoredPolicy::Keep => Carry::Keep,
            VendoredPolicy::Swap => Carry::Swap,
        },
    }
}

/// A file that was read.
struct ReadInput {
    scanned: Scanned,
    findings: Vec<Finding>,
    unread: Option<Unread>,
}

/// The settings and tables that the reading of a tree's files needs.
struct Reader<'a> {
    root: &'a Path,
    settings: &'a Settings,
    context: Context<'a>,
    overlay: &'a FileOverlay,
    texts: Arc<TreeTexts>,
    /// Whether the tree has the package for run time.
    stubbed: bool,
    progress: &'a dyn Progress,
}

impl Reader<'_> {
    fn read(&self, entries: &[Entry]) -> Vec<(Input, Vec<Finding>, Option<Unread>)> {
        self.progress.begin(Phase::Read, Some(entries.len()));
        let entries = entries.par_iter().with_max_len(AT_ONCE);
        let read = entries.map(|entry| {
            self.progress.step();
            self.read_one(entry)
        });
        read.collect()
    }

    fn scan(&self, read: Vec<(Input, Vec<Finding>, Option<Unread>)>) -> Vec<ReadInput> {
        self.progress.begin(Phase::Scan, Some(read.len()));
        let size = |(input, ..): &(Input, _, _)| input.text.as_ref().map_or(0, FileText::len);
        largest_first(read, size, |one| self.scanned(one))
    }

    /// Read what was pulled back, and put it to the others, in the order of the listing.
    fn with(
        &self,
        others: Vec<ReadInput>,
        walk: &Walk,
        pulled: &BTreeSet<PathBuf>,
    ) -> Vec<ReadInput> {
        let mut others = others.into_iter();
        let entries = walk.files.iter();
        entries
            .filter_map(|entry| {
                if pulled.contains(&entry.path) {
                    Some(self.take(entry))
                } else {
                    others.next()
                }
            })
            .collect()
    }

    fn take(&self, entry: &Entry) -> ReadInput {
        self.scanned(self.read_one(entry))
    }

    fn scanned(
        &self,
        (input, findings, unread): (Input, Vec<Finding>, Option<Unread>),
    ) -> ReadInput {
        self.progress.step();
        // The package says nothing of the project that it comes with.
        let mut scanned = if self.is_package(Path::new(&input.path)) {
            Scanned::silent(input)
        } else {
            Scanned::new(input, self.context)
        };
        if self.texts.are_forgotten() {
            scanned.forget_text();
        }
        ReadInput {
            scanned,
            findings,
            unread,
        }
    }

    /// Whether the run translates this file.
    fn is_selected(&self, path: &Path) -> bool {
        // The package for run time speaks of CUDA's names because that is its work.
        self.settings.mode.takes(path) && !self.is_package(path)
    }

    /// Whether a file is of the package for run time.
    fn is_package(&self, path: &Path) -> bool {
        self.stubbed && path.starts_with(stub::FOLDER) || path == Path::new(ptx::FILE)
    }

    /// The text of a file, as the stages of the run ask for it.
    fn text(&self, entry: &Entry, input: &Input, text: Vec<u8>) -> FileText {
        // What is not on the disk, or under a name that is no text, is not read again.
        let is_its_name = Path::new(&input.path) == entry.path;
        if self.overlay.texts.contains_key(&input.path) || !is_its_name {
            return text.into();
        }
        self.texts.take(&input.path, text)
    }

    fn read_one(&self, entry: &Entry) -> (Input, Vec<Finding>, Option<Unread>) {
        let (settings, context) = (self.settings, self.context);
        let path = display_path(&entry.path);
        let table = &context.knowledge.files;
        let mut input = Input {
            path,
            class: FileClass {
                kind: FileKind::Other,
                template: false,
                language: None,
            },
            text: None,
            selected: self.is_selected(&entry.path),
            moved: settings
                .mode
                .moved(&entry.path)
                .map(|path| display_path(&path)),
            leads_to: None,
            tokens: None,
        };
        let mut findings = Vec::new();
        if let EntryKind::Link(target) = &entry.kind {
            input.leads_to = paths::led(&input.path, target);
            return (input, findings, None);
        }
        input.class = classify(&entry.path, b"", table);
        let by_content = input.class.template || entry.path.extension().is_none();
        let wanted = input.class.kind.is_cpp()
            || input.class.kind.names_sources()
            || input.class.kind == FileKind::Musa
            || (input.class.kind == FileKind::Other && by_content);
        if !wanted {
            return (input, findings, None);
        }
        if entry.size > safety::BYTES_SOURCE {
            if input.selected {
                let (size, most) = (entry.size, safety::BYTES_SOURCE);
                let why = format!("it has {size} bytes, more than {most}");
                findings.push(too_much(&input.path, &why));
            }
            input.class.kind = FileKind::Other;
            input.class.language = None;
            return (input, findings, None);
        }
        let texts = &self.overlay.texts;
        let text = match texts.get(&input.path).and_then(Option::as_ref) {
            Some(text) => text.clone(),
            None => match files::read(&self.root.join(&entry.path), safety::BYTES_SOURCE) {
                Ok(text) => text,
                Err(error) => {
                    let unread = Unread {
                        path: input.path.clone(),
                        message: error.to_string(),
                    };
                    return (input, findings, Some(unread));
                }
            },
        };
        // A name that leaves nothing open is not asked again.
        if by_content || input.class.kind == FileKind::Build {
            input.class = classify(&entry.path, &text, table);
        }
        let kind = input.class.kind;
        let encoding = (kind == FileKind::Python)
            .then(|| context.knowledge.embedded.encodings.unsafe_one(&text))
            .flatten();
        if is_binary(&text) || encoding.is_some() {
            let is_source =
                kind.is_cpp() || kind == FileKind::Python || input.class.language.is_some();
            if is_source && input.selected {
                let why = encoding.map_or_else(
                    || "it holds NUL bytes".to_owned(),
                    |name| {
                        format!("in its encoding, {name}, a letter may hold a quote or a backslash")
                    },
                );
                findings.push(
                    Finding::whole(
                        NOT_TEXT,
                        &input.path,
                        format!("`{}` was copied as it is: {why}", input.path),
                    )
                    .help("convert it to UTF-8 if it is source code"),
                );
            }
            input.class.kind = FileKind::Other;
            return (input, findings, None);
        }
        if let Some(why) = exceeds(input.class, &input.path, &text, &table.limits) {
            if input.selected {
                findings.push(too_much(&input.path, &why));
            }
            // The sources that it names have to keep their names.
            input.class.kind = match kind {
                FileKind::Python | FileKind::Build => FileKind::Text,
                _ => FileKind::Other,
            };
            input.class.language = None;
            input.text =
                (input.class.kind == FileKind::Text).then(|| self.text(entry, &input, text));
            return (input, findings, None);
        }
        let python_values = &context.knowledge.python_values;
        // A module that says nothing of CUDA may define what one that does calls.
        let module = kind == FileKind::Python
            && !input.class.template
            && python_values.translates(&input.path);
        let python =
            module && (context.python_may_matter(&text) || suppression::may_have_markers(&text));
        let portable = settings.dialect.value == crate::cli::Dialect::Portable;
        let build = input.class.language.is_some() && !portable;
        if input.selected && !python && !build {
            findings.extend(left_for_later(&input, &text, table));
        }
        let endings: Vec<&str> = table.rename.keys().map(String::as_str).collect();
        let names_sources = kind.names_sources() && speaks_of_sources(&text, &endings);
        let values = &context.knowledge.settings;
        let settings_file = input.selected && values.has(&input.path) && values.may_matter(&text);
        if kind.is_cpp()
            || kind == FileKind::Musa
            || names_sources
            || module
            || settings_file
            || build
        {
            input.text = Some(self.text(entry, &input, text));
        }
        (input, findings, None)
    }
}
