//! Whether Python's own compiler takes what it took before.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::measure::{Measure, Tally};
use crate::python_file::is_module;
use crate::trees::{Pair, Trees};

/// Prints each path of the input, a line each, that does not compile.
const SCRIPT: &str = "\
import sys, warnings
warnings.simplefilter('ignore')
for line in sys.stdin:
    try:
        path = line.rstrip('\\n')
        compile(open(path, 'rb').read(), path, 'exec')
    except (SyntaxError, ValueError):
        print(path)
";

/// Count the files that compiled before the port and do not behind it. Without a `python3` nothing
/// is counted, and the measure is not made.
pub(crate) fn broken(trees: &Trees) -> Tally {
    let mut tally = Tally::default();
    let pairs = trees.pairs.iter().filter(|pair| is_module(&pair.source));
    let pairs: Vec<&Pair> = pairs.collect();
    let after = failing(&trees.output, pairs.iter().map(|pair| pair.output.as_str()));
    let Some(after) = after else {
        tally.not_made.push(Measure::PythonBroken);
        return tally;
    };
    let now: Vec<&&Pair> = pairs
        .iter()
        .filter(|pair| after.contains(&pair.output))
        .collect();
    let before = failing(&trees.input, now.iter().map(|pair| pair.source.as_str()));
    let before = before.unwrap_or_default();
    for pair in now.iter().filter(|pair| !before.contains(&pair.source)) {
        tally.count_file(Measure::PythonBroken, &pair.source, "does not compile");
    }
    tally
}

/// The paths below a folder that do not compile.
fn failing<'p>(root: &Path, paths: impl Iterator<Item = &'p str>) -> Option<BTreeSet<String>> {
    let text = paths.collect::<Vec<_>>().join("\n");
    if text.is_empty() {
        return Some(BTreeSet::new());
    }
    let mut child = Command::new("python3")
        .args(["-c", SCRIPT])
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut input = child.stdin.take()?;
    // What the compiler prints may fill its pipe before all is written.
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    if !output.status.success() {
        return None;
    }
    let printed = String::from_utf8_lossy(&output.stdout);
    Some(printed.lines().map(str::to_owned).collect())
}
