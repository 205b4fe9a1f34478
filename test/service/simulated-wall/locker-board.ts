// The locker board that the bridge of docs/examples/ speaks to: lines over TCP, a count of openings for each door, and no memory
// of commands.
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export class LockerBoard implements AsyncDisposable {
  readonly doors = new Map([1, 2].map((number) => [number, { isOpen: false, openings: 0 }]));
  readonly asked: string[] = [];
  /** Of the next OPEN: whether the door opens, and whether the board still says so. */
  next: { opens: boolean; answers: boolean } = { opens: true, answers: true };
  #socket: Socket | undefined;
  readonly #server = createServer((socket) => {
    this.#socket = socket;
    socket.on('error', () => undefined);
    createInterface({ input: socket }).on('line', (line) => this.#hear(line));
  });

  listen(): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(0, '127.0.0.1', () => resolve((this.#server.address() as AddressInfo).port)),
    );
  }

  say(line: string): void {
    this.#socket?.write(`${line}\n`);
  }

  /** A person pushes the door. */
  shut(number: number): void {
    const door = this.doors.get(number);
    if (door) door.isOpen = false;
    this.say(`SHUT ${number}`);
  }

  #hear(line: string): void {
    this.asked.push(line);
    const [word, number] = line.split(' ');
    if (word === 'STATE') {
      for (const [each, { isOpen, openings }] of this.doors)
        this.say(`DOOR ${each} ${isOpen ? 'open' : 'shut'} ${openings}`);
      this.say('READY');
    }
    if (word === 'OPEN') this.#open(Number(number));
  }

  #open(number: number): void {
    const door = this.doors.get(number);
    const { opens, answers } = this.next;
    this.next = { opens: true, answers: true };
    if (door && opens) {
      door.isOpen = true;
      door.openings += 1;
    }
    if (!answers) this.#socket?.destroy();
    else this.say(door && opens ? `OPENED ${number} ${door.openings}` : `FAILED ${number} jammed shut`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket?.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
