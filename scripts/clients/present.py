"""Fails unless each generated client has every operation of openapi.json, or of operations.graphql: present.py DIRECTORY."""

import json
import re
import sys
from pathlib import Path

# Where a client declares its operations, and how; without a pattern, each has a file.
CLIENTS = {
    "openapi-python-client": ("openapi_python_client_output/api/*/*.py", None),
    "openapi-typescript": ("openapi-typescript.ts", r"^    (\w+): \{$"),
    "orval": ("orval.ts", r"^export const (\w+) = async \("),
    "oazapfts": ("oazapfts.ts", r"^export function (\w+)\("),
    "python": ("python/openapi_client/api/*.py", r"^    def (\w+)\("),
    "typescript-fetch": ("typescript-fetch/apis/*.ts", r"^    async (\w+)\("),
    "rust": ("rust/src/apis/*.rs", r"^pub async fn (\w+)\("),
    "go": ("go/*.go", r"^func \(a \*\w+Service\) (\w+)\("),
    "graphql-codegen": ("graphql/graphql.ts", r"^export const (\w+)Document\b"),
}


def plain(name: str) -> str:
    """The name without what each language makes of its words."""
    return name.replace("_", "").lower()


def declared(files: str, pattern: str | None) -> set[str]:
    paths = list(directory.glob(files))
    if pattern is None:
        return {plain(path.stem) for path in paths}
    return {plain(name) for path in paths for name in re.findall(pattern, path.read_text(), re.MULTILINE)}


directory = Path(sys.argv[1])
paths = json.loads((directory / "openapi.json").read_text())["paths"]
of_rest = [operation["operationId"] for path in paths.values() for operation in path.values()]
documents = (directory / "operations.graphql").read_text()
of_graphql = re.findall(r"^(?:query|mutation|subscription) (\w+)", documents, re.MULTILINE)
assert len(of_rest) >= 74 and len(of_graphql) >= 44, "the contract was not read"
is_complete = True
for client, (files, pattern) in CLIENTS.items():
    operations = of_graphql if client == "graphql-codegen" else of_rest
    found = declared(files, pattern)
    missing = [name for name in operations if plain(name) not in found]
    print(f"{client}: {len(operations) - len(missing)} of {len(operations)} operations", *missing)
    is_complete = is_complete and not missing
sys.exit(not is_complete)
