// The product's wall at the end of the product's own connection, in the test's process. A test can lose its messages, and
// write on its disk what no honest wall has there.
import { onTestFinished, vi } from 'vitest';
import type { WebSocket } from 'ws';
import type { ServiceMessage, WallMessage } from '../../../contract/index.ts';
import { type Controller, keepConnected } from '../../../service/simulated-wall/connection/connection.ts';
import {
  accessToken,
  type Credentials,
  openSocket,
} from '../../../service/simulated-wall/connection/socket.ts';
import type { Fact } from '../../../service/simulated-wall/lockers/doors.ts';
import { Wall } from '../../../service/simulated-wall/lockers/wall.ts';
import {
  type DoorFault,
  newWallState,
  type WallState,
} from '../../../service/simulated-wall/lockers/wall-state.ts';
import type { WallCredentials } from './new-wall.ts';

type MessageOf<Type extends ServiceMessage['type']> = Extract<ServiceMessage, { type: Type }>;

export interface TestWallOptions extends WallCredentials {
  readonly address: string;
  /** What its disk has at first. */
  readonly state?: WallState;
  /** What its hello says instead. */
  readonly hello?: Partial<Extract<WallMessage, { type: 'hello' }>>;
  /** The first message of this type is lost, and the connection with it. */
  readonly loses?: WallMessage['type'];
}

// Longer than any test waits for a door: a slow one says nothing.
const SLOW_MS = 600_000;
const never = new AbortController().signal;

export const wallToken = (address: string, credentials: Credentials): Promise<string> =>
  accessToken(address, credentials, never);

/** The bare socket, for those who say what they like. */
export const wallSocket = async (address: string, credentials: Credentials): Promise<WebSocket> =>
  await openSocket(address, await wallToken(address, credentials), never);

export class TestWall implements Controller {
  readonly pupUid: string;
  /** What the service has said after its welcome. */
  readonly heard: ServiceMessage[] = [];
  /** The locker of each door that has opened for a command. */
  readonly openings: string[] = [];
  /** Why each connection ended. */
  readonly ends: string[] = [];
  isPluggedIn = false;
  readonly #options: TestWallOptions;
  readonly #watchers = new Set<() => void>();
  #disk: WallState;
  #wall: Wall;
  #loses: WallMessage['type'] | undefined;
  #keypad: string | undefined;
  #line:
    | { readonly welcome: MessageOf<'welcome'>; readonly send: (message: WallMessage) => void }
    | undefined;

  /** It ends with the test. */
  static async connected(options: TestWallOptions): Promise<TestWall> {
    const wall = new TestWall(options);
    const ending = new AbortController();
    const log = {
      info: (what: { readonly reason?: string }) => void (what.reason && wall.ends.push(what.reason)),
      warn: () => undefined,
    };
    void keepConnected(wall, { serviceUrl: options.address, credentials: options, log }, ending.signal);
    onTestFinished(() => {
      ending.abort();
      wall.#wall.stop();
    });
    await wall.connect();
    return wall;
  }

  private constructor(options: TestWallOptions) {
    this.#options = options;
    this.pupUid = options.pupUid;
    this.#loses = options.loses;
    this.#disk = options.state ?? newWallState();
    this.#wall = this.#started();
  }

  get isConnected(): boolean {
    return this.#line !== undefined;
  }

  async connect(): Promise<void> {
    this.#plugIn(true);
    await this.until(() => this.isConnected, 'was never connected');
  }

  /** As when the network fails. */
  cut(): void {
    this.#line = undefined;
    this.#plugIn(false);
  }

  setFault(fault: DoorFault): void {
    for (const { lockerUid } of this.#disk.lockers) this.#wall.setFault(lockerUid, fault);
  }

  shut(lockerUid: string): void {
    this.#wall.close(lockerUid);
  }

  /** A person types a code, at the keypad of one door if it is named; gives the service's answer. */
  async type(code: string, lockerUid?: string): Promise<MessageOf<'codeAnswered'>> {
    this.#keypad = lockerUid;
    void this.#wall.typeCode(code);
    const { lastId } = this.#disk;
    return await this.answer('codeAnswered', ({ id }) => id === lastId);
  }

  /** Writes into its journal what has not happened. */
  write(fact: Fact, at = new Date()): void {
    this.forge(({ lastId, messages }) => ({
      lastId: lastId + 1,
      messages: [...messages, { ...fact, id: lastId + 1, at: at.toISOString() }],
    }));
  }

  /** The wall goes on with another disk; a connection stays. */
  forge(change: (disk: WallState) => Partial<WallState>): void {
    this.#wall.stop();
    this.#disk = { ...this.#disk, ...change(this.#disk) };
    this.#wall = this.#started();
    if (!this.#line) return;
    const { welcome, send } = this.#line;
    this.#wall.welcomed({ ...welcome, now: new Date().toISOString(), taken: 0 }, send);
  }

  /** Waits for a message of the service. */
  async answer<Type extends ServiceMessage['type']>(
    type: Type,
    isIt: (message: MessageOf<Type>) => boolean = () => true,
  ): Promise<MessageOf<Type>> {
    const find = () =>
      this.heard.find((each): each is MessageOf<Type> => each.type === type && isIt(each as MessageOf<Type>));
    await this.until(() => find() !== undefined, `was never sent ${type} where ${isIt}`);
    return find() as MessageOf<Type>;
  }

  until = (isSo: () => boolean, never = `is never so that ${isSo}`): Promise<void> =>
    vi.waitFor(
      () => {
        const { heard, ends } = this;
        if (!isSo()) throw new Error(`the wall ${never}: ${JSON.stringify({ heard, ends })}`);
      },
      { timeout: 60_000, interval: 10 },
    );

  /** Everything of the journal is acknowledged. */
  settled = (): Promise<void> =>
    this.until(() => this.#disk.messages.length === 0, 'never had its journal acknowledged');

  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  hello = () => ({ ...this.#wall.hello(), ...this.#options.hello }) as WallMessage;

  welcomed(welcome: MessageOf<'welcome'>, send: (message: WallMessage) => void): boolean {
    const sendOrLose = (message: WallMessage) => {
      if (message.type === this.#loses) {
        this.#loses = undefined;
        this.cut();
      } else if (this.isPluggedIn)
        send(message.type === 'codeTyped' ? { ...message, lockerUid: this.#keypad } : message);
    };
    const hasOtherDoors = this.#wall.welcomed(welcome, sendOrLose);
    if (!hasOtherDoors && this.isPluggedIn) this.#line = { welcome, send: sendOrLose };
    return hasOtherDoors;
  }

  hear(message: ServiceMessage): void {
    this.heard.push(message);
    this.#wall.hear(message);
  }

  lost(): void {
    this.#line = undefined;
    this.#wall.lost();
  }

  #started(): Wall {
    const write = (disk: WallState) => {
      for (const message of disk.messages)
        if (message.type === 'doorOpened' && message.id > this.#disk.lastId)
          this.openings.push(message.lockerUid);
      this.#disk = disk;
    };
    return new Wall({ pupUid: this.pupUid, file: { read: () => this.#disk, write }, slowMs: SLOW_MS });
  }

  #plugIn(isPluggedIn: boolean): void {
    this.isPluggedIn = isPluggedIn;
    for (const watcher of this.#watchers) watcher();
  }
}
