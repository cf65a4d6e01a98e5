"""The table in sentences: the hand, the players, the fight, one card. Pure; each text is one line."""

from collections.abc import Iterable, Sequence

from core.state.model import Placed
from core.state.views import MonsterView
from core.text.grammar import listed
from tui.menus.offer_text import offer_words
from tui.scene import bots
from tui.scene.bad_stuff import bad_stuff
from tui.scene.card_text import paragraphs
from tui.scene.cells import count
from tui.scene.dealings import dealing_lines
from tui.scene.fight import NEED, away_words, gain, on_words, reached, tags_of, verdict_of
from tui.scene.gear import Piece, carried, equipped, full, identities, ranks, titled
from tui.scene.moments import Moment
from tui.scene.scene import Scene
from tui.scene.seal_lines import seal_lines
from tui.scene.situation import afflictions, curses, doing, has_seals, order, presence, seal_count, you_or
from tui.scene.story_text import sets_in_words
from tui.scene.strengths import strength_words
from tui.scene.sums import Row, foe_rows, hero_rows


def sentence(text: str) -> str:
    """Return a text as a sentence."""
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?', '!', ':')) else '.'}"


# ------------------------------------------------------------------------------------------------- what one meets first
def introduction(scene: Scene) -> list[str]:
    """Return who sits at the table of a game that begins, and what wins it."""
    seats = [seat for seat in range(len(scene.view.seats)) if seat != scene.me]
    names = [f"{scene.name(seat)}{' (a bot)' if scene.info.seats[seat].bot else ''}" for seat in seats]
    game = f"A game of {sets_in_words(scene.catalog)} with {listed(names)}."
    return [f"{game} Level {scene.view.win_level} wins it."]


def met_lines(scene: Scene, moments: Iterable[Moment]) -> list[str]:
    """Return the texts of cards that the reader has just met, by a door or a curse, and news for everybody: a Seal, and
    that somebody may win."""
    lines: list[str] = []
    for moment in moments:
        if moment.card >= 0 and (moment.kind == "seal" or (moment.touches and moment.kind in ("door", "curse"))):
            lines.append(" ".join(card_lines(scene, moment.card)[:2]))
        elif moment.kind == "called" and moment.seat != scene.me:
            lines.append(sentence(f"Match point: {moment.said}"))
    return list(dict.fromkeys(lines))


def presence_lines(scene: Scene, before: Sequence[str]) -> list[str]:
    """Return who has left, lost the connection or come back. before: the previous state of each seat."""
    now = [seat.state for seat in scene.info.seats]
    changed = [at for at, (old, new) in enumerate(zip(before, now, strict=False)) if old != new and at != scene.me]
    words = {"lost": "has lost the connection", "away": "is away: a bot plays", "gone": "is gone: a bot plays",
             "here": "is here again"}  # fmt: skip
    return [f"{scene.name(at)} {words[now[at]]}." for at in changed if now[at] in words]


# ------------------------------------------------------------------------------------------------------------- the hand
def hand_lines(scene: Scene) -> list[str]:
    """Return the player's hand, a card in each line, with the letter by which it can be read."""
    cards = scene.hand()
    if scene.me < 0:
        return ["You are a spectator and have no hand."]
    if not cards:
        return ["Your hand is empty."]
    head = f"Your hand, {count(len(cards), 'card')}. Say for example: read {_letter(0)}, or why {_letter(0)}."
    return [head, *(f"{_letter(at)}. {scene.title(card)}: {scene.facts(card)}." for at, card in enumerate(cards))]


def _letter(at: int) -> str:
    """Return the letter of a place in the hand: a to z, then aa, ab and so on."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[at] if at < len(letters) else _letter(at // len(letters) - 1) + letters[at % len(letters)]


def lettered(scene: Scene, word: str) -> int:
    """Return the card in hand with this letter; 0 if there is none."""
    return next((card for at, card in enumerate(scene.hand()) if _letter(at) == word.lower()), 0)


# ------------------------------------------------------------------------------------------------------------ a card
def card_lines(scene: Scene, number: int) -> list[str]:
    """Return a card in full, by the number of its definition: what it is, what it says."""
    definition = scene.catalog.cards[number]
    names = scene.lexicon.of(definition)
    texts = paragraphs(definition, names, scene.catalog.switches.special_any_time)
    return [f"{definition.card.name}. {texts[0]}", *texts[1:]]


def cards_named(scene: Scene, name: str) -> list[int]:
    """Return the definitions of the cards in play whose names match best: equal to this, else beginning with it, else
    containing it."""
    wanted = name.casefold().strip()
    names = {definition.no: definition.card.name.casefold() for definition in scene.catalog.cards}
    ways = (
        [number for number, other in names.items() if other == wanted],
        [number for number, other in names.items() if other.startswith(wanted)],
        [number for number, other in names.items() if wanted in other],
    )
    return next((found for found in ways if found), [])


# -------------------------------------------------------------------------------------------------------- the players
def seat_line(scene: Scene, seat: int) -> str:
    """Return a player in one line."""
    view = scene.seat(seat)
    hand = f"{count(view.hand, 'card')} in hand"
    parts = [f"Level {view.level}", f"strength {view.strength}", _nature(scene, seat), hand]
    parts += [curse_words(scene, seat)] if curses(scene, seat) else []
    doings = doing(scene, seat)[0]
    where = presence(scene, seat)[0]
    parts += [words for words in (doings, where) if words]
    return f"{you_or(scene, seat)}: {', '.join(parts)}."


def _nature(scene: Scene, seat: int) -> str:
    names, powers = identities(scene, seat)
    words = [*names, *powers] or [words.lower() for words in scene.lexicon.first.words.no_identity.values()]
    ranked = ranks(scene, seat)
    return ", ".join([*(words or ["nobody special"]), *([ranked] if ranked else [])])


def curse_words(scene: Scene, seat: int) -> str:
    """Return the lasting Curses on a seat: `curse: Bad Hat`."""
    word = scene.lexicon.curse(scene.catalog.cards[held.defn] for held in afflictions(scene, seat)).lower()
    return f"{word}: {' and '.join(curses(scene, seat))}"


def seat_lines(scene: Scene, seat: int) -> list[str]:
    """Return everything that is public about a player."""
    view = scene.seat(seat)
    lines = [seat_line(scene, seat)]
    if seat < len(scene.info.seats) and (who := bots.described(scene.info.seats[seat])):
        lines.append(f"{who[0].upper()}{who[1:]}.")
    lines += dealing_lines(*scene.dealings[seat]) if seat < len(scene.dealings) else []
    runs = on_words(NEED - view.run)
    lines.append(f"Runs away {runs}{f', {view.sex}' if view.sex else ''}{', dead until the next turn' * view.dead}.")
    lines += [f"In use: {_piece(scene, seat, piece)}." for piece in equipped(scene, seat)]
    lines += [f"Carried: {_piece(scene, seat, piece)}." for piece in carried(scene, seat)]
    lines += [f"Is: {_placed(scene, placed)}" for placed in view.table if _is_identity(scene, placed)]
    for held in view.lasting:
        state = "counts now" if held.armed else f"waits for the {held.until.replace('-', ' ')}"
        card = scene.printed(held.defn)
        lines.append(f"Lasting: {card.name}, {state}. {card.text}")
    if view.body:
        lines.append(f"Laid out to be looted: {', '.join(scene.title(card) for card in view.body)}.")
    return lines


def _is_identity(scene: Scene, placed: Placed) -> bool:
    return scene.card(placed.card).kind in ("identity", "double")


def _placed(scene: Scene, placed: Placed) -> str:
    return f"{titled(scene, placed)}. {scene.card(placed.card).text}"


def _piece(scene: Scene, seat: int, piece: Piece) -> str:
    return f"{full(scene, seat, piece)}, {scene.facts(piece.card)}"


def seats_named(scene: Scene, name: str) -> list[int]:
    """Return the players whose names begin with these words: `you` and `me` are yourself, numbers count from 1."""
    wanted = name.casefold().strip()
    if wanted in ("you", "me") and scene.me >= 0:
        return [scene.me]
    names = {seat: scene.name(seat).casefold() for seat in range(len(scene.view.seats))}
    equal = [seat for seat, other in names.items() if other == wanted]
    begins = equal or [seat for seat, other in names.items() if wanted and other.startswith(wanted)]
    if not begins and wanted.isdigit() and 1 <= int(wanted[:3]) <= len(names):
        return [int(wanted[:3]) - 1]
    return begins


# ---------------------------------------------------------------------------------------------------------- the table
def table_lines(scene: Scene) -> list[str]:
    """Return the whole table: whose turn it is, the fight, the players, the decks, what is offered."""
    view = scene.view
    turn = "First cards are laid out." if view.top == "setup" else f"Turn {view.turn_no}: {_whose(scene)} turn."
    lines = [f"{turn} Level {view.win_level} wins the game."]
    lines += fight_lines(scene)
    lines += [seat_line(scene, seat) for seat in order(scene)]
    lines += [f"Offer: {offer_words(scene, deal)}." for deal in view.offers]
    lines.append(f"{count(view.doors, 'Door card')} and {count(view.treasures, 'Treasure card')} in the decks.")
    top = [f"{deck} {scene.printed(number).name}" for deck, number in
           (("Doors", view.door_top), ("Treasures", view.treasure_top)) if number >= 0]  # fmt: skip
    lines += [f"On top of the discards: {', '.join(top)}."] if top else []
    return lines + ([f"{seal_count(scene)}."] if has_seals(scene) else [])


def _whose(scene: Scene) -> str:
    return "your" if scene.view.turn == scene.me else f"{scene.name(scene.view.turn)}'s"


def seal_words(scene: Scene) -> list[str]:
    """Return the Seals."""
    if not has_seals(scene):
        return ["The sets in play have no Seals."]
    return [sentence(text.strip()) for text, _ in seal_lines(scene) if text.strip()]


# ---------------------------------------------------------------------------------------------------------- the fight
def fight_lines(scene: Scene) -> list[str]:
    """Return the fight: who fights what, who wins, what it pays, what being caught costs; [] if there is none."""
    fight = scene.fight
    if fight is None:
        return []
    names = [_monster(scene, at) for at in range(len(fight.monsters))]
    mine = fight.seat == scene.me
    helper = f" with {scene.who(fight.helper)}" if fight.helper >= 0 else ""
    against = " and ".join(names) or "no monster any more"
    lines = [f"{you_or(scene, fight.seat)} {'fight' if mine else 'fights'}{helper} against {against}."]
    lines.append(f"{fight.heroes} to {fight.foes}: {_verdict(scene)}. Winning pays {gain(fight)}"
                 f"{_goal(scene)}.")  # fmt: skip
    for monster in fight.monsters:
        name = scene.monster(monster.id)
        runs = "; ".join(_runs(scene, seat, monster) for seat in (fight.seat, fight.helper) if seat >= 0)
        lines.append(f"{name}, when running: {runs}. Caught: {bad_stuff(scene, monster.defn)}")
    return lines


def _runs(scene: Scene, seat: int, monster: MonsterView) -> str:
    """Return a seat's odds of getting away: `you get away on 5 or 6 (33 %)`, `Bo never gets away`."""
    verb, odds = "get" if seat == scene.me else "gets", away_words(scene, seat, monster)[0]
    sure = odds in ("never", "always")
    return f"{scene.who(seat)} {odds} {verb} away" if sure else f"{scene.who(seat)} {verb} away {odds}"


def _goal(scene: Scene) -> str:
    fight = scene.fight
    if fight is None:
        return ""
    return f" and reaches Level {reached(scene)}" + (": it wins the game" if fight.match_point else "")


def _verdict(scene: Scene) -> str:
    """Return who wins now and how much strength would turn the fight."""
    fight = scene.fight
    if fight is None or not fight.monsters:
        return "no monster is left"
    found = verdict_of(fight)
    name = you_or(scene, fight.seat)
    verb = ("win" if found.heroes else "lose") + ("" if name == "You" else "s")
    tie = ", and a tie wins" if fight.wins_ties else ""
    if fight.stage == "lost":
        return f"{name} {'run' if name == 'You' else 'runs'} away"
    side = "the monsters" if found.heroes else "the heroes"
    return f"{name} {verb} now; {found.turns:+d} to {side} turns it{tie}"


def _monster(scene: Scene, at: int) -> str:
    fight = scene.fight
    if fight is None:
        return ""
    monster = fight.monsters[at]
    parts = [f"strength {monster.strength}", *([tags_of(scene, monster)] if monster.tags else [])]
    return f"{scene.monster(monster.id)} ({', '.join(parts)})"


def why_lines(scene: Scene) -> list[str]:
    """Return every term of the fight; without a fight, the terms of all strengths."""
    fight = scene.fight
    if fight is None:
        told = zip(scene.view.seats, strength_words(scene), strict=True)
        return [f"{you_or(scene, view.seat)}: strength {view.strength} = {words}." for view, words in told]
    heroes, foes = hero_rows(scene, fight), foe_rows(scene, fight)
    return [
        f"Heroes {fight.heroes}: {_terms(scene, heroes)}.", f"Monsters {fight.foes}: {_terms(scene, foes)}.",
        *fight_lines(scene)[1:],
    ]  # fmt: skip


def _terms(scene: Scene, rows: Sequence[Row]) -> str:
    """Return the terms of a sum: `Level 3; Boots +2; Magic Missile, one-shot (Bea) +5`."""
    parts = [f"{row.label}{f' ({scene.who(row.seat)})' if row.seat >= 0 else ''} {row.amount}" for row in rows]
    return "; ".join(parts) or "nothing"
