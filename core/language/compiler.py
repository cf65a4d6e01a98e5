"""Compile card text to flat instructions, so that the position in a text is one number in the state (Program.at)."""

from dataclasses import dataclass

from core.language import schema as v
from core.language.drawbacks import PLAIN, Sense, choice_sense, effect_sense, meets_sense
from core.language.tree import Effects, child_texts, effects_within

PARTS = ("play", "enter", "bad", "escaped", "killed", "turn_start", "won")
"""The texts of a card, numbered as in `Program.part`. The texts of its abilities follow, from len(PARTS) on."""


@dataclass(slots=True)
class Ins:
    """One instruction: an effect (None: a jump), and the address to go to if it succeeded, failed or was skipped.

    arms: if somebody chooses one of several texts, the address of each. code: for a `linger`, its number among those of
    the card; -1 for other effects. sense: the sense of the effect's condition; inner: the senses of the conditions
    within it, on the seats to choose among or on each of several texts (drawbacks.py). compels: whether the seat that
    is chosen here must help in the fight.
    """

    op: v.Op | None
    ok: int
    fail: int
    skip: int
    arms: tuple[int, ...] = ()
    code: int = -1
    sense: Sense = PLAIN
    inner: tuple[Sense, ...] = ()
    compels: bool = False


def compels_chosen(rest: Effects) -> bool:
    """Return whether the text after the choice of a player makes the chosen player help."""
    return any(isinstance(op, v.Compel) and op.who == "chosen" for op in effects_within(rest))


class Compiler:
    """The compiler of the texts of one card. lingers: the lasting effects found in them so far."""

    def __init__(self) -> None:
        self.code: list[Ins] = []
        self.lingers: list[v.Linger] = []
        self._default: v.Who = "victim"

    def compile(self, text: Effects) -> tuple[Ins, ...]:
        """Return one text as flat code; its lasting effects are added to `lingers`."""
        self.code = []
        self._text(text)
        return tuple(self.code)

    def _text(self, text: Effects) -> None:
        for at, op in enumerate(text, 1):
            self._effect(op, text[at:])

    def _effect(self, op: v.Op, rest: Effects) -> None:
        """Compile an effect and the texts within it by their keys: `then` runs next, `else` runs if the effect fails,
        and somebody chooses one of the texts under other keys."""
        at = len(self.code)
        ins = Ins(op, at + 1, at + 1, at + 1, sense=effect_sense(op, self._default))
        self.code.append(ins)
        if isinstance(op, v.ChooseSeat):
            ins.inner = (meets_sense(op, rest),)
            ins.compels = compels_chosen(rest)
        elif isinstance(op, v.Option):
            ins.inner = tuple([choice_sense(op, choice, self._default) for choice in op.of])
        if isinstance(op, v.Linger):
            ins.code = len(self.lingers)
            self.lingers.append(op)
        texts = child_texts(op)
        outer = self._default
        self._default = "me" if op.loops else outer
        self._text(texts.pop("then", ()))
        self._default = outer
        if op.loops:
            self.code.append(Ins(None, at, at, at))
            ins.fail = ins.skip = len(self.code)
        elif "else" in texts:
            self._otherwise(ins, texts["else"])
        elif texts:
            self._arms(ins, list(texts.values()))

    def _otherwise(self, ins: Ins, text: Effects) -> None:
        """Compile the `else` of an instruction, and before it a jump that skips it if the instruction succeeded."""
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
        """Compile alternative texts, one of which runs: each ends with a jump past the last one."""
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
