# Loaded by schemathesis (SCHEMATHESIS_HOOKS): writes a line of JSON for each answer into the file that NOTED_ANSWERS
# names. Which answers are wrong is judged by the test.
import json
import os

import schemathesis

noted = open(os.environ["NOTED_ANSWERS"], "a", encoding="utf-8", buffering=1)


@schemathesis.check
def note_answer(ctx, response, case):
    generation = case.meta.generation if case.meta else None
    line = {
        "path": case.path,
        "query": repr(dict(case.query or {}))[:2000],
        "isValid": bool(generation and generation.mode.is_positive),
        "status": response.status_code,
        "request": repr(case.body)[:2000],
        "answer": response.text[:1000],
    }
    noted.write(json.dumps(line) + "\n")
