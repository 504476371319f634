//! `torchada doctor` and `torchada info`, on machines that the tests make: folders and small scripts.

mod machine;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use machine::TestMachine;
use serde_json::{Value, json};
use torchada::cli::Exit;
use torchada::files::OwnState;
use torchada::machine::{Environment, sdk};
use torchada::mapping::Tables;
use torchada::mapping::doctor::DoctorTable;

fn installed() -> Value {
    json!({
        "version": "3.10.12",
        "executable": "/usr/bin/python3",
        "places": {"torch": "/site/torch/__init__.py", "torch_musa": "/site/torch_musa/__init__.py", "torchada": null},
        "distributions": {"torch": "2.9.1", "torch_musa": "2.9.1", "numpy": "1.26.4"},
        "starters": {},
    })
}

fn imported() -> Value {
    json!({
        "torch": {"version": "2.9.1", "cuda": null, "place": "/site/torch/__init__.py"},
        "torch_musa": {"version": "2.9.1", "place": "/site/torch_musa/__init__.py", "devices": ["MTT S5000", "MTT S5000"]},
    })
}

/// The state of a check, by its code.
fn state(machine: &TestMachine, code: &str) -> String {
    let (out, _) = machine.run(&["doctor", "--json"]);
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    let checks = answer["checks"].as_array().expect("a list").iter();
    let mut own = checks.filter(|check| check["code"] == code);
    let state = own.next().expect("the check is there")["state"].as_str();
    state.expect("a word").to_owned()
}

#[test]
fn a_machine_on_which_all_is_well() {
    let (out, exit) = TestMachine::whole().run(&["doctor"]);
    insta::assert_snapshot!(out, @r#"
    ok      DOC001  driver            mthreads-gmi answers, driver 3.3.5, 2 devices: MTT S5000
    ok      DOC002  device nodes      /dev/mtgpu0, mtgpu1

    ok      DOC010  MUSA SDK          5.1.0 in ROOT/usr/local/musa (the SDK of ROOT/usr/local/musa/bin/mcc), by version.json: musa_toolkits.version
    ok      DOC011  parts of the SDK  all 7 are there
    ok      DOC012  mcc               mcc version 5.1.0 (made for tests)
    ok      DOC013  mcc on the PATH   ROOT/usr/local/musa/bin/mcc
    ok      DOC020  libraries         ROOT/usr/local/musa/lib/libmusart.so, and 2 more
    warning DOC030  facts             nothing was learned of this SDK as it is now
            → Run `torchada learn`: `port` and `check` then know of each name whether this SDK has it.

    ok      DOC040  Python            3.10.12 in ROOT/bin/python3
    ok      DOC041  torch             2.9.1
    ok      DOC042  torch_musa        2.9.1, sees 2 × MTT S5000
    ok      DOC043  versions fit      by github.com/MooreThreads/torch_musa/releases/tag/v2.9.1
    ok      DOC044  builds for CUDA   none of 3 packages
    skipped DOC045  package torchada  it is not installed there: a port of a tree brings its own

    ok      DOC050  variables         none contradicts another

    13 ok, 1 warning, 1 skipped
    "#);
    assert_eq!(exit, Exit::Done);
}

#[test]
fn a_machine_with_nothing_on_it() {
    let machine = TestMachine::new().set("PATH", "");
    let (out, exit) = machine.run(&["doctor"]);
    insta::assert_snapshot!(out, @r#"
    failed  DOC001  driver            there is no mthreads-gmi or mthreads-smi on the PATH
            → Install MUSA's driver and see that `mthreads-gmi` lists the GPUs; in a container, start it
              with MT Container Toolkit (`-e MTHREADS_VISIBLE_DEVICES=all`), or map the program and the
              devices into it.
    failed  DOC002  device nodes      there is no /dev/mtgpu*
            → Without nodes the kernel module `mtgpu` is not loaded, or the container was started
              without `--device /dev/mtgpu0 --device /dev/dri`. A node that can't be opened belongs to a
              group that you have to join (`ls -l /dev/mtgpu*`).

    failed  DOC010  MUSA SDK          no SDK in ROOT/usr/local/musa (a usual place)
            → Install the MUSA SDK, or set MUSA_HOME to its folder (`export MUSA_HOME=/usr/local/musa`).
    skipped DOC011  parts of the SDK  there is no SDK
    skipped DOC012  mcc               there is no SDK with an mcc
    skipped DOC013  mcc on the PATH   there is no mcc
    failed  DOC020  libraries         libmusa.so is not found: the driver's library
            → Name the folder to the loader: `export LD_LIBRARY_PATH=$MUSA_HOME/lib:$LD_LIBRARY_PATH`,
              or a file in /etc/ld.so.conf.d and then `ldconfig`. libmusa.so comes with the driver: a
              container gets it from MT Container Toolkit, or by a mount.
    skipped DOC030  facts             there is no SDK

    failed  DOC040  Python            there is none on the PATH
            → Name it with `--python`, or activate the environment that has torch.
    skipped DOC041  torch             there is no Python
    skipped DOC042  torch_musa        there is no Python
    skipped DOC043  versions fit      there is no torch_musa
    skipped DOC044  builds for CUDA   there is no Python
    skipped DOC045  package torchada  there is no Python

    ok      DOC050  variables         none contradicts another

    1 ok, 5 failed, 9 skipped
    "#);
    assert_eq!(exit, Exit::Found);
    let (_, exit) = machine.run(&["doctor", "--skip", "DOC00,doc01,DOC02,DOC04"]);
    assert_eq!(exit, Exit::Done);
}

/// Two SDKs, variables of both platforms, builds for CUDA, and a torch that does not fit.
#[test]
fn a_machine_that_contradicts_itself() {
    let machine = TestMachine::whole();
    machine.files(&[
        ("old/include/musa.h", "#define MUSA_VERSION 11080\n"),
        ("old/include/musa_runtime.h", ""),
        ("old/lib/libmusart.so", ""),
        ("site/torchada/__init__.py", ""),
        ("site/torchada/_patch.py", ""),
    ]);
    machine.program(
        "old/bin/mcc",
        "echo 'mcc: error: no libmusart.so' >&2; exit 127",
    );
    let mut installed = installed();
    installed["places"]["torchada"] = json!(machine.at("site/torchada/__init__.py"));
    installed["distributions"] = json!({
        "torch": "2.7.0+cu126", "torch_musa": "2.7.1", "cupy-cuda12x": "13.4.1", "flash-attn": "2.8.0+cu12torch2.7",
        "nvidia-cublas-cu12": "12.6.4.1", "nvidia-nccl-cu12": "2.26.2", "torchada": "0.1.94",
    });
    let imported = json!({
        "torch": {"version": "2.7.0+cu126", "cuda": "12.6", "place": "/site/torch/__init__.py"},
        "torch_musa": {"fault": "RuntimeError: torch version must not be less than v2.7.1"},
    });
    machine.python(&installed, &imported);
    let old = machine.at("old").to_string_lossy().into_owned();
    let machine = machine
        .set("MUSA_HOME", &old)
        .set("MUSA_PATH", "/usr/local/musa")
        .set("CUDA_VISIBLE_DEVICES", "1")
        .set("MUSA_VISIBLE_DEVICES", "0")
        .set("TORCH_CUDA_ARCH_LIST", "8.0;9.0");
    let (out, exit) = machine.run(&["doctor"]);
    insta::assert_snapshot!(out, @r#"
    ok      DOC001  driver            mthreads-gmi answers, driver 3.3.5, 2 devices: MTT S5000
    ok      DOC002  device nodes      /dev/mtgpu0, mtgpu1

    warning DOC010  MUSA SDK          perhaps 1.10.80 in ROOT/old (named by MUSA_HOME), by include/musa.h: MUSA_VERSION 11080: releases before 4.3.0 say wrong versions
            → Look at what the SDK was installed from, and name its version with `--sdk` or `sdk = "…"`
              in torchada.toml.
    warning DOC011  parts of the SDK  cmake/FindMUSA.cmake is not there: CMake's module FindMUSA
                                      lib/libmublas.so or lib64/libmublas.so is not there: muBLAS
                                      include/mudnn.h is not there: the headers of muDNN
                                      include/mccl.h is not there: the headers of MCCL
            → Install the packages of this SDK that begin with musa-toolkit-cmake, libmublas,
              libmublas-dev, libmudnn3-dev-musa, mccl-dev, or use its image for development.
    failed  DOC012  mcc               `ROOT/old/bin/mcc --version`: it ended with the exit code 127: mcc: error: no libmusart.so
            → Run it by hand with `--version`: a library that it lacks is named there. Reinstall the
              compiler of this SDK if it is damaged.
    warning DOC013  mcc on the PATH   it is ROOT/usr/local/musa/bin/mcc, and not ROOT/old/bin/mcc
            → Put the SDK's folder first: `export PATH=$MUSA_HOME/bin:$PATH`.
    warning DOC020  libraries         ROOT/usr/local/musa/lib/libmusart.so comes before ROOT/old/lib/libmusart.so: another SDK's
            → Name the folder to the loader: `export LD_LIBRARY_PATH=$MUSA_HOME/lib:$LD_LIBRARY_PATH`,
              or a file in /etc/ld.so.conf.d and then `ldconfig`. libmusa.so comes with the driver: a
              container gets it from MT Container Toolkit, or by a mount.
    warning DOC030  facts             nothing was learned of this SDK as it is now
            → Run `torchada learn`: `port` and `check` then know of each name whether this SDK has it.

    ok      DOC040  Python            3.10.12 in ROOT/bin/python3
    ok      DOC041  torch             2.7.0+cu126
    failed  DOC042  torch_musa        it can't be imported: RuntimeError: torch version must not be less than v2.7.1
            → Install the wheel of torch_musa for this torch, Python and SDK; where a library is
              missing, see DOC020. No device means DOC001 or DOC002, or MUSA_VISIBLE_DEVICES.
    failed  DOC043  versions fit      torch_musa 2.7.1 needs torch 2.7.1 at least, and this is 2.7.0+cu126 (MooreThreads/torch_musa:torch_musa/__init__.py:26 raises below, :34 warns of any other)
            → Install versions that go together: github.com/MooreThreads/torch_musa/releases says of
              each release which torch and SDK it is for.
    warning DOC044  builds for CUDA   torch 2.7.0+cu126 is built for CUDA 12.6
                                      cupy-cuda12x 13.4.1 is built for CUDA
                                      flash-attn 2.8.0+cu12torch2.7 is built for CUDA
                                      nvidia-cublas-cu12 and 1 more of NVIDIA's libraries are there: some package brought them along
            → Install MUSA's torch again: projects ask `torch.version.cuda` which platform they are on.
            → cupy-cuda12x: CuPy has no backend for MUSA: use torch, or an extension.
            → flash-attn: MATE's wrapper has `flash_attn` for mp_31, with the functions of
              FlashAttention 3; elsewhere use `torch.nn.functional.scaled_dot_product_attention`.
    warning DOC045  package torchada  ROOT/site/torchada is another package of this name, of torchada 0.1.94
            → `pip install torchada-port` is this program; `pip install torchada` gets an adapter of the
              same name. Import it first in the program: `import torchada`, then `import torch`.

    warning DOC050  variables         MUSA_HOME=ROOT/old, MUSA_PATH=/usr/local/musa: builds that read one of them find another SDK than builds that read the other
                                      MUSA_VISIBLE_DEVICES=0, CUDA_VISIBLE_DEVICES=1: MUSA's programs read MUSA_VISIBLE_DEVICES alone, and programs that set CUDA_VISIBLE_DEVICES mean other devices
                                      TORCH_CUDA_ARCH_LIST=8.0;9.0 without TORCH_MUSA_ARCH_LIST: torch_musa's builds don't read TORCH_CUDA_ARCH_LIST: they build for the devices of this machine
            → Unset one of them, or set both to the same folder.
            → Set both to the same devices, or unset CUDA_VISIBLE_DEVICES.
            → Set TORCH_MUSA_ARCH_LIST, such as `2.2;3.1`, to the architectures that you build for.

    4 ok, 8 warnings, 3 failed
    "#);
    assert_eq!(exit, Exit::Found);
}

#[test]
fn a_program_that_crashes_is_a_result() {
    let machine = TestMachine::whole();
    machine.program(
        "bin/python3",
        "case \"$3\" in *importlib.metadata*) echo '{\"version\":\"3.10\",\"executable\":\"\",\"places\":{\"torch\":\"/t\"},\
         \"distributions\":{},\"starters\":{}}';; *) kill -SEGV $$;; esac",
    );
    machine.program(
        "bin/mthreads-gmi",
        "echo 'Failed to initialize MTML' ; exit 3",
    );
    let (out, _) = machine.run(&["doctor"]);
    for messages in [
        "while torch and torch_musa were imported: it was ended by signal 11",
        "`mthreads-gmi -q`: it ended with the exit code 3: Failed to initialize MTML",
    ] {
        assert!(out.contains(messages), "{out}");
    }
}

/// Headers and libraries, releases, formats and names, of which the SDK and the GPUs have some.
#[test]
fn what_a_project_needs_is_held_against_the_machine() {
    let machine = TestMachine::whole();
    machine.files(&[
        (
            "project/a.cu",
            "#include <cuda_runtime.h>\n#include <cuda_bf16.h>\n#include <cublasLt.h>\n#include <cusolverDn.h>\n\
             void f(void **p, cublasLtMatmulAlgo_t *a) {\n  cudaMalloc(p, 4);\n\
             int v = CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES;\n  __nv_bfloat16 b;\n\
             unsigned m = __activemask();\n  v = CUDNN_STATUS_VERSION_MISMATCH;\n}\n",
        ),
        (
            "project/CMakeLists.txt",
            "project(a LANGUAGES CXX CUDA)\nadd_executable(a a.cu)\n\
             target_link_libraries(a PRIVATE CUDA::cublasLt CUDA::cudart CUDA::cuda_driver)\n",
        ),
        ("usr/local/musa/include/mublasLt.h", ""),
    ]);
    let project = machine.at("project").to_string_lossy().into_owned();
    let (out, exit) = machine.run(&[
        "doctor",
        &project,
        "--skip",
        "DOC00,DOC01,DOC02,DOC04,DOC05",
    ]);
    insta::assert_snapshot!(out, @r#"
    warning DOC030  facts                    nothing was learned of this SDK as it is now
            → Run `torchada learn`: `port` and `check` then know of each name whether this SDK has it.

    failed  DOC060  headers and libraries    the header musa_bf16.h is not there
                                             the header musolver.h is not there
                                             the library mublasLt is not there
            → Install the parts of the SDK that have them; `torchada check` names the places in the
              project.
    ok      DOC061  age of the SDK           the SDK is 5.1.0, and 4.3.0 is enough
    ok      DOC062  age of torch_musa        no name needs a certain release
    ok      DOC063  types and architectures  nothing that this machine's GPUs lack: mp_31
    warning DOC064  names                    MUSA lacks 1 name, by the tables of this program: CUDNN_STATUS_VERSION_MISMATCH (1 place)
            → `torchada check` names the places, with what to do about each.

    3 ok, 2 warnings, 1 failed
    "#);
    assert_eq!(exit, Exit::Found);
    // The GPU of this machine has what that of another lacks.
    machine.program("bin/mthreads-gmi", "echo 'Product Name : MTT S80'");
    let (out, _) = machine.run(&["doctor", &project]);
    let targets = out.lines().filter(|line| line.contains("on mp_21"));
    insta::assert_snapshot!(targets.collect::<Vec<_>>().join("\n"), @r#"
    warning DOC063  types and architectures  on mp_21: Ballots and lane masks [CPP113] (1 place)
                                             on mp_21: no bf16, which the project names (1 file)
    "#);
}

/// A port has no names of CUDA's, which would tell what it needs.
#[test]
fn of_a_port_the_tree_is_asked_for() {
    let machine = TestMachine::whole();
    machine.files(&[
        ("musa/k.mu", "#include <mublas.h>\n"),
        ("musa/.torchada/manifest.json", "{}"),
    ]);
    let project = machine.at("musa").to_string_lossy().into_owned();
    let (out, _) = machine.run(&["doctor", &project]);
    let rows: Vec<&str> = out.lines().filter(|line| line.contains("DOC06")).collect();
    assert_eq!(rows.len(), 5, "{out}");
    for row in rows {
        assert!(row.starts_with("skipped"), "{row}");
        assert!(row.contains("the project is a port"), "{row}");
    }
}

/// The device computes, computes wrong, hangs, and takes its process along.
#[test]
fn whatever_a_device_does_is_a_result() {
    let machine = TestMachine::whole();
    let (installed, imported) = (installed(), imported());
    let say = |json: &Value| format!("echo '{json}'");
    let right = say(&json!({"right": true, "says": "65536 bytes"}));
    let wrong = say(&json!({"right": false, "says": "1024 numbers"}));
    machine.program(
        "bin/python3",
        &format!(
            "case \"$3\" in *importlib.metadata*) {};; *import_module*) {};; *'1 << 16'*) {right};; \
             *relu*) {wrong};; *randint*) exec /bin/sleep 60;; *) echo 'MCCL error' >&2; kill -ABRT $$;; esac",
            say(&installed),
            say(&imported)
        )
    );
    let (out, exit) = machine.run(&["doctor", "--full", "--limit", "1"]);
    let full: Vec<&str> = out
        .lines()
        .skip_while(|line| !line.contains("DOC070"))
        .collect();
    insta::assert_snapshot!(full.join("\n"), @r#"
    ok      DOC070  allocation        65536 bytes
    failed  DOC071  kernel            a wrong result: 1024 numbers
            → Kernels that don't run are mostly of a torch_musa that was built for other GPUs: install
              the wheel for yours.
    failed  DOC072  matrix product    it had no end within 1 s
            → Compare the version of muBLAS with the SDK's (`musa_version_query`).
    failed  DOC073  collective        it was ended by signal 6: MCCL error
            → See that libmccl.so belongs to this SDK and GPU (there are builds for S4000 and S5000); in
              a container, give more shared memory (`--shm-size`).

    14 ok, 1 warning, 3 failed, 1 skipped
    "#);
    assert_eq!(exit, Exit::Found);
}

/// Facts count for the very files that they were learned of, and for the names of this program.
#[test]
fn facts_are_of_the_sdk_as_it_is() {
    let machine = TestMachine::whole();
    assert_eq!(state(&machine, "DOC030"), "warning");
    let learn = |tables: &str| {
        let environment = Environment::made(&[], machine.root.path());
        let sdk = sdk::find(None, &environment).expect("an SDK");
        let listing = sdk::listing_digest(&sdk).expect("listed");
        let own = OwnState::open().expect("a folder for state");
        let name = format!("facts-{}.toml", &listing[..16]);
        let text = format!(
            "[table]\nid = \"facts\"\ntitle = \"SDK\"\n[facts]\nformat = 1\nsdk = \"5.1.0\"\n\
             tables = \"{tables}\"\nlisting = \"{listing}\"\n"
        );
        own.write(&name, text.as_bytes()).expect("written");
        own.path(&name)
    };
    let path = learn("0.0.1+0");
    assert_eq!(state(&machine, "DOC030"), "warning");
    learn(Tables::version());
    assert_eq!(state(&machine, "DOC030"), "ok");
    let (out, _) = machine.run(&["info"]);
    assert!(out.contains(&*path.to_string_lossy()), "{out}");
    machine.files(&[("usr/local/musa/include/new.h", "")]);
    assert_eq!(state(&machine, "DOC030"), "warning");
    fs::remove_file(path).expect("there");
}

/// The adapter of the same name, installed beside this package: in another folder, and over it.
#[test]
fn two_packages_of_one_name_are_told_apart() {
    let machine = TestMachine::whole();
    let messages = |machine: &TestMachine| {
        let (out, _) = machine.run(&["doctor"]);
        out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    machine.files(&[
        ("site/torchada/__init__.py", ""),
        ("site/torchada/_registry.py", ""),
    ]);
    let mut installed = installed();
    installed["places"]["torchada"] = json!(machine.at("site/torchada/__init__.py"));
    installed["distributions"]["torchada-port"] = json!("0.1.0");
    machine.python(&installed, &imported());
    assert_eq!(state(&machine, "DOC045"), "ok");

    installed["distributions"]["torchada"] = json!("0.1.103");
    machine.python(&installed, &imported());
    assert_eq!(state(&machine, "DOC045"), "failed");
    let out = messages(&machine);
    assert!(
        out.contains("torchada 0.1.103 is installed, whose package has this name"),
        "{out}"
    );
    assert!(out.contains("python3 -m pip uninstall torchada`"), "{out}");

    machine.files(&[("site/torchada/_patch.py", "")]);
    assert_eq!(state(&machine, "DOC045"), "failed");
    let out = messages(&machine);
    assert!(
        out.contains("has files of two packages of this name, one of torchada 0.1.103"),
        "{out}"
    );
    assert!(
        out.contains("-m pip uninstall torchada torchada-port`"),
        "{out}"
    );
}

#[test]
fn a_node_that_is_somebody_elses_is_named() {
    let machine = TestMachine::whole();
    let mode = fs::Permissions::from_mode(0o000);
    fs::set_permissions(machine.at("dev/mtgpu1"), mode).expect("changed");
    // The superuser opens everything.
    let is_root = fs::read(machine.at("dev/mtgpu1")).is_ok();
    assert_eq!(state(&machine, "DOC002") == "ok", is_root);
}

#[test]
fn info_names_versions_and_paths() {
    let machine = TestMachine::whole();
    let (out, exit) = machine.run(&["info"]);
    let lines: Vec<&str> = out
        .lines()
        .filter(|line| {
            !["torchada ", "tables ", "architecture "]
                .iter()
                .any(|own| line.starts_with(own))
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    system            Test 1.0
    kernel            5.15.0
    driver            3.3.5
    devices           MTT S5000, MTT S5000
    sdk               5.1.0
    sdk-version-by    version.json: musa_toolkits.version
    sdk-place         ROOT/usr/local/musa
    sdk-found         the SDK of ROOT/usr/local/musa/bin/mcc
    mcc               mcc version 5.1.0 (made for tests)
    python            3.10.12
    python-place      ROOT/bin/python3
    torch             2.9.1
    torch-place       /site/torch/__init__.py
    torch-cuda        -
    torch-musa        2.9.1
    torch-musa-place  /site/torch_musa/__init__.py
    runtime-place     -
    facts             -
    facts-place       -
    "#);
    assert_eq!(exit, Exit::Done);
    let (out, _) = machine.run(&["info", "--json"]);
    let answer: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(answer["sdk"], "5.1.0");
    assert_eq!(answer["torch_cuda"], Value::Null);
}

#[test]
fn each_check_is_explained() {
    for check in &DoctorTable::builtin().check {
        let machine = TestMachine::new();
        let (out, exit) = machine.run(&["explain", &check.code.to_lowercase()]);
        assert!(out.contains(&check.title), "{out}");
        assert_eq!(exit, Exit::Done);
    }
}

#[test]
fn a_made_machine_sees_nothing_of_this_one() {
    let none = Environment::none();
    assert_eq!(none.program("sh"), None);
    assert!(!none.place("/etc/os-release").exists());
    assert_ne!(none.place("/usr/local/musa"), Path::new("/usr/local/musa"));
}
