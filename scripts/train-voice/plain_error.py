"""What the user can mend: shown as one sentence, without a traceback."""


class PlainError(Exception):
    """Its text is Russian, for whoever runs the script."""
