"""Compile card text to flat instructions, so that the position in a text is one number in the state (Program.at)."""

from dataclasses import dataclass

from core.language import schema as v
from core.language.tree import Effects, child_texts

PARTS = ("play", "enter", "bad", "escaped", "killed", "turn_start", "won")
"""The texts of a card, numbered as in `Program.part`. The texts of its abilities follow, from len(PARTS) on."""


@dataclass(slots=True)
class Ins:
    """One instruction: an effect (None: a jump), and the address to go to if it succeeded, failed or was skipped.

    arms: if somebody chooses one of several texts, the address of each. code: for a `linger`, its number among those of
    the card; -1 for other effects.
    """

    op: v.Op | None
    ok: int
    fail: int
    skip: int
    arms: tuple[int, ...] = ()
    code: int = -1


class Compiler:
    """The compiler of the texts of one card. lingers: the lasting effects found in them so far."""

    def __init__(self) -> None:
        self.code: list[Ins] = []
        self.lingers: list[v.Linger] = []

    def compile(self, text: Effects) -> tuple[Ins, ...]:
        """Return one text as flat code; its lasting effects are added to `lingers`."""
        self.code = []
        self._text(text)
        return tuple(self.code)

    def _text(self, text: Effects) -> None:
        for op in text:
            self._effect(op)

    def _effect(self, op: v.Op) -> None:
        """Compile an effect and the texts within it by their keys: `then` runs next, `else` if the effect fails. Of
        texts under other keys, somebody chooses one."""
        at = len(self.code)
        ins = Ins(op, at + 1, at + 1, at + 1)
        self.code.append(ins)
        if isinstance(op, v.Linger):
            ins.code = len(self.lingers)
            self.lingers.append(op)
        texts = child_texts(op)
        self._text(texts.pop("then", ()))
        if op.loops:
            self.code.append(Ins(None, at, at, at))
            ins.fail = ins.skip = len(self.code)
        elif "else" in texts:
            self._otherwise(ins, texts["else"])
        elif texts:
            self._arms(ins, list(texts.values()))

    def _otherwise(self, ins: Ins, text: Effects) -> None:
        """Compile the `else` of an instruction, after a jump over it for when the instruction succeeded."""
        if text:
            jump = Ins(None, 0, 0, 0)
            self.code.append(jump)
            ins.fail = len(self.code)
            self._text(text)
            jump.ok = jump.fail = jump.skip = len(self.code)
        else:
            ins.fail = len(self.code)
        ins.skip = len(self.code)

    def _arms(self, ins: Ins, texts: list[Effects]) -> None:
        """Compile texts of which one runs: each ends with a jump past the last of them."""
        starts: list[int] = []
        jumps: list[Ins] = []
        for text in texts:
            starts.append(len(self.code))
            self._text(text)
            jumps.append(Ins(None, 0, 0, 0))
            self.code.append(jumps[-1])
        for jump in jumps:
            jump.ok = len(self.code)
        ins.arms = tuple(starts)
        ins.ok = ins.fail = ins.skip = len(self.code)
