//! Run the program on growing input, as a process of its own, and take the processor time of each run.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;
use torchada::mapping::files::Limits;
use torchada::mapping::knowledge::Knowledge;

use crate::MOST;
use crate::shape::{self, Shape};

/// A run that takes longer is ended.
const PATIENCE: Duration = Duration::from_mins(1);

/// More pieces than this are not tried, however little they cost.
const MOST_PIECES: usize = 1 << 22;

/// More files than this are not written.
const MOST_FILES: usize = 1 << 14;

/// How large an input was, and what it cost beyond an empty tree.
#[derive(Clone, Copy, Default)]
pub struct Size {
    pub bytes: f64,
    pub seconds: f64,
}

impl Size {
    /// How steep the way to a larger size is, on logarithmic scales.
    pub fn slope(self, larger: Self) -> f64 {
        // A clock that ticks a hundred times a second says nothing about less than this.
        let seconds = self.seconds.max(0.01);
        (larger.seconds / seconds).ln() / (larger.bytes / self.bytes).ln()
    }
}

/// What a shape costs at its last size, at a half and at a quarter of that size.
pub struct Growth {
    pub sizes: [Size; 3],
    /// By which limit a file was left as it is.
    pub left: Option<String>,
    /// The last run did not end in time.
    pub stopped: bool,
}

pub struct Bench {
    program: PathBuf,
    limits: &'static Limits,
    seconds: f64,
    /// Where the last input of each shape is kept.
    keep: Option<PathBuf>,
    /// What a run over nothing costs.
    start: f64,
}

struct Run {
    seconds: f64,
    left: Option<String>,
    stopped: bool,
}

impl Bench {
    pub fn new(seconds: f64, keep: Option<PathBuf>) -> Self {
        let other = std::env::var_os("TORCHADA_BENCH_PROGRAM");
        let knowledge = Knowledge::builtin();
        let mut bench = Self {
            program: other.map_or_else(|| env!("CARGO_BIN_EXE_torchada").into(), PathBuf::from),
            limits: &knowledge.files.limits,
            seconds,
            keep,
            start: 0.0,
        };
        let empty = TempDir::new_in(memory()).expect("a temporary folder");
        fs::create_dir(empty.path().join("in")).expect("a folder");
        let runs = (0..10).map(|_| bench.run(empty.path(), "check").seconds);
        bench.start = runs.sum::<f64>() / 10.0;
        bench
    }

    /// Let a shape grow until it takes long enough, or may not grow any more.
    pub fn growth(&self, shape: &Shape, command: &str) -> Growth {
        let mut sizes = [Size::default(); 3];
        let (mut left, mut stopped) = (None, false);
        let mut number = 16;
        while number <= MOST_PIECES {
            let Some((size, run)) = self.measure(shape, command, number) else {
                break;
            };
            // What a file costs that is left says nothing about what it costs below the limit.
            if run.left.is_some() && left.is_none() && sizes[2].seconds > 0.1 {
                left = run
                    .left
                    .map(|why| format!("at {:.0} kB: {why}", size.bytes / 1000.0));
                break;
            }
            left = run.left;
            sizes = [sizes[1], sizes[2], size];
            stopped = run.stopped;
            let [first, second, last] = sizes;
            // What looks steep may only be on its way to a limit.
            let slope = second.slope(last).min(first.slope(second));
            let is_enough = last.seconds >= self.seconds
                && (slope <= MOST || last.seconds >= 8.0 * self.seconds);
            if stopped || is_enough {
                break;
            }
            number *= 2;
        }
        if let Some(keep) = &self.keep {
            let tree = keep.join(shape.name);
            write(&tree, &shape.files_of(number.min(MOST_PIECES)));
        }
        Growth {
            sizes,
            left,
            stopped,
        }
    }

    /// The least of some runs; nothing if the input is beyond what is taken apart.
    fn measure(&self, shape: &Shape, command: &str, number: usize) -> Option<(Size, Run)> {
        let files = shape.files_of(number);
        let beyond = files.len() > MOST_FILES
            || files
                .iter()
                .any(|(path, text)| text.len() > self.most_bytes(path));
        if beyond {
            return None;
        }
        let place = TempDir::new_in(memory()).expect("a temporary folder");
        write(&place.path().join("in"), &files);
        let bytes: usize = files.iter().map(|(_, text)| text.len()).sum();
        let mut best = self.run(place.path(), command);
        // One run is enough for what is far from the last size, and for what takes long.
        let again = if best.seconds < self.seconds / 8.0 || best.seconds > 4.0 * self.seconds {
            0
        } else {
            2
        };
        for _ in 0..again {
            let run = self.run(place.path(), command);
            best.seconds = best.seconds.min(run.seconds);
        }
        let size = Size {
            bytes: f64::from(u32::try_from(bytes).unwrap_or(u32::MAX)),
            seconds: (best.seconds - self.start).max(0.0),
        };
        Some((size, best))
    }

    fn most_bytes(&self, path: &str) -> usize {
        let bytes = &self.limits.bytes;
        match Path::new(path).extension().and_then(|end| end.to_str()) {
            Some("cu" | "cuh" | "cpp" | "h") => bytes.cpp,
            Some("py" | "pyx" | "ipynb") => bytes.python,
            _ => bytes.build,
        }
    }

    fn run(&self, place: &Path, command: &str) -> Run {
        let out = place.join("out");
        if out.exists() {
            fs::remove_dir_all(&out).expect("removed");
        }
        let spoken = place.join("spoken");
        let mut line = Command::new(&self.program);
        line.args([command, "in", "--no-config", "--no-ignore"]);
        if command == "port" {
            line.args(["-o", "out"]);
        }
        let before = children_seconds();
        let begun = Instant::now();
        let mut child = line
            .current_dir(place)
            .stdout(File::create(&spoken).expect("a file"))
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut stopped = false;
        while child.try_wait().expect("it is waited for").is_none() {
            if begun.elapsed() > PATIENCE {
                stopped = true;
                child.kill().expect("it is ended");
                child.wait().expect("it ends");
                break;
            }
            sleep(Duration::from_millis(2));
        }
        let whole = begun.elapsed().as_secs_f64();
        let spent = before
            .zip(children_seconds())
            .map(|(before, after)| after - before);
        let text = fs::read(&spoken).expect("it is read");
        Run {
            seconds: spent.unwrap_or(whole),
            left: left(&text),
            stopped,
        }
    }
}

fn write(tree: &Path, files: &[shape::File]) {
    for (path, text) in files {
        let path = tree.join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("written");
    }
}

/// The reason that a file was left for, in what a run printed.
fn left(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let at = text.find("was copied as it is: ")?;
    let why = text[at..].split_once(": ")?.1;
    why.lines().next().map(str::to_owned)
}

/// The processor time of all processes that were waited for, where the system says it: other work on the machine does
/// not count.
fn children_seconds() -> Option<f64> {
    const TICKS: f64 = 100.0;
    let line = fs::read_to_string("/proc/self/stat").ok()?;
    // The name stands in parentheses and may hold spaces; behind it the third field is the first.
    let fields: Vec<&str> = line.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at - 3)?.parse::<f64>().ok();
    Some((ticks(16)? + ticks(17)?) / TICKS)
}

/// A folder in memory, where the system has such a place.
fn memory() -> PathBuf {
    let shared = PathBuf::from("/dev/shm");
    if shared.is_dir() {
        shared
    } else {
        std::env::temp_dir()
    }
}
