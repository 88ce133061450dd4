"""Judges playlists by their JSON Schema: a document a line on standard input, `true` or `false` a line on standard output."""

import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for line in sys.stdin:
    print("true" if validator.is_valid(json.loads(line)) else "false")
