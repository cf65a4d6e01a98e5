"""Setting up: cards are dealt, everybody lays out first cards, the highest roll begins.

Its only step is "first cards": it waits until every seat is ready (setup.order).
"""

from core.language.catalog import Catalog
from core.state.events import LaidOut, Rolled, SealsMade, SexChanged, TurnBegan
from core.state.game import Game, draw, standing_ask
from core.state.model import FIRST_SERIAL, FORMAT, Ask, Options, Seat, Setup, State, Turn, TurnFrame
from core.state.rng import TIES_LIMIT, die, shuffled

SEXES = ("male", "female")
DEALT = 4
"""How many cards of each deck a seat is dealt (setup.deal)."""


def too_few(catalog: Catalog, seats: int) -> str:
    """Return, in a sentence for people, that the decks have fewer cards than this many seats are dealt; "" if they have
    enough."""
    doors, treasures, dealt = len(catalog.pile("door")), len(catalog.pile("treasure")), DEALT * seats
    if min(doors, treasures) >= dealt:
        return ""
    return (
        f"{seats} players are dealt {dealt} cards of each deck, but there are {doors} Door cards and {treasures} "
        "Treasures: add a larger set"
    )


def fresh_state(seats: int, options: Options, seed: bytes) -> State:
    """Return a state with nothing dealt. Raise ValueError unless three to six seats play (setup.players)."""
    if not 3 <= seats <= 6:
        raise ValueError(f"three to six players can play, not {seats}")
    return State(
        format=FORMAT, seed=seed, draws=0, options=options, seats=[Seat() for _ in range(seats)],
        door=[], door_out=[], treasure=[], treasure_out=[], turn=Turn(0, 0, "setup"), fight=None,
        stack=[], offers=[], limbo=[], pending=[], winners=[], serial=FIRST_SERIAL,
    )  # fmt: skip


def deal(g: Game) -> None:
    """Shuffle each deck and deal every seat four cards of each (setup.deal)."""
    s = g.state
    s.door = shuffled(s, g.cat.pile("door"))
    s.treasure = shuffled(s, g.cat.pile("treasure"))
    for seat in range(len(s.seats)):
        draw(g, seat, "door", DEALT)
        draw(g, seat, "treasure", DEALT)
    seals = g.cat.pile("seal")
    if seals:
        g.emit(SealsMade(len(seals), shuffled(s, seals)))
    s.stack.append(Setup(step="first cards"))


def run_setup(g: Game, f: Setup) -> bool:
    """Let everybody lay out first cards, unseen by the others (setup.order); return True while somebody is not ready.
    Then show them all and begin the first turn."""
    waiting = [seat for seat in range(len(g.state.seats)) if seat not in f.ready]
    if waiting:
        f.asks = [_first_ask(g, f, seat) for seat in waiting]
        return True
    g.state.stack.pop()
    for seat, player in enumerate(g.state.seats):
        if player.table:
            g.emit(LaidOut(seat, [entry.card for entry in player.table]))
    first = _first_player(g)
    g.state.stack.append(TurnFrame(step="laid out", seat=first))
    g.emit(TurnBegan(first, 1))
    return False


def _first_ask(g: Game, f: Setup, seat: int) -> Ask:
    """Return the ask for a seat: first its sex, in sets whose cards name one (setup.sex); then whether it is ready."""
    if g.cat.sexes and not g.state.seats[seat].sex:
        answer = f.answers.pop(seat, None)
        if answer is None or answer not in ([0], [1]):
            return standing_ask(g, f, seat, "sex", [0, 1], texts=list(SEXES))
        g.emit(SexChanged(seat, SEXES[answer[0]]))
    return standing_ask(g, f, seat, "ready", [], lo=0, hi=0)


def _first_player(g: Game) -> int:
    """Return the seat with the highest roll; those tied for it roll again (setup.first-player, setup.ties)."""
    rolling = list(range(len(g.state.seats)))
    for _ in range(TIES_LIMIT):
        if len(rolling) == 1:
            break
        rolls = []
        for seat in rolling:
            number = die(g.state)
            g.emit(Rolled(seat, number, "who begins"))
            rolls.append(number)
        rolling = [seat for seat, number in zip(rolling, rolls) if number == max(rolls)]
    return rolling[0]
