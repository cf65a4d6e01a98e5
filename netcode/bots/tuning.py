"""The numbers by which bots weigh the game: data/tuning.toml, which explains each number and its origin.

Modules of this package bind their group (`_GEAR = TUNING.gear`) or single numbers to names of their own.
"""

import msgspec
from msgspec import Struct

from core.language import toml
from netcode.bots.data_files import read_data

FILE = "tuning.toml"


class Style(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of a bot level: which things it does, and how it weighs its choices."""

    bargains: bool
    sells: bool
    abilities: bool
    curses: bool
    guards: bool
    interference_cost: float
    card_cost: float
    help_price: float
    own_price: float
    fear: float
    highest_share: float
    trouble_margin: float
    treasure: float
    level_sale: float
    last_guard: float
    sells_within: int
    haggles: bool


class Points(Struct, frozen=True, forbid_unknown_fields=True):
    """Values of things."""

    level: float
    treasure: float
    door: float
    death: float
    death_most: float
    seal: float
    counter: float
    turn: float
    win: float
    strength: float
    gold: float
    unexamined: float


class Modifiers(Struct, frozen=True, forbid_unknown_fields=True):
    """Values of modifiers for their owner."""

    flee: float
    pay_roll: float
    wins_ties: float
    forbid: float
    ignore: float
    capacity: float
    capacity_most: int
    helper_levels: float
    sell_double: float
    shield: float
    extra_cards: float
    top_discard: float
    two_handed: float
    seal_draw: float
    spare_death: float
    loot_fight: float
    throw_again: float
    throw_again_text: float
    throw_again_run: float
    throw_again_any: float
    throw_again_once: float
    roll_is: float


class Effects(Struct, frozen=True, forbid_unknown_fields=True):
    """Values of effects of card text."""

    unlikely: float
    may_win: float
    recover_chosen: float
    peek_look: float
    peek_under: float
    peek_discard: float
    peek_more: float
    added_monster: float
    expelled_helper: float
    lifted: float
    identity_swapped: float
    seal_closed: float
    sacrificed: float
    zones: dict[str, float]
    picks: dict[str, float]
    spans: dict[str, float]


class HandPoints(Struct, frozen=True, forbid_unknown_fields=True):
    """Values of cards in hand."""

    ability: float
    hundred_gold: float
    use: float
    monster: float
    small_monster: float
    small_level: int
    identity: float
    identity_use: float
    special: float
    special_good: float
    special_removes: float
    special_escapes: float
    one_shot: float
    one_shot_strength: float
    one_shot_removes: float
    one_shot_escapes: float
    one_shot_good: float
    other: float
    other_hundred_gold: float
    kinds: dict[str, float]


class ReadingNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How the table is read."""

    tag_met: float
    near: int
    guard: float
    rival_least: float
    rival: float
    rival_progress: float
    rival_ahead: float
    death: float
    death_gear: float
    death_card: float


class GearNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How Items in play are weighed."""

    carried: float
    usable: float
    barred: float
    swap: float
    kept: float
    one_shot: float
    one_shot_least: float
    in_hand: float
    in_hand_unusable: float


class OwnTurnNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How a bot plays its own turn."""

    free_acts: int
    new: int
    benefit: float
    each: float
    better_identity: float
    only: float
    companion: float
    companion_strength: float
    cheat: float
    level_strength: int
    free_ability: float
    paid_ability: float
    discard: float
    surplus: float
    fall: float
    fall_near: int
    last_seals: float
    seals_near: int
    in_play_other: float
    beaten_monster: float
    spare_most: float
    spare: float
    winning_trouble: float
    curse: float
    free_sale: float
    in_play: dict[str, float]


class CombatNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How fights are weighed."""

    edge: float
    alone: float
    alone_match_point: float
    helped: float
    believed: float
    spared: float
    hand_card: float
    far_from_winning: float
    partner: float
    tag: float
    paid_identity: float
    paid_in_play: float
    paid_equipped: float
    move: float


class BargainNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How help, trades and gifts are weighed."""

    offers_most: int
    waits_most: int
    saved: float
    risk: float
    risk_close: float
    close: int
    desperate: float
    gains_levels: int
    accepted: float
    offered: float
    idle: float


class AnswerNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How asks with options are answered."""

    use: float
    victim: float
    player: float
    shield: float
    throw_again: float
    throw_strength: float


class WinBlockerNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """Which cards stop a winner."""

    strength: int


class RandomNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How a random bot plays."""

    idle: float


class PersonalityNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """Effects of traits."""

    even: float
    share: float
    price: float
    first_pick: float
    gives: float
    gift: float
    forbears: float
    trades: float
    helps: float
    unasked: float
    volunteers: float
    keeps_levels: float
    levels_within: int
    restless: float
    restless_new: int
    fear: float
    margin: float
    rushes: float
    interference: float
    curse: float
    company: float
    card_cost: float
    level_sale: float
    sells_within: float
    grudge: float
    loyalty: float
    strikes: float
    spares: float
    allies: float
    ahead: int
    holds_small: float
    holds_foe: float


class ReputationNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How the deeds of other seats are weighed."""

    promise: float
    small: float
    blow: float
    left: float
    next_game: float


class FightValueNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """The value of a fight."""

    big: float
    much: int
    level: int


class BluffNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How often windows are held as a bluff."""

    match_point: float
    big_fight: float
    feared: float


class PaceNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How long bots think where people watch."""

    window_s: float
    hold_s: float
    offer_s: float
    passing_s: float
    stakes: float
    spread: float
    least_s: float
    most_s: float
    haste: float
    asked_s: dict[str, float]


class TalkNumbers(Struct, frozen=True, forbid_unknown_fields=True):
    """How often bots speak, and when."""

    turns: int
    soonest_s: float
    latest_s: float
    big_level: int
    chances: dict[str, float]


class Tuning(Struct, frozen=True, forbid_unknown_fields=True):
    """All numbers of the file, by group. amounts: the usual number of each thing that an amount can count. style: by
    name."""

    points: Points
    amounts: dict[str, float]
    modifiers: Modifiers
    effects: Effects
    hand: HandPoints
    reading: ReadingNumbers
    gear: GearNumbers
    own_turn: OwnTurnNumbers
    combat: CombatNumbers
    bargains: BargainNumbers
    answers: AnswerNumbers
    win_blockers: WinBlockerNumbers
    random: RandomNumbers
    style: dict[str, Style]
    personality: PersonalityNumbers
    reputation: ReputationNumbers
    fight_value: FightValueNumbers
    bluffs: BluffNumbers
    pace: PaceNumbers
    talk: TalkNumbers


def read(text: str) -> Tuning:
    """Return the numbers of a TOML text. Raises ValueError, with one line that names the place, if one is missing,
    unknown, or no number."""
    try:
        return msgspec.convert(toml.parse(text), Tuning)
    except msgspec.ValidationError as problem:
        raise ValueError(f"{FILE}: {problem}") from None


TUNING = read_data(FILE, read)
