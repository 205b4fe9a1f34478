# Takes callbacks and checks that they are from the service, with the standard library alone.
# AUTH_KEYS=... PORT=8090 python receiver.py
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, HTTPServer

# One a line: while you change the key, the former one too.
AUTH_KEYS = os.environ["AUTH_KEYS"].splitlines()
BODY_LIMIT = 65536


def signature(key: bytes, content: bytes) -> str:
    return base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def body_key(auth_key: str) -> bytes:
    if not auth_key.startswith("whsec_"):
        return auth_key.encode()
    text = auth_key.removeprefix("whsec_")
    return base64.b64decode(text + "=" * (-len(text) % 4))


def is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(), expected.encode())


def is_genuine(headers, body: bytes) -> bool:
    identifier, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{identifier}.{timestamp}.".encode() + body
    expected = ["v1," + signature(body_key(key), signed) for key in AUTH_KEYS]
    given = headers.get("webhook-signature", "").split(" ")
    if not any(is_same(one, other) for one in given for other in expected):
        return False
    shipment_uid = json.loads(body).get("message", {}).get("shipmentUid")
    if shipment_uid is None:  # A type of message that is newer than this program.
        return True
    expected = [signature(key.encode(), shipment_uid.encode()) for key in AUTH_KEYS]
    return any(is_same(headers.get("x-callback-hmac", ""), one) for one in expected)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        body = self.rfile.read(length) if length <= BODY_LIMIT else b""
        genuine = is_genuine(self.headers, body)
        if genuine:
            callback = json.loads(body)
            if callback["messageType"] == "ShipmentStatusUpdate":
                message = callback["message"]
                print(message["shipmentUid"], message["stateCode"], flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8090"))), Receiver)
print("listening", flush=True)
server.serve_forever()
