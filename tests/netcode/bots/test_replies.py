"""Bots answer people who speak to them: briefly, by rules, from public facts, and never in the person's own words."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from cards import BUILT_IN
from netcode.bots.lines import REPLIES, WHO
from netcode.bots.personalities import Personality
from netcode.bots.replies import TURNS, is_asked, kind_of
from netcode.bots.talk import Talker, lines_for
from tests.netcode.bots.bot_views import CATALOG, ViewBuilder
from tui.scene.remarks import REMARKS

NAMES = ("Gilda", "Kim", "Cyril", "Old Dot")
BOTS = (0, 2, 3)
KIM = 1
EVEN = (0.5,) * 7
"""Temper, thrift, show and company."""
CHATTERBOX = Personality("some", "Some", "talks", 0.5, 0.5, 0.0, 0.0, 1.0, 1.0, *EVEN)
LINES = lines_for(BUILT_IN)


def talker(me: int = 0, personality: Personality = CHATTERBOX) -> Talker:
    return Talker(personality, me, CATALOG, LINES, "t 1")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Hello everybody!", "greeted"), ("hi Gilda", "greeted"), ("Well played, Cyril.", "praised"),
        ("Thanks!", "praised"), ("You cheater!!", "insulted"), ("Please, not me, Gilda", "begged"),
        ("Don't do that", "begged"), ("I WILL GET YOU, Cyril", "threatened"), ("How much for help?", "asked_offer"),
        ("Nice try, please do not", "begged"), ("history", ""), ("the Bearbug has 15", ""), ("", ""),
        ("\u4f60\u597d", ""),
    ],
)  # fmt: skip
def test_what_is_said_is_of_one_kind_or_of_none(text: str, kind: str) -> None:
    assert kind_of(text) == kind


def test_every_remark_that_a_digit_says_has_an_answer() -> None:
    assert all(kind_of(remark) for remark in REMARKS)
    assert len({kind_of(remark) for remark in REMARKS}) == len(REMARKS) - 1, "two of them praise"


@pytest.mark.parametrize("kind", REPLIES)
def test_there_are_eight_answers_of_each_kind(kind: str) -> None:
    assert len(LINES.shared[kind]) >= 8


def test_whoever_is_named_answers_else_whoever_spoke_last_else_one_of_them() -> None:
    def asked(text: str, last: int = -1) -> list[int]:
        return [me for me in BOTS if is_asked(text, me, BOTS, NAMES, last, "t 1 5")]

    assert asked("Well played, Cyril!", last=0) == [2] and asked("hello old dot") == [3]
    assert asked("Well played!", last=3) == [3]
    assert len(asked("Hello!")) == 1 and len(asked("Good evening.", last=1)) == 1


def test_a_bot_answers_once_in_three_turns_and_a_silent_one_never() -> None:
    gilda, view = talker(), ViewBuilder().see()
    first = gilda.reply("hello Gilda", KIM, BOTS, view, NAMES)
    assert first is not None and first.weight == 0
    assert first.text in {line.replace(WHO, "Kim") for line in LINES.shared["greeted"]}
    assert gilda.reply("hello again Gilda", KIM, BOTS, view, NAMES) is None
    view.turn_no += TURNS
    assert gilda.reply("hello again Gilda", KIM, BOTS, view, NAMES) is not None
    silent = Personality("some", "Some", "", 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, *EVEN)
    assert talker(0, silent).reply("hello Gilda", KIM, BOTS, view, NAMES) is None


@given(some.text(max_size=200))
def test_no_word_of_a_stranger_comes_back(text: str) -> None:
    answer = talker().reply(f"Gilda {text}", KIM, BOTS, ViewBuilder().see(), NAMES)
    assert answer is None or answer.text in {
        line.replace(WHO, "Kim") for kind in REPLIES for line in LINES.shared[kind]
    }
