"""The journal: every accepted action is on disk here before anybody is told; damage to its files is noticed."""

from netcode.journal.check import playing_in as playing_in
from netcode.journal.check import unfinished_in as unfinished_in
from netcode.journal.home import JournalHome as JournalHome
from netcode.journal.rows import ActRow as ActRow
from netcode.journal.rows import FactRow as FactRow
from netcode.journal.rows import ForgetRow as ForgetRow
from netcode.journal.rows import JournalDamaged as JournalDamaged
from netcode.journal.rows import JournalError as JournalError
from netcode.journal.rows import JournalInUse as JournalInUse
from netcode.journal.rows import Row as Row
from netcode.journal.rows import SavedTable as SavedTable
from netcode.journal.rows import SeatRow as SeatRow
from netcode.journal.rows import SnapRow as SnapRow
from netcode.journal.schema import JOURNAL as JOURNAL
from netcode.journal.shared import ClubHost as ClubHost
from netcode.journal.shared import PublicTable as PublicTable
from netcode.journal.shared import SharedHome as SharedHome
from netcode.journal.writer import SNAP_EVERY as SNAP_EVERY
from netcode.journal.writer import Journal as Journal
