"""Brings what JAX's sources have and its wheel lacks, the table of its harnesses, into a folder.

It is taken out of the source distribution of the JAX that `requirements.txt` pins (Apache-2.0). A folder that holds
it already is left as it is. JAX's test files are in no distribution: docs/testing.md says how they are run from a checkout.

usage: jax_sources.py FOLDER
"""

import hashlib
import http.client
import io
import pathlib
import sys
import tarfile
import urllib.request

SOURCES = (
    "https://files.pythonhosted.org/packages/2e/5b/5b7f007852809973310ed99eede7db6e9e1cd60914f8fe90b091ae264db4/"
    "jax-0.12.0.1.tar.gz"
)
SHA256 = "f543fb1151c351d328b7dd9e40865c01bf9ae10cdf7e21637196172891d51914"
INSIDE = "/jax/_src/"
FILES = ["__init__.py", "lax_test_util.py", "test_harnesses.py"]


def main():
    folder = pathlib.Path(sys.argv[1])
    stamp = folder / "sha256"
    if stamp.exists() and stamp.read_text() == SHA256:
        return
    with urllib.request.urlopen(SOURCES, timeout=60) as answer:
        data = answer.read()
    sum_ = hashlib.sha256(data).hexdigest()
    if sum_ != SHA256:
        sys.exit(f"{SOURCES} has the SHA-256 {sum_}, not {SHA256}")
    top = SOURCES.rsplit("/", 1)[1].removesuffix(".tar.gz")
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        for name in FILES:
            file = folder / "internal_test_util" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(archive.extractfile(f"{top}{INSIDE}internal_test_util/{name}").read())
    stamp.write_text(SHA256)


if __name__ == "__main__":
    try:
        main()
    except (OSError, http.client.HTTPException, KeyError, tarfile.TarError) as error:
        sys.exit(f"nothing from {SOURCES}: {error}")
