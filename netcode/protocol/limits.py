"""Every limit of the wire: sizes, counts, rates and times, each with its unit and its reason.

A name ends in its unit (BYTES, CHARS, MS, S); the others are counts. The tables of limits in docs/protocol.md are
compared with this module by tests/netcode/protocol/test_protocol_page.py. How often a client may send a message of one
kind is in wire.py, beside the message.
"""

from typing import NamedTuple

from core.language import pack_limits as packs


class Rate(NamedTuple):
    """How often something may be done: per second in the long run, and how many times at once."""

    per_second: float
    burst: int


# ------------------------------------------------------------------------------------------------------- wire frames
UP_BYTES = 4 * 1024
"""A wire frame from a client: the longest action fits many times."""
DOWN_BYTES = 64 * 1024
"""A wire frame from the host: the largest view with its events."""
PART_OF_VIEW_BYTES = 64 * 1024
"""One part of a view, public or own, after a client has inflated it."""
PART_BYTES = 32 * 1024
"""One part of a card pack or of a revealed game: half a wire frame, so it always fits."""
PIECE_BYTES = 1024
"""The shortest such part that a client takes, except the last one; with shorter ones a transfer could last without
end."""

# ----------------------------------------------------------------------------------------------------- text in fields
NAME_CHARS = 20
"""A player's name, and an admin message's value: a cell of the screen."""
TEXT_CHARS = 300
"""One line of talk, and every sentence for people."""
TABLE_CHARS = 24
"""The id of a table in a join string."""
TITLE_CHARS = 24
"""The title of a table in the lobby's list."""
SET_ID_CHARS = 48
"""The id of a card set."""
OPTION_CHARS = 24
"""The name of a table option."""
LEVEL_CHARS = 12
"""Single words of a list row, and the level of a bot for a host of an older version."""
PLACE_CHARS = 255
"""The name or IP address of a host, as DNS limits it."""
PLACES = 8
"""Addresses of a club's hosts in one message or join string."""
HOPS = 12
"""How often the hosts of a club may send a client to another one before one of them lets it in."""
HOPS_AT_ONCE = 3
"""How many of these it follows at once; before each further one it waits for HOP_S."""
HOP_S = 0.5
"""How long a client waits then."""
WHERE_CHARS = 40
"""Where somebody comes from: a network address, of IPv6 39 characters; or a guest of an SSH door."""
BOT_CHARS = 24
"""The name of the player of a bot's seat: its level, or the name of a third-party bot."""
VERSION_CHARS = 24
"""The version of a client's program."""
MACHINE_CHARS = 64
"""The name of the host's machine."""
SHORT_WORDS_CHARS = 24
"""Short words: two of nine letters at most, and a number of three digits."""
UNCLEANED = 8
"""The factor by which a text of a host may exceed its limit before it is cleaned and cut."""
JOIN_TOKEN_BYTES = 16
"""The token of a join string."""
TOKEN_BYTES = 32
"""A token, session id, hash or nonce. Tokens and session ids in use have 16."""
SETS = 8
"""Card sets of one table."""
OPTIONS = 8
"""Options of one table."""
SEATS_MIN = 3
"""Seats of a table, at least: the books begin with three players."""
SEATS_MAX = 6
"""Seats of a table, at most: the books end with six players."""
SETS_KNOWN = 200
"""Card sets that a host may offer for new tables."""
TABLES_MOST = 1000
"""Tables in a lobby's list: more than fit into a wire frame."""
KNOCKS_MOST = 64
"""Newcomers that a client shows: eight times as many as a host lets knock."""

# --------------------------------------------------------------------------------------------------------------- rates
CONNECTION_RATE = Rate(150, 400)
"""Wire frames of one connection, of any kind: frames beyond it are dropped before they are unpacked."""
ERROR_RATE = Rate(2, 5)
"""Errors sent to one connection for frames that belong to no session, so that an attacker cannot make the host send
more."""
BOT_ACT_RATE = Rate(50, 100)
"""Actions of a third-party bot: bots alone at a table need not wait for a reader."""
HOST_FRAMES = Rate(2000, 20_000)
"""Wire frames that a client takes from its host; beyond it the connection ends. Six third-party bots make the host send
a few hundred a second, and frames that it sent while a client was suspended arrive at once."""
HOST_BYTES = Rate(2 * 1024 * 1024, 32 * 1024 * 1024)
"""Bytes of these frames: twice the bytes of the parts of card packs at their highest rate."""
HOST_NEWS = Rate(500, 4000)
"""Frames with news for people: twice as many as the host sends if people come and go as fast as the front allows
(HANDSHAKES) and everybody talks."""
CREATE_RATE = Rate(0.5, 5)
"""New tables, by all visitors of a lobby together."""
KNOCK_RATE = Rate(0.5, 8)
"""New knocks at one table, so that its owner can read them."""
UNDO_RATE = Rate(1 / 60, 2)
"""Undo votes that one seat may begin, because a vote stops the clocks."""
LOST_VOTES = 2
"""Undo votes of one seat that may fail in one turn; afterwards it has to wait for the next turn."""
REFUSALS = 50
"""Refused acts within REFUSALS_MS after which a player is sent out; nobody makes that many mistakes."""
REFUSALS_MS = 10_000
"""The period in which refusals are counted."""

# -------------------------------------------------------------------------------------------------------------- counts
SPECTATORS = 16
"""Spectators of one table."""
VISITORS = 100
"""Visitors of one lobby."""
TABLES_PER_KEY = 3
"""Open tables that one client key may have created."""
TABLES_PER_ADDRESS = 10
"""Open tables that one network address other than the host's own machine may have created."""
BANS = 200
"""Client keys in each list of a table: keys that it keeps out for good or for a time, has muted, or has let in after a
knock."""
FOUNDERS = 8
"""Client keys that came with the owner string, so that nobody can ban them."""
KNOCKS = 8
"""Newcomers who knock at one table at the same time."""
ROLLBACK_REPORTS = 24
"""Reports that a table passes on, of players who have seen more of a game than it has: twice as many as there are
seats."""
RESUME_TOKENS = 4
"""Tokens that resume one session: the token with which its client came, and the newest of those given to it since. Any
of them may be the last that has arrived."""
REPLIES = 32
"""Replies to actions that a session keeps, for actions that are sent again."""
QUEUED_ACTIONS = 4
"""Actions of one session that wait at a table until a card has been read."""
WAITING_HELLOS = 256
"""Hellos without a seat that wait for the host: one of each connection, as many as there may be newcomers."""
QUEUED_MESSAGES = 32
"""Messages of one sender that wait for a table: our client never has more than a dozen under way."""
CLIENT_ACTIONS = 4
"""Actions that a client keeps until the host has answered them."""
GAME_EVENTS = 20_000
"""The newest events of a game that the host keeps, for clients that missed them: more than a game has."""
WHOLE_EVENTS = 80
"""Events in a whole `delta`."""
DELAYED_EVENTS = 400
"""Events of a moment that the host keeps for delayed spectators."""
DELAYED_MOMENTS = 200
"""Moments that the host keeps for delayed spectators, whatever the delay."""
RECEIVED_MESSAGES = 128
"""Messages that wait for the host's loop. All others stay with ZeroMQ, where each connection has its own bounded queue.
In a flood everybody waits behind this many messages: four times as many would take four times as long."""
TRACKED_KEYS = 4096
"""Client keys or connections whose rates the host remembers; beyond it, all are dropped."""

# --------------------------------------------------------------------------------------------------------------- times
HEARTBEAT_MS = 2000
"""How often a client at a table sends `ping` (welcome.beat_ms)."""
HEARTBEAT_MOST_MS = 60_000
"""The longest heartbeat that a host can ask for, so that a client notices when the host is gone."""
CLOCK_MOST_MS = 10**12
"""The longest time that a host can name."""
LOBBY_HEARTBEAT_MS = 1000
"""How often a visitor of a lobby asks for the list (entered.beat_ms)."""
PROBE_MS = HEARTBEAT_MS * 5 // 4
"""Silence after which the host sends a session something each second, because only use reveals a broken connection."""
LOST_MS = 3 * HEARTBEAT_MS
"""Silence after which a seat is `lost`."""
AWAY_MS = 60_000
"""How long a seat is `lost` before it is `away` and a bot plays it."""
BOT_SILENT_MS = 10_000
"""Silence after which a guest bot is replaced by one of the host's own."""
LOBBY_SILENT_MS = 10_000
"""Silence after which a visitor of a lobby is forgotten."""
LAGGING_MS = 30_000
"""How long a client may leave its messages unread before its connection counts as lost."""
LIST_MS = 500
"""How old the lobby's list may be when it is sent: it is built at most twice a second."""
IDLE_S = 300
"""How long a table created in the lobby waits for its first player."""
GOODBYE_S = 0.5
"""How long a stopping host waits after its last messages, because unread ones are lost when a connection closes."""
SILENT_HEARTBEATS = 2.5
"""Heartbeats without a message after which a client considers the host lost."""
UNANSWERED_HEARTBEATS = 2.0
"""Heartbeats without an answer to a `ping` after which a client connects again."""
RESEND_S = 2.0
"""How long a client waits for an answer before it sends its message again."""
CLIENT_TICK_S = 0.25
"""How often a client checks whether it has something to send."""
LOBBY_ANSWER_S = 15.0
"""How long a visitor of a lobby sends a request again before it gives up."""
LEAVE_S = 0.75
"""How long a client that gives its seat up waits for the host's answer, so that leaving takes at most two seconds."""
SEEN_S = 5.0
"""How often a client saves how far it has seen a game, if there is something new."""
ALIVE_MS = 3000
"""How long the connection of a seat may take to answer when another process of its player asks for the seat: it says
something every two seconds."""
ALIVE_RETRY_MS = 700
"""How often that process asks again meanwhile."""
SEAT_CODE_CHARS = 8
"""The characters of a code that leads to a seat: 40 random bits, far beyond what can be tried while it is valid."""
SEAT_CODE_MS = 600_000
"""How long such a code is valid. It is used once, and a newer one replaces it."""
PREFERENCES_S = 0.25
"""How long a client waits between two `set` messages; changes in between go into the next one."""
BOT_GIVES_UP_S = 600.0
"""How long a bot tries to reach a lost host. A person is told after this time, and decides for themselves."""
WATCH_DELAY_S = 600
"""The longest delay of spectators that a host accepts."""
KICK_PAUSE_S = 300
"""How long somebody who was sent away stays out by default."""
KICK_PAUSE_MAX_S = 86_400
"""The longest time for which somebody can be sent away; a ban has no end."""
KNOCK_MS = 120_000
"""How long a knock waits for an answer."""
KNOCK_RETRY_MS = 5000
"""How long a client waits before it knocks again at a table with too many knocks."""
VOTE_MS = 20_000
"""How long an undo vote waits for answers; then silence counts as no."""
PAUSE_MS = 300_000
"""How long the owner alone may pause the game in one turn; afterwards anybody may resume it."""
FLOOD_PAUSE_MS = 30_000
"""How long a player who was sent out for refused acts stays out; the seat is kept."""
RACE_MS = 2000
"""The oldest change for which a refusal says who was faster, and by how much."""
DEAL_WAIT_MS = 3000
"""How long a deal waits for clients that do not answer: first for hashes, then for nonces."""
DEAL_RETRY_S = 1.0
"""How long a client waits before it sends its hash or nonce again."""
DEAL_TRIES = 3
"""The most times that a client sends its hash or nonce."""

# -------------------------------------------------------------------------------------------------------- announcements
ANNOUNCED_CHARS = 24
"""The name of the machine in an announcement."""
FIND_S = 2.0
"""How long a client looks for hosts."""
FOUND_HOSTS = 64
"""Hosts that a search returns; each address has its turn."""
HOST_CLAIMS = 2048
"""Names of hosts that a client remembers during a search; the name that was heard least lately makes room."""
CLAIMED_ADDRESSES = 64
"""Addresses and ports that a client remembers for one name of a host."""
PROBES = 192
"""Addresses at which a client tries to connect at the same time."""
PROBE_S = 0.3
"""How long such an address may take to answer at first."""
SLOW_PROBE_S = 1.5
"""How long it may take when it is tried again."""
TRIED_HANDSHAKES = 16
"""Addresses at which a client tries the CURVE handshake with the key of its join string at the same time."""
TRIED_ADDRESS_S = 2.0
"""How long a client waits for that handshake."""

# -------------------------------------------------------------------------------------------------------------- ZeroMQ
HOST_MESSAGE_BYTES = 16 * 1024
"""A ZeroMQ message that the host receives; a longer one ends its connection. It is more than UP_BYTES, so that a frame
that is only a little too long gets an error."""
CLIENT_MESSAGE_BYTES = 256 * 1024
"""A ZeroMQ message that a client receives."""
HOST_SEND_QUEUE = 32
"""Messages that ZeroMQ keeps for a client that does not read."""
CLIENT_SEND_QUEUE = 16
"""Messages that ZeroMQ keeps for a host that does not read."""
RECEIVE_QUEUE = 64
"""Messages of one connection that the host's ZeroMQ keeps unread."""
CLIENT_RECEIVE_QUEUE = 32
"""Messages that a client's ZeroMQ keeps unread."""
CLIENT_KEPT_BYTES = CLIENT_RECEIVE_QUEUE * DOWN_BYTES + CLIENT_MESSAGE_BYTES
"""Bytes that a client's ZeroMQ keeps unread, whole messages or not: a full queue of the longest wire frames, and the
next message. Beyond it the client ends the connection. ZeroMQ stores the shortest parts of a message in four times as
many bytes."""
HOST_LINGER_MS = 500
"""How long a host still tries to deliver its last messages after it has closed its socket."""
CLIENT_LINGER_MS = 200
"""How long a client still tries to deliver its last messages after it has closed its socket."""
BACKLOG = 64
"""TCP connections that wait to be accepted by the host."""
FRONT_BACKLOG = 1024
"""TCP connections that wait to be accepted by the front, which accepts this many within a tenth of a second. The system
drops further ones, and their clients try again after a second."""
HOST_HANDSHAKE_MS = 3000
"""How long a client may take for the CURVE handshake."""
CLIENT_HANDSHAKE_MS = 5000
"""How long the host may take for the CURVE handshake, and for the TCP connection."""
ZMTP_HEARTBEAT_MS = 2000
"""How often a client's ZeroMQ sends a heartbeat of its own (ZMTP PING)."""
ZMTP_TIMEOUT_MS = 6000
"""Silence after which a client's ZeroMQ drops the connection."""
ZMTP_TTL_MS = 8000
"""Silence after which the host's ZeroMQ drops the connection, as the client's heartbeat asks."""
RECONNECT_MIN_MS = 100
"""Pause before a client's first attempt to reconnect."""
RECONNECT_MAX_MS = 1000
"""Longest pause between a client's attempts to reconnect."""
KEEPALIVE_IDLE_S = 30
"""Silence after which TCP probes a connection."""
KEEPALIVE_S = 10
"""Pause between two such probes."""
KEEPALIVE_PROBES = 3
"""Unanswered probes after which TCP drops the connection."""

# ----------------------------------------------------------------------------------------------------------- the front
HELLO_MS = 3000
"""How long a connection may take for a valid hello after the handshake; then the front ends it."""
NEWCOMER_FRAMES = Rate(2, 10)
"""ZeroMQ frames of a connection without a valid hello yet: its hello, repeated, and heartbeats."""
NEWCOMER_BYTES = Rate(1024, 4096)
"""Bytes of such a connection, including the handshake."""
NEWCOMER_FRAME_BYTES = 1024
"""One ZeroMQ frame of such a connection: the longest hello fits three times."""
GUEST_FRAMES = Rate(60, 200)
"""ZeroMQ frames of a spectator or a visitor of the lobby: parts of a card pack are asked for 30 times a second."""
GUEST_BYTES = Rate(16 * 1024, 64 * 1024)
"""Bytes of such a connection."""
SEATED_FRAMES = Rate(300, 800)
"""ZeroMQ frames of a player: twice CONNECTION_RATE, beyond which the host drops them."""
SEATED_BYTES = Rate(64 * 1024, 256 * 1024)
"""Bytes of a player."""
ZMTP_HEARTBEATS = Rate(1, 10)
"""ZeroMQ's own heartbeats of one connection: twice as many as ours sends, and those that waited for a slow network."""
ADDRESS_BYTES = Rate(256 * 1024, 1024 * 1024)
"""Bytes of all connections without a seat that come from one network address."""
UNSEATED_BYTES = Rate(512 * 1024, 4 * 1024 * 1024)
"""Bytes of all connections without a seat."""
DOOR_BYTES = 2048
"""The first bytes of a connection that count for neither of these two: a handshake and the longest hello fit, so a
player with a seat can return while strangers use up the allowance of their address."""
CALLERS = 512
"""Connections without a CURVE HELLO. One more ends another of the address that has the most: the least advanced one.
Each costs a descriptor; the number gives distant clients time to answer."""
ADDRESS_CALLERS = 384
"""Such connections of one network address."""
HANDSHAKES = Rate(100, 256)
"""Handshakes that all newcomers together may finish; further ones wait, each network address in turn. So a host still
has time for its players, and the players of twenty tables can return at once."""
NEWCOMERS = 256
"""Connections with a CURVE HELLO and without a valid hello yet. One more ends another of the address that has the most:
one that has owed the next step for half a second, else the least advanced one."""
ADDRESS_NEWCOMERS = 192
"""Such connections of one network address: more than 120 players behind one router, who all return at once."""
GUESTS = 400
"""Connections of spectators and visitors of the lobby; players have their own places."""
ADDRESS_GUESTS = 360
"""Such connections of one network address: spectators of twenty tables."""
LABEL_CONNECTIONS = 16
"""Connections of one guest of an SSH door, whatever they are for, and as many more that have not said HELLO: a client
has one, and two while it returns."""
WORDS = Rate(4, 8)
"""Clients with short words whom the host takes: each costs a process of its own some 20 ms. Further ones wait, each
network address in turn."""
WORDS_WAITING = 32
"""Such clients that wait; further ones are told to come again."""
ADDRESS_WORDS_WAITING = 8
"""Such clients of one network address."""
UNHEARD_FRAMES = 256
"""Frames of one connection that do not complete a message; our messages have one frame."""
FRONT_UNREAD_BYTES = 64 * 1024
"""Bytes that the front buffers of one connection for a host or a client that does not read."""
FRONT_LINGER_MS = 2000
"""How long the front waits for a client to read the last bytes before its connection ends."""

# -------------------------------------------------------------------------------------------- packs and revealed games
PACK_FILE_BYTES = packs.FILE_LIMIT
"""One file of a card pack."""
PACK_FILES = packs.FILES_LIMIT
"""Files of a card pack."""
PACK_BYTES = packs.PACK_LIMIT
"""All files of a card pack together."""
PACKED_BYTES = PACK_BYTES + 4096
"""A card pack as it is sent: its files with their names."""
GAME_LOG_BYTES = 4 * 1024 * 1024
"""Actions that a host keeps for revealing a game; a longer game cannot be revealed."""
SEED_BYTES = 1024
"""The seed of a revealed game: 32 bytes, unless its table was given a seed."""
GAME_ACTS = 500_000
"""Actions of a revealed game: more than fit into GAME_LOG_BYTES."""
REVEALED_GAME_BYTES = 8 * 1024 * 1024
"""A whole revealed game."""
