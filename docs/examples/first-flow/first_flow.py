"""The flagship flow from its beginning to its end, against `npm start`: a device goes into stock, Anna takes it, brings it
back, and it is stock again. It needs Python 3.10 or newer and Temporal's SDK:

    python3 -m venv .venv && .venv/bin/pip install temporalio
    .venv/bin/python docs/examples/first-flow/first_flow.py
"""

import asyncio
import json
import os
import urllib.parse
import urllib.request
import uuid

from temporalio.client import Client, WorkflowHandle

# Where `npm start` has everything, and the demo tenant.
TEMPORAL_ADDRESS = os.environ.get("TEMPORAL_ADDRESS", "127.0.0.1:7233")
TASK_QUEUE = os.environ.get("LOCKERFLOW_TASK_QUEUE", "lockerflow")
SERVICE_PORT = os.environ.get("SERVICE_PORT", "8080")
API_URL = os.environ.get("LOCKER_API_URL", f"http://127.0.0.1:{SERVICE_PORT}")
AUTH_URL = os.environ.get("LOCKER_AUTH_URL", API_URL)
CLIENT_ID = os.environ.get("LOCKER_CLIENT_ID", "demo")
CLIENT_SECRET = os.environ.get("LOCKER_CLIENT_SECRET", "demo-secret")


def post(url: str, body: bytes, headers: dict) -> dict:
    with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
        return json.load(answer)


def access_token() -> str:
    form = {
        "grant_type": "client_credentials",
        "client_id": CLIENT_ID,
        "client_secret": CLIENT_SECRET,
    }
    answer = post(f"{AUTH_URL}/connect/token", urllib.parse.urlencode(form).encode(), {})
    return answer["access_token"]


def call(token: str, operation: str, request: dict) -> dict:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return post(f"{API_URL}/v1/Logistics/{operation}", json.dumps(request).encode(), headers)


def be_at_the_locker(token: str, shipment: dict) -> None:
    """The person at the locker types the access code. Only a service in staging lets a program do that."""
    uid = {"shipmentUid": shipment["shipmentUid"]}
    now = call(token, "GetShipments", {**uid, "pageNo": 1, "pageSize": 1})["items"][0]
    # The flow hears of an opened locker by a callback: until then it may still tell the state before.
    if now["stateCode"] != shipment["stateCode"]:
        return
    codes = call(token, "GetShipmentAccessCode", uid)
    pin_code = codes["deliveryCode" if now["stateCode"] == "ReadyForDropoff" else "pickUpCode"]
    print(f"  somebody opens locker {now['lockerName']} of {now['pupUid']}", flush=True)
    locker = {"pupUid": now["pupUid"], "lockerName": now["lockerName"]}
    call(token, "SimulateLockerAccess", {**locker, "pinCode": pin_code})


async def play(name: str, flow: WorkflowHandle, token: str) -> dict:
    """Follows a flow to its end, and does at the lockers what people are expected to do."""
    ended = asyncio.create_task(flow.result())
    before = None
    while not ended.done():
        progress = await flow.query("progress")
        if progress["waitingFor"] != before:
            before = progress["waitingFor"]
            print(f"{name}: waiting for {before[0]['words']}" if before else f"{name}: ended", flush=True)
        for shipment in progress["shipments"].values():
            if not shipment["done"] and shipment["stateCode"] in ("ReadyForDropoff", "ReadyForPickup"):
                await asyncio.to_thread(be_at_the_locker, token, shipment)
        await asyncio.wait([ended], timeout=0.5)
    return await ended


async def start(client: Client, flow: str, key: str, argument: dict) -> WorkflowHandle:
    """The key is one of your business: an order, a ticket, a loan."""
    key = f"example-{key}-{uuid.uuid4().hex[:8]}"
    summary = f"{flow} {key}"
    return await client.start_workflow(
        flow, argument, id=key, task_queue=TASK_QUEUE, static_summary=summary
    )


async def main() -> None:
    client = await Client.connect(TEMPORAL_ADDRESS)
    token = await asyncio.to_thread(access_token)
    device = {
        "pupUid": "pup-central",
        "dimension": {"width": 20, "height": 5, "length": 30},
        "allowLargerLockers": True,
        "allowOverflowLockers": True,
    }
    stock = await play("stock", await start(client, "Stock", "stock", {"request": device}), token)
    loan = {
        "request": {
            "priorShipmentUid": stock["shipments"]["stock"]["shipmentUid"],
            "toUserUid": "user-anna",
        },
        "deadlines": {"issue": {"pickUp": "P3D"}, "intake": {"dropOff": "P14D"}},
    }
    flow = "IssueFromStockAndSubsequentIntakeAndCircularStock"
    result = await play("loan", await start(client, flow, "loan", loan), token)
    print(json.dumps(result, indent=2))


asyncio.run(main())
