# Starts IssueFromStock for an item in stock, follows it, and prints how it ended.
# pip install temporalio; python issue.py 127.0.0.1:7233 <shipmentUid of the item>
import asyncio
import sys

from temporalio.client import Client


async def main(temporal_address: str, prior_shipment_uid: str) -> None:
    client = await Client.connect(temporal_address)
    handle = await client.start_workflow(
        "IssueFromStock",
        {
            "request": {"priorShipmentUid": prior_shipment_uid, "toUserUid": "user-anna"},
            "deadlines": {"issue": {"pickUp": "P3D"}},
        },
        id="ticket-4712",
        task_queue="lockerflow",
        static_summary="IssueFromStock ticket-4712",
    )
    ended = asyncio.create_task(handle.result())
    while not ended.done():
        progress = await handle.query("progress")
        print(progress["activity"], [each["words"] for each in progress["waitingFor"]], flush=True)
        await asyncio.wait([ended], timeout=5)
    print((await ended)["outcome"])


asyncio.run(main(*sys.argv[1:]))
