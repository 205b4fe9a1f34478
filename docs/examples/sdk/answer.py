# Answers the question of a process of a flow file, once with a wrong value.
# pip install temporalio; python answer.py 127.0.0.1:7233 loan-4711
import asyncio
import sys

from temporalio.client import Client, WorkflowUpdateFailedError


async def main(temporal_address: str, key: str) -> None:
    client = await Client.connect(temporal_address)
    handle = client.get_workflow_handle(key)
    progress = await handle.query("progress")
    while not progress["questions"]:
        await asyncio.sleep(0.2)
        progress = await handle.query("progress")
    question = progress["questions"][0]
    print(question["of"], "is asked:", question["question"], flush=True)
    answer = {"question": question["id"], "by": "Anna, desk"}
    try:
        await handle.execute_update("answer", {**answer, "values": {"state": "lost"}})
    except WorkflowUpdateFailedError as error:
        print(error.cause.type, error.cause.message, flush=True)
    taken = await handle.execute_update("answer", {**answer, "values": {"state": "whole"}}, id=f"answer to {question['id']}")
    print(taken["question"], "is answered", flush=True)


asyncio.run(main(*sys.argv[1:]))
