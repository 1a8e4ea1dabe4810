#!/usr/bin/env python3
"""Seed corpora from the repository's own programs, chunk by chunk: fuzz/corpus/{text,run}."""

import hashlib
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = ["examples", "tests", "backend/tests"]
LARGEST = 16_384


def main() -> None:
    count = 0
    for target, prefix in [("text", b""), ("run", b"0")]:
        corpus = HERE / "corpus" / target
        corpus.mkdir(parents=True, exist_ok=True)
        for folder in FOLDERS:
            for path in sorted((HERE.parent / folder).rglob("*.mlir")):
                for chunk in re.split(rb"^// -----.*$", path.read_bytes(), flags=re.M):
                    if 0 < len(chunk) <= LARGEST:
                        data = prefix + chunk
                        (corpus / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)
                        count += 1
    print(f"{count} seeds in {HERE / 'corpus'}")


if __name__ == "__main__":
    main()
