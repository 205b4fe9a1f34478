// Sends bytes that no HTTP client would send, and gives what comes back until the server closes the connection.
import { once } from 'node:events';
import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

export async function sendRaw(address: string, bytes: string | Buffer): Promise<RawReply> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  // A server that has answered may close while bytes are still on their way to it.
  socket.on('error', () => undefined);
  socket.setTimeout(SILENCE_MS, () => socket.destroy());
  await once(socket, 'connect');
  socket.write(bytes);
  await once(socket, 'close');
  const [head = '', body = ''] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n', 2);
  return { status: Number(head.split(' ')[1]), head, body };
}

/** Sends bytes and hangs up; the answer is whole when the server closes its end too, as it does for half a request. */
export function sendAndHangUp(address: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    // A server may reset the connection under what is still on its way: `close` comes after that too.
    socket.on('error', () => undefined);
    socket.setTimeout(SILENCE_MS, () => socket.destroy());
    socket.once('close', () => resolve(answer));
  });
}

/** Of a server that never answers. Longer than a busy machine takes to answer. */
const SILENCE_MS = 20_000;
