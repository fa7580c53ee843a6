"""The tasks of a suite, or its injections, as JSON lines: `tasks.py SUITE [--injections]`."""

from suites.fixed import restart_when_needed

restart_when_needed()

import argparse
import json
import signal
import sys

from suites import SUITES, module_of


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--injections", action="store_true")
    args = parser.parse_args()
    # A reader may stop early, and reads UTF-8.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    module = module_of(args.suite)
    rows = module.injections(args.suite) if args.injections else module.tasks(args.suite)
    for row in rows:
        print(json.dumps(row, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
