// A bridge from another controller's protocol to the wall protocol. The controller here is a board that speaks lines over
// TCP (README.md beside this file). It knows no commands and no clock, but counts how often each door has opened. The bridge
// writes that count down before it asks for a door: if the answer is lost, the count tells whether the door has opened.
import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { ServiceMessage, WallMessage } from '../../../contract/wall/wall-messages.ts';
import { type Controller, keepConnected } from '../../../service/simulated-wall/connection/connection.ts';
import { type Fact, Memory } from './memory.ts';

const { BRIDGE_SERVICE_URL = 'http://127.0.0.1:8080', BRIDGE_PUP_UID = 'pup-central' } = process.env;
const { BRIDGE_CLIENT_ID = '', BRIDGE_CLIENT_SECRET = '', BRIDGE_FILE = 'bridge.json' } = process.env;
/** The board's number of each door, like {"pup-central-1": 1}. */
const { BRIDGE_DOORS = '{}', BRIDGE_BOARD_PORT = '9100' } = process.env;
const BOARD_PAUSE_MS = 500;

class Bridge implements Controller {
  readonly pupUid = BRIDGE_PUP_UID;
  readonly #numbers = new Map(Object.entries<number>(JSON.parse(BRIDGE_DOORS)));
  readonly #memory = new Memory(BRIDGE_FILE);
  readonly #doors = new Map<string, { isOpen: boolean; openings: number }>();
  readonly #watchers = new Set<() => void>();
  #board: Socket | undefined;
  #send: ((message: WallMessage) => void) | undefined;
  #serviceAheadMs = 0;
  /** Without its board the wall is not connected either. */
  isPluggedIn = false;

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  connectBoard(): void {
    this.#board = connect(Number(BRIDGE_BOARD_PORT), '127.0.0.1');
    this.#board.on('error', ({ message }) => console.error(`bridge: ${message}`));
    this.#board.on('close', () => {
      this.#plugIn(false);
      setTimeout(() => this.connectBoard(), BOARD_PAUSE_MS);
    });
    createInterface({ input: this.#board }).on('line', (line) => this.#hearBoard(line.split(' ')));
    this.#board.write('STATE\n');
  }

  hello(): WallMessage {
    const { journal, commands } = this.#memory;
    return {
      type: 'hello',
      journal,
      now: new Date().toISOString(),
      doors: [...this.#doors].map(([lockerUid, { isOpen }]) => {
        return { lockerUid, door: isOpen ? 'open' : 'closed' };
      }),
      commands: Object.entries(commands).flatMap(([commandId, { state }]) =>
        state === 'unknown' ? [] : [{ commandId, state }],
      ),
    };
  }

  welcomed(
    { now, taken }: Extract<ServiceMessage, { type: 'welcome' }>,
    send: (message: WallMessage) => void,
  ) {
    this.#serviceAheadMs = Date.parse(now) - Date.now();
    this.#memory.dropUpTo(taken);
    this.#send = send;
    for (const message of this.#memory.messages) send(message);
    return false;
  }

  lost(): void {
    this.#send = undefined;
  }

  hear(message: ServiceMessage): void {
    if (message.type === 'taken') this.#memory.dropUpTo(message.id);
    else if (message.type === 'openDoor') this.#openDoor(message);
    else if (message.type === 'codeAnswered')
      this.#board?.write(`SHOW ${message.opens ? 'open' : 'wrong'}\n`);
    else if (message.type === 'ask') this.#remember(message.commandId, 'commandState');
    else if (message.type === 'forget') {
      delete this.#memory.commands[message.commandId];
      this.#remember(message.commandId, 'taken');
    }
  }

  /** A command that was never taken, or is forgotten, opens nothing should it come later. */
  #remember(commandId: string, type: 'commandState' | 'taken'): void {
    this.#memory.commands[commandId] ??= { state: 'unknown', lockerUid: '', openings: 0 };
    this.#memory.save();
    const { state } = this.#memory.commands[commandId];
    this.#send?.(type === 'taken' ? { type, commandId } : { type, commandId, state });
  }

  #openDoor({ commandId, lockerUid, by }: Extract<ServiceMessage, { type: 'openDoor' }>): void {
    const isNew = !this.#memory.commands[commandId];
    const openings = this.#doors.get(lockerUid)?.openings ?? 0;
    if (isNew) this.#memory.commands[commandId] = { state: 'waiting', lockerUid, openings };
    this.#memory.save();
    this.#send?.({ type: 'taken', commandId });
    if (!isNew) return;
    const leftMs = Date.parse(by) - this.#serviceAheadMs - Date.now();
    if (leftMs <= 0) this.#settle(commandId, 'the command came too late');
    else if (!this.#doors.has(lockerUid)) this.#settle(commandId, 'the board has no such door');
    else this.#board?.write(`OPEN ${this.#numbers.get(lockerUid)}\n`);
    // A board that says nothing is asked on a new connection.
    setTimeout(() => this.#isWaiting(commandId) && this.#board?.destroy(), leftMs);
  }

  #hearBoard([word, given = '', ...rest]: readonly string[]): void {
    if (word === 'CODE' && this.#send) this.#tell({ type: 'codeTyped', code: given });
    if (word === 'READY') this.#settleLost();
    const lockerUid = [...this.#numbers].find(([, number]) => number === Number(given))?.[0];
    if (lockerUid === undefined) return;
    const { openings = 0 } = this.#doors.get(lockerUid) ?? {};
    const commandId = Object.keys(this.#memory.commands).find(
      (id) => this.#isWaiting(id) && this.#memory.commands[id]?.lockerUid === lockerUid,
    );
    if (word === 'DOOR')
      this.#doors.set(lockerUid, { isOpen: rest[0] === 'open', openings: Number(rest[1]) });
    if (word === 'OPENED') {
      this.#doors.set(lockerUid, { isOpen: true, openings: Number(rest[0]) });
      if (commandId) this.#settle(commandId);
      else this.#tell({ type: 'doorOpened', lockerUid });
    }
    if (word === 'FAILED' && commandId) this.#settle(commandId, rest.join(' '));
    if (word !== 'SHUT') return;
    this.#doors.set(lockerUid, { isOpen: false, openings });
    this.#tell({ type: 'doorClosed', lockerUid });
  }

  /** The board's answer was lost with its connection, or with the bridge: the count says what happened. */
  #settleLost(): void {
    for (const [commandId, { lockerUid, openings }] of Object.entries(this.#memory.commands)) {
      const hasOpened = (this.#doors.get(lockerUid)?.openings ?? 0) > openings;
      if (this.#isWaiting(commandId))
        this.#settle(commandId, hasOpened ? undefined : 'the board did not open it');
    }
    this.#plugIn(true);
  }

  #isWaiting = (commandId: string) => this.#memory.commands[commandId]?.state === 'waiting';

  /** Opened, if there is no reason why not. */
  #settle(commandId: string, reason?: string): void {
    const command = this.#memory.commands[commandId];
    if (!command) return;
    command.state = reason === undefined ? 'opened' : 'failed';
    if (reason === undefined) this.#tell({ type: 'doorOpened', lockerUid: command.lockerUid, commandId });
    else this.#tell({ type: 'commandFailed', commandId, reason });
  }

  #tell(fact: Fact): void {
    const message = this.#memory.add(fact);
    this.#send?.(message);
  }

  #plugIn(isPluggedIn: boolean): void {
    this.isPluggedIn = isPluggedIn;
    for (const watcher of this.#watchers) watcher();
  }
}

const bridge = new Bridge();
bridge.connectBoard();
const log = { info: console.log, warn: console.error };
const credentials = { clientId: BRIDGE_CLIENT_ID, clientSecret: BRIDGE_CLIENT_SECRET };
await keepConnected(
  bridge,
  { serviceUrl: BRIDGE_SERVICE_URL, credentials, log },
  new AbortController().signal,
);
