//! The program: arguments in, exit code out. The only place that ends the process.

use std::io::{self, BufWriter, ErrorKind, IsTerminal, Write};
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use std::time::Duration;

use anstream::{AutoStream, ColorChoice};
use torchada::cli::{Cli, Color, Exit, ProgressWhen};
use torchada::commands::{self, Streams};
use torchada::config::ConfigError;
use torchada::diagnostic::Severity;
use torchada::emit::EmitError;
use torchada::machine::Environment;
use torchada::progress::{Progress, Silent, Timings};
use torchada::report::{self, Bar, Excerpt, PATIENCE, SourceLines, full, one_line, plain_lines};

/// A translation makes many small things on many threads, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report_bug));
    let cli = match Cli::of_process() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way, too; a closed pipe is no concern of theirs.
            let _ = error.print();
            let code = u8::try_from(error.exit_code()).unwrap_or(Exit::Refused.code());
            return ExitCode::from(code);
        }
    };
    let choice = |auto: ColorChoice| match cli.color {
        Color::Auto => auto,
        Color::Always => ColorChoice::Always,
        Color::Never => ColorChoice::Never,
    };
    let mut err = AutoStream::new(io::stderr(), choice(AutoStream::choice(&io::stderr())));
    let bar = patience(cli.command.progress()).map(Bar::new);
    let progress: &dyn Progress = bar.as_ref().map_or(&Silent, |bar| bar);
    let timings = cli.command.says_timings().then(|| Timings::new(progress));
    let progress: &dyn Progress = timings.as_ref().map_or(progress, |timings| timings);
    let mut out = BufWriter::new(NamedOutput(io::stdout()));
    let mut input = io::stdin();
    let environment = Environment::of_process();
    let result = {
        let plain: &mut dyn Write = &mut out;
        let mut styled;
        // Other results go out as they are: a diff holds the bytes of people's files.
        let out: &mut dyn Write = if cli.command.is_styled() {
            styled = AutoStream::new(plain, choice(AutoStream::choice(&io::stdout())));
            &mut styled
        } else {
            plain
        };
        let columns = |is_terminal: bool| {
            let columns = is_terminal.then(|| commands::columns(&environment));
            columns.flatten()
        };
        let mut streams = Streams {
            out,
            err: &mut err,
            out_columns: columns(io::stdout().is_terminal()),
            err_columns: columns(io::stderr().is_terminal()),
            input: &mut input,
            progress,
            environment: &environment,
        };
        commands::run(cli, &mut streams)
    };
    progress.end();
    if let Some(timings) = &timings {
        // The exit code says how the run went, whether or not this can be printed.
        let _ = report::timings(&timings.report(), &mut err);
    }
    ExitCode::from(exit_after(result, out, &mut err).code())
}

/// Write the rest of the output, or say what went wrong.
fn exit_after(
    result: anyhow::Result<Exit>,
    mut out: BufWriter<impl Write>,
    err: &mut dyn Write,
) -> Exit {
    match result.and_then(|exit| Ok(out.flush().map(|()| exit)?)) {
        Ok(exit) => exit,
        Err(error) if is_broken_pipe(&error) => {
            // Whoever read us has seen enough. What the buffer holds must not be tried again.
            let _ = out.into_parts();
            Exit::Done
        }
        Err(error) => {
            // If the message can't be printed, the exit code still shows the failure.
            let _ = out.flush();
            let _ = explain(&error, err);
            exit_of(&error)
        }
    }
}

/// Standard output, which an error names that comes of it.
struct NamedOutput<W>(W);

impl<W: Write> Write for NamedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(of_output)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(of_output)
    }
}

fn of_output(error: io::Error) -> io::Error {
    match error.kind() {
        // It is tried again.
        ErrorKind::Interrupted => error,
        kind => io::Error::new(kind, format!("standard output: {error}")),
    }
}

/// How long a run takes before its progress is shown; nothing where nobody looks at standard error
/// who can see a bar move: the log of a pipeline would keep each of its steps.
fn patience(when: ProgressWhen) -> Option<Duration> {
    let is_watched = io::stderr().is_terminal()
        && anstyle_query::term_supports_color()
        && !anstyle_query::is_ci();
    match when {
        ProgressWhen::Auto if is_watched => Some(PATIENCE),
        ProgressWhen::Now if is_watched => Some(Duration::ZERO),
        _ => None,
    }
}

/// Print an error, with advice about it.
fn explain(error: &anyhow::Error, err: &mut dyn Write) -> io::Result<()> {
    if let Some(ConfigError::Fault(fault)) = error.downcast_ref() {
        let excerpt = Excerpt {
            severity: Severity::Error,
            code: None,
            message: &plain_lines(&fault.message),
            path: &one_line(&fault.file),
            source: Some(SourceLines {
                text: &fault.text,
                first_line: 1,
                span: fault.span.clone(),
                column: None,
            }),
            help: fault.help.as_deref(),
            note: None,
        };
        return full(&excerpt, err);
    }
    let red = anstyle::AnsiColor::Red.on_default().bold();
    let bold = anstyle::Style::new().bold();
    let message = plain_lines(&format!("{error:#}"));
    writeln!(err, "{red}error{red:#}: {message}")?;
    if let Some(advice) = commands::advice(error) {
        writeln!(err, "{bold}help{bold:#}: {advice}")?;
    }
    Ok(())
}

/// A run that fails has written nothing, but for a writer that had to give up half-way.
fn exit_of(error: &anyhow::Error) -> Exit {
    match error.downcast_ref::<EmitError>() {
        Some(emit) if emit.begun() => Exit::Partial,
        _ => Exit::Refused,
    }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// A panic is never the user's fault.
fn report_bug(info: &PanicHookInfo<'_>) {
    let _ = writeln!(
        io::stderr(),
        "torchada {} has a bug: {info}\n\
         Please report it with this message, what `torchada info` prints and, if you can, the file it happened on.",
        env!("CARGO_PKG_VERSION")
    );
}
