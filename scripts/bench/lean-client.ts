// An HTTP client that costs little: one request at a time on each of its connections, and of HTTP only what our own servers answer.
// Whoever measures a server with a client on the same cores measures the client too.
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

export interface LeanClient {
  /** JSON; gives the body of an answer with status 200, and throws for any other. */
  post(path: string, body: string, authorization?: string): Promise<string>;
  close(): void;
}

interface Connection {
  readonly socket: Socket;
  asked: PromiseWithResolvers<string> | undefined;
  /** What has come of the answer. */
  come: string;
}

export function leanClient(address: string): LeanClient {
  const { hostname, port, host } = new URL(address);
  const idle: Connection[] = [];
  const all: Connection[] = [];

  function opened(): Connection {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const connection: Connection = { socket, asked: undefined, come: '' };
    // Each character is one byte: so the length of the body can be counted.
    socket.setEncoding('latin1');
    socket.on('data', (part: string) => take(connection, part));
    socket.on('error', (error) => connection.asked?.reject(error));
    socket.on('close', () => {
      connection.asked?.reject(new Error('The server closed the connection'));
      idle.splice(0, idle.length, ...idle.filter((each) => each !== connection));
    });
    all.push(connection);
    return connection;
  }

  function take(connection: Connection, part: string): void {
    connection.come += part;
    const { come, asked } = connection;
    const bodyAt = come.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
    if (bodyAt < END_OF_HEAD.length) return;
    const length = Number(/content-length: *(\d+)/i.exec(come)?.[1]);
    if (come.length < bodyAt + length) return;
    const body = Buffer.from(come.slice(bodyAt), 'latin1').toString();
    connection.come = '';
    connection.asked = undefined;
    idle.push(connection);
    if (come.startsWith('HTTP/1.1 200 ')) asked?.resolve(body);
    else asked?.reject(new Error(`The server refused: ${come.slice(0, 12)} ${body}`));
  }

  return {
    post(path, body, authorization = '') {
      const connection = idle.pop() ?? opened();
      const asked = Promise.withResolvers<string>();
      connection.asked = asked;
      const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
      const rest = `authorization: ${authorization}\r\ncontent-length: ${Buffer.byteLength(body)}${END_OF_HEAD}${body}`;
      connection.socket.write(head + rest);
      return asked.promise;
    },
    close() {
      for (const { socket } of all) socket.destroy();
    },
  };
}
