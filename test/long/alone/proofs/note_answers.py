# Loaded by schemathesis (SCHEMATHESIS_HOOKS): writes a line of JSON for each answer into the file that NOTED_ANSWERS
# names. Which answers are wrong is judged by the test.
import json
import os
from urllib.parse import parse_qs, urlsplit

import schemathesis

noted = open(os.environ["NOTED_ANSWERS"], "a", encoding="utf-8", buffering=1)


@schemathesis.check
def note_answer(ctx, response, case):
    generation = case.meta.generation if case.meta else None
    # A list of nothing puts nothing into the address: what was wrong about the request is not on its way.
    sent = parse_qs(urlsplit(response.request.url).query, keep_blank_values=True)
    is_lost = any(name not in sent for name in case.query or {})
    is_valid = bool(generation and generation.mode.is_positive)
    line = {
        "path": case.path,
        "query": repr(dict(case.query or {}))[:2000],
        "isValid": None if is_lost and not is_valid else is_valid,
        "status": response.status_code,
        "request": repr(case.body)[:2000],
        "headers": {name.lower(): str(value) for name, value in (case.headers or {}).items()},
        "answer": response.text[:1000],
    }
    noted.write(json.dumps(line) + "\n")
