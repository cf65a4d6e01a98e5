"""A question with its numbered choices, and what an answer means. Pure."""

from msgspec import Struct
from msgspec.structs import replace

from core.state import actions as a
from core.text.grammar import listed as in_list
from tui.menus.ask_text import how_many
from tui.menus.danger import gist
from tui.menus.entries import Entry, Go, Menu, Picker
from tui.menus.menu_state import MenuState, danger_in
from tui.menus.outlooks import of_entry
from tui.menus.prompts import PASS, Prompt
from tui.scene.bad_stuff import bad_stuff
from tui.scene.outlook import Outlook, of_card
from tui.scene.scene import FIRST_CARD, Scene


class Question(Struct, frozen=True):
    """What is asked, the words of its choices in the order of their numbers, and how to answer.

    face: changes whenever a number would mean something else. urgent: this player must act.
    """

    text: str
    choices: tuple[str, ...]
    how: str
    face: tuple[object, ...]
    urgent: bool = True

    def lines(self) -> list[str]:
        """Return the question as it is printed: what is asked, a line for each choice, how to answer."""
        asked = f"You are asked: {self.text}" if self.urgent else self.text
        return [asked, *(f"{number}. {words}" for number, words in enumerate(self.choices, 1)), self.how]


def listed(scene: Scene, here: Menu | Picker) -> Menu | Picker:
    """Return a menu as it is printed. Entries that only repeat an entry with a verb are left out. After the entries
    that answer the question come the others: first the ordinary ones, then those that ask for confirmation, then
    passing."""
    if isinstance(here, Picker):
        return here
    verbs = [entry.go for entry in here.entries if entry.on]
    kept = [entry for at, entry in enumerate(here.entries) if at < here.asked or entry.on or entry.go not in verbs]
    kept[here.asked :] = sorted(kept[here.asked :], key=lambda one: (one.on == PASS, bool(danger_in(scene, one))))
    return replace(here, entries=tuple(kept))


def question_of(scene: Scene, menus: MenuState, here: Menu | Picker, prompt: Prompt) -> Question:
    """Return the question of this moment. here: the open menu or set."""
    back = menus.nested and not menus.automatic
    if isinstance(here, Picker):
        words = tuple(_member(scene, here, at) for at in range(len(here.labels)))
        face: tuple[object, ...] = ("set", tuple(menus.path), here.title, words)
        return Question(_set_words(here) + _shared_words(scene, here), words, _how_to_pick(here, back), face)
    words = tuple(_entry(scene, entry) for entry in here.entries)
    text = prompt.question if scene.info.vote is not None else prompt.text  # a vote's words count seconds
    face = ("menu", prompt.ident, text, tuple(entry.key for entry in here.entries), words)
    urgent = prompt.urgent or menus.nested
    return Question(prompt.text, words, how_to_choose(len(words), back, here.grave), face, urgent)


def _entry(scene: Scene, entry: Entry) -> str:
    """Return the words of an entry, with what it would lead to."""
    question = danger_in(scene, entry)
    danger = f" (asks first: {gist(question)})" if question else ""
    outlook = of_entry(scene, entry)
    told = f"{bare(entry)}{_aimed(scene, entry, outlook)}"
    return f"{told}{_foreseen(outlook, told)}{_caught(scene, entry.go)}{danger}"


def _aimed(scene: Scene, entry: Entry, outlook: Outlook) -> str:
    """Return the answer to the next question that this outlook assumes: ` (Cyril)`."""
    if not outlook.sums or not isinstance(entry.go, Menu) or entry.on:
        return ""
    found = next((one for one in entry.go.entries if of_entry(scene, one) == outlook), None)
    return f" ({bare(found).partition(' (')[0]})" if found is not None else ""


def _caught(scene: Scene, go: Go) -> str:
    """Return what being caught costs the player who runs now: by one monster, or by each."""
    fight = scene.fight
    if fight is None or not isinstance(go, a.Flee | a.Roll):
        return ""
    met = [monster for monster in fight.monsters if not isinstance(go, a.Roll) or monster.id == go.monster]
    costs = [bad_stuff(scene, monster.defn).rstrip(".") for monster in met]
    if len(met) > 1:
        costs = [f"by {scene.monster(monster.id)}: {cost}" for monster, cost in zip(met, costs, strict=True)]
    return f"; caught{':' * (len(met) == 1)} {'; '.join(costs)}" if met else ""


def bare(entry: Entry) -> str:
    """Return the label of an entry without the dots that announce another question."""
    return " ".join(entry.label.replace("..", "").split())


def _member(scene: Scene, picker: Picker, at: int) -> str:
    ident = picker.pick.among[at]
    price = picker.pick.worth or picker.pick.field == "pay"  # a card that is paid does not take effect
    foreseen = _foreseen(of_card(scene, ident)) if ident >= FIRST_CARD and not price else ""
    return f"{picker.labels[at]}{foreseen}"


def _foreseen(outlook: Outlook, label: str = "") -> str:
    """Return what a choice would lead to: `: 18 to 22, he loses`; a separate sentence if the label ends with a full
    stop."""
    words = foreseen(outlook)
    if not words:
        return ""
    return f" Then: {words}" if label.endswith(".") else f": {words}"


def foreseen(outlook: Outlook) -> str:
    """Return an outlook in words: `18 to 22, he loses, pay 1 card`. A win of the game is mentioned only once."""
    words = outlook.words[0] if outlook.words else ""
    more = [part for part in outlook.more.split(", ") if not (part == "wins the game" and "the game" in words)]
    return ", ".join(part for part in (outlook.sums, words, *more) if part).replace(" : ", " to ")


def _set_words(picker: Picker) -> str:
    """Return the question for a set of choices: how many to choose, and what they have to be worth."""
    pick = picker.pick
    many = how_many(pick.lo, pick.hi)
    text = picker.title if picker.title.endswith((".", "?", "!", ":")) else f"{picker.title}:"
    text = f"{text.rstrip(':.')}. What do you pay?" if pick.field == "pay" else text
    worth = f", worth {pick.sum_at_least} gold or more" if pick.sum_at_least else ""
    lost = " Gold beyond whole Levels is lost." if pick.sum_at_least else ""
    return f"{text[:1].upper()}{text[1:]} {many[:1].upper()}{many[1:]}{worth}.{lost}"


def _shared_words(scene: Scene, picker: Picker) -> str:
    """Return among whom the chosen ones are shared, for which further questions follow; empty if they are not."""
    if not picker.holders:
        return ""
    names = in_list([scene.who(seat) for seat in picker.holders], "and")
    return f" They are shared among {names}, as evenly as possible: who gets which is asked next."


def _how_to_pick(picker: Picker, back: bool) -> str:
    most = len(picker.labels)
    if picker.pick.lo == picker.pick.hi == 1 and most:
        return how_to_choose(most, back, grave=False)
    example = " ".join(map(str, _example(picker)))
    none = ", or none" if picker.pick.lo == 0 and not picker.pick.sum_at_least else ""
    if not most:
        return f"There is nothing to choose from: answer none{', or back' if back else ''}."
    return f"Answer with all numbers in one line, for example {example}{none}{', or back' if back else ''}."


def _example(picker: Picker) -> range:
    """Return numbers that would be taken: the first ones, as many as are needed."""
    most, pick = len(picker.labels), picker.pick
    few = max(1, pick.lo)
    enough = (many for many in range(few, min(most, pick.hi) + 1)
              if picker.total(pick.among[:many]) >= pick.sum_at_least)  # fmt: skip
    return range(1, next(enough, min(most, few)) + 1)


def how_to_choose(most: int, back: bool, grave: bool) -> str:
    """Return how to answer a menu of this many choices."""
    if grave:
        return "Answer yes or no."
    span = "1" if most == 1 else f"1 to {most}"
    if not most:
        return "Nothing can be chosen now; help lists what you can say."
    return f"Answer {span}{', or back' if back else ''}."


# ------------------------------------------------------------------------------------------------------------ answers
def numbers_in(text: str) -> tuple[int, ...] | None:
    """Return the numbers of a line, without repeats: `1 3 4` or `1,3,4`; None if it is something else."""
    words = text.replace(",", " ").split()
    if not words or not all(word.isascii() and word.isdecimal() and len(word) <= 3 for word in words):
        return None
    return tuple(dict.fromkeys(int(word) for word in words))


def numbers_to(most: int) -> str:
    """Return which numbers can be chosen, in words."""
    if most < 2:
        return "the only choice is 1" if most else "nothing can be chosen"
    return f"the numbers go from 1 to {most}"


def problem_with(picker: Picker, numbers: tuple[int, ...]) -> str:
    """Return what is wrong with this set of choices; empty if it can be handed in."""
    most, pick = len(picker.labels), picker.pick
    wrong = [number for number in numbers if not 1 <= number <= most]
    if wrong:
        return f"There is no {wrong[0]}: {numbers_to(most)}."
    if not pick.lo <= len(numbers) <= pick.hi:
        return f"That is {len(numbers)}: {how_many(pick.lo, pick.hi)}."
    total = picker.total(pick.among[number - 1] for number in numbers)
    if total < pick.sum_at_least:
        return f"That is {total} gold: {pick.sum_at_least} are needed."
    return ""


VERBS = ("pass", "kick", "claim", "run", "loot", "trouble", "end", "sell", "gear", "deal", "use")
"""Words that choose the entry of that kind, whatever its number."""


def entry_named(menu: Menu, word: str) -> Entry | None:
    """Return the entry that a word chooses: a verb such as `kick` or `pass`; `yes` or `no` if the question is one of
    these."""
    if word in ("yes", "no"):
        return next((entry for entry in menu.entries if entry.key == word), None)
    return next((entry for entry in menu.entries if entry.on and entry.on.partition(".")[2] == word), None)
