"""Builds the wheel: `pip` calls the hooks of PEP 517 here. Cargo builds the command and the library, and both go
into the wheel with the package beside this file. What the wheel says of itself is in pyproject.toml and Cargo.toml.
"""

import base64
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tempfile
import tomllib
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


class UnsupportedOperation(Exception):
    """The name by which PEP 517 knows what a backend does not do."""


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Returns the wheel's name."""
    tag = f"py3-none-{re.sub('[-.]', '_', sysconfig.get_platform())}"
    command, library = cargo_build()
    folder, files = metadata(tag)
    for path in sorted((HERE / "src").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            files[path.relative_to(HERE / "src").as_posix()] = path
    stem = folder.removesuffix(".dist-info")
    with tempfile.TemporaryDirectory() as scratch:
        files[f"tpusim/{library.name}"] = slim(library, scratch)
        files[f"{stem}.data/scripts/{command.name}"] = slim(command, scratch)
        write(pathlib.Path(wheel_directory) / f"{stem}-{tag}.whl", files, f"{folder}/RECORD")
    return f"{stem}-{tag}.whl"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """Writes the `.dist-info` folder alone, and returns its name."""
    folder, files = metadata("py3-none-any")
    for name, data in files.items():
        path = pathlib.Path(metadata_directory) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content(data))
    return folder


def build_sdist(sdist_directory, config_settings=None):
    raise UnsupportedOperation("the sources are the whole repository: build a wheel from it (`pip wheel ./python`)")


def settings():
    """Of cargo's workspace: version, oldest Rust."""
    manifest = ROOT / "Cargo.toml"
    if not manifest.is_file():
        raise SystemExit(f"there is no {manifest}: tpusim's package is built from its whole repository")
    package = tomllib.loads(manifest.read_text())["workspace"]["package"]
    version, rust = package["version"], package["rust-version"]
    if not re.fullmatch(r"\d+(\.\d+)*", version):
        raise SystemExit(f"{manifest}: the version {version} has no wheel's form; numbers and points have")
    return version, rust


def metadata(tag):
    """The name of the `.dist-info` folder, and its files."""
    version, _ = settings()
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    folder = f"{project['name']}-{version}.dist-info"
    lines = [
        "Metadata-Version: 2.4",
        f"Name: {project['name']}",
        f"Version: {version}",
        f"Summary: {project['description']}",
        f"License-Expression: {project['license']}",
        "License-File: LICENSE",
        f"Requires-Python: {project['requires-python']}",
        "Description-Content-Type: text/markdown",
        "",
        (HERE / project["readme"]).read_text(),
    ]
    points = [f"[{g}]\n" + "".join(f"{n} = {v}\n" for n, v in e.items()) for g, e in project["entry-points"].items()]
    wheel = ["Wheel-Version: 1.0", "Generator: tpusim", "Root-Is-Purelib: false", f"Tag: {tag}"]
    return folder, {
        f"{folder}/METADATA": "\n".join(lines),
        f"{folder}/WHEEL": "\n".join(wheel) + "\n",
        f"{folder}/entry_points.txt": "\n".join(points),
        f"{folder}/licenses/LICENSE": ROOT / "LICENSE",
    }


def cargo_build():
    """The paths of the command and of the library."""
    _, rust = settings()
    cargo = os.environ.get("CARGO") or shutil.which("cargo") or pathlib.Path.home() / ".cargo/bin/cargo"
    help_ = f"tpusim is built with Rust {rust} or newer: https://rustup.rs installs it, `rustup update` renews it"
    try:
        answer = subprocess.run([cargo, "--version"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(f"cannot run cargo: {error}\n{help_}") from None
    have = re.search(r"(\d+)\.(\d+)", answer)
    if not have or [int(n) for n in have.groups()] < [int(n) for n in rust.split(".")[:2]]:
        raise SystemExit(f"{cargo} is too old: {answer.strip()}\n{help_}")
    build = "build --release --locked -p tpusim -p pjrt --message-format json-render-diagnostics".split()
    print(f"{cargo} {' '.join(build)}", flush=True)
    # In the workspace's root, whose .cargo/config.toml says for which processors.
    outcome = subprocess.run([cargo, *build], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if outcome.returncode != 0:
        raise SystemExit(f"cargo ended with {outcome.returncode}; what it says is above (`pip install -v` shows it)")
    command = library = None
    for message in map(json.loads, outcome.stdout.splitlines()):
        if message.get("reason") != "compiler-artifact" or message["target"]["name"] != "tpusim":
            continue
        kinds = message["target"]["kind"]
        if "bin" in kinds:
            command = pathlib.Path(message["executable"])
        if "cdylib" in kinds:
            library = next(p for p in map(pathlib.Path, message["filenames"]) if p.suffix in (".so", ".dylib", ".dll"))
    if not command or not library:
        raise SystemExit("cargo built no command, or no library, by the name of tpusim")
    return command, library


def slim(path, folder):
    """A copy without debug information, which is five sixths of it; `path` itself where the system has no `strip`."""
    strip, copy = shutil.which("strip"), pathlib.Path(folder) / path.name
    if strip and subprocess.run([strip, "-S", "-o", copy, path]).returncode == 0:
        return copy
    return path


def content(data):
    return data.read_bytes() if isinstance(data, pathlib.Path) else data.encode()


def write(path, files, record):
    """A zip file of `files`, with a list of them and their sums at last."""
    rows = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            data, runs = content(data), isinstance(data, pathlib.Path) and os.access(data, os.X_OK)
            sum_ = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append(f"{name},sha256={sum_},{len(data)}\n")
            add(wheel, name, data, 0o755 if runs else 0o644)
        add(wheel, record, "".join(rows) + f"{record},,\n", 0o644)


def add(wheel, name, data, mode):
    # A time that is the same in every build.
    entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = (0o100000 | mode) << 16
    wheel.writestr(entry, data)
