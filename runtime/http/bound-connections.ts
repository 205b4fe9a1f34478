// Bounds what a server holds for its clients: answers that nobody reads, each a text in the memory until the network has taken it, and
// open connections. Whoever reads is never concerned.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionBounds {
  /** In which an answer is read to its end; else its connection is cut. */
  readonly readMs: number;
  /** Not yet taken by the network, of all answers to one client, bytes: its newest answers are cut beyond. */
  readonly unsentOfClient: number;
  /** Of all clients together, bytes: the answers of the client with the most are cut beyond. */
  readonly unsent: number;
  /** Open connections of one address; one more is closed at once. */
  readonly connectionsOfAddress: number;
  readonly connections: number;
}

/** A page has 1 MB: a client that reads 30 of them at once, over a slow network, still gets them all. */
export const CONNECTION_BOUNDS: ConnectionBounds = {
  readMs: 30_000,
  unsentOfClient: 32_000_000,
  unsent: 160_000_000,
  connectionsOfAddress: 500,
  connections: 4_000,
};

// Between two looks a client gets its rate limit times a page at most: some 50 MB.
const LOOK_MS = 250;
/** A flood must not fill the log. */
const TELL_MS = 60_000;

export interface CutConnections {
  readonly reason: 'unreadForTooLong' | 'unreadOfClient' | 'unreadOfAll' | 'connectionsOfAddress' | 'connections';
  /** Of the last one that was cut. */
  readonly client: string;
  /** For this reason since it was told last. */
  readonly count: number;
}

export interface BoundConnectionsOptions {
  readonly bounds?: ConnectionBounds;
  /** A proxy: its connections are those of many clients, and it reads for them. */
  readonly isProxy?: (address: string) => boolean;
  /** Called at most once a minute for each reason. */
  readonly tell: (cut: CutConnections) => void;
}

export interface BoundConnections {
  /** Whose answer that will be; without it, the address is the client. */
  belongsTo(request: IncomingMessage, client: string): void;
}

interface Unread {
  readonly response: ServerResponse;
  readonly client: string;
  readonly bytes: number;
}

export function boundConnections(
  server: Server,
  { bounds = CONNECTION_BOUNDS, isProxy = () => false, tell }: BoundConnectionsOptions,
): BoundConnections {
  const clients = new WeakMap<IncomingMessage, string>();
  /** Since when the network has not taken all of it. */
  const open = new Map<ServerResponse, number | undefined>();
  const cut = toldOnceAMinute(tell);
  server.maxConnections = bounds.connections;
  server.on('drop', (dropped) => cut('connections', dropped?.remoteAddress ?? ''));
  server.on('connection', countedByAddress(bounds, isProxy, cut));
  server.on('request', (_request, response) => {
    open.set(response, undefined);
    response.once('close', () => open.delete(response));
  });
  const end = ({ response, client }: Unread, reason: CutConnections['reason']) => {
    open.delete(response);
    response.destroy();
    cut(reason, client);
  };
  const look = () => {
    const now = performance.now();
    const unread: Unread[] = [];
    for (const [response, since = now] of open) {
      const bytes = response.writableLength;
      open.set(response, bytes === 0 ? undefined : since);
      if (bytes === 0) continue;
      const client = clients.get(response.req) ?? response.req.socket.remoteAddress ?? '';
      const each = { response, client, bytes };
      if (now - since >= bounds.readMs) end(each, 'unreadForTooLong');
      else unread.push(each);
    }
    for (const each of beyond(unread, bounds)) end(each, each.reason);
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  server.on('close', () => clearInterval(timer));
  return { belongsTo: (request, client) => void clients.set(request, client) };
}

/** Those to be cut, the newest of a client first: a client that reads slowly gets the ones that it has begun to read. */
export function beyond<Each extends Omit<Unread, 'response'>>(
  oldestFirst: readonly Each[],
  { unsentOfClient, unsent }: Pick<ConnectionBounds, 'unsentOfClient' | 'unsent'>,
): (Each & { readonly reason: 'unreadOfClient' | 'unreadOfAll' })[] {
  const total = (of: readonly Each[]) => of.reduce((sum, { bytes }) => sum + bytes, 0);
  const kept = [...Map.groupBy(oldestFirst, ({ client }) => client).values()].map((own) => [...own]);
  const ends: (Each & { readonly reason: 'unreadOfClient' | 'unreadOfAll' })[] = [];
  const endNewest = (own: Each[] | undefined, reason: 'unreadOfClient' | 'unreadOfAll') => {
    const newest = own?.pop();
    if (newest) ends.push({ ...newest, reason });
  };
  for (const own of kept) while (total(own) > unsentOfClient) endNewest(own, 'unreadOfClient');
  while (total(kept.flat()) > unsent)
    endNewest(
      kept.toSorted((one, other) => total(other) - total(one))[0],
      'unreadOfAll',
    );
  return ends;
}

type Cut = (reason: CutConnections['reason'], client: string) => void;

function countedByAddress(
  { connectionsOfAddress }: ConnectionBounds,
  isProxy: (address: string) => boolean,
  cut: Cut,
) {
  const counts = new Map<string, number>();
  return (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isProxy(address)) return;
    const count = counts.get(address) ?? 0;
    if (count >= connectionsOfAddress) {
      socket.destroy();
      cut('connectionsOfAddress', address);
      return;
    }
    counts.set(address, count + 1);
    socket.once('close', () => {
      const left = (counts.get(address) ?? 1) - 1;
      if (left === 0) counts.delete(address);
      else counts.set(address, left);
    });
  };
}

function toldOnceAMinute(tell: BoundConnectionsOptions['tell']): Cut {
  const untold = new Map<CutConnections['reason'], { count: number; toldAt: number }>();
  return (reason, client) => {
    const now = performance.now();
    const { count, toldAt } = untold.get(reason) ?? { count: 0, toldAt: Number.NEGATIVE_INFINITY };
    if (now - toldAt < TELL_MS) {
      untold.set(reason, { count: count + 1, toldAt });
      return;
    }
    untold.set(reason, { count: 0, toldAt: now });
    tell({ reason, client, count: count + 1 });
  };
}
