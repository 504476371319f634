//! What somebody may plant in a tree, in the port that comes with it, and in its `.git`.

use std::fs;
use std::sync::LazyLock;

use lz4_flex::block::compress_prepend_size;

use super::world::World;
use crate::common::trees::git;

/// One plant: its name, and what it does to a world.
pub(crate) type Plant = (String, Box<dyn Fn(&World) + Sync>);

fn plant(name: impl Into<String>, does: impl Fn(&World) + Sync + 'static) -> Plant {
    (name.into(), Box::new(does))
}

/// Paths that lead to where no run may write, as JSON.
fn places(world: &World) -> Vec<(&'static str, String)> {
    let absolute = world.at("home/.bashrc");
    vec![
        ("up", r#""../home/.bashrc""#.to_owned()),
        ("around", r#""src/../../home/.bashrc""#.to_owned()),
        ("absolute", format!("{:?}", absolute.display().to_string())),
        (
            "hexadecimal",
            r#"{"hex":"2e2e2f686f6d652f2e626173687263"}"#.to_owned(),
        ),
        ("hook", r#"".git/hooks/post-index-change""#.to_owned()),
        ("case", r#"".GIT/hooks/post-index-change""#.to_owned()),
        ("state", r#"".torchada/manifest.json""#.to_owned()),
        ("null", r#""a\u0000b""#.to_owned()),
    ]
}

/// Journals as programs before wrote them: of both kinds, in the port and in the tree.
pub(crate) fn journals() -> Vec<Plant> {
    let mut plants = Vec::new();
    for kind in ["update", "in-place"] {
        for at in 0..8 {
            for what in ["put", "remove", "from", "mode"] {
                let does = move |world: &World| {
                    let (_, place) = &places(world)[at];
                    let hash = blake3::hash(b"mine\n").to_hex();
                    let row = format!(r#"{{"path":{place},"blake3":"{hash}","mode":"4777"}}"#);
                    let other = format!(r#"{{"path":"k.mu","blake3":"{hash}"}}"#);
                    let (puts, removes, modes) = match what {
                        "put" => (format!(r#"{{"new":{row}}}"#), String::new(), String::new()),
                        "from" => (
                            format!(r#"{{"new":{other},"from":{row}}}"#),
                            String::new(),
                            String::new(),
                        ),
                        "remove" => (String::new(), row, String::new()),
                        _ => (String::new(), String::new(), row),
                    };
                    let journal = format!(
                        r#"{{"schema_version":1,"kind":"{kind}","puts":[{puts}],"removes":[{removes}],"modes":[{modes}]}}"#
                    );
                    for folder in ["p", "m"] {
                        world.put(&format!("{folder}/.torchada/pending.json"), &journal);
                        world.put(&format!("{folder}/.torchada/tmp/0"), "mine\n");
                        world.put(&format!("{folder}/.torchada/tmp/manifest.json"), "{}");
                    }
                };
                plants.push(plant(format!("journal {kind} {what} {at}"), does));
            }
        }
    }
    plants
}

/// Manifests with rows that lead elsewhere, or are damaged.
pub(crate) fn manifests() -> Vec<Plant> {
    let mut plants = Vec::new();
    let hash = blake3::hash(b"mine\n").to_hex().to_string();
    for at in 0..8 {
        let hash = hash.clone();
        plants.push(plant(format!("manifest row {at}"), move |world: &World| {
            let (_, place) = &places(world)[at];
            add_row(world, &format!(r#"{{"path":{place},"blake3":"{hash}"}}"#));
        }));
    }
    for row in [
        r#"{"path":"k.mu","blake3":"00","mode":"4755"}"#,
        r#"{"path":"k.mu","source":"../p/k.cu","link":"../home/.bashrc"}"#,
        r#"{"path":"x","link":"y","beside":"../home/.bashrc"}"#,
        r#"{"path":"x"}"#,
        r#"{"path":"x","link":{"hex":"zz"}}"#,
    ] {
        plants.push(plant(format!("manifest {row}"), move |world: &World| {
            add_row(world, row);
        }));
    }
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    plants.push(plant("manifest, deep", move |world: &World| {
        world.put("m/.torchada/manifest.json", &deep);
    }));
    plants
}

fn add_row(world: &World, row: &str) {
    let path = world.at("m/.torchada/manifest.json");
    let text = fs::read_to_string(&path).expect("a manifest");
    let text = text.replacen("\"files\": [", &format!("\"files\": [\n{row},"), 1);
    fs::write(path, text).expect("written");
}

/// The files of the program's own, and those that it reads of a tree: each as a pipe, a link to what never ends, a
/// link out, and a file that claims three gigabytes.
pub(crate) fn kinds() -> Vec<Plant> {
    const READ: [&str; 17] = [
        "m/.torchada/pending.json",
        "m/.torchada/manifest.json",
        "m/.torchada/report.json",
        "m/.torchada/map.pack",
        "m/.torchada/cache",
        "m/.torchada/cache/last",
        "m/.torchada/cache/translations",
        "m/.torchada/bases",
        "m/.torchada/tmp",
        "m/.torchada",
        "m/k.mu",
        "m/src",
        "p/torchada.toml",
        "p/pyproject.toml",
        "p/.gitignore",
        "p/torchada/_tables.py",
        "p/known.json",
    ];
    let mut plants = Vec::new();
    for path in READ {
        plants.push(plant(format!("{path}, a pipe"), move |world: &World| {
            world.pipe(path);
        }));
        plants.push(plant(format!("{path}, endless"), move |world: &World| {
            world.link(path, "/dev/zero");
        }));
        plants.push(plant(
            format!("{path}, a link out"),
            move |world: &World| {
                world.link(path, &world.at("outside").display().to_string());
            },
        ));
        plants.push(plant(format!("{path}, hollow"), move |world: &World| {
            world.hollow(path, 3 << 30);
        }));
    }
    plants.push(plant("the output, a link out", |world: &World| {
        let outside = world.at("outside").display().to_string();
        world.link("m", &outside);
    }));
    plants.push(plant("all packs, hollow", |world: &World| {
        for number in 0..=255 {
            world.hollow(&format!("m/.torchada/bases/{number:02x}.pack"), 1 << 30);
        }
        edit(world);
    }));
    plants.push(plant(
        "a text of each pack grows to two gigabytes",
        |world: &World| {
            for number in 0..=255 {
                let path = world.at(&format!("m/.torchada/bases/{number:02x}.pack"));
                if let Ok(pack) = fs::read(&path) {
                    let length = growing().len() as u32;
                    let head = before_text(&pack);
                    fs::write(path, [head, &length.to_le_bytes(), growing()].concat())
                        .expect("written");
                }
            }
            edit(world);
        },
    ));
    plants.push(plant(
        "the cache grows to two gigabytes",
        |world: &World| {
            for name in ["last", "translations"] {
                let path = world.at(&format!("m/.torchada/cache/{name}"));
                let bytes = fs::read(&path).unwrap_or_default();
                let head = bytes.get(..200).unwrap_or(&bytes);
                fs::write(path, [head, growing()].concat()).expect("written");
            }
        },
    ));
    plants.push(plant("a source of three gigabytes", |world: &World| {
        world.hollow("p/large.cu", 3 << 30);
        git(&world.at("p"), &["add", "--intent-to-add", "large.cu"]);
        fs::remove_file(world.at("p/large.cu")).expect("removed");
    }));
    plants
}

/// Eight megabytes that become two gigabytes where they are decompressed.
fn growing() -> &'static [u8] {
    static GROWING: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let block = compress_prepend_size(&vec![0; 1 << 20]);
        let length = block.len() as u32;
        [&length.to_le_bytes()[..], &block].concat().repeat(2 << 10)
    });
    &GROWING
}

/// The bytes of a pack before the length of its first text: the line of its form, and the length of a path, the path
/// and a hash.
fn before_text(pack: &[u8]) -> &[u8] {
    let line = b"torchada bases 3\n\0".len();
    let length = pack[line..].first_chunk().expect("a length");
    &pack[..line + 4 + u32::from_le_bytes(*length) as usize + 32]
}

/// Somebody's edit of the port: the next port needs the text that the last one wrote.
fn edit(world: &World) {
    let path = world.at("m/k.mu");
    let text = fs::read_to_string(&path).expect("there");
    fs::write(path, format!("// mine\n{text}")).expect("written");
}

/// Configurations that would lead a run elsewhere.
pub(crate) fn configurations() -> Vec<Plant> {
    const LINES: [&str; 16] = [
        "layout = { \"src\" = \".git/hooks\" }",
        "layout = { \"src\" = \".GIT/hooks\" }",
        "layout = { \"src\" = \".torchada/x\" }",
        "layout = { \"src\" = \"../outside\" }",
        "layout = { \"src\" = \"/tmp/planted-elsewhere\" }",
        "layout = { \"src\" = \"out\" }",
        "layout = { \"src\" = \"hooks\" }",
        "layout = { \"src\" = \"venv/bin\" }",
        "layout = { \"src\" = \"lib/site-packages\" }",
        "layout = { \"src\" = \".github/workflows\" }",
        "layout = { \"../outside\" = \"new\" }",
        "mapping = [\"../outside/known\"]",
        "mapping = [\"/dev/zero\"]",
        "include-roots = [\"../outside\"]",
        "paths = [\"../outside\"]",
        "paths = [\"/etc\"]",
    ];
    let lines = LINES.into_iter();
    let one = |line: &'static str| {
        plant(line, move |world: &World| {
            world.link("p/out", &world.at("outside").display().to_string());
            world.link("p/hooks", ".git/hooks");
            world.put("p/venv/pyvenv.cfg", "");
            world.put("p/torchada.toml", line);
            git(&world.at("p"), &["add", "--all", "--force"]);
            git(&world.at("p"), &["commit", "--quiet", "-m", "configured"]);
        })
    };
    lines.map(one).collect()
}

/// Repositories whose configuration, hooks and objects would make git run something, or wait.
pub(crate) fn repositories() -> Vec<Plant> {
    const SET: [&str; 14] = [
        "core.fsmonitor",
        "core.sshCommand",
        "core.pager",
        "core.editor",
        "core.askPass",
        "core.gitProxy",
        "core.alternateRefsCommand",
        "diff.external",
        "diff.x.command",
        "diff.x.textconv",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "alias.ls-files",
    ];
    const HOOKS: [&str; 5] = [
        "post-index-change",
        "fsmonitor-watchman",
        "reference-transaction",
        "post-checkout",
        "query-watchman",
    ];
    let mut plants = Vec::new();
    for key in SET {
        plants.push(plant(key, move |world: &World| {
            let program = world.program("p/.git/planted");
            world.put("p/.git/info/attributes", "* filter=x diff=x\n");
            git(&world.at("p"), &["config", key, &program]);
            touch(world);
        }));
    }
    for hook in HOOKS {
        plants.push(plant(hook, move |world: &World| {
            world.program(&format!("p/.git/hooks/{hook}"));
            git(&world.at("p"), &["config", "core.fsmonitor", "true"]);
            touch(world);
        }));
    }
    plants.push(plant("lazy fetch", |world: &World| {
        let tree = world.at("p");
        let program = world.program("p/.git/planted");
        for (key, value) in [
            ("core.repositoryformatversion", "1"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.url", "ssh://nowhere/x"),
            ("remote.origin.promisor", "true"),
            ("core.sshCommand", program.as_str()),
        ] {
            git(&tree, &["config", key, value]);
        }
        // The objects of all files are missing.
        for entry in walkdir::WalkDir::new(tree.join(".git/objects")).min_depth(2) {
            let entry = entry.expect("readable");
            let bytes = fs::read(entry.path()).unwrap_or_default();
            if entry.file_type().is_file() && bytes.len() < 150 {
                fs::remove_file(entry.path()).expect("removed");
            }
        }
        touch(world);
    }));
    plants.push(plant("another work tree", |world: &World| {
        let outside = world.at("outside").display().to_string();
        git(&world.at("p"), &["config", "core.worktree", &outside]);
    }));
    plants.push(plant("a .git that is elsewhere", |world: &World| {
        let own = world.at("p/.git");
        fs::rename(own, world.at("p/gitdir")).expect("moved");
        world.put("p/.git", "gitdir: gitdir\n");
    }));
    plants.push(plant("an index that leads out", leading_out));
    for name in ["config", "HEAD", "index", "packed-refs"] {
        plants.push(plant(
            format!(".git/{name}, a pipe"),
            move |world: &World| {
                world.pipe(&format!("p/.git/{name}"));
            },
        ));
        plants.push(plant(
            format!(".git/{name}, endless"),
            move |world: &World| {
                world.link(&format!("p/.git/{name}"), "/dev/zero");
            },
        ));
        plants.push(plant(format!(".git/{name}, huge"), move |world: &World| {
            world.hollow(&format!("p/.git/{name}"), 8 << 30);
        }));
    }
    plants
}

/// Git compares a file whose time is new by its content.
fn touch(world: &World) {
    let path = world.at("p/src/a.cu");
    let text = fs::read(&path).expect("there");
    fs::write(path, text).expect("written");
}

/// Give a path in the index another of the same length, with the checksum that belongs to it.
fn leading_out(world: &World) {
    use sha1::{Digest, Sha1};
    world.put("p/zz/zzzzzzz/known", "known\n");
    git(&world.at("p"), &["add", "--all"]);
    git(&world.at("p"), &["commit", "--quiet", "-m", "three"]);
    let path = world.at("p/.git/index");
    let mut bytes = fs::read(&path).expect("an index");
    let (from, to) = (b"zz/zzzzzzz/known", b"../outside/known");
    let at = bytes.windows(from.len()).position(|part| part == from);
    let at = at.expect("the path");
    bytes[at..at + to.len()].copy_from_slice(to);
    let end = bytes.len() - 20;
    let sum = Sha1::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&sum);
    fs::write(path, bytes).expect("written");
}
