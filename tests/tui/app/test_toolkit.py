"""The app's workarounds for faults of the toolkit, and proof that the toolkit still has them
(docs/toolkit-reports.md)."""

import ast
import gc
import re
import weakref
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual._compositor import ChopsUpdate, LayoutUpdate
from textual._styles_cache import StylesCache
from textual._xterm_parser import XTermParser
from textual.app import App, ComposeResult
from textual.color import Color
from textual.command import CommandPalette
from textual.containers import VerticalScroll
from textual.css.query import NoMatches
from textual.drivers._writer_thread import MAX_QUEUED_WRITES, WriterThread
from textual.geometry import Region, Size
from textual.screen import ModalScreen, Screen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from tests.netcode.words.hostile import FORGING, HOSTILE, raw_in
from tests.tui import samples
from tests.tui.app_pilot import settled, still, table
from tui.app import toolkit
from tui.app.app import KickdoorApp
from tui.app.key_queue import WAITING
from tui.app.toolkit import MENDS, mend_toolkit
from tui.config.settings import Settings
from tui.scene.cells import UNICODE
from tui.screens.forms import ChoiceScreen
from tui.screens.opening import close
from tui.widgets.entry.choices import Choice


async def test_a_list_without_room_is_paged_through() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test():
        options = OptionList("one", "two", "three")
        options.display = False
        await app.mount(options)
        options.highlighted = 1
        options.action_page_up()
        options.action_page_down()


async def height_without_a_column(app: App[Any]) -> int:
    """Return the height of a list that no column is left for."""
    options = OptionList("book")
    await app.mount(options)
    padding = options.get_component_styles("option-list--option").padding.width
    return options.get_content_height(Size(0, 0), Size(0, 0), padding)


async def test_a_list_without_a_column_has_a_height() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test():
        assert await height_without_a_column(app) == len("book")


async def search_that_ends_late(app: App[Any]) -> None:
    """Close the palette's widgets, then let its search find something and end."""
    palette = CommandPalette()
    await app.push_screen(palette)
    await palette.workers.wait_for_complete()
    await palette.query("*").remove()
    palette._watch__list_visible()
    await palette._watch__show_busy()


async def test_a_palette_is_closed_while_it_searches() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test():
        await search_that_ends_late(app)


async def test_the_palette_is_open_once_whatever_lies_over_it() -> None:
    for ascii_only in (False, True):
        app = KickdoorApp(Settings(bell=False, ascii=ascii_only))
        async with app.run_test() as textual:
            app.action_command_palette()
            await settled(textual)
            await app.push_screen(ModalScreen())
            app.action_command_palette()
            await settled(textual)
            assert len([one for one in app.screen_stack if isinstance(one, CommandPalette)]) == 1


async def test_a_choice_made_twice_closes_one_screen() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test() as textual:
        found: list[str | None] = []
        below = ChoiceScreen("below", [Choice("x", "x")], UNICODE)
        await app.push_screen(below, found.append)
        above = ChoiceScreen("above", [Choice("a", "a")], UNICODE)
        await app.push_screen(above, found.append)
        above.dismiss("a")
        above.dismiss("a")
        await settled(textual)
        assert found == ["a"] and app.screen is below


@pytest.mark.long(3)
@pytest.mark.parametrize("name", ["choices", "palette", "history", "cards", "gallery", "rules"])
async def test_a_screen_is_closed_that_has_not_made_its_widgets(name: str) -> None:
    async with table(samples.view()) as pilot:
        app = pilot.app
        opens: dict[str, Callable[[], object]] = {
            "choices": lambda: app.push_screen(ChoiceScreen("a", [Choice("x", "x")], UNICODE)),
            "palette": app.action_command_palette,
            "history": lambda: pilot.screen.run("log"),
            "cards": lambda: app.action_book("cards"),
            "gallery": lambda: app.action_book("gallery"),
            "rules": lambda: app.action_book("rules"),
        }
        for ways in (lambda: app.screen.dismiss(None), lambda: close(pilot.screen)):
            opens[name]()
            ways()
            await still(pilot.textual)
        assert len(app.screen_stack) == 1, app.screen_stack


async def test_keys_that_come_at_once_are_looked_at_one_after_the_other() -> None:
    async with table(samples.view()) as pilot:
        for _ in range(2):
            for key in ("question_mark", "escape", "ctrl+p", *"log", "enter", "escape", "v", "i", "escape", "escape"):
                pilot.app.simulate_key(key)
            while pilot.app.keys.busy:
                await pilot.settle()
            assert pilot.app.screen is pilot.screen, pilot.app.screen_stack
        for _ in range(500):
            pilot.app.simulate_key("right")
        await pilot.settle()
        assert pilot.app.keys.waiting <= WAITING
        while pilot.app.keys.busy:
            await pilot.settle()


async def test_a_key_that_no_widget_wants_is_not_for_a_screen_that_has_come_up_since() -> None:
    async with table(samples.view()) as pilot:
        key = events.Key("escape", None)
        pilot.app.keys.front = pilot.screen
        below = ChoiceScreen("a", [Choice("x", "x")], UNICODE)
        await pilot.app.push_screen(below)
        key._set_forwarded()
        pilot.app.post_message(key)
        await pilot.settle()
        assert pilot.app.screen is below


STYLES = {"none": None, "plain": Style(), "bold": Style(bold=True), "link": Style(link=f"http://x/{HOSTILE}")}


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
def test_no_widget_can_write_a_control_character_of_a_stranger(style: Style | None) -> None:
    mend_toolkit()
    strip = Strip([Segment("a"), Segment(FORGING, style), Segment("b", style)])
    width = strip.cell_length
    written = strip.render(Console(color_system="truecolor", force_terminal=True))
    shown = re.sub(r"\x1b\[[0-9;]*m", "", written)
    assert raw_in(shown) == "" and "\n" not in shown
    assert shown.startswith("a") and shown.endswith("b") and cell_len(shown) in (width, width + 1)  # the line end


def _writer_without_a_terminal() -> WriterThread:
    def write(text: str) -> None:
        raise OSError(5, "the terminal is gone")

    file: Any = SimpleNamespace(write=write, flush=lambda: None)
    return WriterThread(file)


def test_a_program_whose_terminal_is_gone_waits_for_nothing() -> None:
    mend_toolkit()
    thread = _writer_without_a_terminal()
    thread.start()
    for _ in range(3 * MAX_QUEUED_WRITES):
        thread.write("text")
    thread.stop()
    assert not thread.is_alive()


# ------------------------------------------------------------------------------------ what the toolkit itself would do
@pytest.fixture
def unmended() -> Iterator[None]:
    """Leave the toolkit as it is."""
    for mend in MENDS:
        mend.put(mend.theirs)
    yield
    mend_toolkit()


def test_the_faults_were_looked_for_in_the_version_that_is_installed() -> None:
    assert version("textual") == toolkit.VERSION, "read docs/toolkit-reports.md again, then note the new version"


def test_each_fault_has_a_report() -> None:
    text = (ROOT / "docs/toolkit-reports.md").read_text("utf-8")
    missing = [mend.name for mend in MENDS if f"`{mend.owner.__name__}.{mend.name}`" not in text]
    assert not missing, missing


@pytest.mark.usefixtures("unmended")
def test_the_toolkit_keeps_what_closed_widgets_have_drawn() -> None:
    rows = StylesCache()
    rows.get_inner_outer(Color(1, 2, 3), Color(4, 5, 6))
    kept = weakref.ref(rows)
    del rows
    gc.collect()
    assert kept() is not None


def test_the_toolkit_stops_writing_when_the_terminal_is_gone() -> None:
    theirs = next(mend.theirs for mend in MENDS if mend.owner is WriterThread)
    thread = _writer_without_a_terminal()
    thread.write("text")
    with pytest.raises(OSError, match="gone"):
        theirs(thread)


@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_fails_when_a_list_without_room_is_paged_through() -> None:
    async with App[str]().run_test() as textual:
        options = OptionList("one", "two", "three")
        options.display = False
        await textual.app.mount(options)
        options.highlighted = 1
        with pytest.raises(LookupError):
            options.action_page_down()


@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_fails_when_a_list_has_no_column() -> None:
    async with App[str]().run_test() as textual:
        with pytest.raises(ValueError, match="must not be zero"):
            await height_without_a_column(textual.app)


@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_fails_when_a_palette_closes_while_it_searches() -> None:
    async with App[str]().run_test() as textual:
        with pytest.raises(NoMatches):
            await search_that_ends_late(textual.app)


@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_closes_two_screens_for_a_choice_made_twice() -> None:
    async with App[str]().run_test() as textual:
        below, above = Screen[None](), Screen[None]()
        await textual.app.push_screen(below)
        await textual.app.push_screen(above)
        above.dismiss(None)
        above.dismiss(None)
        await settled(textual)
        assert below not in textual.app.screen_stack


class Counting(Screen[None]):
    """Counts how often it is styled."""

    CSS = "Counting { background: red; }"
    styled = 0

    def update_node_styles(self, animate: bool = True) -> None:
        """Count."""
        self.styled += 1
        super().update_node_styles(animate)


class HoldingApp(App[str]):
    """An app that holds painting back, and counts how often all style sheets are read again."""

    holding = True
    reread = painted = 0
    handled: Exception | None = None

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        self.painted += 1

    def handle_error(self, error: Exception) -> bool:
        """Handle an error."""
        self.handled = error
        return True


async def _opened(app: HoldingApp) -> Counting:
    """Open a screen in an app; return it with what it has counted."""
    async with app.run_test() as textual:
        before, reparse = app.stylesheet, app.stylesheet.reparse

        def count() -> None:
            app.reread += 1
            reparse()

        before.reparse = count  # type: ignore[method-assign]
        screen = Counting()
        await app.push_screen(screen)
        await settled(textual)
        screen._compositor_refresh()  # as its timer does
        return screen


@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_styles_a_screen_twice_that_opens_paints_it_at_once_and_reads_all_styles_again() -> None:
    app = HoldingApp()
    screen = await _opened(app)
    assert screen.styled == 1 and app.painted and app.reread == 1


async def test_a_screen_that_opens_is_styled_once_and_not_painted_while_painting_is_held_back() -> None:
    mend_toolkit()
    app = HoldingApp()
    screen = await _opened(app)
    assert not screen.styled and not app.painted and not app.reread


class PaintedApp(App[str]):
    """An app with two screens, one above the other, that notes whether a frame is a whole one."""

    whole = parts = 0

    def _display(self, screen: Screen[Any], renderable: Any) -> None:
        self.whole += isinstance(renderable, LayoutUpdate)
        self.parts += isinstance(renderable, ChopsUpdate)


class Inputs(Screen[None]):
    """A screen of two fields."""

    def compose(self) -> ComposeResult:
        """The fields."""
        yield Input(id="one")
        yield Input(id="two")


async def _after_focus_and_change_below() -> tuple[int, int]:
    """Move the focus, then change a screen that is hidden; return how many whole frames each has caused."""
    app = PaintedApp()
    async with app.run_test() as textual:
        below = Inputs()
        await app.push_screen(below)
        await app.push_screen(Inputs())
        await settled(textual)
        before = app.whole
        app.screen.focus_next()
        await settled(textual)
        moved, seen = app.whole - before, app.whole + app.parts
        for sign in "ab":
            below.query_one("#one", Input).value = sign
            below.refresh()
            await settled(textual)
        return moved, app.whole + app.parts - seen


@pytest.mark.painted
@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_paints_a_whole_screen_when_its_focus_moves_or_a_hidden_screen_changes() -> None:
    moved, changed = await _after_focus_and_change_below()
    assert moved and changed


@pytest.mark.painted
async def test_the_focus_paints_its_widgets_and_a_hidden_screen_nothing() -> None:
    mend_toolkit()
    assert await _after_focus_and_change_below() == (0, 0)


async def _rendered_for_one_change(monkeypatch: pytest.MonkeyPatch) -> int:
    """Change one of twenty rows in a container; return how many of them were rendered."""
    async with App[str]().run_test() as textual:
        rows = VerticalScroll(*(Static(str(number)) for number in range(20)))
        await textual.app.mount(rows)
        await settled(textual)
        rendered: list[Static] = []
        render = Static.render_lines

        def noted(row: Static, crop: Region) -> list[Strip]:
            rendered.append(row)
            return render(row, crop)

        monkeypatch.setattr(Static, "render_lines", noted)
        rows.query(Static).first().refresh()
        await settled(textual)
        return len(set(rendered))


@pytest.mark.painted
@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_renders_all_of_a_container_for_one_change(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await _rendered_for_one_change(monkeypatch) == 20


@pytest.mark.painted
async def test_a_change_renders_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    mend_toolkit()
    assert await _rendered_for_one_change(monkeypatch) == 1


@pytest.mark.usefixtures("unmended")
async def test_the_toolkit_lets_no_app_handle_an_internal_error() -> None:
    app, error = HoldingApp(), ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        async with app.run_test():
            toolkit.fail(app, error)
    assert app.handled is None


def test_a_byte_that_is_no_utf_8_is_replaced() -> None:
    theirs = next(mend.theirs for mend in MENDS if mend.name == "getincrementaldecoder")
    with pytest.raises(UnicodeDecodeError):
        theirs("utf-8")().decode(b"\xe9a")
    mend_toolkit()
    from textual.drivers import linux_driver  # POSIX only

    decoder = linux_driver.getincrementaldecoder("utf-8")()
    assert decoder.decode(b"\xe9a") == "\ufffda" and decoder.decode("é".encode()) == "é"


@pytest.mark.usefixtures("unmended")
def test_the_toolkit_begins_a_program_again_that_was_not_suspended() -> None:
    """tests/tui/app/test_terminal.py shows the repair."""
    mend = next(mend for mend in MENDS if mend.name == "_sigcont_application")
    begun: list[object] = []
    driver: Any = mend.owner.__new__(mend.owner)
    driver._auto_restart, driver._must_signal_resume = True, False
    driver.start_application_mode = lambda: begun.append(driver)
    driver._sigcont_application()
    assert begun


@pytest.mark.usefixtures("unmended")
def test_the_toolkit_makes_keys_of_a_paste_that_is_not_marked() -> None:
    assert {type(event) for event in XTermParser().feed("kickdoor join 'kickdoor://h:1/t#'")} == {events.Key}


@pytest.mark.usefixtures("unmended")
def test_the_toolkit_writes_control_characters_of_strangers() -> None:
    written = Strip([Segment("\x1b[2J")]).render(Console(color_system="truecolor", force_terminal=True))
    assert "\x1b[2J" in written


ROOT = Path(__file__).resolve().parents[3]
OURS = ("self", "cls")
"""Names that a class of ours uses for itself."""
PRIVATE = re.compile(r"(?<!\bself)(?<!\bcls)\.\s*(_\w+)")


def private_names(path: Path) -> Iterator[str]:
    """Yield where a file reads private names of something else, or imports private modules."""
    text = path.read_text("utf-8")
    if TOOLKIT_NAMES.isdisjoint(PRIVATE.findall(text)) and not re.search(r"from textual\b.*\._", text):
        return  # to parse all files takes a second
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and re.match(r"textual\b.*\._", node.module or ""):
            yield f"{path.name}:{node.lineno} {node.module}"
        if isinstance(node, ast.Attribute) and node.attr in TOOLKIT_NAMES and ast.unparse(node.value) not in OURS:
            yield f"{path.name}:{node.lineno} {node.attr}"


TOOLKIT_NAMES = frozenset(
    name for kind in (App, Screen, Widget, OptionList, Strip) for name in (*dir(kind), *getattr(kind, "__slots__", ()))
    if name.startswith("_") and not name.startswith("__")
)  # fmt: skip


def test_private_names_of_the_toolkit_stand_in_one_module() -> None:
    files = [path for path in sorted((ROOT / "tui").rglob("*.py")) if path.name != "toolkit.py"]
    found = [where for path in files for where in private_names(path)]
    assert not found, f"use a public name, or put it into tui/app/toolkit.py: {found}"


def test_nothing_of_ours_takes_the_place_of_a_private_part_of_the_toolkit() -> None:
    left: list[type] = [App, Widget]
    found = []
    while left:
        kind = left.pop()
        left += kind.__subclasses__()
        if kind.__module__.startswith("tui."):
            theirs = [base for base in kind.__mro__ if base.__module__.startswith("textual.")]
            own = [name for name, part in vars(kind).items() if name.startswith("_") and not name.startswith("__")
                   and isinstance(part, FunctionType | property)]  # fmt: skip
            found += [f"{kind.__name__}.{name}" for name in own if any(name in vars(base) for base in theirs)]
    assert not found, found
