"""Checks a proof of play by docs/reports.md alone: castq's own code has no part in it.

    check_proof.py PROOF KEY

PROOF is what `castq report proof` writes, KEY what `castq report key` prints. Prints `true N` for N plays, or the first thing that is
wrong, with exit code 1.
"""

import base64
import hashlib
import json
import sys

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.serialization import load_pem_public_key


def canonical(value):
    """RFC 8785, for texts, whole numbers, booleans and null."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


def wrong(words):
    print(words)
    sys.exit(1)


lines = open(sys.argv[1], encoding="utf-8", newline="\n").read().split("\n")
if lines.pop() != "":
    wrong("the last line has no end")
members = [json.loads(line) for line in lines]
for number, (line, value) in enumerate(zip(lines, members), 1):
    if canonical(value) != line:
        wrong(f"line {number} is not canonical")

header, plays, end = members[0], members[1:-1], members[-1]
if (header["type"], end["type"]) != ("header", "end") or header["format"] not in ("castq-proof-1", "castq-proof-2"):
    wrong("this is no proof")
chain, last = header["previous_chain"], header["previous_hash"]
rows = "0" * 64


def linked(place, content):
    """The hash of format 2."""
    return digest(canonical({"chain": place[0], "content": content, "previous": place[1]}))


for number, play in enumerate(plays, 2):
    stated = play.pop("hash")
    place = (play["chain"], play["previous"])
    if play["type"] == "hidden":
        own = linked(place, play["content"]) if "content" in play else stated
    elif play["type"] != "play":
        own = None
    elif play.get("format", 1) == 1:
        own = digest(canonical(play))
    else:
        address = {name: play.pop(name) for name in ("line", "nonce", "source", "url") if name in play}
        if address and digest(canonical(address)) != play["place"]:
            wrong(f"line {number} has an address that does not fit its hash")
        del play["chain"], play["previous"]
        own = linked(place, digest(canonical(play)))
    if own != stated:
        wrong(f"line {number} does not fit its hash")
    if place != (chain + 1, last):
        wrong(f"line {number} does not follow the line before it")
    chain, last = chain + 1, stated
    rows = digest(rows + stated)

signature = base64.b64decode(end.pop("signature"))
if (end["last_chain"], end["last_hash"], end["plays"]) != (chain, last, len(plays)):
    wrong("the end is not the end of these plays")
if end.get("rows_hash", rows) != rows:
    wrong("the hash of a play that is not shown was changed")
if end["header_hash"] != digest(lines[0]):
    wrong("the header is not the one that was signed")
key = load_pem_public_key(open(sys.argv[2], "rb").read())
try:
    key.verify(signature, canonical(end).encode())
except InvalidSignature:
    wrong("the signature does not fit")
print(f"true {len(plays)}")
