"""Setting up: cards are dealt, everybody lays out first cards, the die says who begins."""

from core.state.events import LaidOut, Rolled, SealsMade, SexChanged, TurnBegan
from core.state.game import Game, draw, standing_ask
from core.state.model import FIRST_SERIAL, FORMAT, Ask, Options, Seat, Setup, State, Turn, TurnFrame
from core.state.rng import die, shuffled

SEXES = ("male", "female")


def fresh_state(seats: int, options: Options, seed: bytes) -> State:
    """A state with nothing dealt. Raises ValueError for a number of players the books do not know (setup.players)."""
    if not 3 <= seats <= 6:
        raise ValueError(f"three to six players can play, not {seats}")
    return State(
        format=FORMAT, seed=seed, draws=0, options=options, seats=[Seat() for _ in range(seats)],
        door=[], door_out=[], treasure=[], treasure_out=[], turn=Turn(0, 0, "setup"), fight=None,
        stack=[], offers=[], limbo=[], pending=[], winners=[], serial=FIRST_SERIAL,
    )  # fmt: skip


def deal(g: Game) -> None:
    """Both decks are shuffled apart and everyone gets four cards of each (setup.deal)."""
    s = g.state
    s.door = shuffled(s, g.cat.pile("door"))
    s.treasure = shuffled(s, g.cat.pile("treasure"))
    for seat in range(len(s.seats)):
        draw(g, seat, "door", 4)
        draw(g, seat, "treasure", 4)
    seals = g.cat.pile("seal")
    if seals:
        g.emit(SealsMade(len(seals), shuffled(s, seals)))
    s.stack.append(Setup(step="first cards"))


def run_setup(g: Game, f: Setup) -> bool:
    """Everybody lays out first cards unseen (setup.order); True while somebody is not ready."""
    waiting = [seat for seat in range(len(g.state.seats)) if seat not in f.ready]
    if waiting:
        f.asks = [_first_ask(g, f, seat) for seat in waiting]
        return True
    g.state.stack.pop()
    for seat, player in enumerate(g.state.seats):
        if player.table:
            g.emit(LaidOut(seat, [entry.card for entry in player.table]))
    first = _first_player(g)
    g.state.stack.append(TurnFrame(step="begin", seat=first))
    g.emit(TurnBegan(first, 1))
    return False


def _first_ask(g: Game, f: Setup, seat: int) -> Ask:
    """Each chooses a sex first, in sets that speak of it (setup.sex), then is ready when done."""
    if g.cat.sexes and not g.state.seats[seat].sex:
        answer = f.answers.pop(seat, None)
        if answer is None or answer not in ([0], [1]):
            return standing_ask(g, f, seat, "sex", [0, 1], texts=list(SEXES))
        g.emit(SexChanged(seat, SEXES[answer[0]]))
    return standing_ask(g, f, seat, "ready", [], lo=0, hi=0)


def _first_player(g: Game) -> int:
    """The highest roll begins, ties among the highest roll again (setup.first-player)."""
    rolling = list(range(len(g.state.seats)))
    while len(rolling) > 1:
        rolls = []
        for seat in rolling:
            number = die(g.state)
            g.emit(Rolled(seat, number, "who begins"))
            rolls.append(number)
        rolling = [seat for seat, number in zip(rolling, rolls) if number == max(rolls)]
    return rolling[0]
