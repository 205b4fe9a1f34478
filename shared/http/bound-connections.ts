// Bounds what a server holds for its clients: answers that nobody reads, each a text in the memory until the network has
// taken it, and open connections.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type ConnectionCounts, countConnections } from './count-connections.ts';
import { serializeRequests } from './serialize-requests.ts';
import { ThrottledLog } from './throttled-log.ts';

export interface ConnectionBounds extends ConnectionCounts {
  /** In which an answer is read to its end, else its connection is cut: so long, and the time that it takes at this rate. */
  readonly readMs: number;
  readonly slowestBytesOfMs: number;
  /** Not yet taken by the network, of all answers to one client, bytes: its newest connections are cut beyond. */
  readonly unsentOfClient: number;
  /** Unread bytes of all clients together; beyond, the connections of the client with the most are cut. */
  readonly unsent: number;
  /** Requests of all connections that wait for the one before: one more ends its connection. */
  readonly waitingRequests: number;
}

/** A page has 1 MB: a client that reads 30 of them at once, over a slow network, still gets them all. */
export const CONNECTION_BOUNDS: ConnectionBounds = {
  readMs: 30_000,
  slowestBytesOfMs: 20,
  unsentOfClient: 32_000_000,
  unsent: 160_000_000,
  connectionsOfNetwork: 1_000,
  connections: 4_000,
  // Node keeps some 4 kB for each. One read holds at most 3,641.
  waitingRequests: 10_000,
};

// Answers that end are counted at once; a stream grows between two looks.
const LOOK_MS = 250;

export interface CutConnections {
  readonly reason:
    | 'unreadForTooLong'
    | 'unreadOfClient'
    | 'unreadOfAll'
    | 'connectionsOfNetwork'
    | 'connections'
    | 'waitingRequests';
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
  const cut = (reason: CutConnections['reason'], client: string) =>
    throttled.log(reason, (count) => onCut({ reason, client, count }));
  const counted = countConnections(server, bounds, isProxy, cut);
  /** Of the answers that have ended since the last look. */
  let endedBytes = 0;
  serializeRequests(server, {
    most: bounds.waitingRequests,
    onBegin(response) {
      open.set(response, undefined);
      response.once('prefinish', () => {
        endedBytes += response.writableLength;
        if (endedBytes > bounds.unsentOfClient) look();
      });
      response.once('close', () => open.delete(response));
    },
    onTooMany({ socket }) {
      socket.destroy();
      cut('waitingRequests', socket.remoteAddress ?? '');
    },
  });
  const unreadAt = (now: number): Unread[] => {
    const unread = new Map<Socket, Unread>();
    for (const [response, since = now] of open) {
      const { socket } = response.req;
      const bytes = response.writableLength;
      open.set(response, bytes === 0 ? undefined : since);
      if (bytes > 0) {
        const client = clients.get(response.req) ?? socket.remoteAddress ?? '';
        const before = unread.get(socket) ?? { socket, client, bytes: 0, since };
        unread.set(socket, { ...before, bytes: before.bytes + bytes });
      }
    }
    return [...unread.values()];
  };
  const look = () => {
    endedBytes = 0;
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
  const groups = [...byClient.values()];
  const ends: Beyond<Each>[] = [];
  let all = groups.reduce((sum, { bytes }) => sum + bytes, 0);
  const endNewest = (of: (typeof groups)[number], reason: BeyondReason) => {
    const newest = of.own.pop();
    if (!newest) return;
    of.bytes -= newest.bytes;
    all -= newest.bytes;
    ends.push({ ...newest, reason });
  };
  for (const each of groups) while (each.bytes > unsentOfClient) endNewest(each, 'unreadOfClient');
  while (all > unsent)
    endNewest(
      groups.reduce((most, each) => (each.bytes > most.bytes ? each : most)),
      'unreadOfAll',
    );
  return ends;
}
