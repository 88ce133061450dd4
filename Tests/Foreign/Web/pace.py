"""Time for a step."""

from steps import Steps


def patient(steps: Steps, name: str, deadline: float = 90, essential: bool = False):
    """A step with time enough for a browser on a busy machine."""
    return steps.step(name, deadline, essential)
