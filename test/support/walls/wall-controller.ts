// A locker installation's controller for tests: speaks the wall protocol over a real WebSocket, and has doors that a test
// can make stuck or slow. What a real one has on its disk is in `memory`: it outlives a cut and a killed controller.
import { randomUUID } from 'node:crypto';
import { WebSocket } from 'ws';
import {
  type JournalMessage,
  type ServiceMessage,
  serviceMessage,
  TOKEN_PATH,
  WALL_PATH,
  WALL_PROTOCOL,
  WALL_SCOPE,
  type WallMessage,
} from '../../../contract/index.ts';

type WithoutFrame<Message> = Message extends unknown ? Omit<Message, 'id' | 'at'> : never;
type CommandState = 'waiting' | 'opened' | 'failed';

export interface WallMemory {
  readonly journal: string;
  lastId: number;
  /** Not acknowledged yet. */
  untaken: JournalMessage[];
  readonly commands: Map<string, CommandState>;
  /** Wrong codes that people typed while it had no connection. */
  offlineWrongCodes: number;
  /** Each opening of a door, with the command that opened it. */
  readonly openings: { readonly lockerUid: string; readonly commandId: string }[];
}

export const newMemory = (): WallMemory => ({
  journal: randomUUID(),
  lastId: 0,
  untaken: [],
  commands: new Map(),
  offlineWrongCodes: 0,
  openings: [],
});

export interface WallCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface ControllerOptions extends WallCredentials {
  readonly address: string;
  readonly lockerUids: readonly string[];
  readonly memory?: WallMemory;
  /** Its hello asks for offline lists. */
  readonly offlineLists?: boolean;
  /** False: as a controller that does not know that it should. */
  readonly countsWrongCodes?: boolean;
  /** How a door behaves: opens, stays shut, or says nothing. */
  readonly door?: (lockerUid: string) => 'opens' | 'stuck' | 'silent';
  /** Called before a message goes out; false loses it with its connection. */
  readonly beforeSend?: (message: WallMessage) => boolean;
}

export async function wallToken(
  address: string,
  { clientId, clientSecret }: WallCredentials,
): Promise<string> {
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: WALL_SCOPE,
  });
  const response = await fetch(address + TOKEN_PATH, { method: 'POST', body });
  const answer = (await response.json()) as { access_token?: string };
  if (!answer.access_token) throw new Error(`no token: ${JSON.stringify(answer)}`);
  return answer.access_token;
}

/** The bare socket, for those who say what they like. */
export async function wallSocket(
  address: string,
  credentials: WallCredentials,
  { autoPong = true } = {},
): Promise<WebSocket> {
  const authorization = `Bearer ${await wallToken(address, credentials)}`;
  const socket = new WebSocket(address.replace(/^http/, 'ws') + WALL_PATH, WALL_PROTOCOL, {
    headers: { authorization },
    perMessageDeflate: false,
    autoPong,
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return socket;
}

export class WallController {
  readonly memory: WallMemory;
  readonly heard: ServiceMessage[] = [];
  readonly #options: ControllerOptions;
  readonly #waiting = new Set<() => void>();
  #socket: WebSocket | undefined;
  #closeCode: number | undefined;
  #isWelcome = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.memory = options.memory ?? newMemory();
  }

  static async connected(options: ControllerOptions): Promise<WallController> {
    const controller = new WallController(options);
    await controller.connect();
    return controller;
  }

  get closeCode(): number | undefined {
    return this.#closeCode;
  }

  async connect(): Promise<void> {
    const socket = await wallSocket(this.#options.address, this.#options);
    this.#socket = socket;
    this.#isWelcome = false;
    this.#closeCode = undefined;
    socket.on('message', (data) => {
      if (socket === this.#socket) this.#hear(serviceMessage.parse(JSON.parse(String(data))));
    });
    socket.on('close', (code) => {
      if (socket !== this.#socket) return;
      this.#closeCode = code;
      this.#changed();
    });
    socket.on('error', () => undefined);
    this.#send({
      type: 'hello',
      journal: this.memory.journal,
      now: new Date().toISOString(),
      doors: this.#options.lockerUids.map((lockerUid) => ({ lockerUid, door: 'closed', item: 'unknown' })),
      commands: [...this.memory.commands].map(([commandId, state]) => ({ commandId, state })),
      ...(this.#options.offlineLists && {
        offlineLists: true,
        ...(this.#options.countsWrongCodes !== false && {
          offlineWrongCodes: this.memory.offlineWrongCodes,
        }),
      }),
    });
    await this.until(() => this.#isWelcome || this.#closeCode !== undefined);
  }

  /** As when the network or the machine fails. */
  cut(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.terminate();
  }

  close(): void {
    this.#socket?.close(1000);
  }

  /** A person types a code; gives the service's answer. */
  async type(code: string, lockerUid?: string): Promise<Extract<ServiceMessage, { type: 'codeAnswered' }>> {
    const id = this.write({ type: 'codeTyped', code, ...(lockerUid !== undefined && { lockerUid }) });
    return await this.answer('codeAnswered', (each) => each.id === id);
  }

  /** Writes into the journal, and sends. Gives the id. */
  write(content: WithoutFrame<JournalMessage>, at = new Date()): number {
    this.memory.lastId += 1;
    const message = { ...content, id: this.memory.lastId, at: at.toISOString() } as JournalMessage;
    this.memory.untaken.push(message);
    if (this.#isWelcome) this.#send(message);
    return message.id;
  }

  /** Waits for a message of the service. */
  async answer<Type extends ServiceMessage['type']>(
    type: Type,
    isIt: (message: Extract<ServiceMessage, { type: Type }>) => boolean = () => true,
  ): Promise<Extract<ServiceMessage, { type: Type }>> {
    type Wanted = Extract<ServiceMessage, { type: Type }>;
    const find = () =>
      this.heard.find((message): message is Wanted => message.type === type && isIt(message as Wanted));
    await this.until(() => find() !== undefined);
    return find() as Wanted;
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo())
      await new Promise<void>((resolve) => {
        this.#waiting.add(resolve);
      });
  }

  /** Everything of the journal is acknowledged. */
  settled(): Promise<void> {
    return this.until(() => this.memory.untaken.length === 0);
  }

  #hear(message: ServiceMessage): void {
    this.heard.push(message);
    const { memory } = this;
    switch (message.type) {
      case 'welcome':
        this.#isWelcome = true;
        this.#drop(message.taken);
        // A code's person has gone.
        memory.untaken = memory.untaken.filter(({ type }) => type !== 'codeTyped');
        for (const untaken of memory.untaken) this.#send(untaken);
        break;
      case 'taken':
        this.#drop(message.id);
        break;
      case 'openDoor':
        this.#open(message);
        break;
      case 'ask':
        this.#send({
          type: 'commandState',
          commandId: message.commandId,
          state: memory.commands.get(message.commandId) ?? 'unknown',
        });
        break;
      case 'forget':
        memory.commands.delete(message.commandId);
        break;
    }
    this.#changed();
  }

  #open({ commandId, lockerUid, by }: Extract<ServiceMessage, { type: 'openDoor' }>): void {
    const { memory } = this;
    if (memory.commands.has(commandId)) return;
    memory.commands.set(commandId, 'waiting');
    this.#send({ type: 'taken', commandId });
    const door = this.#options.door?.(lockerUid) ?? 'opens';
    if (door === 'silent') return;
    if (door === 'stuck' || Date.now() > Date.parse(by)) {
      memory.commands.set(commandId, 'failed');
      this.write({ type: 'commandFailed', commandId, reason: 'the latch does not move' });
      return;
    }
    memory.openings.push({ lockerUid, commandId });
    memory.commands.set(commandId, 'opened');
    this.write({ type: 'doorOpened', lockerUid, commandId });
    this.write({ type: 'doorClosed', lockerUid });
  }

  #drop(taken: number): void {
    this.memory.untaken = this.memory.untaken.filter(({ id }) => id > taken);
  }

  #send(message: WallMessage): void {
    if (this.#options.beforeSend?.(message) === false) this.cut();
    else if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #changed(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
