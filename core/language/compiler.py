"""Card text compiled to flat code, once, so that at run time the place in a text is one number (see model.Program) and
nesting is gone."""

from dataclasses import dataclass

from core.language import schema as v

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
        at = len(self.code)
        ins = Ins(op, at + 1, at + 1, at + 1)
        self.code.append(ins)
        if isinstance(op, v.Linger):
            ins.code = len(self.lingers)
            self.lingers.append(op)
        elif isinstance(op, v.Branch):
            self._block(op.then)
            self._otherwise(ins, op.else_)
        elif isinstance(op, v.Option):
            self._arms(ins, op)
        elif isinstance(op, v.Each):
            self._block(op.then)
            self.code.append(Ins(None, at, at, at))
            ins.fail = ins.skip = len(self.code)
        elif isinstance(op, v.Discard | v.Take | v.ChooseSeat) and op.else_:
            self._otherwise(ins, op.else_)

    def _otherwise(self, ins: Ins, ops: tuple[v.Op, ...]) -> None:
        """What is compiled so far is the good case; the else follows, and is jumped over."""
        if not ops:
            ins.fail = ins.skip = len(self.code)
            return
        jump = Ins(None, 0, 0, 0)
        self.code.append(jump)
        if not isinstance(ins.op, v.Branch):
            ins.ok = len(self.code) - 1
        ins.fail = len(self.code)
        self._block(ops)
        jump.ok = jump.fail = jump.skip = len(self.code)
        ins.skip = len(self.code)

    def _arms(self, ins: Ins, op: v.Option) -> None:
        starts: list[int] = []
        jumps: list[Ins] = []
        for choice in op.of:
            starts.append(len(self.code))
            self._block(choice.do)
            jump = Ins(None, 0, 0, 0)
            jumps.append(jump)
            self.code.append(jump)
        end = len(self.code)
        for jump in jumps:
            jump.ok = end
        ins.arms = tuple(starts)
        ins.ok = ins.fail = ins.skip = end
