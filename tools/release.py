"""Make all that a release has, in `dist/`: `python -m tools.release [--tag v0.2.0]` (make dist).

* the wheel and the sources, by hatchling;
* `pbem-site-VERSION.tar.gz`: the page that plays in a browser, for `pbem host --site`;
* `SHA256SUMS`: the hash of each of these, as `sha256sum --check` reads it;
* `notes.md`: what CHANGELOG.md says of the version, and the hash of the page.

The same sources give the same bytes. With `--tag`, nothing is made unless it is the version's tag.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from pbem import __version__
from pbem.host.browser_program_files import Site

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
EPOCH = 1_580_601_600
"""The date of all files in an archive, as in hatchling's: so equal pages are equal bytes."""


def main(arguments: list[str]) -> None:
    """Make the folder `dist/` anew. Exit if the tag or CHANGELOG.md does not fit the version."""
    if arguments and arguments != ["--tag", f"v{__version__}"]:
        sys.exit(f"tools.release: this is version {__version__}; its tag is v{__version__}")
    notes = changes(__version__)
    shutil.rmtree(DIST, ignore_errors=True)
    site = ROOT / "build" / "site"
    for words in (["hatchling", "build", "--directory", DIST], ["tools.browser_site", site]):
        subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=True)
    (DIST / f"pbem-site-{__version__}.tar.gz").write_bytes(packed(site, "pbem-site"))
    files = sorted(DIST.iterdir())
    sums = "".join(f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in files)
    (DIST / "SHA256SUMS").write_text(sums)
    page = f"`pbem host --site` prints this hash of the page: `{Site(site).hash}`"
    (DIST / "notes.md").write_text(f"{notes}\n\n{page}\n")
    print(sums, end="")


def packed(folder: Path, name: str) -> bytes:
    """Return a folder as a .tar.gz; the same files give the same bytes."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            member = tarfile.TarInfo(f"{name}/{path.relative_to(folder).as_posix()}")
            member.size, member.mtime, member.mode = path.stat().st_size, EPOCH, 0o644
            with path.open("rb") as file:
                archive.addfile(member, file)
    return gzip.compress(buffer.getvalue(), 9, mtime=0)


def changes(version: str) -> str:
    """Return the section of CHANGELOG.md about a version, with the paths of pages instead of links.
    Exit if there is none."""
    parts = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    sections = [part for part in parts if part.split()[0] == version]
    if not sections:
        sys.exit(f"tools.release: CHANGELOG.md says nothing of {version}")
    notes = sections[0].partition("\n")[2].strip()
    return re.sub(r"\[([^\]]+)\]\((docs/[^)]+)\)", r"\1 (`\2`)", notes)


if __name__ == "__main__":
    main(sys.argv[1:])
