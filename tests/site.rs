//! The documentation: every page is in the summary of the site, every link leads somewhere, and the guides are followed.
//! What needs mdBook is left out of a plain run: `cargo test --test suite site:: -- --ignored`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::browser::driven;
use crate::common::followed::follow;
use crate::common::markdown::{anchors, links};
use crate::common::program::text;
use serde_json::{Value, json};
use tempfile::TempDir;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The pages below a folder.
fn pages(folder: &Path, ending: &str) -> BTreeSet<PathBuf> {
    let files = walkdir::WalkDir::new(folder).into_iter();
    let files = files.map(|entry| entry.expect("readable").into_path());
    files
        .filter(|path| path.extension().is_some_and(|found| found == ending))
        .collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn each_page_is_in_the_summary_once() {
    let docs = root().join("docs");
    let summary = docs.join("SUMMARY.md");
    let listed: Vec<PathBuf> = links(&read(&summary))
        .iter()
        .map(|link| docs.join(link))
        .collect();
    let once: BTreeSet<PathBuf> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a page is listed twice");
    let mut there = pages(&docs, "md");
    there.remove(&summary);
    assert_eq!(once, there);
}

#[test]
fn every_link_leads_somewhere() {
    let mut all = pages(&root().join("docs"), "md");
    let top = fs::read_dir(root()).expect("a folder");
    let top = top.map(|entry| entry.expect("readable").path());
    all.extend(top.filter(|path| path.extension().is_some_and(|ending| ending == "md")));
    let mut wrong = Vec::new();
    for page in &all {
        let shown = page.strip_prefix(root()).expect("below").display();
        for link in links(&read(page)) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            if !target.exists() {
                wrong.push(format!("{shown}: {file} is not there"));
            } else if !anchor.is_empty() && !anchors(&read(&target)).iter().any(|at| at == anchor) {
                wrong.push(format!("{shown}: {link} names no heading"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

/// How many files and commands each guide has. A guide that shows nothing is none.
const GUIDES: [(&str, usize, usize); 4] = [
    ("cpp-project.md", 3, 3),
    ("first-port.md", 2, 8),
    ("python-project.md", 1, 3),
    ("pytorch-extension.md", 2, 2),
];

#[test]
fn the_guides_can_be_followed() {
    let folder = root().join("docs/guide");
    let there = pages(&folder, "md");
    let known: BTreeSet<PathBuf> = GUIDES.iter().map(|(name, ..)| folder.join(name)).collect();
    assert_eq!(there, known);
    for (name, files, commands) in GUIDES {
        let place = TempDir::new().expect("a temporary folder");
        let done = follow(&folder.join(name), place.path(), "/home/you");
        assert_eq!((done.files, done.commands), (files, commands), "{name}");
    }
}

/// What stands between two marks, wherever both are there.
fn between<'a>(text: &'a str, open: &str, close: char) -> Vec<&'a str> {
    let pieces = text.split(open).skip(1);
    pieces.filter_map(|rest| rest.split(close).next()).collect()
}

/// The links of the pages that mdBook made, which lead nowhere.
fn dead_links(site: &Path) -> Vec<String> {
    let mut dead = Vec::new();
    for page in pages(site, "html") {
        let html = read(&page);
        let shown = page.strip_prefix(site).expect("below").display();
        // The page for what is not found is served from anywhere, and its links begin at the top.
        for link in between(&html, "href=\"", '"') {
            if link.contains(':') || link.starts_with('/') || page.ends_with("404.html") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().expect("a folder").join(file),
            };
            let is_there = target.is_file()
                && (anchor.is_empty() || read(&target).contains(&format!("id=\"{anchor}\"")));
            if !is_there {
                dead.push(format!("{shown}: {link}"));
            }
        }
    }
    dead
}

/// What is wider than a phone and can't be moved sideways by itself.
const TOO_WIDE: &str = "[...document.querySelectorAll('main *')].filter(element => {
    if (element.getBoundingClientRect().right <= innerWidth + 1) return false;
    for (let outer = element; outer && outer.tagName !== 'MAIN'; outer = outer.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(outer).overflowX)) return false;
    return true;
}).map(element => element.outerHTML.slice(0, 80))";

#[test]
#[ignore = "needs mdBook: `cargo install --locked mdbook`"]
fn the_site_is_built_and_reads_well_on_a_phone() {
    let place = TempDir::new().expect("a temporary folder");
    let output = Command::new("mdbook")
        .args(["build", "docs", "--dest-dir"])
        .arg(place.path())
        .current_dir(root())
        .output()
        .expect("mdbook is there");
    let messages = text(&output.stderr);
    assert!(
        output.status.success() && !messages.contains("WARN"),
        "{messages}{}",
        text(&output.stdout)
    );
    assert_eq!(dead_links(place.path()), Vec::<String>::new());

    let shots = Path::new(env!("CARGO_TARGET_TMPDIR")).join("site");
    fs::create_dir_all(&shots).expect("made");
    let mut steps = Vec::new();
    let all = pages(place.path(), "html");
    for page in all.iter().filter(|page| !page.ends_with("404.html")) {
        let name = page.file_stem().expect("a name").to_string_lossy();
        for width in [390, 1280] {
            let shot = shots.join(format!("{name}-{width}.png"));
            steps.push(json!({"open": page, "width": width}));
            steps.push(json!({ "eval": TOO_WIDE }));
            steps.push(json!({"shot": shot, "height": 1600}));
        }
    }
    let input = serde_json::to_string(&steps).expect("JSON");
    let printed = driven(&input);
    let results = printed["results"].as_array().expect("a list");
    for (step, result) in steps.iter().zip(results) {
        if step.get("eval").is_some() {
            assert_eq!(result, &json!([]), "in {}", shots.display());
        }
    }
    let messages = printed["messages"].as_array().expect("a list");
    let mut errors = messages.iter().filter_map(Value::as_str);
    assert_eq!(errors.find(|line| line.starts_with("exception")), None);
}
