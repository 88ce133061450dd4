"""Named steps with a deadline each: the counting part of a driver."""

import contextlib
import signal
import time
import traceback


# Seconds: a limit ends what hangs, and judges nothing. A busy computer may let a program wait for longer than anybody thinks.
PATIENCE = 180
# The same for a step, which waits for several programs.
STEP = 600


class Late(Exception):
    """A step was still waiting when its deadline passed."""


class GivenUp(Exception):
    """An essential step failed and was told; the steps after it would fail for the same reason."""


class Steps:
    """Counts the steps of all drivers. A step that fails is told at once and the next one still runs."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    @contextlib.contextmanager
    def step(self, name: str, deadline: float = STEP, essential: bool = False):
        """Runs the block; it has `deadline` seconds, and no less than ten minutes. An essential one ends the driver."""
        deadline = max(deadline, STEP)

        def expire(_signal, _frame):
            raise Late(f"not done after {deadline} s")

        before = signal.signal(signal.SIGALRM, expire)
        signal.setitimer(signal.ITIMER_REAL, deadline)
        began = time.monotonic()
        try:
            yield
        except Exception as error:  # whatever a foreign sender throws is a failed step
            self.fail(name, error)
            if essential:
                raise GivenUp from error
        else:
            self.passed += 1
            print(f"  ok    {name} ({time.monotonic() - began:.2f} s)", flush=True)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def fail(self, name: str, error: Exception):
        self.failed += 1
        place = traceback.extract_tb(error.__traceback__)[-1]
        what = str(error) or place.line
        print(f"  FAIL  {name}: {type(error).__name__}: {what} ({place.name}:{place.lineno})", flush=True)


def expect(condition: bool, otherwise: str):
    """Fails the step with `otherwise` unless the condition holds."""
    if not condition:
        raise AssertionError(otherwise)
