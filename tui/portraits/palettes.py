"""The colours of portraits: four palettes for each set, grounds that tell the kind of card, light from the top left."""

from msgspec import Struct

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

LIGHTER, DARKER = 0.22, 0.28
"""How much the edges of a drawing are lit at the top left, and shaded at the right and the bottom."""
FIXED = {"k": 0x14100D, "w": 0xF4EBDC, "m": 0x4A0E18, "g": 0xF2B632}
"""Letters whose colour is the same in every palette: black, white, the inside of a mouth, metal."""


class Palette(Struct, frozen=True):
    """The colours of a portrait: main (#), second (+), light (o), accent (a), eyes (e)."""

    main: int
    second: int
    light: int
    accent: int
    eyes: int = 0xFF5347

    def colour(self, letter: str) -> Colour:
        """Return the colour of a letter of a drawing, but not of its ground."""
        own = {"#": self.main, "+": self.second, "o": self.light, "a": self.accent, "e": self.eyes}
        return rgb(own[letter] if letter in own else FIXED[letter])


PALETTES = (
    Palette(0x7FB04F, 0x55753A, 0xB8D3A2, 0xC8603F, 0x59C9D6),
    Palette(0xB97A4A, 0x7C4B2E, 0xE7C79B, 0x6D9B4C, 0xFFE27A),
    Palette(0x8E8B99, 0x5B5868, 0xD3D1DC, 0xA83C4C, 0xFF5347),
    Palette(0xA45FA0, 0x6E3B72, 0xE0B9DC, 0xE0A23C, 0x8CFFB0),
)
"""The palettes of packs that name none."""
GROUNDS = {
    "monster": 0x4A2023, "enhancer": 0x48203A, "wandering": 0x4A2023, "curse": 0x3A2150, "identity": 0x1C3552,
    "double": 0x1C3552, "item": 0x3D3016, "level": 0x1D3F28, "cheat": 0x33333B, "hireling": 0x1B4141, "ally": 0x1B4141,
    "special": 0x33333B, "upgrade": 0x4A3010, "seal": 0x2B2B2B,
}  # fmt: skip
"""The ground of a portrait, by the kind of card."""
ONE_SHOT_GROUND = 0x4E2F12
FLOOR = 0.72
"""The factor for the brightness of the lowest quarter of a ground, so that a drawing stands on something."""


def rgb(number: int) -> Colour:
    """Return a colour written as 0xRRGGBB."""
    return number >> 16 & 255, number >> 8 & 255, number & 255


def lit(colour: Colour, by: float) -> Colour:
    """Return a colour moved towards white (by above 0) or towards black (below 0), by this share of the way."""
    if by >= 0:
        red, green, blue = (round(part + (255 - part) * by) for part in colour)
    else:
        red, green, blue = (round(part * (1 + by)) for part in colour)
    return red, green, blue
