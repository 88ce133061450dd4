"""Compares answers of the API with its description: what an answer has, the description names."""


class Description:
    def __init__(self, document: dict):
        self.document = document

    def unknown(self, method: str, path: str, status: int, answer) -> list[str]:
        """The members of an answer that the description does not name."""
        operation = self._operation(path.split("?")[0].split("/")).get(method.lower())
        response = self._resolved(operation["responses"][str(status)])
        schema = next(iter(response["content"].values()))["schema"]
        return sorted(set(self._walk(schema, answer, f"{method} {path.split('?')[0]}")))

    def _operation(self, parts: list[str]) -> dict:
        for path, operations in self.document["paths"].items():
            names = path.strip("/").split("/")
            if len(names) == len(parts) and all(name == part or name.startswith("{") for name, part in zip(names, parts)):
                return operations
        raise AssertionError(f"{'/'.join(parts)} is not described")

    def _resolved(self, one: dict) -> dict:
        while "$ref" in one:
            *_, kind, name = one["$ref"].split("/")
            one = self.document["components"][kind][name]
        return one

    def _walk(self, schema: dict, value, place: str):
        schema = self._resolved(schema)
        if isinstance(value, list):
            for each in value:
                yield from self._walk(schema.get("items", {}), each, place + "[]")
        elif isinstance(value, dict) and "properties" in schema:
            for name, member in value.items():
                if name in schema["properties"]:
                    yield from self._walk(schema["properties"][name], member, f"{place}.{name}")
                else:
                    yield f"{place}.{name}"
