"""The tasks of a suite, or its injections, as JSON lines: `tasks.py SUITE [--inject ID | --injections]`."""

from suites.fixed import restart_when_needed

restart_when_needed()

import argparse
import json
import signal
import sys

from suites import SUITES, module_of
from suites.session import UnknownTask


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--inject", metavar="ID", help="the ground truth as it is when this injection is placed")
    which.add_argument("--injections", action="store_true", help="the injections instead of the tasks")
    args = parser.parse_args()
    # A reader may stop early, and reads UTF-8.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    module = module_of(args.suite)
    rows = module.injections(args.suite) if args.injections else module.tasks(args.suite, args.inject)
    try:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
    except UnknownTask as error:
        print(f"{args.suite}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
