"""Letters for pixels: Pillow's own font, one of the system's where that lacks a letter, else a letter like it."""

import unicodedata
from functools import cache

from PIL import ImageFont

NO_LETTER = "\U0010ffff"  # never a character, so that every font draws what stands for a missing one
# From those that hold most scripts to those of single platforms; the first one that knows all letters is taken.
SYSTEM_FONTS = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "NotoSansCJK-Regular.ttc",
    "NotoSansCJKjp-Regular.otf",
    "DroidSansFallbackFull.ttf",
    "wqy-zenhei.ttc",
    "Arial Unicode.ttf",
    "arial.ttf",
    "msgothic.ttc",
    "msyh.ttc",
    "malgun.ttf",
)


def lettered(
    text: str, size: float, *, system_fonts: tuple[str, ...] = SYSTEM_FONTS
) -> tuple[ImageFont.FreeTypeFont, str]:
    """A font of that size, and the text as it can draw it: letters that no font has lose their accents or become ?."""
    text = "".join(c if c.isprintable() else " " for c in unicodedata.normalize("NFC", text))
    best, most = "", _n_known("", text)
    for name in system_fonts if most < len(text) else ():
        known = _n_known(name, text)
        if known > most:
            best, most = name, known
        if known == len(text):
            break
    drawable = text if most == len(text) else "".join(_drawable(best, letter) for letter in text)
    font = _font(best, size)
    assert font is not None  # it has drawn letters
    return font, drawable


def _drawable(name: str, letter: str) -> str:
    """The letter, or what the font has for it."""
    plain = unicodedata.normalize("NFKD", letter)[0]
    return next((known for known in (letter, plain) if _knows(name, known)), "?")


def _n_known(name: str, text: str) -> int:
    """How many letters of the text the font can draw."""
    return sum(_knows(name, letter) for letter in text)


@cache
def _knows(name: str, letter: str) -> bool:
    """Whether the font draws that letter, and not what stands for a missing one."""
    font = _font(name, 20.0)
    return font is not None and (letter == " " or bytes(font.getmask(letter)) != bytes(font.getmask(NO_LETTER)))


@cache
def _font(name: str, size: float) -> ImageFont.FreeTypeFont | None:
    """Pillow's own font (""), or one of the system's, if it is there."""
    if not name:
        font = ImageFont.load_default(size)
        assert isinstance(font, ImageFont.FreeTypeFont)  # always, for a size
        return font
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return None
