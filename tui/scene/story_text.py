"""The story of a game in words, for the end screen, its picture and the list of replays."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from core.language.catalog import Catalog
from core.text.grammar import how_often
from netcode.recording.story import FightTold, SeatTold, Story, Swing
from tui.scene.cells import count

_HOW = {"killed": "won", "removed": "won", "died": "died", "fled": "lost", "ended": "a card broke it off"}
"""What became of a fight, after the name of its fighter."""


class Fact(Struct, frozen=True):
    """One thing worth telling. seat: the one it is about, -1 for none; text: follows their name."""

    title: str
    seat: int
    text: str


class Told(Struct, frozen=True):
    """A story and who is in it. names: of the seats; me: the reader's seat, -1 for a spectator; game: the sets of
    cards, in words."""

    story: Story
    names: Sequence[str]
    me: int = -1
    game: str = ""

    def name(self, seat: int) -> str:
        """Return `You` or the name of a seat."""
        return "You" if seat == self.me and seat >= 0 else self.names[seat] if 0 <= seat < len(self.names) else ""

    def object(self, seat: int) -> str:
        """Return `you` or the name of a seat."""
        return "you" if seat == self.me and seat >= 0 else self.name(seat)


def sets_in_words(catalog: Catalog) -> str:
    """Return the names of the sets of cards in play."""
    return " + ".join(pack.name for pack in catalog.packs)


# ------------------------------------------------------------------------------------------------------------ the end
def headline(told: Told) -> tuple[str, str]:
    """Return who won, and `WIN` or `WINS`; two empty texts if nobody has won."""
    winners = told.story.winners
    if not winners:
        return "", ""
    names = [told.name(seat) for seat in winners]
    return " and ".join(names), "WIN" if told.me in winners or len(winners) > 1 else "WINS"


def how_it_ended(told: Told) -> list[str]:
    """Return sentences on how the game was won, and who was near it."""
    story = told.story
    if not story.winners:
        return ["Nobody has won: what follows is not the whole game."]
    final = story.final
    sentences = []
    if final is not None:
        helped = f" with {told.object(final.helper)}" if final.helper >= 0 else ""
        over = f" by beating {listed(final.monsters)}{helped}, {final.heroes}:{final.foes}" if final.monsters else ""
        sentences.append(f"Level {story.goal} in turn {story.turns}{over}.")
    elif story.why == "level":
        sentences.append(f"Level {story.goal} in turn {story.turns}.")
    elif story.why:
        sentences.append(f"{story.why[:1].upper()}{story.why[1:]}, in turn {story.turns}.")
    near = [seat for seat, seen in enumerate(story.seats) if seen.level == story.goal - 1 and seat not in story.winners]
    if near and story.why != "the seventh Seal":
        who = listed([told.name(seat) for seat in near])
        verb = "was" if len(near) == 1 and near[0] != told.me else "were"
        sentences.append(f"{who} {verb} one Level away.")
    return sentences


def length_words(story: Story) -> str:
    """Return how long the game was: `35 turns, 41 minutes`."""
    minutes = round(story.seconds / 60)
    return count(story.turns, "turn") + (f", {count(minutes, 'minute')}" if minutes else "")


def caveat(story: Story) -> str:
    """Return what is missing in the story; "" if nothing is."""
    if story.first:
        return f"Seen from turn {story.first} on: what happened before is not counted."
    return "Part of this game was not seen here: it is not counted." if story.gap else ""


# ---------------------------------------------------------------------------------------------------------- the facts
def facts(told: Told) -> list[Fact]:
    """Return what is worth telling, most interesting first."""
    made = [make(told) for make in (_turning, _biggest, _betrayals, _stab, _legs, _merchant)]
    return [fact for fact in made if fact is not None]


def mattered(told: Told) -> list[Fact]:
    """Return the moments that mattered most, each under the player whose chance to win it changed."""
    found = []
    for swing in told.story.mattered:
        what = f"{swing_words(told, swing)}, turn {swing.turn}"
        whose = _whose(told, swing)
        found.append(Fact(whose[:1].upper() + whose[1:], swing.by, f"{what}: {swing.before} to {swing.after} %"))
    return found


def swing_words(told: Told, swing: Swing) -> str:
    """Return what happened in a moment that mattered, after the name of the seat that it is about."""
    if swing.fight is not None:
        return fight_words(told, swing.fight)
    words = {
        "died": "died",
        "curse": f"suffered {swing.card}",
        "level": f"came to Level {swing.level}",
        "card": f"used {swing.card}",
    }
    return words.get(swing.kind, "did something")


def chance_words(told: Told, swing: Swing) -> str:
    """Return how somebody's chance to win changed."""
    moved = "rose" if swing.after > swing.before else "fell"
    return f"{_whose(told, swing)} {moved} from {swing.before} to {swing.after} %"


def _whose(told: Told, swing: Swing) -> str:
    return "your chance to win" if swing.seat == told.me else f"{told.name(swing.seat)}'s chance to win"


def _turning(told: Told) -> Fact | None:
    point = told.story.turning
    if point is None:
        return None
    if point.kind == "lead":
        return Fact("Turning point", point.seat, f"took the lead for good, turn {point.turn}")
    if point.by >= 0 and point.by != point.seat:
        card = f" with {point.card}" if point.card else ""
        text = f"kept {told.object(point.seat)} from winning{card}, turn {point.turn}"
        return Fact("Turning point", point.by, text)
    return Fact("Turning point", point.seat, f"lost the fight for the game, turn {point.turn}")


def _biggest(told: Told) -> Fact | None:
    fight = told.story.biggest
    if fight is None:
        return None
    return Fact("Biggest fight", fight.seat, f"{fight_words(told, fight)}, turn {fight.turn}")


def fight_words(told: Told, fight: FightTold) -> str:
    """Return a fight in words, after the name of its fighter."""
    helped = f" with {told.object(fight.helper)}" if fight.helper >= 0 else ""
    against = f" against {listed(fight.monsters)}" if fight.monsters else ""
    return f"{fight.heroes}:{fight.foes}{against}{helped}, {_HOW.get(fight.how, 'not fought out')}"


def _best(told: Told, key: Callable[[SeatTold], tuple[float, ...]]) -> int:
    """Return the seat with the highest key, the first of several."""
    seats = told.story.seats
    return max(range(len(seats)), key=lambda seat: (*key(seats[seat]), -seat))


def _betrayals(told: Told) -> Fact | None:
    seat = _best(told, lambda seen: (seen.betrayals + seen.broken, seen.strikes))
    seen = told.story.seats[seat]
    if not seen.strikes and not seen.broken:
        return None
    parts = [f"struck at others {how_often(seen.strikes)}"] if seen.strikes else []
    parts += [f"{how_often(seen.betrayals)} at friends"] if seen.betrayals else []
    parts += [f"broke {count(seen.broken, 'promise')}"] if seen.broken else []
    return Fact("Most betrayals" if seen.betrayals or seen.broken else "Most strikes", seat, ", ".join(parts))


def _stab(told: Told) -> Fact | None:
    stab = told.story.stab
    if stab is None:
        return None
    where = " at match point" if stab.match_point else ""
    moved = f", {stab.by} points" if stab.by else ""
    text = f"with {stab.card} against {told.object(stab.victim)}{where}{moved}, turn {stab.turn}"
    return Fact("Best stab", stab.seat, text)


def _legs(told: Told) -> Fact | None:
    seat = _best(told, lambda seen: (seen.away / seen.runs if seen.runs > 1 else 0.0, seen.runs))
    seen = told.story.seats[seat]
    if seen.runs < 2 or not seen.away:
        return None
    return Fact("Luckiest legs", seat, f"got away {seen.away} of {seen.runs} times")


def _merchant(told: Told) -> Fact | None:
    seat = _best(told, lambda seen: (seen.bought,))
    bought = told.story.seats[seat].bought
    return Fact("Best merchant", seat, f"sold Items for {count(bought, 'Level')}") if bought else None


def dice_words(story: Story) -> str:
    """Return how often the die showed each number; "" if it was never rolled."""
    rolls = sum(story.faces)
    if not rolls:
        return ""
    average = sum(face * times for face, times in enumerate(story.faces, 1)) / rolls
    return f"{count(rolls, 'roll')}, {average:.1f} on average"


# ----------------------------------------------------------------------------------------------------------- the seats
def seat_words(seen: SeatTold) -> list[str]:
    """Return what a seat did and what happened to it, phrase by phrase."""
    words = [
        f"killed {seen.kills}", f"helped {seen.helped}", f"struck {seen.strikes}", f"died {len(seen.deaths)}",
        f"cursed {seen.cursed}",
    ]  # fmt: skip
    return [*words, f"fled {seen.away} of {seen.runs}"] if seen.runs else words


def summary(told: Told) -> list[str]:
    """Return the story in a few sentences, as the list of replays shows it."""
    sentences = [] if not told.story.winners else how_it_ended(told)
    for fact in facts(told):
        sentences.append(f"{fact.title}: {told.name(fact.seat)} {fact.text}.")
    return sentences


def listed(names: Sequence[str]) -> str:
    """Return names as a list: `A`, `A and B`, `A, B and C`; equal ones are counted."""
    counted = {name: names.count(name) for name in names}
    words = [name if times == 1 else f"{times} × {name}" for name, times in counted.items()]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}" if words else ""
