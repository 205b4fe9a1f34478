// One simulated wall: its doors, its memory, the people before it, and the line to the service while there is one. Every
// change is written down before anybody hears of it.
import type { JournalMessage, ServiceMessage, WallMessage } from '../../../contract/wall/wall-messages.ts';
import * as doors from './doors.ts';
import { type Opening, type Outcome, type TypedAnswer, TypedCodes } from './typed-codes.ts';
import type { WallFile } from './wall-memory.ts';
import {
  type DoorFault,
  helloOf,
  installed,
  type Locker,
  newWallState,
  type WallState,
} from './wall-state.ts';
import type { WallSummary, WallView } from './wall-view.ts';

// Longer than a person expects, and shorter than the service waits.
const SLOW_MS = 3_000;
// It is written as a whole with every change; without a connection nothing is dropped from it.
const MAX_MESSAGES = 10_000;

type Welcome = Extract<ServiceMessage, { type: 'welcome' }>;

interface WallOptions {
  readonly pupUid: string;
  readonly file: Pick<WallFile, 'read' | 'write'>;
  readonly slowMs?: number;
  readonly patienceMs?: number;
}

export class Wall {
  readonly pupUid: string;
  readonly #options: WallOptions;
  readonly #watchers = new Set<() => void>();
  readonly #typed: TypedCodes;
  readonly #slow = new Map<string, NodeJS.Timeout>();
  #state: WallState;
  #name: string;
  #isPluggedIn = true;
  /** Sends one message; undefined until the service's welcome, and after the connection was lost. */
  #send: ((message: WallMessage) => void) | undefined;
  /** By how much the clock of the service is before the wall's, in milliseconds. */
  #serviceAhead = 0;

  constructor(options: WallOptions) {
    this.#options = options;
    this.pupUid = options.pupUid;
    this.#name = options.pupUid;
    this.#state = options.file.read() ?? newWallState();
    this.#typed = new TypedCodes((outcome, opening) => this.#answerOf(outcome, opening), options.patienceMs);
  }

  // What people see.

  get isPluggedIn(): boolean {
    return this.#isPluggedIn;
  }

  view(): WallView {
    const { pupUid } = this;
    const { lockers } = this.#state;
    return { ...this.#shown(), pupUid, isPluggedIn: this.#isPluggedIn, lockers };
  }

  summary(): WallSummary {
    return { ...this.#shown(), pupUid: this.pupUid, lockers: this.#state.lockers.length };
  }

  #shown() {
    return { name: this.#name, isConnected: this.#send !== undefined };
  }

  /** Calls after every change; gives the function that ends that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  // What people do.

  async typeCode(code: string): Promise<TypedAnswer> {
    if (!this.#send) return { outcome: 'offline' };
    const id = this.#state.lastId + 1;
    const message = { type: 'codeTyped', id, at: new Date().toISOString(), code } as const;
    // The id is written down, and the code is not.
    this.#write({ ...this.#state, lastId: id });
    const answer = this.#typed.wait(message);
    this.#send(message);
    return await answer;
  }

  close(lockerUid: string): void {
    this.#do(doors.close(this.#state, this.#locker(lockerUid)));
  }

  moveItem(lockerUid: string, present: boolean): void {
    this.#do(doors.moveItem(this.#state, this.#locker(lockerUid), present));
  }

  openWithKey(lockerUid: string): void {
    this.#do(doors.openWithKey(this.#state, this.#locker(lockerUid)));
  }

  setFault(lockerUid: string, fault: DoorFault): void {
    this.#do(doors.setFault(this.#state, this.#locker(lockerUid), fault));
  }

  /** Its network cable. */
  plugIn(isPluggedIn: boolean): void {
    this.#isPluggedIn = isPluggedIn;
    this.#notifyWatchers();
  }

  // What the line to the service says and asks.

  hello(): WallMessage {
    return helloOf(this.#state);
  }

  /** Whether the wall now has other doors than its hello told. */
  welcomed({ name, now, taken, lockers }: Welcome, send: (message: WallMessage) => void): boolean {
    this.#serviceAhead = Date.parse(now) - Date.now();
    this.#name = name;
    const before = uidsOf(this.#state.lockers);
    this.#dropUpTo(taken);
    // A service that was restored from a backup may know less; a wall that was, must not give an id twice.
    const lastId = Math.max(this.#state.lastId, taken);
    this.#write({ ...installed(this.#state, lockers), lastId });
    this.#send = send;
    const messages: readonly JournalMessage[] = [
      ...this.#state.messages,
      ...this.#typed.alive(Date.now()).filter(({ id }) => id > taken),
    ];
    for (const message of [...messages].sort((one, other) => one.id - other.id)) send(message);
    for (const [commandId, { state }] of Object.entries(this.#state.commands))
      if (state === 'waiting') this.#carryOut(commandId);
    this.#notifyWatchers();
    return uidsOf(this.#state.lockers) !== before;
  }

  lost(): void {
    this.#send = undefined;
    this.#notifyWatchers();
  }

  /** What the service says after its welcome. */
  hear(message: ServiceMessage): void {
    if (message.type === 'taken') this.#dropUpTo(message.id);
    else if (message.type === 'codeAnswered') this.#typed.answered(message, this.#now().there);
    else if (message.type === 'openDoor') this.#openDoor(message);
    else if (message.type === 'ask') this.#asked(message.commandId);
    else if (message.type === 'forget') this.#forget(message.commandId);
  }

  /** Nothing of it goes on; what is on disk stays for its next start. */
  stop(): void {
    for (const timer of this.#slow.values()) clearTimeout(timer);
    this.#typed.close();
    this.#watchers.clear();
  }

  #openDoor(command: doors.OpenDoor): void {
    const { commandId } = command;
    this.#write(doors.take(this.#state, command, this.#now()));
    this.#send?.({ type: 'taken', commandId });
    this.#carryOut(commandId);
  }

  #asked(commandId: string): void {
    this.#write(doors.asked(this.#state, commandId, this.#now()));
    const state = this.#state.commands[commandId]?.state ?? 'unknown';
    this.#send?.({ type: 'commandState', commandId, state });
  }

  #forget(commandId: string): void {
    this.#write(doors.forget(this.#state, commandId, this.#now()));
    this.#send?.({ type: 'taken', commandId });
  }

  #carryOut(commandId: string): void {
    const { slowMs = SLOW_MS } = this.#options;
    const uid = this.#state.commands[commandId]?.lockerUid ?? '';
    if (doors.lockerOf(this.#state, uid)?.fault !== 'Slow') this.#carryOutNow(commandId);
    else if (!this.#slow.has(commandId))
      this.#slow.set(
        commandId,
        setTimeout(() => this.#carryOutNow(commandId), slowMs),
      );
  }

  #carryOutNow(commandId: string): void {
    this.#slow.delete(commandId);
    this.#do(doors.carryOut(this.#state, commandId, this.#now()));
    const { state } = this.#state.commands[commandId] ?? {};
    if (state === 'opened' || state === 'failed') this.#typed.happened(commandId, state);
  }

  #do({ state, facts }: doors.Step): void {
    const at = new Date().toISOString();
    const messages = facts.map((fact, index) => ({ ...fact, id: this.#state.lastId + 1 + index, at }));
    if (this.#state.messages.length + messages.length > MAX_MESSAGES)
      throw new TypeError('The journal of the wall is full; connect it to the service first');
    const lastId = this.#state.lastId + messages.length;
    this.#write({ ...state, lastId, messages: [...state.messages, ...messages] });
    for (const message of messages) this.#send?.(message);
    this.#notifyWatchers();
  }

  #write(next: WallState): void {
    if (next === this.#state) return;
    this.#options.file.write(next);
    this.#state = next;
  }

  #dropUpTo(taken: number): void {
    const messages = this.#state.messages.filter(({ id }) => id > taken);
    if (messages.length < this.#state.messages.length) this.#write({ ...this.#state, messages });
  }

  #locker(uid: string): Locker {
    const locker = doors.lockerOf(this.#state, uid);
    if (locker) return locker;
    throw new TypeError(`The wall of ${this.pupUid} has no locker ${JSON.stringify(uid)}`);
  }

  #answerOf(outcome: Outcome, { lockerUid, goal }: Opening): TypedAnswer {
    const locker = doors.lockerOf(this.#state, lockerUid);
    if (!locker) return { outcome: 'failed' };
    const { lockerName, door } = locker;
    if (outcome === 'failed') return { outcome: 'stuck', lockerName };
    return { outcome: 'opened', lockerUid, lockerName, goal, door };
  }

  #now(): doors.Now {
    const here = Date.now();
    return { here, there: here + this.#serviceAhead };
  }

  #notifyWatchers(): void {
    for (const watcher of this.#watchers) watcher();
  }
}

const uidsOf = (lockers: readonly Locker[]): string => JSON.stringify(lockers.map((each) => each.lockerUid));
