//! The map of where the remaining work lies: folders, and the files in them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::lists::FileRow;
use super::rows::Load;
use super::shares::share;
use super::treemap::{Area, areas};

/// How many files of a folder have an area of their own.
const AREAS: usize = 40;

/// How many folders there are, before one is taken apart.
const FOLDERS: usize = 16;

/// How wide the map is for its height.
const ASPECT: f64 = 2.4;

/// A folder on the map.
pub(super) struct FolderRow {
    pub(super) path: String,
    /// The folder's path below the folder that all files have in common.
    pub(super) name: String,
    /// The files of it, as the search takes them: `core/`, or `core/*` for those right in it alone.
    pub(super) within: String,
    pub(super) load: Load,
    pub(super) style: String,
    /// The share of all points.
    pub(super) share: String,
    pub(super) cells: Vec<MapCell>,
}

/// A file on the map.
pub(super) struct MapCell {
    pub(super) path: String,
    pub(super) name: String,
    pub(super) points: usize,
    pub(super) class: String,
    pub(super) style: String,
}

/// The folders below what all files share, the most work first.
pub(super) fn folders(files: &[FileRow], points: usize) -> Vec<FolderRow> {
    let with_work: Vec<&FileRow> = files.iter().filter(|file| file.load.points > 0).collect();
    let front = common_folder(with_work.iter().map(|file| file.path.as_str())).len();
    let mut groups: Vec<(&str, Load, Vec<&FileRow>)> = Vec::new();
    let mut whole = vec![with_work];
    // The folder with more than half of the work is shown as the folders in it.
    while let Some(files) = whole.pop() {
        for (path, files) in inside(&files) {
            let mut load = Load::default();
            for file in &files {
                load.plus(&file.load);
            }
            let several = files.iter().any(|file| folder(&file.path) > path.len() + 1);
            if load.points * 2 > points && several && groups.len() < FOLDERS {
                whole.push(files);
            } else {
                groups.push((path, load, files));
            }
        }
    }
    groups.sort_by(|a, b| (Reverse(a.1.points), a.0).cmp(&(Reverse(b.1.points), b.0)));
    let weights: Vec<usize> = groups.iter().map(|(_, load, _)| load.points).collect();
    groups
        .into_iter()
        .zip(areas(&weights, ASPECT))
        .map(|((path, load, files), area)| FolderRow {
            path: match path.trim_end_matches('/') {
                "" => ".".to_owned(),
                path => path.to_owned(),
            },
            name: match path.get(front..) {
                None | Some("") => ".".to_owned(),
                Some(name) => name.to_owned(),
            },
            within: search_text(path, &files),
            share: share(load.points, points),
            cells: cells(path, &files, ASPECT * area.width / area.height.max(0.01)),
            load,
            style: placed(&area),
        })
        .collect()
}

/// Files by the folders right below what they all share.
fn inside<'a>(files: &[&'a FileRow]) -> BTreeMap<&'a str, Vec<&'a FileRow>> {
    let front = common_folder(files.iter().map(|file| file.path.as_str())).len();
    let mut groups: BTreeMap<&str, Vec<&FileRow>> = BTreeMap::new();
    for file in files {
        let below = file.path.get(front..).and_then(|path| path.split_once('/'));
        let end = below.map_or(front.saturating_sub(1), |(first, _)| front + first.len());
        let group = file.path.get(..end).unwrap_or_default();
        groups.entry(group).or_default().push(file);
    }
    groups
}

/// What finds the files of a folder that is shown: other folders may lie in one whose own files are apart.
fn search_text(path: &str, files: &[&FileRow]) -> String {
    let front = match path.trim_end_matches('/') {
        "" => String::new(),
        path => format!("{path}/"),
    };
    let right_there = files.iter().all(|file| folder(&file.path) == front.len());
    format!("{front}{}", if right_there { "*" } else { "" })
}

/// How long the folder's part of a path is, with its slash.
fn folder(path: &str) -> usize {
    path.rfind('/').map_or(0, |at| at + 1)
}

/// The folder that holds all of some files, with its slash.
pub(super) fn common_folder<'a>(mut paths: impl Iterator<Item = &'a str>) -> &'a str {
    let Some(first) = paths.next() else {
        return "";
    };
    let mut front = first.get(..folder(first)).unwrap_or_default();
    for path in paths {
        while !path.starts_with(front) {
            let shorter = front.trim_end_matches('/');
            front = shorter.get(..folder(shorter)).unwrap_or_default();
        }
    }
    front
}

fn cells(folder: &str, files: &[&FileRow], aspect: f64) -> Vec<MapCell> {
    let mut cells: Vec<(String, usize, String)> = files
        .iter()
        .take(AREAS)
        .map(|file| (file.path.clone(), file.load.points, file.class.clone()))
        .collect();
    let rest: usize = files.iter().skip(AREAS).map(|file| file.load.points).sum();
    if rest > 0 {
        let more = files.len() - AREAS;
        cells.push((format!("{more} more"), rest, "rest".to_owned()));
    }
    let weights: Vec<usize> = cells.iter().map(|(_, points, _)| *points).collect();
    let front = folder.trim_end_matches('/');
    cells
        .into_iter()
        .zip(areas(&weights, aspect))
        .map(|((path, points, class), area)| MapCell {
            name: path
                .strip_prefix(front)
                .map_or(path.as_str(), |name| name.trim_start_matches('/'))
                .to_owned(),
            path,
            points,
            class,
            style: placed(&area),
        })
        .collect()
}

fn placed(area: &Area) -> String {
    format!(
        "left:{:.2}%;top:{:.2}%;width:{:.2}%;height:{:.2}%",
        area.left, area.top, area.width, area.height
    )
}
