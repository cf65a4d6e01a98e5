"""Card text compiled to flat code, once, so that at run time the place in a text is one number (see model.Program) and
nesting is gone."""

from dataclasses import dataclass

from core.language import schema as v
from core.language.tree import child_texts

PARTS = ("play", "enter", "bad", "escaped", "killed", "turn_start")
"""The parts of a card that are text to be carried out; abilities follow, numbered from len(PARTS)."""


@dataclass(slots=True)
class Ins:
    """One instruction: an op of the card language; where to go if it worked, failed, or was not called for."""

    op: v.Op | None
    ok: int
    fail: int
    skip: int
    arms: tuple[int, ...] = ()
    code: int = -1


class Compiler:
    """Flattens nested ops into instructions with addresses."""

    def __init__(self) -> None:
        self.code: list[Ins] = []
        self.lingers: list[v.Linger] = []

    def part(self, ops: tuple[v.Op, ...]) -> tuple[Ins, ...]:
        """One part of a card, as flat code; what it leaves in play is added to `lingers`."""
        self.code = []
        self._block(ops)
        return tuple(self.code)

    def _block(self, ops: tuple[v.Op, ...]) -> None:
        for op in ops:
            self._one(op)

    def _one(self, op: v.Op) -> None:
        """One effect and the texts within it, told apart by key: `then` follows, `else` is for when it fails, any
        others are what somebody chooses from."""
        at = len(self.code)
        ins = Ins(op, at + 1, at + 1, at + 1)
        self.code.append(ins)
        if isinstance(op, v.Linger):
            ins.code = len(self.lingers)
            self.lingers.append(op)
        texts = child_texts(op)
        self._block(texts.pop("then", ()))
        if op.loops:
            self.code.append(Ins(None, at, at, at))
            ins.fail = ins.skip = len(self.code)
        elif "else" in texts:
            self._otherwise(ins, texts["else"])
        elif texts:
            self._arms(ins, list(texts.values()))

    def _otherwise(self, ins: Ins, ops: tuple[v.Op, ...]) -> None:
        """What is compiled so far is the good case; the else follows, and is jumped over."""
        if ops:
            jump = Ins(None, 0, 0, 0)
            self.code.append(jump)
            ins.fail = len(self.code)
            self._block(ops)
            jump.ok = jump.fail = jump.skip = len(self.code)
        else:
            ins.fail = len(self.code)
        ins.skip = len(self.code)

    def _arms(self, ins: Ins, texts: list[tuple[v.Op, ...]]) -> None:
        """Texts of which one is run: it begins where `arms` says, and ends with a jump behind the last."""
        jumps = []
        starts = []
        for ops in texts:
            starts.append(len(self.code))
            self._block(ops)
            jumps.append(Ins(None, 0, 0, 0))
            self.code.append(jumps[-1])
        for jump in jumps:
            jump.ok = len(self.code)
        ins.arms = tuple(starts)
        ins.ok = ins.fail = ins.skip = len(self.code)
