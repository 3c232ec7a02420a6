//! A small disk of its own, in a file: for what happens when it is full.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use uuid::Uuid;

/// A mounted file system; unmounted and gone when dropped.
pub(crate) struct Disk {
    image: PathBuf,
    folder: PathBuf,
}

impl Disk {
    /// An ext4 of so many MiB. `None` where this user may not mount one.
    pub(crate) fn mount(mebibytes: u64) -> Option<Self> {
        let name = std::env::temp_dir().join(format!("linkgraph-disk-{}", Uuid::now_v7()));
        let disk = Disk { image: name.with_extension("img"), folder: name };
        fs::create_dir(&disk.folder).unwrap();
        fs::File::create(&disk.image).unwrap().set_len(mebibytes << 20).unwrap();
        let (image, folder) = (disk.image.to_str().unwrap(), disk.folder.to_str().unwrap());
        let is_mounted = run("mkfs.ext4", &["-q", "-m", "0", image]) && run("mount", &["-o", "loop", image, folder]);
        is_mounted.then_some(disk)
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file until there is no room left.
    pub(crate) fn fill(&self) {
        let mut file = fs::File::options().create(true).append(true).open(self.folder.join("filler")).unwrap();
        // The last bytes go in small pieces.
        for size in [1 << 20, 4096, 1] {
            while file.write_all(&vec![1; size]).is_ok() {}
        }
    }

    /// Makes room again.
    pub(crate) fn empty(&self) {
        fs::remove_file(self.folder.join("filler")).unwrap();
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        run("umount", &["--lazy", self.folder.to_str().unwrap()]);
        let _ = fs::remove_dir(&self.folder);
        let _ = fs::remove_file(&self.image);
    }
}

fn run(program: &str, arguments: &[&str]) -> bool {
    let status = Command::new(program).args(arguments).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}
