//! The longer help texts: what the tool does, shown by example.

/// What `torchada --help` opens with.
pub(super) const ABOUT: &str = "\
Translate CUDA source trees to Moore Threads MUSA.

torchada reads C++ and CUDA as tokens and syntax, never as lines: it renames what MUSA has, keeps
what is yours, and says of everything else where it stands and what to do about it.";

/// Examples across the commands.
pub(super) const EXAMPLES: &str = "\
Examples:
  torchada port ./project                  write ./project_musa
  torchada port ./project --diff | less    look first, write nothing
  torchada check ./project                 what will need work?
  torchada map cudaMalloc cublasSgemm      what are these called in MUSA?

Exit codes: 0 done (findings or not), 1 edits withdrawn or files failed (the rest is written),
2 wrong usage, table or configuration (nothing is written). `check` has its own: see its help.";

/// Examples of `port`.
pub(super) const PORT_EXAMPLES: &str = "\
Examples:
  torchada port ./project                       the tree, to ./project_musa
  torchada port . -o ../out                     the tree you are in, to ../out
  torchada port csrc --root .                   a part; what names it from outside is found
  torchada port kernel.cu                       one file, to kernel.mu beside it
  torchada port - --stdin-path k.cu < k.cu      a filter
  torchada port . --diff | git apply            change a work tree through git
  torchada port . --diff --by-rule              what would happen, rule by rule
  torchada port . --layout csrc/cuda=csrc/musa  beside the CUDA files; both keep building
  torchada port . --in-place                    in a clean git work tree

In a git work tree the input is what git tracks. Elsewhere the tree's ignore files hold.
A second run over the same OUT replaces what changed; it stops, before it writes anything, at a
file that somebody has edited since.

Exit codes: 0 written (findings or not), 1 edits withdrawn or files failed (each named; the rest
is written), 2 wrong usage, table or configuration (nothing written).";

/// Examples of `check`.
pub(super) const CHECK_EXAMPLES: &str = "\
Examples:
  torchada check ./project                      every finding, with its source
  torchada check . --format concise             a line each, for editors and CI logs
  torchada check kernel.cu                      one file, seen alone
  torchada check kernel.cu --root .             one file, with what its tree knows
  torchada check . --select CPP --ignore CPP003 some codes only
  torchada check . --fail-on warning            be strict
  torchada check . --format json > report.json  the report of the port
  torchada check . --since main                 only what a change touches
  torchada check . --baseline known.json --update-baseline
                                                accept what is found today …
  torchada check . --baseline known.json --fail-on note
                                                … and fail on anything new

A finding is hidden by `// torchada: ignore[CODE]` on its line or on a line of its own before it.

Exit codes: 0 no finding of weight, 1 findings from --fail-on up, 2 wrong usage, table or
configuration, or a file that could not be looked at.";

/// Examples of `explain`.
pub(super) const EXPLAIN_EXAMPLES: &str = "\
Examples:
  torchada explain CPP002                 what it means, an example, what to do
  torchada rules                          all codes";

/// Examples of `map`.
pub(super) const MAP_EXAMPLES: &str = "\
Examples:
  torchada map cudaMalloc                 its counterpart, and how sure that is
  torchada map cublasSgemm --json         the same for programs
  torchada map --list                     the libraries of the tables
  torchada map --list nccl                every row of one library";

/// Examples of `generate`.
pub(super) const GENERATE_EXAMPLES: &str = "\
Examples:
  torchada generate completions bash > ~/.local/share/bash-completion/completions/torchada
  torchada generate completions zsh > \"${fpath[1]}/_torchada\"
  torchada generate man ~/.local/share/man/man1";

/// Examples of `shim`.
pub(super) const SHIM_EXAMPLES: &str = "\
Examples:
  torchada shim ../shim                                 headers under MUSA's names
  g++ -I../shim -I$CUDA/include -include musa_runtime.h -x c++ -E k.mu

Each header includes CUDA's header of the same meaning and gives MUSA's names their CUDA names, so
that a compiler for CUDA reads a port as it reads the original. A name that MUSA lacks, or of which
nothing is known, gets no alias: its use fails. docs/compile-check.md says what that is good for.

Exit codes: 0 written, 2 wrong usage, a table, or the folder is at fault (nothing written).";
