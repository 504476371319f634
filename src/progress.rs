//! The progress of a long run: the rooms that do the work call a `Progress`, and the room that shows it implements one.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The phases of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Listing the input.
    Walk,
    /// Reading files.
    Read,
    /// Looking for what each file says by itself.
    Scan,
    /// Putting together what the files say to each other.
    Model,
    /// Translating files.
    Translate,
    /// Holding the translated files against each other.
    Compare,
    /// Writing files.
    Write,
}

impl Phase {
    /// The word for people.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "listing",
            Self::Read => "reading",
            Self::Scan => "scanning",
            Self::Model => "linking",
            Self::Translate => "translating",
            Self::Compare => "comparing",
            Self::Write => "writing",
        }
    }
}

/// A room that shows how far a run is. The threads of a run call its functions at the same time.
pub trait Progress: Sync {
    /// A phase begins, with so many files where that is known.
    fn begin(&self, phase: Phase, files: Option<usize>);

    /// Another file of the phase is done.
    fn step(&self);

    /// The work is done, or another message has to be printed: remove the bar.
    fn end(&self);

    /// Something of which many threads did a part each took so long on all of them together.
    fn spent(&self, _what: &str, _time: Duration) {}

    /// Of so many nodes of Python's trees so many were gone through, most of them several times.
    fn passed(&self, _nodes: usize, _visits: usize) {}
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: Phase, _: Option<usize>) {}

    fn step(&self) {}

    fn end(&self) {}
}

/// Notes where the time of a run goes, and tells another who wants to know, too.
pub struct Timings<'p> {
    inner: &'p dyn Progress,
    begun: Instant,
    noted: Mutex<Noted>,
}

#[derive(Default)]
struct Noted {
    /// The phase that is under way.
    open: Option<(Phase, Instant)>,
    phases: Vec<(Phase, Duration)>,
    spent: BTreeMap<String, Duration>,
    passes: (usize, usize),
}

/// Where the time of a run went.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TimingsReport {
    /// How long the run took.
    pub whole: Duration,
    /// How long its phases took, in their order.
    pub phases: Vec<(Phase, Duration)>,
    /// What threads did in them, by the time that it took on all threads together; the longest first.
    pub spent: Vec<(String, Duration)>,
    /// How many nodes Python's trees have, and how many were gone through, one after the other.
    pub passes: (usize, usize),
}

impl<'p> Timings<'p> {
    /// Timings of the run that begins now.
    pub fn new(inner: &'p dyn Progress) -> Self {
        Self {
            inner,
            begun: Instant::now(),
            noted: Mutex::default(),
        }
    }

    fn noted<T>(&self, work: impl FnOnce(&mut Noted) -> T) -> T {
        work(&mut self.noted.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What was noted until now.
    pub fn report(&self) -> TimingsReport {
        self.noted(|noted| {
            noted.close();
            let mut spent: Vec<_> = std::mem::take(&mut noted.spent).into_iter().collect();
            spent.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
            TimingsReport {
                whole: self.begun.elapsed(),
                phases: std::mem::take(&mut noted.phases),
                spent,
                passes: std::mem::take(&mut noted.passes),
            }
        })
    }
}

impl Noted {
    /// End the phase that is under way. A phase that comes again is counted together with the first time.
    fn close(&mut self) {
        let Some((phase, since)) = self.open.take() else {
            return;
        };
        let time = since.elapsed();
        match self.phases.iter_mut().find(|(one, _)| *one == phase) {
            Some((_, sum)) => *sum += time,
            None => self.phases.push((phase, time)),
        }
    }
}

impl Progress for Timings<'_> {
    fn begin(&self, phase: Phase, files: Option<usize>) {
        self.noted(|noted| {
            noted.close();
            noted.open = Some((phase, Instant::now()));
        });
        self.inner.begin(phase, files);
    }

    fn step(&self) {
        self.inner.step();
    }

    fn end(&self) {
        self.noted(Noted::close);
        self.inner.end();
    }

    fn spent(&self, what: &str, time: Duration) {
        self.noted(|noted| *noted.spent.entry(what.to_owned()).or_default() += time);
        self.inner.spent(what, time);
    }

    fn passed(&self, nodes: usize, visits: usize) {
        self.noted(|noted| {
            noted.passes.0 += nodes;
            noted.passes.1 += visits;
        });
        self.inner.passed(nodes, visits);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_that_comes_again_is_one() {
        let timings = Timings::new(&Silent);
        for phase in [Phase::Walk, Phase::Translate, Phase::Walk] {
            timings.begin(phase, None);
        }
        timings.spent("a", Duration::from_secs(1));
        timings.spent("b", Duration::from_secs(2));
        timings.spent("a", Duration::from_secs(3));
        let report = timings.report();
        let phases: Vec<Phase> = report.phases.iter().map(|(phase, _)| *phase).collect();
        assert_eq!(phases, [Phase::Walk, Phase::Translate]);
        let spent: Vec<(&str, u64)> = report
            .spent
            .iter()
            .map(|(what, time)| (what.as_str(), time.as_secs()))
            .collect();
        assert_eq!(spent, [("a", 4), ("b", 2)]);
    }
}
