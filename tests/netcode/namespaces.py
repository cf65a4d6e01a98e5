"""Network namespaces for tests: machines with networks of their own, from which nothing reaches a real network.

Only root may make them; everywhere else tests that need them are skipped, and say so.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, TypeVar

import pytest

Result = TypeVar("Result")
_CLONE_NEWNET = 0x40000000
_numbers = count()


def _possible() -> bool:
    if not sys.platform.startswith("linux") or os.geteuid() != 0 or shutil.which("ip") is None:
        return False
    name = f"kdtry{os.getpid()}"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True).returncode == 0
    subprocess.run(["ip", "netns", "del", name], capture_output=True)
    return made


needs_namespaces = pytest.mark.skipif(not _possible(), reason="network namespaces need Linux, root and `ip`")


class Machine:
    """A machine with a network of its own."""

    def __init__(self) -> None:
        self.name = f"kd{os.getpid()}x{next(_numbers)}"
        _ip("netns", "add", self.name)
        for setting in ("all/accept_dad", "default/accept_dad", "default/accept_ra"):
            self.run("sh", "-c", f"echo 0 >/proc/sys/net/ipv6/conf/{setting}")
        self.ip("link", "set", "lo", "up")

    @property
    def within(self) -> list[str]:
        """The command that runs another one on this machine."""
        return ["ip", "netns", "exec", self.name]

    def run(self, *command: str) -> None:
        """Run a command on this machine."""
        subprocess.run([*self.within, *command], check=True, capture_output=True)

    def ip(self, *arguments: str) -> None:
        """Run `ip` for this machine."""
        _ip("-n", self.name, *arguments)

    def address(self, interface: str, *addresses: str) -> None:
        """Give an interface these addresses (IP/PREFIX), and bring it up."""
        self.ip("link", "set", interface, "up")
        for one in addresses:
            self.ip("addr", "add", one, "dev", interface, *(["nodad"] if ":" in one else []))

    def vpn(self, interface: str, address: str) -> None:
        """Bring up an interface without neighbours that is the default route, as a VPN is."""
        self.ip("link", "add", interface, "type", "veth", "peer", "name", f"{interface}-far")
        self.ip("link", "set", interface, "arp", "off")
        self.ip("link", "set", f"{interface}-far", "up")
        self.address(interface, address)
        self.ip("route", "add", "default", "dev", interface)

    def wait_for_link(self) -> None:
        """Wait until lan0 has its link-local address: the kernel notices a carrier some time after the command."""
        command = ["ip", "-n", self.name, "-6", "-o", "addr", "show", "dev", "lan0", "scope", "link", "-tentative"]
        until = time.monotonic() + 20
        while not subprocess.run(command, check=True, capture_output=True).stdout:
            if time.monotonic() > until:
                raise TimeoutError(f"lan0 of {self.name} does not come up")
            time.sleep(0.02)

    def do(self, what: Callable[..., Result], *arguments: Any) -> Result:
        """Call a function on this machine: the sockets it makes, and those of threads it starts, belong to it."""
        results: list[Result] = []
        errors: list[BaseException] = []

        def call() -> None:
            try:
                with open(f"/run/netns/{self.name}") as namespace:
                    if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), _CLONE_NEWNET) != 0:
                        raise OSError(ctypes.get_errno(), f"the namespace {self.name} cannot be entered")
                results.append(what(*arguments))
            except BaseException as problem:
                errors.append(problem)

        thread = threading.Thread(target=call)
        thread.start()
        thread.join()
        if errors:
            raise errors[0]
        return results[0]

    def close(self) -> None:
        """Remove the machine."""
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True)


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


def _wire(one: str, port: str, other: str) -> None:
    """Connect this port of a machine with the interface lan0 of another."""
    _ip("link", "add", port, "netns", one, "type", "veth", "peer", "name", "lan0", "netns", other)


@contextmanager
def machines(number: int) -> Iterator[list[Machine]]:
    """Make these machines on one wire: each has the interface lan0, up and without an address but its link-local one.

    With three or more, the first is the switch between the others, and its ports are p1, p2, ..."""
    made: list[Machine] = []
    try:
        made.extend(Machine() for _ in range(number))
        if number == 2:
            _wire(made[0].name, "lan0", made[1].name)
        else:
            made[0].ip("link", "add", "switch", "type", "bridge", "mcast_snooping", "0")
            made[0].ip("link", "set", "switch", "up")
            for at, machine in enumerate(made[1:], 1):
                _wire(made[0].name, f"p{at}", machine.name)
                made[0].ip("link", "set", f"p{at}", "master", "switch", "up")
        ends = made if number == 2 else made[1:]
        for machine in ends:
            machine.ip("link", "set", "lan0", "up")
        for machine in ends:
            machine.wait_for_link()
        yield made
    finally:
        for machine in made:
            machine.close()
