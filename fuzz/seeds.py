#!/usr/bin/env python3
"""Seed corpora from the repository's own programs: fuzz/corpus/{text,run,compile} from its texts, chunk by chunk,
fuzz/corpus/bytecode from its bytecode, without the magic number, fuzz/corpus/{hlo_text,hlo_proto} from its HLO (with
a built `tpusim` in target/debug, also as binary protocol buffers)."""

import hashlib
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ["examples", "tests", "backend/tests"]
LARGEST = 16_384
# Products of this size take ten seconds in instrumented code: programs that are run stay small.
HEAVY = b"1024x1024"
MAGIC = b"ML\xefR"


def main() -> None:
    count = 0
    for target, prefix in [("text", b""), ("run", b"0"), ("compile", b"0")]:
        corpus = HERE / "corpus" / target
        corpus.mkdir(parents=True, exist_ok=True)
        for folder in FOLDERS:
            for path in sorted((HERE.parent / folder).rglob("*.mlir")):
                for chunk in re.split(rb"^// -----.*$", path.read_bytes(), flags=re.M):
                    if 0 < len(chunk) <= LARGEST and not (target == "run" and HEAVY in chunk):
                        data = prefix + chunk
                        (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
                        count += 1
    corpus = HERE / "corpus" / "bytecode"
    corpus.mkdir(parents=True, exist_ok=True)
    for folder in FOLDERS:
        for path in sorted((HERE.parent / folder).rglob("*.mlirbc")):
            data = path.read_bytes()
            if data.startswith(MAGIC) and len(data) <= LARGEST:
                data = data.removeprefix(MAGIC)
                (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
                count += 1
    command = HERE.parent / "target" / "debug" / "tpusim"
    for target, suffixes in [("hlo_text", ["*.hlo"]), ("compile", ["*.hlo"]), ("hlo_proto", ["*.pbtxt", "*.hlo"])]:
        corpus = HERE / "corpus" / target
        corpus.mkdir(parents=True, exist_ok=True)
        for path in sorted(p for folder in FOLDERS for s in suffixes for p in (HERE.parent / folder).rglob(s)):
            prefix = b"0" if target == "compile" else b""
            data = [prefix + path.read_bytes()] if target != "hlo_proto" or path.suffix == ".pbtxt" else []
            if target == "hlo_proto" and command.exists():
                out = subprocess.run([command, "convert", path, "--to", "hlo-proto", "-o", "-"], capture_output=True)
                data += [out.stdout] if out.returncode == 0 else []
            for seed in data:
                if 0 < len(seed) <= LARGEST:
                    (corpus / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
                    count += 1
    print(f"{count} seeds in {HERE / 'corpus'}")


if __name__ == "__main__":
    main()
