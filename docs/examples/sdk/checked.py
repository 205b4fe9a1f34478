# Starts a flow, checks what it sends and gets against the JSON Schemas of the flows, and sends a person's decisions.
# pip install temporalio jsonschema; python checked.py 127.0.0.1:7233 node_modules/lockerflow/dist/docs/flow-schemas.json
import asyncio
import json
import sys

from jsonschema import Draft202012Validator
from temporalio.client import Client


async def main(temporal_address: str, schemas_file: str) -> None:
    with open(schemas_file) as file:
        definitions = json.load(file)["$defs"]

    def checked(name: str, value: object) -> object:
        Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": definitions}).validate(value)
        return value

    client = await Client.connect(temporal_address)
    given = checked("LocalShipment.input", {
        "request": {
            "pupUid": "pup-central",
            "fromUserUid": "user-anna",
            "isReceiverDelayed": True,
            "dimension": {"width": 20, "height": 5, "length": 30},
            "allowLargerLockers": True,
            "allowOverflowLockers": False,
        },
    })
    handle = await client.start_workflow("LocalShipment", given, id="parcel-4713", task_queue="lockerflow")
    progress = await handle.query("progress")
    while progress["activity"] != "Following":
        await asyncio.sleep(0.2)
        progress = checked("LocalShipment.progress", await handle.query("progress"))
    for update, argument in [
        ("setReceiver", {"role": "shipment", "toUserUid": "user-bram"}),
        ("removeReceiver", {"role": "shipment"}),
        ("extendDeadline", {"role": "shipment", "stage": "dropOff", "fromNow": "P3D"}),
        ("resolve", {
            "by": "Erik, desk",
            "why": "Anna gave it to me by hand",
            "action": "setState",
            "role": "shipment",
            "stateCode": "Completed",
        }),
    ]:
        await handle.execute_update(update, checked(f"LocalShipment.update.{update}", argument))
        print(update, "done", flush=True)
    result = checked("LocalShipment.result", await handle.result())
    checked("LocalShipment.progress", await handle.query("progress"))
    print(result["outcome"], result["shipments"]["shipment"]["stateCode"])


asyncio.run(main(*sys.argv[1:]))
