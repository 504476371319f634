//! From the listing of a tree to the project: reads the files, and decides which of them are translated.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};

use super::copied::{join_unexamined, settle_by_other_builds};
use super::listing_digest::ListingDigest;
use super::overlay::FileOverlay;
use super::read_file::{FileReader, ReadFile, UnreadableFile};
use super::setup::Run;
use super::texts::TreeTexts;
use super::{earlier, ignored_includes, unmatched_globs};
use crate::config::{Settings, display_path};
use crate::diagnostic::Finding;
use crate::mapping::Dialect;
use crate::mapping::files::BuildLanguage;
use crate::parallel::{self, largest_first};
use crate::progress::{Phase, Progress};
use crate::project::{
    Context, Disposition, FileText, Input, PROPOSED, Project, ProjectOptions, Scanned, unresolved,
    with_cuda_version,
};
use crate::walk::{Entry, Walk, WalkOptions, walk};

/// How often files that others name are looked for among those that ignore rules left out.
const PULL_ROUNDS: usize = 4;

/// The input of a run.
pub(super) struct Gathered<'a> {
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
    pub unread: Vec<UnreadableFile>,
    /// The reader of the texts that are not kept.
    pub texts: Arc<TreeTexts>,
}

/// List, read and take apart the input. `overlay` gives texts that count in place of what the disk
/// has. Of a tree with more than `kept` bytes of text the texts are read again whenever they are asked for.
///
/// # Errors
/// When there is no root, or it can't be listed.
pub(super) fn gather<'a>(
    run: Run<'a>,
    overlay: &FileOverlay,
    kept: u64,
    progress: &dyn Progress,
) -> Result<Gathered<'a>> {
    let Run {
        settings, context, ..
    } = run;
    let root = settings.root().context("no input tree")?;
    progress.begin(Phase::Walk, None);
    let mut walk = listing(settings, root)?;
    let mut digest = ListingDigest::new(&walk, root);
    overlay.lay(&mut walk);
    let options = options(settings, &walk.root);
    let mut reader = Reader {
        files: FileReader {
            root: &walk.root.clone(),
            settings,
            context,
            overlay,
            texts: TreeTexts::new(walk.root.clone(), kept),
            stubbed: digest.stubbed,
        },
        progress,
    };
    let mut read = reader.read(&walk.files);
    if reader.files.texts.are_forgotten() {
        let texts = read.iter_mut().filter_map(|file| file.input.text.as_mut());
        texts.for_each(FileText::forget);
    }
    let mut inputs: Vec<&mut Input> = read.iter_mut().map(|file| &mut file.input).collect();
    let (context, proposed) =
        with_cuda_version(context, &mut inputs, !reader.files.texts.are_forgotten());
    reader.files.context = context;
    let scanned = reader.scan(read);
    let taken = reader.with_included(scanned, &mut walk, &mut digest, &options);
    let mut files = Vec::with_capacity(taken.len());
    let mut findings: Vec<Finding> = proposed.into_iter().collect();
    findings.extend(unmatched_globs::findings(settings, &walk));
    let mut unread = Vec::new();
    for one in taken {
        files.push(one.scanned);
        findings.extend(one.findings);
        unread.extend(one.unread);
    }
    join_unexamined(&mut findings);
    progress.begin(Phase::Model, None);
    let mut project = Project::new(files, &options, context);
    settle_by_other_builds(&mut findings, &project, context);
    if reader.files.texts.are_forgotten() {
        project.forget_texts();
    }
    if !translates_conditions(&project) {
        findings.retain(|finding| finding.code != PROPOSED);
    }
    Ok(Gathered {
        walk,
        digest,
        project,
        context,
        findings,
        unread,
        texts: reader.files.texts,
    })
}

/// Whether something of C++ or `CMake` is translated, so that conditions on the release of CUDA were decided.
fn translates_conditions(project: &Project) -> bool {
    project.files.iter().any(|file| {
        let has_conditions =
            file.class.kind.is_cpp() || file.class.language == Some(BuildLanguage::CMake);
        has_conditions && file.disposition == Disposition::Ported
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
    ProjectOptions {
        folder: root
            .file_name()
            .map(|name| display_path(Path::new(name)))
            .unwrap_or_default(),
        translate_cpp: settings.dialect.value == Dialect::Musa,
        ports_musa_builds: settings.even_so.value,
        rename: settings.rename.value,
        include_roots: settings
            .include_roots
            .value
            .iter()
            .map(|root| display_path(root))
            .collect(),
        vendored: settings.vendored.value,
    }
}

/// A file that was read and scanned.
struct ScannedFile {
    scanned: Scanned,
    findings: Vec<Finding>,
    unread: Option<UnreadableFile>,
}

/// Reads and scans the files of a tree, and counts them as it goes.
struct Reader<'a> {
    files: FileReader<'a>,
    progress: &'a dyn Progress,
}

impl Reader<'_> {
    fn read(&self, entries: &[Entry]) -> Vec<ReadFile> {
        self.progress.begin(Phase::Read, Some(entries.len()));
        parallel::map(entries, |entry| {
            self.progress.step();
            self.files.read(entry)
        })
    }

    fn scan(&self, read: Vec<ReadFile>) -> Vec<ScannedFile> {
        self.progress.begin(Phase::Scan, Some(read.len()));
        let size = |file: &ReadFile| file.input.text.as_ref().map_or(0, FileText::len);
        largest_first(read, size, |file| self.scanned(file))
    }

    /// Put the files that the others include to them, of those that ignore rules left out.
    fn with_included(
        &self,
        mut scanned: Vec<ScannedFile>,
        walk: &mut Walk,
        digest: &mut ListingDigest,
        options: &ProjectOptions,
    ) -> Vec<ScannedFile> {
        for _ in 0..PULL_ROUNDS {
            if !ignored_includes::is_possible(walk) {
                break;
            }
            let files: Vec<&Scanned> = scanned.iter().map(|one| &one.scanned).collect();
            let missing = unresolved(&files, options, self.files.context);
            let (pulled, absent) = ignored_includes::pull_back(walk, &missing);
            digest.absent.extend(absent);
            if pulled.is_empty() {
                break;
            }
            scanned = self.with(scanned, walk, &pulled);
        }
        scanned
    }

    /// Read what was pulled back, and put it to the others, in the order of the listing.
    fn with(
        &self,
        others: Vec<ScannedFile>,
        walk: &Walk,
        pulled: &BTreeSet<PathBuf>,
    ) -> Vec<ScannedFile> {
        let mut others = others.into_iter();
        let entries = walk.files.iter();
        entries
            .filter_map(|entry| {
                if pulled.contains(&entry.path) {
                    Some(self.scanned(self.files.read(entry)))
                } else {
                    others.next()
                }
            })
            .collect()
    }

    fn scanned(&self, file: ReadFile) -> ScannedFile {
        self.progress.step();
        let ReadFile {
            input,
            findings,
            unread,
        } = file;
        // The package says nothing of the project that it comes with.
        let mut scanned = if self.files.is_package(Path::new(&*input.path)) {
            Scanned::silent(input)
        } else {
            Scanned::new(input, self.files.context)
        };
        if self.files.texts.are_forgotten() {
            scanned.forget_text();
        }
        ScannedFile {
            scanned,
            findings,
            unread,
        }
    }
}
