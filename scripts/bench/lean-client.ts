// An HTTP client that costs little: one request at a time on each of its connections, and of HTTP only what our own servers answer.
// Whoever measures a server with a client on the same cores measures the client too.
import { connect, type Socket } from 'node:net';

const END_OF_HEAD = '\r\n\r\n';

/** Posts JSON; gives the body of an answer with status 200, and throws for any other. Its connections end with the server. */
export function leanClient(address: string) {
  const { hostname, port, host } = new URL(address);
  const idle: Socket[] = [];
  // After an error it is closed, which says it.
  const newConnection = () =>
    connect({ host: hostname, port: Number(port), noDelay: true }).on('error', () => undefined);
  return (path: string, body: string, authorization: string): Promise<string> => {
    let socket = idle.pop();
    while (socket?.destroyed) socket = idle.pop(); // The server closes one that was idle for a minute.
    socket ??= newConnection();
    const head = `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
    const rest = `authorization: ${authorization}\r\ncontent-length: ${Buffer.byteLength(body)}${END_OF_HEAD}${body}`;
    // Each character is one byte: so the length of the body can be counted.
    socket.setEncoding('latin1').write(head + rest);
    return new Promise((resolve, reject) => {
      let come = '';
      const lost = () => reject(new Error('The server closed the connection'));
      socket.on('close', lost);
      socket.on('data', function take(part: string) {
        come += part;
        const bodyAt = come.indexOf(END_OF_HEAD) + END_OF_HEAD.length;
        const length = Number(/content-length: *(\d+)/i.exec(come)?.[1]);
        if (bodyAt < END_OF_HEAD.length || come.length < bodyAt + length) return;
        socket.off('data', take).off('close', lost);
        idle.push(socket);
        const said = Buffer.from(come.slice(bodyAt), 'latin1').toString();
        if (come.startsWith('HTTP/1.1 200 ')) resolve(said);
        else reject(new Error(`The server refused: ${come.slice(0, 12)} ${said}`));
      });
    });
  };
}
