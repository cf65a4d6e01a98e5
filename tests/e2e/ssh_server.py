"""A private SSH server on loopback with its own keys, port and configuration, for remote players."""

import getpass
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

START_S = 10.0
POLL_S = 0.02
CONFIG = """\
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host_key
AuthorizedKeysFile {folder}/authorized_keys
PidFile {folder}/sshd.pid
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PubkeyAuthentication yes
PermitRootLogin prohibit-password
AllowTcpForwarding yes
PrintMotd no
"""


class SshServer:
    """An sshd that accepts only one key, made with it."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
        if program is None or shutil.which("ssh") is None:
            raise RuntimeError("this test needs sshd and ssh: .ci/run installs them (apt-get install openssh-server)")
        self.folder = folder
        folder.mkdir()
        for name in ("host_key", "user_key"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True)
        shutil.copy(folder / "user_key.pub", folder / "authorized_keys")
        self.port = free_port()
        (folder / "config").write_text(CONFIG.format(port=self.port, folder=folder))
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(exist_ok=True)  # sshd as root requires this folder
        with open(folder / "log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen([program, "-D", "-e", "-f", str(folder / "config")], stderr=log)
        self._wait()

    def _wait(self) -> None:
        """Wait until it listens. Raise RuntimeError with its log if it does not."""
        deadline = time.monotonic() + START_S
        while "Server listening" not in self.log():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                raise RuntimeError(f"sshd did not start:\n{self.log()}")
            time.sleep(POLL_S)

    def log(self) -> str:
        """Return what it has logged so far."""
        return (self.folder / "log").read_text(encoding="utf-8")

    def command(self, *options: str) -> list[str]:
        """Return an ssh command line to this server; append the remote command."""
        return [
            "ssh", "-F", "none", "-i", str(self.folder / "user_key"), "-p", str(self.port),
            "-o", "IdentitiesOnly=yes", "-o", "StrictHostKeyChecking=accept-new", "-o", "LogLevel=ERROR",
            "-o", f"UserKnownHostsFile={self.folder / 'known_hosts'}", "-o", "BatchMode=yes",
            *options, f"{getpass.getuser()}@127.0.0.1",
        ]  # fmt: skip

    def stop(self) -> None:
        """Stop the server."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(5)


def free_port() -> int:
    """Return a TCP port on loopback that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
