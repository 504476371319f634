//! Which files a build for MUSA comes to: from what compilers are given, along the includes.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::macros::Branches;
use super::other_mentions::Mentions;
use super::sources::NamedSources;
use super::tree::Tree;
use crate::cmake::replay::{Absence, Cause, Excluded};
use crate::facts::Include;
use crate::tree::paths;
use crate::tree::source::{Disposition, Source};
use torchada_classify::FileKind;
use torchada_mapping::builds::Reach;
use torchada_mapping::has;
use torchada_text::TextRange;

/// Why a file is not built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Reason {
    /// The cause.
    pub(super) cause: Arc<Excluded>,
    /// The file that includes it, where that one is not built.
    pub(super) through: Option<usize>,
}

/// The walk along the includes of a build.
pub(super) struct Graph<'a> {
    pub(super) tree: Tree<'a>,
    pub(super) named: &'a NamedSources,
    pub(super) table: &'a Reach,
    /// Folders that includes are looked up in first.
    pub(super) roots: &'a [String],
    /// Branches that no build compiles.
    pub(super) branches: &'a Branches,
    reached: Vec<bool>,
    /// Sources and headers that what compilers are given does not lead to.
    left: Vec<usize>,
    /// The files of `left` that no file includes.
    alone: Vec<usize>,
    /// Whether compilers are given nothing of CUDA's. A project that is for newer GPUs as a whole is to be ported all the same.
    builds_no_device: bool,
    /// Sources that other files include.
    included: FxHashSet<usize>,
    /// Ends of included paths that were looked up.
    ends: FxHashSet<&'a str>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(
        tree: Tree<'a>,
        named: &'a NamedSources,
        table: &'a Reach,
        roots: &'a [String],
        branches: &'a Branches,
    ) -> Self {
        Self {
            tree,
            named,
            table,
            roots,
            branches,
            reached: vec![false; tree.files.len()],
            left: Vec::new(),
            alone: Vec::new(),
            builds_no_device: false,
            included: FxHashSet::default(),
            ends: FxHashSet::default(),
        }
    }

    /// Walk along the includes of several builds of one tree. What else speaks of files is looked for once, for all that one
    /// of them leaves.
    pub(super) fn walk(builds: &mut [Self]) {
        for build in &mut *builds {
            build.follow_units();
        }
        let left = builds.iter().flat_map(|build| &build.left);
        let left: BTreeSet<usize> = left.copied().collect();
        let left: Vec<usize> = left.into_iter().collect();
        let Some(first) = builds.first().filter(|_| !left.is_empty()) else {
            return;
        };
        let mentions = Mentions::new(first.tree, &left, first.table);
        for build in builds {
            build.follow_rest(&mentions);
        }
    }

    /// For each file why it is not built, if it is not.
    pub(super) fn reasons(&self) -> Vec<Option<Reason>> {
        if self.builds_no_device {
            return vec![None; self.tree.files.len()];
        }
        self.reasons_along_includes(&self.left, &self.alone)
    }

    /// The files that the build does not come to.
    pub(super) fn left_out(&self) -> impl Iterator<Item = usize> {
        let left = self.left.iter().copied();
        left.filter(move |&at| !self.is_reached(at))
    }

    /// Follow what compilers are given, and note the sources and headers that are left.
    fn follow_units(&mut self) {
        let count = self.tree.files.len();
        self.included = self.included_units();
        let units: Vec<usize> = (0..count).filter(|&at| self.is_start(at)).collect();
        self.follow(units);
        let is_left = |at: &usize| self.is_cpp(*at) && !self.is_reached(*at);
        self.left = (0..count).filter(is_left).collect();
        let is_device = |at: usize| {
            let file = self.tree.files.get(at);
            file.is_some_and(|file| file.class.kind == FileKind::Cuda)
        };
        let mut device = (0..count).filter(|&at| is_device(at)).peekable();
        self.builds_no_device = device.peek().is_some() && !device.any(|at| self.is_reached(at));
    }

    /// Follow what else speaks of files that are left, and note those that stand alone.
    fn follow_rest(&mut self, mentions: &Mentions) {
        let left = std::mem::take(&mut self.left);
        loop {
            let speaks = |from: usize| {
                if self.is_cpp(from) {
                    self.is_reached(from)
                } else {
                    self.absence(from).is_none()
                }
            };
            let more: Vec<usize> = left
                .iter()
                .copied()
                .filter(|&at| !self.is_reached(at))
                .filter(|&at| mentions.of(at).iter().any(|&from| speaks(from)))
                .collect();
            if more.is_empty() {
                break;
            }
            self.follow(more);
        }
        self.alone = self.not_included(&left);
        // A header that may be somebody else's is built there, with all that it includes.
        let alone = self.alone.iter().copied();
        let starts: Vec<usize> = alone.filter(|&at| !self.may_be_unused(at)).collect();
        self.follow(starts);
        self.left = left;
    }

    fn is_cpp(&self, at: usize) -> bool {
        let file = self.tree.files.get(at);
        file.is_some_and(|file| file.class.kind.is_cpp())
    }

    fn is_reached(&self, at: usize) -> bool {
        self.reached.get(at).copied().unwrap_or(false)
    }

    fn absence(&self, at: usize) -> Absence {
        self.named.files.get(at).cloned().flatten().flatten()
    }

    /// Whether a build for MUSA comes to a file without another that includes it.
    fn is_start(&self, at: usize) -> bool {
        let Some(file) = self.tree.files.get(at) else {
            return false;
        };
        let is_for_others = matches!(file.disposition, Disposition::Left(_));
        match file.class.kind {
            FileKind::Musa => true,
            kind if !kind.is_cpp() => false,
            _ if file.class.template || is_for_others => true,
            _ if self.table.is_unit(&file.path) => {
                let named = self.named.files.get(at).cloned().flatten();
                // A source that no build file names, and another includes, comes with that one.
                named.map_or_else(|| !self.included.contains(&at), |absence| absence.is_none())
            }
            _ => false,
        }
    }

    /// The sources that other files include.
    fn included_units(&self) -> FxHashSet<usize> {
        let all = self.tree.files.iter().enumerate();
        all.filter(|(_, file)| file.class.kind.is_cpp())
            .flat_map(|(from, file)| {
                let includes = file.facts.includes.iter();
                let of_units = includes.filter(|one| self.table.is_unit(&one.path));
                of_units
                    .flat_map(|one| match self.exactly(&file.path, one) {
                        Some(target) => vec![target],
                        None => self.tree.places.ending_with(end_of(one)).collect(),
                    })
                    .filter(move |&target| target != from)
            })
            .collect()
    }

    /// Reach some files and all that they include.
    fn follow(&mut self, from: Vec<usize>) {
        let mut queue = from;
        while let Some(at) = queue.pop() {
            match self.reached.get_mut(at) {
                Some(reached) if !*reached => *reached = true,
                _ => continue,
            }
            let tree = self.tree;
            let Some(file) = tree.files.get(at) else {
                continue;
            };
            for include in self.includes(at, file) {
                if let Some(target) = self.exactly(&file.path, include) {
                    queue.push(target);
                    continue;
                }
                let end = end_of(include);
                if self.ends.insert(end) {
                    queue.extend(tree.places.ending_with(end));
                }
            }
        }
    }

    /// The includes of a file that a build for MUSA may come to.
    fn includes(&self, at: usize, file: &'a Source) -> impl Iterator<Item = &'a Include> + use<'a> {
        let left_out = self.branches.get(&at).map_or(&[][..], Vec::as_slice);
        let includes = file.facts.includes.iter();
        includes.filter(move |one| {
            let is_inside =
                |(branch, _): &(TextRange, Arc<Excluded>)| branch.contains(one.range.start);
            one.is_for_musa() && !left_out.iter().any(is_inside)
        })
    }

    /// The file that an include means, where no folder of headers has a say.
    fn exactly(&self, from: &str, include: &Include) -> Option<usize> {
        let beside = (!include.angled).then(|| paths::folder(from));
        let folders = beside
            .into_iter()
            .chain(self.roots.iter().map(String::as_str));
        folders
            .filter_map(|folder| paths::join(folder, &include.path))
            .find_map(|path| self.tree.places.file_at(&path))
    }

    /// Files that were not reached and that no file includes.
    fn not_included(&self, left: &[usize]) -> Vec<usize> {
        let mut included: FxHashSet<usize> = FxHashSet::default();
        for &from in left {
            included.extend(self.targets(from).into_iter().filter(|&at| at != from));
        }
        let is_alone = |at: &usize| !self.is_reached(*at) && !included.contains(at);
        let headers = left.iter().copied().filter(is_alone);
        headers.filter(|&at| self.absence(at).is_none()).collect()
    }

    /// The files that a file may include.
    fn targets(&self, from: usize) -> Vec<usize> {
        let Some(file) = self.tree.files.get(from) else {
            return Vec::new();
        };
        self.includes(from, file)
            .flat_map(|include| {
                let exact = self.exactly(&file.path, include);
                let others = exact.is_none().then(|| {
                    let files = self.tree.places.ending_with(end_of(include));
                    files.take(self.table.include_targets)
                });
                exact.into_iter().chain(others.into_iter().flatten())
            })
            .collect()
    }

    /// Whether a header that no file includes is surely no header for users of the tree.
    fn may_be_unused(&self, at: usize) -> bool {
        let Some(file) = self.tree.files.get(at) else {
            return false;
        };
        let is_public = paths::folder(&file.path)
            .split('/')
            .any(|part| has(&self.table.public_folders, part));
        // Where nothing says what is built, headers may be all that there is.
        let builds = |at: usize, absence: &Option<Absence>| {
            let unit = self.tree.files.get(at);
            absence.is_some() && unit.is_some_and(|unit| self.table.is_unit(&unit.path))
        };
        let mut named = self.named.files.iter().enumerate();
        !is_public
            && !self.named.is_installed(&file.path)
            && self.named.files.get(at).is_none_or(Option::is_none)
            && named.any(|(at, absence)| builds(at, absence))
    }

    /// Give what was not reached its reason, from the files that are not built on along the includes.
    fn reasons_along_includes(&self, left: &[usize], alone: &[usize]) -> Vec<Option<Reason>> {
        let mut reasons: Vec<Option<Reason>> = vec![None; self.tree.files.len()];
        let unused = Arc::new(Excluded {
            cause: Cause::NotIncluded,
            place: None,
        });
        let named = left.iter().filter_map(|&at| Some((at, self.absence(at)?)));
        let mut named: Vec<(usize, Arc<Excluded>)> = named.collect();
        // What is for several architectures gets the lowest.
        named.sort_by(|one, other| (&one.1.cause, one.0).cmp(&(&other.1.cause, other.0)));
        let unused = alone.iter().map(|&at| (at, Arc::clone(&unused)));
        // What a build file says is the better reason.
        for starts in [named, unused.collect()] {
            let mut begun = Vec::new();
            for (at, cause) in starts {
                if let Some(slot) = reasons.get_mut(at)
                    && slot.is_none()
                    && !self.is_reached(at)
                {
                    begun.push((at, Arc::clone(&cause)));
                    let through = None;
                    *slot = Some(Reason { cause, through });
                }
            }
            for (start, cause) in begun {
                let mut queue = VecDeque::from([start]);
                while let Some(at) = queue.pop_front() {
                    for target in self.targets(at) {
                        if let Some(slot) = reasons.get_mut(target)
                            && slot.is_none()
                            && !self.is_reached(target)
                        {
                            let (cause, through) = (Arc::clone(&cause), Some(at));
                            *slot = Some(Reason { cause, through });
                            queue.push_back(target);
                        }
                    }
                }
            }
        }
        reasons
    }
}

/// The end of a path that an include asks for.
fn end_of(include: &Include) -> &str {
    let path = include.path.as_str();
    path.trim_start_matches("./").trim_start_matches("../")
}
