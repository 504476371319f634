//! The longer help texts: what the tool does, shown by example.

/// What `torchada --help` opens with.
pub(super) const ABOUT: &str = "\
Translate CUDA source trees to Moore Threads MUSA.

torchada reads C++ and CUDA as tokens and syntax, never as lines. It renames the names that MUSA
has, keeps your own, and reports every other place with what to do about it.";

/// Examples across the commands.
pub(super) const EXAMPLES: &str = "\
Examples:
  torchada port ./project                  write ./project_musa
  torchada port ./project --diff | less    look first, write nothing
  torchada check ./project                 what will need work?
  torchada map cudaMalloc cublasSgemm      what are these called in MUSA?
  torchada explain CPP056                  what does this finding mean?

Exit codes: 0 done (findings or not), 1 edits withdrawn or files failed (the rest is written),
2 wrong usage, table or configuration (nothing is written). The help of `check` has its own.";

/// Examples of `server`.
pub(super) const SERVER_EXAMPLES: &str = "\
Editors start this program by themselves: docs/editors.md has the lines for VS Code, Neovim, Helix,
Emacs and Zed. It reads the tree that a file lies in once, and again when something in it is saved;
it writes nothing.";

/// Examples of `port`.
pub(super) const PORT_EXAMPLES: &str = "\
Examples:
  torchada port ./project                       the tree, to ./project_musa
  torchada port . -o ../out                     the tree you are in, to ../out
  torchada port csrc --root .                   a part; the rest of the tree is read
  torchada port kernel.cu                       one file, to kernel.mu beside it
  torchada port - --stdin-path k.cu < k.cu      a filter
  torchada port . --diff | git apply            change a work tree through git
  torchada port . --diff --by-rule              what would happen, rule by rule
  torchada port . -o ../out --watch             again after each change
  torchada port . -o ../out --check             is ../out up to date?
  torchada port . --layout csrc/cuda=csrc/musa  beside the CUDA files; both keep building
  torchada port . --in-place                    in a clean git work tree

In a git work tree the input is what git tracks. Elsewhere the tree's ignore files hold. A second
run over the same OUT replaces what changed and keeps your edits of OUT; --on-conflict says what
happens where both changed the same lines.

Exit codes: 0 written (findings or not), 1 edits withdrawn or files failed (each named; the rest
is written), 2 wrong usage, table or configuration (nothing written). With --check: 0 in step, 1
not (the diff goes to standard output), 2 also where a file could not be looked at.";

/// Examples of `unport`.
pub(super) const UNPORT_EXAMPLES: &str = "\
Examples:
  git -C project_musa diff | torchada unport - --input project | git -C project apply
                                                bring a fix of the port upstream
  torchada unport fix.patch --input project -o fix-cuda.patch

Lines that PATCH does not touch are TREE's own. In lines that it adds, MUSA's names become the CUDA
names that this project used for them, or else those of the tables. The result is ported again, in
memory, and each line whose port differs from PATCH is listed.

Exit codes: 0 the port of the result is the patched port, 1 it differs in the listed lines, 2 wrong
usage, or a patch that can't be read or does not fit the port (nothing is written).";

/// Examples of `learn`.
pub(super) const LEARN_EXAMPLES: &str = "\
Examples:
  torchada learn                                the SDK of this machine, for later runs
  torchada learn --musa-home ./musa_toolkits -o musa-facts.toml
                                                facts to share, or to keep beside a project
  torchada learn --python venv/bin/python       what torch_musa has, too
  torchada port ./project --facts musa-facts.toml

It reads headers, libraries and modules, asks mcc for its version and its help, has the Python that
you name import torch and torch_musa, and starts nothing else. No GPU is needed.

Exit codes: 0 the facts are written, 2 wrong usage, or no SDK there (nothing is written). What
could not be read is listed, and stands in the facts under `unread`.";

/// Examples of `check`.
pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  torchada check ./project                      every finding, with its source
  torchada check                                the configuration's `paths`, or the current folder
  torchada check . --format concise             a line each, for editors and CI logs
  torchada check kernel.cu                      one file, seen alone
  torchada check kernel.cu --root .             one file, with the facts of its tree
  torchada check . --select CPP --ignore CPP003 some codes only
  torchada check . --fail-on warning            be strict
  torchada check . --format json > report.json  the report of the port
  torchada check . --packages                   packages for NVIDIA's GPUs, and what needs them
  torchada check . --since main                 only what a change touches
  torchada check . --baseline known.json --update-baseline
                                                accept what is found today …
  torchada check . --baseline known.json --fail-on note
                                                … and fail on anything new

`// torchada: ignore[CODE]` (`#` in Python) hides a finding, on its line or on a line of its own
before it, as `[per-file-ignores]` in the configuration does for whole files.

Exit codes: 0 no findings from --fail-on up, 1 findings from --fail-on up, 2 wrong usage, table or
configuration, or a file that could not be looked at.";

/// Examples of `report`.
pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  torchada report project_musa -o port.html              the report that a port left in its output
  torchada check . --format json > report.json
  torchada report report.json -o port.html               of a check
  torchada report report.json --since last-week.json -o port.html
                                                         and what changed since

The page needs no network and no other file. Exit codes: 0 done, 2 wrong usage, or a file that is
no report.";

/// Examples of `explain`.
pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  torchada explain CPP002                 the meaning, an example, what to do
  torchada explain CPP002 PY020           several
  torchada rules                          all codes

Exit codes: 0 explained, 1 a code that no finding and no check has.";

/// Examples of `explain-log`.
pub(super) const EXPLAIN_LOG_EXAMPLES: &str = "\
Examples:
  make -j8 2>&1 | torchada explain-log - --port ../project_musa
  torchada explain-log build.log --port ../project_musa --format json

The log is what compilers, linkers, make, ninja, CMake, setuptools and Python print, in English.
Each place in the port is led back to the original, by the map that `port` leaves in
DIR/.torchada.

Exit codes: 0 no message that stops a build, 1 there are, 2 wrong usage, or DIR is no port.";

/// Examples of `build`.
pub(super) const BUILD_EXAMPLES: &str = "\
Examples:
  torchada build -- make -j8                        in the port's folder
  torchada build --port ../project_musa -- cmake --build build
  torchada build --format sarif -o build.sarif -- pip install -v .

What the command prints goes where it belongs, as it comes; what it means follows on standard
error, or goes to FILE. It has the terminal's input and its signals.

Exit codes: those of the command, 128 and the number of a signal that ended it; 2 also if it could
not be started, or DIR is no port.";

/// Examples of `rules`.
pub(super) const RULES_EXAMPLES: &str = "\
Examples:
  torchada rules                          a line for each code: its severity and meaning
  torchada rules --json                   the same for programs
  torchada explain CPP002                 more about one of them

CPP is about C++ and CUDA, PY about Python, BLD about build files, PRJ about files and folders.";

/// Examples of `map`.
pub(super) const MAP_EXAMPLES: &str = "\
Examples:
  torchada map cudaMalloc                 its counterpart, and how sure that is
  torchada map cublasSgemm --json         the same for programs
  torchada map aten::_int_mm              what torch_musa has of an operator of PyTorch's
  torchada map torch.linalg.svd           the same for a function, and the operators that it ends in
  torchada map --list                     the libraries of the tables
  torchada map --list nccl                every row of one library
  torchada map cudaX --sdk 4.2.0          as an older SDK has it
  torchada map cudaX --facts facts.toml   as one SDK has it, and what the tables say besides
  torchada map --conflicts                where the tables and your SDK disagree

Exit codes: 0 answered, 1 a name that no table has, 2 wrong usage, or a fault in a table.";

/// Examples of `config`.
pub(super) const CONFIG_EXAMPLES: &str = "\
Examples:
  torchada config                         the settings for the current folder
  torchada config csrc/k.cu               for a file: the nearest configuration upwards
  torchada config . --sdk 4.2.0           the settings of a port with this option
  torchada config --format json           the same for programs

The output is a configuration file. Behind each value stands its origin: a line of a file, the
command line, or the default. docs/cli.md explains the keys.

Exit codes: 0 shown, 2 wrong usage, or a fault in the configuration, with its place.";

/// Examples of `generate`.
pub(super) const GENERATE_EXAMPLES: &str = "\
Examples:
  torchada generate completions bash > ~/.local/share/bash-completion/completions/torchada
  torchada generate completions zsh > \"${fpath[1]}/_torchada\"
  torchada generate man ~/.local/share/man/man1
  torchada generate schema > torchada.schema.json

With `#:schema torchada.schema.json` as the first line of torchada.toml, editors with taplo (Even
Better TOML) complete and check it.";

/// Examples of `alias-header`.
pub(super) const ALIAS_HEADER_EXAMPLES: &str = "\
Examples:
  torchada alias-header ./project > musa_alias.h     the names that its C++ uses
  torchada alias-header . -o src/vendors/musa.h      written anew each time
  torchada alias-header . --min-evidence table       without what only a rule supports

If the tree has such a header already, the lines that it lacks are printed. Names that no macro
can translate, or that have no counterpart, are listed at the end of the header, and with their
places on standard error. docs/alias-header.md explains how a build uses the header.

Exit codes: 0 done, 2 wrong usage, table, configuration or file.";

/// Examples of `shim`.
pub(super) const SHIM_EXAMPLES: &str = "\
Examples:
  torchada shim ../shim                                 headers under MUSA's names
  g++ -I../shim -I$CUDA/include -include musa_runtime.h -x c++ -E k.mu

Each header includes CUDA's header of the same meaning and gives MUSA's names their CUDA names, so
that a compiler for CUDA reads a port as it reads the original. A name that MUSA lacks, or of which
nothing is known, gets no alias: its use fails. docs/compile-check.md explains the purpose.

Exit codes: 0 written, 2 wrong usage, a table, or the folder is at fault (nothing written).";

/// Examples of `doctor`.
pub(super) const DOCTOR_EXAMPLES: &str = "\
Examples:
  torchada doctor                         is this machine ready for MUSA?
  torchada doctor ./project               and for this project?
  torchada doctor --full                  try the device, too
  torchada doctor --python venv/bin/python --musa-home /opt/musa-5.2.0
  torchada doctor --skip DOC001,DOC002    on a machine that only builds
  torchada explain DOC020                 more about one of the checks

A check is ok, warns, fails, or is skipped with a reason; what is not ok says what to do. It asks
the driver's program, mcc and Python what they are, and changes nothing.

Exit codes: 0 nothing failed, 1 something did, 2 wrong usage.";

/// Examples of `info`.
pub(super) const INFO_EXAMPLES: &str = "\
Examples:
  torchada info                           what a report of a bug needs
  torchada info --json                    the same for programs

It names versions and paths, and nothing else of the machine.";

/// Examples of `run`.
pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  torchada run train.py --epochs 3        on MUSA where torch_musa is, else tried out on the CPU
  torchada run --device cpu train.py      tried out on the CPU
  torchada run -m package.train           as `python -m`; -c and - as well
  torchada run torchrun --nproc-per-node 2 train.py
                                          a program of this Python's; its processes are served, too
  torchada run --report train.py          what was redirected, from which lines, and what MUSA lacks
  torchada run --report=run.json --json train.py
                                          the same for programs, in a file
  torchada run --python venv/bin/python pytest tests

The program is not changed. Python and its children get the package for run time before their first
import of torch; docs/run.md says how, and what the try-out is and is not.

Exit codes: the program's own, for it takes this process's place; 2 where it can't be started.";

/// Examples of `verify`.
pub(super) const VERIFY_EXAMPLES: &str = "\
Examples:
  torchada verify --help                  all that it takes
  torchada verify                         every operator for which PyTorch has samples

`--python`, if it is given, comes first. Everything else is for the package's own command, which
`python -m torchada verify` starts as well.";

/// Examples of `bench`.
pub(super) const BENCH_EXAMPLES: &str = "\
Examples:
  torchada bench overhead                 what each patched call costs
  torchada bench ops add softmax          how long operators take on the device
  torchada bench overhead --help          all that it takes

`--python`, if it is given, comes first. Everything else is for the package's own command, which
`python -m torchada bench` starts as well.";
