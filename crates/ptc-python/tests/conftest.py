"""What all tests need."""

import signal

# A shell that starts a command in the background lets it ignore Ctrl-C, and Python then raises nothing.
signal.signal(signal.SIGINT, signal.default_int_handler)
