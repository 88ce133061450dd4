"""Time for a step."""

from steps import STEP, Steps


def patient(steps: Steps, name: str, deadline: float = STEP, essential: bool = False):
    """A step with time enough for a browser on a busy machine."""
    return steps.step(name, deadline, essential)
