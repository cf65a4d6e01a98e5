"""Whatever form of a join string people paste leads to their table."""

import textwrap

import pytest

from netcode.protocol.credentials import Join, JoinError, parse_join
from netcode.protocol.pasted import has_more

JOIN = Join("192.168.178.24", 7788, "ab12cd", bytes(range(100, 132)), bytes(range(200, 216)))
TEXT = str(JOIN)
LINE = f"kickdoor join '{TEXT}'"
WATCH = str(Join("192.168.178.24", 7788, "ab12cd", JOIN.key, bytes(16)))


def broken(text: str, at: int, indent: str = "", end: str = "\n") -> str:
    return end.join(indent + text[begin : begin + at] for begin in range(0, len(text), at))


PASTES = {
    "the string": TEXT,
    "the printed line": LINE,
    "the printed line with its end": LINE + "\n",
    "the printed line with options": f"{LINE} --name Kim --plain\n",
    "without quotes, with options": f"kickdoor join {TEXT} --name Kim",
    "broken at column 80": broken(LINE, 80),
    "broken at column 40": broken(LINE, 40),
    "broken at column 20": broken(LINE, 20),
    "drawn over two indented lines": "  " + textwrap.fill(LINE, 76, subsequent_indent="  "),
    "broken, lines indented": broken(LINE, 76, "  "),
    "broken, with blanks to the edge of the window": broken(LINE, 76, "  ", "      \n"),
    "broken inside of a frame": "\n".join(f"│ {row:<60} │" for row in broken(LINE, 60).split("\n")),
    "broken into words by a chat": broken(TEXT, 70, end=" "),
    "in a quoted mail": broken(LINE, 60, "> "),
    "straight double quotes": f'kickdoor join "{TEXT}"',
    "typographic quotes": f"kickdoor join \u2018{TEXT}\u2019",
    "typographic double quotes": f"\u201c{TEXT}\u201d",
    "low quotes": f"\u201e{TEXT}\u201c",
    "guillemets": f"\u00ab{TEXT}\u00bb",
    "back-ticks": f"`{TEXT}`",
    "a block of code": f"```\n{LINE}\n```",
    "angle brackets": f"<{TEXT}>",
    "a trailing dot": f"{TEXT}.",
    "quotes and a dot": f"Sit down with '{TEXT}'. See you!",
    "three dots": f"{TEXT}...",
    "a comma": f"{TEXT}, the table is open",
    "the mark of zsh for a missing end of line": f"{TEXT}%",
    "a byte order mark": f"\ufeff{LINE}\r\n",
    "Windows line ends": broken(LINE, 80, end="\r\n") + "\r\n",
    "old line ends": broken(LINE, 80, end="\r"),
    "percent signs": TEXT.replace(":", "%3A").replace("/", "%2F").replace("#", "%23"),
    "percent signs, small letters": TEXT.replace("#", "%23").replace("//", "%2f%2f"),
    "the scheme in capitals": TEXT.replace("kickdoor", "KICKDOOR"),
    "the scheme with one capital": TEXT.replace("kickdoor", "Kickdoor"),
    "blanks that do not break": f"\xa0\xa0{LINE}\xa0",
    "soft hyphens and other invisible characters": f"{TEXT[:60]}\xad{TEXT[60:70]}\u200b{TEXT[70:]}\u2060",
    "hyphens that do not break": TEXT.replace("-", "\u2011"),
    "all that a host prints": f"join:   {LINE}\nwatch:  kickdoor watch '{WATCH}'\n",
    "the string and another one below": f"{TEXT}\n{WATCH}",
    "with the prompt": f"ben@server:~$ {LINE}",
}


@pytest.mark.parametrize("paste", PASTES.values(), ids=PASTES)
def test_whatever_is_pasted_around_a_join_string_it_is_found(paste: str) -> None:
    assert parse_join(paste) == JOIN
    assert not has_more(paste)


@pytest.mark.parametrize("host", ["fe80::1%eth0", "fe80::1%23", "::1", "2001:db8::7", "otter.example"])
def test_an_address_may_have_a_zone_and_percent_signs(host: str) -> None:
    join = Join(host, 7788, "t", JOIN.key, JOIN.token)
    assert parse_join(str(join)) == join
    assert parse_join(f"<{str(join).replace('#', '%23')}>") == join


def test_a_key_with_every_character_of_base64_is_found_wherever_its_lines_break() -> None:
    for first in range(0, 256, 8):
        join = Join("h", 1, "-_", bytes((first + 37 * at) % 256 for at in range(32)), bytes([251, 255, 190] * 5 + [62]))
        for at in range(16 + first // 8 % 3, 118, 3):
            assert parse_join(broken(f"kickdoor join '{join}'", at, "  ")) == join, at


@pytest.mark.parametrize(("paste", "says"), [
    (TEXT[:70], "cut off: after # it needs a key, a dot and a token, and only 32 of the 43"),
    (TEXT[:-4], "the token in this join string is cut off: 22 characters expected, found 18"),
    (TEXT[:-4] + " --name Kim", "22 characters expected, found 18"),
    (TEXT + "abc", "22 characters expected, found 25"),
    (TEXT[:60] + "*" + TEXT[61:], "the key in this join string is damaged: its character 23 is *"),
    (TEXT[:-3] + "?ab", "the token in this join string is damaged: its character 20 is ?"),
    (TEXT.replace("#", "#A"), "43 characters expected, found 44"),
    (TEXT.replace(TEXT[TEXT.index("#") :][:2], "#"), "43 characters expected, found 42"),
    (TEXT.partition("#")[0], "here it ends behind ab12cd"),
    (TEXT.replace("/ab12cd", ""), "no / stands before the #"),
    (TEXT.replace("ab12cd", "ab+12"), "TABLE is wrong"),
    (TEXT.replace(":7788", ":port"), "HOST:PORT is wrong"),
    (TEXT.replace(":7788", ":99999"), "out of range"),
    (TEXT.replace("/ab12cd", "/ab 12cd"), "damaged"),
    ("kickdoor://host", "damaged"),
    ("http://example.com", "starts with kickdoor://"),
    ("", "empty"),
])  # fmt: skip
def test_what_is_wrong_says_where(paste: str, says: str) -> None:
    with pytest.raises(JoinError) as error:
        parse_join(paste)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_more_lines_are_awaited_only_while_a_string_may_go_on() -> None:
    rows = broken(LINE, 40).split("\n")
    for at in range(1, len(rows)):
        assert has_more("\n".join(rows[:at]))
    assert not has_more(LINE) and not has_more("otter-lamp-42") and not has_more("hello there")
    assert has_more("") and has_more("Sit down:\n") and has_more("Others sit down with ----- c = copy --\n")
    assert has_more("kickdoor join") and not has_more(TEXT[:60] + "*")
    assert not has_more("kickdoor\n" * 50)
