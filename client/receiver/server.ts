// The stand-alone receiver: POST /callbacks, /health/live and /health/ready, and a stop that loses nothing under way.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@temporalio/client';
import {
  boundConnections,
  type ConnectionBounds,
  type CutConnections,
} from '../../shared/http/bound-connections.ts';
import { addressesIn, isAmong } from '../../shared/settings/values.ts';
import { listening } from '../../shared/terminal/listening.ts';
import { callbackHandler, type HttpHandler } from './http-handler.ts';
import { type ReceiverOptions, receiveCallback } from './receive-callback.ts';

export const CALLBACK_PATH = '/callbacks';

/** Everything that the receiver serves. A callback must be signed; anybody may ask about health. */
export const receiverPaths = [CALLBACK_PATH, '/health/live', '/health/ready'] as const;

export interface Receiver {
  /** The address that callbacks are posted to. */
  readonly url: string;
  close(): Promise<void>;
}

interface ListenOptions extends ReceiverOptions {
  readonly host: string;
  readonly port: number;
  readonly trustedProxies?: readonly string[];
  readonly connectionBounds?: ConnectionBounds;
  readonly bodyLimitBytes: number;
  /** Called when connections are cut: the client has too many, or does not read. */
  readonly onCut?: (cut: CutConnections) => void;
  readonly onError?: (error: unknown) => void;
}

export async function startReceiver(client: Client, options: ListenOptions): Promise<Receiver> {
  const isReady = lookedUpOnceASecond(() => isReachable(client));
  const routes = new Map<string, HttpHandler>([
    [CALLBACK_PATH, callbackHandler(receiveCallback(client, options), options)],
    ['/health/live', async (_, response) => end(response, 200)],
    ['/health/ready', async (_, response) => end(response, (await isReady()) ? 200 : 503)],
  ]);
  const server = createServer((request, response) => {
    const handler = routes.get(request.url?.split('?')[0] ?? '') ?? notFound;
    void handler(request, response);
  });
  const { trustedProxies = [], connectionBounds: bounds } = options;
  const proxies = addressesIn(trustedProxies);
  boundConnections(server, {
    ...(bounds && { bounds }),
    isProxy: (address) => isAmong(proxies, address),
    onCut: (cut) => options.onCut?.(cut),
  });
  await listening(options, 'CALLBACK', (at) => once(server.listen(at), 'listening'));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}${CALLBACK_PATH}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
      }),
  };
}

const notFound: HttpHandler = async (_, response) => end(response, 404);

// A load balancer asks every few seconds, so this delays no news.
const FRESH_MS = 1_000;

/** Anybody may call /health/ready, so it asks Temporal at most once a second. */
function lookedUpOnceASecond(look: () => Promise<boolean>): () => Promise<boolean> {
  let found: Promise<boolean> | undefined;
  let lookedAt = 0;
  return () => {
    if (found && performance.now() - lookedAt < FRESH_MS) return found;
    lookedAt = performance.now();
    found = look();
    return found;
  };
}

async function isReachable(client: Client): Promise<boolean> {
  try {
    await client.connection.withDeadline(Date.now() + 2_000, () =>
      client.workflowService.describeNamespace({ namespace: client.options.namespace }),
    );
    return true;
  } catch {
    return false; // Not ready is the whole answer; why is in Temporal's own health.
  }
}

function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-length': '0' }).end();
}
