"""Brings the C headers of PJRT, which backend/pjrt's layout test compares with, into a folder.

They are taken out of one wheel of tf-nightly (Apache-2.0) by ranges: of its 645 MB four are read. A folder that
holds them already is left as it is. PyPI keeps nightly wheels for some months: if this one is gone, find one with
the same PJRT_API_MINOR (or raise that in backend/pjrt/src/ffi/api.rs), and let `--pins` print the sums.

usage: pjrt_headers.py FOLDER [--pins]
"""

import hashlib
import http.client
import io
import pathlib
import sys
import urllib.request
import zipfile

WHEEL = (
    "https://files.pythonhosted.org/packages/05/fb/0495667464a5d82f56a7376770a81998447e34846773c7c4dc5bca60e79f/"
    "tf_nightly-2.23.0.dev20261026-cp312-cp312-manylinux_2_27_x86_64.whl"
)
INSIDE = "tensorflow/include/"
# SHA-256 of each.
PINS = {
    "xla/backends/profiler/plugin/profiler_c_api.h": "755289b2997a99221fb1459eafedac68f22a1d495195a23f96e9dd38241cf3bb",
    "xla/pjrt/c/pjrt_c_api.h": "7aa9201370e18f9316e5b6a3745ef5abe07bc467929899aefdddb7511a1f6d5c",
    "xla/pjrt/c/pjrt_c_api_device_event.h": "644426822e6c16c511a317ea6513eb5a75771c5246281fbf393087a357f24816",
    "xla/pjrt/c/pjrt_c_api_abi_version_extension.h": "e23f25d2ab02ad3a9ff59009e24be2f8a48c5ea553489bf8b779d5e69a182cc6",
    "xla/pjrt/c/pjrt_c_api_callback_extension.h": "11a8e25dddfbf421ba196c8a27157b80d0c95d398ff0f4b4328496666cc60260",
    "xla/pjrt/c/pjrt_c_api_layouts_extension.h": "266b6d31805a1f9f7ffc4230d5d464cd694b7c670148cdf0752c1539ad83f47a",
    "xla/pjrt/c/pjrt_c_api_memory_descriptions_extension.h": "00a5733ddf071035997b4c09ca36750a22bce2fd808a6984f11ebaeaaf4f445d",
    "xla/pjrt/c/pjrt_c_api_phase_compile_extension.h": "cd67f9ca11b77297c7b2cf95b9c5022a45f0f303991e0e4869947075950d2f20",
    "xla/pjrt/c/pjrt_c_api_profiler_extension.h": "9ae899234c03c1a117ef88481f8a242bdfa6adf0014c88c1485aee3ffd26c70b",
    "xla/pjrt/c/pjrt_c_api_raw_buffer_extension.h": "467638464d13dd40a557627f840e7f9358ad215c25ed2551bae9b74a3d1d7f11",
    "xla/pjrt/c/pjrt_c_api_shardings_extension.h": "89589df0e56c3e8db8ca33a1cc8806175f94e71c1be9ceaa4a5dd99e2632bab2",
    "xla/pjrt/c/pjrt_c_api_tpu_topology_extension.h": "03e37a5b3029189f50ea5b36b4751b625025f758c4ff3fd8840619a0c41356ef",
}


class Remote(io.RawIOBase):
    """A file on a server that answers ranges."""

    def __init__(self, url):
        self.url, self.at = url, 0
        with self.ask({}, "HEAD") as answer:
            self.size = int(answer.headers["Content-Length"])

    def ask(self, headers, method="GET"):
        return urllib.request.urlopen(urllib.request.Request(self.url, headers=headers, method=method), timeout=60)

    def seekable(self):
        return True

    def readable(self):
        return True

    def tell(self):
        return self.at

    def seek(self, offset, whence=io.SEEK_SET):
        self.at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self.at, io.SEEK_END: self.size}[whence]
        return self.at

    def readinto(self, buffer):
        last = min(self.at + len(buffer), self.size) - 1
        if last < self.at:
            return 0
        with self.ask({"Range": f"bytes={self.at}-{last}"}) as answer:
            if answer.status != 206:
                raise OSError(f"the server sends no ranges (status {answer.status})")
            data = answer.read(len(buffer))
        buffer[: len(data)] = data
        self.at += len(data)
        return len(data)


def there(folder, name):
    file = folder / name
    return file.exists() and hashlib.sha256(file.read_bytes()).hexdigest() == PINS[name]


def main():
    folder, pins = pathlib.Path(sys.argv[1]), "--pins" in sys.argv
    if not pins and all(there(folder, name) for name in PINS):
        return
    with zipfile.ZipFile(io.BufferedReader(Remote(WHEEL), 1 << 20)) as wheel:
        for name, pin in PINS.items():
            data = wheel.read(INSIDE + name)
            sum_ = hashlib.sha256(data).hexdigest()
            if pins:
                print(f'    "{name}": "{sum_}",')
            elif sum_ != pin:
                sys.exit(f"{name} has the SHA-256 {sum_}, not {pin}")
            else:
                file = folder / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)


if __name__ == "__main__":
    try:
        main()
    except (OSError, http.client.HTTPException, KeyError, zipfile.BadZipFile) as error:
        sys.exit(f"no headers from {WHEEL}: {error}")
