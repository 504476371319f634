//! Whether two runs read the same tree.

use serde::{Deserialize, Serialize};

use crate::project::{Project, Source};

/// One file of the input: its path, and what tells two versions of it apart.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct InputFile {
    path: String,
    digest: [u8; 16],
}

/// How two inputs differ, by the first path that does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Differs {
    /// The file is in both, and not the same.
    Changed(String),
    /// The other input lacks it.
    Added(String),
    /// The other input alone has it.
    Gone(String),
}

/// The files of a project. What no translation looks into counts by its path and its kind: pictures
/// and documents are the business of whoever copies them.
pub(super) fn all(project: &Project) -> Vec<InputFile> {
    let file = |source: &Source| InputFile {
        path: source.path.clone(),
        digest: digest(source),
    };
    project.files.iter().map(file).collect()
}

fn digest(source: &Source) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(format!("{:?}", source.class).as_bytes());
    match &source.text {
        Some(text) => hasher.update(&[1]).update(text),
        None => hasher.update(&[0]),
    };
    let mut short = [0; 16];
    hasher.finalize_xof().fill(&mut short);
    short
}

/// Where `ours` is not `theirs`. Both are in the order of their paths' bytes.
pub(super) fn difference(ours: &[InputFile], theirs: &[InputFile]) -> Option<Differs> {
    let at = ours.iter().zip(theirs).position(|(a, b)| a != b);
    let at = at.or((ours.len() != theirs.len()).then(|| ours.len().min(theirs.len())))?;
    Some(match (ours.get(at), theirs.get(at)) {
        (Some(a), Some(b)) if a.path == b.path => Differs::Changed(a.path.clone()),
        (Some(a), Some(b)) if a.path > b.path => Differs::Gone(b.path.clone()),
        (Some(a), _) => Differs::Added(a.path.clone()),
        (None, Some(b)) => Differs::Gone(b.path.clone()),
        (None, None) => return None,
    })
}
