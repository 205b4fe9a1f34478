// Bounds what a server holds for its clients: answers that nobody reads, each a text in the memory until the network has
// taken it, and open connections.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './network.ts';

export interface ConnectionBounds {
  /** In which an answer is read to its end, else its connection is cut: so long, and the time that it takes at this rate. */
  readonly readMs: number;
  readonly slowestBytesOfMs: number;
  /** Not yet taken by the network, of all answers to one client, bytes: its newest connections are cut beyond. */
  readonly unsentOfClient: number;
  /** Unread bytes of all clients together; beyond, the connections of the client with the most are cut. */
  readonly unsent: number;
  /**
   * Open connections of one network, and of all. For one more, the one that is idle for longest is closed, else one whose request
   * is still on its way, else the new one.
   */
  readonly connectionsOfNetwork: number;
  readonly connections: number;
}

/** A page has 1 MB: a client that reads 30 of them at once, over a slow network, still gets them all. */
export const CONNECTION_BOUNDS: ConnectionBounds = {
  readMs: 30_000,
  slowestBytesOfMs: 20,
  unsentOfClient: 32_000_000,
  unsent: 160_000_000,
  connectionsOfNetwork: 1_000,
  connections: 4_000,
};

// Between two looks a client gets its rate limit times a page at most: some 50 MB.
const LOOK_MS = 250;

export interface CutConnections {
  readonly reason:
    | 'unreadForTooLong'
    | 'unreadOfClient'
    | 'unreadOfAll'
    | 'connectionsOfNetwork'
    | 'connections';
  /** The client of the last connection that was cut. */
  readonly client: string;
  /** For this reason since it was told last. */
  readonly count: number;
}

/** For a log. */
export const CUT_MESSAGE =
  'connections of a client that does not read its answers, or has too many, were cut';

interface BoundConnectionsOptions {
  readonly bounds?: ConnectionBounds;
  /** The connections of a proxy are those of many clients, and it reads for them. */
  readonly isProxy?: (address: string) => boolean;
  /** Called at most once a minute for each reason. */
  readonly onCut: (cut: CutConnections) => void;
}

interface BoundConnections {
  /** Whose answer that will be; without it, the address is the client. */
  belongsTo(request: IncomingMessage, client: string): void;
  /** The connection of this request is a WebSocket now, which is bounded elsewhere: it does not count any more. */
  upgraded(request: IncomingMessage): void;
}

/** A connection with bytes that the network has not taken. */
interface Unread {
  readonly socket: Socket;
  readonly client: string;
  readonly bytes: number;
  readonly since: number;
}

export function boundConnections(
  server: Server,
  { bounds = CONNECTION_BOUNDS, isProxy = () => false, onCut }: BoundConnectionsOptions,
): BoundConnections {
  const clients = new WeakMap<IncomingMessage, string>();
  /** Since when the network has not taken all of it. */
  const open = new Map<ServerResponse, number | undefined>();
  const throttled = new ThrottledLog<CutConnections['reason']>();
  const cut: Cut = (reason, client) => throttled.log(reason, (count) => onCut({ reason, client, count }));
  const counted = countConnections(server, bounds, isProxy, cut);
  server.on('request', (_request, response) => {
    open.set(response, undefined);
    response.once('close', () => open.delete(response));
  });
  const unreadAt = (now: number): Unread[] => {
    const unread = new Map<Socket, Unread>();
    for (const [response, since = now] of open) {
      const { socket } = response.req;
      const bytes = response.writableLength;
      open.set(response, bytes === 0 ? undefined : since);
      // One that waits for the answer before it, of the same connection, is never closed.
      if (socket.destroyed) open.delete(response);
      else if (bytes > 0) {
        const client = clients.get(response.req) ?? socket.remoteAddress ?? '';
        const before = unread.get(socket) ?? { socket, client, bytes: 0, since };
        unread.set(socket, { ...before, bytes: before.bytes + bytes });
      }
    }
    return [...unread.values()];
  };
  const look = () => {
    const now = performance.now();
    const unread = unreadAt(now);
    const isLate = ({ since, bytes }: Unread) =>
      now - since >= bounds.readMs + bytes / bounds.slowestBytesOfMs;
    const late = unread.filter(isLate).map((each) => ({ ...each, reason: 'unreadForTooLong' as const }));
    const others = unread.filter((each) => !isLate(each));
    const ends = [...late, ...beyond(others, bounds)];
    for (const { socket, client, reason } of ends) {
      socket.destroy();
      cut(reason, client);
    }
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  server.on('close', () => clearInterval(timer));
  return {
    belongsTo: (request, client) => void clients.set(request, client),
    upgraded: ({ socket }) => counted.uncount(socket),
  };
}

type BeyondReason = 'unreadOfClient' | 'unreadOfAll';
type Beyond<Each> = Each & { readonly reason: BeyondReason };

/** Those to be cut, the newest of a client first: a client that reads slowly gets the ones that it has begun to read. */
export function beyond<Each extends Pick<Unread, 'client' | 'bytes'>>(
  oldestFirst: readonly Each[],
  { unsentOfClient, unsent }: Pick<ConnectionBounds, 'unsentOfClient' | 'unsent'>,
): Beyond<Each>[] {
  const byClient = new Map<string, { own: Each[]; bytes: number }>();
  for (const each of oldestFirst) {
    const { own, bytes } = byClient.get(each.client) ?? { own: [], bytes: 0 };
    own.push(each);
    byClient.set(each.client, { own, bytes: bytes + each.bytes });
  }
  const kept = [...byClient.values()];
  const ends: Beyond<Each>[] = [];
  let all = kept.reduce((sum, { bytes }) => sum + bytes, 0);
  const endNewest = (of: (typeof kept)[number], reason: BeyondReason) => {
    const newest = of.own.pop();
    if (!newest) return;
    of.bytes -= newest.bytes;
    all -= newest.bytes;
    ends.push({ ...newest, reason });
  };
  for (const each of kept) while (each.bytes > unsentOfClient) endNewest(each, 'unreadOfClient');
  while (all > unsent)
    endNewest(
      kept.reduce((most, each) => (each.bytes > most.bytes ? each : most)),
      'unreadOfAll',
    );
  return ends;
}

type Cut = (reason: CutConnections['reason'], client: string) => void;

function countConnections(
  server: Server,
  { connections, connectionsOfNetwork }: ConnectionBounds,
  isProxy: (address: string) => boolean,
  cut: Cut,
) {
  const counted = new Map<Socket, string>();
  /** Those whose requests are answered, or that have sent none, the one that is idle for longest first. */
  const idle = new Set<Socket>();
  const ofNetwork = new Map<string, number>();
  const countOf = (network: string) => ofNetwork.get(network) ?? 0;
  const count = (socket: Socket, network: string) => {
    counted.set(socket, network);
    ofNetwork.set(network, countOf(network) + 1);
    idle.add(socket);
  };
  const uncount = (socket: Socket) => {
    const network = counted.get(socket);
    if (network === undefined) return;
    counted.delete(socket);
    idle.delete(socket);
    ofNetwork.set(network, countOf(network) - 1);
    if (countOf(network) === 0) ofNetwork.delete(network);
  };
  const largest = () => [...ofNetwork].reduce((most, each) => (each[1] > most[1] ? each : most))[0];
  /** The last request of each connection that is answered, the oldest first. */
  const requests = new Map<Socket, IncomingMessage>();
  /** The connection whose request is on its way for longest: a body that never ends must not keep others out. */
  const stillSending = (isOf: (socket: Socket) => boolean): Socket | undefined =>
    [...requests].find(([socket, { complete }]) => !complete && isOf(socket))?.[0];
  /** For one more of this network. False: every connection that could be closed for it is in use. */
  const makesRoom = (network: string, address: string): boolean => {
    const isFull = counted.size >= connections;
    if (!isFull && (isProxy(address) || countOf(network) < connectionsOfNetwork)) return true;
    const of = isFull ? largest() : network;
    const isOf = (socket: Socket) => counted.get(socket) === of;
    const longest = [...idle].find(isOf) ?? stillSending(isOf);
    cut(isFull ? 'connections' : 'connectionsOfNetwork', of);
    if (!longest) return false;
    uncount(longest);
    longest.destroy();
    return true;
  };
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const network = networkOf(address);
    if (!makesRoom(network, address)) {
      socket.destroy();
      return;
    }
    count(socket, network);
    socket.once('close', () => uncount(socket));
  });
  const open = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    requests.delete(socket);
    requests.set(socket, request);
    open.set(socket, (open.get(socket) ?? 0) + 1);
    idle.delete(socket);
    response.once('close', () => {
      const left = (open.get(socket) ?? 1) - 1;
      open.set(socket, left);
      if (left > 0) return;
      requests.delete(socket);
      if (counted.has(socket)) idle.add(socket);
    });
  });
  return { uncount };
}

// What a flood repeats is told at once, and then once a minute with how often it was: it must not fill a log.

const LOG_EVERY_MS = 60_000;

/** Tells at most once a minute for each key, with how often it was since it was told last, this time included. */
export class ThrottledLog<Key> {
  readonly #suppressed = new Map<Key, { readonly count: number; readonly loggedAt: number }>();

  log(key: Key, write: (count: number) => void): void {
    const now = performance.now();
    const { count, loggedAt } = this.#suppressed.get(key) ?? { count: 0, loggedAt: Number.NEGATIVE_INFINITY };
    const isDue = now - loggedAt >= LOG_EVERY_MS;
    this.#suppressed.set(key, isDue ? { count: 0, loggedAt: now } : { count: count + 1, loggedAt });
    if (isDue) write(count + 1);
  }
}
