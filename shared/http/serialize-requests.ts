// Answers the pipelined requests of a connection one after the other. One read may hold thousands of them, and Node hands them
// all over at once: each would have its handler and its answer in the memory, whether anybody reads it or not.
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface SerialRequests {
  /** That may wait, of all connections. */
  readonly most: number;
  /** Called before the request's handler. */
  readonly onBegin: (response: ServerResponse) => void;
  /** Called instead of the handler for one more: it ends the connection. */
  readonly onTooMany: (request: IncomingMessage) => void;
}

/** Takes the place of the server's own request handlers, which must be there already. */
export function serializeRequests(server: Server, { most, onBegin, onTooMany }: SerialRequests): void {
  const handlers = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  /** Of each connection with an open answer: the requests behind it. */
  const waiting = new Map<Socket, [IncomingMessage, ServerResponse][]>();
  let count = 0;
  const begin = (request: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => ended(request.socket));
    onBegin(response);
    for (const handle of handlers) handle(request, response);
  };
  const ended = (socket: Socket) => {
    if (waiting.get(socket)?.length === 0) waiting.delete(socket);
    // Not at once: the other connections have their turn between two answers.
    else setImmediate(next, socket);
  };
  const next = (socket: Socket) => {
    // The answer may have been the last one of its connection.
    const following = socket.writable ? waiting.get(socket)?.shift() : undefined;
    if (!following) return;
    count -= 1;
    if (waiting.get(socket)?.length === 0) socket.resume();
    begin(...following);
  };
  server.on('connection', (socket: Socket) => {
    // Node reads on when it has read a request to its end.
    socket.on('resume', () => {
      if (waiting.get(socket)?.length) socket.pause();
    });
    socket.once('close', () => {
      count -= waiting.get(socket)?.length ?? 0;
      waiting.delete(socket);
    });
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    // What is left of a read when its connection was ended.
    if (socket.destroyed) return;
    const behind = waiting.get(socket);
    if (!behind) {
      waiting.set(socket, []);
      begin(request, response);
    } else if (count >= most) onTooMany(request);
    else {
      behind.push([request, response]);
      count += 1;
      socket.pause();
    }
  });
}
