"""A task of a suite as an MCP server on stdio: `server.py SUITE --task ID [--inject ID]`."""

from suites.fixed import restart_when_needed

restart_when_needed()

import argparse
import sys

from protocol import serve
from suites import SUITES, module_of
from suites.session import UnknownTask


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suite", choices=SUITES)
    parser.add_argument("--task", required=True)
    parser.add_argument("--inject")
    args = parser.parse_args()
    try:
        session = module_of(args.suite).session(args.suite, args.task, args.inject)
    except UnknownTask as error:
        print(f"{args.suite}: {error}", file=sys.stderr)
        return 2
    serve(session, args.suite)
    return 0


if __name__ == "__main__":
    sys.exit(main())
