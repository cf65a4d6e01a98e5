"""Moments of every kind, made by hand on the views of samples.py, and those that whole games bring."""

from collections.abc import Iterator

from core.language.catalog import Catalog
from core.state import events as ev
from core.state.events import seen_by
from core.view import view
from tests.tui import samples
from tests.tui.bot_games import moments as game_moments
from tui.scene.cells import ASCII, UNICODE
from tui.scene.moments import Change, Kind, Moment, Moments
from tui.scene.scene import Scene
from tui.widgets.moments.bodies import body_of
from tui.widgets.moments.page import Keys, draw, place

KINDS: tuple[Kind, ...] = (
    "door", "curse", "die", "run", "death", "looting", "won", "level", "called", "averted", "seal", "victory",
    "taken", "swapped", "over",
)  # fmt: skip
ME, BO = samples.ME, samples.BO


def moment(kind: Kind) -> Moment:
    """Return a moment of this kind."""
    return _MADE[kind]()


def _run() -> Moment:
    return Moment(
        "run", BO, "Bo loses the fight by 19 and must run away", True, samples.view(fight=samples.three_monsters())
    )


def _door() -> Moment:
    return Moment(
        "door", ME, "You open the door: Bearbug", True, samples.own_combat(), samples.no("Bearbug"),
    )  # fmt: skip


def _curse() -> Moment:
    changes = (Change(ME, "You lose 1 level: Level 2", False, (3, 2)), Change(ME, "You lose Pickle Spear", False))
    words = "Bo plays Bad Hat Day on you"
    return Moment("curse", ME, words, True, samples.view(), samples.no("Bad Hat Day"), BO, changes=changes)


def _die() -> Moment:
    roll = ev.Rolled(ME, 4, "run away", [("Elf", 1), ("Squeaky Shoes", -2)], 5, samples.public("Glampire"))
    changes = (Change(ME, "You lose 2 levels: Level 1", False, (3, 1)), Change(ME, "You lose Wombat Boots", False))
    return Moment(
        "die", ME, "You roll 4", True, samples.view(), samples.no("Glampire"), roll=roll, escaped=False,
        changes=changes,
    )  # fmt: skip


def _death() -> Moment:
    body = [samples.public(name) for name in ("Plot Armor", "Threehander", "Cardboard Mail")]
    seats = samples.six_seats()
    seats[ME] = samples.seat_view(ME, 3, 0, 3, [], dead=True, body=body)
    return Moment("death", ME, "You die", True, samples.view(seats=seats))


def _looting() -> Moment:
    changes = (Change(2, "Cid takes Threehander from your body"), Change(BO, "Bo takes Plot Armor from your body"))
    return Moment("looting", ME, "Cid takes Threehander from your body", True, samples.view(), changes=changes)


def _won() -> Moment:
    changes = (Change(BO, "Bo gains 2 levels: Level 7", True, (5, 7)), Change(BO, "Bo draws 4 Treasures", True))
    fight = samples.three_monsters()
    return Moment("won", BO, "Bo wins the fight by 3", True, samples.view(), changes=changes, fight=fight)


def _over() -> Moment:
    said = "The fight is over without a winner"
    return Moment("over", BO, said, True, samples.view(), fight=samples.three_monsters())


def _level() -> Moment:
    change = Change(ME, "You gain 1 level (the sale): Level 4", True, (3, 4))
    return Moment("level", ME, change.text, True, samples.view(), changes=(change,))


def _taken() -> Moment:
    said = "Bo takes Pickle Spear from you"
    return Moment("taken", ME, said, True, samples.view(), samples.no("Pickle Spear"), BO)


def _swapped() -> Moment:
    changes = (Change(ME, "You pass Pickle Spear to Bo"), Change(BO, "Bo passes Wombat Boots to you"))
    return Moment(
        "swapped", ME, changes[0].text, True, samples.view(), samples.no("Wombat Boots"), BO, changes=changes,
        through=samples.no("Helm of Selective Hearing"),
    )  # fmt: skip


def _victory() -> Moment:
    return Moment("victory", 4, "Eve wins the game", True, samples.view(winners=[4]))


def _match_point(kind: Kind, words: str, *changes: Change) -> Moment:
    return Moment(kind, BO, words, True, samples.own_combat(), fight=samples.three_monsters(), changes=changes)


_MADE = {
    "door": _door, "curse": _curse, "die": _die, "run": _run, "death": _death, "looting": _looting, "won": _won,
    "over": _over, "level": _level, "victory": _victory, "taken": _taken,
    "swapped": _swapped,
    "seal": lambda: Moment(
        "seal", BO, "Bo opens the Seal Bad Hat Day", True, samples.view(seals_open=[samples.no("Bad Hat Day")]),
        samples.no("Bad Hat Day"),
    ),
    "called": lambda: _match_point("called", "Bo fights for the game"),
    "averted": lambda: _match_point(
        "averted", "Bo does not win the game with this fight", Change(4, "Eve plays Bad Hat Day on Bo"),
        Change(BO, "Bo loses 1 level (Bad Hat Day): Level 8", False, (9, 8)),
    ),
}  # fmt: skip


def drawn(
    found: Moment, width: int, height: int, ascii_only: bool = False, catalog: Catalog | None = None, seats: int = 6,
    at: float = 1.0, me: int = ME,
) -> list[str]:  # fmt: skip
    """Return a moment as it is drawn over the table in a window of this size. at: the share of its motion."""
    glyphs = ASCII if ascii_only else UNICODE
    scene = Scene(catalog or samples.catalog(), samples.info(seats, solo=True), found.view, me, glyphs)
    body = body_of(scene, found)
    lines = draw(scene, body, Keys(found.card >= 0), *place(scene, body, width, height), at)
    return ["".join(text for text, _ in line) for line in lines]


def of_game(catalog: Catalog, seed: int, seats: int = 4, me: int = ME) -> Iterator[Moment]:
    """Yield the moments of a whole game as one seat sees them."""
    keeper = Moments(catalog)
    for state, events in game_moments(seed, seats, catalog=catalog):
        told = [seen for event in events if (seen := seen_by(event, me)) is not None]
        keeper.hear(told, view(catalog, state, me), list(samples.NAMES[:seats]), me)
        yield from keeper.overtaken()
        while (found := keeper.take()) is not None:
            yield found
