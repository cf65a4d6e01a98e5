"""What a seat may do now, as menus: verbs on their letters, cards of the hand on their digits, answers to asks. Pure.

A menu is rebuilt from every view. The key of an entry stays the same while its meaning does, so that a player who is
choosing keeps their place when somebody else acts (see menu_state.py and keys.py).
"""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from core.queries.capacity import lowest_others
from core.state import actions as a
from core.state.actions import Action, Legal, Pick
from core.state.asks import BY_ACTION, OF_SEATS
from core.state.model import Ask
from core.text.grammar import capital
from tui.menus.ask_text import ask_title, cards_of, how_many, lying_words, option_labels, set_verb, struck_by
from tui.menus.danger import danger_of, winner_now
from tui.menus.entries import Entry, Go, Menu, Picker
from tui.menus.losing_cards import MARKED_FIRST, from_least, parting_danger
from tui.menus.narrowing import narrow, noted, option_place
from tui.menus.offer_editor import Draft, bargain_entries, concerns
from tui.menus.offer_text import offer_words, terms_of
from tui.scene.added import added_now
from tui.scene.arrival import only_carried_words
from tui.scene.card_text import ability_words, sacrifices
from tui.scene.gear import noun
from tui.scene.scene import Scene


# ------------------------------------------------------------------------------------------------------------ root
def root(scene: Scene) -> Menu:
    """Return the menu of everything this seat can do now; empty for a spectator, and while the table is paused.

    First the answers to asks, then the verbs, the cards and abilities, entries beside the game, and last those that
    give something up: a fight that can still be won, or the window, by passing.
    """
    you = scene.you
    if you is None or scene.info.stage == "paused":
        return Menu("", ())
    answers: list[Entry] = []
    auto = ""
    for ask in you.asks:
        found = _ask_entries(scene, ask)
        if len(found) == 1 and isinstance(found[0].go, Picker):
            auto = auto or found[0].key
        answers += found
    cards = [entry for card in scene.hand() if (entry := card_entry(scene, card)) is not None]
    uses = _use_entry(scene, you.legal)
    deal, side = _deal_entry(scene), _side_entries(scene, you.legal)
    if any(concerns(scene, deal) for deal in scene.view.offers):
        middle = [*deal, *cards, *uses, *side]
    elif scene.fight is not None:
        middle = [*cards, *uses, *deal, *side]
    else:
        middle = [*cards, *uses, *side, *deal]
    run = _running(scene, you.legal)
    entries = [*answers, *_verbs(scene, you.legal), *run, *middle, *_giving_up(scene, you.legal)]
    return Menu("", tuple(entries), auto, len(answers))


_DONE = {True: "ready, begin", False: "go on to the end of your turn"}
"""The words for an action that ends first cards, or the phase in which a seat may neither fight nor loot."""
_VERBS: dict[type, tuple[str, Callable[[Scene], str]]] = {
    a.Done: ("table.again", lambda scene: _DONE[scene.view.top == "setup"]),
    a.Kick: ("table.kick", lambda scene: scene.lexicon.phase("kick").lower()),
    a.Claim: ("table.claim", lambda scene: "claim the kill"),
    a.Loot: ("table.loot", lambda scene: scene.lexicon.phase("loot").lower()),
    a.EndTurn: ("table.end", lambda scene: "end your turn"),
}
"""The verbs of the turn and the fight: the binding of each, and its words."""


def _verbs(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return entries for the main verbs of the turn and the fight."""
    entries: list[Entry] = []
    trouble = [option.action for option in legal if isinstance(option.action, a.Trouble)]
    if trouble:
        monsters = tuple(_trouble_entry(scene, action) for action in trouble)
        words = scene.lexicon.phase("trouble").lower()
        one = replace(monsters[0], key="trouble", on="table.trouble")
        several = Entry("trouble", f"{words}..", Menu(f"{capital(words)} with which monster?", monsters), on=one.on)
        entries.append(one if len(monsters) == 1 else several)
    for kind, (on, words_for) in _VERBS.items():
        found = [option for option in legal if type(option.action) is kind]
        if found:
            words = words_for(scene)
            entries.append(Entry(_tag(found[0].action), words, narrow(scene, capital(words), found), on=on))
    return entries


def _trouble_entry(scene: Scene, action: a.Trouble) -> Entry:
    words = f"fight {scene.title(action.card)} (Level {scene.card(action.card).level})"
    return Entry(f"trouble:{action.card}", words, action, action.card)


def _giving_up(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return the entries that come last: giving the fight up, and passing."""
    up = [Entry("flee", "give up and run", option.action, on="table.run")
          for option in legal if isinstance(option.action, a.Flee)]  # fmt: skip
    return [*up, *_pass_entry(scene)]


def _running(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return the entry for the roll to run away, or the menu of these rolls."""
    ways = [
        Entry(f"roll:{option.action.monster}", f"run from {scene.monster(option.action.monster)}", option.action)
        for option in legal if isinstance(option.action, a.Roll)
    ]  # fmt: skip
    if not ways:
        return []
    ways += _abandon(scene, legal)
    one = replace(ways[0], on="table.run")
    several = Entry("run", "run..", Menu("Run from which monster first?", tuple(ways)), on="table.run")
    return [one if len(ways) == 1 else several]


def _pass_entry(scene: Scene) -> list[Entry]:
    """Return the entry that passes the open window, or ends the player's hold of it."""
    view, you = scene.view, scene.you
    window = view.window
    if window is None or you is None:
        return []
    holds = any(ask.kind == "hold" for ask in you.asks)
    if window.passed and not holds:
        return []
    winner = winner_now(scene)
    words = f"let {winner} win the game" if winner else "go on" if holds else "pass"
    return [Entry(f"pass:{window.id}", words, a.Pass(window.id), on="prompt.pass")]


def _abandon(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return entries for the slow Vehicles that can be abandoned before the roll."""
    cards = [option.action for option in legal if isinstance(option.action, a.Discard)]
    slow = [action for action in cards if scene.definition(action.card).slot == "vehicle"]
    return [Entry(f"abandon:{act.card}", _act_words(scene, act), act, act.card) for act in slow]


def _tag(action: Action) -> str:
    return str(type(action).__struct_config__.tag)


# ------------------------------------------------------------------------------------------------------------ asks
def _answer(ask: Ask, option: int, label: str, danger: str) -> Entry:
    card = option if option in cards_of(ask) else 0
    seat = option if ask.kind in OF_SEATS else -1
    return Entry(f"ask{ask.id}:{option}", label, a.Answer(ask.id, (option,)), card, seat, danger=danger)


def _ask_entries(scene: Scene, ask: Ask) -> list[Entry]:
    """Return the answers to an ask with options: one entry for each, or one for a set to pick."""
    if not ask.options or ask.kind in BY_ACTION:
        return []
    labels = dict(zip(ask.options, option_labels(scene, ask), strict=True))
    options = from_least(scene, ask)
    danger = parting_danger(scene, ask)
    words = [labels[option] + option_place(scene, option) for option in options]
    if ask.hi == 1 and ask.kind not in MARKED_FIRST:
        entries = [_answer(ask, option, label, danger((option,))) for option, label in zip(options, words, strict=True)]
        return entries + ([Entry(f"ask{ask.id}:none", "none", a.Answer(ask.id, ()))] if ask.lo == 0 else [])
    pick = Pick("picks", tuple(options), ask.lo, ask.hi)
    picker = Picker(
        ask_title(scene, ask), pick, tuple(words), lambda chosen: a.Answer(ask.id, chosen), set_verb(ask),
        danger=danger, holders=_takers(scene) if ask.kind == "charity" else (),
    )  # fmt: skip
    return [Entry(f"ask{ask.id}", f"{how_many(ask.lo, ask.hi)}..", picker)]


def _takers(scene: Scene) -> tuple[int, ...]:
    """Return the players among whom charity is shared; none if all of it goes to one."""
    takers = lowest_others(scene.view.seats, scene.me)
    return tuple(takers) if len(takers) > 1 else ()


# ----------------------------------------------------------------------------------------------------------- cards
def card_menu(scene: Scene, card: int) -> Menu:
    """Return the menu of what can be done with one card, in hand or in play."""
    you = scene.you
    legal = [option for option in you.legal if getattr(option.action, "card", 0) == card] if you else []
    name = scene.title(card)
    entries = []
    groups: dict[tuple[str, int], list[Legal]] = {}
    for option in legal:
        ability = option.action.ability if isinstance(option.action, a.Use) else -1
        groups.setdefault((_tag(option.action), ability), []).append(option)
    for (tag, ability), found in groups.items():
        words = _act_words(scene, found[0].action) + _sole_words(scene, found)
        go = narrow(scene, name if tag == "play" else words, found)
        if tag == "play":
            words = _play_words(scene, card, go) + _sole_words(scene, found)
        key = f"{tag}{ability if ability >= 0 else ''}{_sole_key(scene, found)}"
        entries.append(Entry(key, noted(words, found), go, card))
    sales = [option for option in _sales(you.legal) if option.pick and card in option.pick.among] if you else []
    if sales:
        entries.append(Entry("sell", f"sell {name}, with others..", narrow(scene, "Sell", sales), card))
    return Menu(f"{name}:", tuple(entries))


def _act_words(scene: Scene, action: Action) -> str:
    """Return the words for an action with its card: `play Duct Tape`."""
    name = scene.title(getattr(action, "card", 0))
    card = scene.card(getattr(action, "card", 0))
    if isinstance(action, a.Play):
        return f"play {name}"
    if isinstance(action, a.Use):
        if sacrifices(scene.definition(action.card), action.ability):
            return f"sacrifice {name} and escape"
        return f"use {name}: {ability_words(scene.definition(action.card), action.ability)}"
    if isinstance(action, a.Discard) and card.slot == "vehicle":
        return f"abandon {name}, run without it"
    if isinstance(action, a.Unequip):
        return f"get off {name}" if card.slot == "vehicle" else f"put {name} away"
    words = {a.Equip: "equip", a.Discard: "discard", a.Trouble: "look for trouble with"}
    return f"{words.get(type(action), _tag(action))} {name}"


def card_entry(scene: Scene, card: int) -> Entry | None:
    """Return what the key of a card in hand does: the only thing it can do, or a menu of several. Selling does not
    count as one of several: it has a key of its own. None: the card can do nothing."""
    menu = card_menu(scene, card)
    ways = [entry for entry in menu.entries if entry.key != "sell"] or list(menu.entries)
    if not ways:
        return None
    if len(ways) > 1:
        return Entry(f"card:{card}", f"{scene.title(card)}..", replace(menu, entries=tuple(ways)), card)
    only = ways[0]
    return replace(only, key=f"card:{card}:{only.key}")


def _use_entry(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return the entry for the abilities of cards in play; several share it."""
    uses: dict[tuple[int, int], list[Legal]] = {}
    for option in legal:
        if isinstance(option.action, a.Use):
            uses.setdefault((option.action.card, option.action.ability), []).append(option)
    entries = []
    for (card, ability), found in uses.items():
        words = _act_words(scene, found[0].action) + _sole_words(scene, found)
        key = f"use:{card}:{ability}{_sole_key(scene, found)}"
        entries.append(Entry(key, noted(words, found), narrow(scene, words, found), card))
    if len(entries) == 1:
        return [replace(entries[0], on="table.use")]
    menu = Menu("Use which ability?", tuple(entries))
    return [Entry("use", f"use {_uses_words(scene, list(uses))}..", menu, on="table.use")] if entries else []


def _uses_words(scene: Scene, uses: Sequence[tuple[int, int]]) -> str:
    """Return which abilities can be used, each as its card and number: the cards, or the names of a card's own ones;
    of three or more, those beyond the first are counted."""
    names = list(dict.fromkeys(noun(scene.title(card)) for card, _ in uses))
    own = ""
    if len(names) == 1:
        own = f"{names[0]}: "
        names = [ability_words(scene.definition(card), number).partition(": ")[0] for card, number in uses]
    few = len(names) == 2 and len(own) + sum(map(len, names)) <= _USES_CELLS
    return own + (" or ".join(names) if few else f"{names[0]}, {len(names) - 1} more")


_USES_CELLS = 24
"""The names of two abilities stand in one row if they have at most this many characters."""


def _play_words(scene: Scene, card: int, go: Go) -> str:
    bonus = 0 if only_carried_words(scene, card) else added_now(scene, card)
    dots = ".." if isinstance(go, Menu | Picker) else ""
    return f"play {scene.title(card)}{_joining_words(scene, card)}{f' {bonus:+d}' if bonus else ''}{dots}"


def _joining_words(scene: Scene, card: int) -> str:
    """Return why a monster may join the fight from the hand: ` (Undead joins Undead)`; "" for any other card."""
    printed, there = scene.card(card), scene.fight.monsters if scene.fight is not None else []
    shared = [tag for tag in printed.tags if tag in scene.catalog.joining and any(tag in met.tags for met in there)]
    if printed.kind != "monster" or not shared:
        return ""
    name = scene.catalog.tag_names.get(shared[0], shared[0])
    return f" ({name} joins {name})"


def _sole_target(scene: Scene, found: Sequence[Legal]) -> int:
    """Return the card at which all of these rows are aimed, if their words name it: the card just played that they
    would undo, or the only lasting Curse that they could end; 0 for other rows."""
    action = found[0].action
    if not isinstance(action, a.Play | a.Use):
        return 0
    definition = scene.definition(action.card)
    aim = definition.target if isinstance(action, a.Play) else definition.abilities[action.ability].target
    alone = all(getattr(option.action, "target", 0) == action.target for option in found)
    return action.target if aim in ("played", "curse") and alone else 0


def _sole_words(scene: Scene, found: Sequence[Legal]) -> str:
    """Return the words for the only target of all these rows, where several would be possible."""
    card = _sole_target(scene, found)
    if not card:
        seat = getattr(found[0].action, "seat", -1) if len(found) == 1 else -1
        own = seat == scene.me and scene.card(getattr(found[0].action, "card", 0)).kind == "level"
        return "" if seat < 0 or own else f" on {'yourself' if seat == scene.me else scene.name(seat)}"
    return f" {'to end' if struck_by(scene, card) >= 0 else 'on'} {lying_words(scene, card)}"


def _sole_key(scene: Scene, found: Sequence[Legal]) -> str:
    """Return a key that changes when the same entry is aimed at another card."""
    card = _sole_target(scene, found)
    return f":{card}" if card else ""


# ------------------------------------------------------------------------------------------------- gear, sale, trade
_GEAR = (a.Equip, a.Unequip, a.Discard)


def _side_entries(scene: Scene, legal: Sequence[Legal]) -> list[Entry]:
    """Return entries for selling and gear, each of which opens a menu or a set."""
    entries = []
    sales = _sales(legal)
    if sales:
        entries.append(Entry("sell", "sell Items for a level..", narrow(scene, "Sell", sales), on="table.sell"))
    gear = gear_menu(scene)
    if len(gear.entries) == 1 and isinstance(gear.entries[0].go, a.Discard):
        # A single possibility needs no question. One that can be reversed keeps its question: a held key would repeat
        # it without end.
        entries.append(replace(gear.entries[0], key="gear", on="table.gear"))
    elif gear.entries:
        entries.append(Entry("gear", f"{_gear_words(scene, gear)}..", gear, on="table.gear"))
    return entries


def _gear_words(scene: Scene, gear: Menu) -> str:
    """Return the words for what can be done with the gear: its name if that is one thing. Where cards can only be given
    up, do not speak of changing."""
    acts = {(type(entry.go), entry.card): _act_words(scene, entry.go) for entry in gear.entries
            if isinstance(entry.go, _GEAR)}  # fmt: skip
    if len(acts) == 1:
        return next(iter(acts.values()))
    return "discard a card" if all(kind is a.Discard for kind, _ in acts) else "change your gear"


def _sales(legal: Sequence[Legal]) -> list[Legal]:
    return [option for option in legal if isinstance(option.action, a.Sell)]


def gear_menu(scene: Scene) -> Menu:
    """Return the menu of what can be done with the player's cards in play; discarding comes last."""
    you = scene.you
    entries = []
    for option in you.legal if you else ():
        if isinstance(option.action, _GEAR):
            carrier = getattr(option.action, "carrier", 0)
            both = getattr(option.action, "both", False)
            words = _act_words(scene, option.action) + (f", carried by {scene.title(carrier)}" if carrier else "")
            words += " in both hands" if both else ""
            card = option.action.card
            entries.append(Entry(f"{_tag(option.action)}:{card}:{carrier}:{both}", words, option.action, card))
    return Menu("Your gear:", tuple(sorted(entries, key=lambda entry: entry.key.startswith("discard"))))


def _deal_entry(scene: Scene) -> list[Entry]:
    """Return the entry for offers and gifts: answering, making and taking back."""
    menu = deal_menu(scene)
    if not menu.entries:
        return []
    only = menu.entries[0]
    if len(menu.entries) == 1 and isinstance(only.go, Draft | Menu | Picker):
        return [replace(only, key="deal", on="table.deal")]  # a step that asks further needs no menu before it
    offered = [deal for deal in scene.view.offers if concerns(scene, deal)]
    if offered:
        words = f"answer {scene.name(offered[0].frm)}: {terms_of(scene, offered[0])}.."
    else:
        kinds = [_DEALS[entry.key.partition(":")[0]] for entry in menu.entries]
        words = f"{', '.join(list(dict.fromkeys(kinds))[:2])}.."
        if scene.fight is not None and scene.fight.seat == scene.me:
            words = words.replace(_DEALS["help"], "ask for help")
    return [Entry("deal", words, menu, on="table.deal")]


_DEALS = {"help": "offer help", "trade": "trade", "give": "give Items", "withdraw": "take an offer back"}
"""The words of the row that opens the menu of deals, by what is in the menu."""


def deal_menu(scene: Scene) -> Menu:
    """Return the menu of offers to answer and to begin, and of gifts."""
    entries = [Entry(key, label, go) for key, label, go in bargain_entries(scene)] if scene.you is not None else []
    gifts = [option for option in scene.you.legal if isinstance(option.action, a.Give)] if scene.you else []
    if gifts:
        entries.append(Entry("give", "give Items away..", narrow(scene, "Give", gifts)))
    offered = [deal for deal in scene.view.offers if concerns(scene, deal)]
    title = f"{capital(offer_words(scene, offered[0]))}. Accept?" if offered else "What kind of deal?"
    return Menu(title, tuple(sorted(entries, key=lambda entry: bool(danger_of(scene, entry.go)))))


def playable(scene: Scene) -> set[int]:
    """Return the cards in hand that can be used now."""
    you = scene.you
    if you is None:
        return set()
    cards = {getattr(option.action, "card", 0) for option in you.legal}
    cards |= {card for option in _sales(you.legal) if option.pick for card in option.pick.among}
    cards |= {option for ask in you.asks for option in ask.options}
    return {card for card in you.hand if card in cards}

