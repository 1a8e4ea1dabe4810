//! Files that are written: whole, or not at all.

use sim_core::{Diagnostic, Result};
use std::fs::{self, File};
use std::io::{BufWriter, Error, Write};
use std::path::{Path, PathBuf};

/// Writes a file through `write`. It has its name only when it is complete: whatever fails on the way
/// leaves the old file as it was, or none. (The program may be mapped from the very file that is
/// written, which must not change under it.) Devices and pipes are written as they are.
///
/// # Errors
/// Resource: the file cannot be made, or `write` fails.
pub fn write_file(path: &Path, write: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    let failed = |e: Error| Diagnostic::resource(format!("cannot write {}: {e}", path.display()));
    // A link stays a link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&target).ok();
    let replaceable = old.as_ref().is_none_or(|m| m.is_file() && !m.permissions().readonly());
    let part = replaceable.then(|| beside(&target)).flatten();
    let Some((file, part)) = part.and_then(|part| Some((File::create_new(&part).ok()?, part))) else {
        let mut out = BufWriter::new(File::create(&target).map_err(failed)?);
        return write(&mut out).and_then(|()| out.flush().map_err(failed));
    };
    let mut out = BufWriter::new(file);
    let written = write(&mut out).and_then(|()| {
        out.flush().map_err(failed)?;
        if let Some(old) = old {
            fs::set_permissions(&part, old.permissions()).map_err(failed)?;
        }
        fs::rename(&part, &target).map_err(failed)
    });
    if written.is_err() {
        let _ = fs::remove_file(&part); // What went wrong first is what is said.
    }
    written
}

/// A name in the same folder that no other process takes.
fn beside(path: &Path) -> Option<PathBuf> {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name()?);
    name.push(format!(".{}.part", std::process::id()));
    Some(path.with_file_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("tpusim-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    fn put(text: &'static str) -> impl FnOnce(&mut BufWriter<File>) -> Result<()> {
        move |out| {
            out.write_all(text.as_bytes()).unwrap();
            Ok(())
        }
    }

    fn names(dir: &Path) -> usize {
        fs::read_dir(dir).unwrap().count()
    }

    #[test]
    fn what_fails_leaves_the_old_file() {
        let dir = folder("fails");
        let path = dir.join("out");
        let fails = |out: &mut BufWriter<File>| {
            out.write_all(b"half").and_then(|()| out.flush()).unwrap();
            Err(Diagnostic::resource("disk full"))
        };
        assert!(write_file(&path, fails).is_err());
        assert_eq!(names(&dir), 0);
        write_file(&path, put("old")).unwrap();
        assert!(write_file(&path, fails).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        write_file(&path, put("new")).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(&dir), 1);
        fs::remove_dir_all(dir).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = folder("links");
        let (path, link) = (dir.join("out"), dir.join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("out", &link).unwrap();
        write_file(&link, put("new")).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), put("gone")).unwrap();
        fs::remove_dir_all(dir).unwrap();
    }
}
