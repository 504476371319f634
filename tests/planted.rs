//! Trees that were made to harm whoever reads them: nothing outside of the output changes, no program of theirs runs,
//! nothing hangs or takes all memory, and the run says what it refused. `docs/security.md` says what is promised.

mod plants;
mod world;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::passed::Suite;
use plants::Plant;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use world::{BARE, World};

/// Runs in worlds with plants, which depend on the rules by what the world's tree becomes.
fn suite(name: &'static str) -> Suite {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    Suite::new(name)
        .with_version("git")
        .with_program_but_rules()
        .with_files(&tests.join("planted"))
        .with_files(&tests.join("planted.rs"))
        .with_port(&world::port())
}

/// Try each plant in a world of its own, on as many threads as there are cores.
fn each(plants: &[Plant], check: impl Fn(&World, &str) + Sync) {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some((name, does)) = plants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let world = World::new();
                    does(&world);
                    check(&world, name);
                }
            });
        }
    });
}

/// What people do with a tree, and what each may write.
fn all_uses(world: &World, name: &str) {
    world.survives(name, "", &["check", "p"], &[]);
    world.survives(name, "p", &["check", ".", "--since", "HEAD~1"], &[]);
    world.survives(name, "p", &["check", "--baseline", "known.json"], &[]);
    world.survives(name, "", &["port", "p", "-o", "m", BARE, "--check"], &[]);
    world.survives(name, "", &["report", "m"], &[]);
    // A layout of the tree's configuration writes into the tree, and nowhere else.
    world.survives(name, "", &["port", "p", "-o", "m", BARE], &["m"]);
    world.survives(
        name,
        "",
        &["port", "p", "--in-place", BARE],
        &["p/k.cu", "p/k.mu", "p/src", "p/m.py"],
    );
}

#[test]
fn journals_of_a_tree_are_left_alone() {
    suite("planted-journals").run(|| {
        each(&plants::journals(), |world, name| {
            let ended = world.survives(name, "", &["port", "p", "-o", "m", BARE], &["m"]);
            assert!(ended.output.contains("PRJ044"), "{name}: {}", ended.output);
            assert!(world.at("m/.torchada/pending.json").exists(), "{name}");
            assert!(
                !world.at("m/.git").exists() && !world.at("m/.GIT").exists(),
                "{name}"
            );
            let writes = ["p/k.cu", "p/k.mu", "p/src", "p/m.py"];
            world.survives(name, "p", &["port", ".", "--in-place", BARE], &writes);
            assert!(
                world.at("p/k.mu").exists(),
                "{name}: the port is done all the same"
            );
        });
    });
}

#[test]
fn manifests_lead_nowhere() {
    suite("planted-manifests").run(|| {
        each(&plants::manifests(), |world, name| {
            let ended = world.survives(name, "", &["port", "p", "-o", "m", BARE], &[]);
            assert_eq!(ended.code, Some(2), "{name}: {}", ended.output);
            assert!(
                ended.output.contains("can't use the manifest"),
                "{name}: {}",
                ended.output
            );
            all_uses(world, name);
        });
    });
}

#[test]
fn nothing_but_regular_files_of_some_size_is_read() {
    suite("planted-kinds").run(|| {
        each(&plants::kinds(), all_uses);
    });
}

#[test]
fn a_configuration_of_a_tree_only_configures() {
    suite("planted-configurations").run(|| {
        each(&plants::configurations(), |world, name| {
            let is_listed = name.starts_with("paths");
            // What a check looks at by itself is no matter of a port's.
            let writes: &[&str] = if is_listed { &["p_musa"] } else { &[] };
            let ended = world.survives(name, "", &["port", "p"], writes);
            if !is_listed {
                assert_eq!(ended.code, Some(2), "{name}: {}", ended.output);
                assert!(
                    ended.output.contains("torchada.toml:1"),
                    "{name}: {}",
                    ended.output
                );
            }
            let ended = world.survives(name, "p", &["check"], &[]);
            if is_listed {
                assert_eq!(ended.code, Some(2), "{name}: {}", ended.output);
            }
        });
    });
}

#[test]
fn git_runs_nothing_of_a_tree() {
    suite("planted-repositories").run(|| {
        each(&plants::repositories(), |world, name| {
            all_uses(world, name);
            let listed = world.run(&["check", "p", "--format", "json"]);
            assert!(
                !listed.output.contains("outside"),
                "{name}: {}",
                listed.output
            );
        });
    });
}

/// Several plants at once, and bytes of state files that somebody changed at random.
#[test]
fn what_is_planted_at_random_stays_inside() {
    let cases = std::env::var("FUZZ_CASES").unwrap_or_default();
    suite("planted-at-random").with(&cases).run(|| {
        let all: Vec<Plant> = [
            plants::journals(),
            plants::manifests(),
            plants::kinds(),
            plants::configurations(),
            plants::repositories(),
        ]
        .into_iter()
        .flatten()
        .collect();
        let config = Config {
            cases: cases.parse().unwrap_or(12),
            failure_persistence: None,
            max_shrink_iters: 20,
            ..Config::default()
        };
        // The same cases each time.
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[23; 32]);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let some = proptest::collection::vec(0..all.len(), 1..4);
        let damage = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6);
        let which = prop::sample::select(vec![
            "m/.torchada/manifest.json",
            "m/.torchada/cache/last",
            "p/.git/index",
            "p/.git/config",
        ]);
        let strategy = (some, damage, which);
        let tried = runner.run(&strategy, |(some, damage, which)| {
            let world = World::new();
            let path = world.at(which);
            if let Ok(mut bytes) = std::fs::read(&path) {
                for (at, byte) in &damage {
                    let at = at.index(bytes.len().max(1));
                    if let Some(place) = bytes.get_mut(at) {
                        *place = *byte;
                    }
                }
                std::fs::write(&path, bytes).expect("written");
            }
            for at in &some {
                let (_, does) = &all[*at];
                // One plant may stand in the way of another.
                let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| does(&world)));
            }
            let name = format!(
                "{which} {damage:?} {:?}",
                some.iter().map(|at| &all[*at].0).collect::<Vec<_>>()
            );
            all_uses(&world, &name);
            world.survives(&name, "", &["port", "p", "-o", "m"], &["m"]);
            world.survives(&name, "", &["port", "p"], &["p_musa"]);
            Ok(())
        });
        tried.unwrap_or_else(|error| panic!("{error}"));
    });
}
