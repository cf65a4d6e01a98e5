"""Views as deltas: a session is sent how a view differs from the one before.

A view has two parts. The public part is the spectator's view; it is packed and compressed once for all sessions. The
own part is what only one seat knows. A third part, for sessions that ask for it, is the veiled state
(core/knowledge/veil.py). Each part is msgpack, deflated (RFC 1951) with the same part of the previous delta as its
dictionary, so that unchanged data takes a few bytes. docs/protocol.md describes it.

A client trusts no host: a part that cannot be inflated, is too long, or is no part of a view raises WireError.
"""

import zlib

import msgspec
from msgspec import Struct
from msgspec.msgpack import Decoder
from msgspec.structs import replace

from core.state.model import Bargain
from core.state.numbers import EachSeat, Short
from core.state.veiled import Veiled
from core.state.views import SeatView, View, WindowView, You
from netcode.protocol import limits, wire
from netcode.protocol.codec import WireError, place_of
from netcode.protocol.printing import quoted

_RAW = -15
"""zlib's parameter for deflate without a header, with the largest window."""
_WINDOW = 32 * 1024
"""The longest dictionary of deflate, bytes."""
_SMALLEST_WINDOW = 9
"""Deflate's smallest window, as a power of two."""
_NEARBY = 300
"""Bytes of its window that deflate does not search, rounded up."""
_LEVEL = 3
"""How hard deflate searches for repetitions. The default (6) takes 1.4 times as long and saves one byte in twenty,
because it indexes each position of matched data."""
_MEMORY = 4
"""How much memory deflate may use (8 by default). Parts are short, so more memory does not make them smaller, and
deflate clears all of it for each part."""


class Own(Struct, array_like=True):
    """The part of a seat's view that the public view lacks. seats (while first cards are laid out), offers, bargain
    (for help in the fight): None if this seat sees them as everybody does."""

    you: You
    window: WindowView | None
    offers: Short[Bargain] | None
    bargain: Bargain | None
    seats: EachSeat[SeatView] | None


class Parts(Struct, frozen=True, gc=False):
    """The parts of a view and the veiled state, packed. A part is empty if there is no view, no own part (spectators
    have none), or the session has not asked for a veiled state."""

    public: bytes = b""
    own: bytes = b""
    veiled: bytes = b""


NOTHING = Parts()
"""The base of a whole delta."""
_public_decoder = Decoder(View)
_own_decoder = Decoder(Own)
_veiled_decoder = Decoder(Veiled)


# ------------------------------------------------------------------------------------------------------- at the host
def own_part(view: View, public: View) -> Own:
    """Return the own part of a seat's view. public: the spectators' view."""
    assert view.you is not None, "a seat's view says what it may do"
    offers = view.offers if view.offers != public.offers else None
    seats = view.seats if view.seats != public.seats else None
    bargain = view.fight.bargain if view.fight is not None and view.fight is not public.fight else None
    return Own(view.you, view.window, offers, bargain, seats)


def difference(part: bytes, base: bytes) -> bytes:
    """Return the difference from which `inflated` makes this part, given the base; empty if both are the same. Raises
    WireError if the part is too long for a client."""
    if part == base:
        return b""
    if len(part) > limits.PART_OF_VIEW_BYTES:
        raise WireError("bad_frame", f"a part of a view takes {len(part)} bytes, more than a client reads")
    window = min(-_RAW, max(_SMALLEST_WINDOW, (len(base) + len(part) + _NEARBY).bit_length()))
    codes = zlib.Z_FIXED if base else zlib.Z_DEFAULT_STRATEGY  # a difference is too short for its own Huffman codes
    deflate = zlib.compressobj(_LEVEL, zlib.DEFLATED, -window, _MEMORY, codes, base[-_WINDOW:])
    return deflate.compress(part) + deflate.flush()


# ----------------------------------------------------------------------------------------------------- at the client
class Folder:
    """Turns the deltas of one session into updates."""

    def __init__(self) -> None:
        self._parts = NOTHING

    def fold(self, delta: wire.Delta, epoch: int, timers: wire.Timers) -> wire.Update:
        """Return the update of this delta, which builds on the previous one unless it is whole. epoch: of the welcome;
        timers: the clocks that run until a delta has others. Raises WireError; then nothing has changed, and a whole
        delta is needed."""
        base = NOTHING if delta.whole else self._parts
        parts = Parts(
            inflated(delta.public, base.public), inflated(delta.own, base.own), inflated(delta.veiled, base.veiled)
        )
        try:
            view = _folded(parts)
            veiled = _veiled_decoder.decode(parts.veiled) if parts.veiled else None
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as problem:
            place = ", ".join(filter(None, ("a view", place_of(problem))))
            raise WireError("bad_schema", f"not a part of a view: {quoted(problem)}", place) from None
        self._parts = parts
        events = [wire.NumberedEvent(no, event) for no, event in enumerate(delta.events, delta.no)]
        return wire.Update(
            epoch, delta.seq, view, events, delta.timers or timers, delta.whole, delta.auto, delta.forecasts,
            delta.more, veiled, delta.undo,
        )  # fmt: skip


def inflated(delta: bytes, base: bytes) -> bytes:
    """Return the part that results from applying `difference` to this part. Raises WireError if that is not possible
    within limits."""
    if not delta:
        return base
    inflate = zlib.decompressobj(_RAW, base[-_WINDOW:])
    try:
        part = inflate.decompress(delta, limits.PART_OF_VIEW_BYTES)
    except zlib.error as problem:
        raise WireError("bad_frame", f"a part of a view cannot be inflated: {problem}") from None
    if not inflate.eof or inflate.unused_data:
        raise WireError("bad_frame", "a part of a view is cut off, too long, or followed by something else")
    return part


def _folded(parts: Parts) -> View | None:
    """Return the view that has these parts. Raises the errors of a decoder."""
    if not parts.public:
        return None
    public = _public_decoder.decode(parts.public)
    if not parts.own:
        return public
    own = _own_decoder.decode(parts.own)
    fight = public.fight
    if fight is not None and own.bargain is not None:
        fight = replace(fight, bargain=own.bargain)
    seats = own.seats if own.seats is not None else public.seats
    offers = own.offers if own.offers is not None else public.offers
    return replace(public, seats=seats, fight=fight, window=own.window, offers=offers, you=own.you)
