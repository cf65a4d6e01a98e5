"""The client's side of a table: one object for a screen, a bot or a test, in an asyncio loop.

    client = Client("kickdoor://…", "Kim")
    await client.join()                       # ClientError: one line for people
    stop = client.subscribe(on_message)       # every message of the host, and each ConnectionChanged
    client.set(ready=True)
    n = client.act(Kick())                    # Ack(n, …) or Refused(n, …) comes later …
    answer = await client.do(Kick())          # … or here
    actions = client.choices()                # all that we may do
    async for view in client.views(): ...     # the newest, whenever there is another one
    refusal = await client.why(action)        # None: nothing forbids it
    await client.close()                      # the seat stays ours; `await client.leave()` gives it up

Attributes hold the newest state; `clocks()` counts down without messages. After a lost connection or a restarted host
the client reconnects with its resume token. It sends one action at a time, again under the same number until the host
has answered. Nothing here blocks or starts threads. Create and use it inside one running loop.

    stage      offline: no connection; joining: connected, not yet let in; synced: all attributes below are up to
               date; closed: over
    reason     why it is offline or closed, one line for people; code: the same as a word (bad_host: the host sent
               something impossible, so this side has ended the connection)
    seat       our seat, -1: none (a spectator, or not yet let in)
    info       wire.TableInfo: who sits where, stage of the table, pace, packs
    view       core.state.views.View, the newest; None before the first match
    forecasts  the results of the options in it (core.state.forecasts), if we ask; empty if the host sends none
    veiled     the game as our seat knows it (core.state.veiled.Veiled), if we ask; None if the host does not send it
    events     the last thousand wire.NumberedEvent of this game, oldest first (the newest Update brings what is new)
    auto       the host passes for us until this fight changes
    knocks     wire.KnockInfo of everybody who knocks, if we decide for the table
    strings    the table's join and watch strings, once we own it; () otherwise
    words      its short words, once we own it, if it has any; words_rest: they let nobody in until they are renewed
    left_off   after a long absence, or while a bot plays for us: the number of the last event that we had heard of this
               game, until our next action; -1: we were here
    rtt_ms     how long the last ping took, -1: not known
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from core.language.catalog import Catalog
from core.language.errors import PackError
from core.state.actions import Action, Refusal
from core.state.veiled import Veiled
from core.state.views import View
from netcode.client.connection import ClientError, Stage
from netcode.client.pending_actions import Answer
from netcode.client.seat_code import code_request
from netcode.client.state_machine import ConnectionChanged, Message, Role, StateMachine
from netcode.protocol import limits, wire
from netcode.protocol.codec import WireError
from netcode.protocol.pack_catalog import catalog_beside
from netcode.protocol.pack_files import built_in_hash, built_in_pack, open_blob

__all__ = ["Answer", "Client", "ClientError", "ConnectionChanged", "Message", "Role", "Stage"]



class Client(StateMachine):
    """The client of one player, bot or spectator at a table."""

    left = "you left the table"

    # ----------------------------------------------------------------------------------------------- coming and going
    async def join(self, timeout: float = 10.0) -> wire.Welcome:
        """Connect and sit down; return when the first view is there. timeout: seconds; at a table where newcomers knock
        it waits as long as the knock lasts, and `reason` says so.

        Raises ClientError: wrong or old join string, table full, host not reachable, … The client is closed then.
        """
        await self._enter(timeout, "did not let us in: is it the right table?")
        assert self.welcome is not None, "the client is up to date, so it was welcomed"
        return self.welcome

    async def close(self) -> None:
        """Go offline; the seat stays ours for the next `join`. Closing twice does no harm."""
        self._keep_seen()
        await super().close()
        self._actions.cancel()
        waiting: list[asyncio.Future[Any]] = [*self._reasons.values(), *self._parts.values()]
        for future in waiting:
            future.cancel()

    async def leave(self) -> None:
        """Give up the seat for good (a bot plays it to the end) and close."""
        if self.stage == "synced":
            self._send(wire.Leave(self._s))
            done, _ = await asyncio.wait([asyncio.ensure_future(self.wait_closed())], timeout=limits.LEAVE_S)
            if done:
                self._saved_seat.forget()
        await self.close()

    async def wait_closed(self) -> str:
        """Wait until the table ends the session (table closed, kicked, …); return the reason."""
        await self._until(lambda: self.stage == "closed")
        return self.reason

    def drop(self) -> None:
        """Cut the connection as a pulled cable would; the client reconnects. Used by tests and by "reconnect"."""
        self._reconnect("the connection was cut")

    # ------------------------------------------------------------------------------------------------------ listening
    def subscribe(self, callback: Callable[[Message], None]) -> Callable[[], None]:
        """Call back with each message of the host and each ConnectionChanged, after the attributes are updated. Return
        the function that ends this."""
        return self._subscribe(callback)

    async def messages(self) -> AsyncIterator[Message]:
        """Iterate over the same messages, from the first `anext` until the client is closed. A reader that falls more
        than 1000 messages behind loses the oldest."""
        waiting: deque[Message] = deque(maxlen=1000)
        off = self.subscribe(waiting.append)
        try:
            while True:
                while waiting:
                    yield waiting.popleft()
                if self.stage == "closed":
                    return
                await self._until(lambda: bool(waiting) or self.stage == "closed")
        finally:
            off()

    async def views(self) -> AsyncIterator[View]:
        """Iterate over our views of the table until the client is closed: always the newest, each once. After a
        refusal, waiting here means waiting until something has changed."""
        seen: View | None = None

        def is_there() -> bool:
            return self.stage == "closed" or (self.view is not None and self.view is not seen)

        while True:
            await self._until(is_there)
            if self.stage == "closed" or self.view is None:
                return
            seen = self.view
            yield seen

    # --------------------------------------------------------------------------------------------------------- asking
    @property
    def busy(self) -> bool:
        """Whether an action is under way, not yet answered."""
        return bool(self._actions)

    def act(self, action: Action) -> int:
        """Send an action and return its number n; Ack(n) or Refused(n) answers it. Ack "queued" means that it waits
        until a card has been read; a second Ack or Refused follows then. While offline it waits for the connection.
        An empty field `seen` is filled with the revision of our view.

        Raises ClientError "busy" if four are waiting already, "closed" if the table is gone."""
        if self.stage == "closed":
            raise ClientError("closed", self.reason)
        if self.view is not None and getattr(action, "seen", 0) == -1:
            action = msgspec.structs.replace(action, seen=self.view.rev)
        self.left_off = -1
        return self._actions.add(action)

    async def do(self, action: Action, timeout: float | None = 10.0) -> Answer:
        """Send an action and return the final answer ("queued" is not final), once our view holds its effects. The
        answer's `why` says why it was refused, "" if it was not. timeout: seconds; None: no limit. Raises
        asyncio.TimeoutError, and ClientError if the table closes first."""
        future = self._actions.answer(self.act(action))

        async def seen() -> Answer:
            answer = await future  # the effect of the action came before the answer, unless it was lost
            await self._until(lambda: not self._gap or self.stage == "closed")
            return answer

        return await asyncio.wait_for(seen(), timeout)

    def choices(self, most: int = 32) -> list[Action]:
        """Return what we may do now, as whole actions (netcode/bots/toolkit.py)."""
        from netcode.bots.toolkit import choices  # it loads the rules, which a screen does not need

        return choices(self.view, most) if self.view is not None else []

    async def why(self, action: Action, timeout: float = 5.0) -> Refusal | None:
        """Return what would forbid this action now; None if nothing would. The action is not carried out. timeout:
        seconds. Raises ClientError, asyncio.TimeoutError."""
        if self.stage != "synced":
            raise ClientError("offline", self.reason or "no connection to the host")
        self._nonce += 1
        q = self._nonce
        future: asyncio.Future[Refusal | None] = self._loop.create_future()
        self._reasons[q] = future
        self._send(wire.Why(self._s, q, action))
        try:
            return await asyncio.wait_for(future, timeout)
        finally:
            self._reasons.pop(q, None)

    async def knowledge(self, timeout: float = 2.0) -> Veiled | None:
        """Return what our seat knows of the game as a state, None if the host does not send it in time. A client that
        did not ask for it when joining asks now and gets it from then on. timeout: seconds."""
        if self.veiled is None and self.stage == "synced" and not self._wants_veiled:
            self._wants_veiled = True
            self._hello_at = -60.0
            self._hello()
            try:
                await asyncio.wait_for(self._until(lambda: self.veiled is not None or self.stage == "closed"), timeout)
            except TimeoutError:
                self._wants_veiled = False  # the host is older or slow; ask again the next time
        return self.veiled

    def say(self, text: str) -> bool:
        """Say something to the table. Return False if there is no connection, so that nobody hears it."""
        return self.stage == "synced" and self._send(wire.Say(self._s, text[: limits.TEXT_CHARS]))

    def set(
        self,
        *,
        ready: bool | None = None,
        auto: bool | None = None,
        speed: wire.Speed | None = None,
        skip: bool | None = None,
        withdraw: bool | None = None,
        open: bool | None = None,
        waits: wire.Waits | None = None,
        hints: bool | None = None,
    ) -> None:
        """Tell the host our preferences. ready: for the match, or a rematch. auto: pass for us until this fight
        changes. speed: of bots. skip: end the pause after a bot's action, or the wait for our key. withdraw: take back
        our action that waits until a card has been read. open: agree to reveal the finished game. waits: after which
        acts bots wait for our key. hints: agree to hints for everybody. A restarted host still knows
        speed and waits.

        Without arguments it says that the player is here. However often it is called (a key is held down), the host
        gets at most four messages a second, with the newest values. While offline, preferences wait for the connection;
        skip and withdraw lapse, because they apply only now; ready and open lapse in the next game, auto in another
        fight.
        """
        wanted = {
            "ready": ready, "auto": auto, "speed": speed, "skip": skip, "withdraw": withdraw, "open": open,
            "waits": waits, "hints": hints,
        }  # fmt: skip
        self._preferences.set({name: value for name, value in wanted.items() if value is not None})

    def admin(
        self, what: str, seat: int = -1, value: str = "", *, number: int = 0, pause_s: int = limits.KICK_PAUSE_S
    ) -> None:
        """Make a request of the owner, see wire.Admin; an Error comes back if it is refused. Raises ValueError for an
        unknown request."""
        try:
            fields = {
                "k": "admin", "s": self._s, "what": what, "seat": seat, "value": value, "number": number,
                "pause_s": pause_s,
            }  # fmt: skip
            request = msgspec.convert(fields, wire.Admin)
        except msgspec.ValidationError as problem:
            raise ValueError(str(problem)) from None
        self._send(request)

    def back(self, vote: int = 0, yes: bool = True) -> None:
        """Ask the table to undo the last action (vote 0), or vote on that: yes or no to the vote of this number. Alone
        with bots, vote 0 goes back to before our last choice."""
        self._send(wire.Back(self._s, vote, yes))

    def ask_for_code(self) -> bool:
        """Ask for a code with which our seat goes to another machine: a SeatCode comes, or an Error from an older host.
        Return False if there is no connection."""
        return self.stage == "synced" and self._send(code_request(self.target, self._saved_seat.token, self.name))

    def sync(self) -> None:
        """Ask the host for a whole update."""
        self._send(wire.Sync(self._s))

    # ---------------------------------------------------------------------------------------------------------- packs
    async def packs(self) -> list[dict[str, bytes]]:
        """Return the files of all packs in play, in order, for `catalog`: our own if they are
        the same as the host's, otherwise the host's. Raises ClientError."""
        found = []
        for pack in self.info.packs if self.info is not None else []:
            own = pack.built_in and built_in_hash(pack.set_id) == pack.hash
            found.append(built_in_pack(pack.set_id) if own else await self._fetch(pack))
        return found

    async def catalog(self, packs: list[dict[str, bytes]]) -> Catalog:
        """Return the catalog of the packs that `packs` returned. A child process reads packs that are not built in.
        Raises ClientError if one of them would not pass `kickdoor cards check`."""
        names = [pack.set_id for pack in self.info.packs] if self.info is not None else []
        try:
            catalog = await catalog_beside(list(zip(names, packs)))
        except PackError as problem:
            raise ClientError("bad_pack", str(problem)) from None
        self.know(catalog)
        return catalog

    def know(self, catalog: Catalog) -> None:
        """Note the catalog of the packs in play; from now on the host may name only their cards. Raises ClientError,
        and closes the connection, if it has named others."""
        try:
            self._consistency.know_cards(catalog.cards)
        except WireError as problem:
            self._end_distrusted(problem)
            raise ClientError(self.code, self.reason) from None

    async def _fetch(self, pack: wire.PackInfo) -> dict[str, bytes]:
        blob = await self._pieces(pack.set_id, limits.PACKED_BYTES, lambda at: wire.GetPack(self._s, pack.set_id, at))
        try:
            return open_blob(blob, pack.hash)
        except ValueError as problem:
            raise ClientError("bad_pack", f"the host sent a damaged pack {pack.set_id}: {problem}") from None

    async def revealed_game(self, game: int) -> bytes:
        """Return the revealed game of this number (info.opened), see netcode/protocol/revealed_game.py. Raises
        ClientError."""
        return await self._pieces(game, limits.REVEALED_GAME_BYTES, lambda at: wire.GetGame(self._s, game, at))

    async def _pieces(self, what: str | int, limit: int, ask: Callable[[int], wire.Up]) -> bytes:
        """Return data that the host sends in pieces: a pack (by its id) or a game (by its number). limit: bytes."""
        blob, size = bytearray(), 0
        while not size or len(blob) < size:
            part = await self._piece(what, ask(len(blob)))
            short = len(part.data) < min(limits.PIECE_BYTES, part.size - len(blob))
            if part.offset != len(blob) or part.size > limit or size not in (0, part.size) or short:
                raise ClientError("bad_pack", f"the host sent pieces of {what} that do not fit together")
            blob, size = blob + part.data, part.size
        return bytes(blob)

    async def _piece(self, what: str | int, ask: wire.Up) -> wire.PackPart | wire.GamePart:
        for _ in range(5):
            self._parts[what] = self._loop.create_future()
            self._send(ask)
            try:
                return await asyncio.wait_for(self._parts[what], limits.RESEND_S)
            except TimeoutError:
                continue
        raise ClientError("bad_pack", f"the host does not send {what}")
