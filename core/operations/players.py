"""Changes to players that card texts and procedures share: levels, death, curses, prices, lasting effects."""

from collections.abc import Sequence

from core.language.schema import SpareDeath
from core.queries.conditions import in_combat
from core.queries.lookup import locate
from core.queries.modifiers import mods_of
from core.queries.rewards import extra_treasures
from core.state.events import (
    Died,
    FighterChanged,
    HelperCame,
    HelperLeft,
    LastingArmed,
    LastingBegan,
    LastingEnded,
    LevelChanged,
)
from core.state.game import Game, to_discard, to_open
from core.state.model import Bargain, Lasting, Program, Zone, defn_of
from core.state.reader import Reader, placed


def change_level(g: Game, seat: int, by: int, why: str, may_win: bool = False) -> int:
    """Change a Level; return by how much it changed.

    It stays at 1 or more (golden.level-floor). Only `may_win` lets it reach the winning Level (golden.win-by-kill,
    golden.level-nine). The dead gain and lose nothing (death.nothing).
    """
    player = g.state.seats[seat]
    goal = g.state.options.win_level
    level = max(1, min(player.level + by, goal))
    if by > 0 and not may_win:
        level = max(player.level, min(level, goal - 1))
    if player.dead or level == player.level:
        return 0
    by = level - player.level
    g.emit(LevelChanged(seat, by, level, why))
    if by > 0:
        end_lasting(g, seat, "level", "a level gained")
    return by


def ways_not_to_die(g: Reader, seat: int) -> list[tuple[int, str]]:
    """Return the numbers of levels that a seat could lose instead of dying, each with the card that allows it, the
    fewest first; none for the dead."""
    if g.state.seats[seat].dead:
        return []
    return sorted({(mod.levels, definition.name) for mod, _, definition in mods_of(g, seat, SpareDeath)})


def die(g: Game, seat: int, instead: int = 0) -> bool:
    """Kill a player: lay out its cards, except identities, cards that allow two, and curses (death.keep, death.loot).

    A player who is spared loses levels instead; nothing happens to the dead. instead: which of `ways_not_to_die` the
    player has chosen (death.replaced). Return False if a spared player had no level to lose.
    """
    player = g.state.seats[seat]
    if player.dead:
        return True
    spared = ways_not_to_die(g, seat)
    if spared:
        return change_level(g, seat, -spared[min(instead, len(spared) - 1)][0], "not dying") != 0
    g.emit(Died(seat))
    for card in sorted(player.hand, key=lambda card: (defn_of(card), card)):
        to_open(g, card, Zone("hand", seat), "body", seat, "laid out")
    lost = [entry.card for entry in player.table if g.of(entry.card).kind not in ("identity", "double")]
    for card in leaving_order(g, seat, lost):
        to_open(g, card, Zone("table", seat), "body", seat, "laid out")
    fight = g.state.fight
    if fight is not None and fight.stage == "fight" and seat == fight.helper:
        g.emit(HelperLeft(seat, "died"))
    g.note("loot", seat)
    if g.state.seals:
        g.note("seal", seat)
    return True


def lose_carried(g: Game, seat: int, ally: int) -> None:
    """Discard the Items that an Ally carries, because they are lost with the Ally (self.ally-items,
    self.ally-sacrifice)."""
    for card in carried_by(g, seat, ally):
        to_discard(g, card, Zone("table", seat), "lost", seat)


def carried_by(g: Reader, seat: int, card: int) -> list[int]:
    """Return the cards carried by, or attached to, a card in play in front of a seat; none if it is not there."""
    return [entry.card for entry in g.state.seats[seat].table if entry.on == card] if seat >= 0 else []


def leaving_order(g: Reader, seat: int, cards: Sequence[int]) -> list[int]:
    """Return cards of a seat in an order in which they can leave one by one: attached and carried cards first."""

    def depth(card: int) -> int:
        entry = placed(g, seat, card)
        if entry is None or not entry.on:
            return 2
        return 0 if g.of(card).kind in ("cheat", "upgrade") else 1

    return sorted(cards, key=depth)


def strike(g: Game, seat: int, card: int, by: int = -1) -> None:
    """Let a curse in limbo strike a seat: its text runs, and it is discarded unless it stays (curse.immediate).

    by: the seat that played it, -1 if nobody did.
    """
    definition = g.of(card)
    g.state.stack.append(
        Program(
            step="shield", defn=definition.no, part=definition.part("play"), card=card,
            you=by if by >= 0 else seat, victim=seat, rest="discard",
        )
    )  # fmt: skip


def spend(g: Game, seat: int, cards: Sequence[int]) -> None:
    """Discard cards as a price; attached cards go first, so that each counts."""
    for card in leaving_order(g, seat, cards):
        to_discard(g, card, Zone(locate(g, card).name, seat), "spent", seat)


# ------------------------------------------------------------------------------------------------- entering a combat
def join_as_helper(g: Game, seat: int, compelled: bool, bargain: Bargain | None) -> None:
    """Let a seat join the fight as helper; its effects for the next combat begin to count."""
    g.emit(HelperCame(seat, compelled, bargain))
    arm(g, seat, "next-combat")


def hand_over(g: Game, seat: int) -> None:
    """Pass the fight to another seat (combat.handed-over). A helper is released, unless it is that seat. The old
    fighter's reward is counted before the helper leaves."""
    fight = g.state.fight
    if fight is None:
        return
    more = extra_treasures(g, fight.seat) * fight.killed
    if fight.helper not in (-1, seat):
        g.emit(HelperLeft(fight.helper, "goes free"))
    g.emit(FighterChanged(fight.seat, seat, more))
    arm(g, seat, "next-combat")


# --------------------------------------------------------------------------------------------------- lasting effects
def begin_lasting(g: Game, seat: int, defn: int, code: int, until: str, card: int) -> None:
    """Begin a lasting effect; one for the next combat or turn counts at once if that has begun (curse.next-combat,
    curse.next-turn)."""
    s = g.state
    now = {
        "combat": in_combat(g, seat) or s.fight is not None,
        "next-combat": in_combat(g, seat) and s.fight is not None and s.fight.stage == "fight",
        "turn": True,
        "next-turn": s.turn.seat == seat,
    }.get(until, True)
    if until == "combat" and s.fight is None:
        return
    since = s.fight.no if s.fight is not None and until in ("combat", "next-combat") else s.turn.no
    g.emit(LastingBegan(seat, Lasting(card, defn, code, until, now, since)))


def arm(g: Game, seat: int, until: str) -> None:
    """Arm the effects on a seat that waited for this moment. until: "next-combat" or "next-turn"."""
    s = g.state
    since = s.fight.no if s.fight is not None and until == "next-combat" else s.turn.no
    for index, lasting in enumerate(s.seats[seat].lasting):
        if lasting.until == until and not lasting.armed:
            g.emit(LastingArmed(seat, index, since, lasting.defn))


def end_lasting(g: Game, seat: int, until: str, why: str) -> None:
    """End the armed effects of this duration on a seat, and discard their cards."""
    lasting = g.state.seats[seat].lasting
    for index in range(len(lasting) - 1, -1, -1):
        if lasting[index].until == until and lasting[index].armed:
            lift(g, seat, index, why)
            lasting = g.state.seats[seat].lasting


def lift(g: Game, seat: int, index: int, why: str) -> None:
    """End one lasting effect. If a card is kept as its reminder, discard it and end all effects that came from it."""
    lasting = g.state.seats[seat].lasting[index]
    g.emit(LastingEnded(seat, index, lasting.defn, why))
    if not lasting.card:
        return
    others = g.state.seats[seat].lasting
    for at in range(len(others) - 1, -1, -1):
        if others[at].card == lasting.card:
            g.emit(LastingEnded(seat, at, lasting.defn, why))
    to_discard(g, lasting.card, Zone("lasting", seat), why)
