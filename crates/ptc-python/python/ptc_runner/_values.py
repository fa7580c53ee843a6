"""Values that Python does not have."""


class Keyword(str):
    """A text that programs see as a keyword: `Keyword("open")` is `:open`.

    It equals the same str. Keywords that programs return come back as str, and
    the text keys of dicts are keywords in programs anyway.
    """

    __slots__ = ()
