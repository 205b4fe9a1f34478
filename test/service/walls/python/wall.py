"""A locker wall's controller, written from docs/walls.md alone.

usage: wall.py SERVICE CLIENT_ID CLIENT_SECRET DISK DOOR...

Each line of standard input is a code that a person types. Each line of standard output is a message of the service, or
"opened DOOR" when a door springs open. DISK is a file: what a controller must still know after a power cut.
"""

import json
import os
import queue
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timezone

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

service, client_id, client_secret, disk_path, *doors = sys.argv[1:]
codes: "queue.Queue[str]" = queue.Queue()


def now() -> datetime:
    return datetime.now(timezone.utc)


def instant(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def parsed(text: str) -> datetime:
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


class Disk:
    """The journal and the commands. Written before anything is sent that depends on it."""

    def __init__(self) -> None:
        self.journal = str(uuid.uuid4())
        self.last_id = 0
        self.untaken: list[dict] = []
        self.commands: dict[str, str] = {}
        if os.path.exists(disk_path):
            with open(disk_path, encoding="utf-8") as file:
                self.__dict__.update(json.load(file))

    def write(self) -> None:
        # A code is never written to the disk.
        kept = [message for message in self.untaken if message["type"] != "codeTyped"]
        with open(disk_path + ".new", "w", encoding="utf-8") as file:
            json.dump({**self.__dict__, "untaken": kept}, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(disk_path + ".new", disk_path)


class Wall:
    def __init__(self) -> None:
        self.disk = Disk()
        self.socket = None
        self.ahead = now() - now()

    def token(self) -> str:
        form = urllib.parse.urlencode(
            {
                "grant_type": "client_credentials",
                "client_id": client_id,
                "client_secret": client_secret,
                "scope": "wall",
            }
        )
        with urllib.request.urlopen(service + "/connect/token", form.encode()) as answer:
            return json.load(answer)["access_token"]

    def send(self, message: dict) -> None:
        self.socket.send(json.dumps(message))

    def journal(self, content: dict) -> None:
        self.disk.last_id += 1
        message = {**content, "id": self.disk.last_id, "at": instant(now())}
        self.disk.untaken.append(message)
        self.disk.write()
        self.send(message)

    def run(self) -> None:
        pause = 0.2
        while True:
            try:
                address = service.replace("http", "ws", 1) + "/v1/Walls/connect"
                with connect(
                    address,
                    subprotocols=["lockerflow.wall.v1"],
                    additional_headers={"Authorization": "Bearer " + self.token()},
                ) as self.socket:
                    self.hello()
                    pause = 0.2
                    self.work()
            except (OSError, ConnectionClosed, urllib.error.URLError) as error:
                print(f"lost {type(error).__name__}", flush=True)
            time.sleep(pause)
            pause = min(2 * pause, 5)

    def hello(self) -> None:
        self.send(
            {
                "type": "hello",
                "journal": self.disk.journal,
                "now": instant(now()),
                "doors": [{"lockerUid": door, "door": "closed", "item": "unknown"} for door in doors],
                "commands": [
                    {"commandId": command, "state": state} for command, state in self.disk.commands.items()
                ],
                "controller": "wall.py",
            }
        )

    def work(self) -> None:
        is_welcome = False
        while True:
            while is_welcome and not codes.empty():
                self.journal({"type": "codeTyped", "code": codes.get()})
            try:
                text = self.socket.recv(timeout=0.05)
            except TimeoutError:
                continue
            message = json.loads(text)
            is_welcome = is_welcome or message["type"] == "welcome"
            hear = getattr(self, "hear_" + message["type"], None)
            if hear is not None:
                hear(message)
            print(json.dumps(message), flush=True)

    def hear_welcome(self, message: dict) -> None:
        self.ahead = parsed(message["now"]) - now()
        self.drop(message["taken"])
        self.disk.untaken = [kept for kept in self.disk.untaken if kept["type"] != "codeTyped"]
        for kept in self.disk.untaken:
            self.send(kept)

    def hear_taken(self, message: dict) -> None:
        self.drop(message["id"])

    def drop(self, taken: int) -> None:
        self.disk.untaken = [kept for kept in self.disk.untaken if kept["id"] > taken]
        self.disk.write()

    def hear_openDoor(self, message: dict) -> None:
        command = message["commandId"]
        if command in self.disk.commands:
            return
        self.disk.commands[command] = "waiting"
        self.disk.write()
        self.send({"type": "taken", "commandId": command})
        if now() + self.ahead > parsed(message["by"]):
            self.disk.commands[command] = "failed"
            self.journal({"type": "commandFailed", "commandId": command, "reason": "it came too late"})
            return
        print(f"opened {message['lockerUid']}", flush=True)
        self.disk.commands[command] = "opened"
        self.journal({"type": "doorOpened", "lockerUid": message["lockerUid"], "commandId": command})
        self.journal({"type": "doorClosed", "lockerUid": message["lockerUid"]})

    def hear_ask(self, message: dict) -> None:
        state = self.disk.commands.get(message["commandId"], "unknown")
        self.send({"type": "commandState", "commandId": message["commandId"], "state": state})

    def hear_forget(self, message: dict) -> None:
        self.disk.commands.pop(message["commandId"], None)
        self.disk.write()
        self.send({"type": "taken", "commandId": message["commandId"]})


def read_codes() -> None:
    for line in sys.stdin:
        codes.put(line.strip())
    os._exit(0)


threading.Thread(target=read_codes, daemon=True).start()
Wall().run()
