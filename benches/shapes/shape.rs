//! One thing repeated: what a shape is, and the files that it makes.

/// A file's path below the tree, and its text.
pub type File = (String, String);

/// Input that grows with a number.
pub struct Shape {
    pub name: &'static str,
    pub form: Form,
}

/// How the input is made. `{i}` is the number of a piece from 0 on, `{next}` one more, `{last}` the number of the last
/// piece.
pub enum Form {
    /// One file: pieces between a front and a back.
    Row {
        path: &'static str,
        front: &'static str,
        piece: &'static str,
        back: &'static str,
    },
    /// One file: pieces that stand inside each other.
    Nested {
        path: &'static str,
        open: &'static str,
        inner: &'static str,
        close: &'static str,
    },
    /// A file for each number, and some fixed ones.
    Files {
        path: &'static str,
        text: &'static str,
        fixed: &'static [(&'static str, &'static str)],
    },
    /// Anything else.
    Made(fn(usize) -> Vec<File>),
}

impl Shape {
    pub const fn row(
        name: &'static str,
        path: &'static str,
        front: &'static str,
        piece: &'static str,
        back: &'static str,
    ) -> Self {
        let form = Form::Row {
            path,
            front,
            piece,
            back,
        };
        Self { name, form }
    }

    pub const fn nested(
        name: &'static str,
        path: &'static str,
        open: &'static str,
        inner: &'static str,
        close: &'static str,
    ) -> Self {
        let form = Form::Nested {
            path,
            open,
            inner,
            close,
        };
        Self { name, form }
    }

    pub const fn files(
        name: &'static str,
        path: &'static str,
        text: &'static str,
        fixed: &'static [(&'static str, &'static str)],
    ) -> Self {
        let form = Form::Files { path, text, fixed };
        Self { name, form }
    }

    pub const fn made(name: &'static str, make: fn(usize) -> Vec<File>) -> Self {
        Self {
            name,
            form: Form::Made(make),
        }
    }

    /// The files for a number of pieces.
    pub fn files_of(&self, number: usize) -> Vec<File> {
        match self.form {
            Form::Row {
                path,
                front,
                piece,
                back,
            } => {
                let last = numbered("{i}", number.saturating_sub(1), number);
                let back = back.replace("{last}", &last);
                let front = front.replace("{last}", &last);
                let text = [front, repeated(piece, number), back].concat();
                vec![(path.to_owned(), text)]
            }
            Form::Nested {
                path,
                open,
                inner,
                close,
            } => {
                let text = [
                    repeated(open, number),
                    inner.to_owned(),
                    repeated(close, number),
                ];
                vec![(path.to_owned(), text.concat())]
            }
            Form::Files { path, text, fixed } => {
                let fixed = fixed.iter();
                let mut files: Vec<File> = fixed
                    .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
                    .collect();
                files.extend(
                    (0..number).map(|at| (numbered(path, at, number), numbered(text, at, number))),
                );
                files
            }
            Form::Made(make) => make(number),
        }
    }
}

/// A piece for each number.
pub fn repeated(piece: &str, number: usize) -> String {
    (0..number).map(|at| numbered(piece, at, number)).collect()
}

fn numbered(piece: &str, at: usize, number: usize) -> String {
    if !piece.contains('{') {
        return piece.to_owned();
    }
    piece
        .replace("{i}", &at.to_string())
        .replace("{next}", &(at + 1).to_string())
        .replace("{last}", &number.saturating_sub(1).to_string())
}
