"""Whether so many clips are too short that people should know."""

MANY_TOO_SHORT = 0.05  # share of the clips; if there are not more, they are not worth a remark


def on_short_clips(n_too_short: int, n_clips: int, than: str) -> str:
    """That so many of the clips are shorter than something; empty if they are a twentieth of all or fewer."""
    if n_too_short <= MANY_TOO_SHORT * n_clips:
        return ""
    verb = "is" if n_too_short == 1 else "are"
    return f"{n_too_short:,} of {n_clips:,} clips {verb} shorter than {than}"
