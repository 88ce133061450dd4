"""Documents without what differs from run to run: moments of today, ports, folders, digests, and what a clock or a disk measured."""

import datetime
import re

# Moments so near to now are of the run itself; the others are of the past and the plans that the script writes. Messages with examples
# of moments are not compared: some day those would be near.
NEAR = datetime.timedelta(days=2)

# What a clock, a disk or chance says. Everything else is compared as it is.
MEASURED = {"decision", "gap_before_s", "p50_s", "p95_s", "p99_s", "pem", "position_s", "public_key", "request", "version"}

MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?")
DAY = re.compile(r"\b(\d{4}-\d\d-\d\d)\b")


class Plain:
    """Replaces names of this run by names of any run."""

    def __init__(self, names: dict[str, str]):
        # Longer ones first: one may begin with another.
        self._names = sorted(names.items(), key=lambda pair: -len(pair[0]))
        self._now = datetime.datetime.now(datetime.timezone.utc)

    def text(self, text: str) -> str:
        for name, plain in self._names:
            text = text.replace(name, plain)
        text = MOMENT.sub(self._moment, text)
        text = DAY.sub(lambda match: "<day>" if self._is_near(match[1]) else match[0], text)
        text = re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:<port>", text)
        text = re.sub(r"\b[0-9a-f]{32,64}\b", "<digest>", text)
        text = re.sub(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", "<uuid>", text, flags=re.I)
        return re.sub(r"(process|TCP port) \d+|\d+ (?:s (?=ago)|GB (?=are))", lambda match: f"{match[1] or ''} <number> ".lstrip(), text)

    def document(self, value, key: str = "", is_ruled: bool = False):
        if isinstance(value, dict):
            # Lists of rules are read side by side: their entries have the numbers of this run.
            is_ruled = is_ruled or value.get("device") == "shop"
            # What is being played, or has just been, was measured; the past that the script wrote was not.
            is_new = self.text(str(value.get("started_at"))) == "<moment>"
            return {self.text(name): "<measured>" if is_new and name == "played_s" else self.document(member, name, is_ruled)
                    for name, member in value.items()}
        if isinstance(value, list):
            return [self.document(member, key, is_ruled) for member in value]
        if (key in MEASURED or is_ruled and key in ("entry", "next")) and isinstance(value, (int, float, str)) and not isinstance(value, bool):
            return "<measured>"
        if key == "why" and isinstance(value, str):
            # A time of today stands there without its day.
            value = re.sub(r"(?<= )\d\d:\d\d\b(?!:)", "<moment>", self.text(value))
        return self.text(value) if isinstance(value, str) else value

    def _moment(self, match: re.Match) -> str:
        return "<moment>" if self._is_near(match[0][:10]) else match[0]

    def _is_near(self, day: str) -> bool:
        try:
            moment = datetime.datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=datetime.timezone.utc)
        except ValueError:
            return False
        return abs(moment - self._now) < NEAR
