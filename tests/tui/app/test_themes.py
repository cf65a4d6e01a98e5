"""Colours mean one thing, and text can be read in every theme that is offered."""

from itertools import combinations

import pytest
from textual.color import Color
from textual.theme import BUILTIN_THEMES

from tests.tui import samples
from tests.tui.app_pilot import table
from tui.app.themes import CONTRAST, LINE_CONTRAST, offered, own_themes, ratio, readable, variables_of
from tui.config.palette import DEFAULT, FILLED, GROUNDS, PREFIX, SEATS, TEXTS, TOKENS
from tui.config.settings import Settings

OWN = {theme.name: theme.variables for theme in own_themes()}
TOOLKIT = {name: variables_of(theme) for name, theme in BUILTIN_THEMES.items() if not theme.ansi}
ALL = {**TOOLKIT, **OWN}


@pytest.mark.parametrize("name", list(ALL))
def test_text_and_borders_stand_out_from_everything_they_stand_on(name: str) -> None:
    colours = {token.removeprefix(PREFIX): Color.parse(colour) for token, colour in ALL[name].items()}
    assert set(colours) == set(TOKENS)
    weak = [
        f"{text} on {ground}: {ratio(colours[text], colours[ground]):.2f}"
        for text, ground in [*((text, ground) for text in TEXTS for ground in GROUNDS), *FILLED.items()]
        if ratio(colours[text], colours[ground]) < CONTRAST
    ]
    assert not weak, f"{name}: {', '.join(weak)}"
    for ground in GROUNDS[:3]:
        assert ratio(colours["line"], colours[ground]) >= LINE_CONTRAST, f"{name}: borders on {ground}"


@pytest.mark.parametrize("name", list(OWN))
def test_no_two_seats_have_the_same_colour(name: str) -> None:
    seats = [OWN[name][PREFIX + seat] for seat in SEATS]
    assert all(one != other for one, other in combinations(seats, 2))


def test_the_contrast_is_that_of_the_standard() -> None:
    white, black, grey = Color.parse("#ffffff"), Color.parse("#000000"), Color.parse("#777777")
    assert ratio(white, black) == pytest.approx(21) and ratio(white, white) == 1
    assert ratio(grey, white) == pytest.approx(4.48, abs=0.01)
    assert readable(grey, [white], 4.5) != grey and readable(black, [white], 4.5) == black


def test_the_first_theme_is_ours_and_every_one_offered_exists() -> None:
    assert Settings().theme == DEFAULT == offered()[0]
    assert set(offered()) == {*OWN, *BUILTIN_THEMES}


@pytest.mark.long(4)
@pytest.mark.parametrize("name", offered())
async def test_the_table_is_drawn_in_every_theme_that_is_offered(name: str) -> None:
    async with table(samples.crowded(), theme=name) as pilot:
        assert pilot.app.theme == name
        styles = {part.style for strip in pilot.app.screen._compositor.render_strips() for part in strip if part.style}
        assert len({style.color for style in styles}) >= 4
