"""The Textual app and the command line."""

import os
import sys

_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if sys.path[:1] != [_ROOT]:  # our other folders have common names: those of a foreign PYTHONPATH are not ours
    sys.path.insert(0, _ROOT)
