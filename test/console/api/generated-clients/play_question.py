# A program of a stranger: its package `processes` was made by openapi-python-client of the document of the running console. It
# plays a flow file with a question to its end and prints the result.
import json
import sys
import time
import uuid

from processes import AuthenticatedClient
from processes.api.inbox import answer_question, get_inbox
from processes.api.processes import get_process, send_event, start_process
from processes.models import (
    AnswerQuestionBody,
    AnswerQuestionBodyValues,
    DeskCheckProcess,
    DeskCheckProcessStatus,
    DeskCheckStart,
    DeskCheckStartFlow,
    DeskCheckStartRequest,
    Problem,
    SendEventBody,
)

given = json.loads(sys.argv[1])


def client(token):
    # A start waits for up to 30 s.
    return AuthenticatedClient(given["processes"], token, timeout=60, raise_on_unexpected_status=True)


def expected(answer):
    if answer is None or isinstance(answer, Problem):
        raise SystemExit(f"refused: {answer}")
    return answer


# Whoever runs this ends it after a while.
def until(look):
    while not (found := look()):
        time.sleep(0.1)
    return found


processes, clerk = client(given["token"]), client(given["clerkToken"])
check = DeskCheckStart(
    flow=DeskCheckStartFlow.DESKCHECK,
    key=f"check-{uuid.uuid4()}",
    request=DeskCheckStartRequest(item="drill"),
)


def start(**more):
    process = expected(start_process.sync(client=processes, body=check, **more))
    assert isinstance(process, DeskCheckProcess), process
    return process


def takes_payment():
    process = expected(get_process.sync(check.key, client=processes))
    return process.progress and "payment.received" in process.progress.events


def asked():
    inbox = expected(get_inbox.sync(client=clerk, of=given["inbox"]))
    return next((each for each in inbox.items if each.key == check.key), None)


def ended():
    # The same key and input is the same process.
    process = start(prefer="wait=30")
    return process if process.status != DeskCheckProcessStatus.RUNNING else None


start()
until(takes_payment)
payment = SendEventBody(type_="payment.received", id="payment-7")
expected(send_event.sync(check.key, client=processes, body=payment))
answer = AnswerQuestionBody(
    question=until(asked).question,
    values=AnswerQuestionBodyValues.from_dict({"state": "whole"}),
)
expected(answer_question.sync(check.key, client=clerk, body=answer, idempotency_key=str(uuid.uuid4())))
print(json.dumps({"check": until(ended).result}))
