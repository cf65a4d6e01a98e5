"""The end of a game, in lines: how it went, and what can be done next. Pure."""


from core.language.catalog import Catalog
from netcode.recording.story import Story
from tui.config.surroundings import here
from tui.menus.entries import Command, Entry, Menu
from tui.plain.words import sentence
from tui.scene.scene import Scene
from tui.scene.story_text import Told, mattered, seat_words, sets_in_words, summary


class PlayAgain(Command, frozen=True):
    """Be ready for another game."""


class RevealHands(Command, frozen=True):
    """Agree to reveal the hands of the finished game."""


class AskToLeave(Command, frozen=True):
    """Ask how to leave."""


def over_menu(scene: Scene) -> Menu:
    """Return what can be done after a game."""
    info = scene.info
    entries = [Entry("again", "play again", PlayAgain(), on="table.again")] if scene.you is not None else []
    hidden = scene.me >= 0 and info.opened != info.game and scene.me not in info.agreed
    if hidden and (info.deal is not None or info.seed_shown):
        entries.append(Entry("reveal", "reveal all hands", RevealHands(), on="table.open"))
    entries.append(Entry("leave", "leave", AskToLeave()))
    return Menu("", tuple(entries))


def story_lines(story: Story, scene: Scene, catalog: Catalog) -> list[str]:
    """Return how a finished game went: the facts of the game, what mattered most, then a line for each player."""
    told = Told(story, scene.names(), scene.me, sets_in_words(catalog))
    seats = [sentence(f"{told.name(seat)}: {', '.join(seat_words(seen))}") for seat, seen in enumerate(story.seats)]
    changes = [f"{fact.title}: {told.name(fact.seat)} {fact.text}." for fact in mattered(told)]
    return [*summary(told), *changes, *seats, *((KEPT,) if here().own_machine else ())]


KEPT = "This is kept with the recording: Replays in kickdoor without --plain shows it again, and saves it as a picture."
