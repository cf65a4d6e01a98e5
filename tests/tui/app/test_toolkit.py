"""What the app does against faults of the toolkit."""

from textual.command import CommandPalette
from textual.screen import ModalScreen
from textual.widgets import OptionList

from tests.tui.app_pilot import settled
from tui.app.app import KickdoorApp
from tui.config.settings import Settings


async def test_a_list_without_room_is_paged_through() -> None:
    app = KickdoorApp(Settings(bell=False))
    async with app.run_test():
        options = OptionList("one", "two", "three")
        options.display = False
        await app.mount(options)
        options.highlighted = 1
        options.action_page_up()
        options.action_page_down()


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
