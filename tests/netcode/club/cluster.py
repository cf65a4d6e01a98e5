"""A real PostgreSQL server for tests: a cluster in a temporary folder, on a Unix socket only, and never as root.

All workers of a run share one: the first that needs it starts it, the last that ends stops it.
"""

import fcntl
import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.patience import PATIENCE_S

USERS = ("postgres", "nobody")
"""The users that may run the server if the tests run as root: PostgreSQL refuses to run as root."""
DATABASE = "club"
SOCKET = ".s.PGSQL.5432"
"""The name of a server's socket in its folder."""


def programs() -> Path | None:
    """Return the folder with initdb and pg_ctl, None if there is no server of version 15 or later here."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    versions = {int(path.parent.name): path for path in folders if path.parent.name.isdecimal()}
    return versions[max(versions)] if versions and max(versions) >= 15 else None


@dataclass
class BreakablePath:
    """A path to a server. address: for libpq."""

    address: str
    server: str
    name: str
    link: Path
    socket: Path

    def cut(self) -> None:
        """Cut it: its connections end, and new ones are impossible."""
        import psycopg  # tests of a club need the extra

        self.link.unlink()
        with psycopg.connect(self.server) as db:
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", (self.name,)
            )

    def mend(self) -> None:
        """Let connections through again."""
        self.link.symlink_to(self.socket)


@dataclass
class Cluster:
    """A server. folder: of its data, its socket and its log; programs: the folder of PostgreSQL's programs; user: who
    runs it ("": the user of the tests). fsync: the data survives a power cut; without it (which is enough for tests)
    only the end of the processes. counts: it counts statements (pg_stat_statements)."""

    folder: Path
    programs: Path
    user: str
    fsync: bool = False
    counts: bool = False

    @property
    def role(self) -> str:
        """The superuser of the database."""
        return self.user or pwd.getpwuid(os.getuid()).pw_name

    @property
    def address(self) -> str:
        """The address of its database, for libpq."""
        return f"postgresql:///{DATABASE}?host={self.folder}&user={self.role}"

    @contextmanager
    def path_to(self, folder: Path, address: str) -> Iterator["BreakablePath"]:
        """Yield a path to this server that can be cut. folder: a new one, for the socket."""
        folder.mkdir()
        name = f"kickdoor-{folder.stat().st_ino}"
        own = address.replace(f"host={self.folder}", f"host={folder}") + f"&application_name={name}"
        path = BreakablePath(own, self.address, name, folder / SOCKET, self.folder / SOCKET)
        path.mend()
        yield path

    def run(self, name: str, *arguments: str) -> None:
        """Run one of PostgreSQL's programs as the server's user."""
        within = ["setpriv", f"--reuid={self.user}", "--clear-groups"] if self.user else []
        command = [*within, str(self.programs / name), *arguments]
        done = subprocess.run(
            command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE_S
        )
        assert done.returncode == 0, f"{name}: {done.stdout}"

    def make(self) -> None:
        """Make the cluster."""
        self.run("initdb", "-D", "data", "-A", "trust", "-N", "--no-locale", "-E", "UTF8", "--no-instructions")

    def start(self) -> None:
        """Start the server, and wait until it takes connections."""
        fsync = "on" if self.fsync else "off"
        more = f"-c fsync={fsync} -c max_connections=200 -c shared_buffers=16MB"
        more += " -c shared_preload_libraries=pg_stat_statements" * self.counts
        options = f"-k {self.folder} -c listen_addresses= {more}"
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            os.chmod(log.fileno(), 0o666)
        self.run("pg_ctl", "-D", "data", "-l", "log", "-w", "-t", str(int(PATIENCE_S)), "-o", options, "start")

    def stop(self) -> None:
        """Stop the server as a power cut does: every connection is lost."""
        self.run("pg_ctl", "-D", "data", "-w", "-t", str(int(PATIENCE_S)), "-m", "immediate", "stop")


def new_cluster(folder: Path, found: Path, fsync: bool = False, counts: bool = False) -> Cluster:
    """Make a cluster in this new folder and start it. fsync, counts: see Cluster."""
    user = ""
    folder.mkdir(mode=0o755)
    if os.geteuid() == 0:
        user = next(name for name in USERS if name in {entry.pw_name for entry in pwd.getpwall()})
        os.chown(folder, pwd.getpwnam(user).pw_uid, -1)
    cluster = Cluster(folder, found, user, fsync, counts)
    cluster.make()
    cluster.start()
    cluster.run("createdb", "-h", str(folder), DATABASE)
    return cluster


@contextmanager
def shared_cluster(run: Path, folder: Path, found: Path) -> Iterator[Cluster]:
    """Yield the cluster in this folder, which all workers of a run share: the first one makes it, the last one stops
    it. run: the temporary folder of the run; a file in it counts the workers."""
    with open(run / "users of the cluster", "a+", encoding="ascii") as file:
        cluster = _enter(file.fileno(), folder, found)
        try:
            yield cluster
        finally:
            _leave(file.fileno(), cluster)


def _count(descriptor: int, change: int) -> int:
    """Change the number of users in the file, which the caller has locked; return the new one."""
    users = int(os.pread(descriptor, 20, 0) or b"0") + change
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, str(users).encode(), 0)
    return users


def _enter(descriptor: int, folder: Path, found: Path) -> Cluster:
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        if _count(descriptor, 1) == 1:
            shutil.rmtree(folder, ignore_errors=True)  # left by a run that was killed
            return new_cluster(folder, found)
        owner = pwd.getpwuid(folder.stat().st_uid).pw_name
        return Cluster(folder, found, owner if os.geteuid() == 0 else "")
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def _leave(descriptor: int, cluster: Cluster) -> None:
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        if _count(descriptor, -1) == 0:
            cluster.stop()
            shutil.rmtree(cluster.folder)
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
