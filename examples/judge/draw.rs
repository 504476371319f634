//! What is drawn, and how much of it from each project.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::How;
use crate::pick::pick;
use crate::python::changes::Changes;
use crate::python::token::{self, Token};
use crate::sheet::{Drawn, name, write};
use crate::tree::{files, read};

/// All CUDA-like tokens of a project, each with its file.
fn pool(root: &Path) -> Result<Vec<(String, Token)>> {
    let mut found = Vec::new();
    for path in files(root)? {
        let all = token::tokens(&path, read(root, &path)?)?;
        let cuda = all.into_iter().filter(Token::is_cuda);
        found.extend(cuda.map(|token| (path.clone(), token)));
    }
    Ok(found)
}

/// Draw from all CUDA-like tokens of the projects.
pub(crate) fn tokens(out: &mut impl Write, projects: &[PathBuf], how: &How) -> Result<()> {
    let pools = projects
        .iter()
        .map(|root| pool(root))
        .collect::<Result<Vec<_>>>()?;
    let drawn = deal(out, projects, pools, how.count, how.seed)?;
    sheet(projects, drawn, how)
}

/// Draw from the edits of ports, and as many CUDA-like tokens that no edit touches.
pub(crate) fn edits(
    out: &mut impl Write,
    projects: &[PathBuf],
    ports: &Path,
    how: &How,
) -> Result<()> {
    let (mut edited, mut left) = (Vec::new(), Vec::new());
    for root in projects {
        let port = ports.join(name(root));
        let (mut here, mut others) = (Vec::new(), Vec::new());
        for path in files(root)? {
            // Files that git does not track are no part of a port.
            if !port.join(&path).is_file() {
                continue;
            }
            let changes = Changes::new(&path, read(root, &path)?, read(&port, &path)?)?;
            here.extend(changes.edited().map(|token| (path.clone(), token)));
            others.extend(changes.untouched().map(|token| (path.clone(), token)));
        }
        edited.push(here);
        left.push(others);
    }
    writeln!(out, "edits:")?;
    let mut drawn = deal(out, projects, edited, how.count, how.seed)?;
    writeln!(out, "left alone:")?;
    drawn.extend(deal(out, projects, left, drawn.len(), how.seed)?);
    sheet(projects, drawn, how)
}

/// Take the same number from each pool; what a small one lacks is dealt to the others.
fn deal(
    out: &mut impl Write,
    projects: &[PathBuf],
    pools: Vec<Vec<(String, Token)>>,
    count: usize,
    seed: u64,
) -> Result<Vec<Drawn>> {
    let sizes: Vec<usize> = pools.iter().map(Vec::len).collect();
    let shares = shares(&sizes, count);
    let mut drawn = Vec::new();
    for (project, (pool, share)) in pools.into_iter().zip(&shares).enumerate() {
        let chosen = pick(pool.len(), *share, seed);
        let root = projects.get(project).map(|root| name(root));
        let root = root.unwrap_or_default();
        writeln!(out, "{root}: {} of {}", chosen.len(), pool.len())?;
        let taken = pool.into_iter().enumerate();
        drawn.extend(
            taken
                .filter(|(at, _)| chosen.binary_search(at).is_ok())
                .map(|(_, (path, token))| Drawn {
                    project,
                    path,
                    token,
                }),
        );
    }
    Ok(drawn)
}

fn shares(sizes: &[usize], count: usize) -> Vec<usize> {
    let mut shares = vec![0; sizes.len()];
    let mut rest = count.min(sizes.iter().sum());
    while rest > 0 {
        for (share, size) in shares.iter_mut().zip(sizes) {
            if rest > 0 && *share < *size {
                *share += 1;
                rest -= 1;
            }
        }
    }
    shares
}

/// Write the sheet, file by file, so that nothing in the order tells one draw from another.
fn sheet(projects: &[PathBuf], mut drawn: Vec<Drawn>, how: &How) -> Result<()> {
    drawn.sort_by(|one, other| {
        let key = |it: &Drawn| (it.project, it.token.at.start);
        one.path.cmp(&other.path).then(key(one).cmp(&key(other)))
    });
    drawn.sort_by_key(|one| one.project);
    let roots: Vec<&Path> = projects.iter().map(PathBuf::as_path).collect();
    write(&how.out, &roots, &drawn, how.context)
}

#[cfg(test)]
mod tests {
    use super::shares;

    #[test]
    fn what_a_small_project_lacks_goes_to_the_others() {
        assert_eq!(shares(&[100, 2, 100], 12), [5, 2, 5]);
        assert_eq!(shares(&[1, 2], 12), [1, 2]);
    }
}
