// A real HTTP server on a free port that answers as a test tells it to, down to the bytes and the socket.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface TestRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Reply = (
  response: ServerResponse & { socket: Socket | null },
  request: TestRequest,
) => void | Promise<void>;

export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: TestRequest[];
  /** Connections taken since the start. */
  readonly connections: () => number;
  reply: Reply;
}

export async function startTestServer(reply: Reply): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = {
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('latin1'),
    };
    testServer.requests.push(request);
    await testServer.reply(response, request);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {}); // A reset is what these tests do to each other.
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const testServer: TestServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    connections: () => connections,
    reply,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return testServer;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
  };

export const text =
  (
    status: number,
    contentType: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': contentType, ...headers }).end(body);
  };

/** Bytes as they are, over the bare socket. */
export const raw =
  (bytes: string, then: 'keep' | 'end' | 'reset' = 'end'): Reply =>
  (response) => {
    const { socket } = response;
    socket?.write(bytes, () => {
      if (then === 'end') socket.end();
      if (then === 'reset') socket.resetAndDestroy();
    });
  };

export const success = (response: object): Reply =>
  json(200, { ...response, success: true, error: null, message: null });

export const failure = (status: number, error: string | null, message: string | null = null): Reply =>
  json(status, { success: false, error, message });

/** A token service: a fresh token each time, numbered. */
export function tokenReply(expiresIn = 3_600): Reply {
  let count = 0;
  return (response, request) => {
    count += 1;
    return json(200, { access_token: `token-secret-${count}`, token_type: 'Bearer', expires_in: expiresIn })(
      response,
      request,
    );
  };
}
