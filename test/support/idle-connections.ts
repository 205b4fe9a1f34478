// Whether a server that has room for one connection of a network closes the idle one when another comes.
import { once } from 'node:events';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';

export async function isFirstClosed(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const opened = async () => {
    const socket = connect(Number(port), hostname).on('error', () => undefined);
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const first = await opened();
  const closed = once(first, 'close').then(() => true);
  const second = await opened();
  // Once the second one has an answer, the server has decided about the first, which is then asked too.
  const answered = once(second, 'data');
  second.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
  await answered;
  const alive = once(first, 'data').then(() => false);
  first.write('GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n');
  return await Promise.race([closed, alive]);
}
