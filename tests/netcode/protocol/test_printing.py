"""What is printed cannot control the terminal, and scripts still read what was there."""

import ast
import json
from pathlib import Path

import netcode
import tui
from netcode.protocol.printing import harmless, harmless_json

ORDERS = [chr(at) for at in (*range(10), *range(11, 32), *range(0x7F, 0xA0))] + ["\u202e", "\u2066", "\u200b", "\udc9b"]


def test_characters_that_control_the_terminal_are_replaced() -> None:
    assert harmless("a\x1b[31mb\u202ec\nd é") == "a\ufffd[31mb\ufffdc\nd é"
    for order in ORDERS:
        assert harmless(f"a{order}b") == "a\ufffdb"
        text = harmless_json(json.dumps([f"a{order}b"], ensure_ascii=False))
        assert order not in text and json.loads(text) == [f"a{order}b"]


def test_commands_print_through_this_module_only() -> None:
    """The host's first lines (a QR code among them) and the bots' pipe hold nothing of strangers."""
    own = {"netcode/protocol/printing.py", "netcode/reporting.py", "netcode/sandbox/child.py"}
    found = []
    for package in (netcode, tui):
        root = Path(package.__file__ or "").resolve().parents[1]
        for path in sorted(Path(package.__file__ or "").resolve().parent.rglob("*.py")):
            name = path.relative_to(root).as_posix()
            calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
            prints = [call for call in calls if ast.unparse(call.func) in ("print", "click.echo", "click.secho")]
            found += [f"{name}:{call.lineno} {ast.unparse(call)[:60]}" for call in prints if name not in own]
    assert [line for line in found if "join string: " not in line] == []
