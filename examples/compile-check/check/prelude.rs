//! What the header that a compiler includes by itself leaves behind: its macros, without its
//! text. A file is preprocessed on top of them five times faster, and to the same code.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};

use super::World;
use super::command::{dialect, flags, start};
use super::files::Item;
use super::views::{Side, View};
use crate::process::run;

/// The macros of a header, in a file.
pub struct Prelude {
    /// The file.
    pub path: PathBuf,
    /// CUDA's headers that were read for it.
    pub headers: Vec<String>,
    /// What all headers that were read for it may have been included as.
    names: BTreeSet<PathBuf>,
}

/// Preludes by side, pass, and the flags that may change a header.
#[derive(Default)]
pub struct Preludes {
    made: Mutex<HashMap<String, Option<Arc<Prelude>>>>,
}

impl Preludes {
    /// The prelude for an item; `None` where its own folders hold a header of the same name, or
    /// none can be made.
    ///
    /// # Errors
    /// Where g++ can't be started.
    pub fn get(
        &self,
        world: &World<'_>,
        item: &Item,
        side: Side,
        view: View,
    ) -> Result<Option<Arc<Prelude>>> {
        let (folders, rest) = apart(&item.flags);
        // Another file that is included first may change what comes.
        if !item.is_cuda || rest.iter().any(|flag| flag == "-include") {
            return Ok(None);
        }
        let key = format!("{side:?} {view} {}", rest.join(" "));
        let lock = || self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&key).cloned();
        let prelude = if let Some(known) = known {
            known
        } else {
            let bare = Item {
                flags: rest,
                ..item.clone()
            };
            let made = make(world, &bare, side, view)?.map(Arc::new);
            lock().entry(key).or_insert(made).clone()
        };
        Ok(prelude.filter(|prelude| {
            !folders.iter().any(|folder| {
                let inside = |name: &PathBuf| Path::new(folder).join(name).is_file();
                prelude.names.iter().any(inside)
            })
        }))
    }
}

/// The folders that flags name, and the other flags.
fn apart(flags: &[String]) -> (Vec<String>, Vec<String>) {
    let (mut folders, mut rest) = (Vec::new(), Vec::new());
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "-I" | "-isystem" | "-iquote" | "-idirafter" => folders.extend(flags.next().cloned()),
            _ => rest.push(flag.clone()),
        }
    }
    (folders, rest)
}

fn make(world: &World<'_>, item: &Item, side: Side, view: View) -> Result<Option<Prelude>> {
    let mut commands = [Command::new("g++"), Command::new("g++")];
    for (at, command) in commands.iter_mut().enumerate() {
        command
            .env("LC_ALL", "C")
            .args(["-E", "-dM", "-H", "-w", "-m64", "-x", "c++"]);
        command.args(flags(world, item, side));
        command.args(dialect(world, side, view));
        if at == 1 {
            command.args(["-include", start(side)]);
        }
        command.arg("/dev/null");
    }
    let [mut without, mut with] = commands;
    let without = run(&mut without, world.tools.timeout)?;
    let with = run(&mut with, world.tools.timeout)?;
    if !without.is_good() || !with.is_good() {
        return Ok(None);
    }
    let lines = |out: &[u8]| -> BTreeSet<Vec<u8>> {
        out.split(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let own = lines(&without.out);
    let mut text = Vec::new();
    for line in lines(&with.out).difference(&own) {
        text.extend(line);
        text.push(b'\n');
    }
    let (mut headers, mut names) = (Vec::new(), BTreeSet::new());
    for line in with.err.lines() {
        // `.. /usr/include/features.h`
        let Some((_, path)) = line
            .split_once(' ')
            .filter(|(dots, _)| dots.bytes().all(|byte| byte == b'.') && !dots.is_empty())
        else {
            continue;
        };
        let path = super::files::normal(Path::new(path));
        let parts: Vec<_> = path.components().collect();
        for count in 1..=3 {
            names.insert(parts.iter().rev().take(count).rev().collect());
        }
        headers.extend(world.tools.build.sysroot.header(&path));
    }
    let folder = world.tools.build.shim.join("preludes");
    std::fs::create_dir_all(&folder)?;
    let mut file = tempfile::Builder::new()
        .suffix(".h")
        .tempfile_in(&folder)
        .context("can't make a file for macros")?;
    std::io::Write::write_all(&mut file, &text)?;
    let (_, path) = file.keep()?;
    Ok(Some(Prelude {
        path,
        headers,
        names,
    }))
}
