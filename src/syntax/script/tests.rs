use super::*;

/// Each statement as a line: its kind, its head, its words.
fn shown(text: &str, notation: Notation<'_>) -> Vec<String> {
    let bytes = text.as_bytes();
    let of = |range: TextRange| String::from_utf8_lossy(range.of(bytes)).into_owned();
    let found = statements(bytes, notation);
    let line = |one: &Statement| {
        let words: Vec<String> = one.words.iter().map(|word| of(word.range)).collect();
        format!("{:?} {}: {}", one.kind, of(one.head), words.join(" | "))
    };
    found.iter().map(line).collect()
}

#[test]
fn a_script_is_taken_apart() {
    assert_eq!(
        shown(
            "A=1 B=\"x y\" nvcc -o \"$OUT\" k.cu && echo 'nvcc done' # nvcc\n",
            Notation::Shell
        ),
        [
            "Assignment A: 1",
            "Assignment B: x | y",
            "Command nvcc: nvcc | -o | \"$OUT\" | k.cu",
            "Command echo: echo | 'nvcc done'",
        ]
    );
    assert_eq!(
        shown(
            "if [ -d \"${CUDA_HOME:-/usr/local/cuda}\" ]; then v=$(nvcc --version | head); fi",
            Notation::Shell
        ),
        [
            "Command [: [ | -d | \"${CUDA_HOME:-/usr/local/cuda}\" | ]",
            "Default CUDA_HOME: /usr/local/cuda",
            "Assignment v: $(nvcc --version | head)",
            "Command nvcc: nvcc | --version",
            "Command head: head",
            "Command fi: fi",
        ]
    );
    assert_eq!(
        shown(
            "cat <<EOF\nnvcc $X\nEOF\nnvcc a.cu \\\n  -o a\n",
            Notation::Shell
        ),
        [
            "Command cat: cat",
            "Document cat: nvcc $X\n",
            "Command nvcc: nvcc | a.cu | -o | a",
        ]
    );
    assert_eq!(
        shown("bash -c \"nvcc a.cu\"\nX=(a \"b c\")\n", Notation::Shell),
        [
            "Command bash: bash | -c",
            "Command nvcc: nvcc | a.cu",
            "Assignment X: a | b | c"
        ]
    );
}

#[test]
fn a_makefile_is_taken_apart() {
    assert_eq!(
        shown(
            "NVCC ?= $(CUDA_HOME)/bin/nvcc # the compiler\nifeq ($(USE_HIP),1)\nL := -lhip\nelse\nL += -lcudart \\\n  -lm\nendif\n\
             all: a.o\n\t@echo nvcc\n\t$(NVCC) -c $< -o $@\n$(info found nvcc)\nV := $(shell nvcc -V)\nt: X = 1\n\
             $(foreach s,$(SMS),$(eval F += -gencode arch=compute_$(s),code=sm_$(s)))\nW := $(call f,a,b)\n",
            Notation::Make
        ),
        [
            "Assignment NVCC: $(CUDA_HOME)/bin/nvcc",
            "Condition ifeq: ($(USE_HIP) | 1)",
            "Assignment L: -lhip",
            "Assignment L: -lcudart | -lm",
            "Rule : all: | a.o",
            "Command echo: echo | nvcc",
            "Command $(NVCC): $(NVCC) | -c | $< | -o | $@",
            "Call : $(info found nvcc)",
            "Call info: found | nvcc",
            "Assignment V: $(shell nvcc -V)",
            "Command nvcc: nvcc | -V",
            "Assignment X: 1",
            // The last argument of a function goes on behind further commas, as far as the function takes no more.
            "Call : $(foreach s,$(SMS),$(eval F += -gencode arch=compute_$(s),code=sm_$(s)))",
            "Call foreach: s | $(SMS) | $(eval F += -gencode arch=compute_$(s),code=sm_$(s))",
            "Call eval: F | += | -gencode | arch=compute_$(s),code=sm_$(s)",
            "Assignment W: $(call f,a,b)",
            "Call call: f | a | b",
        ]
    );
}

#[test]
fn images_and_pipelines_are_taken_apart() {
    let names = ["run".to_owned(), "env".to_owned()];
    let (scripts, variables) = names.split_at(1);
    let pipeline = Notation::Pipeline(PipelineKeys { scripts, variables });
    assert_eq!(
        shown(
            "FROM nvidia/cuda:12 AS b\nENV CUDA_HOME=/usr/local/cuda A=1\nENV P /x:$P\nRUN --mount=type=x a && \\\n  # no\n  nvcc b\n",
            Notation::Docker
        ),
        [
            "Instruction FROM: nvidia/cuda:12 | AS | b",
            "Assignment CUDA_HOME: /usr/local/cuda",
            "Assignment A: 1",
            "Assignment P: /x:$P",
            "Instruction --mount=type=x: ",
            "Command a: a",
            "Command nvcc: nvcc | b",
        ]
    );
    assert_eq!(
        shown(
            "env:\n  CUDA_HOME: /c\njobs:\n  a:\n    steps:\n      - name: Build nvcc\n        run: |\n          nvcc a.cu\n      - run: make\n",
            pipeline
        ),
        [
            "Entry env: ",
            "Assignment CUDA_HOME: /c",
            "Entry jobs: ",
            "Entry a: ",
            "Entry steps: ",
            "Entry name: Build | nvcc",
            "Command nvcc: nvcc | a.cu",
            "Command make: make",
        ]
    );
}

#[test]
fn what_goes_into_a_file_says_so() {
    let into = |text: &str| -> Vec<String> {
        let bytes = text.as_bytes();
        let found = statements(bytes, Notation::Shell);
        let targets = found.iter().filter_map(|one| one.into);
        let shown = |range: TextRange| String::from_utf8_lossy(range.of(bytes)).into_owned();
        targets.map(shown).collect()
    };
    assert_eq!(into("echo a >> \"$F\"\necho b"), ["$F"]);
    assert_eq!(
        into("cat > f.sh <<EOF\nx\nEOF\ncat <<EOF > g\ny\nEOF\n"),
        ["f.sh", "f.sh", "g", "g"]
    );
    assert_eq!(
        into("echo a | sudo tee -a \"$F\" && echo b | tee g\necho c || tee h\ncat x; tee i"),
        ["$F", "g"]
    );
    assert!(into("echo a >&2; echo b > /dev/null; run 2> errors.log").is_empty());
}
