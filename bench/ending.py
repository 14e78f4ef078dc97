"""How a script of this folder ends that somebody ends."""

import signal
import sys

ENDED = 130


def of(main, kept):
    """The code of `main`, which Ctrl-C and SIGTERM end alike: what runs is ended, and what was made for it is removed. `kept` is
    said then."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return main(sys.argv[1:])
    except KeyboardInterrupt:
        print(f"error: ended before its end; {kept}", file=sys.stderr)
        return ENDED
