"""The parts of a table that an answer may depend on."""

PART_BITS = 5
SEATS, HANDS, FIGHT, TURN, SEALS = (1 << place for place in range(PART_BITS))
"""The parts of a table, as bits: Levels, sexes, cards in play and lasting effects of seats, and who is dead; hands,
which of their cards are fresh, bodies, and who is bare; the combat; the turn except its phase; the Seals."""
ANYWHERE = SEATS | HANDS | FIGHT | TURN | SEALS
FAR = PART_BITS
"""The shift in bits of a card's second kind of dependency within its traits (traits.py)."""
