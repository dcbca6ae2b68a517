"""What a check comes to when a claim is not kept, or cannot be tried."""


class Broken(Exception):
    """The app does not do what the claim says; the text says what it did."""


class NotTried(Exception):
    """What the kit was given does not do for this check; the text says what is missing."""


def require(condition: object, otherwise: str) -> None:
    """Raise Broken unless the condition holds."""
    if not condition:
        raise Broken(otherwise)
