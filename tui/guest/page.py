"""The page of `ssh HOST help`. Pure."""

PAGE = """\
kickdoor: a game of doors, monsters and treasure for 3 to 6 players, at this host. Nothing to install.

  {door}               sit down, or return to your seat
  {door} -t watch      spectate: everything but the hands
  {door} -t lobby      all tables of this host; open one of your own
  {door} -t table NAME go to one of them
  {door} help          this page

Who comes for the first time is asked once for the words that the table's owner gave them.
Your ssh key is your seat: from any machine with that key you return to it, also after a lost line.
Without a key you read a code in the waiting room; it brings you back.
Your name at the table is your name in ssh:  ssh NAME@..
In the table: SPACE and ENTER go on, digits choose, ? explains every key, Ctrl+Q leaves and keeps your seat.
Ctrl+P finds every command, the rules and the cards too.
For a screen reader, or where nothing can be drawn: TERM=dumb {door}
Your host sees your name, your address and your moves; you get no shell, no files and no forwarding here.
"""


def page(door: str) -> str:
    """Return the page: at most 24 lines, each of at most 100 characters besides `door`, the command with which a guest
    comes here."""
    return PAGE.format(door=door or "ssh HOST").rstrip()
